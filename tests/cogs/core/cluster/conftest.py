"""Several processes on one sandbox and one database."""

from collections.abc import AsyncIterator

import pytest

from cogs.core.cluster import shard_leases
from data.store.postgres import shards
from sandbox import Sandbox
from tests.cogs.core.cluster.fleet import Fleet
from tools.postgres import Cluster


@pytest.fixture
async def fleet(patient: Sandbox, postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Fleet]:
    """Processes over one database."""
    monkeypatch.setattr(shard_leases, "LINGER_S", 0.0)
    monkeypatch.setattr(shards, "SLOT_MS", 0)
    monkeypatch.setattr(shard_leases.ShardLeases, "start", lambda leases: None)  # the test says when it is time
    opened = Fleet(patient, postgres.fresh(), monkeypatch)
    try:
        yield opened
        await opened.settle()
    finally:
        await opened.close()
