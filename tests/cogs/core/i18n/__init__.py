"""Tests of `cogs.core.i18n`."""
