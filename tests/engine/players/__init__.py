"""Tests of the computer players, one module a game."""
