"""The bot is stopped while people press buttons."""

import asyncio
import logging
from typing import Any

import pytest

from cogs.core.cluster.gateway import ShardedState
from cogs.core.inbound import command_tree
from cogs.core.tables.table import Table
from sandbox import PATIENCE_S
from tools.harness.bot_harness import BotHarness


class Held:
    """Holds moves at the table until they are released."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.come, self.let_go = asyncio.Event(), asyncio.Event()
        act = Table.act

        async def slowly(table: Table, *args: Any) -> bool:
            self.come.set()
            await self.let_go.wait()
            return await act(table, *args)

        monkeypatch.setattr(Table, "act", slowly)


async def test_an_interaction_in_progress_when_the_bot_stops_is_answered(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    monkeypatch.setattr(command_tree, "STOP_WAIT_S", PATIENCE_S)
    held = Held(monkeypatch)
    pressing = asyncio.create_task(harness.push())
    await held.come.wait()
    put_down: list[bool] = []
    close = harness.client.stop_tables

    async def noted() -> None:
        put_down.append(held.let_go.is_set())
        await close()

    monkeypatch.setattr(harness.client, "stop_tables", noted)
    stopping = asyncio.create_task(harness.stop())
    for _ in range(100):
        await asyncio.sleep(0)
    held.let_go.set()
    assert (await pressing).failed is None
    await stopping
    assert put_down == [True]
    await harness.start()
    assert (await harness.client.store.tables.get(1)).version > 1


async def test_a_stop_waits_no_longer_than_it_may(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    await harness.two_at_the_wall()
    monkeypatch.setattr(command_tree, "STOP_WAIT_S", 0.0)
    held = Held(monkeypatch)
    pressing = asyncio.create_task(harness.push())
    await held.come.wait()
    await harness.stop()
    held.let_go.set()
    pressing.cancel()
    await asyncio.wait({pressing})
    await harness.start()


async def test_a_press_while_the_bot_stops_is_not_served(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    received = asyncio.Event()
    parse = ShardedState.parse_interaction_create

    def noted(state: ShardedState, data: Any) -> None:
        parse(state, data)
        received.set()

    monkeypatch.setattr(ShardedState, "parse_interaction_create", noted)
    await harness.restart()
    await harness.two_at_the_wall()
    monkeypatch.setattr(command_tree, "STOP_WAIT_S", PATIENCE_S)
    held = Held(monkeypatch)
    pressing = asyncio.create_task(harness.push())
    await held.come.wait()
    stopping = asyncio.create_task(harness.stop())
    for _ in range(100):
        await asyncio.sleep(0)
    received.clear()
    held.come.clear()
    late = await harness.awaited().start_press(harness.board(), harness.controls("push")[1])
    await received.wait()
    held.let_go.set()
    assert (await pressing).failed is None
    await stopping
    assert not held.come.is_set()
    assert not late.answered.is_set()
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == []
