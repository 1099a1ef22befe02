"""Tests of `cogs.achievements`."""
