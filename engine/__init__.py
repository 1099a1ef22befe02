"""The rules of the games: pure and synchronous.

Nothing in this package depends on Discord, a clock, a file or global randomness; `tests/test_structure.py` checks the
imports.
"""
