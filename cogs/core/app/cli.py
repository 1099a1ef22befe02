"""The owner's command-line tasks. Each prints its result and returns the exit code."""

from collections.abc import Iterable
from pathlib import Path

from cogs.core.ops.config import Config
from cogs.core.ops.heartbeat import ALIVE_WITHIN_MS
from cogs.core.ops.timers import DiscordClock
from data.store.maintenance import back_up, display_name, last_beat, last_beat_here, move_database, restore_backup
from data.store.open_store import Address
from data.verification import check
from engine.contract import AnyGame


def copy_database(config: Config, target: Path) -> int:
    """Copy the database. Raises `StoreError`."""
    size = back_up(config.database, target, DiscordClock().now())
    print(f"cellblock: copied {display_name(config.database)} to {target}, {size:,} bytes.")  # noqa: T201 (the task's answer)
    return 0


def restore_database(config: Config, copy: Path) -> int:
    """Put a copy in place of the database. Raises `StoreError`."""
    aside = restore_backup(config.database, copy, DiscordClock().now())
    kept = "" if aside is None else f" What was there before is kept as {aside}."
    print(f"cellblock: {display_name(config.database)} holds what {copy} held.{kept}")  # noqa: T201 (the task's answer)
    return 0


def transfer_database(source: Address, target: Address) -> int:
    """Move a database into an empty one. Raises `StoreError`."""
    rows = move_database(source, target, DiscordClock().now())
    print(  # noqa: T201 (the task's answer)
        f"cellblock: moved {sum(rows.values()):,} rows of {len(rows)} tables from {display_name(source)} to "
        f"{display_name(target)}, {rows['tables']:,} games among them; counts and fingerprints of every table agree. "
        "Set DATABASE to the new one; the old one is as it was."
    )
    return 0


def check_alive(config: Config, *, here: bool) -> int:
    """Check that a bot runs on the database, or a process of it on this host (`here`). Raises `StoreError`."""
    now, place = DiscordClock().now(), display_name(config.database)
    beat = last_beat_here(config.database, now) if here else last_beat(config.database)
    silent_s = None if beat is None else max(0, now - beat) // 1_000
    who = "bot of this host" if here else "bot"
    if silent_s is None or silent_s > ALIVE_WITHIN_MS // 1_000:
        since = "nothing has been heard of it" if silent_s is None else f"it was last heard of {silent_s:,} s ago"
        print(f"cellblock: no {who} runs on {place}; {since}.")  # noqa: T201 (the task's answer)
        return 1
    print(f"cellblock: a {who} runs on {place}; it was heard of {silent_s} s ago.")  # noqa: T201 (the task's answer)
    return 0


def verify_export(file: Path, games: Iterable[AnyGame]) -> int:
    """Verify an exported game. Raises `Unreadable`."""
    report = check(file, games)
    print(f"cellblock: {report.sentence()}")  # noqa: T201 (the task's answer)
    return 0 if report.proved else 1
