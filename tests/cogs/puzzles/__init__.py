"""Tests of `cogs.puzzles`."""
