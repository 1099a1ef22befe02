"""Measurements of the house: how fast it is, and how well its computer players play. Nothing here is a test."""
