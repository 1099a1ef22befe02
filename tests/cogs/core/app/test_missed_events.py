"""Changes of a server of which Discord tells in a roundabout way, or of which the library keeps nothing."""

from collections.abc import Sequence

import pytest

from data.store import TableRow
from sandbox import Channel
from tests.cogs.core.app.test_closed_channels import paused
from tools.harness.bot_harness import BotHarness

MINUTE_MS, HOUR_MS = 60_000, 3_600_000


async def in_thread(harness: BotHarness, *, clock: int = 0, own: bool = False) -> Channel:
    """Start the Rope Wall in a thread, which is Ben's or the bot's own."""
    yard = harness.yard
    owner = None if own else harness.ben
    harness.yard = harness.sandbox.add_thread(yard, "night", owner)
    await harness.sandbox.until(lambda: harness.client.get_channel(int(harness.yard.id)))
    await harness.two_at_the_wall(clock=clock)
    thread, harness.yard = harness.yard, yard
    return thread


async def archived(harness: BotHarness, thread: Channel) -> None:
    """Let Discord archive a thread, and wait until the library has dropped it."""
    harness.sandbox.archive(thread)
    await harness.sandbox.until(lambda: harness.client.get_channel(int(thread.id)) is None)
    await harness.settle()


# Roles


async def test_a_role_that_silenced_the_bot_and_is_deleted_lets_its_tables_go_on_at_once(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    silenced = harness.sandbox.add_role(harness.guild, "Silenced")
    harness.sandbox.deny(harness.yard, "send_messages", who=silenced)
    harness.sandbox.give_role(harness.guild, silenced)
    assert (await paused(harness, True)).row.paused_by == "permissions"
    harness.sandbox.remove_role(harness.guild, silenced)
    await paused(harness, False)


async def test_the_clocks_stop_when_the_role_is_deleted_that_let_the_bot_write(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    hosts = harness.sandbox.add_role(harness.guild, "Hosts")
    harness.sandbox.give_role(harness.guild, hosts)
    harness.sandbox.allow(harness.yard, "send_messages", who=hosts)
    everyone = harness.guild.roles[harness.guild.id]
    harness.sandbox.deny(harness.yard, "send_messages", who=everyone)
    await harness.advance(1_000)
    assert not harness.snapshot().paused
    harness.sandbox.remove_role(harness.guild, hosts)
    table = await paused(harness, True)
    await harness.advance(5 * MINUTE_MS)
    assert all(seat.lapses == 0 for seat in table.seats) and harness.pushes() == 0


# Threads


@pytest.mark.parametrize("own", [True, False], ids=["its own thread", "a thread of somebody"])
async def test_a_table_whose_thread_was_archived_is_shown_there_with_the_next_move(harness: BotHarness, own: bool):
    thread = await in_thread(harness, own=own)
    await harness.without_tokens()
    await archived(harness, thread)
    await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")
    await harness.settle()
    assert harness.pushes() == 1 and await harness.shows_latest() and not thread.archived
    assert harness.messages().message.trouble is None


async def test_a_game_that_is_over_brings_no_thread_out_of_the_archive(harness: BotHarness):
    thread = await in_thread(harness)
    await harness.resign(harness.ann)
    await harness.settle()
    await harness.without_tokens()
    await archived(harness, thread)
    harness.messages().message.invalidate()
    await harness.settle()
    assert thread.archived


async def test_a_mention_in_a_thread_that_was_archived_meanwhile_goes_with_a_later_turn(harness: BotHarness):
    thread = await in_thread(harness)
    await harness.advance(MINUTE_MS)
    mentions = [m for m in harness.sandbox.messages(thread) if m["content"].startswith("<@")]
    assert len(mentions) == 1
    await harness.without_tokens()
    await archived(harness, thread)
    for number in range(2):
        await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")
        await harness.settle()
        assert harness.pushes() == number + 1
    assert harness.sandbox.message(mentions[0]) is None


@pytest.mark.parametrize("restarted", [False, True])
async def test_in_a_thread_that_is_archived_and_locked_clocks_stop_until_it_is_opened(
    harness: BotHarness, restarted: bool
):
    thread = await in_thread(harness, clock=60)
    await harness.advance(1_000)
    if restarted:
        await harness.stop()
    harness.sandbox.lock(thread)
    harness.sandbox.archive(thread)
    if restarted:
        await harness.start()
    table = await paused(harness, True)
    assert table.row.paused_by == "locked"
    await harness.advance(5 * MINUTE_MS)
    assert all(seat.lapses == 0 for seat in table.seats) and harness.pushes() == 0
    harness.sandbox.lock(thread, locked=False)
    harness.sandbox.archive(thread, False)
    await paused(harness, False)


async def test_a_bot_that_manages_threads_plays_on_in_a_locked_archived_one(harness: BotHarness):
    thread = await in_thread(harness)
    harness.sandbox.allow(harness.yard, "manage_threads")
    await harness.without_tokens()
    harness.sandbox.lock(thread)
    await archived(harness, thread)
    await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")
    await harness.settle()
    assert harness.pushes() == 1 and not harness.snapshot().paused and await harness.shows_latest()


async def test_out_of_a_private_thread_clocks_stop_and_go_on_once_the_bot_is_let_in_again(harness: BotHarness):
    yard = harness.yard
    harness.yard = harness.sandbox.add_thread(yard, "cell", harness.ann, harness.ben, private=True)
    await harness.sandbox.until(lambda: harness.client.get_channel(int(harness.yard.id)))
    await harness.two_at_the_wall(clock=60)
    harness.sandbox.remove_from_thread(harness.yard)
    table = await paused(harness, True)
    await harness.advance(20 * MINUTE_MS)
    harness.sandbox.add_to_thread(harness.yard)
    after = await paused(harness, False)
    assert all(seat.lapses == 0 for seat in after.seats) and after.view(None) == table.view(None)


async def test_a_channel_that_is_deleted_takes_the_tables_of_its_archived_threads_along(harness: BotHarness):
    thread = await in_thread(harness)
    await archived(harness, thread)
    harness.sandbox.remove_channel(harness.yard)

    async def status() -> str:
        row = await harness.client.store.tables.get(1)
        assert row is not None
        return row.status

    for _ in range(20):
        await harness.advance(25)
        if await status() == "closed":
            break
    assert await status() == "closed"


# Messages


@pytest.mark.parametrize("asleep", [False, True], ids=["in memory", "not in memory"])
@pytest.mark.parametrize("purged", [False, True], ids=["one message", "all messages"])
async def test_the_message_of_a_running_game_that_somebody_deletes_is_posted_again(
    harness: BotHarness, purged: bool, asleep: bool
):
    await harness.two_at_the_wall(clock=0 if asleep else 3_600)
    before = harness.board()["id"]
    if asleep:
        await harness.restart()
        assert 1 not in harness.client.tables.registry.present
    if purged:
        harness.sandbox.purge(harness.yard)
    else:
        await harness.ann.delete(harness.board())
    await harness.sandbox.until(lambda: harness.board()["id"] != before)
    await harness.settle()
    assert await harness.shows_latest()
    await harness.push()
    await harness.settle()
    assert harness.pushes() == 1 and await harness.shows_latest()


async def test_a_bot_that_deletes_whatever_is_posted_is_answered_once_in_each_position(harness: BotHarness):
    await harness.two_at_the_wall()

    def posted() -> int:
        return len([call for call in harness.sandbox.calls if call.template == "/channels/{channel_id}/messages"])

    before = posted()
    for _ in range(4):
        for message in harness.sandbox.messages(harness.yard):
            await harness.ann.delete(message)
        for _ in range(10):
            await harness.advance(25)
    assert posted() == before + 1
    await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")
    await harness.settle()
    assert await harness.shows_latest()


async def test_a_lobby_that_a_moderator_deletes_is_not_posted_again(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    await harness.ann.delete(harness.board())
    for _ in range(10):
        await harness.advance(25)
    assert [m for m in harness.sandbox.messages(harness.yard) if m["components"] and not m["flags"] & 64] == []


async def test_a_message_deleted_where_no_table_is_asks_nothing_of_the_database(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    other = harness.sandbox.add_channel(harness.guild, "other")
    asked, tables = list[int](), harness.client.store.tables
    find = tables.in_channel

    async def in_channel(channel: int) -> Sequence[TableRow]:
        asked.append(channel)
        return await find(channel)

    monkeypatch.setattr(tables, "in_channel", in_channel)
    for place in (other, harness.yard):
        said = await harness.ben.say(place, "Never mind.")
        await harness.ben.delete(said)
    await harness.sandbox.until(lambda: asked)
    await harness.settle()
    assert asked == [int(harness.yard.id)]


# Servers


@pytest.mark.parametrize("thread", [False, True])
async def test_what_was_refused_before_the_bot_was_removed_stops_no_table_when_it_is_added_again(
    harness: BotHarness, thread: bool
):
    if thread:
        await in_thread(harness, clock=300)
    else:
        await harness.two_at_the_wall(clock=300)
    await harness.without_tokens()
    edit = "/channels/{channel_id}/messages/{message_id}"
    harness.sandbox.fault("PATCH", edit, 403, body={"code": 50001, "message": "Missing Access"})
    harness.messages().message.invalidate()
    assert (await paused(harness, True)).row.paused_by == "permissions"
    out = harness.client.tables.registry.out_of_reach
    harness.sandbox.remove_bot(harness.guild)
    await harness.sandbox.until(lambda: int(harness.guild.id) in out)
    await harness.settle()
    harness.sandbox.invite_bot(harness.guild)
    await harness.sandbox.until(lambda: int(harness.guild.id) not in out)
    await paused(harness, False)


# The server's language


async def test_tables_are_shown_in_the_new_language_of_a_server(harness: BotHarness):
    await harness.two_at_the_wall()
    english = harness.public()
    harness.sandbox.set_locale(harness.guild, "de")
    await harness.sandbox.until(lambda: harness.public() != english)
    await harness.settle()
    assert await harness.shows_latest()


# Voice channels


async def test_no_table_is_opened_in_a_voice_channel_whose_messages_are_hidden_from_the_bot(harness: BotHarness):
    bar = harness.sandbox.add_channel(harness.guild, "bar", voice=True)
    harness.sandbox.deny(bar, "connect")
    refused = await harness.ann.command(bar, "rope-wall start")
    assert "Connect" in refused.text and await harness.client.store.tables.open() == []
    harness.sandbox.allow(bar, "connect")
    assert "Table 1" in (await harness.ann.command(bar, "rope-wall start")).text


async def test_clocks_stop_in_a_voice_channel_to_which_the_bot_may_not_connect_any_more(harness: BotHarness):
    harness.yard = harness.sandbox.add_channel(harness.guild, "bar", voice=True)
    await harness.two_at_the_wall(clock=60)
    harness.sandbox.deny(harness.yard, "connect")
    assert (await paused(harness, True)).row.paused_by == "permissions"
    harness.sandbox.allow(harness.yard, "connect")
    await paused(harness, False)
