"""How a game ends for its players: a new message at the end of the channel that mentions them once."""

import asyncio
import json
import re
from typing import Any

import pytest

from cogs.core.publishing.end_of_game import RatingChange
from cogs.core.publishing.table_messages import POST_ASIDE_AGAIN_MS
from cogs.core.tables import moves
from cogs.core.tables.snapshot import ENDED_UNLOADS_AFTER_MS
from cogs.records.leaderboard_updater import LeaderboardUpdater
from engine.contract import Seat
from engine.games.rope_wall import Resign
from engine.standings import PLACEMENT_GAMES
from sandbox import UserClient, visible_text
from tests.cogs.rope_wall.test_interludes import to_the_interlude
from tests.data.finished import in_placement
from tools.harness.bot_harness import BotHarness

DEFERRED = 6


def posts(harness: BotHarness) -> list[str]:
    """Return the ids of the bot's public messages in the channel."""
    return [
        message["id"]
        for message in harness.sandbox.messages(harness.yard)
        if message["author"]["id"] == harness.sandbox.bot_id and not message["flags"] & 64
    ]


def has_picture(page: dict[str, Any]) -> bool:
    """Return True if a message shows a picture."""
    return ".png" in json.dumps(page["components"])


async def resigned(harness: BotHarness, *, games: int = 0) -> str:
    """Play the Rope Wall as Ann and Ben; Ann resigns by a command. Return the id of the table message.

    They have already played this many `games`.
    """
    await harness.two_at_the_wall()
    await in_placement(harness.client.store, int(harness.ann.id), int(harness.ben.id), games=games, **at(harness))
    await harness.push()
    await harness.push()  # so that it is rated
    await harness.settle()
    before = harness.board()["id"]
    await harness.resign(harness.ann)
    await harness.settle()
    return before


def at(harness: BotHarness) -> dict[str, int]:
    """Return where games are played, as a new table stores it."""
    return {"guild": int(harness.guild.id), "channel": int(harness.yard.id)}


async def test_the_end_is_a_new_message_that_mentions_those_who_played_once_and_the_old_one_goes(harness: BotHarness):
    before = await resigned(harness)
    (shown,) = posts(harness)
    assert shown != before and "wins" in harness.public()
    for person in (harness.ann, harness.ben):
        assert person.mention in harness.public()
        assert [notice["kind"] for notice in person.notices].count("mention") == 1
    assert [part["label"] for part in UserClient.buttons(harness.board())][-5:] == [
        "Rematch",
        "Review",
        "Replay",
        "Leaderboard",
        "More …",
    ]


async def test_the_buttons_for_another_game_come_before_a_games_own_end_controls(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start")
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Start")
    await harness.finish(harness.ann, harness.ben, at_once=4)
    await harness.settle()
    blocks = harness.board()["components"][0]["components"]
    rows = [[part["label"] for part in UserClient.buttons({"components": [block]})] for block in blocks]
    assert [row for row in rows if row] == [["Rematch", "Review", "Replay"], ["Log", "Leaderboard", "More …"]]


async def test_a_press_that_ends_the_game_is_answered_and_the_end_is_posted_below(harness: BotHarness, monkeypatch):
    await harness.two_at_the_wall()
    before = harness.board()["id"]
    ui = harness.messages().ui
    monkeypatch.setattr(ui, "press", lambda view, info, control: Resign())
    answer = await harness.push()
    await harness.settle()
    assert answer.failed is None and answer.type == DEFERRED
    (shown,) = posts(harness)
    assert shown != before and await harness.shows_latest()


async def test_a_page_of_ones_own_says_how_it_ended_and_leaves_the_rest_to_the_end_below_it(harness: BotHarness):
    await harness.two_at_the_wall()
    for person in (harness.ann, harness.ben):
        await harness.press(person, "Play")
        assert has_picture(person.ephemerals(harness.yard)[-1])
    await harness.resign(harness.ann)
    await harness.settle()
    for person in (harness.ann, harness.ben):
        page = person.ephemerals(harness.yard)[0]
        assert not has_picture(page) and "wins" in visible_text(page) and "with rematch" in visible_text(page)
        assert [part["label"] for part in UserClient.buttons(page)] == ["More …"]
    assert has_picture(harness.board())


@pytest.mark.parametrize("label", ["Replay", "Review", "Leaderboard"])
async def test_replay_review_and_leaderboard_are_one_press_away(harness: BotHarness, label: str):
    await resigned(harness)
    answer = await harness.press(harness.ann, label)
    assert answer.failed is None and "⚠" not in answer.text and len(answer.text) > 20


async def test_an_end_that_was_not_shown_before_a_crash_is_posted_after_it(harness: BotHarness):
    await harness.two_at_the_wall()
    before = harness.board()["id"]
    table = harness.messages().table
    await harness.stop()
    await harness.start()
    session = await harness.client.inbound.finder.find(table.id)
    assert session is not None
    harness.sandbox.fault("*", "/channels/*", 503, times=1_000)
    await harness.resign(harness.ann)
    await harness.kill()
    await harness.start()
    await harness.advance(5_000)
    (shown,) = posts(harness)
    assert shown != before and await harness.shows_latest()


async def test_what_is_posted_at_the_end_is_not_posted_again_after_a_restart(harness: BotHarness):
    await resigned(harness)
    (shown,) = posts(harness)
    await harness.restart()
    session = await harness.client.inbound.finder.find(1)
    assert session is not None
    session.message.invalidate()
    await harness.settle()
    assert posts(harness) == [shown]
    assert [notice["kind"] for notice in harness.ben.notices].count("mention") == 1


LAST_PLACEMENT_GAME = PLACEMENT_GAMES - 1
"""The number of games before the one after which ratings are shown."""


def told(harness: BotHarness, table: int = 1) -> dict[str, int]:
    """Return the rating changes that the end of a game shows; empty if there are none."""
    message = harness.sandbox.message(str(harness.messages(table).message.number))
    lines = [line for line in UserClient.visible_text(message).splitlines() if line.startswith("-# Ratings")]
    assert len(lines) <= 1 and not any("→" in line or "placement" in line for line in lines)
    found = re.findall(r"\*\*(\w+)\*\* ([+−±])(\d+)", "".join(lines))
    return {name: -int(points) if sign == "−" else int(points) for name, sign, points in found}


async def test_the_end_shows_by_how_much_each_rating_changed(harness: BotHarness):
    await resigned(harness, games=LAST_PLACEMENT_GAME)
    changes = told(harness)
    assert changes["Ben"] > 0 and changes["Ann"] == -changes["Ben"]  # they had equal ratings
    assert list(changes) == ["Ben", "Ann"], "who gained most comes first"
    (shown,) = posts(harness)
    assert [notice["kind"] for notice in harness.ben.notices].count("mention") == 1 and shown == harness.board()["id"]


@pytest.mark.parametrize("games", [0, LAST_PLACEMENT_GAME - 1])
async def test_no_ratings_are_shown_while_both_players_are_in_placement(harness: BotHarness, games: int):
    await resigned(harness, games=games)
    assert "wins" in harness.public() and told(harness) == {}


async def test_no_ratings_are_shown_while_one_player_is_in_placement(harness: BotHarness):
    cleo = int(harness.cleo.id)
    await in_placement(harness.client.store, int(harness.ann.id), cleo, games=PLACEMENT_GAMES, **at(harness))
    table = PLACEMENT_GAMES + 1
    await harness.two_at_the_wall()
    for pushed in (0, 1):
        await harness.push(pushed, table)
    await harness.resign(harness.ann, table=table)
    await harness.settle()
    assert "wins" in harness.public() and told(harness, table) == {}


async def test_two_tables_of_one_pair_that_end_together_each_show_their_own_changes(harness: BotHarness):
    for table in (1, 2):
        await harness.two_at_the_wall()
        for pushed in (0, 1):
            await harness.push(pushed, table)
    await in_placement(
        harness.client.store, int(harness.ann.id), int(harness.ben.id), games=PLACEMENT_GAMES, **at(harness)
    )
    loses = {1: harness.ann, 2: harness.ben}
    await asyncio.gather(
        *(
            harness.messages(table).table.act(moves.move, _seat(harness, table, who), Resign(), harness.clock.now())
            for table, who in loses.items()
        )
    )
    await harness.settle()
    assert told(harness, 1)["Ann"] < 0 < told(harness, 1)["Ben"]
    assert told(harness, 2)["Ben"] < 0 < told(harness, 2)["Ann"]


def _seat(harness: BotHarness, table: int, who: UserClient) -> Seat:
    found = harness.snapshot(table).seat_of(int(who.id))
    assert found is not None
    return found


async def test_a_game_closed_with_a_result_shows_the_rating_changes_too(harness: BotHarness):
    await harness.two_at_the_wall()
    for pushed in (0, 1):
        await harness.push(pushed)
    await in_placement(
        harness.client.store, int(harness.ann.id), int(harness.ben.id), games=LAST_PLACEMENT_GAME, **at(harness)
    )
    await harness.leave(harness.ann)
    await harness.press(harness.ben, "End the game", await harness.press(harness.ben, "Leave"))
    await harness.settle()
    assert told(harness)["Ann"] < 0 < told(harness)["Ben"]


async def test_the_end_of_a_game_with_computers_says_that_its_rating_is_another_one(harness: BotHarness):
    for table in range(1, PLACEMENT_GAMES + 1):
        await harness.ann.command(harness.yard, "rope-wall start", computer="rookie")
        await harness.settle()
        await harness.resign(harness.ann, table=table)
        await harness.settle()
        assert ("Ratings with computers" in harness.public()) == (table == PLACEMENT_GAMES)
    assert told(harness, PLACEMENT_GAMES).keys() == {"Ann"} and told(harness, PLACEMENT_GAMES)["Ann"] < 0


async def test_the_end_goes_on_telling_how_ratings_have_changed_when_its_table_has_slept(harness: BotHarness):
    await resigned(harness, games=LAST_PLACEMENT_GAME)
    await harness.advance(ENDED_UNLOADS_AFTER_MS)
    assert harness.client.tables.registry.awake() == ()
    await harness.ann.press(harness.board(), label="Rematch")
    await harness.settle()
    assert "rematch" in harness.public().lower() and told(harness).keys() == {"Ann", "Ben"}


async def test_a_table_that_is_put_aside_while_ratings_are_worked_out_raises_nothing(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    registry, charts = harness.client.tables.registry, LeaderboardUpdater.charts

    async def later(*args: Any) -> Any:
        found = await charts(*args)
        if (table := registry.present.get(1)) is not None:
            registry.present.take(1)
            registry._unload(table)
        return found

    monkeypatch.setattr(LeaderboardUpdater, "charts", later)
    await resigned(harness, games=LAST_PLACEMENT_GAME)
    assert registry.present.get(1) is None
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("slept", [True, False])
async def test_the_rating_of_a_user_deleted_meanwhile_is_not_shown(harness: BotHarness, slept: bool):
    await resigned(harness, games=LAST_PLACEMENT_GAME)
    if slept:
        await harness.advance(ENDED_UNLOADS_AFTER_MS)
    asked = await harness.ann.command(harness.yard, "privacy delete")
    await harness.press(harness.ann, "Delete it all", asked)
    await harness.settle()
    await harness.ben.press(harness.board(), label="Rematch")
    await harness.settle()
    assert told(harness).keys() == {"Ben"}


async def test_where_all_were_forgotten_nothing_is_said_of_ratings(harness: BotHarness):
    await resigned(harness, games=LAST_PLACEMENT_GAME)
    for person in (harness.ann, harness.ben):
        asked = await person.command(harness.yard, "privacy delete")
        await harness.press(person, "Delete it all", asked)
        await harness.settle()
    harness.messages().message.invalidate()
    await harness.settle()
    assert "wins" in harness.public() and "Ratings" not in harness.public()


async def test_a_game_that_does_not_count_shows_no_ratings(harness: BotHarness):
    await resigned(harness)
    await harness.begin("rope-wall", harness.ben)
    await harness.resign(harness.ann)
    await harness.settle()
    assert "wins" in harness.public() and "Ratings" not in harness.public()


async def test_the_rating_of_a_user_who_has_hidden_meanwhile_is_not_shown_again(harness: BotHarness):
    await resigned(harness, games=LAST_PLACEMENT_GAME)
    await harness.advance(ENDED_UNLOADS_AFTER_MS)
    await harness.ann.command(harness.yard, "privacy hide", hidden="on")
    await harness.ben.press(harness.board(), label="Rematch")
    await harness.settle()
    assert told(harness).keys() == {"Ben"}


async def test_the_rating_of_a_user_hidden_from_leaderboards_is_not_shown_at_the_end(harness: BotHarness):
    await harness.ann.command(harness.yard, "privacy hide", hidden="on")
    await resigned(harness, games=LAST_PLACEMENT_GAME)
    assert told(harness).keys() == {"Ben"}


@pytest.mark.parametrize(("clock", "rounds"), [(86_400, 1), (60, 0)])
async def test_at_slow_tables_each_round_has_a_message_of_its_own(harness: BotHarness, clock: int, rounds: int):
    await harness.two_at_the_wall(clock=clock)
    await to_the_interlude(harness)
    await harness.settle()
    own = str(harness.messages().message.number)
    assert len([number for number in posts(harness) if _pictures(harness, number) and number != own]) == rounds
    message = harness.sandbox.message(own)
    assert message is not None
    for person in (harness.ann, harness.ben):
        await harness.press(person, "Ready", message)
    await harness.settle()
    assert len([number for number in posts(harness) if _pictures(harness, number)]) == rounds + 1


@pytest.mark.parametrize("drop", [False, True])
async def test_what_a_round_has_decided_is_posted_once_where_the_first_call_fails(harness: BotHarness, drop: bool):
    await harness.two_at_the_wall(clock=86_400)
    await harness.settle()
    harness.sandbox.fault("POST", "/channels/{channel_id}/messages", 503, drop=drop)
    await to_the_interlude(harness)
    await harness.settle()
    await harness.advance(POST_ASIDE_AGAIN_MS)
    await harness.advance(POST_ASIDE_AGAIN_MS)
    own = str(harness.messages().message.number)
    assert len([number for number in posts(harness) if _pictures(harness, number) and number != own]) == 1


def _pictures(harness: BotHarness, number: str) -> bool:
    message = harness.sandbox.message(number)
    return message is not None and "media" in str(message["components"])


@pytest.mark.parametrize(("change", "words"), [(12, "+12"), (-12, "−12"), (0, "±0")])
def test_a_change_of_a_rating_has_its_sign(change: int, words: str):
    assert RatingChange(Seat(0), change).words == words
