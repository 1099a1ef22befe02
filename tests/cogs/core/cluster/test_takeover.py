"""What people see, and how time counts, after a process has taken over another one's servers."""

import asyncio
from collections import defaultdict
from typing import Any

import pytest
from discord.webhook.async_ import AsyncWebhookAdapter

from data.store.shards import EXPIRED_MS, LEASE_MS
from sandbox import UserClient
from sandbox.world.events import Edited, Event
from tests.cogs.core.cluster.fleet import Fleet, Process
from tests.cogs.core.cluster.test_processes import die, moves, playing, push, two
from tests.cogs.core.held_calls import hold_calls
from tools.harness.environment import settle


class Seen:
    """The successive texts of a server's table messages."""

    def __init__(self, fleet: Fleet, shard: int) -> None:
        self.texts = list[str]()
        self._channel = fleet.yards[shard]
        fleet.sandbox.state.listeners.append(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Edited) and event.message.channel is self._channel and event.message.reader is None:
            self.texts.append(UserClient.visible_text(event.message.json))


async def test_an_edit_that_waits_after_a_takeover_does_not_take_the_message_back(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    one, other = await two(fleet)
    table = await playing(fleet, 1)
    await push(fleet, 1)
    await other.store.shards.give_up([0, 1], fleet.clock.now())
    await die(fleet, one)
    fleet.advance(LEASE_MS)
    waits, go_on = hold_calls(monkeypatch)
    stepping = asyncio.create_task(fleet.step(other))
    await waits.wait()  # the edit that reports extended clocks, in a queue with those of other tables
    before = await moves(other, table)
    seen = Seen(fleet, 1)
    for _ in range(3):
        assert (await push(fleet, 1)).by == "other"
    assert await moves(other, table) == before + 3
    go_on.set()
    await stepping
    await fleet.settle()
    assert len(seen.texts) == 3 and seen.texts[-1] == UserClient.visible_text(fleet.board(1))


async def test_a_suspended_process_deletes_no_private_page_late(fleet: Fleet, monkeypatch: pytest.MonkeyPatch):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    await playing(fleet)
    await fleet.ben.press(fleet.board(), label="Play")
    await fleet.settle()
    call, stood = AsyncWebhookAdapter.request, list[int]()

    async def stand_still(adapter: Any, route: Any, *arguments: Any, **named: Any) -> Any:
        if route.method == "DELETE" and not stood:
            stood.append(len(fleet.sandbox.calls))
            fleet.advance(EXPIRED_MS)
        return await call(adapter, route, *arguments, **named)

    monkeypatch.setattr(AsyncWebhookAdapter, "request", stand_still)
    await fleet.ben.press(fleet.board(), label="Play")
    await fleet.settle()
    assert [call.path for call in fleet.sandbox.calls[stood[0] :] if call.method == "DELETE"] == []
    assert len(fleet.ben.ephemerals(fleet.yards[0])) == 2


class SlowOpenings:
    """A process's sessions, which open only when the test allows it, as if each waited to identify."""

    def __init__(self, process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
        self._process = process
        self._go_on = defaultdict[int, asyncio.Event](asyncio.Event)
        open_shard = process.client.open_shard

        async def opening(shard: int) -> None:
            await self._go_on[shard].wait()
            await open_shard(shard)

        monkeypatch.setattr(process.client, "open_shard", opening)

    async def open(self, fleet: Fleet, shard: int) -> None:
        self._go_on[shard].set()
        await fleet.sandbox.until(lambda: shard in self._process.serves)
        await fleet.sandbox.until(lambda: self._process.client.connections.served_from(shard))
        await self._process.client.tables.scheduler.idle()
        await settle(self._process.client)


LEFT_MS = 5_000
"""The time left on the clocks when the process is killed."""


@pytest.mark.parametrize("shards", [3])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
async def test_after_a_process_was_killed_clocks_count_from_the_moment_people_can_press_again_on_each_shard(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, order: tuple[int, ...]
):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1, 2})
    tables = [await playing(fleet, shard, clock=60) for shard in order]
    fleet.clock.advance(60_000 - LEFT_MS)
    await fleet.settle()
    await one.client.tables.heartbeat.beat()
    rows = [await one.store.tables.get(table) for table in tables]
    assert [row is not None and row.due for row in rows] == [fleet.clock.now() + LEFT_MS] * 3
    other = await fleet.start("other")
    await die(fleet, one)
    fleet.advance(LEASE_MS)
    openings = SlowOpenings(other, monkeypatch)
    await asyncio.create_task(other.client.leases.step(), context=other.context)
    assert set(other.store.shards.held) == {0, 1, 2} and not other.serves
    for shard, table, later_ms in zip(order, tables, (2_300, 5_000, 5_000), strict=True):
        fleet.advance(later_ms)
        await asyncio.create_task(other.client.leases.step(), context=other.context)
        await openings.open(fleet, shard)
        found = await other.client.inbound.finder.find(table)
        assert found is not None and found.table.snapshot.earliest is not None
        assert 0 <= found.table.snapshot.earliest - fleet.clock.now() - LEFT_MS < 100
        assert await moves(other, table) == 0
    for shard in order:
        assert (await push(fleet, shard)).by == "other"
