"""Tests of `cogs.core.pages`."""
