"""Tests of the games, one module a game; their names follow the marks of the rule pages."""
