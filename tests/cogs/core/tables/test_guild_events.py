"""Servers and channels that disappear: their tables pause or close, no calls are made for them, and they
can continue.
"""

import asyncio
from typing import Any

import pytest

from cogs.core.app import serving
from cogs.core.ops.timers import Timer
from data.store import NewTable
from engine.contract import Moment
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness

MINUTE_MS = 60_000


def called(harness: BotHarness, since: int) -> list[tuple[str, str]]:
    """Return the calls since then, except those for connecting."""
    return [
        (call.method, call.template)
        for call in harness.sandbox.calls[since:]
        if call.template.startswith(("/channels", "/guilds")) or "messages" in call.template
    ]


async def thrown_out(harness: BotHarness) -> None:
    harness.sandbox.remove_bot(harness.guild)
    await harness.sandbox.until(lambda: int(harness.guild.id) in harness.client.tables.registry.out_of_reach)
    await harness.settle()


async def let_in(harness: BotHarness) -> None:
    harness.sandbox.invite_bot(harness.guild)
    await harness.sandbox.until(lambda: 1 in harness.client.tables.registry.present)
    await harness.settle()


@pytest.mark.parametrize("clock", [0, 60])
async def test_a_bot_that_was_thrown_out_calls_discord_no_more_for_the_tables_there(harness: BotHarness, clock: int):
    await harness.two_at_the_wall(clock=clock)
    await thrown_out(harness)
    before = len(harness.sandbox.calls)
    for _ in range(20):
        await harness.advance(MINUTE_MS)
    assert called(harness, before) == []
    assert not harness.client.tables.registry.present


async def test_its_computers_do_not_play_on_either(harness: BotHarness):
    await harness.against_a_computer(clock=300)
    version = harness.snapshot().version
    await thrown_out(harness)
    for _ in range(20):
        await harness.advance(MINUTE_MS)
    assert (await harness.client.store.tables.get(1)).version == version


async def test_after_the_bot_is_invited_again_tables_continue_with_the_time_that_was_left(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    due = harness.snapshot().info().due
    await harness.advance(20_000)
    await thrown_out(harness)
    await harness.advance(45 * MINUTE_MS)
    await let_in(harness)
    after = harness.snapshot().info().due
    assert abs(after - due - 45 * MINUTE_MS) < 10_000 and harness.pushes() == 0
    assert "offline for 45 minutes" in harness.public() and await harness.shows_latest()
    await harness.advance(45_000)
    assert harness.pushes() == 1


async def test_a_restart_while_thrown_out_counts_no_time_twice(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    due = harness.snapshot().info().due
    await harness.advance(10_000)
    await harness.restart(away_ms=5 * MINUTE_MS)
    await thrown_out(harness)
    await harness.advance(10 * MINUTE_MS)
    before = len(harness.sandbox.calls)
    await harness.stop()
    harness.clock.advance(7 * MINUTE_MS)
    await start_outside(harness)
    await harness.advance(8 * MINUTE_MS)
    assert called(harness, before) == []
    await let_in(harness)
    after = harness.snapshot().info().due
    assert harness.pushes() == 0
    assert 0 <= after - due - 30 * MINUTE_MS < 2 * MINUTE_MS  # a busy machine may be slow here


async def start_outside(harness: BotHarness) -> None:
    """Start the bot, which is on no server, and return when it has checked all tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(harness, "_is_here", lambda: harness.client.is_ready() or bool(harness.client.shards))
        await harness.start()
    await harness.sandbox.until(lambda: int(harness.guild.id) in harness.client.tables.registry.out_of_reach)
    await harness.settle()


async def test_tables_of_a_server_that_removed_the_bot_while_it_was_away_pause_until_it_returns(
    harness: BotHarness,
):
    await harness.two_at_the_wall(clock=60)
    await harness.stop()
    harness.sandbox.remove_bot(harness.guild)
    harness.clock.advance(10 * MINUTE_MS)
    before = len(harness.sandbox.calls)
    await start_outside(harness)
    await harness.advance(10 * MINUTE_MS)
    assert called(harness, before) == []
    await let_in(harness)
    assert harness.pushes() == 0 and await harness.shows_latest()
    await harness.advance(61_000)
    assert harness.pushes() == 1


async def test_a_lobby_outlasts_the_time_outside(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    await thrown_out(harness)
    await harness.advance(60 * MINUTE_MS)
    await let_in(harness)
    assert harness.snapshot().in_lobby and await harness.shows_latest()
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Start")
    assert harness.snapshot().playing


async def test_other_servers_play_on_while_the_bot_is_thrown_out_of_one(harness: BotHarness):
    elsewhere = harness.sandbox.add_guild("Sing Sing")
    cell = harness.sandbox.add_channel(elsewhere, "cell")
    for person in (harness.ann, harness.ben):
        harness.sandbox.join(person, elsewhere)
    await harness.two_at_the_wall(clock=60)
    await harness.ann.command(cell, "rope-wall start", clock=60)
    await harness.press(harness.ben, "Join", harness.board(cell))
    await harness.press(harness.ann, "Start", harness.board(cell))
    await harness.settle()
    harness.sandbox.remove_bot(harness.guild)
    await harness.sandbox.until(lambda: 1 not in harness.client.tables.registry.present)
    await harness.advance(61_000)
    assert harness.pushes(2) == 1 and "pushed" in UserClient.visible_text(harness.board(cell))


async def test_a_channel_deleted_while_the_bot_was_away_closes_its_tables(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.stop()
    harness.sandbox.remove_channel(harness.yard)
    await harness.start()
    await harness.sandbox.until(lambda: harness.client.is_ready())
    await harness.sandbox.until(lambda: harness.snapshot().row.status == "closed")
    before = len(harness.sandbox.calls)
    await harness.advance(10 * MINUTE_MS)
    assert called(harness, before) == []


async def test_a_channel_deleted_without_an_event_closes_its_tables_at_first_use(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall(clock=60)
    monkeypatch.setitem(harness.client.extra_events, "on_guild_channel_delete", [])  # Discord's event is lost
    harness.sandbox.remove_channel(harness.yard)
    await harness.advance(61_000)
    await harness.settle()
    assert (await harness.client.store.tables.get(1)).status == "closed"
    before = len(harness.sandbox.calls)
    await harness.advance(10 * MINUTE_MS)
    assert called(harness, before) == []


async def test_a_thread_in_the_archive_is_no_deleted_channel(harness: BotHarness):
    thread = harness.sandbox.add_thread(harness.yard, "night")
    await harness.sandbox.until(lambda: harness.client.get_channel(int(thread.id)))
    await harness.ann.command(thread, "rope-wall start")
    await harness.settle()
    await harness.stop()
    harness.sandbox.archive(thread)
    before = len(harness.sandbox.calls)
    await harness.start()
    await harness.sandbox.until(lambda: ("GET", "/channels/{channel_id}") in called(harness, before))
    await harness.settle()
    assert (await harness.client.store.tables.get(1)).status == "lobby"


async def test_a_server_that_comes_in_after_a_start_costs_no_look_into_the_database(harness: BotHarness, monkeypatch):
    await harness.two_at_the_wall()
    await harness.restart()
    store: Any = harness.client.store
    reads, look = list[str](), store.database.read

    async def counted(sql: str, *values: object) -> list[Any]:
        reads.append(sql)
        return await look(sql, *values)

    monkeypatch.setattr(store.database, "read", counted)
    for _ in range(20):
        guild = harness.client.get_guild(int(harness.guild.id))
        assert guild is not None
        await harness.client.guild_events.on_guild_available(guild)
    assert reads == []


async def test_tables_of_an_unavailable_server_pause_until_it_is_available_again(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    guild = harness.client.get_guild(int(harness.guild.id))
    harness.client.dispatch("guild_unavailable", guild)
    await harness.sandbox.until(lambda: not harness.client.tables.registry.present)
    await harness.advance(10 * MINUTE_MS)
    harness.client.dispatch("guild_available", guild)
    await harness.sandbox.until(lambda: 1 in harness.client.tables.registry.present)
    await harness.settle()
    assert harness.pushes() == 0 and await harness.shows_latest()


async def test_commands_that_cannot_be_uploaded_at_the_start_are_tried_again_while_the_bot_serves(
    harness: BotHarness, caplog
):
    await harness.two_at_the_wall()
    await harness.stop()
    harness.sandbox.fault("PUT", "/applications/{application_id}/commands", 503, times=3)
    await harness.start()
    assert "upload of the commands failed" in caplog.text and "Traceback" not in caplog.text
    await harness.client.inbound.finder.find(1)
    await harness.push()
    assert harness.pushes() == 1
    for _ in range(4):
        await harness.advance(10_000)
    put = [call.status for call in harness.sandbox.calls if call.method == "PUT"]
    assert put[-4:] == [503, 503, 503, 200]


async def test_others_come_in_between_while_the_clocks_of_many_tables_are_set(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    store = harness.client.store
    opened = [
        NewTable("rope_wall", 1, 2, 3, "{}", harness.clock.now(), due=Moment(harness.clock.now() + MINUTE_MS))
    ] * 12
    for new in opened:
        await store.tables.create(new, [])
    seen: list[str] = []
    monkeypatch.setattr(serving, "AT_A_TIME", 3)
    monkeypatch.setattr(Timer, "set", lambda timer, table, due: seen.append(timer.name))

    async def others() -> None:
        while True:
            seen.append(" ")
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    await harness.client.serving.serve({1}, lambda guild: guild == 1)
    beside.cancel()
    in_one_go = [go for go in "".join(mark if mark == " " else mark[0] for mark in seen).split(" ") if go]
    assert sum(map(len, in_one_go)) == 24 and max(map(len, in_one_go)) < 6
