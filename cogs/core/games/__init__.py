"""What games' cogs have in common, besides the screen that each fills in: interludes, refusals, puzzles, reviews."""
