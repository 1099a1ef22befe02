"""Tables in threads of their own: the thread, the line that the channel keeps, and where it is forbidden."""

import asyncio
from typing import Any

import discord

from cogs.core.ops.timers import RETRY_FROM_MS
from sandbox import Channel, UserClient
from tests.cogs.core.test_full_disk import Disk, disk
from tools.harness.bot_harness import House

__all__ = ["disk"]  # a fixture


async def threads_on(house: House) -> None:
    await house.ann.command(house.yard, "settings threads", use="on")


def thread(house: House) -> Channel:
    """The one thread of the yard."""
    (found,) = [place for place in house.guild.channels.values() if place.parent is house.yard]
    return found


def line(house: House) -> dict[str, Any]:
    """The line that the channel keeps."""
    (found,) = [m for m in house.sandbox.messages(house.yard) if m["components"] and not m["flags"] & 64]
    return found


async def opened(house: House) -> Channel:
    await threads_on(house)
    await house.ann.command(house.yard, "rope-wall start", clock=0)
    await house.settle()
    return thread(house)


async def test_a_table_gets_a_thread_named_by_game_and_number_and_the_channel_keeps_one_line(house: House):
    place = await opened(house)
    assert place.name == "Breakout: the Rope Wall · table 1"
    assert "Join" in UserClient.visible_text(house.board(place))
    said = UserClient.visible_text(line(house))
    assert f"<#{place.id}>" in said and "Ann" in said and "1 of 2 players" in said


async def test_the_opener_is_told_privately_where_the_table_is(house: House):
    await threads_on(house)
    answer = await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    assert f"<#{thread(house).id}>" in answer.text and answer.message["flags"] & 64


async def test_the_line_lets_people_join_and_tells_how_it_ended(house: House):
    place = await opened(house)
    joined = await house.press(house.ben, "Join", line(house))
    await house.settle()
    assert f"<#{place.id}>" in joined.text and joined.message["flags"] & 64
    assert "Ben" in UserClient.visible_text(house.board(place)) and "2 of 2" in UserClient.visible_text(line(house))
    await house.press(house.ann, "Start", house.board(place))
    await house.settle()
    assert "play." in UserClient.visible_text(line(house)) and not UserClient.buttons(line(house))
    await house.ben.command(place, "rope-wall resign")
    await house.settle()
    assert "wins" in UserClient.visible_text(line(house))


async def test_a_line_that_could_not_be_edited_tells_how_it_ended_when_discord_is_back(house: House):
    place = await opened(house)
    await house.press(house.ben, "Join", line(house))
    await house.settle()
    await house.press(house.ann, "Start", house.board(place))
    await house.settle()
    house.sandbox.fault("PATCH", f"/channels/{house.yard.id}/messages/*", 503, times=2)
    await house.ben.command(place, "rope-wall resign")
    await house.settle()
    assert "play." in UserClient.visible_text(line(house))
    await house.turn(RETRY_FROM_MS)
    assert "play." in UserClient.visible_text(line(house))
    await house.turn(2 * RETRY_FROM_MS)
    assert "wins" in UserClient.visible_text(line(house))


async def test_a_page_in_the_channel_is_out_of_sight_of_a_thread_so_a_refusal_there_is_an_answer_of_its_own(
    house: House,
):
    place = await opened(house)
    await house.press(house.ben, "Join", line(house))
    await house.settle()
    await house.press(house.ann, "Start", house.board(place))
    await house.settle()
    if house.awaited() is house.ben:
        await house.ben.press(house.board(place), house.controls("push", house.board(place))[0])
        await house.settle()
    (page,) = house.ben.ephemerals(house.yard)
    assert int(page["id"]) > int(house.board(place)["id"])
    await house.ben.press(house.board(place), house.controls("push", house.board(place))[0])
    await house.settle()
    (told,) = house.ben.ephemerals(place)
    assert UserClient.visible_text(told).startswith("⚠ It is")


async def test_the_line_tells_what_has_happened_while_the_thread_was_in_the_archive(house: House):
    place = await opened(house)
    house.sandbox.archive(place)
    await house.sandbox.until(lambda: house.client.get_channel(int(place.id)) is None)
    await house.press(house.ben, "Join", line(house))
    await house.settle()
    house.sandbox.archive(place, False)
    await house.sandbox.until(lambda: "2 of 2" in UserClient.visible_text(line(house)))


async def test_joining_by_the_line_twice_or_too_late_is_told(house: House):
    place = await opened(house)
    before = line(house)
    assert "already sit" in (await house.press(house.ann, "Join", before)).text
    await house.press(house.ben, "Join", before)
    assert "full" in (await house.press(house.cleo, "Join", before)).text
    await house.press(house.ann, "Start", house.board(place))
    assert "already begun" in (await house.press(house.cleo, "Join", before)).text


async def test_the_line_goes_on_after_a_restart(house: House):
    place = await opened(house)
    await house.restart()
    await house.press(house.ben, "Join", line(house))
    await house.settle()
    asked = await house.press(house.ann, "Close the table", house.board(place))
    await house.press(house.ann, "Close it", asked)
    await house.settle()
    assert "closed" in UserClient.visible_text(line(house)) and not UserClient.buttons(line(house))


async def test_without_the_permission_the_table_stands_in_the_channel_and_the_opener_is_told_why(house: House):
    await threads_on(house)
    house.sandbox.deny(house.yard, "CREATE_PUBLIC_THREADS")
    answer = await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    assert "Create Public Threads" in answer.text and answer.message["flags"] & 64
    assert "Table 1" in house.public()
    doctor = await house.ann.command(house.yard, "doctor")
    assert "✗ **Create Public Threads** is missing" in doctor.text


async def test_where_discord_refuses_the_thread_nothing_is_left_of_it(house: House):
    await threads_on(house)
    house.sandbox.fault("POST", "*/threads", 403)
    answer = await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    assert "stands in the channel itself" in answer.text
    assert "Table 1" in UserClient.visible_text(line(house))  # the one message there is


def left(house: House) -> tuple[int, int]:
    """How many threads of the yard there are, and how many messages for all stand in it."""
    places = [place for place in house.guild.channels.values() if place.parent is house.yard]
    return len(places), len([m for m in house.sandbox.messages(house.yard) if not m["flags"] & 64])


async def test_a_table_that_the_limits_refuse_leaves_neither_a_thread_nor_a_line(house: House):
    await house.ann.command(house.yard, "settings limit", of="person", tables=1)
    await opened(house)
    before = left(house)
    for _ in range(3):
        refused = await house.ann.command(house.yard, "rope-wall start")
        await house.settle()
        assert "nobody may have more at once" in refused.text and refused.message["flags"] & 64
    assert left(house) == before == (1, 1)


async def test_of_tables_that_are_opened_at_once_those_too_many_leave_neither_threads_nor_lines(house: House):
    await house.ann.command(house.yard, "settings limit", of="person", tables=1)
    await threads_on(house)
    house.sandbox.allow(house.yard, "MANAGE_THREADS")
    answers = await asyncio.gather(*(house.ann.command(house.yard, "rope-wall start") for _ in range(4)))
    await house.settle()
    assert sum("nobody may have more at once" in answer.text for answer in answers) == 3
    assert left(house) == (1, 1) and f"<#{thread(house).id}>" in UserClient.visible_text(line(house))


async def test_where_threads_may_not_be_deleted_one_without_a_table_goes_into_the_archive(house: House, disk: Disk):
    await threads_on(house)
    disk.fill()
    answer = await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    assert "nothing was done" in answer.text and thread(house).archived and left(house) == (1, 0)
    disk.empty()
    house.sandbox.allow(house.yard, "MANAGE_THREADS")
    disk.fill()
    await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    assert left(house) == (1, 0)


async def test_at_the_door_too_one_is_told_why_there_is_no_thread(house: House):
    await threads_on(house)
    house.sandbox.fault("POST", "*/threads", 403)
    game = await house.ben.press(await house.ben.command(house.yard, "play"), label="Prison Break")
    await house.ben.press(game, label="Open a table for others")
    await house.settle()
    door, _ = map(UserClient.visible_text, house.ben.ephemerals(house.yard))
    assert "Table 1 stands below" in door and "⚠ Your table stands in the channel itself" in door


async def test_a_rematch_is_played_in_the_same_thread(house: House):
    place = await opened(house)
    await house.press(house.ben, "Join", line(house))
    await house.settle()
    await house.press(house.ann, "Start", house.board(place))
    await house.ben.command(place, "rope-wall resign")
    await house.settle()
    end = house.board(place)
    for who in (house.ann, house.ben):
        await house.press(who, "Rematch", house.sandbox.message(end))
        await house.settle()
    rematch = house.session(2).table.snapshot.row
    assert (rematch.channel, rematch.parent) == (int(place.id), int(house.yard.id))
    assert "table 2" in UserClient.visible_text(line(house))


async def test_a_thread_that_is_deleted_closes_its_table(house: House):
    place = await opened(house)
    house.sandbox.remove_channel(place)
    await house.ann.until(lambda: house.session().table.snapshot.row.status == "closed")


async def test_a_table_begun_in_a_thread_of_somebody_else_keeps_no_line(house: House):
    await threads_on(house)
    night = house.sandbox.add_thread(house.yard, "night", house.ben)
    await house.ann.until(lambda: isinstance(house.client.get_channel(int(night.id)), discord.Thread))
    await house.ann.command(night, "rope-wall start")
    await house.settle()
    assert "Table 1" in UserClient.visible_text(house.board(night))
    assert not [m for m in house.sandbox.messages(house.yard) if m["components"] and not m["flags"] & 64]


async def test_the_door_leads_into_threads_too(house: House):
    await opened(house)
    games = await house.ben.command(house.yard, "play")
    page = await house.ben.press(games, label="Join table 1")
    await house.settle()
    assert "You have a seat here" in page.text and "2 of 2" in UserClient.visible_text(line(house))
