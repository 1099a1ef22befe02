"""What people see after a process has taken over the servers of another one."""

import asyncio
from typing import Any

import pytest
from discord.webhook.async_ import AsyncWebhookAdapter

from data.store.shards import EXPIRED_MS, LEASE_MS
from sandbox import UserClient
from sandbox.world.events import Edited, Event
from tests.cogs.core.cluster.fleet import Fleet
from tests.cogs.core.cluster.test_processes import die, moves, playing, push, two
from tests.cogs.core.held_calls import hold_calls


class Seen:
    """What the table messages of a server show, one text after the other."""

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
    await waits.wait()  # the edit that says that clocks were extended, in a queue with those of other tables
    before = await moves(other, table)
    seen = Seen(fleet, 1)
    for _ in range(3):
        assert (await push(fleet, 1)).by == "other"
    assert await moves(other, table) == before + 3
    go_on.set()
    await stepping
    await fleet.settle()
    assert len(seen.texts) == 3 and seen.texts[-1] == UserClient.visible_text(fleet.board(1))


async def test_a_process_that_stood_still_deletes_no_private_page_late(fleet: Fleet, monkeypatch: pytest.MonkeyPatch):
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
