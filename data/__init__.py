"""What lasts: the material of the games (one TOML a game), and the store, with its SQL and migrations. `background`
holds the tasks of the store, and of the bot.

May import aiosqlite, msgspec, psycopg, `engine`, its neighbours and the standard library; each of the two drivers is
known in the room of its back end alone.
"""
