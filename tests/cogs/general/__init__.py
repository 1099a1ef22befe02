"""Tests of the commands that belong to no game."""
