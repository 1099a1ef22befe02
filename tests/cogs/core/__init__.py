"""Tests of what serves every game."""
