"""The health check of the command line. Docker calls it every 30 s, so it loads neither discord.py nor the games."""

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence

from cogs.core.ops.config import HERE, load_env_file, read_database
from cogs.core.ops.errors import AWAY, USAGE, ConfigurationError
from data.store import StoreError, Unreachable
from data.store.maintenance import display_name, last_heard, last_heard_here
from engine.contract import Moment

ALIVE_WITHIN_MS = 60_000
"""A bot that has stored the time within this long runs, unless it has stopped."""


def main(argv: Sequence[str]) -> int:
    """Run `bot.py alive`; return the exit code."""
    parser = argparse.ArgumentParser("bot.py alive", description="Check whether a bot is running on the database.")
    parser.add_argument("--here", action="store_true", help="check only the processes on this host")
    arguments = parser.parse_args(argv)
    try:
        load_env_file(HERE / ".env")
        return check_alive(os.environ, here=arguments.here)
    except (ConfigurationError, StoreError) as error:
        print(f"cellblock: {error}", file=sys.stderr)  # noqa: T201 (a sentence for the owner, not a log line)
        return AWAY if isinstance(error, Unreachable) else USAGE


def check_alive(environ: Mapping[str, str], *, here: bool) -> int:
    """Print whether a bot is running on the database, or a process of it on this host (`here`); return the exit code.
    Raises `StoreError` or `ConfigurationError`.
    """
    database = read_database(environ)
    now, place = Moment(time.time_ns() // 1_000_000), display_name(database)
    heard = last_heard_here(database, now) if here else last_heard(database)
    who = "bot on this host" if here else "bot"
    if heard.alive_at is not None and now - heard.alive_at <= ALIVE_WITHIN_MS:
        print(f"cellblock: a {who} is running on {place} (last seen {_ago(now, heard.alive_at)}).")  # noqa: T201
        return 0
    since = "never seen"
    if heard.stopped_at is not None and heard.stopped_at >= (heard.alive_at or 0):
        since = f"stopped {_ago(now, heard.stopped_at)}"
    elif heard.alive_at is not None:
        since = f"last seen {_ago(now, heard.alive_at)}"
    print(f"cellblock: no {who} is running on {place} ({since}).")  # noqa: T201
    return 1


def _ago(now: Moment, then: Moment) -> str:
    return f"{max(0, now - then) // 1_000:,} s ago"
