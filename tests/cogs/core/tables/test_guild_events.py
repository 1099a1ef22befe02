"""Servers and channels that go: their tables stand still or close, nobody calls Discord for them, and they go on."""

import asyncio
from typing import Any

import pytest

from cogs.core.app import guild_events
from data.store import NewTable
from engine.contract import Moment
from sandbox import UserClient
from tools.harness.bot_harness import House

MINUTE_MS = 60_000


def called(house: House, since: int) -> list[tuple[str, str]]:
    """The calls since then that are no part of connecting."""
    return [
        (call.method, call.template)
        for call in house.sandbox.calls[since:]
        if call.template.startswith(("/channels", "/guilds")) or "messages" in call.template
    ]


async def thrown_out(house: House) -> None:
    house.sandbox.remove_bot(house.guild)
    await house.sandbox.until(lambda: int(house.guild.id) in house.client.tables.registry.out_of_reach)
    await house.settle()


async def let_in(house: House) -> None:
    house.sandbox.invite_bot(house.guild)
    await house.sandbox.until(lambda: 1 in house.client.tables.registry.present)
    await house.settle()


@pytest.mark.parametrize("clock", [0, 60])
async def test_a_bot_that_was_thrown_out_calls_discord_no_more_for_the_tables_there(house: House, clock: int):
    await house.two_at_the_wall(clock=clock)
    await thrown_out(house)
    before = len(house.sandbox.calls)
    for _ in range(20):
        await house.turn(MINUTE_MS)
    assert called(house, before) == []
    assert not house.client.tables.registry.present


async def test_its_computers_do_not_play_on_either(house: House):
    await house.against_a_computer(clock=300)
    version = house.session().table.snapshot.version
    await thrown_out(house)
    for _ in range(20):
        await house.turn(MINUTE_MS)
    assert (await house.client.tables.store.tables.get(1)).version == version


async def test_let_in_again_the_tables_go_on_with_the_time_that_was_left(house: House):
    await house.two_at_the_wall(clock=60)
    due = house.session().table.snapshot.info().due
    await house.turn(20_000)
    await thrown_out(house)
    await house.turn(45 * MINUTE_MS)
    await let_in(house)
    after = house.session().table.snapshot.info().due
    assert abs(after - due - 45 * MINUTE_MS) < 10_000 and house.pushes() == 0
    assert "away for 45 minutes" in house.public() and await house.shows()
    await house.turn(45_000)
    assert house.pushes() == 1


async def test_a_restart_while_thrown_out_counts_no_time_twice(house: House):
    await house.two_at_the_wall(clock=60)
    due = house.session().table.snapshot.info().due
    await house.turn(10_000)
    await house.restart(away_ms=5 * MINUTE_MS)
    await thrown_out(house)
    await house.turn(10 * MINUTE_MS)
    before = len(house.sandbox.calls)
    await house.stop()
    house.hands.turn(7 * MINUTE_MS)
    await start_outside(house)
    await house.turn(8 * MINUTE_MS)
    assert called(house, before) == []
    await let_in(house)
    after = house.session().table.snapshot.info().due
    assert house.pushes() == 0
    assert 0 <= after - due - 30 * MINUTE_MS < 2 * MINUTE_MS  # a busy machine takes its time meanwhile


async def start_outside(house: House) -> None:
    """Start the bot, which is on no server, and return when it has looked at all tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house, "_is_here", lambda: house.client.is_ready() or bool(house.client.shards))
        await house.start()
    await house.sandbox.until(lambda: int(house.guild.id) in house.client.tables.registry.out_of_reach)
    await house.settle()


async def test_thrown_out_while_the_bot_was_away_its_tables_stand_still_and_go_on_when_it_is_let_in(house: House):
    await house.two_at_the_wall(clock=60)
    await house.stop()
    house.sandbox.remove_bot(house.guild)
    house.hands.turn(10 * MINUTE_MS)
    before = len(house.sandbox.calls)
    await start_outside(house)
    await house.turn(10 * MINUTE_MS)
    assert called(house, before) == []
    await let_in(house)
    assert house.pushes() == 0 and await house.shows()
    await house.turn(61_000)
    assert house.pushes() == 1


async def test_a_lobby_outlasts_the_time_outside(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    await thrown_out(house)
    await house.turn(60 * MINUTE_MS)
    await let_in(house)
    assert house.session().table.snapshot.in_lobby and await house.shows()
    await house.press(house.ben, "Join")
    await house.press(house.ann, "Start")
    assert house.session().table.snapshot.playing


async def test_other_servers_play_on_while_the_bot_is_thrown_out_of_one(house: House):
    elsewhere = house.sandbox.add_guild("Sing Sing")
    cell = house.sandbox.add_channel(elsewhere, "cell")
    for person in (house.ann, house.ben):
        house.sandbox.join(person, elsewhere)
    await house.two_at_the_wall(clock=60)
    await house.ann.command(cell, "rope-wall start", clock=60)
    await house.press(house.ben, "Join", house.board(cell))
    await house.press(house.ann, "Start", house.board(cell))
    await house.settle()
    house.sandbox.remove_bot(house.guild)
    await house.sandbox.until(lambda: 1 not in house.client.tables.registry.present)
    await house.turn(61_000)
    assert house.pushes(2) == 1 and "pushed" in UserClient.visible_text(house.board(cell))


async def test_a_channel_deleted_while_the_bot_was_away_closes_its_tables(house: House):
    await house.two_at_the_wall()
    await house.stop()
    house.sandbox.remove_channel(house.yard)
    await house.start()
    await house.sandbox.until(lambda: house.client.is_ready())
    await house.sandbox.until(lambda: house.session().table.snapshot.row.status == "closed")
    before = len(house.sandbox.calls)
    await house.turn(10 * MINUTE_MS)
    assert called(house, before) == []


async def test_a_deleted_channel_that_nobody_told_of_closes_its_tables_at_first_use(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    await house.two_at_the_wall(clock=60)
    tables = house.client.tables
    monkeypatch.setattr(house.client, "on_guild_channel_delete", ignored)
    house.sandbox.remove_channel(house.yard)
    await house.turn(61_000)
    await house.settle()
    assert (await tables.store.tables.get(1)).status == "closed"
    before = len(house.sandbox.calls)
    await house.turn(10 * MINUTE_MS)
    assert called(house, before) == []


async def ignored(*_: object) -> None:
    """What Discord tells is lost."""


async def test_a_thread_in_the_archive_is_no_deleted_channel(house: House):
    thread = house.sandbox.add_thread(house.yard, "night")
    await house.sandbox.until(lambda: house.client.get_channel(int(thread.id)))
    await house.ann.command(thread, "rope-wall start")
    await house.settle()
    await house.stop()
    house.sandbox.archive(thread)
    before = len(house.sandbox.calls)
    await house.start()
    await house.sandbox.until(lambda: ("GET", "/channels/{channel_id}") in called(house, before))
    await house.settle()
    assert (await house.client.tables.store.tables.get(1)).status == "lobby"


async def test_a_server_that_comes_in_after_a_start_costs_no_look_into_the_database(house: House, monkeypatch):
    await house.two_at_the_wall()
    await house.restart()
    store: Any = house.client.tables.store
    reads, look = list[str](), store.database.read

    async def counted(sql: str, *values: object) -> list[Any]:
        reads.append(sql)
        return await look(sql, *values)

    monkeypatch.setattr(store.database, "read", counted)
    for _ in range(20):
        guild = house.client.get_guild(int(house.guild.id))
        assert guild is not None
        await house.client.guild_events.guild_available(guild)
    assert reads == []


async def test_an_unreachable_server_stands_still_until_it_is_there_again(house: House):
    await house.two_at_the_wall(clock=60)
    guild = house.client.get_guild(int(house.guild.id))
    house.client.dispatch("guild_unavailable", guild)
    await house.sandbox.until(lambda: not house.client.tables.registry.present)
    await house.turn(10 * MINUTE_MS)
    house.client.dispatch("guild_available", guild)
    await house.sandbox.until(lambda: 1 in house.client.tables.registry.present)
    await house.settle()
    assert house.pushes() == 0 and await house.shows()


async def test_commands_that_cannot_be_uploaded_at_the_start_are_tried_again_while_the_bot_serves(house: House, caplog):
    await house.two_at_the_wall()
    await house.stop()
    house.sandbox.fault("PUT", "/applications/{application_id}/commands", 503, times=3)
    await house.start()
    assert "upload of the commands failed" in caplog.text and "Traceback" not in caplog.text
    await house.client.tables.find(1)
    await house.push()
    assert house.pushes() == 1
    for _ in range(4):
        await house.turn(10_000)
    put = [call.status for call in house.sandbox.calls if call.method == "PUT"]
    assert put[-4:] == [503, 503, 503, 200]


async def test_others_come_in_between_while_the_clocks_of_many_tables_are_set(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    store = house.client.tables.store
    opened = [NewTable("rope_wall", 1, 2, 3, "{}", house.hands.now(), due=Moment(house.hands.now() + MINUTE_MS))] * 12
    for new in opened:
        await store.tables.create(new, [])
    seen: list[str] = []
    scheduler = house.client.tables.scheduler
    monkeypatch.setattr(guild_events, "AT_A_TIME", 3)
    monkeypatch.setattr(scheduler, "set", lambda table, what, due: seen.append(what))

    async def others() -> None:
        while True:
            seen.append(" ")
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    await house.client.guild_events.connected({1}, lambda guild: guild == 1)
    beside.cancel()
    in_one_go = [go for go in "".join(mark if mark == " " else mark[0] for mark in seen).split(" ") if go]
    assert sum(map(len, in_one_go)) == 24 and max(map(len, in_one_go)) < 6
