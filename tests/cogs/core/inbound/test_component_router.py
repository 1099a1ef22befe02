"""Every kind of wrong click gets its own kind, private answer, and changes nothing."""

import asyncio
import logging

import pytest

from engine.contract import Moment
from tools.harness.bot_harness import BotHarness


def private(answer) -> bool:
    return answer.failed is None and bool(answer.message["flags"] & 64)


async def test_one_of_two_simultaneous_clicks_counts(harness: BotHarness):
    await harness.two_at_the_wall()
    who, shown = harness.awaited(), harness.board()
    first, second = harness.controls("push")[:2]
    answers = await asyncio.gather(who.press(shown, first), who.press(shown, second))
    await harness.settle()
    assert harness.pushes() == 1
    assert sum(private(answer) for answer in answers) == 1
    late = next(answer for answer in answers if private(answer))
    assert "has moved on" in late.text


async def test_a_move_counts_from_when_discord_received_it_however_late_the_bot_comes_to_it(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    received = harness.clock.now
    monkeypatch.setattr(harness.clock, "now", lambda: Moment(received() + 60_000))
    await harness.push()
    await harness.resign(harness.awaited())
    await harness.settle()
    _, pushed, resigned = await harness.client.store.games.decisions(1)
    assert pushed.at <= resigned.at <= received()


async def test_answers_to_users_are_not_in_the_log(harness: BotHarness, caplog: pytest.LogCaptureFixture):
    """A refusal names what they hold, or do not hold."""
    caplog.set_level(logging.DEBUG, "cogs")
    await harness.two_at_the_wall()
    answer = await harness.idle().press(harness.board(), harness.controls("push")[0])
    told = answer.text.splitlines()[0]
    assert private(answer) and told and told not in caplog.text
    assert f"interaction {answer.id}" in caplog.text


async def test_a_double_click_moves_once(harness: BotHarness):
    await harness.two_at_the_wall()
    who, shown = harness.awaited(), harness.board()
    push = harness.controls("push")[0]
    answers = await asyncio.gather(who.press(shown, push), who.press(shown, push))
    assert sorted(answer.type or 0 for answer in answers) == [4, 7]
    assert harness.pushes() == 1


async def test_a_stale_button_shows_the_current_state(harness: BotHarness):
    await harness.two_at_the_wall()
    old = harness.board()
    push = harness.controls("push")[0]
    await harness.push()
    answer = await harness.awaited().press(old, push)
    assert private(answer) and "has moved on" in answer.text and "nothing was done" in answer.text
    assert harness.pushes() == 1


async def test_out_of_turn_is_answered_with_whose_turn_it_is(harness: BotHarness):
    await harness.two_at_the_wall()
    answer = await harness.idle().press(harness.board(), harness.controls("push")[0])
    assert private(answer) and f"**{harness.awaited().name}**'s turn" in answer.text


async def test_a_stranger_reads_how_to_get_a_table(harness: BotHarness):
    await harness.two_at_the_wall()
    answer = await harness.cleo.press(harness.board(), harness.controls("push")[0])
    assert private(answer) and "have no seat" in answer.text and "/rope-wall start" in answer.text


@pytest.mark.parametrize("verb", ["fair", "text"])
async def test_there_is_nothing_to_show_of_a_game_that_has_not_begun(harness: BotHarness, verb: str):
    await harness.ann.command(harness.yard, "rope-wall start", clock=0)
    answer = await harness.cleo.forge(harness.board(), f"cb:1:0:{verb}:")
    assert "The game hasn't started." in answer.text and "SHA-256" not in answer.text


async def test_buttons_of_a_game_that_ended_say_so(harness: BotHarness):
    await harness.two_at_the_wall()
    push = harness.controls("push")[0]
    more = await harness.press(harness.ben, "More …")
    leave = harness.controls("leave", more)[0]
    await harness.resign(harness.ann)
    await harness.settle()
    answer = await harness.ben.forge(harness.board(), push)
    assert private(answer) and "over" in answer.text
    left = await harness.ben.forge(harness.board(), leave)
    assert private(left) and "already started" not in left.text and "over" in left.text


@pytest.mark.parametrize(
    "custom_id",
    [
        "cb:1:0:push:Z9",
        "cb:1:0:push:L77",
        "cb:1:0:exit:1-999999999",
        "cb:1:0:no-such-verb:",
        "cb:999999:0:push:L1",
        "cb:1:999999999:push:L1",
        "cb:1:0:heir:0",
        "cb:1:0:leave-sure:",
        "cb:0:0:rules:nothing.5",
        "cb:0:0:repost:999",
        "cb:0:0:rules:rope_wall.99999999999999999999",
        "cb:99999999999999999999:0:push:L1",
        "cb:1:0:PUSH:L1",
        "cb::::",
        "somebody-else's",
        "cb:1:0:push:" + "x" * 80,
        "cb:1:0:push:\n\u202e",
        "cb:1:0:push:²",
        "cb:0:0:repost:²",
    ],
)
async def test_forged_controls_are_answered_and_change_nothing(harness: BotHarness, custom_id: str):
    await harness.two_at_the_wall()
    version = harness.snapshot().version
    answer = await harness.cleo.forge(harness.board(), custom_id)
    assert private(answer), answer
    assert "went wrong" not in answer.text
    assert harness.snapshot().version == version


async def test_forged_selects_are_answered_too(harness: BotHarness):
    await harness.two_at_the_wall()
    for values in ([], ["x"], ["9" * 40]):
        assert private(await harness.cleo.forge(harness.board(), "cb:1:0:heir:", values, component_type=3))


async def test_a_table_of_another_server_cannot_be_reached(harness: BotHarness):
    await harness.two_at_the_wall()
    elsewhere = harness.sandbox.add_guild("Sing Sing")
    cell = harness.sandbox.add_channel(elsewhere, "cell")
    dov = harness.sandbox.add_person("Dov", elsewhere)
    await dov.command(cell, "rope-wall start")
    answer = await dov.forge(harness.board(cell), harness.controls("more")[0])
    assert private(answer) and "gone" in answer.text
    named = await dov.command(cell, "rope-wall board", table=1)
    assert "no table 1" in named.text


async def test_commands_name_what_is_missing(harness: BotHarness):
    assert "not playing" in (await harness.ann.command(harness.yard, "rope-wall push", floor=1, side="left")).text
    assert (
        "no table 7" in (await harness.ann.command(harness.yard, "rope-wall push", floor=1, side="left", table=7)).text
    )
    for command in ("rules", "learn", "puzzle", "leaderboard", "stats", "achievements"):
        assert "no game called “chess”" in (await harness.ann.command(harness.yard, command, game="chess")).text
    assert "no open tables" in (await harness.ann.command(harness.yard, "tables")).text


async def test_a_game_may_be_named_by_its_title_as_people_type_it(harness: BotHarness):
    for name in ("Match Five", " match five", "match_five"):
        assert "Lesson · 1" in (await harness.ann.command(harness.yard, "learn", game=name)).text


async def test_an_unexpected_fault_is_logged_with_its_table_and_answered_kindly(
    harness: BotHarness, caplog, monkeypatch
):
    await harness.two_at_the_wall()

    def broken(*_):
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(harness.messages().ui, "text", broken)
    answer = await harness.press(harness.ann, "Text view")
    assert private(answer) and "nothing in the game is lost" in answer.text
    assert "table 1" in caplog.text and "ZeroDivisionError" in caplog.text
