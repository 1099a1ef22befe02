"""Tests of the bots, one module per game."""
