"""Moves all data from one database to another, of the same kind or not: checked, or not at all."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from data.store.errors import MoveFailed
from data.store.sql import columns

Row = Sequence[Any]
"""The values of a row as SQLite has them: integers for booleans, and for players that are users."""

KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "runs": ("id",),
        "tables": ("id",),
        "seats": ("table_id", "seat"),
        "decisions": ("table_id", "number"),
        "events": ("table_id", "number"),
        "packed_events": ("table_id",),
        "packed_decisions": ("table_id",),
        "results": ("table_id", "seat"),
        "mentions": ("message",),
        "watchers": ("table_id", "user"),
        "reviews": ("table_id",),
        "endings": ("id",),
        "corrections": ("guild", "game"),
        "leaderboards": ("id",),
        "standings": ("leaderboard", "player"),
        "settings": ("guild", "name"),
        "hidden_users": ("user",),
        "notified_users": ("user",),
        "languages": ("user",),
        "attempts": ("user", "game", "number"),
        "openings": ("user", "game"),
        "lessons": ("user", "game"),
        "achievements": ("user", "guild", "game", "name"),
        "achievements_off": ("user",),
        "puzzle_posts": ("guild",),
        "backups": ("id",),
    }
)
"""Every table with its key, in an order in which each table comes after those that it refers to."""

NUMBERED = ("runs", "tables", "endings", "leaderboards", "backups")
"""Tables that number their rows themselves, and never use a number twice."""


class Source(ABC):
    """A database that is read, in one state, while no bot runs on it."""

    @abstractmethod
    def columns(self, table: str) -> list[str]:
        """Return the names of a table's columns."""

    @abstractmethod
    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """Return the rows of a table, ordered by its key."""

    @abstractmethod
    def last_number(self, table: str) -> int:
        """Return the last number that a table has given to a row; 0 if it has given none."""


class Target(Source):
    """A new database that is being filled; what was written stays only if the whole succeeds."""

    @abstractmethod
    def fill(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Write rows into a table, as they are, without triggers."""

    @abstractmethod
    def end_runs(self) -> None:
        """Record that no bot runs on the new database yet."""

    @abstractmethod
    def set_last_number(self, table: str, last: int) -> None:
        """Number the next rows of a table from after this number."""


class Digest:
    """The number of rows that went by, and a fingerprint of all their values in their order."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = hashlib.sha256()

    def noting(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Return the rows, and record them as they go by."""
        for row in rows:
            self.count += 1
            self._sum.update(msgspec.json.encode(row))
            yield row

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Digest) and (self.count, self._sum.digest()) == (other.count, other._sum.digest())

    __hash__ = None  # type: ignore[assignment]  # it changes


def transfer(old: Source, new: Target) -> dict[str, int]:
    """Copy everything from one database into another, and compare every table by count and fingerprint; return the
    number of rows of each. Raises `MoveFailed`, or another `StoreError`; then nothing of it may stay.
    """
    rows = {table: _carry(table, old, new) for table in KEYS}
    new.end_runs()
    return rows


def _carry(table: str, old: Source, new: Target) -> int:
    kept = old.columns(table)
    if sorted(kept) != sorted(new.columns(table)):
        raise MoveFailed(f"The databases do not have the same columns in {table}: this is a bug, please report it.")
    read, found = Digest(), Digest()
    new.fill(table, kept, read.noting(old.rows(table, kept)))
    if table in NUMBERED:
        new.set_last_number(table, old.last_number(table))
    for _ in found.noting(new.rows(table, kept)):
        pass
    if read != found:
        raise MoveFailed(
            f"The rows of {table} are not the same in the new database ({read.count} and {found.count}); nothing was "
            "kept of it: the old database is as it was; check the disks."
        )
    return read.count


def not_up_to_date(database: object) -> MoveFailed:
    """Return the error for a source without the newest migrations."""
    return MoveFailed(
        f"The database {database} was last used by an earlier version: start this one on it once, stop it, try again."
    )


def key_columns(table: str) -> str:
    """Return the columns of a table's key, as SQL."""
    return columns(KEYS[table])
