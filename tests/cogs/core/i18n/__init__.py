"""Tests of `cogs.core.ops`."""
