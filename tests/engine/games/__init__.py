"""Tests of the games, one or more modules per game. Their names follow the marks of the rule books."""
