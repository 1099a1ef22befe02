"""The rematch: one press a person on the end of a game, and it begins when all who played have pressed."""

import asyncio
from typing import Any

import pytest

from sandbox import UserClient
from tools.harness.bot_harness import House

MINUTE_MS = 60_000
Json = dict[str, Any]


async def over(house: House) -> Json:
    """Ann and Ben have played at the wall; the message that tells of the end."""
    await house.two_at_the_wall()
    await house.ben.command(house.yard, "rope-wall resign")
    await house.settle()
    for person in (house.ann, house.ben):
        person.clear_notices()
    return house.board()


def now(house: House, end: Json) -> Json:
    """What stands where a game has ended."""
    found = house.sandbox.message(end["id"])
    assert found is not None
    return found


def told(house: House, end: Json) -> str:
    """What the end of the game says now."""
    return UserClient.visible_text(now(house, end))


def shown(house: House) -> list[Json]:
    """The messages of tables in the channel."""
    said = house.sandbox.messages(house.yard)
    return [message for message in said if message["components"] and not message["flags"] & 64]


async def again(house: House, who: UserClient, end: Json) -> str:
    """Press for a rematch; what the presser reads."""
    answer = await house.press(who, "Rematch", now(house, end))
    await house.settle()
    return answer.text


async def test_a_rematch_takes_one_press_from_each_and_the_end_says_who_is_in(house: House):
    end = await over(house)
    await again(house, house.ann, end)
    assert "● **Ann** is in; waiting for ◆ **Ben**" in told(house, end)
    assert len(shown(house)) == 1  # there is no lobby in between
    await again(house, house.ben, end)
    assert "to push" in house.public() and len(shown(house)) == 2
    link = house.session(2).message.link()
    assert f"[table 2]({link})" in told(house, end)


async def test_the_end_leads_to_the_rematch_that_has_begun_and_offers_no_other_one(house: House):
    end = await over(house)
    for who in (house.ann, house.ben):
        await again(house, who, end)
    buttons = UserClient.buttons(now(house, end))
    assert [part["label"] for part in buttons][:2] == ["To the rematch", "Review"]
    assert buttons[0]["url"] == house.session(2).message.link()
    assert "already begun: [table 2]" in (await house.ann.forge(end, "cb:1:0:rematch:")).text


@pytest.mark.parametrize("first", ["ben", "cleo"])
async def test_everybody_keeps_seat_and_colour_in_a_rematch_whoever_presses_first(house: House, first: str):
    await house.ann.command(house.yard, "prison-break start", computer="rookie", round_limit=5)
    await house.press(house.ben, "Join")
    await house.press(house.cleo, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    sat = [row.name for row in house.session().table.snapshot.seats]
    assert sat == ["Ann", "Trainee", "Ben", "Cleo"]
    await house.finish(house.ann, house.ben, house.cleo)
    await house.settle()
    end = house.board()
    for who in sorted((house.ann, house.ben, house.cleo), key=lambda who: who is not getattr(house, first)):
        await again(house, who, end)
    following = house.session(2).table
    assert following.snapshot.playing and [row.name for row in following.snapshot.seats] == sat


async def test_those_who_play_the_rematch_are_mentioned_once(house: House):
    end = await over(house)
    await again(house, house.ann, end)
    await again(house, house.ben, end)
    await house.turn(10_000)
    for person in (house.ann, house.ben):
        assert [notice["kind"] for notice in person.notices] == ["mention"]
    (line,) = [m["content"] for m in house.sandbox.messages(house.yard) if "rematch begins" in m["content"]]
    assert house.session(2).message.link() in line
    await house.push(table=2)
    await house.settle()
    assert not [m for m in house.sandbox.messages(house.yard) if "rematch begins" in m["content"]]


async def test_two_who_press_at_once_mean_the_same_rematch(house: House):
    end = await over(house)
    await asyncio.gather(*(house.press(who, "Rematch", end) for who in (house.ann, house.ben)))
    await house.settle()
    assert "to push" in house.public() and await house.client.tables.store.tables.get(3) is None


async def test_whoever_presses_twice_comes_late_or_did_not_play_is_told(house: House):
    end = await over(house)
    assert "do not sit" in await again(house, house.cleo, end)
    await again(house, house.ann, end)
    assert "in already" in await again(house, house.ann, end)
    await again(house, house.ben, end)
    late = await house.ann.forge(now(house, end), "cb:1:0:rematch:")
    assert "already begun: [table 2]" in late.text
    forged = await house.cleo.forge(end, "cb:1:0:rematch-open:")
    assert "do not sit" in forged.text


async def test_a_rematch_against_the_computer_begins_at_once_with_the_same_options(house: House):
    await house.ann.command(house.yard, "rope-wall start", computer="warden", clock=60, pace="quick")
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    await house.press(house.ann, "Rematch")
    await house.settle()
    following = house.session(2).table
    assert following.snapshot.playing and following.snapshot.options == house.session(1).table.snapshot.options
    assert [row.level for row in following.snapshot.seats] == [None, "warden"]


async def test_whoever_asks_for_a_rematch_with_computers_alone_has_their_page_below_it_and_is_not_called(house: House):
    await house.begin("prison-break", computer="rookie", round_limit=5)
    await house.finish(house.ann)
    await house.settle()
    before = [message["id"] for message in house.ann.ephemerals(house.yard)]
    await house.press(house.ann, "Rematch")
    await house.settle()
    assert house.session(2).table.snapshot.playing
    (page,) = [one for one in house.ann.ephemerals(house.yard) if one["id"] not in before]
    assert int(page["id"]) > int(house.board()["id"])
    assert "track-2.png" in UserClient.visible_text(page)
    assert house.mentions() == []


async def test_a_rematch_lapses_quietly_after_fifteen_minutes_and_can_be_asked_for_again(house: House):
    end = await over(house)
    before = told(house, end)
    await again(house, house.ann, end)
    assert told(house, end) != before
    await house.turn(16 * MINUTE_MS)
    assert told(house, end) == before and len(shown(house)) == 1
    await again(house, house.ben, end)
    assert "◆ **Ben** is in; waiting for ● **Ann**" in told(house, end)


async def test_a_rematch_that_gathers_outlasts_a_restart(house: House):
    end = await over(house)
    await again(house, house.ann, end)
    await house.restart()
    await again(house, house.ben, end)
    assert "to push" in house.public() and "[table 2]" in told(house, end)
    await house.restart()
    late = await house.ann.forge(now(house, end), "cb:1:0:rematch:")
    assert "already begun: [table 2]" in late.text


async def test_a_restart_shows_no_lobby_of_a_rematch_that_waits(house: House):
    end = await over(house)
    await again(house, house.ann, end)
    await house.restart()
    await house.turn(1_000)
    assert len(shown(house)) == 1


async def test_who_is_in_lets_others_join_where_somebody_does_not_come(house: House):
    end = await over(house)
    assert "no rematch" in (await house.ann.forge(end, "cb:1:0:rematch-open:")).text
    await again(house, house.ann, end)
    answer = await house.press(house.ben, "Let others join", now(house, end))
    assert "Press *Rematch* first" in answer.text
    assert "*Let others join* opens it to everybody; then no seat is kept" in told(house, end)
    await house.press(house.ann, "Let others join", now(house, end))
    await house.settle()
    assert "Join" in house.public() and len(shown(house)) == 2
    assert "The rematch of table 1, open to everybody: no seat is kept." in house.public()
    assert "waiting for" not in told(house, end) and "no seat is kept" in told(house, end)
    assert f"[table 2]({house.session(2).message.link()})" in told(house, end)
    await house.press(house.cleo, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    assert "to push" in house.public()
