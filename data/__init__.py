"""What lasts: the material of the games (one TOML a game), and the store, with its SQL and migrations.

May import `engine`, aiosqlite, msgspec, psycopg (in `store/postgres` alone) and the standard library.
"""
