"""Tests of the sandbox with a real bot."""
