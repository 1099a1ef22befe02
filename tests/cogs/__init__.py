"""Tests of the cogs, with the whole bot on the sandbox."""
