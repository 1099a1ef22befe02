"""Tests of the rules, without Discord, files or a clock."""
