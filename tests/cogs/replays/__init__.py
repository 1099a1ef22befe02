"""Tests of replays and proofs."""
