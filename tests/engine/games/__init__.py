"""Tests of the games, one or more modules per game. Test names cite the marks of the rule books."""
