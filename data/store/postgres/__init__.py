"""The store in a PostgreSQL database, for one process or several. Needs the extra `postgres` of the package."""
