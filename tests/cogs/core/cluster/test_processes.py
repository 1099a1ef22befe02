"""Several processes of the bot on one database: which one serves and answers what."""

import asyncio
import contextlib
from typing import Any

import discord
import pytest
from discord.webhook.async_ import AsyncWebhookAdapter

from cogs.core.cluster import shard_leases, shard_sessions
from cogs.core.inbound.error_handler import NOT_SAVED
from cogs.core.ops.errors import ConfigurationError
from data.store import LeaseExpired, ShardCountMismatch, TableChange, Unreachable
from data.store.postgres import leases
from data.store.postgres.database import PostgresDatabase
from data.store.shards import EXPIRED_MS, LEASE_MS
from engine.contract import Moment
from sandbox import PATIENCE_S, ActionResult, UserClient
from tests.cogs.core.cluster.fleet import Fleet, Process
from tools.harness.environment import shipped


async def playing(fleet: Fleet, shard: int = 0, clock: int = 60) -> int:
    """Start the Rope Wall for Ann and Ben on the server of a shard; return the table's number."""
    await fleet.ann.command(fleet.yards[shard], "rope-wall start", clock=clock)
    await fleet.ben.press(fleet.board(shard), label="Join")
    await fleet.ann.press(fleet.board(shard), label="Start")
    await fleet.settle()
    custom_id = openings(fleet.board(shard))[0]
    return int(custom_id.split(":")[1]) if custom_id.split(":")[1].isdecimal() else int(custom_id.split(":")[2])


def openings(message: dict[str, Any]) -> list[str]:
    """Return the controls that push a knot in."""
    return [part["custom_id"] for part in UserClient.buttons(message) if ":push:" in part.get("custom_id", "")]


async def push(fleet: Fleet, shard: int = 0) -> ActionResult:
    """Push as the player to move at the newest table of a server."""
    message = fleet.board(shard)
    mover = fleet.ann if "**Ann**'s move" in UserClient.visible_text(message) else fleet.ben
    return await mover.press(message, openings(message)[0])


async def moves(process: Process, table: int) -> int:
    """Return the number of committed moves of people at a table."""
    return sum(one.seat is not None for one in await process.store.games.decisions(table))


async def two(fleet: Fleet) -> tuple[Process, Process]:
    """Two processes, of which the first serves everything and the second has nothing to do."""
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    other = await fleet.start("other", shards=1)
    await fleet.step(one)
    return one, other


async def test_one_process_serves_all_shards_and_people_play_on_each(fleet: Fleet):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    for shard, yard in enumerate(fleet.yards):
        answer = await fleet.ann.command(yard, "rope-wall start")
        assert answer.by == "one" and "Join" in UserClient.visible_text(fleet.board(shard))
    assert sorted(session.shard for session in fleet.sandbox.sessions) == [(0, 2), (1, 2)]


async def test_processes_that_start_at_once_share_the_shards_as_they_have_room(fleet: Fleet):
    one, other = await fleet.start("one", shards=1), await fleet.start("other", shards=1)
    third = await fleet.start("third")
    for _ in range(2):
        await fleet.step(one, other, third)
    assert (one.serves, other.serves, third.serves) == ({0}, {1}, set())
    assert third.client.is_ready() and third.client.user is not None
    table = await playing(fleet, 1)
    assert (await push(fleet, 1)).by == "other"
    assert await moves(third, table) == 1
    assert {guild.id for guild in one.client.guilds} == {int(fleet.guilds[0].id)}
    assert not third.client.guilds and not one.client.tables.registry.awake()


async def test_a_process_that_starts_later_gets_its_share_without_a_gap_or_a_lost_click(fleet: Fleet):
    one, other = await two(fleet)
    table = await playing(fleet, 1)
    await push(fleet, 1)
    due = (await one.store.tables.get(table)).due
    await fleet.step(other)  # asks, and gets a session
    assert other.client.leases.sessions.connected == {1} and not other.serves
    assert (await push(fleet, 1)).by == "one"  # both have been notified
    await fleet.step(other)  # reports that it is ready
    click = asyncio.create_task(push(fleet, 1))
    await fleet.step(one)  # gives
    assert one.serves == {0} and one.client.leases.sessions.numbers == {0}
    await fleet.step(other)
    assert other.serves == {1}
    await click
    assert (await push(fleet, 1)).by == "other"
    assert await moves(other, table) == 4
    session = await other.client.inbound.finder.find(table)
    assert session is not None and session.table.snapshot.row.run == other.store.runs.present(int(fleet.guilds[1].id))
    assert not session.table.snapshot.notice and due is not None
    assert [one.client.get_guild(int(guild.id)) is None for guild in fleet.guilds] == [False, True]
    assert sorted(session.by for session in fleet.sandbox.sessions if session.connection) == ["one", "other"]


async def test_a_process_that_is_not_ready_yet_takes_only_shards_that_another_leaves(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    monkeypatch.setattr(shard_leases.ShardLeases, "finish_startup", lambda leases: None)
    other = await fleet.start("other", shards=1)
    await fleet.step(one, other)
    assert not other.client.leases.sessions.numbers
    await one.store.shards.stop()
    await fleet.step(other)
    assert other.client.leases.sessions.connected == {0}


async def test_a_process_that_is_not_ready_for_long_takes_its_share_anyway(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    monkeypatch.setattr(shard_leases.ShardLeases, "finish_startup", lambda leases: None)
    other = await fleet.start("other", shards=1)
    for _ in range(5):
        await fleet.step(one, other)
        assert not other.client.leases.sessions.numbers
        fleet.advance(3_000)
    await fleet.step(one, other)
    assert other.client.leases.sessions.connected == {1}


async def test_a_click_between_the_hand_over_and_its_news_is_the_successors(fleet: Fleet):
    one, other = await two(fleet)
    table = await playing(fleet, 1)
    await fleet.step(other)
    await fleet.step(other)
    await fleet.step(one)
    click = asyncio.create_task(push(fleet, 1))  # of the two, the old one has closed, and the new one does not know yet
    await fleet.sandbox.until(lambda: bool(other.client.leases.sessions.get(1).queued))
    assert not click.done()
    await fleet.step(other)
    assert (await click).by == "other" and await moves(other, table) == 1


async def test_what_a_process_has_given_away_it_does_nothing_about_any_more(fleet: Fleet):
    one, other = await two(fleet)
    table = await playing(fleet, 1)
    await fleet.step(other)
    await fleet.step(other)
    await fleet.step(one)
    await fleet.step(other)
    assert table not in [table.id for table in one.client.tables.registry.awake()]
    assert one.client.tables.clocks.deadline_timer.due(table) is None
    before = len([call for call in fleet.sandbox.calls if call.by == "one"])
    fleet.advance(5_000)
    await fleet.step(one, other)
    fleet.advance(5_000)
    await fleet.step(one, other)
    fleet.advance(60_000 - 10_000)
    fleet.steady -= 45.0  # all processes are alive
    fleet.raw("UPDATE processes SET until = until + 60000")
    for process in (one, other):
        await process.client.tables.scheduler.idle()
        await fleet.settle(process)
    assert len([call for call in fleet.sandbox.calls if call.by == "one"]) == before
    assert [one.seat for one in await other.store.games.decisions(table)][-1] is None  # its clock ran out, once
    assert await moves(other, table) == 0


async def test_a_process_that_died_is_followed_by_another_and_its_clocks_are_extended_once(fleet: Fleet):
    one, other = await two(fleet)
    table = await playing(fleet, 1)
    await fleet.step(one, other)
    row = await one.store.tables.get(table)
    await other.store.shards.give_up([0, 1], fleet.clock.now())  # it has not requested anything yet
    await die(fleet, one)
    fleet.advance(LEASE_MS)
    await fleet.until(other, {1})  # it has capacity for one, and takes the one whose clocks run out first
    third = await fleet.start("third")
    await fleet.until(third, {0})
    after = await other.store.tables.get(table)
    session = await other.client.inbound.finder.find(table)
    assert row is not None and row.due is not None and after is not None and session is not None
    due = session.table.snapshot.row.due
    assert due is not None and 0 <= due - row.due - LEASE_MS < 5_000
    assert "was offline" in str(session.table.snapshot.notice)
    assert (await push(fleet, 1)).by == "other"


async def die(fleet: Fleet, process: Process) -> None:
    """End a process like a crash: it sends nothing more, and its sessions are cut."""
    fleet.processes.remove(process)
    store: Any = process.store
    await store.database.finish()
    await process.client.close()
    await process.stack.aclose()
    process.connection.cancel()
    await asyncio.wait({process.connection})


async def test_a_suspended_process_is_silent_before_others_take_over_and_releases_everything(fleet: Fleet):
    one, other = await two(fleet)
    table = await playing(fleet, 0)
    await fleet.step(one)
    session = one.client.tables.registry.present[table]
    fleet.advance(EXPIRED_MS)
    before = len(fleet.sandbox.calls)
    tables = one.client.tables
    for timer in (tables.clocks.deadline_timer, tables.bots.timer, one.client.publishing.publisher.timers.messages):
        await timer.run(table)
    with pytest.raises(LeaseExpired):
        await one.store.tables.update(table, TableChange(opener=1))
    data = {"id": str(1 << 60), "guild_id": fleet.guilds[0].id}
    assert not one.client.should_handle(data) and len(fleet.sandbox.calls) == before
    fleet.advance(LEASE_MS - EXPIRED_MS)
    await fleet.until(other, {0})
    await fleet.step(one)  # it resumes, and is notified
    await fleet.settle()
    assert not one.serves & {0} and one.client.tables.registry.present.get(table) is not session
    assert (await push(fleet)).by == "other" and await moves(other, table) == 1


CALLS = {"edit by a token": ("PATCH", "/webhooks/"), "direct message": ("PATCH", "/channels/")}
CALLS |= {"mention": ("POST", "/channels/"), "line that goes": ("DELETE", "/channels/")}


@pytest.mark.parametrize(("method", "path"), CALLS.values(), ids=CALLS)
async def test_a_process_suspended_right_before_a_background_call_does_not_make_it(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, method: str, path: str
):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    await fleet.ann.command(fleet.yards[0], "prison-break start", clock=60)
    await fleet.ben.press(fleet.board(0), label="Join")
    await fleet.ann.press(fleet.board(0), label="Start")
    await fleet.ben.press(fleet.board(0), label="Play")
    await fleet.settle()
    stood: list[int] = []

    def stand_still(meant: bool) -> None:
        if meant and not stood:
            stood.append(len(fleet.sandbox.calls))
            fleet.advance(EXPIRED_MS)

    call, call_by_token = discord.http.HTTPClient.request, AsyncWebhookAdapter.request

    async def request(client: Any, route: Any, **named: Any) -> Any:
        stand_still(route.method == method and path in route.url)
        return await call(client, route, **named)

    async def request_by_token(adapter: Any, route: Any, *arguments: Any, **named: Any) -> Any:
        stand_still(route.method == method and path in route.url)
        return await call_by_token(adapter, route, *arguments, **named)

    monkeypatch.setattr(discord.http.HTTPClient, "request", request)
    monkeypatch.setattr(AsyncWebhookAdapter, "request", request_by_token)
    for ms in (8_000, 35_000, 25_000, 0):  # a player is reminded, their clock runs out, and the next turn starts
        fleet.clock.advance(ms)
        await fleet.settle()
    (since,) = stood
    late = [call.path for call in fleet.sandbox.calls[since:] if call.method == method and path in f"{call.path}/"]
    assert late == []


class Outage:
    """The database cannot be reached by some processes, until it is back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *processes: Process) -> None:
        stores: list[Any] = [process.store for process in processes]
        self._away = {store.database for store in stores}
        connected = PostgresDatabase._connected  # accesses internals for the test
        transaction = PostgresDatabase._transaction

        def refuse(database: PostgresDatabase) -> None:
            if database in self._away:
                raise Unreachable("The database is away.")

        async def connect(database: PostgresDatabase, work: Any) -> Any:
            refuse(database)
            return await connected(database, work)

        async def transact(database: PostgresDatabase, work: Any) -> Any:
            refuse(database)
            return await transaction(database, work)

        monkeypatch.setattr(PostgresDatabase, "_connected", connect)
        monkeypatch.setattr(PostgresDatabase, "_transaction", transact)

    def back(self) -> None:
        self._away.clear()


async def until_silent(fleet: Fleet, process: Process) -> None:
    """Let the lease of a process expire that cannot reach the database."""
    for _ in range(4):
        fleet.advance(EXPIRED_MS // 3)
        with pytest.raises(Unreachable):
            await fleet.step(process)


async def test_a_long_outage_of_the_database_is_explained_and_play_resumes_in_the_same_session(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    table = await playing(fleet, 1)
    sessions = [session.id for session in fleet.sandbox.sessions]
    outage = Outage(monkeypatch, one)
    monkeypatch.setattr(shard_sessions, "ANSWER_WITHIN_S", 0.0)
    for _ in range(2):
        result = await push(fleet, 1)
        assert result.text == NOT_SAVED
        assert (await fleet.ann.command(fleet.yards[0], "rope-wall start")).text == NOT_SAVED
        await until_silent(fleet, one)
    outage.back()
    await fleet.step(one)
    assert (await push(fleet, 1)).by == "one" and await moves(one, table) == 1
    assert [session.id for session in fleet.sandbox.sessions] == sessions
    assert all(session.connection is not None for session in fleet.sandbox.sessions)
    assert one.serves == {0, 1}


async def test_an_outage_of_the_database_is_explained_in_the_language_of_the_reader(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    outage = Outage(monkeypatch, one)
    monkeypatch.setattr(shard_sessions, "ANSWER_WITHIN_S", 0.0)
    await until_silent(fleet, one)
    fleet.ann.locale = "de"
    answer = await fleet.ann.command(fleet.yards[0], "rope-wall start")
    assert answer.text == shipped().of("de").sentence(NOT_SAVED) != NOT_SAVED
    outage.back()
    await fleet.step(one)


async def test_a_process_without_the_database_answers_after_the_other(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(shard_leases, "REJOINED_S", 5.0)
    one, other = await fleet.start("one", shards=1), await fleet.start("other")
    await fleet.until(one, {0})
    await fleet.until(other, {1})
    table = await playing(fleet, 0)
    outage = Outage(monkeypatch, one)
    for _ in range(4):
        fleet.advance(LEASE_MS // 4)
        await fleet.step(other)
        with pytest.raises(Unreachable):
            await fleet.step(one)
    await fleet.until(other, {0, 1})
    assert len(fleet.sandbox.sessions) == 3
    monkeypatch.setattr(shard_sessions, "ANSWER_WITHIN_S", 0.5)
    for number in range(4):
        result = await push(fleet)
        assert result.by == "other" and NOT_SAVED not in result.text
        assert await moves(other, table) == number + 1
    await asyncio.sleep(0.6)
    await fleet.settle()
    assert "another bot" not in caplog.text
    outage.back()
    await fleet.step(one)
    await fleet.sandbox.until(lambda: len(fleet.sandbox.sessions) == 2, timeout=PATIENCE_S)
    assert not one.serves


def let_database_go_away(process: Process, monkeypatch: pytest.MonkeyPatch, times: int = 0) -> None:
    """Let a process read the assignments this many times, and then fail once."""
    shards: Any = process.store.shards
    read, left = shards.refresh, [times]

    async def refresh() -> None:
        left[0] -= 1
        if left[0] == -1:
            raise Unreachable("The database went away.")
        await read()

    monkeypatch.setattr(shards, "refresh", refresh)


async def test_what_was_lost_while_the_database_went_away_is_left_and_taken_again(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    table = await playing(fleet, 0)
    fleet.raw("UPDATE processes SET until = 0")  # as by a clock that was put forward
    let_database_go_away(one, monkeypatch)
    with pytest.raises(Unreachable):
        await fleet.step(one)
    await fleet.until(one, {0, 1})
    await fleet.step(one)
    assert (await push(fleet)).by == "one" and await moves(one, table) == 1


async def test_a_hand_over_whose_last_answer_was_lost_counts_all_the_same(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    one, other = await two(fleet)
    table = await playing(fleet, 1)
    await fleet.step(other)
    await fleet.step(other)
    let_database_go_away(one, monkeypatch, 1)  # right after it has stored that it gives the shard away
    with pytest.raises(Unreachable):
        await fleet.step(one)
    await fleet.step(other)
    assert (one.serves, other.serves) == ({0, 1}, {1})  # for the duration of one retry
    fleet.clock.advance(1)
    answer = await push(fleet, 1)
    await fleet.step(one)
    assert one.serves == {0} and answer.by == "other" and await moves(other, table) == 1
    assert (await push(fleet, 1)).by == "other" and await moves(other, table) == 2


@pytest.mark.parametrize("known", [True, False])
async def test_a_click_while_a_hand_over_fails_is_answered_by_the_process_that_stays(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, known: bool
):
    one, other = await two(fleet)
    table = await playing(fleet, 1)
    await fleet.step(other)
    await fleet.step(other)
    clicks: list[asyncio.Task[ActionResult]] = []
    opened: Any = one.client.leases.sessions.get(1)
    given = one.store.shards.hand_over

    async def hand_over(shard: int, at: Moment) -> bool:
        if clicks:
            return await given(shard, at)
        fleet.clock.advance(1_000)  # the click is later than the planned hand-over
        clicks.append(asyncio.create_task(push(fleet, 1)))
        await fleet.sandbox.until(lambda: opened.queued)
        if not known:
            raise Unreachable("The database went away.")
        return False

    monkeypatch.setattr(one.store.shards, "hand_over", hand_over)
    with contextlib.nullcontext() if known else pytest.raises(Unreachable):
        await fleet.step(one)
    if not known:
        assert opened.queued
        await fleet.step(one)
    assert (await clicks[0]).by == "one" and await moves(one, table) == 1


async def hand_over_unnoticed(process: Process, at: Moment) -> None:
    """Hand over shard 1 of a process that does not know it yet."""
    shards: Any = process.store.shards
    await shards._alone(lambda tx: leases.hand_over(tx, shards._us, 1, at))  # accesses internals for the test


async def test_a_clock_that_runs_out_during_a_hand_over_does_so_once_and_causes_no_error(fleet: Fleet):
    one, other = await two(fleet)
    table = await playing(fleet, 1)
    await fleet.step(other)
    await fleet.step(other)
    await hand_over_unnoticed(one, fleet.clock.now())
    fleet.clock.advance(60_000)
    await fleet.settle(one)
    assert await moves(other, table) == 0 and len(await other.store.games.decisions(table)) == 1
    assert one.client.tables.database_status.complaint() is None
    await fleet.step(other)
    await fleet.step(one)
    decisions = await other.store.games.decisions(table)
    assert [decision.seat for decision in decisions[1:]] == [None]
    assert (await push(fleet, 1)).by == "other"


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("write", ["create", "replace_message"])
async def test_a_table_that_is_opened_during_a_hand_over_is_there_once_and_played_on(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, write: str, known: bool
):
    one, other = await two(fleet)
    await fleet.step(other)
    await fleet.step(other)
    tables: Any = one.store.tables
    written = getattr(tables, write)
    given: list[bool] = []

    async def late(*arguments: Any) -> Any:
        if not given:
            given.append(True)
            fleet.clock.advance(1)  # clicks that arrive from now on are handed over
            if known:
                await one.client.leases.step()
            else:
                await hand_over_unnoticed(one, fleet.clock.now())
        return await written(*arguments)

    monkeypatch.setattr(tables, write, late)
    answer = await fleet.ann.command(fleet.yards[1], "rope-wall start")
    await fleet.settle()
    assert given and answer.by == "one" and "Join" in UserClient.visible_text(fleet.board(1))
    fleet.clock.advance(1)
    await fleet.step(other)
    await fleet.step(one)
    assert (one.serves, other.serves) == ({0}, {1})
    assert (await fleet.ben.press(fleet.board(1), label="Join")).by == "other"
    await fleet.settle()
    boards = [shown for shown in fleet.sandbox.messages(fleet.yards[1]) if shown["components"]]
    (table,) = await other.store.tables.open(int(fleet.guilds[1].id))
    assert len(boards) == 1 and "Ben" in UserClient.visible_text(boards[0])
    assert [table.id for table in other.client.tables.registry.awake()] == [table.id]
    assert one.client.tables.registry.awake() == () and one.client.tables.database_status.complaint() is None


async def test_a_stopping_process_hands_over_what_the_others_have_room_for(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shard_leases, "STEP_S", 0.0)
    one, other = await two(fleet)
    table = await playing(fleet, 0)
    draining = asyncio.create_task(one.client.hand_over(), context=one.context)
    await fleet.sandbox.until(lambda: one.client.leases.stopping)
    while other.serves != {0}:
        await fleet.step(other, one)
    await asyncio.wait_for(draining, PATIENCE_S)  # the other one has no more capacity
    assert one.serves == {1}
    assert (await push(fleet)).by == "other" and await moves(other, table) == 1


async def test_a_stopping_process_hands_over_also_where_the_database_went_away_for_a_moment(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shard_leases, "STEP_S", 0.0)
    one, other = await two(fleet)
    shards: Any = one.store.shards
    stop, tries = shards.stop, []

    async def stops() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise Unreachable("The database went away.")
        await stop()

    monkeypatch.setattr(shards, "stop", stops)
    draining = asyncio.create_task(one.client.hand_over(), context=one.context)
    await fleet.sandbox.until(lambda: one.client.leases.stopping)
    while other.serves != {0}:
        await fleet.step(other, one)
    await asyncio.wait_for(draining, PATIENCE_S)
    assert one.serves == {1} and len(tries) == 2


async def test_a_stopping_process_waits_for_no_database_where_nobody_could_have_its_shards(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})

    async def stops() -> None:
        raise Unreachable("The database went away.")

    monkeypatch.setattr(one.store.shards, "stop", stops)
    await asyncio.wait_for(one.client.hand_over(), PATIENCE_S)
    assert one.serves == {0, 1} and not one.client.leases.stopping


async def test_a_stopping_process_waits_for_nobody_where_nobody_is(fleet: Fleet):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    await asyncio.wait_for(one.client.hand_over(), PATIENCE_S)
    assert one.serves == {0, 1}


async def test_with_few_starts_left_a_process_does_not_start(fleet: Fleet):
    fleet.sandbox.settings.session_starts = 21
    with pytest.raises(ConfigurationError, match=r"start only 21 more sessions until .* needs 2 and keeps 20"):
        await fleet.start("one")
    fleet.sandbox.settings.session_starts = 22
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})


async def test_another_number_of_shards_is_refused_and_no_number_means_that_of_the_others(
    fleet: Fleet,
):
    await fleet.start("one")
    with pytest.raises(ShardCountMismatch, match="counts with 2 shards, and this one with 4"):
        await fleet.start("other", shard_count=4)
    third = await fleet.start("third", shard_count=None)
    assert third.store.shards.count == 2


async def test_another_number_of_shards_takes_the_tables_along(fleet: Fleet):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    table = await playing(fleet, 1)
    await push(fleet, 1)
    await one.client.hand_over()
    four = await fleet.start("four", shard_count=4)
    await fleet.step(four)
    assert not four.serves
    await fleet.end(one)
    await fleet.until(four, {0, 1, 2, 3})
    assert (await push(fleet, 1)).by == "four" and await moves(four, table) == 2


async def test_commands_are_uploaded_by_the_process_of_the_first_shard_alone(fleet: Fleet):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    other = await fleet.start("other")
    await fleet.settle()
    uploads = [call.by for call in fleet.sandbox.calls if call.method == "PUT" and call.path.endswith("/commands")]
    assert set(uploads) == {"one"}
    assert one.client.markup.commands and other.client.markup.commands


@pytest.mark.parametrize("drop", [True, False])
async def test_a_turn_is_mentioned_once_though_another_process_takes_over(fleet: Fleet, drop: bool):
    one, other = await two(fleet)
    table = await playing(fleet, 1, clock=0)
    await fleet.step(other)
    await fleet.step(other)
    for person in (fleet.ann, fleet.ben):
        person.clear_notices()
    if drop:
        fleet.sandbox.fault("POST", f"/channels/{fleet.yards[1].id}/messages", 0, drop=True)
    fleet.clock.advance(70_000)
    await fleet.settle()
    await fleet.step(one)
    await fleet.step(other)
    assert (one.serves, other.serves) == ({0}, {1})
    await other.client.inbound.finder.find(table)
    for ms in (0, 5_000, 70_000):
        fleet.clock.advance(ms)
        await fleet.settle()

    def lines() -> list[str]:
        texts = [message["content"] for message in fleet.sandbox.messages(fleet.yards[1])]
        return [text for text in texts if text.startswith("<@")]

    told = [notice["kind"] for person in (fleet.ann, fleet.ben) for notice in person.notices]
    assert told.count("mention") == len(lines()) == 1
    assert (await push(fleet, 1)).by == "other"
    await fleet.settle()
    assert lines() == []
