"""Fixtures for tests that run once on SQLite and once on PostgreSQL.

Importing them gives a module `store`, `database` to open it again, and `raw` to query it with SQL.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.store import Store
from data.store.open_store import open_store
from tests.data.conftest import Time
from tools.harness.raw_database import Database, Raw, empty_database

__all__ = ["database", "raw", "store"]


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """An empty database with every migration that was not opened yet."""
    if request.param == "sqlite":
        return empty_database(tmp_path / "cellblock.db")
    return str(request.getfixturevalue("postgres").fresh())


@pytest.fixture
async def store(database: Database, time: Time) -> AsyncIterator[Store]:
    """The store of the database."""
    async with open_store(database, now=time.now) as opened:
        yield opened


@pytest.fixture
def raw(database: Database) -> Raw:
    """The database as its rows."""
    return Raw(database)
