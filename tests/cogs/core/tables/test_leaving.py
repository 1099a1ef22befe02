"""A player who leaves the server does not hold up a game, if Discord reports it (the members intent)."""

import asyncio
from typing import Any

import pytest

from cogs.core.tables.snapshot import UNLOADS_AFTER_MS
from data.store import PendingDeletion
from tools.harness.bot_harness import BotHarness


async def test_a_caretaker_plays_for_a_player_who_left_the_server(harness: BotHarness):
    await harness.stop()
    harness.sandbox.privileged_intents = {"members"}
    await harness.start(members_intent=True)
    await harness.two_at_the_wall()
    leaver = harness.awaited()
    harness.sandbox.leave(leaver, harness.guild)
    await harness.sandbox.until(lambda: harness.snapshot().seats[0].caretaker or harness.snapshot().seats[1].caretaker)
    await harness.advance(5_000)
    assert harness.pushes() == 1 and harness.awaited() is not leaver


async def test_a_player_who_leaves_the_server_leaves_the_lobby_too(harness: BotHarness):
    await harness.stop()
    harness.sandbox.privileged_intents = {"members"}
    await harness.start(members_intent=True)
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.press(harness.ben, "Join")
    harness.sandbox.leave(harness.ben, harness.guild)
    await harness.sandbox.until(lambda: "Ben" not in harness.public())


async def test_the_seat_of_an_invited_person_who_leaves_the_server_is_free_again(harness: BotHarness):
    await harness.stop()
    harness.sandbox.privileged_intents = {"members"}
    await harness.start(members_intent=True)
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    await harness.settle()
    assert "reserved for" in harness.public()
    harness.sandbox.leave(harness.ben, harness.guild)
    await harness.sandbox.until(lambda: "reserved for" not in harness.public())
    await harness.press(harness.cleo, "Join")
    assert len(harness.snapshot().seats) == 2


async def test_the_seat_of_an_invited_person_who_sat_down_and_leaves_the_server_is_free_again(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start", invite=harness.ben)
    await harness.press(harness.ben, "Join")
    await harness.client.tables.leaving.leave_server(int(harness.ben.id), int(harness.guild.id))
    await harness.settle()
    assert "Ben" not in harness.public() and "reserved for" not in harness.public()


async def test_a_table_that_was_read_before_a_deletion_and_is_loaded_after_it_does_not_know_the_person(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    while harness.client.tables.registry.present:
        await harness.advance(UNLOADS_AFTER_MS)
    store, ben = harness.client.store, int(harness.ben.id)
    reading, go_on = asyncio.Event(), asyncio.Event()
    deletions = store.pending_deletions.of

    async def slowly(table: int) -> list[PendingDeletion]:
        reading.set()
        await go_on.wait()
        return await deletions(table)

    async def none(*_: Any, **__: Any) -> list[Any]:
        return []  # the deletion does not wait for this table, as if it had been opened a moment later

    with monkeypatch.context() as patch:
        patch.setattr(store.pending_deletions, "of", slowly)
        patch.setattr(store.tables, "of", none)
        loading = asyncio.create_task(harness.client.inbound.finder.find(1))
        await reading.wait()
        forgetting = asyncio.create_task(harness.client.tables.leaving.forget(ben))
        while ben in [seat.user for seat in await store.seats.of(1)]:  # noqa: ASYNC110 (it is the database that changes)
            await asyncio.sleep(0)
        for _ in range(100):
            await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(loading, forgetting)
    table = harness.snapshot()
    assert not table.knows(ben) and harness.ben.name not in [seat.name for seat in table.seats]
