"""A shard is handed over while the database fails at any moment: in the end exactly one process has it.

The leases are real; the clients only record what they open, serve and release.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack
from typing import Any, TypeVar

import pytest

from cogs.core.cluster import shard_assignment, shard_leases, shard_sessions
from cogs.core.cluster.shard_leases import ShardLeases
from data.store import ProcessInfo, StoreError, Unreachable
from data.store.downtime import shard_of
from data.store.postgres.database import PostgresDatabase
from data.store.postgres_store import open_postgres
from data.store.shards import EXPIRED_MS, LEASE_MS, RENEW_MS
from engine.contract import Moment
from tests.data.conftest import NOON
from tools.harness.raw_database import Raw
from tools.postgres import Cluster

T = TypeVar("T")

GUILDS = (2 << 22, 1 << 22)
"""A server of each shard."""

ROUND_MS = 250


class Client(shard_sessions.ShardHost):
    """The client of one process. `served` are the shards whose tables it serves, `answered` the clicks it answered."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.leases: ShardLeases
        self.open: set[int] = set()
        self.served: set[int] = set()
        self.answered: list[int] = []
        self.refused: list[int] = []
        self.opened: list[int] = []
        self.connects = True

    async def open_shard(self, shard: int) -> None:
        self.open.add(shard)
        self.opened.append(shard)

    async def close_shard(self, shard: int) -> None:
        self.open.discard(shard)

    async def serve_shard(self, shard: int) -> None:
        self.served.add(shard)

    def release_shard(self, shard: int) -> None:
        self.served.discard(shard)

    async def unload_shard(self, shard: int) -> None:
        self.served.discard(shard)

    def handle_queued(self, data: Any) -> None:
        self.answered.append(data)

    def refuse_queued(self, data: Any) -> None:
        self.refused.append(data)

    def process_stats(self) -> Mapping[str, Any]:
        return {}

    async def step(self) -> None:
        """Manage its shards, unless the database fails."""
        with contextlib.suppress(StoreError):
            await self.leases.step()
        for shard in sorted(self.open - self.leases.sessions.connected) if self.connects else ():
            with contextlib.suppress(StoreError):
                await self.leases.connected(shard)

    def receive(self, guild: int, click: int) -> None:
        """Receive a click, if it has a session of the server's shard."""
        shard = shard_of(guild, len(GUILDS))
        if shard in self.leases.sessions.connected and self.leases.should_handle(guild, self.world.now(), click):
            self.answered.append(click)


class World:
    """Two clients over one database, and time."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.at = NOON
        self.steady = 0.0
        self.clients: list[Client] = []
        self._url = url
        self._stack = stack
        self._raw = Raw(url)
        self._raw("CREATE TABLE hands (at bigint)")
        self._raw("INSERT INTO hands VALUES (1000000)")
        clock = "CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE"
        self._raw(f"{clock} AS 'SELECT at FROM public.hands'")

    def now(self) -> Moment:
        return self.at

    async def join(self, room: int | None = None) -> Client:
        """Let another client take its share."""
        opened = open_postgres(
            self._url, now=self.now, process_info=ProcessInfo("1", "here", 7), steady=lambda: self.steady
        )
        store = await self._stack.enter_async_context(opened)
        client = Client(self)
        assert store.shards is not None
        client.leases = ShardLeases(client, store.shards, self.now, lambda: self.steady, room)
        self._stack.push_async_callback(client.leases.close)
        client.leases.finish_startup()
        await client.leases.begin(len(GUILDS))
        self.clients.append(client)
        return client

    async def run_rounds(self, rounds: int, clicks: int = 0) -> None:
        """Let time pass, with a click on each server in each of the first rounds."""
        for number in range(rounds):
            for guild in GUILDS if number < clicks else ():
                click = number * len(GUILDS) + GUILDS.index(guild)
                for client in self.clients:
                    client.receive(guild, click)
            for client in self.clients:
                await client.step()
            self.advance(ROUND_MS)

    def advance(self, ms: int) -> None:
        """Move all clocks forward."""
        self._raw(f"UPDATE hands SET at = at + {ms}")
        self.steady += ms / 1_000
        self.at = Moment(self.at + ms)


@pytest.fixture
async def world(postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    monkeypatch.setattr(shard_leases, "LINGER_S", 0.0)
    monkeypatch.setattr(shard_sessions, "ANSWER_WITHIN_S", 60.0)
    monkeypatch.setattr(shard_assignment, "SETTLED_MS", 0)
    monkeypatch.setattr(shard_leases, "REJOINED_S", 0.0)
    async with AsyncExitStack() as stack:
        yield World(postgres.fresh(), stack)


async def test_leases_that_are_started_again_run_once(world: World):
    client = await world.join()
    for _ in range(2):
        client.leases.start()
    assert len(client.leases._running.running) == 1


async def test_a_shard_that_could_not_be_opened_is_opened_in_a_later_round(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    client, tried = await world.join(), list[int]()

    async def fails(shard: int) -> None:
        tried.append(shard)
        raise LookupError("nobody has thought of that")

    with monkeypatch.context() as broken:
        broken.setattr(client, "open_shard", fails)
        await world.run_rounds(2)
    assert sorted({*tried}) == [0, 1] and not client.open and "nobody has thought of that" in caplog.text
    await world.run_rounds(4)
    assert client.open == client.served == {0, 1}


class Fault:
    """Makes one of the following database calls fail: the request was lost, or only its answer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, number: int, *, heard: bool) -> None:
        self.left = number
        self._heard = heard
        self._say, self._snapshot = PostgresDatabase.write_unfenced, PostgresDatabase.snapshot

        async def say(database: PostgresDatabase, work: Callable[..., Coroutine[Any, Any, Any]]) -> Any:
            return await self._fail(lambda: self._say(database, work))

        async def snapshot(database: PostgresDatabase, work: Callable[..., Coroutine[Any, Any, Any]]) -> Any:
            return await self._fail(lambda: self._snapshot(database, work))

        monkeypatch.setattr(PostgresDatabase, "write_unfenced", say)
        monkeypatch.setattr(PostgresDatabase, "snapshot", snapshot)

    async def _fail(self, word: Callable[[], Awaitable[T]]) -> T:
        self.left -= 1
        if self.left == -1 and not self._heard:
            raise Unreachable("The database went away.")
        answer = await word()
        if self.left == -1:
            raise Unreachable("The database went away.")
        return answer


class Outage:
    """The database is away from some clients, until it is back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *clients: Client) -> None:
        self.away = {client.leases._shards.process for client in clients}  # accesses internals for the test
        for name in ("write_unfenced", "snapshot"):
            call = getattr(PostgresDatabase, name)

            async def say(database: PostgresDatabase, work: Any, call: Any = call) -> Any:
                if database.fence.process in self.away:
                    raise Unreachable("The database is away.")
                return await call(database, work)

            monkeypatch.setattr(PostgresDatabase, name, say)

    def back(self) -> None:
        self.away.clear()


async def handed_over(
    world: World, monkeypatch: pytest.MonkeyPatch, number: int, *, heard: bool
) -> tuple[int, list[int]]:
    """Let a second client get its share while the database fails once.

    Return how many calls were left to fail, and all clicks that were answered.
    """
    one = await world.join()
    await world.run_rounds(2)
    assert one.served == {0, 1}
    other = await world.join(room=1)
    fault = Fault(monkeypatch, number, heard=heard)
    await world.run_rounds(18, clicks=12)
    assert (one.served, other.served) == ({0}, {1})
    assert (one.open, other.open) == ({0}, {1})
    return fault.left, sorted(one.answered + other.answered)


async def test_without_a_fault_every_click_is_answered_once(world: World, monkeypatch: pytest.MonkeyPatch):
    assert (await handed_over(world, monkeypatch, 10_000, heard=True))[1] == list(range(24))


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize("number", range(22))
async def test_whenever_the_database_fails_in_a_hand_over_it_comes_to_its_end_and_each_click_is_answered_once(
    world: World, monkeypatch: pytest.MonkeyPatch, number: int, heard: bool
):
    left, answered = await handed_over(world, monkeypatch, number, heard=heard)
    assert left < -1 and answered == list(range(24))


async def test_a_process_waiting_for_a_shard_gets_it_at_once_when_its_owner_is_gone(world: World):
    one = await world.join()
    await world.run_rounds(2)
    other = await world.join(room=1)
    while not other.open:
        await world.run_rounds(1)
    (wanted,) = other.open
    assert not other.served
    await one.leases._shards.give_up([0, 1], world.now())  # accesses internals for the test
    world.clients.remove(one)
    await other.step()
    assert other.served == {wanted}


async def test_nothing_is_done_until_a_lease_must_be_renewed_or_another_may_have_expired(world: World):
    one, other = await world.join(), await world.join(room=1)
    await world.run_rounds(4)
    assert (one.served, other.served) == ({0}, {1})
    assert one.leases._pause_s() == RENEW_MS / 1_000  # accesses internals for the test
    await other.leases._shards.renew(world.now(), "{}")
    world.advance(LEASE_MS - 1_000)
    await one.step()
    assert one.leases._pause_s() == pytest.approx(1.05)  # when the other one's lease expires
    world.advance(1_050)
    await one.step()
    await one.step()
    assert one.served == {0, 1} and one.leases._pause_s() == RENEW_MS / 1_000


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize("number", range(10))
async def test_whenever_the_database_fails_while_a_dead_process_is_followed_its_shards_are_served(
    world: World, monkeypatch: pytest.MonkeyPatch, number: int, heard: bool
):
    one = await world.join()
    await world.run_rounds(2)
    world.clients.remove(one)
    world.advance(LEASE_MS)
    other = await world.join()
    fault = Fault(monkeypatch, number, heard=heard)
    await world.run_rounds(6)
    assert fault.left < -1 and other.open == other.served == {0, 1}
    await one.step()  # it was not dead after all
    assert one.open == one.served == set()


# The database is away for long


@pytest.fixture
def at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Queued clicks are refused if nobody has answered them by the end of a round."""
    monkeypatch.setattr(shard_sessions, "ANSWER_WITHIN_S", 0.0)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("away_s", [5, 12, 600])
@pytest.mark.parametrize("count", [1, 2, 3])
async def test_however_long_the_database_is_away_every_press_is_answered_and_every_session_stays(
    world: World, monkeypatch: pytest.MonkeyPatch, count: int, away_s: int
):
    monkeypatch.setattr(shard_leases, "REJOINED_S", 5.0)
    for _ in range(count):
        await world.join(room=None if count == 1 else 1)
        await world.run_rounds(4)
    had = [{*client.served} for client in world.clients]
    assert sorted(shard for shards in had for shard in shards) == [0, 1]
    outage = Outage(monkeypatch, *world.clients)
    for click in range(40):
        for client in world.clients:
            client.receive(GUILDS[click % 2], click)
            await client.step()
        await asyncio.sleep(0.001)
        world.advance(away_s * 1_000 // 40)
    heard = [click for client in world.clients for click in client.answered + client.refused]
    assert sorted(heard) == list(range(40))
    assert any(client.refused for client in world.clients) == (away_s > EXPIRED_MS / 1_000)
    outage.back()
    await world.run_rounds(24)
    assert [client.served for client in world.clients] == had
    assert [sorted(client.opened) for client in world.clients] == [sorted(shards) for shards in had]


async def test_a_press_right_before_the_database_is_back_is_handled_and_not_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    client = await world.join()
    await world.run_rounds(2)
    outage = Outage(monkeypatch, client)
    await world.run_rounds(60)
    client.receive(GUILDS[0], 7)
    assert not client.answered
    outage.back()
    await world.run_rounds(1)
    assert client.answered == [7] and not client.refused and client.opened == [0, 1]


@pytest.mark.usefixtures("at_once")
async def test_a_process_that_alone_lost_the_database_refuses_until_another_has_its_shards(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shard_leases, "REJOINED_S", 5.0)
    one, other = await world.join(), await world.join(room=2)
    await world.run_rounds(4)
    (lost,) = one.served
    outage = Outage(monkeypatch, one)
    await world.run_rounds(60, clicks=1)
    assert other.served == {0, 1} and lost in one.open
    for client in world.clients:
        client.receive(GUILDS[lost], 99)
    await asyncio.sleep(0.001)
    assert 99 in one.refused and 99 in other.answered  # which is in time, and the refusal is not
    outage.back()
    await world.run_rounds(1)
    assert not one.open and not one.served
    one.receive(GUILDS[lost], 100)
    await asyncio.sleep(0.001)
    assert 100 not in one.refused


async def test_a_process_that_was_lost_takes_no_shard_before_all_were_served_for_a_minute(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shard_assignment, "SETTLED_MS", 6_000)  # the minute
    one, other = await world.join(), await world.join()
    await world.run_rounds(4 * 7)
    assert len(one.served) == len(other.served) == 1
    outage = Outage(monkeypatch, one)
    other.connects = False  # its new session waits for its turn to identify
    await world.run_rounds(60)
    outage.back()
    await world.run_rounds(4 * 7)
    assert not one.open and other.open == {0, 1} and len(other.served) == 1
    other.connects = True
    await world.run_rounds(4 * 5)
    assert other.served == {0, 1} and not one.open
    await world.run_rounds(12)
    assert len(one.served) == len(other.served) == 1


@pytest.mark.usefixtures("at_once")
async def test_a_process_that_closes_refuses_nothing_any_more(world: World, monkeypatch: pytest.MonkeyPatch):
    client = await world.join()
    await world.run_rounds(2)
    Outage(monkeypatch, client)
    await world.run_rounds(60)
    client.receive(GUILDS[0], 7)
    await client.leases.close()
    await asyncio.sleep(0.001)
    assert not client.refused and not client.answered


@pytest.mark.usefixtures("at_once")
async def test_a_hand_over_that_takes_long_refuses_nobody_as_long_as_the_database_answers(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    """The next process may be at it: the press would be refused and count all the same."""
    monkeypatch.setattr(shard_sessions, "LOOK_EVERY_S", 0.001)
    one = await world.join()
    await world.run_rounds(2)
    other = await world.join(room=1)
    for click in range(40):
        for client in world.clients:
            client.receive(GUILDS[1], click)
        await asyncio.sleep(0.003)  # longer than a press may be queued while the database is away
        await world.run_rounds(1)
    assert other.served == {1} and not one.refused and not other.refused
    assert sorted(one.answered + other.answered) == list(range(40))
