"""Tables in their own threads: the thread, the line that remains in the channel, and missing permissions."""

import asyncio
from typing import Any

import discord
import pytest

from cogs.core.ops.timers import RETRY_FROM_MS
from sandbox import Channel, UserClient
from tests.cogs.core.test_full_disk import Disk, disk
from tools.harness.bot_harness import BotHarness

__all__ = ["disk"]  # a fixture


async def threads_on(harness: BotHarness) -> None:
    await harness.ann.command(harness.yard, "settings threads", use="on")


def thread(harness: BotHarness) -> Channel:
    """Return the only thread of the yard."""
    (found,) = [place for place in harness.guild.channels.values() if place.parent is harness.yard]
    return found


def line(harness: BotHarness) -> dict[str, Any]:
    """Return the line that remains in the channel."""
    (found,) = [m for m in harness.sandbox.messages(harness.yard) if m["components"] and not m["flags"] & 64]
    return found


async def opened(harness: BotHarness) -> Channel:
    await threads_on(harness)
    await harness.ann.command(harness.yard, "rope-wall start", clock=0)
    await harness.settle()
    return thread(harness)


async def test_a_table_gets_a_thread_named_by_game_and_number_and_the_channel_keeps_one_line(harness: BotHarness):
    place = await opened(harness)
    assert place.name == "Breakout: the Rope Wall · table 1"
    assert "Join" in UserClient.visible_text(harness.board(place))
    said = UserClient.visible_text(line(harness))
    assert f"<#{place.id}>" in said and "Ann" in said and "1/2 players" in said


async def test_the_opener_gets_a_private_link_to_the_table(harness: BotHarness):
    await threads_on(harness)
    answer = await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    assert f"<#{thread(harness).id}>" in answer.text and answer.message["flags"] & 64


async def test_the_thread_header_has_a_join_button_and_shows_how_the_game_ended(harness: BotHarness):
    place = await opened(harness)
    joined = await harness.press(harness.ben, "Join", line(harness))
    await harness.settle()
    assert f"<#{place.id}>" in joined.text and joined.message["flags"] & 64
    assert "Ben" in UserClient.visible_text(harness.board(place)) and "2/2 players" in UserClient.visible_text(
        line(harness)
    )
    await harness.press(harness.ann, "Start", harness.board(place))
    await harness.settle()
    assert "Playing: " in UserClient.visible_text(line(harness)) and not UserClient.buttons(line(harness))
    await harness.resign(harness.ben, channel=place)
    await harness.settle()
    assert "wins" in UserClient.visible_text(line(harness))


async def test_a_thread_header_that_could_not_be_edited_shows_the_end_when_discord_is_back(harness: BotHarness):
    place = await opened(harness)
    await harness.press(harness.ben, "Join", line(harness))
    await harness.settle()
    await harness.press(harness.ann, "Start", harness.board(place))
    await harness.settle()
    harness.sandbox.fault("PATCH", f"/channels/{harness.yard.id}/messages/*", 503, times=2)
    await harness.resign(harness.ben, channel=place)
    await harness.settle()
    assert "Playing: " in UserClient.visible_text(line(harness))
    await harness.advance(RETRY_FROM_MS)
    assert "Playing: " in UserClient.visible_text(line(harness))
    await harness.advance(2 * RETRY_FROM_MS)
    assert "wins" in UserClient.visible_text(line(harness))


@pytest.mark.parametrize("crash", [True, False])
async def test_a_thread_header_not_edited_before_a_stop_shows_the_end_after_the_next_start(
    harness: BotHarness, crash: bool
):
    place = await opened(harness)
    await harness.press(harness.ben, "Join", line(harness))
    await harness.settle()
    await harness.press(harness.ann, "Start", harness.board(place))
    await harness.settle()
    harness.sandbox.fault("PATCH", f"/channels/{harness.yard.id}/messages/*", 503, times=1_000)
    await harness.resign(harness.ben, channel=place)
    await harness.settle()
    assert await harness.shows_latest()
    await harness.client.publishing.shown_revisions.write()
    await (harness.kill() if crash else harness.stop())
    harness.sandbox.mend()
    await harness.start()
    await harness.advance(2_000)
    assert "wins" in UserClient.visible_text(line(harness))


async def test_a_page_in_the_channel_is_out_of_sight_of_a_thread_so_a_refusal_there_is_an_answer_of_its_own(
    harness: BotHarness,
):
    place = await opened(harness)
    await harness.press(harness.ben, "Join", line(harness))
    await harness.settle()
    await harness.press(harness.ann, "Start", harness.board(place))
    await harness.settle()
    if harness.awaited() is harness.ben:
        await harness.ben.press(harness.board(place), harness.controls("push", harness.board(place))[0])
        await harness.settle()
    (page,) = harness.ben.ephemerals(harness.yard)
    assert int(page["id"]) > int(harness.board(place)["id"])
    await harness.ben.press(harness.board(place), harness.controls("push", harness.board(place))[0])
    await harness.settle()
    (told,) = harness.ben.ephemerals(place)
    assert UserClient.visible_text(told).startswith("⚠ It's")


async def test_the_thread_header_shows_what_happened_while_the_thread_was_archived(harness: BotHarness):
    place = await opened(harness)
    harness.sandbox.archive(place)
    await harness.sandbox.until(lambda: harness.client.get_channel(int(place.id)) is None)
    await harness.press(harness.ben, "Join", line(harness))
    await harness.settle()
    harness.sandbox.archive(place, False)
    await harness.sandbox.until(lambda: "2/2 players" in UserClient.visible_text(line(harness)))


async def test_joining_by_the_thread_header_twice_or_too_late_is_explained(harness: BotHarness):
    place = await opened(harness)
    before = line(harness)
    assert "already have a seat" in (await harness.press(harness.ann, "Join", before)).text
    await harness.press(harness.ben, "Join", before)
    assert "full" in (await harness.press(harness.cleo, "Join", before)).text
    await harness.settle()
    await harness.press(harness.ann, "Start", harness.board(place))
    assert "already started" in (await harness.press(harness.cleo, "Join", before)).text


async def test_the_line_goes_on_after_a_restart(harness: BotHarness):
    place = await opened(harness)
    await harness.restart()
    await harness.press(harness.ben, "Join", line(harness))
    await harness.settle()
    asked = await harness.press(harness.ann, "Close the table", harness.board(place))
    await harness.press(harness.ann, "Close it", asked)
    await harness.settle()
    assert "closed" in UserClient.visible_text(line(harness)) and not UserClient.buttons(line(harness))


async def test_without_the_permission_the_table_is_in_the_channel_and_the_opener_reads_why(harness: BotHarness):
    await threads_on(harness)
    harness.sandbox.deny(harness.yard, "CREATE_PUBLIC_THREADS")
    answer = await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    assert "Create Public Threads" in answer.text and answer.message["flags"] & 64
    assert "Table 1" in harness.public()
    doctor = await harness.ann.command(harness.yard, "doctor")
    assert "✗ **Create Public Threads** is missing" in doctor.text


async def test_where_discord_refuses_the_thread_nothing_is_left_of_it(harness: BotHarness):
    await threads_on(harness)
    harness.sandbox.fault("POST", "*/threads", 403)
    answer = await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    assert "is in the channel itself" in answer.text
    assert "Table 1" in UserClient.visible_text(line(harness))  # the only message


def left(harness: BotHarness) -> tuple[int, int]:
    """Return the number of threads of the yard, and of the public messages in it."""
    places = [place for place in harness.guild.channels.values() if place.parent is harness.yard]
    return len(places), len([m for m in harness.sandbox.messages(harness.yard) if not m["flags"] & 64])


async def test_a_table_that_the_limits_refuse_leaves_neither_a_thread_nor_a_line(harness: BotHarness):
    await harness.ann.command(harness.yard, "settings limit", of="person", tables=1)
    await opened(harness)
    before = left(harness)
    for _ in range(3):
        refused = await harness.ann.command(harness.yard, "rope-wall start")
        await harness.settle()
        assert "which is the limit" in refused.text and refused.message["flags"] & 64
    assert left(harness) == before == (1, 1)


async def test_tables_opened_together_beyond_the_limit_leave_neither_threads_nor_headers(harness: BotHarness):
    await harness.ann.command(harness.yard, "settings limit", of="person", tables=1)
    await threads_on(harness)
    harness.sandbox.allow(harness.yard, "MANAGE_THREADS")
    answers = await asyncio.gather(*(harness.ann.command(harness.yard, "rope-wall start") for _ in range(4)))
    await harness.settle()
    assert sum("which is the limit" in answer.text for answer in answers) == 3
    assert left(harness) == (1, 1) and f"<#{thread(harness).id}>" in UserClient.visible_text(line(harness))


async def test_where_threads_may_not_be_deleted_one_without_a_table_goes_into_the_archive(
    harness: BotHarness, disk: Disk
):
    await threads_on(harness)
    disk.fill()
    answer = await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    assert "nothing was done" in answer.text and thread(harness).archived and left(harness) == (1, 0)
    disk.empty()
    harness.sandbox.allow(harness.yard, "MANAGE_THREADS")
    disk.fill()
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    assert left(harness) == (1, 0)


async def test_play_also_explains_why_there_is_no_thread(harness: BotHarness):
    await threads_on(harness)
    harness.sandbox.fault("POST", "*/threads", 403)
    game = await harness.ben.press(await harness.ben.command(harness.yard, "play"), label="Prison Break")
    await harness.ben.press(game, label="Open a table for others")
    await harness.settle()
    door, _ = map(UserClient.visible_text, harness.ben.ephemerals(harness.yard))
    assert "Table 1 is below" in door and "⚠ Your table is in the channel itself" in door


async def test_a_rematch_is_played_in_the_same_thread(harness: BotHarness):
    place = await opened(harness)
    await harness.press(harness.ben, "Join", line(harness))
    await harness.settle()
    await harness.press(harness.ann, "Start", harness.board(place))
    await harness.resign(harness.ben, channel=place)
    await harness.settle()
    end = harness.board(place)
    for who in (harness.ann, harness.ben):
        await harness.press(who, "Rematch", harness.sandbox.message(end))
        await harness.settle()
    rematch = harness.snapshot(2).row
    assert (rematch.channel, rematch.parent) == (int(place.id), int(harness.yard.id))
    assert "table 2" in UserClient.visible_text(line(harness))


async def test_a_thread_that_is_deleted_closes_its_table(harness: BotHarness):
    place = await opened(harness)
    harness.sandbox.remove_channel(place)
    await harness.ann.until(lambda: harness.snapshot().row.status == "closed")


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("archived", [False, True])
async def test_the_line_in_the_channel_offers_no_seat_once_the_thread_is_deleted(
    harness: BotHarness, archived: bool, restarted: bool
):
    place = await opened(harness)
    if restarted:
        await harness.restart()
    if archived:
        harness.sandbox.archive(place)
        await harness.sandbox.until(lambda: harness.client.get_channel(int(place.id)) is None)
    harness.sandbox.remove_channel(place)
    await harness.sandbox.until(lambda: "closed" in UserClient.visible_text(line(harness)))
    assert "Join" not in UserClient.visible_text(line(harness))


async def test_a_deleted_thread_that_the_bot_did_not_open_costs_one_call_that_finds_no_line(harness: BotHarness):
    place = harness.sandbox.add_thread(harness.yard, "night", harness.ben)
    await harness.sandbox.until(lambda: harness.client.get_channel(int(place.id)))
    await harness.ann.command(place, "rope-wall start", clock=0)
    await harness.settle()
    before = len(harness.sandbox.calls)
    harness.sandbox.archive(place)
    await harness.sandbox.until(lambda: len(harness.sandbox.calls) > before)
    harness.sandbox.remove_channel(place)
    await harness.sandbox.until(lambda: harness.snapshot().row.status == "closed")
    await harness.settle()
    for _ in range(20):
        await harness.advance(60_000)
    (call,) = harness.sandbox.calls[before:]
    assert (call.method, call.status) == ("PATCH", 404) and str(harness.yard.id) in call.path


async def test_a_table_opened_in_an_existing_thread_has_no_thread_header(harness: BotHarness):
    await threads_on(harness)
    night = harness.sandbox.add_thread(harness.yard, "night", harness.ben)
    await harness.ann.until(lambda: isinstance(harness.client.get_channel(int(night.id)), discord.Thread))
    await harness.ann.command(night, "rope-wall start")
    await harness.settle()
    assert "Table 1" in UserClient.visible_text(harness.board(night))
    assert not [m for m in harness.sandbox.messages(harness.yard) if m["components"] and not m["flags"] & 64]


async def test_the_door_leads_into_threads_too(harness: BotHarness):
    await opened(harness)
    games = await harness.ben.command(harness.yard, "play")
    page = await harness.ben.press(games, label="Join table 1")
    await harness.settle()
    assert "You have a seat here" in page.text and "2/2 players" in UserClient.visible_text(line(harness))


# Rematches and commands


async def playing(harness: BotHarness) -> Channel:
    """Start a game of Ann and Ben in its own thread."""
    place = await opened(harness)
    await harness.press(harness.ben, "Join", line(harness))
    await harness.settle()
    await harness.press(harness.ann, "Start", harness.board(place))
    await harness.settle()
    return place


async def over_in_thread(harness: BotHarness) -> Channel:
    """Finish a game of Ann and Ben in its own thread."""
    place = await playing(harness)
    await harness.resign(harness.ben, channel=place)
    await harness.settle()
    return place


def offers(harness: BotHarness) -> list[dict[str, Any]]:
    """Return the messages of the channel in which one can join."""
    return [m for m in harness.sandbox.messages(harness.yard) if "thread-join" in str(m["components"])]


async def test_a_rematch_that_is_open_to_everybody_offers_a_seat_in_the_channel_of_its_thread(harness: BotHarness):
    place = await over_in_thread(harness)
    end = harness.board(place)
    await harness.press(harness.ann, "Rematch", end)
    await harness.settle()
    assert not offers(harness)
    await harness.press(harness.ann, "Let others join", harness.sandbox.message(end["id"]))
    await harness.settle()
    offer = offers(harness)[-1]
    words = UserClient.visible_text(offer)
    assert int(offer["id"]) > int(place.id) and "Rematch of table 1" in words
    assert "Ann" not in words and "players" not in words, "who sits there changes, and this message does not"
    joined = await harness.press(harness.cleo, "Join", offer)
    assert f"<#{place.id}>" in joined.text
    await harness.settle()
    await harness.press(harness.ann, "Start", harness.board(place))
    await harness.settle()
    assert not offers(harness)


async def test_the_page_of_a_finished_game_names_the_place_where_it_was_played(harness: BotHarness):
    place = await playing(harness)
    await harness.resign(harness.ben, channel=place)
    page = await harness.ben.forge(harness.board(place), "cb:1:0:hand:")
    assert f"<#{place.id}>" in page.text and "the channel" not in page.text


async def test_a_command_in_the_channel_finds_the_one_game_in_its_thread(harness: BotHarness):
    await playing(harness)
    answer = await harness.resign(harness.ben)
    assert "wins!" in answer.text
    assert "not playing this game" in (await harness.cleo.command(harness.yard, "rope-wall resign")).text


async def test_a_command_with_several_games_elsewhere_links_to_each(harness: BotHarness):
    court = harness.sandbox.add_channel(harness.guild, "court")
    for _ in range(2):
        await harness.ann.command(court, "rope-wall start", computer="rookie", clock=0)
        await harness.settle()
    told = (await harness.ann.command(harness.yard, "rope-wall resign")).text
    assert told.count(f"/{court.id}/") == 2 and "one with `table`" in told
