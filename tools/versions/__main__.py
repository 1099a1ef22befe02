"""Record what this version of the bot writes, where PostgreSQL is installed: `python -m tools.versions`."""

import asyncio
import sys

from data.store.sqlite.migrate import read_migrations
from tools import postgres
from tools.harness.environment import seeded
from tools.versions import FOLDER
from tools.versions.bots import keep_bots
from tools.versions.databases import keep


def main() -> int:
    """Record the current version unless it is already recorded."""
    folder = FOLDER / f"{read_migrations()[-1].number:04}"
    if folder.exists():
        print(f"{folder} is already recorded.")
        return 1
    folder.mkdir()
    with postgres.separate() as cluster, seeded(folder.name):
        asyncio.run(keep(folder, cluster))
        asyncio.run(keep_bots(folder / "bot", cluster))
    return 0


if __name__ == "__main__":
    sys.exit(main())
