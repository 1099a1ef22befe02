"""Private pages in the channel: one per person and table, alive as long as their token, updated by answers
to presses.
"""

import asyncio
import contextlib
import itertools
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from cogs.core.ops.timers import backoff
from cogs.core.publishing.ephemeral_pages import AGAIN_MS, CALM_MS, IDLE_MS, READ_MS, RESTS_MS, EphemeralPage
from cogs.core.publishing.interaction_message import TOKEN_LIFETIME_MS, InteractionMessage
from cogs.core.publishing.player_page_host import OPEN_MS
from cogs.core.publishing.responder import Responder
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import moves
from sandbox import Refused, UserClient
from sandbox.world.events import Edited, Event
from tests.cogs.core.publishing.test_fast_discord import only_fast
from tools.harness.bot_harness import BotHarness

MINUTE_MS = 60_000

MARKS = {"Ann": "● **Ann**", "Ben": "◆ **Ben**"}


def token_calls(harness: BotHarness) -> list[tuple[str, int]]:
    """Return the calls by an interaction's token, in order: method and status."""
    return [(call.method, call.status) for call in harness.sandbox.calls if call.path.startswith("/webhooks/")]


@contextlib.asynccontextmanager
async def refused_while_the_page_waits(harness: BotHarness) -> AsyncIterator[UserClient]:
    """Press at the Rope Wall out of turn as a person with a page, and yield them. Their page is edited with the line
    when the context ends.
    """
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    with harness.messages().pages.answering(int(idle.id)):
        await idle.press(harness.board(), harness.controls("push")[0])
        yield idle


def openings(panel: dict[str, Any]) -> int:
    """Return the number of push buttons on a page, enabled or not."""
    return sum(":push:" in part.get("custom_id", "") for part in UserClient.buttons(panel))


def alone(message: dict[str, Any]) -> bool:
    """Return True if a private message is a refusal without a page."""
    return UserClient.visible_text(message).startswith("⚠") and len(list(UserClient.buttons(message))) <= 1


def pages(harness: BotHarness, person: UserClient) -> list[dict[str, Any]]:
    """Return a person's visible pages."""
    return [one for one in person.ephemerals(harness.yard) if not alone(one)]


def sentences(harness: BotHarness, person: UserClient) -> list[str]:
    """Return the refusals that a person sees as separate messages."""
    return [UserClient.visible_text(one) for one in person.ephemerals(harness.yard) if alone(one)]


def text_of(harness: BotHarness, person: UserClient) -> str:
    """Return the text of a person's only visible private message."""
    (panel,) = person.ephemerals(harness.yard)
    return UserClient.visible_text(panel)


async def test_play_opens_a_panel_that_shows_the_others_moves_without_being_pressed(harness: BotHarness):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    assert harness.awaited().name in text_of(harness, idle)
    await harness.push()
    await harness.settle()
    assert "Your move" in text_of(harness, idle) or idle.name in text_of(harness, idle).splitlines()[0]
    assert {status for _, status in token_calls(harness)} == {200}


async def test_a_new_panel_takes_the_old_one_away(harness: BotHarness):
    await harness.two_at_the_wall()
    for _ in range(3):
        await harness.press(harness.ann, "Play")
        await harness.settle()
        assert len(harness.ann.ephemerals(harness.yard)) == 1
    assert [method for method, _ in token_calls(harness)].count("DELETE") == 2


async def test_a_move_on_the_panel_is_answered_by_it_and_shown_at_the_table(harness: BotHarness):
    await harness.two_at_the_wall()
    mover = harness.awaited()
    await harness.press(mover, "Play")
    (panel,) = mover.ephemerals(harness.yard)
    answer = await mover.press(panel, harness.controls("push", panel)[0])
    await harness.settle()
    assert answer.type == 7 and harness.pushes() == 1 and len(mover.ephemerals(harness.yard)) == 1
    assert await harness.shows_latest()


async def test_a_refusal_at_the_table_is_one_line_with_the_way_to_ones_page(harness: BotHarness):
    await harness.two_at_the_wall()
    idle = harness.idle()
    for _ in range(2):
        answer = await idle.press(harness.board(), harness.controls("push")[0])
        await harness.settle()
        assert text_of(harness, idle) == f"⚠ It's {MARKS[harness.awaited().name]}'s turn, not yours.\nPlay"
    await harness.press(idle, "Play", answer)
    await harness.settle()
    assert "⚠" not in text_of(harness, idle) and openings(idle.ephemerals(harness.yard)[0]) == 10


async def test_a_player_with_an_open_page_below_the_table_is_refused_on_it_privately(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    (panel,) = idle.ephemerals(harness.yard)
    before = harness.board()
    answer = await idle.press(before, harness.controls("push")[0])
    await harness.settle()
    assert answer.type == 6 and harness.board() == before
    (found,) = idle.ephemerals(harness.yard)
    assert found["id"] == panel["id"] and text_of(harness, idle).startswith("⚠ It's") and openings(found) == 10
    await harness.push()
    await harness.settle()
    assert "⚠" not in text_of(harness, idle)


@pytest.mark.parametrize(("ms", "anew"), [(AGAIN_MS - 1, True), (AGAIN_MS, False)])
async def test_a_person_who_presses_again_soon_may_not_have_seen_their_page_and_is_answered(
    harness: BotHarness, ms: int, anew: bool
):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    (panel,) = idle.ephemerals(harness.yard)
    for _ in range(2):
        await idle.press(harness.board(), harness.controls("push")[0])
        await harness.settle()
        await harness.advance(ms)
    (found,) = pages(harness, idle)
    assert found["id"] == panel["id"] and UserClient.visible_text(found).startswith("⚠ It's")
    assert [one.startswith("⚠ It's") for one in sentences(harness, idle)] == [True] * anew


async def test_a_line_already_on_the_page_is_not_repeated_when_the_game_goes_on(harness: BotHarness):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    for _ in range(2):
        await idle.press(harness.board(), harness.controls("push")[0])
        await harness.settle()
        assert text_of(harness, idle).startswith("⚠ It's")
        await harness.advance(AGAIN_MS)
    await harness.push()
    await harness.settle()
    assert "⚠" not in text_of(harness, idle)


async def test_a_line_that_was_not_delivered_is_shown_by_the_next_edit(harness: BotHarness):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    harness.sandbox.fault("PATCH", "/webhooks/*", 0, times=1_000_000)
    await idle.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    assert "⚠" not in text_of(harness, idle)
    harness.sandbox.mend()
    await harness.advance(CALM_MS)
    assert text_of(harness, idle).startswith("⚠ It's")


@pytest.mark.parametrize("status", [400, 401, 404])
async def test_a_line_whose_panel_is_gone_is_an_answer_of_its_own(harness: BotHarness, status: int):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    harness.sandbox.fault("PATCH", "/webhooks/*", status)
    await idle.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    assert any(UserClient.visible_text(one).startswith("⚠ It's") for one in idle.ephemerals(harness.yard))


async def test_a_line_that_became_an_answer_of_its_own_goes_when_the_game_goes_on(harness: BotHarness):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    (panel,) = idle.ephemerals(harness.yard)
    harness.sandbox.fault("PATCH", "/webhooks/*", 404, body={"code": 10015, "message": "Unknown Webhook"})
    await idle.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    (told,) = sentences(harness, idle)
    assert told == f"⚠ It's {MARKS[harness.awaited().name]}'s turn, not yours.\nPlay"
    await harness.push()
    await harness.advance(READ_MS)
    assert [one["id"] for one in idle.ephemerals(harness.yard)] == [panel["id"]]


@pytest.mark.parametrize("ms", [0, RESTS_MS])
async def test_an_edit_that_does_not_get_through_is_tried_again_and_not_at_every_moment(harness: BotHarness, ms: int):
    await harness.two_at_the_wall()
    await harness.without_tokens()  # all calls by token are the panel's
    idle = harness.idle()
    await harness.press(idle, "Play")
    await harness.settle()
    harness.sandbox.fault("PATCH", "/webhooks/*", 0, times=1_000_000)
    harness.clock.advance(ms)
    if not ms:
        await harness.push()
    await harness.sandbox.until(lambda: bool(token_calls(harness)))
    await harness.messages().pages.settle()
    for times in (1, 2, 3):  # ever more rarely, while the trouble lasts
        await harness.advance(backoff(times, *EphemeralPage.RETRY_MS) - 1)
        assert len(token_calls(harness)) == times
        if times == 3:
            harness.sandbox.mend()
        await harness.advance(1)
    assert ("Your move" if not ms else "stopped updating") in text_of(harness, idle)


async def test_a_line_whose_page_could_not_be_drawn_is_an_answer_of_its_own(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")

    async def broken(*parts: Any, **named: Any) -> Any:
        raise ValueError("no chalk")

    page = harness.messages().pages.message_of(int(idle.id))
    monkeypatch.setattr(page, "_services", replace(page._services, player_page=broken))
    await idle.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    assert any(UserClient.visible_text(one).startswith("⚠ It's") for one in idle.ephemerals(harness.yard))


@pytest.mark.parametrize(("ms", "told"), [(AGAIN_MS - 1, True), (AGAIN_MS, False)])
async def test_a_line_that_waited_behind_another_page_is_shown_if_its_reader_is_soon_back(
    harness: BotHarness, ms: int, told: bool
):
    async with refused_while_the_page_waits(harness) as idle:
        (panel,) = idle.ephemerals(harness.yard)
        more = await idle.press(panel, label="More …")
    await harness.settle()
    harness.clock.advance(ms)
    await idle.press(more, label="◀ Back to the game")
    await harness.settle()
    assert text_of(harness, idle).startswith("⚠ It's") is told


async def test_where_no_panel_is_edited_any_more_a_refusal_comes_as_an_answer(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    monkeypatch.setattr(harness.messages().table, "elsewhere", True)  # as while its server goes to another process
    await idle.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    assert [one.startswith("⚠ It's") for one in sentences(harness, idle)] == [True]


@pytest.mark.parametrize("verb", ["back", "push"])
async def test_a_line_that_waited_is_shown_beside_what_its_reader_read_meanwhile(harness: BotHarness, verb: str):
    async with refused_while_the_page_waits(harness) as idle:
        control = harness.controls("push")[0]
        (panel,) = idle.ephemerals(harness.yard)
        await idle.forge(panel, control if verb == "push" else control.replace(":push:", ":back:"))
    await harness.settle()
    first = f"⚠ It's {MARKS[harness.awaited().name]}'s turn, not yours."
    second = [] if verb == "push" else ["⚠ You're already back: no computer is playing for you."]
    assert [line for line in text_of(harness, idle).splitlines() if line.startswith("⚠")] == [first, *second]


async def test_a_page_above_the_table_message_may_be_out_of_sight_so_a_refusal_comes_as_an_answer(harness: BotHarness):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    (panel,) = idle.ephemerals(harness.yard)
    harness.messages().message.repost()
    await harness.settle()
    await idle.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    (found,), (told,) = pages(harness, idle), sentences(harness, idle)
    assert found["id"] == panel["id"] and "⚠" not in UserClient.visible_text(found) and told.startswith("⚠ It's")


async def test_a_refusal_is_shown_where_it_was_caused_and_not_in_another_channel(harness: BotHarness):
    await harness.begin("prison-break", harness.ben)
    cell = harness.sandbox.add_channel(harness.guild, "cell")
    await harness.ben.command(cell, "prison-break track", table=1)
    await harness.settle()
    (page,) = harness.ben.ephemerals(cell)
    stamp = harness.view().ui_version
    await harness.ben.forge(harness.board(), f"cb:1:{stamp}:decline:")
    await harness.settle()
    (told,) = sentences(harness, harness.ben)
    (left,) = harness.ben.ephemerals(cell)
    assert told.startswith("⚠") and left["id"] == page["id"] and "⚠" not in UserClient.visible_text(left)


async def test_a_refusal_after_the_end_is_shown_in_one_line(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.press(harness.ben, "Play")
    await harness.resign(harness.ann)
    await harness.settle()
    for _ in range(2):
        await harness.press(harness.ben, "Rematch")
        await harness.settle()
    (told,) = sentences(harness, harness.ben)
    assert "\n" not in told and len(pages(harness, harness.ben)) == 1


async def test_a_late_press_at_the_table_is_explained_on_the_private_page_which_stays_in_place(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    early, late = harness.awaited(), harness.idle()
    await harness.press(early, "Play")
    (panel,) = early.ephemerals(harness.yard)
    before, stale = harness.board(), harness.controls("push")[0]
    await harness.push()
    await harness.settle()
    await harness.press(late, "Play")
    answer = await early.press(before, stale)
    await harness.settle()
    assert answer.type == 6 and harness.pushes() == 1, "the message was only just shown"
    assert [one["id"] for one in early.ephemerals(harness.yard)] == [panel["id"]]
    assert text_of(harness, early).startswith("⚠ The game has moved on") and await harness.shows_latest()
    await harness.advance(OPEN_MS)
    await early.press(before, stale)
    await harness.settle()
    (told,) = sentences(harness, early)  # the page may be out of sight by now
    assert "has moved on" in told and pages(harness, early)[0]["id"] == panel["id"]


@pytest.mark.parametrize("later", [False, True])
async def test_a_separate_line_goes_when_the_game_goes_on_but_can_be_read(harness: BotHarness, later: bool):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await idle.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    if later:
        await harness.advance(READ_MS)
    assert text_of(harness, idle).startswith("⚠")
    await harness.push()
    await harness.settle()
    assert len(idle.ephemerals(harness.yard)) == (not later)
    await harness.advance(READ_MS - 1)
    harness.messages().wake()  # as for another person's page
    await harness.settle()
    assert len(idle.ephemerals(harness.yard)) == (not later)
    await harness.advance(1)
    assert not idle.ephemerals(harness.yard) and ("DELETE", 204) in token_calls(harness)


async def test_a_separate_line_goes_when_the_table_pauses_if_not_before(harness: BotHarness):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await idle.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    await harness.advance(harness.snapshot().unloads_after_ms - MINUTE_MS)
    assert sentences(harness, idle) and not token_calls(harness)
    await harness.advance(MINUTE_MS)
    await harness.settle()
    assert not idle.ephemerals(harness.yard) and token_calls(harness) == [("DELETE", 204)]


@pytest.mark.parametrize("on_the_line", [False, True])
async def test_a_separate_line_gives_way_to_the_page_of_its_reader(harness: BotHarness, on_the_line: bool):
    await harness.two_at_the_wall()
    idle = harness.idle()
    answer = await idle.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    await harness.press(idle, "Play", answer if on_the_line else None)
    await harness.settle()
    assert not sentences(harness, idle) and len(pages(harness, idle)) == 1
    await harness.push()
    await harness.advance(READ_MS)
    assert len(pages(harness, idle)) == 1


async def test_a_page_that_took_the_place_of_a_sentence_before_that_was_known_stays(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    idle, really, pressed = harness.idle(), Responder.show, list[Any]()

    async def show(reply: Responder, *arguments: Any, **more: Any) -> InteractionMessage | None:
        landed = await really(reply, *arguments, **more)
        if not pressed:  # Discord shows it, and the bot has not received the answer yet
            pressed.append(landed)
            await idle.press(idle.ephemerals(harness.yard)[0], label="Play")
            for _ in range(200):
                await asyncio.sleep(0)
            assert harness.messages().pages.open  # it is there before the sentence is
        return landed

    monkeypatch.setattr(Responder, "show", show)
    await idle.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    await harness.push()
    await harness.advance(READ_MS)
    assert pressed and len(pages(harness, idle)) == 1


async def test_a_command_that_moves_is_answered_on_the_panel_which_takes_the_old_one_away(harness: BotHarness):
    await harness.two_at_the_wall()
    mover = harness.awaited()
    await harness.press(mover, "Play")
    await mover.command(harness.yard, "rope-wall push", floor=1, side="left")
    await harness.settle()
    assert "✓ You pushed" in text_of(harness, mover)


async def three_at_the_tiles(harness: BotHarness) -> tuple[UserClient, UserClient, UserClient]:
    """Start Match Five with three people: the player to act, the next one, and the last one."""
    await harness.ann.command(harness.yard, "match-five start", clock=0)
    for person in (harness.ben, harness.cleo):
        await harness.press(person, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    people = [harness.ann, harness.ben, harness.cleo]
    first = people.index(harness.awaited())
    mover, following, waiting = people[first:] + people[:first]
    return mover, following, waiting


async def move(harness: BotHarness) -> None:
    """Make any legal move by a command as the player to act."""
    table = harness.messages().table
    (seat,) = table.snapshot.view(None).to_act
    await harness.messages().table.act(moves.move, seat, table.snapshot.legal(seat)[-1], harness.clock.now())
    harness.messages().message.mark()
    await harness.settle()


async def test_changes_that_require_no_action_are_shown_at_most_every_three_seconds(harness: BotHarness):
    _, following, waiting = await three_at_the_tiles(harness)
    await harness.without_tokens()  # the table message is edited by the bot's own then
    await harness.press(following, "Play")
    await harness.press(waiting, "Play")
    await harness.settle()
    await move(harness)
    edits = [method for method, _ in token_calls(harness)].count("PATCH")
    assert edits == 1 and "Swap …" in text_of(harness, following)
    await harness.advance(CALM_MS - 1)
    assert [method for method, _ in token_calls(harness)].count("PATCH") == 1
    await harness.advance(1)
    assert [method for method, _ in token_calls(harness)].count("PATCH") == 2
    assert following.name in text_of(harness, waiting).splitlines()[0]


@only_fast
async def test_a_picture_that_a_panel_shows_already_is_kept_and_not_sent_again(harness: BotHarness):
    _, _, waiting = await three_at_the_tiles(harness)
    await harness.press(waiting, "Play")
    shown = pictures(waiting.ephemerals(harness.yard)[0])
    await move(harness)
    await harness.advance(CALM_MS)
    after = pictures(waiting.ephemerals(harness.yard)[0])
    assert len(shown) == 2 and shown[0] != after[0] and shown[1] == after[1]  # the board, and their own hand


def pictures(message: dict[str, Any]) -> list[str]:
    """Return the addresses of the pictures that a message shows, in order."""
    return [item["media"]["url"] for part in message["components"] for item in _items(part)]


def _items(part: dict[str, Any]) -> list[dict[str, Any]]:
    found = list(part.get("items", ()))
    for inner in part.get("components", ()):
        found += _items(inner)
    return found


@pytest.mark.parametrize(("ms", "edited"), [(IDLE_MS - MINUTE_MS, True), (IDLE_MS, False)])
async def test_a_reader_who_has_pressed_nothing_for_ten_minutes_gets_no_edits(
    harness: BotHarness, ms: int, edited: bool
):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    await harness.settle()
    await harness.advance(ms)
    await harness.push()
    await harness.settle()
    assert bool(token_calls(harness)) is edited


async def test_before_its_token_dies_a_panel_shows_how_to_go_on_and_a_press_there_does(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.press(harness.ann, "Play")
    await harness.settle()
    await harness.advance(RESTS_MS - MINUTE_MS)
    assert token_calls(harness) == []
    await harness.advance(MINUTE_MS)
    (panel,) = harness.ann.ephemerals(harness.yard)
    assert [part["label"] for part in UserClient.buttons(panel)] == ["Go on"]
    await harness.advance(TOKEN_LIFETIME_MS)
    answer = await harness.ann.press(panel, label="Go on")
    await harness.settle()
    assert answer.type == 7 and harness.controls("push", harness.ann.ephemerals(harness.yard)[0])
    await harness.push()
    await harness.settle()
    assert {status for _, status in token_calls(harness)} == {200}


async def test_a_private_page_whose_token_expired_early_is_dropped_and_play_opens_another(harness: BotHarness):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    gone = {"code": 10015, "message": "Unknown Webhook"}
    harness.sandbox.fault("PATCH", "/webhooks/*", 404, body=gone)
    await harness.push()
    await harness.settle()
    await harness.push()
    await harness.settle()
    assert token_calls(harness) == [("PATCH", 404)]
    await harness.press(idle, "Play")
    await harness.settle()
    assert harness.pushes() == 2 and openings(idle.ephemerals(harness.yard)[-1]) == 10


async def test_a_panel_from_before_a_restart_works_when_it_is_pressed_and_lives_on(harness: BotHarness):
    await harness.two_at_the_wall()
    mover = harness.awaited()
    await harness.press(mover, "Play")
    (panel,) = mover.ephemerals(harness.yard)
    await harness.restart()
    await mover.press(panel, harness.controls("push", panel)[0])
    await harness.settle()
    assert harness.pushes() == 1
    await harness.push()
    await harness.settle()
    assert "Your move" in text_of(harness, mover).splitlines()[0]


async def test_everything_else_is_behind_more_with_a_way_back(harness: BotHarness):
    await harness.two_at_the_wall()
    more = await harness.press(harness.ann, "More …")
    for label in ("What can I do?", "Rules", "Text view", "Fairness"):
        shown = await harness.ann.press(more, label=label)
        await harness.settle()
        assert len(harness.ann.ephemerals(harness.yard)) == 1 and len(shown.text) > 40
        more = await harness.ann.press(shown, label="◀ Back to the game")
        more = await harness.ann.press(more, label="More …")


async def test_a_stranger_who_presses_play_can_watch_on_one_private_message(harness: BotHarness):
    await harness.two_at_the_wall()
    for _ in range(2):
        await harness.press(harness.cleo, "Play")
        await harness.settle()
    assert "If you watch this game" in text_of(harness, harness.cleo)


@pytest.mark.parametrize("seed", range(3))
async def test_each_user_sees_at_most_one_page_and_one_sentence_of_a_table_whatever_is_pressed(
    harness: BotHarness, seed: int
):
    dice = random.Random(seed)
    game = ("break-out", "match-five", "prison-break")[seed]
    await harness.ann.command(harness.yard, f"{game} start", clock=0)
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    for _ in range(25):
        who = dice.choice((harness.ann, harness.ben, harness.cleo))
        seen = [harness.board(), *who.ephemerals(harness.yard), *who.dms()]
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
        await harness.advance(dice.choice((0, 500, 4_000)))
        assert all(len(pages(harness, person)) <= 1 for person in (harness.ann, harness.ben, harness.cleo))
        assert all(len(sentences(harness, person)) <= 1 for person in (harness.ann, harness.ben, harness.cleo))
        assert all(len(person.dms()) <= 1 for person in (harness.ann, harness.ben, harness.cleo))


async def test_at_two_tables_of_one_person_there_are_two_panels(harness: BotHarness):
    for _ in itertools.repeat(None, 2):
        await harness.two_at_the_wall()
        await harness.press(harness.ann, "Play")
        await harness.settle()
    assert len(harness.ann.ephemerals(harness.yard)) == 2


async def test_a_command_leaves_its_readers_panel_to_the_answer_that_takes_its_place(harness: BotHarness):
    await harness.begin("break-out", harness.ben)
    who, edited = harness.awaited(), list[str]()
    before = (await who.command(harness.yard, "break-out draw")).message
    assert before is not None
    await harness.settle()

    def hear(event: Event) -> None:
        if isinstance(event, Edited):
            edited.append(event.message.id)

    harness.sandbox.state.listeners.append(hear)
    await who.command(harness.yard, "break-out next")  # what it opens is shown at once
    await harness.settle()
    assert edited and before["id"] not in edited


@pytest.mark.parametrize("busy", ["is being edited", "is served", "is silent"])
async def test_a_panel_that_falls_due_while_nothing_can_be_done_for_it_wakes_nobody(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, busy: str
):
    await harness.two_at_the_wall()
    panel = await harness.press(harness.ann, "Play")
    await harness.settle()
    found, wakes, goes_on, really = harness.messages(), list[int](), asyncio.Event(), InteractionMessage.edit

    def wake() -> None:
        wakes.append(len(wakes))
        TableMessages.wake(found)

    async def edit(landed: InteractionMessage, *arguments: Any) -> None:
        await goes_on.wait()
        await really(landed, *arguments)

    monkeypatch.setattr(found, "wake", wake)
    monkeypatch.setattr(InteractionMessage, "edit", edit)
    with contextlib.ExitStack() as stack:
        if busy == "is served":
            stack.enter_context(found.pages.answering(int(harness.ann.id)))
        elif busy == "is silent":
            monkeypatch.setattr(harness.messages().table, "elsewhere", True)
            found.pages.changed()
        harness.clock.advance(RESTS_MS)
        for _ in range(200):
            await asyncio.sleep(0)
    assert len(wakes) <= 3
    goes_on.set()
    monkeypatch.setattr(harness.messages().table, "elsewhere", False)
    found.pages.changed()
    await harness.advance(1)
    assert "stopped updating" in UserClient.visible_text(harness.sandbox.message((panel.message or {})["id"]))


@pytest.mark.parametrize("waits", [True, False], ids=["waits before it goes out", "waits for its response"])
async def test_an_edit_that_is_on_its_way_does_not_hold_up_the_answer_to_a_press_and_does_not_replace_it(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, waits: bool
):
    await harness.two_at_the_wall()
    mover = harness.awaited()
    other = harness.ben if mover is harness.ann else harness.ann
    panel = await harness.press(other, "Play")
    await harness.settle()
    on_its_way, goes_on, order, really = asyncio.Event(), asyncio.Event(), list[str](), InteractionMessage.edit

    async def edit(landed: InteractionMessage, *arguments: Any) -> None:
        theirs = str(landed.message) == (panel.message or {})["id"]
        if not waits:
            await really(landed, *arguments)
        if theirs:
            on_its_way.set()
            await goes_on.wait()
        if waits:
            await really(landed, *arguments)
        if theirs:
            order.append("edit")

    monkeypatch.setattr(InteractionMessage, "edit", edit)
    await mover.command(harness.yard, "rope-wall push", floor=1, side="left")
    await on_its_way.wait()
    press = asyncio.create_task(other.press(panel, label="More …"))
    press.add_done_callback(lambda _: order.append("answer"))
    assert "Fairness" in (await press).text
    goes_on.set()
    await harness.settle()
    assert order == (["answer"] if waits else ["answer", "edit", "edit"])
    assert "Fairness" in UserClient.visible_text(harness.sandbox.message((panel.message or {})["id"]))
