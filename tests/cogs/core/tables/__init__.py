"""Tests of `cogs.core.tables`."""
