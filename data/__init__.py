"""What lasts: the material of the games (one TOML a game), the SQL migrations, and the store over SQLite.

May import `engine`, aiosqlite, msgspec and the standard library.
"""
