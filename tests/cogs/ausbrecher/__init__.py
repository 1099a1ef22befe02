"""Tests of Ausbrecher AG at the table."""
