"""Sentences in the language of their reader."""
