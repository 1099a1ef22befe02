"""Tests of the owner's and managers' commands."""
