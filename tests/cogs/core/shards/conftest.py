"""Several processes on one sandbox and one database."""

from collections.abc import AsyncIterator

import discord
import pytest

from cogs.core.drawing import covers
from cogs.core.messages import reply
from cogs.core.owner.config import point_at
from cogs.core.shards import keeper
from data.store.postgres import shards
from sandbox import PATIENCE_S, Sandbox
from tests.cogs.core.shards.fleet import Fleet
from tests.postgres import Cluster


@pytest.fixture
async def fleet(postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Fleet]:
    """Processes over one database; in the end nothing may have broken Discord's rules."""
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    gateway = discord.gateway.DiscordWebSocket
    monkeypatch.setattr(gateway, "DEFAULT_GATEWAY", gateway.DEFAULT_GATEWAY)
    monkeypatch.setattr(reply, "HOLD_AFTER_S", PATIENCE_S)
    monkeypatch.setattr(covers, "WAIT_S", PATIENCE_S)
    monkeypatch.setattr(keeper, "LINGER_S", 0.0)
    monkeypatch.setattr(shards, "SLOT_MS", 0)
    monkeypatch.setattr(keeper.Keeper, "start", lambda keeper: None)  # the test says when it is time
    async with Sandbox(answer_within_ms=PATIENCE_S * 1_000, window_scale=0.02, reaction_ms=0) as sandbox:
        point_at(sandbox.api, sandbox.gateway)
        opened = Fleet(sandbox, postgres.fresh(), monkeypatch)
        try:
            yield opened
            await opened.settle()
        finally:
            await opened.close()
        assert sandbox.breaches == []
