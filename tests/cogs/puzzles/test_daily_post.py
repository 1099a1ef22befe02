"""The puzzles of the day are posted each morning where managers want them: once a day, whatever fails."""

from datetime import UTC, datetime
from typing import Any

import discord
import pytest

from cogs.puzzles.daily_post import HOUR_MS
from engine.puzzles import DAY_MS, puzzle_number
from sandbox import UserClient
from tests.cogs.puzzles.test_puzzles import TITLES, failed, solved
from tools.harness.bot_harness import BotHarness

HOUR = 9


def posts(harness: BotHarness) -> list[dict[str, Any]]:
    """Return the bot's messages of a day's puzzles in the yard."""
    return [
        one
        for one in harness.sandbox.messages(harness.yard)
        if "of the day" in UserClient.visible_text(one) and not one["flags"] & 64
    ]


async def to_hour(harness: BotHarness, hour: int, minutes: int = 0) -> None:
    """Turn the hands to this hour of the next day, UTC."""
    now = harness.clock.now()
    await harness.advance((now // DAY_MS + 1) * DAY_MS + hour * HOUR_MS + minutes * 60_000 - now)


@pytest.fixture
async def morning(harness: BotHarness) -> BotHarness:
    """The bot before the hour at which puzzles are posted in the yard."""
    await to_hour(harness, HOUR - 2)
    await harness.ann.command(harness.yard, "settings puzzles", channel=harness.yard, hour=HOUR)
    await harness.advance(1_000)
    assert posts(harness) == []
    return harness


async def test_they_are_posted_once_at_the_hour_and_the_next_day_again(morning: BotHarness):
    await to_hour_today(morning, HOUR)
    (post,) = posts(morning)
    number = puzzle_number(morning.clock.now())
    assert f"number {number}" in UserClient.visible_text(post)
    for title in TITLES.values():
        assert title in UserClient.visible_text(post)
    pictures = [one for part in post["components"] for one in _pictures(part)]
    assert len(pictures) == 1
    for _ in range(3):
        await morning.advance(HOUR_MS)
    assert len(posts(morning)) == 1
    await to_hour(morning, HOUR)
    assert [f"number {number + day}" in UserClient.visible_text(one) for day, one in enumerate(posts(morning))] == [
        True,
        True,
    ]


def _pictures(part: dict[str, Any]) -> list[dict[str, Any]]:
    found = list(part.get("items", ()))
    for inner in part.get("components", ()):
        found += _pictures(inner)
    return found


async def to_hour_today(harness: BotHarness, hour: int) -> None:
    now = harness.clock.now()
    await harness.advance(now // DAY_MS * DAY_MS + hour * HOUR_MS - now)


async def test_its_buttons_open_a_puzzle_privately(morning: BotHarness):
    await to_hour_today(morning, HOUR)
    (post,) = posts(morning)
    title = next(iter(TITLES.values()))
    opened = await morning.ben.press(post, label=title)
    assert opened.message["flags"] & 64
    assert f"{title} · puzzle {puzzle_number(morning.clock.now())}" in opened.text
    assert len(posts(morning)) == 1


async def test_a_bot_that_was_away_at_the_hour_posts_when_it_is_back_that_day_and_only_then(morning: BotHarness):
    await morning.restart(4 * HOUR_MS)
    await morning.advance(1_000)
    assert len(posts(morning)) == 1
    await morning.restart(HOUR_MS)
    await morning.advance(1_000)
    assert len(posts(morning)) == 1


async def test_a_day_on_which_the_bot_was_away_is_not_made_up_for(morning: BotHarness):
    await morning.restart(DAY_MS - 2 * HOUR_MS)  # it is back before the hour of the next day
    await morning.advance(1_000)
    assert posts(morning) == []


async def test_a_post_that_fails_for_a_moment_is_tried_again(morning: BotHarness):
    morning.sandbox.fault("POST", "/channels/*/messages", 503, times=1)
    await to_hour_today(morning, HOUR)
    await morning.advance(2_000)
    assert len(posts(morning)) == 1


async def test_yesterdays_solvers_are_named_with_their_streak_and_without_an_answer(morning: BotHarness):
    for _ in range(2):
        await solved(morning, morning.ben)
        await morning.advance(DAY_MS)
    await to_hour_today(morning, HOUR)
    words = UserClient.visible_text(posts(morning)[-1])
    assert "Yesterday on this server" in words
    assert f"<@{morning.ben.id}> 1 of {len(TITLES)} · 2 days in a row" in words
    for person in (morning.ann, morning.ben):
        await solved(morning, person)
    await morning.ben.command(morning.yard, "privacy hide", hidden="on")
    await to_hour(morning, HOUR)
    words = UserClient.visible_text(posts(morning)[-1])
    assert f"<@{morning.ann.id}> 1 of" in words and f"<@{morning.ben.id}>" not in words


async def test_without_permission_the_doctor_says_so_and_the_next_day_is_tried_again(morning: BotHarness):
    morning.sandbox.deny(morning.yard, "SEND_MESSAGES")
    await to_hour_today(morning, HOUR)
    assert posts(morning) == []
    for _ in range(3):
        await morning.advance(HOUR_MS)
    refused = [call for call in morning.sandbox.calls if call.method == "POST" and call.path.endswith("/messages")]
    assert len(refused) == 1
    told = await morning.ann.command(morning.yard, "doctor")
    assert "Puzzles of the day" in told.text and "can't be posted" in told.text
    morning.sandbox.allow(morning.yard, "SEND_MESSAGES")
    await to_hour(morning, HOUR)
    assert len(posts(morning)) == 1
    assert "last posted" in (await morning.ann.command(morning.yard, "doctor")).text


async def test_one_game_a_day_goes_round(morning: BotHarness):
    await morning.ann.command(morning.yard, "settings puzzles", games="one")
    titles = []
    for day in range(len(TITLES)):
        await (to_hour(morning, HOUR) if day else to_hour_today(morning, HOUR))
        words = UserClient.visible_text(posts(morning)[-1])
        titles += [title for title in TITLES.values() if f"**{title}**" in words]
    assert sorted(titles) == sorted(TITLES.values())


async def test_switched_off_nothing_is_posted(morning: BotHarness):
    page = await morning.ann.command(morning.yard, "settings puzzles")
    page = await morning.ann.press(page, label="Stop posting")
    assert "They aren't posted" in page.text
    await to_hour_today(morning, HOUR)
    assert posts(morning) == []


async def test_a_button_on_the_panel_posts_them_in_its_channel(harness: BotHarness):
    await to_hour(harness, HOUR)
    shown = await harness.ann.command(harness.yard, "settings show")
    page = await harness.ann.press(shown, label="Puzzles of the day …")
    page = await harness.ann.press(page, label="Post in this channel")
    assert f"<#{harness.yard.id}>" in page.text
    await harness.advance(1_000)
    assert len(posts(harness)) == 1  # the usual hour of today has passed


async def test_they_are_posted_in_a_thread_if_the_bot_may_write_in_threads(harness: BotHarness):
    thread = harness.sandbox.add_thread(harness.yard, "puzzles")
    await harness.sandbox.until(lambda: harness.client.get_channel(int(thread.id)))
    harness.sandbox.deny(harness.yard, "SEND_MESSAGES")
    channel = harness.client.get_channel(int(harness.yard.id))
    assert isinstance(channel, discord.TextChannel)
    await harness.sandbox.until(lambda: not channel.permissions_for(channel.guild.me).send_messages)
    page = await harness.ann.command(harness.yard, "settings puzzles", channel=thread, hour=HOUR)
    assert f"<#{thread.id}>" in page.text and "can't post" not in page.text
    harness.sandbox.deny(harness.yard, "SEND_MESSAGES_IN_THREADS")
    await harness.sandbox.until(lambda: not channel.permissions_for(channel.guild.me).send_messages_in_threads)
    refused = await harness.ann.command(harness.yard, "settings puzzles", channel=thread, hour=HOUR)
    assert "I can't post puzzles in" in refused.text and "Send Messages in Threads" in refused.text


async def test_nothing_is_posted_on_a_server_that_removed_the_bot_and_again_when_it_is_back(morning: BotHarness):
    morning.sandbox.remove_bot(morning.guild)
    await morning.sandbox.until(lambda: morning.client.get_guild(int(morning.guild.id)) is None)
    await to_hour_today(morning, HOUR)
    assert posts(morning) == []
    morning.sandbox.invite_bot(morning.guild)
    await morning.sandbox.until(lambda: morning.client.get_guild(int(morning.guild.id)) is not None)
    await to_hour(morning, HOUR)
    assert posts(morning)
    assert await morning.client.store.server_admin.set_on("puzzle.channel") == {int(morning.guild.id): morning.yard.id}


async def test_the_hour_is_that_of_the_servers_time_zone_in_winter_and_in_summer(harness: BotHarness):
    page = await harness.ann.command(
        harness.yard, "settings puzzles", channel=harness.yard, hour=HOUR, zone="Europe/Berlin"
    )
    assert "at 09:00 Europe/Berlin time" in page.text
    for month, utc_hour in ((1, 8), (7, 7)):
        day = round(datetime(2027, month, 15, tzinfo=UTC).timestamp() * 1_000)
        await harness.advance(day + utc_hour * HOUR_MS - 60_000 - harness.clock.now())
        await harness.client.tables.scheduler.idle()
        before = len(posts(harness))
        await harness.advance(60_000)
        await harness.client.tables.scheduler.idle()
        assert len(posts(harness)) == before + 1


async def test_an_hour_that_was_set_before_there_were_time_zones_stays_in_utc(morning: BotHarness):
    page = await morning.ann.command(morning.yard, "settings puzzles")
    assert "at 09:00 UTC" in page.text
    nine = morning.clock.now() // DAY_MS * DAY_MS + HOUR * HOUR_MS
    assert f"next: <t:{nine // 1_000}:f>" in page.text


async def test_time_zones_are_offered_and_others_refused(harness: BotHarness):
    offered = await harness.ann.choices(harness.yard, "settings puzzles", focus="zone", zone="berl")
    assert [choice["value"] for choice in offered] == ["Europe/Berlin"]
    refused = await harness.ann.command(harness.yard, "settings puzzles", zone="Mars/Olympus")
    assert "no time zone called" in refused.text
    assert await harness.client.store.server_admin.settings(int(harness.guild.id)) == {}


async def test_members_who_solved_nothing_yesterday_are_not_named(morning: BotHarness):
    await failed(morning, morning.ben)
    await to_hour(morning, HOUR)
    words = UserClient.visible_text(posts(morning)[-1])
    assert "Yesterday" not in words and f"<@{morning.ben.id}>" not in words


async def test_a_channel_that_was_deleted_while_the_bot_was_away_is_forgotten_at_the_next_post(morning: BotHarness):
    await morning.stop()
    morning.sandbox.remove_channel(morning.yard)
    await morning.start()
    await to_hour_today(morning, HOUR)
    assert await morning.client.store.server_admin.set_on("puzzle.channel") == {}
