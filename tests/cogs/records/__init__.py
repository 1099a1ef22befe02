"""Tests of leaderboards, statistics and histories."""
