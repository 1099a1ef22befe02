"""Tests of the shards that a process serves."""
