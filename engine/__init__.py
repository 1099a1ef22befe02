"""The rules: pure and synchronous.

Nothing below this package knows Discord, a clock, a file or global randomness; `tests/test_house.py` reads the imports.
"""
