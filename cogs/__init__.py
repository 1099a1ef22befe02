"""All that knows Discord: one cog a game, and the cogs that serve every game."""
