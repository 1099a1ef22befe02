"""The rematch: one press per person at the end of a game; it starts when all players have pressed."""

import asyncio
from typing import Any

import pytest

from cogs.core.tables import lobby
from sandbox import UserClient
from tests.cogs.core.tables.test_lobby import choose
from tools.harness.bot_harness import BotHarness

MINUTE_MS = 60_000
Json = dict[str, Any]


async def over(harness: BotHarness, clock: int = 0) -> Json:
    """Finish a game of Ann and Ben at the Rope Wall; return the message of the end."""
    await harness.two_at_the_wall(clock=clock)
    await harness.resign(harness.ben)
    await harness.settle()
    for person in (harness.ann, harness.ben):
        person.clear_notices()
    return harness.board()


def now(harness: BotHarness, end: Json) -> Json:
    """Return the current message of the end."""
    found = harness.sandbox.message(end["id"])
    assert found is not None
    return found


def told(harness: BotHarness, end: Json) -> str:
    """Return its text."""
    return UserClient.visible_text(now(harness, end))


def shown(harness: BotHarness) -> list[Json]:
    """Return the messages of tables in the channel."""
    said = harness.sandbox.messages(harness.yard)
    return [message for message in said if message["components"] and not message["flags"] & 64]


async def again(harness: BotHarness, who: UserClient, end: Json) -> str:
    """Press for a rematch. Return the answer's text."""
    answer = await harness.press(who, "Rematch", now(harness, end))
    await harness.settle()
    return answer.text


async def test_a_rematch_takes_one_press_from_each_and_the_end_says_who_is_in(harness: BotHarness):
    end = await over(harness)
    await again(harness, harness.ann, end)
    assert "● **Ann** joined; waiting for ◆ **Ben**" in told(harness, end)
    assert len(shown(harness)) == 1  # there is no lobby in between
    await again(harness, harness.ben, end)
    assert "to push" in harness.public() and len(shown(harness)) == 2
    link = harness.messages(2).message.link()
    assert f"[table 2]({link})" in told(harness, end)


async def test_the_end_leads_to_the_rematch_that_has_begun_and_offers_no_other_one(harness: BotHarness):
    end = await over(harness)
    for who in (harness.ann, harness.ben):
        await again(harness, who, end)
    buttons = UserClient.buttons(now(harness, end))
    assert [part["label"] for part in buttons][:2] == ["To the rematch", "Review"]
    assert buttons[0]["url"] == harness.messages(2).message.link()
    assert "already started: [table 2]" in (await harness.ann.forge(end, "cb:1:0:rematch:")).text


@pytest.mark.parametrize("first", ["ben", "cleo"])
async def test_all_keep_seat_and_colour_in_a_rematch_no_matter_who_presses_first(harness: BotHarness, first: str):
    await harness.ann.command(harness.yard, "prison-break start", computer="rookie", round_limit=5)
    await harness.press(harness.ben, "Join")
    await harness.press(harness.cleo, "Join")  # the game starts with the last seat
    await harness.settle()
    sat = [row.name for row in harness.snapshot().seats]
    assert sat == ["Ann", "Trainee", "Ben", "Cleo"]
    await harness.finish(harness.ann, harness.ben, harness.cleo, at_once=4)
    await harness.settle()
    await harness.settle()
    end = harness.board()
    for who in sorted((harness.ann, harness.ben, harness.cleo), key=lambda who: who is not getattr(harness, first)):
        await again(harness, who, end)
    following = harness.messages(2).table
    assert following.snapshot.playing and [row.name for row in following.snapshot.seats] == sat


async def test_those_who_play_the_rematch_are_mentioned_once(harness: BotHarness):
    end = await over(harness)
    await again(harness, harness.ann, end)
    harness.ben.clear_notices()  # that it is wanted
    await again(harness, harness.ben, end)
    await harness.advance(10_000)
    for person in (harness.ann, harness.ben):
        assert [notice["kind"] for notice in person.notices] == ["mention"]
    (line,) = [m["content"] for m in harness.sandbox.messages(harness.yard) if "rematch starts" in m["content"]]
    assert harness.messages(2).message.link() in line
    await harness.push(table=2)
    await harness.settle()
    assert not [m for m in harness.sandbox.messages(harness.yard) if "rematch starts" in m["content"]]


async def test_two_who_press_at_once_mean_the_same_rematch(harness: BotHarness):
    end = await over(harness)
    await asyncio.gather(*(harness.press(who, "Rematch", end) for who in (harness.ann, harness.ben)))
    await harness.settle()
    assert "to push" in harness.public() and await harness.client.store.tables.get(3) is None


async def test_pressing_rematch_twice_late_or_as_a_stranger_is_explained(harness: BotHarness):
    end = await over(harness)
    assert "have no seat" in await again(harness, harness.cleo, end)
    await again(harness, harness.ann, end)
    assert "You're in already" in await again(harness, harness.ann, end)
    await again(harness, harness.ben, end)
    late = await harness.ann.forge(now(harness, end), "cb:1:0:rematch:")
    assert "already started: [table 2]" in late.text
    forged = await harness.cleo.forge(end, "cb:1:0:rematch-open:")
    assert "have no seat" in forged.text


async def test_a_rematch_against_the_computer_begins_at_once_with_the_same_options(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", computer="warden", clock=60, pace="quick")
    await harness.resign(harness.ann)
    await harness.settle()
    await harness.press(harness.ann, "Rematch")
    await harness.settle()
    following = harness.messages(2).table
    assert following.snapshot.playing and following.snapshot.options == harness.snapshot(1).options
    assert [row.level for row in following.snapshot.seats] == [None, "warden"]


async def test_a_person_who_asks_for_a_rematch_with_computers_alone_has_their_page_below_it_and_is_not_called(
    harness: BotHarness,
):
    await harness.begin("prison-break", computer="rookie", round_limit=5)
    await harness.finish(harness.ann)
    await harness.settle()
    before = [message["id"] for message in harness.ann.ephemerals(harness.yard)]
    await harness.press(harness.ann, "Rematch")
    await harness.settle()
    assert harness.snapshot(2).playing
    (page,) = [one for one in harness.ann.ephemerals(harness.yard) if one["id"] not in before]
    assert int(page["id"]) > int(harness.board()["id"])
    assert "track-2.png" in UserClient.visible_text(page)
    assert harness.mentions() == []


async def test_a_rematch_lapses_quietly_after_fifteen_minutes_and_can_be_asked_for_again(harness: BotHarness):
    end = await over(harness, clock=180)
    before = told(harness, end)
    await again(harness, harness.ann, end)
    assert told(harness, end) != before
    await harness.advance(16 * MINUTE_MS)
    assert told(harness, end) == before and len(shown(harness)) == 1
    await again(harness, harness.ben, end)
    assert "◆ **Ben** joined; waiting for ● **Ann**" in told(harness, end)


async def test_a_rematch_that_gathers_outlasts_a_restart(harness: BotHarness):
    end = await over(harness)
    await again(harness, harness.ann, end)
    await harness.restart()
    await again(harness, harness.ben, end)
    assert "to push" in harness.public() and "[table 2]" in told(harness, end)
    await harness.restart()
    late = await harness.ann.forge(now(harness, end), "cb:1:0:rematch:")
    assert "already started: [table 2]" in late.text


async def test_a_restart_shows_no_lobby_of_a_rematch_that_waits(harness: BotHarness):
    end = await over(harness)
    await again(harness, harness.ann, end)
    await harness.restart()
    await harness.advance(1_000)
    assert len(shown(harness)) == 1


async def test_a_player_of_the_rematch_can_let_others_join_if_one_does_not_come(harness: BotHarness):
    end = await over(harness)
    assert "Press *Rematch* first" in (await harness.ann.forge(end, "cb:1:0:rematch-open:")).text
    await again(harness, harness.ann, end)
    answer = await harness.press(harness.ben, "Let others join", now(harness, end))
    assert "Press *Rematch* first" in answer.text
    assert "*Let others join* opens it to everyone; then no seats are reserved" in told(harness, end)
    await harness.press(harness.ann, "Let others join", now(harness, end))
    await harness.settle()
    assert "Join" in harness.public() and len(shown(harness)) == 2
    assert "Rematch of table 1, open to everyone: no seats reserved." in harness.public()
    assert "waiting for" not in told(harness, end) and "no seats are reserved" in told(harness, end)
    assert f"[table 2]({harness.messages(2).message.link()})" in told(harness, end)
    await harness.press(harness.cleo, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    assert "to push" in harness.public()


async def opened(harness: BotHarness, end: Json, who: UserClient) -> None:
    """Ask for a rematch, and open its table to others."""
    await again(harness, who, end)
    await harness.press(who, "Let others join", now(harness, end))
    await harness.settle()


async def test_a_player_kicked_from_a_rematch_stays_out_when_it_is_gathered_again(harness: BotHarness):
    end = await over(harness, clock=180)
    await opened(harness, end, harness.ann)
    await harness.press(harness.cleo, "Join")
    await choose(harness, harness.ann, "send-out", harness.cleo)
    await harness.advance(16 * MINUTE_MS)
    await opened(harness, end, harness.ben)
    assert "You were kicked" in (await harness.press(harness.cleo, "Join")).text
    await choose(harness, harness.ben, "invite", harness.cleo)
    await harness.press(harness.cleo, "Join")
    assert len(harness.snapshot(3).seats) == 2


async def test_a_player_kicked_from_a_rematch_is_not_shut_out_of_the_one_that_they_host(harness: BotHarness):
    await harness.begin("prison-break", harness.ben, harness.cleo, clock=180)
    await harness.finish(harness.ann, harness.ben, harness.cleo, at_once=4)
    await harness.settle()
    end = harness.board()
    await opened(harness, end, harness.ann)
    await harness.press(harness.ben, "Join")
    await choose(harness, harness.ann, "send-out", harness.ben)
    await harness.advance(16 * MINUTE_MS)
    await opened(harness, end, harness.ben)
    dora = harness.sandbox.add_person("Dora", harness.guild)
    await harness.press(dora, "Join")
    await harness.press(harness.ben, "Leave")
    await harness.press(harness.ben, "Join")
    assert {row.user for row in harness.snapshot(3).seats} == {int(harness.ben.id), int(dora.id)}


async def test_the_host_of_a_rematch_that_has_closed_is_sent_to_the_button_that_asks_again(harness: BotHarness):
    end = await over(harness, clock=180)
    await opened(harness, end, harness.ann)
    await harness.advance(16 * MINUTE_MS)
    (line,) = [line for line in harness.mentions() if "your rematch closed" in line]
    assert "Open again" not in line and f"{harness.messages(1).message.link()}" in line
    assert "Open again" not in harness.public()
    await harness.press(harness.ann, "Rematch", now(harness, end))
    assert harness.snapshot(3).in_lobby


async def test_the_end_shows_who_left_the_rematch_and_who_joined_it_by_a_command(harness: BotHarness):
    await harness.begin("prison-break", harness.ben, harness.cleo, clock=180)
    await harness.finish(harness.ann, harness.ben, harness.cleo, at_once=4)
    await harness.settle()
    end = harness.board()
    await again(harness, harness.ann, end)
    await again(harness, harness.ben, end)
    assert "● **Ann** and ◆ **Ben** joined" in told(harness, end)
    await harness.ann.command(harness.yard, "table leave")  # the host
    await harness.settle()
    assert "◆ **Ben** joined; waiting for ● **Ann** and ▲ **Cleo**" in told(harness, end)
    await harness.cleo.command(harness.yard, "table join")
    await harness.settle()
    assert "◆ **Ben** and ▲ **Cleo** joined; waiting for ● **Ann**" in told(harness, end)
    await again(harness, harness.ann, end)
    assert [row.name for row in harness.snapshot(2).seats] == ["Ann", "Ben", "Cleo"] and harness.snapshot(2).playing


async def test_the_end_leads_to_a_rematch_that_others_joined_and_its_host_started(harness: BotHarness):
    end = await over(harness)
    await opened(harness, end, harness.ann)
    await harness.press(harness.cleo, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    assert "Anyone can join" not in told(harness, end)
    assert "To the rematch" in [part.get("label") for part in UserClient.buttons(now(harness, end))]


async def test_a_stranger_takes_no_seat_of_a_rematch_before_it_is_opened_to_everyone(harness: BotHarness):
    end = await over(harness)
    await again(harness, harness.ann, end)
    assert "No table in this channel" in (await harness.cleo.command(harness.yard, "table join")).text
    refused = await harness.cleo.command(harness.yard, "table join", table=2)
    assert "Only those who played at table 1" in refused.text and len(harness.snapshot(2).seats) == 1
    await harness.press(harness.ann, "Let others join", now(harness, end))
    await harness.settle()
    await harness.cleo.command(harness.yard, "table join")
    assert len(harness.snapshot(2).seats) == 2


async def test_a_stranger_whom_the_host_invites_joins_a_rematch_that_gathers(harness: BotHarness):
    end = await over(harness)
    await again(harness, harness.ann, end)
    await harness.messages(2).table.act(
        lobby.invite, int(harness.ann.id), int(harness.cleo.id), False, harness.clock.now()
    )
    await harness.cleo.command(harness.yard, "table join", table=2)
    assert len(harness.snapshot(2).seats) == 2


# Announcing the rematch


def wanted(harness: BotHarness) -> list[str]:
    """Return the lines that say that a person wants a rematch."""
    said = [message["content"] for message in harness.sandbox.messages(harness.yard)]
    return [line for line in said if "wants a rematch" in line]


async def test_the_others_are_notified_of_a_rematch_once_with_a_link_until_they_are_in(harness: BotHarness):
    end = await over(harness)
    await again(harness, harness.ann, end)
    (line,) = wanted(harness)
    assert f"/{end['id']})" in line and f"<@{harness.ben.id}>" in line
    assert [notice["kind"] for notice in harness.ben.notices] == ["mention"] and not harness.ann.notices
    await again(harness, harness.ben, end)
    assert not wanted(harness) and "to push" in harness.public()


async def test_a_player_without_mentions_is_not_mentioned_for_a_rematch(harness: BotHarness):
    end = await over(harness)
    await harness.ben.command(harness.yard, "notify", how="nothing")
    await again(harness, harness.ann, end)
    assert not wanted(harness) and not harness.ben.notices


async def test_a_rematch_with_computers_alone_calls_nobody(harness: BotHarness):
    await harness.against_a_computer()
    await harness.resign(harness.ann)
    await harness.settle()
    harness.ann.clear_notices()
    await again(harness, harness.ann, harness.board())
    assert not wanted(harness) and not harness.ann.notices
