"""The cockpit in the channel: one panel a person and table, alive as long as its token, told by answers to presses."""

import asyncio
import contextlib
import itertools
import random
from typing import Any

import pytest

from cogs.core.ops.timers import backoff
from cogs.core.publishing import answers_first, ephemeral_pages
from cogs.core.publishing.ephemeral_pages import AGAIN_MS, CALM_MS, IDLE_MS, RESTS_MS, RETRY_AT_MOST_MS, RETRY_MS
from cogs.core.publishing.interaction_message import GIVEN_UP_MS, Landed
from cogs.core.publishing.notices import READ_MS
from cogs.core.publishing.responder import Reply
from cogs.core.tables import moves
from sandbox import Refused, UserClient
from sandbox.world.events import Edited, Event
from tools.harness.bot_harness import House

MINUTE_MS = 60_000

MARKS = {"Ann": "● **Ann**", "Ben": "◆ **Ben**"}


def token_calls(house: House) -> list[tuple[str, int]]:
    """The calls by an interaction's token, in order: method and status."""
    return [(call.method, call.status) for call in house.sandbox.calls if call.path.startswith("/webhooks/")]


async def refused_while_another_is_answered(house: House, monkeypatch: pytest.MonkeyPatch) -> UserClient:
    """Let somebody with a panel press at the wall out of turn, and return them. Their panel waits with the line until
    "somebody else" is answered.
    """
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")
    monkeypatch.setattr(answers_first, "YOUNG_S", 3_600.0)
    monkeypatch.setattr(answers_first, "AT_MOST_S", 3_600.0)
    house.client.answers.asked("somebody else")
    await idle.press(house.board(), house.controls("push")[0])
    return idle


def openings(panel: dict[str, Any]) -> int:
    """How many openings of the Rope Wall stand on a panel, grey or not."""
    return sum(":push:" in part.get("custom_id", "") for part in UserClient.buttons(panel))


def alone(message: dict[str, Any]) -> bool:
    """Whether a private message is a refusal alone, without a page."""
    return UserClient.visible_text(message).startswith("⚠") and len(list(UserClient.buttons(message))) <= 1


def pages(house: House, person: UserClient) -> list[dict[str, Any]]:
    """The pages that somebody has in sight."""
    return [one for one in person.ephemerals(house.yard) if not alone(one)]


def sentences(house: House, person: UserClient) -> list[str]:
    """The refusals that stand alone in somebody's sight."""
    return [UserClient.visible_text(one) for one in person.ephemerals(house.yard) if alone(one)]


def text_of(house: House, person: UserClient) -> str:
    """What stands on the only private message that somebody has in sight."""
    (panel,) = person.ephemerals(house.yard)
    return UserClient.visible_text(panel)


async def test_play_opens_a_panel_that_shows_the_others_moves_without_being_pressed(house: House):
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")
    assert house.awaited().name in text_of(house, idle)
    await house.push()
    await house.settle()
    assert "Your move" in text_of(house, idle) or idle.name in text_of(house, idle).splitlines()[0]
    assert {status for _, status in token_calls(house)} == {200}


async def test_a_new_panel_takes_the_old_one_away(house: House):
    await house.two_at_the_wall()
    for _ in range(3):
        await house.press(house.ann, "Play")
        await house.settle()
        assert len(house.ann.ephemerals(house.yard)) == 1
    assert [method for method, _ in token_calls(house)].count("DELETE") == 2


async def test_a_move_on_the_panel_is_answered_by_it_and_shown_at_the_table(house: House):
    await house.two_at_the_wall()
    mover = house.awaited()
    await house.press(mover, "Play")
    (panel,) = mover.ephemerals(house.yard)
    answer = await mover.press(panel, house.controls("push", panel)[0])
    await house.settle()
    assert answer.type == 7 and house.pushes() == 1 and len(mover.ephemerals(house.yard)) == 1
    assert await house.shows()


async def test_a_refusal_at_the_table_is_one_line_with_the_way_to_ones_page(house: House):
    await house.two_at_the_wall()
    idle = house.idle()
    for _ in range(2):
        answer = await idle.press(house.board(), house.controls("push")[0])
        await house.settle()
        assert text_of(house, idle) == f"⚠ It is {MARKS[house.awaited().name]}'s turn, not yours.\nPlay"
    await house.press(idle, "Play", answer)
    await house.settle()
    assert "⚠" not in text_of(house, idle) and openings(idle.ephemerals(house.yard)[0]) == 10


async def test_who_has_a_page_open_below_the_table_is_refused_there_and_nobody_sees_that_they_pressed(house: House):
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")
    (panel,) = idle.ephemerals(house.yard)
    before = house.board()
    answer = await idle.press(before, house.controls("push")[0])
    await house.settle()
    assert answer.type == 6 and house.board() == before
    (found,) = idle.ephemerals(house.yard)
    assert found["id"] == panel["id"] and text_of(house, idle).startswith("⚠ It is") and openings(found) == 10
    await house.push()
    await house.settle()
    assert "⚠" not in text_of(house, idle)


@pytest.mark.parametrize(("ms", "anew"), [(AGAIN_MS - 1, True), (AGAIN_MS, False)])
async def test_whoever_presses_again_soon_may_not_have_seen_their_page_and_is_answered(
    house: House, ms: int, anew: bool
):
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")
    (panel,) = idle.ephemerals(house.yard)
    for _ in range(2):
        await idle.press(house.board(), house.controls("push")[0])
        await house.settle()
        await house.turn(ms)
    (found,) = pages(house, idle)
    assert found["id"] == panel["id"] and UserClient.visible_text(found).startswith("⚠ It is")
    assert [one.startswith("⚠ It is") for one in sentences(house, idle)] == [True] * anew


async def test_a_line_that_stands_there_already_is_not_told_once_more_when_the_game_has_gone_on(house: House):
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")
    for _ in range(2):
        await idle.press(house.board(), house.controls("push")[0])
        await house.settle()
        assert text_of(house, idle).startswith("⚠ It is")
        await house.turn(AGAIN_MS)
    await house.push()
    await house.settle()
    assert "⚠" not in text_of(house, idle)


async def test_a_line_that_did_not_get_through_is_told_by_the_next_edit(house: House):
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")
    house.sandbox.fault("PATCH", "/webhooks/*", 0, times=1_000_000)
    await idle.press(house.board(), house.controls("push")[0])
    await house.settle()
    assert "⚠" not in text_of(house, idle)
    house.sandbox.mend()
    await house.turn(CALM_MS)
    assert text_of(house, idle).startswith("⚠ It is")


@pytest.mark.parametrize("status", [400, 401, 404])
async def test_a_line_whose_panel_is_gone_is_an_answer_of_its_own(house: House, status: int):
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")
    house.sandbox.fault("PATCH", "/webhooks/*", status)
    await idle.press(house.board(), house.controls("push")[0])
    await house.settle()
    assert any(UserClient.visible_text(one).startswith("⚠ It is") for one in idle.ephemerals(house.yard))


async def test_a_line_that_became_an_answer_of_its_own_goes_when_the_game_goes_on(house: House):
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")
    (panel,) = idle.ephemerals(house.yard)
    house.sandbox.fault("PATCH", "/webhooks/*", 404, body={"code": 10015, "message": "Unknown Webhook"})
    await idle.press(house.board(), house.controls("push")[0])
    await house.settle()
    (told,) = sentences(house, idle)
    assert told == f"⚠ It is {MARKS[house.awaited().name]}'s turn, not yours.\nPlay"
    await house.push()
    await house.turn(READ_MS)
    assert [one["id"] for one in idle.ephemerals(house.yard)] == [panel["id"]]


@pytest.mark.parametrize("ms", [0, RESTS_MS])
async def test_an_edit_that_does_not_get_through_is_tried_again_and_not_at_every_moment(house: House, ms: int):
    await house.two_at_the_wall()
    await house.without_tokens()  # all calls by token are the panel's
    idle = house.idle()
    await house.press(idle, "Play")
    await house.settle()
    house.sandbox.fault("PATCH", "/webhooks/*", 0, times=1_000_000)
    house.hands.turn(ms)
    if not ms:
        await house.push()
    await house.sandbox.until(lambda: bool(token_calls(house)))
    await house.session().panels.settle()
    for times in (1, 2, 3):  # ever more rarely, where the trouble lasts
        await house.turn(backoff(times, RETRY_MS, RETRY_AT_MOST_MS) - 1)
        assert len(token_calls(house)) == times
        if times == 3:
            house.sandbox.mend()
        await house.turn(1)
    assert ("Your move" if not ms else "rests") in text_of(house, idle)


async def test_a_line_whose_page_could_not_be_drawn_is_an_answer_of_its_own(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")

    async def broken(*parts: Any) -> Any:
        raise ValueError("no chalk")

    monkeypatch.setattr(house.session().panels, "_compose", broken)
    await idle.press(house.board(), house.controls("push")[0])
    await house.settle()
    assert any(UserClient.visible_text(one).startswith("⚠ It is") for one in idle.ephemerals(house.yard))


@pytest.mark.parametrize(("ms", "told"), [(AGAIN_MS - 1, True), (AGAIN_MS, False)])
async def test_a_line_that_waited_while_its_reader_pressed_something_else_is_told_when_they_are_back_soon(
    house: House, monkeypatch: pytest.MonkeyPatch, ms: int, told: bool
):
    idle = await refused_while_another_is_answered(house, monkeypatch)
    (panel,) = idle.ephemerals(house.yard)
    more = await idle.press(panel, label="More …")
    house.client.answers.answered("somebody else")
    await house.settle()
    house.hands.turn(ms)
    await idle.press(more, label="◀ Back to the game")
    await house.settle()
    assert text_of(house, idle).startswith("⚠ It is") is told


async def test_where_no_panel_is_edited_any_more_a_refusal_comes_as_an_answer(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")
    monkeypatch.setattr(house.session().table, "elsewhere", True)  # as while its server goes to another process
    await idle.press(house.board(), house.controls("push")[0])
    await house.settle()
    assert [one.startswith("⚠ It is") for one in sentences(house, idle)] == [True]


@pytest.mark.parametrize("verb", ["back", "push"])
async def test_a_line_that_waited_stands_beside_what_its_reader_was_told_meanwhile(
    house: House, monkeypatch: pytest.MonkeyPatch, verb: str
):
    idle, control = await refused_while_another_is_answered(house, monkeypatch), house.controls("push")[0]
    (panel,) = idle.ephemerals(house.yard)
    await idle.forge(panel, control if verb == "push" else control.replace(":push:", ":back:"))
    house.client.answers.answered("somebody else")
    await house.settle()
    first = f"⚠ It is {MARKS[house.awaited().name]}'s turn, not yours."
    second = [] if verb == "push" else ["⚠ You are at the table; nobody plays for you."]
    assert [line for line in text_of(house, idle).splitlines() if line.startswith("⚠")] == [first, *second]


async def test_a_page_above_the_table_message_may_be_out_of_sight_so_a_refusal_comes_as_an_answer(house: House):
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")
    (panel,) = idle.ephemerals(house.yard)
    house.session().message.move_down()
    await house.settle()
    await idle.press(house.board(), house.controls("push")[0])
    await house.settle()
    (found,), (told,) = pages(house, idle), sentences(house, idle)
    assert found["id"] == panel["id"] and "⚠" not in UserClient.visible_text(found) and told.startswith("⚠ It is")


async def test_what_is_refused_after_the_end_is_told_by_one_line(house: House):
    await house.two_at_the_wall()
    await house.press(house.ben, "Play")
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    for _ in range(2):
        await house.press(house.ben, "Rematch")
        await house.settle()
    (told,) = sentences(house, house.ben)
    assert "\n" not in told and len(pages(house, house.ben)) == 1


async def test_a_press_at_the_table_that_comes_too_late_leaves_the_panel_in_its_place_and_tells_it_there(house: House):
    await house.two_at_the_wall()
    early, late = house.awaited(), house.idle()
    await house.press(early, "Play")
    (panel,) = early.ephemerals(house.yard)
    before, stale = house.board(), house.controls("push")[0]
    await house.push()
    await house.settle()
    await house.press(late, "Play")
    answer = await early.press(before, stale)
    await house.settle()
    assert answer.type == 7 and house.pushes() == 1
    assert [one["id"] for one in early.ephemerals(house.yard)] == [panel["id"]]
    assert text_of(house, early).startswith("⚠ That button belongs to an earlier moment") and await house.shows()
    await house.turn(ephemeral_pages.OPEN_MS)
    await early.press(before, stale)
    await house.settle()
    (told,) = sentences(house, early)  # the panel may be out of sight by now
    assert "earlier moment" in told and pages(house, early)[0]["id"] == panel["id"]


@pytest.mark.parametrize("later", [False, True])
async def test_a_line_that_stands_alone_goes_when_the_game_goes_on_but_can_be_read(house: House, later: bool):
    await house.two_at_the_wall()
    idle = house.idle()
    await idle.press(house.board(), house.controls("push")[0])
    await house.settle()
    if later:
        await house.turn(READ_MS)
    assert text_of(house, idle).startswith("⚠")
    await house.push()
    await house.settle()
    assert len(idle.ephemerals(house.yard)) == (not later)
    await house.turn(READ_MS - 1)
    house.session().panels.wake()  # as for somebody else's
    await house.settle()
    assert len(idle.ephemerals(house.yard)) == (not later)
    await house.turn(1)
    assert not idle.ephemerals(house.yard) and ("DELETE", 204) in token_calls(house)


async def test_a_line_that_stands_alone_goes_when_the_table_sleeps_if_not_before(house: House):
    await house.two_at_the_wall()
    idle = house.idle()
    await idle.press(house.board(), house.controls("push")[0])
    await house.settle()
    await house.turn(house.session().table.snapshot.unloads_after_ms - MINUTE_MS)
    assert sentences(house, idle) and not token_calls(house)
    await house.turn(MINUTE_MS)
    await house.settle()
    assert not idle.ephemerals(house.yard) and token_calls(house) == [("DELETE", 204)]


@pytest.mark.parametrize("on_the_line", [False, True])
async def test_a_line_that_stands_alone_gives_way_to_the_page_of_its_reader(house: House, on_the_line: bool):
    await house.two_at_the_wall()
    idle = house.idle()
    answer = await idle.press(house.board(), house.controls("push")[0])
    await house.settle()
    await house.press(idle, "Play", answer if on_the_line else None)
    await house.settle()
    assert not sentences(house, idle) and len(pages(house, idle)) == 1
    await house.push()
    await house.turn(READ_MS)
    assert len(pages(house, idle)) == 1


async def test_a_page_that_took_the_place_of_a_sentence_before_that_was_known_stays(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    await house.two_at_the_wall()
    idle, really, pressed = house.idle(), Reply.show, list[Any]()

    async def show(reply: Reply, *arguments: Any, **more: Any) -> Landed | None:
        landed = await really(reply, *arguments, **more)
        if not pressed:  # Discord shows it, and we have not heard of it yet
            pressed.append(landed)
            await idle.press(idle.ephemerals(house.yard)[0], label="Play")
            for _ in range(200):
                await asyncio.sleep(0)
            assert house.session().panels.open  # it stands before the sentence does
        return landed

    monkeypatch.setattr(Reply, "show", show)
    await idle.press(house.board(), house.controls("push")[0])
    await house.settle()
    await house.push()
    await house.turn(READ_MS)
    assert pressed and len(pages(house, idle)) == 1


async def test_a_command_that_moves_is_answered_on_the_panel_which_takes_the_old_one_away(house: House):
    await house.two_at_the_wall()
    mover = house.awaited()
    await house.press(mover, "Play")
    await mover.command(house.yard, "rope-wall push", floor=1, side="left")
    await house.settle()
    assert "✓ You pushed" in text_of(house, mover)


async def three_at_the_tiles(house: House) -> tuple[UserClient, UserClient, UserClient]:
    """Three people have begun Match Five: who is to move, who comes next, and who has to wait."""
    await house.ann.command(house.yard, "match-five start", clock=0)
    for person in (house.ben, house.cleo):
        await house.press(person, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    people = [house.ann, house.ben, house.cleo]
    first = people.index(house.awaited())
    mover, following, waiting = people[first:] + people[:first]
    return mover, following, waiting


async def move(house: House) -> None:
    """Let whoever is awaited make any sound move by a command."""
    table = house.session().table
    (seat,) = table.snapshot.view(None).to_act
    await house.session().table.act(moves.move, seat, table.snapshot.legal(seat)[-1], house.hands.now())
    house.session().message.refresh()
    await house.settle()


async def test_what_tells_its_reader_nothing_to_act_on_is_shown_at_most_every_three_seconds(house: House):
    _, following, waiting = await three_at_the_tiles(house)
    await house.without_tokens()  # the table message is edited by the bot's own then
    await house.press(following, "Play")
    await house.press(waiting, "Play")
    await house.settle()
    await move(house)
    edits = [method for method, _ in token_calls(house)].count("PATCH")
    assert edits == 1 and "Swap tiles" in text_of(house, following)
    await house.turn(CALM_MS - 1)
    assert [method for method, _ in token_calls(house)].count("PATCH") == 1
    await house.turn(1)
    assert [method for method, _ in token_calls(house)].count("PATCH") == 2
    assert following.name in text_of(house, waiting).splitlines()[0]


async def test_a_picture_that_a_panel_shows_already_is_kept_and_not_sent_again(house: House):
    _, _, waiting = await three_at_the_tiles(house)
    await house.press(waiting, "Play")
    shown = pictures(waiting.ephemerals(house.yard)[0])
    await move(house)
    await house.turn(CALM_MS)
    after = pictures(waiting.ephemerals(house.yard)[0])
    assert len(shown) == 2 and shown[0] != after[0] and shown[1] == after[1]  # the board, and their own hand


def pictures(message: dict[str, Any]) -> list[str]:
    """The addresses of the pictures that a message shows, in order."""
    return [item["media"]["url"] for part in message["components"] for item in _items(part)]


def _items(part: dict[str, Any]) -> list[dict[str, Any]]:
    found = list(part.get("items", ()))
    for inner in part.get("components", ()):
        found += _items(inner)
    return found


@pytest.mark.parametrize(("ms", "edited"), [(IDLE_MS - MINUTE_MS, True), (IDLE_MS, False)])
async def test_a_reader_who_has_pressed_nothing_for_ten_minutes_gets_no_edits(house: House, ms: int, edited: bool):
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")
    await house.settle()
    await house.turn(ms)
    await house.push()
    await house.settle()
    assert bool(token_calls(house)) is edited


async def test_before_its_token_dies_a_panel_shows_how_to_go_on_and_a_press_there_does(house: House):
    await house.two_at_the_wall()
    await house.press(house.ann, "Play")
    await house.settle()
    await house.turn(RESTS_MS - MINUTE_MS)
    assert token_calls(house) == []
    await house.turn(MINUTE_MS)
    (panel,) = house.ann.ephemerals(house.yard)
    assert [part["label"] for part in UserClient.buttons(panel)] == ["Go on"]
    await house.turn(GIVEN_UP_MS)
    answer = await house.ann.press(panel, label="Go on")
    await house.settle()
    assert answer.type == 7 and house.controls("push", house.ann.ephemerals(house.yard)[0])
    await house.push()
    await house.settle()
    assert {status for _, status in token_calls(house)} == {200}


async def test_a_panel_whose_token_died_early_is_let_go_and_play_opens_another(house: House):
    await house.two_at_the_wall()
    idle = house.idle()
    await house.press(idle, "Play")
    gone = {"code": 10015, "message": "Unknown Webhook"}
    house.sandbox.fault("PATCH", "/webhooks/*", 404, body=gone)
    await house.push()
    await house.settle()
    await house.push()
    await house.settle()
    assert token_calls(house) == [("PATCH", 404)]
    await house.press(idle, "Play")
    await house.settle()
    assert house.pushes() == 2 and openings(idle.ephemerals(house.yard)[-1]) == 10


async def test_a_panel_from_before_a_restart_works_when_it_is_pressed_and_lives_on(house: House):
    await house.two_at_the_wall()
    mover = house.awaited()
    await house.press(mover, "Play")
    (panel,) = mover.ephemerals(house.yard)
    await house.restart()
    await mover.press(panel, house.controls("push", panel)[0])
    await house.settle()
    assert house.pushes() == 1
    await house.push()
    await house.settle()
    assert "Your move" in text_of(house, mover).splitlines()[0]


async def test_everything_else_stands_behind_more_with_a_way_back(house: House):
    await house.two_at_the_wall()
    more = await house.press(house.ann, "More …")
    for label in ("What can I do?", "Rules", "Text view", "Fair chance"):
        shown = await house.ann.press(more, label=label)
        await house.settle()
        assert len(house.ann.ephemerals(house.yard)) == 1 and len(shown.text) > 40
        more = await house.ann.press(shown, label="◀ Back to the game")
        more = await house.ann.press(more, label="More …")


async def test_a_stranger_who_presses_play_is_told_so_on_one_private_message(house: House):
    await house.two_at_the_wall()
    for _ in range(2):
        await house.press(house.cleo, "Play")
        await house.settle()
    assert "do not sit" in text_of(house, house.cleo)


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_people_press_each_sees_one_page_and_one_sentence_of_a_table_at_most(house: House, seed: int):
    dice = random.Random(seed)
    game = ("break-out", "match-five", "prison-break")[seed]
    await house.ann.command(house.yard, f"{game} start", clock=0)
    await house.press(house.ben, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    for _ in range(25):
        who = dice.choice((house.ann, house.ben, house.cleo))
        seen = [house.board(), *who.ephemerals(house.yard), *who.dms()]
        message = dice.choice(seen)
        buttons = [part for part in UserClient.buttons(message) if part.get("custom_id") and not part.get("disabled")]
        away = (":leave", ":learn")  # from the seat, and to a lesson, which is no page of the table
        buttons = [part for part in buttons if part["type"] == 2 and not any(v in part["custom_id"] for v in away)]
        if not buttons:
            continue
        try:
            await who.press(message, dice.choice(buttons)["custom_id"])
        except Refused:
            continue  # a form opened
        await house.turn(dice.choice((0, 500, 4_000)))
        assert all(len(pages(house, person)) <= 1 for person in (house.ann, house.ben, house.cleo))
        assert all(len(sentences(house, person)) <= 1 for person in (house.ann, house.ben, house.cleo))
        assert all(len(person.dms()) <= 1 for person in (house.ann, house.ben, house.cleo))


async def test_at_two_tables_of_one_person_there_are_two_panels(house: House):
    for _ in itertools.repeat(None, 2):
        await house.two_at_the_wall()
        await house.press(house.ann, "Play")
        await house.settle()
    assert len(house.ann.ephemerals(house.yard)) == 2


async def test_a_command_leaves_its_readers_panel_to_the_answer_that_takes_its_place(house: House):
    await house.begin("break-out", house.ben)
    who, edited = house.awaited(), list[str]()
    before = (await who.command(house.yard, "break-out draw")).message
    assert before is not None
    await house.settle()

    def hear(event: Event) -> None:
        if isinstance(event, Edited):
            edited.append(event.message.id)

    house.sandbox.state.listeners.append(hear)
    await who.command(house.yard, "break-out next")  # what it opens is shown at once
    await house.settle()
    assert edited and before["id"] not in edited


@pytest.mark.parametrize("busy", ["waits for its turn", "is being edited", "is served", "is silent"])
async def test_a_panel_that_falls_due_while_nothing_can_be_done_for_it_wakes_nobody(
    house: House, monkeypatch: pytest.MonkeyPatch, busy: str
):
    await house.two_at_the_wall()
    panel = await house.press(house.ann, "Play")
    await house.settle()
    found, wakes, goes_on, really = house.session().panels, list[int](), asyncio.Event(), Landed.edit

    def wake() -> None:
        wakes.append(len(wakes))
        ephemeral_pages.Panels.wake(found)

    async def edit(landed: Landed, *arguments: Any) -> None:
        await goes_on.wait()
        await really(landed, *arguments)

    monkeypatch.setattr(answers_first, "YOUNG_S", 3_600.0)
    monkeypatch.setattr(answers_first, "AT_MOST_S", 3_600.0)
    monkeypatch.setattr(found, "wake", wake)
    monkeypatch.setattr(Landed, "edit", edit)
    with contextlib.ExitStack() as stack:
        if busy == "is served":
            stack.enter_context(found.serving(int(house.ann.id)))
        elif busy == "waits for its turn":
            house.client.answers.asked("somebody")
        elif busy == "is silent":
            monkeypatch.setattr(house.session().table, "elsewhere", True)
            found.changed()
        house.hands.turn(RESTS_MS)
        for _ in range(200):
            await asyncio.sleep(0)
    assert len(wakes) <= 3
    house.client.answers.answered("somebody")
    goes_on.set()
    monkeypatch.setattr(house.session().table, "elsewhere", False)
    found.changed()
    await house.turn(1)
    assert "rests" in UserClient.visible_text(house.sandbox.message((panel.message or {})["id"]))


async def test_an_edit_that_is_on_its_way_comes_before_the_answer_to_a_press(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    await house.two_at_the_wall()
    mover = house.awaited()
    other = house.ben if mover is house.ann else house.ann
    panel = await house.press(other, "Play")
    await house.settle()
    on_its_way, goes_on, order, really = asyncio.Event(), asyncio.Event(), list[str](), Landed.edit

    async def edit(landed: Landed, *arguments: Any) -> None:
        theirs = str(landed.message) == (panel.message or {})["id"]
        if theirs:
            on_its_way.set()
            await goes_on.wait()
        await really(landed, *arguments)
        if theirs:
            order.append("edit")

    monkeypatch.setattr(Landed, "edit", edit)
    await mover.command(house.yard, "rope-wall push", floor=1, side="left")
    await on_its_way.wait()
    press = asyncio.create_task(other.press(panel, label="More …"))
    press.add_done_callback(lambda _: order.append("answer"))
    await house.sandbox.until(lambda: house.client.answers.awaited == 1)
    goes_on.set()
    assert "Fair chance" in (await press).text
    assert order == ["edit", "answer"]
    await house.settle()
    assert "Fair chance" in UserClient.visible_text(house.sandbox.message((panel.message or {})["id"]))
