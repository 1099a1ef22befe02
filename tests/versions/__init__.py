"""What earlier versions of the bot wrote: a database and exports of every game, kept as they were.

A folder a version, named after its last migration: `cellblock.db.gz` has a table of each game in the middle and one at
its end, `<game>.json.gz` is the finished one as `/replay` exported it. They are never made anew: what a version wrote
stays what it wrote. `python -m tests.versions` keeps what the present version writes, once there is a new one.
"""

from pathlib import Path

FOLDER = Path(__file__).parent

GUILD, CHANNEL = 1, 2
USERS = (10, 11, 12)
SECRET = "Ben bluffs"
"""What Ann wrote into her notes, in games that have room for some."""
