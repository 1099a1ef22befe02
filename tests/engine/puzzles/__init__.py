"""Tests of the puzzles, by second solvers."""
