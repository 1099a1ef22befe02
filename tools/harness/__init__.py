"""What tests and tools share: a bot on a sandbox, ways to play each game, and random games of the engine."""
