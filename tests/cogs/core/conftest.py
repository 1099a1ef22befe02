"""Two processes of the bot over one database."""

from collections.abc import AsyncIterator

import pytest

from cogs.core.cluster import shard_assignment, shard_leases
from data.store.postgres import shards
from sandbox import Sandbox
from tests.cogs.core.processes import TwoProcesses
from tools.postgres import Cluster


@pytest.fixture
async def two(sandbox: Sandbox, postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TwoProcesses]:
    """Two processes."""
    monkeypatch.setattr(shards, "SLOT_MS", 0)
    monkeypatch.setattr(shard_assignment, "SETTLED_MS", 0)
    monkeypatch.setattr(shard_leases, "STEP_S", 0.0)
    monkeypatch.setattr(shard_leases, "LINGER_S", 0.0)
    monkeypatch.setattr(shard_leases.ShardLeases, "start", lambda leases: None)
    opened = TwoProcesses(sandbox, postgres.fresh())
    await opened.start()
    yield opened
    await opened.settle()
    await opened.stop()
