"""The bot seen from outside: figures for Prometheus, and whether it is well."""
