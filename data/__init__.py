"""What lasts: the material of the games (one TOML a game), and the store, with its SQL and migrations. `background`
holds the tasks of the store, and of the bot.

May import `engine`, aiosqlite, msgspec, psycopg (in `store/postgres` alone) and the standard library.
"""
