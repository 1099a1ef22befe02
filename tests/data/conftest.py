"""A store on a fresh database, with a clock that the test sets."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.store import NewTable, SeatRow, Store, TableRow
from data.store.games import NewDecision
from data.store.open_store import open_store
from data.store.sqlite.database import SqliteDatabase
from data.store.sqlite_store import SqliteStore
from engine.contract import Moment
from engine.players import Level
from tools.harness.raw_database import empty_database

NOON = Moment(1_900_000_000_000)


class Time:
    """The store's clock."""

    def __init__(self) -> None:
        self.at = NOON

    def now(self) -> Moment:
        return self.at


def database_of(store: Store) -> SqliteDatabase:
    """Return the database behind a store."""
    assert isinstance(store, SqliteStore)
    return store.database


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cellblock.db"


@pytest.fixture
async def store(path: Path, time: Time) -> AsyncIterator[Store]:
    async with open_store(empty_database(path), now=time.now) as opened:
        yield opened


def new(**changes: object) -> NewTable:
    fields: dict[str, object] = {
        "game": "rope_wall",
        "guild": 1,
        "channel": 2,
        "opener": 10,
        "options": "{}",
        "created_at": NOON,
        "due": Moment(NOON + 900_000),
    }
    return NewTable(**{**fields, **changes})  # type: ignore[arg-type]  # a test names fields of NewTable


def two(first: int = 10, second: int | None = 11) -> list[SeatRow]:
    return [SeatRow(0, first, "Ann"), SeatRow(1, second, "Ben", None if second else Level.TRAINEE)]


async def start_table(store: Store, **changes: object) -> TableRow:
    """Create a table whose game has two events."""
    row = await store.tables.create(new(**changes), two())
    return await store.games.append(
        row.id, NewDecision(number=0, seat=None, at=NOON, action=None, events=["a", "b"], due=None, status="playing")
    )
