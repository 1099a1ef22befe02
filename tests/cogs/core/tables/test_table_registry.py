"""No table is in memory twice, even if it is requested at the moment it is created."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from cogs.core.publishing.table_messages import TableMessages
from data.store import Limits, NewTable, PendingDeletion, TableRow
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
