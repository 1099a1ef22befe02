"""No table is in memory twice, even if it is requested at the moment it is created; one that left is served no more."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import absence
from cogs.core.tables.table import Table
from data.store import Limits, NewTable, PendingDeletion, TableRow
from engine.contract import Seat
from tools.harness.bot_harness import BotHarness, table_messages


@pytest.mark.parametrize("read", ["before its opener has it", "while its opener gets it", "after its opener has it"])
async def test_a_table_that_is_asked_for_as_it_is_opened_is_there_once(
    harness: BotHarness, read: str, monkeypatch: pytest.MonkeyPatch
):
    client, started, go_on = harness.client, asyncio.Event(), asyncio.Event()
    create, leftovers = client.store.tables.create, client.store.pending_deletions.of
    asking: list[asyncio.Task[TableMessages | None]] = []

    async def created(new: NewTable, seats: Sequence[Any], limits: Limits | None = None) -> TableRow:
        """Commit it, and list the tables before its creator gets the result."""
        row = await create(new, seats, limits)
        asking.append(asyncio.create_task(client.inbound.finder.find(row.id)))
        await started.wait()
        if read == "before its opener has it":
            await asking[0]
        return row

    async def left(table: int) -> list[PendingDeletion]:
        started.set()
        if read == "after its opener has it":
            await go_on.wait()
        return await leftovers(table)

    monkeypatch.setattr(client.store.tables, "create", created)
    monkeypatch.setattr(client.store.pending_deletions, "of", left)
    await harness.ann.command(harness.yard, "rope-wall start")
    opened = harness.messages()
    go_on.set()
    assert await asking[0] is opened is harness.messages()
    await harness.settle()
    assert len(table_messages(harness.sandbox, harness.yard)) == 1
    await harness.press(harness.ben, "Join")
    assert "Ben" in harness.public() and len(harness.snapshot().seats) == 2


async def test_a_timer_does_nothing_for_a_table_that_leaves_the_memory_as_it_fires(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    registry, ran = harness.client.tables.registry, list[Table]()
    find = registry.find

    async def ran_for(table: Table) -> None:
        ran.append(table)

    async def found_and_left(number: int) -> Table | None:
        table = await find(number)
        registry.present.take(number)
        return table

    timer = registry.timer("visit", ran_for)
    await timer.run(1)
    assert ran == [registry.present[1]]
    monkeypatch.setattr(registry, "find", found_and_left)
    await timer.run(1)
    assert len(ran) == 1


async def test_what_still_changes_at_a_table_that_is_no_longer_served_is_stored_and_announced_to_nobody(
    harness: BotHarness, caplog: pytest.LogCaptureFixture
):
    await harness.two_at_the_wall()
    registry, table = harness.client.tables.registry, harness.messages().table
    registry.present.take(1)
    await registry.stop_serving(table)
    await table.act(absence.leave, Seat(0), harness.clock.now())
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    assert (await harness.client.store.seats.of(1))[0].caretaker
    await harness.advance(1_000)
    await harness.press(harness.ben, "Play")
    await harness.settle()
    assert "A computer is playing for" in harness.public() and await harness.shows_latest()


async def test_a_table_that_leaves_the_memory_while_it_is_prepared_for_that_is_not_unloaded_twice(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    registry = harness.client.tables.registry

    async def left(table: Table) -> None:
        registry.present.take(table.id)
        await registry.stop_serving(table)

    with monkeypatch.context() as patch:
        patch.setattr(registry.components[0], "prepare_to_unload", left)
        await registry.unload_timer.run(1)
    assert not registry.present
    await harness.press(harness.ben, "Play")
    assert await harness.shows_latest()
