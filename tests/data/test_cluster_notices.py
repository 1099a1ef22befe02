"""Notices between processes: on PostgreSQL to all or to the owner of a server, on SQLite to nobody."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from data.store import ProcessInfo
from data.store.cluster_notices import (
    Forgotten,
    Missed,
    Notice,
    PreferenceChanged,
    Pressed,
    SettingsChanged,
    TableChanged,
)
from data.store.open_store import open_store
from data.store.postgres import cluster_notices as notices
from data.store.postgres import pool
from data.store.postgres.address import read_address
from data.store.postgres.cluster_notices import Notices
from data.store.postgres.database import Fence, PostgresDatabase
from data.store.postgres.pool import Pool
from sandbox import PATIENCE_S
from tests.data.conftest import NOON, Time
from tools.harness.raw_database import Raw
from tools.postgres import Cluster

EVERYTHING: tuple[Notice, ...] = (
    TableChanged(7),
    Pressed(7, 1 << 60),
    SettingsChanged(1 << 60),
    PreferenceChanged(10),
    Forgotten(10),
)


class Process:
    """A process that sends and receives notices. It owns the servers of its own number."""

    def __init__(self, url: str, number: int) -> None:
        address = read_address(url)
        self.database = PostgresDatabase(address, Pool(address), Fence(address, exclusive=True))
        self.notices = Notices(self.database, number, self._owner_of)
        self.heard: list[Notice] = []
        self._more = asyncio.Event()

    def _owner_of(self, guild: int) -> int | None:
        return guild if guild < 100 else None

    def hear(self, notice: Notice) -> None:
        self.heard.append(notice)
        self._more.set()

    async def hears(self, count: int) -> list[Notice]:
        """Return all that was received once it is this much."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.heard) < count:
                self._more.clear()
                await self._more.wait()
        return self.heard


@asynccontextmanager
async def processes(url: str, count: int) -> AsyncIterator[list[Process]]:
    """Processes that listen, numbered from 1."""
    async with AsyncExitStack() as stack:
        found = [Process(url, number) for number in range(1, count + 1)]
        for one in found:
            stack.push_async_callback(one.database.close)
            stack.push_async_callback(one.notices.close)
            one.notices.listen(one.hear)
            assert await one.hears(1) == [Missed()]
            one.heard.clear()
        yield found


@asynccontextmanager
async def logged(count: int, level: int) -> AsyncIterator[asyncio.Future[None]]:
    """Return the lines of a level once there are this many."""
    enough, left = asyncio.get_running_loop().create_future(), [count]

    class Counting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            left[0] -= 1
            if not left[0]:
                enough.set_result(None)

    handler = Counting(level)
    notices.log.addHandler(handler)
    try:
        yield enough
    finally:
        notices.log.removeHandler(handler)


async def test_a_notice_to_all_reaches_all_others_in_order(postgres: Cluster):
    async with processes(postgres.fresh(), 3) as (first, second, third):
        for notice in EVERYTHING:
            first.notices.tell(notice)
        assert await second.hears(len(EVERYTHING)) == await third.hears(len(EVERYTHING)) == [*EVERYTHING]
        second.notices.tell(Forgotten(11))
        assert await first.hears(1) == [Forgotten(11)]  # and not its own notice


async def test_a_notice_to_the_owner_of_a_server_reaches_nobody_else(postgres: Cluster):
    async with processes(postgres.fresh(), 3) as (first, second, third):
        first.notices.tell_owner(2, Pressed(7, 10))
        first.notices.tell_owner(2, TableChanged(7))
        first.notices.tell_owner(1, TableChanged(8))  # its own server, so it gets the notice at once
        first.notices.tell_owner(100, TableChanged(9))  # nobody owns this server
        first.notices.tell(Forgotten(10))
        assert await second.hears(3) == [Pressed(7, 10), TableChanged(7), Forgotten(10)]
        assert await third.hears(1) == [Forgotten(10)]
        assert first.heard == [TableChanged(8)]


async def test_two_equal_notices_at_once_are_sent_once(postgres: Cluster):
    async with processes(postgres.fresh(), 2) as (first, second):
        for notice in (TableChanged(7), TableChanged(7), TableChanged(8)):
            first.notices.tell_owner(2, notice)
        assert await second.hears(2) == [TableChanged(7), TableChanged(8)]


async def test_notices_are_sent_before_a_process_closes(postgres: Cluster):
    async with processes(postgres.fresh(), 2) as (first, second):
        first.notices.tell(Forgotten(10))
        await first.notices.close()
        assert await second.hears(1) == [Forgotten(10)]


async def test_a_listener_that_lost_its_connection_says_that_it_may_have_missed_something(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(notices, "AGAIN_FROM_S", 0.0)
    url = postgres.fresh()
    async with processes(url, 2) as (first, second):
        listening = "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        Raw(url)(f"SELECT pg_terminate_backend(pid) {listening}")  # others test beside on the same server
        assert await first.hears(1) == await second.hears(1) == [Missed()]
        first.notices.tell(Forgotten(10))
        assert await second.hears(2) == [Missed(), Forgotten(10)]


async def test_a_server_that_was_away_is_logged_once_and_notices_arrive_again_when_it_is_back(
    own_cluster: Cluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(notices, "AGAIN_FROM_S", 0.0)
    monkeypatch.setattr(pool, "RETRY_AFTER_S", 0.0)
    caplog.set_level(logging.INFO)
    async with processes(own_cluster.fresh("template1"), 2) as (first, second), logged(2, logging.WARNING) as lost:
        await asyncio.to_thread(own_cluster.stop)
        await lost
        assert first.notices.complaint is not None
        await asyncio.to_thread(own_cluster.start)
        assert await first.hears(1) == await second.hears(1) == [Missed()]
        assert first.notices.complaint is None
        first.notices.tell(Forgotten(11))
        assert await second.hears(2) == [Missed(), Forgotten(11)]
    warned = [record.message for record in caplog.records if record.levelno > logging.INFO]
    assert len(warned) == 2 and all("are not heard until the database is back" in message for message in warned)
    assert not any(record.exc_info for record in caplog.records)


async def test_a_listener_that_no_notice_reaches_complains_and_one_that_receives_its_own_does_not(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch
):
    async with processes(postgres.fresh(), 2) as (first, second):
        first.notices.tell(Forgotten(10))  # after its own notices
        await second.hears(1)
        second.notices.tell(Forgotten(11))
        await first.hears(1)
        first.notices._check_echo()  # the time is up
        assert first.notices.complaint is None
    monkeypatch.setattr(notices, "channel_of", lambda process: f"elsewhere_{object()}")
    monkeypatch.setattr(notices, "ALL", "nowhere")
    monkeypatch.setattr(notices, "ECHO_WITHIN_S", 0.0)
    async with logged(1, logging.WARNING) as deaf, processes(postgres.fresh(), 1) as (only,):
        await deaf
        assert only.notices.complaint == notices.DEAF
        only.notices._take('{"sender":1,"notice":{"type":"missed"}}')  # late, but it arrives
        assert only.notices.complaint is None


async def test_notices_of_a_newer_version_are_ignored(postgres: Cluster):
    url = postgres.fresh()
    async with processes(url, 1) as (only,):
        for letter in ('{"sender":2,"notice":{"type":"weather"}}', "?", '{"sender":2,"notice":{"type":"missed"}}'):
            Raw(url)(f"NOTIFY cellblock, '{letter}'")
        assert await only.hears(1) == [Missed()]


async def test_a_single_process_has_no_notices(path: Path, postgres: Cluster, time: Time):
    for database in (path, postgres.fresh()):
        async with open_store(database, now=time.now) as store:
            assert store.notices is None


async def test_a_store_over_postgresql_connects_for_notices_only_when_it_has_a_listener(postgres: Cluster, time: Time):
    url = postgres.fresh()
    listening = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
    heard = asyncio.Event()
    async with open_store(url, now=time.now, process_info=ProcessInfo()) as store:
        await store.beat(NOON)
        assert Raw(url)(listening) == [(0,)]
        store.notices.listen(lambda notice: heard.set())
        await heard.wait()
        assert Raw(url)(listening) == [(1,)]
