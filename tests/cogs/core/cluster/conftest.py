"""Several processes on one sandbox and one database."""

from collections.abc import AsyncIterator

import pytest

from cogs.core.cluster import shard_assignment, shard_leases, shard_sessions
from data.store.postgres import shards as postgres_shards
from sandbox import PATIENCE_S, Sandbox
from tests.cogs.core.cluster.fleet import Fleet
from tools.postgres import Cluster


@pytest.fixture
def shards() -> int:
    """The number of shards."""
    return 2


@pytest.fixture
async def fleet(
    sandbox: Sandbox, postgres: Cluster, monkeypatch: pytest.MonkeyPatch, shards: int
) -> AsyncIterator[Fleet]:
    """Processes over one database."""
    monkeypatch.setattr(shard_leases, "LINGER_S", 0.0)
    monkeypatch.setattr(shard_sessions, "ANSWER_WITHIN_S", PATIENCE_S)  # slow tests time nobody out
    monkeypatch.setattr(shard_assignment, "SETTLED_MS", 0)
    monkeypatch.setattr(shard_leases, "REJOINED_S", 0.0)
    monkeypatch.setattr(postgres_shards, "SLOT_MS", 0)
    monkeypatch.setattr(shard_leases.ShardLeases, "start", lambda leases: None)  # the test renews leases itself
    opened = Fleet(sandbox, postgres.fresh(), monkeypatch, shards)
    try:
        yield opened
        await opened.settle()
    finally:
        await opened.close()
