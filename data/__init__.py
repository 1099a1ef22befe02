"""What lasts: the material of the games (one TOML each), lessons, puzzles, and the store."""
