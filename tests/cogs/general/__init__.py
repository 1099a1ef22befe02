"""Tests of `cogs.general`."""
