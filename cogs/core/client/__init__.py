"""The client: what it hears of Discord and what it passes over, and what it does before the first click."""
