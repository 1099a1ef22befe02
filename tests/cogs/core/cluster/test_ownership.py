"""The ownership of a single process, and the guard on calls."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from aiohttp import TraceRequestHeadersSentParams
from multidict import CIMultiDict
from yarl import URL

from cogs.core.cluster.ownership import ChannelProofs, NotOwner, Ownership
from cogs.core.ops.timers import Clock, DiscordClock
from data.store import ProcessInfo
from data.store.cluster_notices import Forgotten, Notice, TableChanged
from data.store.open_store import open_store
from engine.contract import Moment
from tests.data.conftest import NOON, Time, path, time
from tools.postgres import Cluster

__all__ = ["path", "time"]  # fixtures

GUILDS = (0, 2 << 22, 1 << 22)


async def test_a_single_process_serves_every_server_and_notifies_no_other():
    ownership = Ownership(DiscordClock())
    received: list[Notice] = []
    ownership.listen(received.append)
    ownership.tell(Forgotten(10))
    ownership.tell_owner(1, TableChanged(7))
    await ownership.refresh()
    assert all(map(ownership.holds, GUILDS)) and ownership.share == 1 and ownership.leads and not ownership.shared
    assert received == []


async def test_a_process_is_single_unless_it_shares_a_database(path: Path, postgres: Cluster, time: Time):
    async with open_store(path, now=time.now, process_info=ProcessInfo()) as store:
        assert not Ownership(DiscordClock(), store.shards, store.notices).shared
    async with open_store(postgres.fresh(), now=time.now) as store:
        assert not Ownership(DiscordClock(), store.shards, store.notices).shared
    async with open_store(postgres.fresh(), now=time.now, process_info=ProcessInfo()) as store:
        assert Ownership(DiscordClock(), store.shards, store.notices).shared


async def test_one_of_several_processes_serves_what_it_holds_and_leads_with_the_first_shard(
    postgres: Cluster, time: Time
):
    async with open_store(postgres.fresh(), now=time.now, process_info=ProcessInfo()) as store:
        ownership = Ownership(DiscordClock(), store.shards, store.notices)
        await store.shards.join(2, None)
        assert not any(map(ownership.holds, GUILDS)) and ownership.leads and ownership.share == 1 / 2
        await store.shards.take(1, NOON)
        assert [*map(ownership.holds, GUILDS)] == [False, False, True] and ownership.leads and ownership.share == 1 / 2
        await store.shards.take(0, NOON)
        assert all(map(ownership.holds, GUILDS)) and ownership.leads and ownership.share == 1


async def check(ownership: Ownership) -> None:
    """Check a call that is about to be made."""
    session: Any = None
    call = TraceRequestHeadersSentParams("POST", URL("https://discord.com/api/v10/channels/1/messages"), CIMultiDict())
    await ownership.check_call(session, None, call)


class Losing(Ownership):
    """Holds a server until it is lost."""

    def __init__(self) -> None:
        super().__init__(DiscordClock())
        self.lost = set[int]()

    def holds(self, guild: int) -> bool:
        return guild not in self.lost


async def test_calls_under_guard_are_stopped_once_their_server_is_lost_and_no_others():
    ownership = Losing()
    with ownership.guard(1):
        await check(ownership)
        ownership.lost = {1}
        with pytest.raises(NotOwner):
            await check(ownership)
        with ownership.guard(2):
            await check(ownership)
        with pytest.raises(NotOwner):
            await check(ownership)
    await check(ownership)


async def test_what_a_guarded_task_starts_is_guarded_after_its_end_too():
    ownership, go_on = Losing(), asyncio.Event()

    async def call() -> None:
        await go_on.wait()
        await check(ownership)

    with ownership.guard(1):
        calling = asyncio.create_task(call())
    ownership.lost = {1}
    go_on.set()
    with pytest.raises(NotOwner):
        await calling


# Channels


def test_a_channel_is_refused_since_the_last_call_that_succeeded_there(time: Time):
    proofs = ChannelProofs(cast(Clock, time))
    changed: list[int] = []
    proofs.changed = changed.append
    proofs.note_success(7)
    time.at = Moment(NOON + 60_000)
    for channel in (7, 7, 8):
        proofs.shut(channel)
    assert proofs.refused == {7: NOON, 8: NOON + 60_000} and changed == [7, 8]
    for _ in range(2):
        proofs.note_success(7)
    assert proofs.refused == {8: NOON + 60_000} and changed == [7, 8, 7]
