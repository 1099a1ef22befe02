"""Tests of Prison Break at the table."""
