"""What earlier versions of the bot wrote: a database and exports of every game, kept as they were.

A folder a version, named after its last migration: `cellblock.db.gz` has a table of each game in the middle and one at
its end, `<game>.json.gz` is the finished one as `/replay` exported it. From 0017 on `cellblock.sql.gz` is the same
database on PostgreSQL, and `bot` has a bot in the middle of everything (see `tools.versions.bots`). They are never made
again: what a version wrote stays what it wrote. `python -m tools.versions` keeps what the present version writes.
"""

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "versions"

GUILD, CHANNEL = 1, 2
USERS = (10, 11, 12)
SECRET = "Ben bluffs"
"""What Ann wrote into her notes, in games that have room for some."""

WITH_BOTS = 17
"""From this migration on a version's database on PostgreSQL and its bot are kept, too."""
