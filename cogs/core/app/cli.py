"""The owner's command-line tasks. Each prints its result and returns the exit code."""

from collections.abc import Iterable
from pathlib import Path

from cogs.core.ops.config import Config
from cogs.core.ops.timers import DiscordClock
from cogs.core.pages.verification import report_text
from data.store.maintenance import back_up, display_name, move_database, restore_backup
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
    kept = "" if aside is None else f" The previous database was kept as {aside}."
    print(f"cellblock: restored {display_name(config.database)} from {copy}.{kept}")  # noqa: T201 (the task's answer)
    return 0


def transfer_database(source: Address, target: Address) -> int:
    """Move a database into an empty one. Raises `StoreError`."""
    rows = move_database(source, target, DiscordClock().now())
    print(  # noqa: T201 (the task's answer)
        f"cellblock: moved {sum(rows.values()):,} rows of {len(rows)} tables from {display_name(source)} to "
        f"{display_name(target)}, {rows['tables']:,} games among them. Counts and fingerprints of every table match. "
        "Set DATABASE to the new one; the old one is unchanged."
    )
    return 0


def verify_export(file: Path, games: Iterable[AnyGame]) -> int:
    """Verify an exported game. Raises `Unreadable`."""
    report = check(file, games)
    print(f"cellblock: {report_text(report)}")  # noqa: T201 (the task's answer)
    return 0 if report.proved else 1
