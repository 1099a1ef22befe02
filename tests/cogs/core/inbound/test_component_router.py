"""Every way a click can come in wrong gets its own kind, private answer, and changes nothing."""

import asyncio
import logging

import pytest

from engine.contract import Moment
from tools.harness.bot_harness import House


def private(answer) -> bool:
    return answer.failed is None and bool(answer.message["flags"] & 64)


async def test_of_two_clicks_at_the_same_moment_one_counts(house: House):
    await house.two_at_the_wall()
    who, shown = house.awaited(), house.board()
    first, second = house.controls("push")[:2]
    answers = await asyncio.gather(who.press(shown, first), who.press(shown, second))
    await house.settle()
    assert house.pushes() == 1
    assert sum(private(answer) for answer in answers) == 1
    late = next(answer for answer in answers if private(answer))
    assert "earlier moment" in late.text


async def test_a_move_counts_from_when_discord_received_it_however_late_the_bot_comes_to_it(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    await house.two_at_the_wall()
    received = house.hands.now
    monkeypatch.setattr(house.hands, "now", lambda: Moment(received() + 60_000))
    await house.push()
    await house.awaited().command(house.yard, "rope-wall resign")
    await house.settle()
    _, pushed, resigned = await house.client.tables.store.games.decisions(1)
    assert pushed.at <= resigned.at <= received()


async def test_what_somebody_is_told_does_not_stand_in_the_log(house: House, caplog: pytest.LogCaptureFixture):
    """A refusal names what they hold, or do not hold."""
    caplog.set_level(logging.DEBUG, "cogs")
    await house.two_at_the_wall()
    answer = await house.idle().press(house.board(), house.controls("push")[0])
    told = answer.text.splitlines()[0]
    assert private(answer) and told and told not in caplog.text
    assert f"interaction {answer.id}" in caplog.text


async def test_a_double_click_moves_once(house: House):
    await house.two_at_the_wall()
    who, shown = house.awaited(), house.board()
    push = house.controls("push")[0]
    answers = await asyncio.gather(who.press(shown, push), who.press(shown, push))
    assert sorted(answer.type or 0 for answer in answers) == [4, 7]
    assert house.pushes() == 1


async def test_a_stale_button_shows_how_it_stands_now(house: House):
    await house.two_at_the_wall()
    old = house.board()
    push = house.controls("push")[0]
    await house.push()
    answer = await house.awaited().press(old, push)
    assert private(answer) and "earlier moment" in answer.text and "nothing was done" in answer.text
    assert house.pushes() == 1


async def test_out_of_turn_is_answered_with_whose_turn_it_is(house: House):
    await house.two_at_the_wall()
    answer = await house.idle().press(house.board(), house.controls("push")[0])
    assert private(answer) and f"**{house.awaited().name}**'s turn" in answer.text


async def test_a_stranger_is_told_how_to_get_a_table(house: House):
    await house.two_at_the_wall()
    answer = await house.cleo.press(house.board(), house.controls("push")[0])
    assert private(answer) and "do not sit" in answer.text and "/rope-wall start" in answer.text


@pytest.mark.parametrize("verb", ["fair", "text"])
async def test_of_a_game_that_has_not_begun_there_is_nothing_to_tell(house: House, verb: str):
    await house.ann.command(house.yard, "rope-wall start", clock=0)
    answer = await house.cleo.forge(house.board(), f"cb:1:0:{verb}:")
    assert "The game has not begun." in answer.text and "SHA-256" not in answer.text


async def test_buttons_of_a_game_that_ended_say_so(house: House):
    await house.two_at_the_wall()
    push = house.controls("push")[0]
    more = await house.press(house.ben, "More …")
    leave = house.controls("leave", more)[0]
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    answer = await house.ben.forge(house.board(), push)
    assert private(answer) and "over" in answer.text
    left = await house.ben.forge(house.board(), leave)
    assert private(left) and "already begun" not in left.text and "over" in left.text


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
async def test_forged_controls_are_answered_and_change_nothing(house: House, custom_id: str):
    await house.two_at_the_wall()
    version = house.session().table.snapshot.version
    answer = await house.cleo.forge(house.board(), custom_id)
    assert private(answer), answer
    assert "went wrong" not in answer.text
    assert house.session().table.snapshot.version == version


async def test_forged_selects_are_answered_too(house: House):
    await house.two_at_the_wall()
    for values in ([], ["x"], ["9" * 40]):
        assert private(await house.cleo.forge(house.board(), "cb:1:0:heir:", values, component_type=3))


async def test_a_table_of_another_server_cannot_be_reached(house: House):
    await house.two_at_the_wall()
    elsewhere = house.sandbox.add_guild("Sing Sing")
    cell = house.sandbox.add_channel(elsewhere, "cell")
    dov = house.sandbox.add_person("Dov", elsewhere)
    await dov.command(cell, "rope-wall start")
    answer = await dov.forge(house.board(cell), house.controls("more")[0])
    assert private(answer) and "gone" in answer.text
    named = await dov.command(cell, "rope-wall board", table=1)
    assert "no table 1" in named.text


async def test_commands_name_what_is_missing(house: House):
    assert "not playing" in (await house.ann.command(house.yard, "rope-wall push", floor=1, side="left")).text
    assert "no table 7" in (await house.ann.command(house.yard, "rope-wall push", floor=1, side="left", table=7)).text
    assert "no game called" in (await house.ann.command(house.yard, "rules", game="chess")).text
    assert "no open tables" in (await house.ann.command(house.yard, "tables")).text


async def test_an_unexpected_fault_is_logged_with_its_table_and_answered_kindly(house: House, caplog, monkeypatch):
    await house.two_at_the_wall()

    def broken(*_):
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(house.session().screen, "text", broken)
    answer = await house.press(house.ann, "Text view")
    assert private(answer) and "nothing of the game is lost" in answer.text
    assert "table 1" in caplog.text and "ZeroDivisionError" in caplog.text
