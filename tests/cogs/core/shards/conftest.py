"""Several processes on one sandbox and one database."""

from collections.abc import AsyncIterator

import pytest

from cogs.core.shards import keeper
from data.store.postgres import shards
from sandbox import Sandbox
from tests.cogs.core.shards.fleet import Fleet
from tests.postgres import Cluster


@pytest.fixture
async def fleet(patient: Sandbox, postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Fleet]:
    """Processes over one database."""
    monkeypatch.setattr(keeper, "LINGER_S", 0.0)
    monkeypatch.setattr(shards, "SLOT_MS", 0)
    monkeypatch.setattr(keeper.Keeper, "start", lambda keeper: None)  # the test says when it is time
    opened = Fleet(patient, postgres.fresh(), monkeypatch)
    try:
        yield opened
        await opened.settle()
    finally:
        await opened.close()
