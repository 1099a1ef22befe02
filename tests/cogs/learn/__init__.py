"""Tests of `cogs.learn`."""
