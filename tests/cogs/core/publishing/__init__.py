"""Tests of `cogs.core.publishing`."""
