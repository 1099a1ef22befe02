"""Gathering: who sits at a table before its game begins, what they decide, and the pages that show it."""
