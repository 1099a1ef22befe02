"""Tests of `cogs.core.app`."""
