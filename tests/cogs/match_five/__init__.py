"""Tests of Match Five at the table."""
