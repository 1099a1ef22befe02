"""Tests of replays and verification."""
