"""Tests of the sandbox, with a real bot on its other end."""
