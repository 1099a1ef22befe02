"""Tests of the computer players, one module per game."""
