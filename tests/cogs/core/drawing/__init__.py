"""Tests of `cogs.core.drawing`."""
