"""Tests of `cogs.core.cluster`."""
