"""Shared by tests and tools: a bot on a sandbox, ways to play each game, and random games of the engine."""
