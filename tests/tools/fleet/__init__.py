"""Tests of the fleet and of its judge."""
