"""How a game ends for those who played it: a new message at the end of the channel that calls them once."""

import json
import re
from typing import Any

import pytest

from cogs.core.publishing.rating_changes import RatingChange
from cogs.core.publishing.table_messages import POST_ASIDE_AGAIN_MS
from cogs.core.tables.snapshot import ENDED_UNLOADS_AFTER_MS
from engine.contract import Seat
from engine.games.rope_wall import Resign
from sandbox import UserClient, visible_text
from tests.cogs.rope_wall.test_interludes import to_the_interlude
from tools.harness.bot_harness import House

DEFERRED = 6


def posts(house: House) -> list[str]:
    """The numbers of the messages of ours that anybody can see in the channel."""
    return [
        message["id"]
        for message in house.sandbox.messages(house.yard)
        if message["author"]["id"] == house.sandbox.bot_id and not message["flags"] & 64
    ]


def has_picture(page: dict[str, Any]) -> bool:
    """Whether a message shows one."""
    return ".png" in json.dumps(page["components"])


async def resigned(house: House) -> str:
    """Ann and Ben have played at the wall, and Ann has resigned by a command; the number of the table message."""
    await house.two_at_the_wall()
    await house.push()
    await house.push()  # so that it is rated
    await house.settle()
    before = house.board()["id"]
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    return before


async def test_the_end_is_a_new_message_that_mentions_those_who_played_once_and_the_old_one_goes(house: House):
    before = await resigned(house)
    (shown,) = posts(house)
    assert shown != before and "wins" in house.public()
    for person in (house.ann, house.ben):
        assert person.mention in house.public()
        assert [notice["kind"] for notice in person.notices].count("mention") == 1
    assert [part["label"] for part in UserClient.buttons(house.board())][-5:] == [
        "Rematch",
        "Review",
        "Replay",
        "Leaderboard",
        "More …",
    ]


async def test_another_game_stands_before_the_controls_that_a_game_has_at_its_end(house: House):
    await house.ann.command(house.yard, "prison-break start")
    await house.press(house.ben, "Join")
    await house.press(house.ann, "Start")
    await house.finish(house.ann, house.ben)
    await house.settle()
    blocks = house.board()["components"][0]["components"]
    rows = [[part["label"] for part in UserClient.buttons({"components": [block]})] for block in blocks]
    assert [row for row in rows if row] == [["Rematch", "Review", "Replay"], ["Log", "Leaderboard", "More …"]]


async def test_a_press_that_ends_the_game_is_answered_and_the_end_stands_below(house: House, monkeypatch):
    await house.two_at_the_wall()
    before = house.board()["id"]
    screen = house.session().screen
    monkeypatch.setattr(screen, "press", lambda view, info, control: Resign())
    answer = await house.push()
    await house.settle()
    assert answer.failed is None and answer.type == DEFERRED
    (shown,) = posts(house)
    assert shown != before and await house.shows()


async def test_a_page_of_ones_own_says_how_it_ended_and_leaves_the_rest_to_the_end_below_it(house: House):
    await house.two_at_the_wall()
    for person in (house.ann, house.ben):
        await house.press(person, "Play")
        assert has_picture(person.ephemerals(house.yard)[-1])
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    for person in (house.ann, house.ben):
        page = person.ephemerals(house.yard)[0]
        assert not has_picture(page) and "wins" in visible_text(page) and "*Rematch*" in visible_text(page)
        assert [part["label"] for part in UserClient.buttons(page)] == ["More …"]
    assert has_picture(house.board())


@pytest.mark.parametrize("label", ["Replay", "Review", "Leaderboard"])
async def test_replay_review_and_leaderboard_are_one_press_away(house: House, label: str):
    await resigned(house)
    answer = await house.press(house.ann, label)
    assert answer.failed is None and "⚠" not in answer.text and len(answer.text) > 20


async def test_an_end_that_was_not_shown_before_a_crash_is_posted_after_it(house: House):
    await house.two_at_the_wall()
    before = house.board()["id"]
    table = house.session().table
    await house.stop()
    await house.start()
    session = await house.client.tables.find(table.id)
    assert session is not None
    house.sandbox.fault("*", "/channels/*", 503, times=1_000)
    await house.ann.command(house.yard, "rope-wall resign")
    await house.kill()
    await house.start()
    await house.turn(5_000)
    (shown,) = posts(house)
    assert shown != before and await house.shows()


async def test_what_is_posted_at_the_end_is_not_posted_again_after_a_restart(house: House):
    await resigned(house)
    (shown,) = posts(house)
    await house.restart()
    session = await house.client.tables.find(1)
    assert session is not None
    session.message.changed()
    await house.settle()
    assert posts(house) == [shown]
    assert [notice["kind"] for notice in house.ben.notices].count("mention") == 1


async def test_the_end_tells_how_ratings_have_changed(house: House):
    await resigned(house)
    (line,) = [line for line in house.public().splitlines() if "Ratings:" in line]
    each = r"\S \*\*(Ann|Ben)\*\* 1500 → \*\*\d{4}\*\* \(placement game 1 of 5\)( · |$)"
    assert re.fullmatch(rf"-# Ratings: ({each}){{2}}", line)
    assert "what some gain need not be what others lose" in house.public()
    (shown,) = posts(house)
    assert [notice["kind"] for notice in house.ben.notices].count("mention") == 1 and shown == house.board()["id"]


async def test_the_end_of_a_game_with_computers_says_that_its_rating_is_another_one(house: House):
    await house.ann.command(house.yard, "rope-wall start", computer="rookie")
    await house.settle()
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    (line,) = [line for line in house.public().splitlines() if "Ratings" in line]
    each = r"\S \*\*Ann\*\* 1500 → \*\*\d{4}\*\* \(placement game 1 of 5\)"
    assert re.fullmatch(rf"-# Ratings with computers: {each}", line)
    assert "what others lose" not in house.public(), "nobody else has one here"


async def test_the_end_goes_on_telling_how_ratings_have_changed_when_its_table_has_slept(house: House):
    await resigned(house)
    await house.turn(ENDED_UNLOADS_AFTER_MS)
    assert house.client.tables.registry.awake() == ()
    await house.ann.press(house.board(), label="Rematch")
    await house.settle()
    assert "rematch" in house.public().lower() and "1500 → **" in house.public()


@pytest.mark.parametrize("slept", [True, False])
async def test_a_rating_is_not_told_of_somebody_who_was_forgotten_meanwhile(house: House, slept: bool):
    await resigned(house)
    if slept:
        await house.turn(ENDED_UNLOADS_AFTER_MS)
    asked = await house.ann.command(house.yard, "privacy delete")
    await house.press(house.ann, "Delete it all", asked)
    await house.settle()
    await house.ben.press(house.board(), label="Rematch")
    await house.settle()
    line = next(line for line in house.public().splitlines() if "Ratings" in line)
    assert line.count("→") == 1 and "Ben" in line


async def test_where_all_were_forgotten_nothing_is_said_of_ratings(house: House):
    await resigned(house)
    for person in (house.ann, house.ben):
        asked = await person.command(house.yard, "privacy delete")
        await house.press(person, "Delete it all", asked)
        await house.settle()
    house.session().message.changed()
    await house.settle()
    assert "wins" in house.public() and "Ratings" not in house.public()


async def test_a_game_that_does_not_count_tells_no_ratings(house: House):
    await resigned(house)
    await house.begin("rope-wall", house.ben)
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    assert "wins" in house.public() and "Ratings" not in house.public()


async def test_a_rating_is_not_told_again_of_somebody_who_hides_from_leaderboards(house: House):
    await resigned(house)
    await house.turn(ENDED_UNLOADS_AFTER_MS)
    await house.ann.command(house.yard, "privacy hide", hidden="on")
    await house.ben.press(house.board(), label="Rematch")
    await house.settle()
    line = next(line for line in house.public().splitlines() if "Ratings" in line)
    assert line.count("→") == 1 and "Ben" in line


async def test_who_hides_from_leaderboards_has_no_rating_told_at_the_end(house: House):
    await house.ann.command(house.yard, "privacy hide", hidden="on")
    await house.two_at_the_wall()
    await house.push()
    await house.push()
    await house.settle()
    await house.ben.command(house.yard, "rope-wall resign")
    await house.settle()
    line = next(line for line in house.public().splitlines() if "Ratings" in line)
    assert "Ben" in line and "Ann" not in line


@pytest.mark.parametrize(("clock", "rounds"), [(86_400, 1), (60, 0)])
async def test_where_people_look_in_now_and_then_a_round_stands_in_a_message_of_its_own(
    house: House, clock: int, rounds: int
):
    await house.two_at_the_wall(clock=clock)
    await to_the_interlude(house)
    await house.settle()
    own = str(house.session().message.message)
    assert len([number for number in posts(house) if _pictures(house, number) and number != own]) == rounds
    message = house.sandbox.message(own)
    assert message is not None
    for person in (house.ann, house.ben):
        await house.press(person, "Ready", message)
    await house.settle()
    assert len([number for number in posts(house) if _pictures(house, number)]) == rounds + 1


@pytest.mark.parametrize("drop", [False, True])
async def test_what_a_round_has_decided_is_posted_once_where_the_first_call_fails(house: House, drop: bool):
    await house.two_at_the_wall(clock=86_400)
    await house.settle()
    house.sandbox.fault("POST", "/channels/{channel_id}/messages", 503, drop=drop)
    await to_the_interlude(house)
    await house.settle()
    await house.turn(POST_ASIDE_AGAIN_MS)
    await house.turn(POST_ASIDE_AGAIN_MS)
    own = str(house.session().message.message)
    assert len([number for number in posts(house) if _pictures(house, number) and number != own]) == 1


def _pictures(house: House, number: str) -> bool:
    message = house.sandbox.message(number)
    return message is not None and "media" in str(message["components"])


@pytest.mark.parametrize(("games", "words"), [(4, "1500 → **1510** (placement game 4 of 5)"), (5, "1500 → **1510**")])
def test_a_rating_is_told_with_how_many_of_the_first_games_are_played_until_all_are(games: int, words: str):
    assert RatingChange(Seat(0), 1_500, 1_510, games).words == words
