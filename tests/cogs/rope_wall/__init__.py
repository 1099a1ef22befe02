"""Tests of the Rope Wall at the table."""
