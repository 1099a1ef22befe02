"""Configuration, logs, metrics, error types, and small helpers that every layer may use."""
