"""Tests of `cogs.core.inbound`."""
