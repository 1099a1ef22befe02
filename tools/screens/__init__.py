"""Measure whether what a player must see at once fits the screen of a phone."""
