"""What each version of the bot wrote, recorded in tests/versions so that later versions can be tested with it.

Recorded versions are never regenerated; `python -m tools.versions` records the current one.
"""

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "versions"
"""Its folders are named after a version's last migration.

`cellblock.db.gz` has one unfinished and one finished table per game, and `<game>.json.gz` is the finished game as
`/replay` exported it. From 0017 on, `cellblock.sql.gz` is the same database on PostgreSQL, and `bot` has a bot with
everything in progress (see `bots`).
"""

GUILD, CHANNEL = 1, 2
USERS = (10, 11, 12)
SECRET = "Ben bluffs"
"""Ann's notes, in games that have notes."""

WITH_BOTS = 17
"""The first migration whose version also has a PostgreSQL database and a bot."""
