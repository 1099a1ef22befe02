"""Tests of Break-Out at the table."""
