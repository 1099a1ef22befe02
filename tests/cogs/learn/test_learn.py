"""`/learn` on the sandbox: whole lessons by clicks, privately, after a restart, and with forged buttons."""

import asyncio

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.learn import GONE
from cogs.registry import GAMES
from sandbox import ActionResult, UserClient
from tests.cogs.test_event_loop import Guard, guard
from tools.harness.bot_harness import BotHarness

__all__ = ["guard"]  # a fixture

Click = tuple[str, str] | tuple[str, str, list[str]]
"""A verb and an argument, and the chosen value of a select."""


def dice(*letters: str) -> list[Click]:
    """Return clicks on dice one after the other; the arguments hold the dice chosen so far, the white one last."""
    found: list[Click] = []
    chosen, white = "", ""
    for letter in letters:
        chosen, white = (chosen, "W") if letter == "W" else (chosen + letter, white)
        found.append(("dice", chosen + white))
    return found


LESSONS: dict[str, list[list[Click]]] = {
    "rope_wall": [
        [("push", "L2")],
        [("push", "L2")],
        [("push", "L4")],
        [("push", "L4")],
        [("push", "R5")],
        [("push", "L3")],
        [("push", "R1")],
        [("push", "L2")],
        [("exit", "2")],
    ],
    "prison_break": [
        [("sneak", "1.2")],
        [("offer", "0"), ("offer-make", "0.01")],
        [("vote", "reject")],
        [("guard", "", ["2"])],
        [("sneak", "0.2")],
        [("guard", "", ["3"])],
        [("sneak", "2.1")],
        [("guard", "", ["4"])],
    ],
    "ausbrecher": [
        [
            ("bet", "0000001.6"),
            ("hand", "anew"),
            *[("bet", code) for code in ("1000000.0", "1100000.1", "1120000.2", "1122000.3")],
            ("bet", "1122300.4"),
            ("bet", "1122334.5.6"),
            ("give", "1122334"),
        ],
        dice("Y", "G", "B"),
        [("move", "green")],
        [("move", "yellow")],
        dice("W", "R", "G", "V"),
        [("replace", "red")],
        dice("B", "Y", "G"),
        [("move", "blue")],
    ],
    "break_out": [
        [("draw", "")],
        [("lay", "l.r2r3r4")],
        [("next", "")],
        [("call", "meld.2")],
        [("give", "o7")],
        [("call", "draw.3")],
        [("give", "y6")],
        [("lay", "b.1.b5g5v5..")],
        [("next", "")],
    ],
}


def find(answer: ActionResult, verb: str, argument: str) -> str:
    """Return the custom_id of a control."""
    shown = [part["custom_id"] for part in UserClient.buttons(answer) if part.get("custom_id")]
    ids = [one for one in shown if one.split(":", 4)[3:] == [verb, argument]]
    assert ids, (verb, argument, shown)
    return ids[0]


async def onward(harness: BotHarness, answer: ActionResult) -> ActionResult:
    """Read on to the next page that asks for a move, or to the end."""
    while "Go on ▶" in {part.get("label") for part in UserClient.buttons(answer)}:
        answer = await harness.ann.press(answer, label="Go on ▶")
    return answer


async def clicked(harness: BotHarness, answer: ActionResult, clicks: list[Click]) -> ActionResult:
    """Make a move by its clicks, and read on after it."""
    answer = await onward(harness, answer)
    for verb, argument, *values in clicks:
        answer = await harness.ann.press(answer, find(answer, verb, argument), values=values[0] if values else None)
    return await onward(harness, answer)


async def laid(harness: BotHarness, answer: ActionResult, *tiles: tuple[str, str]) -> ActionResult:
    """Return clicks that lay tiles: each by its label, then moved to its place if there is a choice."""
    answer = await onward(harness, answer)
    for tile, place in tiles:
        answer = await harness.ann.press(answer, label=tile)
        wanted = f"{tile.lower().replace('w', 'w=r5')}@{place};;0.p"
        ids = [part["custom_id"] for part in UserClient.buttons(answer) if wanted in (part.get("custom_id") or "")]
        if place:
            answer = await harness.ann.press(answer, ids[0])
    labels = [part.get("label") or "" for part in UserClient.buttons(answer)]
    return await harness.ann.press(answer, label=next(one for one in labels if one.startswith("Lay for")))


@pytest.mark.parametrize("key", LESSONS)
async def test_a_whole_lesson_is_played_by_clicks_on_one_private_page(harness: BotHarness, key: str):
    answer = await harness.ann.command(harness.yard, "learn", game=key)
    first = answer.message["id"]
    for number, clicks in enumerate(LESSONS[key], start=1):
        assert f" · {number} of {len(LESSONS[key])}" in answer.text
        answer = await clicked(harness, answer, clicks)
    assert "You know how to play" in answer.text and answer.message["id"] == first
    assert [one["id"] for one in harness.sandbox.messages(harness.yard)] == [first]  # no noise in the channel
    assert answer.message["flags"] & 64 and harness.ben.messages(harness.yard) == []
    assert "## ✓ Lesson finished!" in answer.text and "learned.png" in str(answer.message)
    await harness.ann.press(answer, label="Practise in DMs")
    await harness.settle()
    assert harness.snapshot().playing and harness.messages().table.game.key == key


async def test_a_whole_lesson_of_laying_tiles_is_played_by_clicks(harness: BotHarness):
    answer = await harness.ann.command(harness.yard, "learn", game="match_five")
    for number, tiles in enumerate(
        (
            (("R3", ""), ("R2", ""), ("R1", "")),
            (("R5", "L12"),),
            (("Y4", "N12"), ("B4", "N12")),
            (("B4", "N13"),),
            (("W", "Q12"),),
        ),
        start=1,
    ):
        answer = await onward(harness, answer)
        assert f" · {number} of 6" in answer.text
        answer = await laid(harness, answer, *tiles)
        assert "✓" in answer.text
    answer = await harness.ann.press(await onward(harness, answer), label="Y1")
    answer = await onward(harness, await harness.ann.press(answer, harness.controls("swap-do", answer)[0]))
    assert "You know how to play **Match Five**" in answer.text


async def test_a_lesson_goes_on_after_a_restart(harness: BotHarness):
    answer = await harness.ann.command(harness.yard, "learn", game="rope_wall")
    answer = await clicked(harness, answer, [("push", "L2")])
    await harness.restart()
    answer = await clicked(harness, answer, [("push", "L2")])
    assert " · 3 of 9" in answer.text


async def test_a_mistake_is_explained_and_the_step_stays(harness: BotHarness):
    answer = await onward(harness, await harness.ann.command(harness.yard, "learn", game="rope_wall"))
    answer = await harness.ann.press(answer, find(answer, "push", "R5"))
    assert "⚠ That push is fine too" in answer.text and " · 1 of 9" in answer.text
    answer = await harness.ann.press(answer, find(answer, "push", "L2"))
    assert "✓ Your knot went in at L2" in answer.text and " · 2 of 9" in answer.text


async def test_what_a_step_explains_is_read_before_its_controls_where_a_phone_cannot_show_both(harness: BotHarness):
    answer = await harness.ann.command(harness.yard, "learn", game="rope_wall")
    assert "This is the prison wall" in answer.text and harness.controls("push", answer) == []
    answer = await harness.ann.press(answer, label="Go on ▶")
    assert "press L2" in answer.text and len(harness.controls("push", answer)) == 10
    assert "This is the prison wall" not in answer.text and " · 1 of 9" in answer.text


async def test_a_page_of_a_draft_leads_back_to_the_step(harness: BotHarness):
    answer = await onward(harness, await harness.ann.command(harness.yard, "learn", game="match_five"))
    answer = await harness.ann.press(answer, label="Swap …")
    assert " · 1 of 6" in answer.text
    answer = await harness.ann.press(answer, label="◀ Back")
    assert "Swap …" in answer.text and "Pick all" not in answer.text


async def test_a_form_of_a_lesson_keeps_nothing(harness: BotHarness):
    answer = await onward(harness, await harness.ann.command(harness.yard, "learn", game="prison_break"))
    sneak = find(answer, "sneak", "1.2")
    form = await harness.ann.forge(answer, sneak.replace(":sneak:1.2", ":note:"))
    told = await harness.ann.submit(form, {"text": "They lie."})
    assert "a lesson doesn't save it" in told.text and "They lie" not in told.text


async def test_learn_offers_its_games_and_explains_that_another_is_unknown(harness: BotHarness):
    menu = await harness.ann.command(harness.yard, "learn")
    for package in GAMES:
        assert f"**{package.game.title}**" in menu.text
    lesson = await harness.ann.press(menu, label="Prison Break")
    assert "Lesson · 1 of 8" in lesson.text and lesson.message["id"] == menu.message["id"]
    assert "no game called" in (await harness.ann.command(harness.yard, "learn", game="chess")).text


async def test_a_lesson_can_be_started_from_every_page_of_rules(harness: BotHarness):
    rules = await harness.ann.command(harness.yard, "rules", game="rope_wall")
    assert "1 of 9" in (await harness.ann.press(rules, label="Lesson")).text
    door = await harness.ann.press(await harness.ann.command(harness.yard, "play"), label="Prison Break")
    assert "1 of 8" in (await harness.ann.press(door, label="Lesson")).text
    helped = await harness.ann.command(harness.yard, "help")
    assert "Learn by playing" in (await harness.ann.press(helped, label="Learn a game")).text


async def test_a_lesson_that_is_begun_at_a_table_takes_the_place_of_the_panel_until_the_next_one(harness: BotHarness):
    await harness.two_at_the_wall()
    panel = await harness.press(harness.ann, "Play")
    rules = await harness.press(harness.ann, "Rules", panel)
    lesson = await harness.ann.press(rules, label="Lesson")
    await harness.settle()
    assert "1 of 9" in lesson.text and "To go back to your table, press *Play*" in lesson.text
    assert [one["id"] for one in harness.ann.ephemerals(harness.yard)] == [panel.message["id"]]
    await harness.push()
    await harness.settle()
    lesson = await clicked(harness, lesson, [("push", "L2")])
    assert " · 2 of 9" in lesson.text and len(harness.ann.ephemerals(harness.yard)) == 1
    back = await harness.press(harness.ann, "Play")
    await harness.settle()
    (shown,) = harness.ann.ephemerals(harness.yard)
    assert shown["id"] == back.message["id"] and "Round 1" in UserClient.visible_text(shown)


async def test_a_user_without_a_seat_gets_the_lesson_on_a_page_of_its_own(harness: BotHarness):
    await harness.two_at_the_wall()
    rules = await harness.press(harness.cleo, "Rules")
    lesson = await harness.cleo.press(rules, label="Lesson")
    assert "1 of 9" in lesson.text and "go back to your table" not in lesson.text


async def test_a_lesson_that_is_begun_on_a_direct_message_leaves_it_and_has_a_page_of_its_own(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start", clock=0)
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    (message,) = harness.ben.dms()
    lesson = await harness.ben.forge(message, "cb:1:0:learn:rope_wall")
    assert "1 of 9" in lesson.text and "go back to your table" not in lesson.text
    assert harness.ben.dms()[0] == message and len(harness.ben.dms()) == 2


async def test_forged_buttons_of_lessons_come_to_one_sentence(harness: BotHarness):
    answer = await harness.ann.command(harness.yard, "learn", game="rope_wall")
    for name in (
        "cb:chess.0:0:push:L1",
        "cb:rope_wall.9:0:push:L1",
        "cb:rope_wall.99:0:lesson-on:",
        "cb:0:0:learn:chess",
    ):
        told = await harness.ann.forge(answer, name)
        assert GONE.split("`")[0] in told.text
    for name in (
        "cb:rope_wall.0:0:hand:",
        "cb:rope_wall.8:0:lesson-on:",
        "cb:rope_wall.3:0:exit:x",
        "cb:rope_wall.1:0:begin:",
    ):
        told = await harness.ann.forge(answer, name)
        assert " of 9" in told.text or "You know how to play" in told.text
    assert not harness.client.tables.registry.awake()


async def test_two_learners_do_not_meet(harness: BotHarness):
    ann, ben = await asyncio.gather(
        harness.ann.command(harness.yard, "learn", game="rope_wall"),
        harness.ben.command(harness.yard, "learn", game="rope_wall"),
    )
    ann = await clicked(harness, ann, [("push", "L2")])
    assert " · 2 of 9" in ann.text and " · 1 of 9" in ben.text


@pytest.mark.parametrize("key", LESSONS)
async def test_nothing_of_a_lesson_is_drawn_or_enumerated_on_the_event_loop(
    guard: Guard, harness: BotHarness, key: str
):
    answer = await harness.ann.command(harness.yard, "learn", game=key)
    for clicks in LESSONS[key][:3]:
        answer = await clicked(harness, answer, clicks)
    assert guard.calls == set()
    assert f"{key}: picture" in guard.outside


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
async def test_a_hint_names_the_move_and_does_not_make_it(harness: BotHarness, package: GamePackage):
    answer = await harness.ann.command(harness.yard, "learn", game=package.game.key)
    answer = await onward(harness, answer)
    step = answer.text.splitlines()[0]
    told = await harness.ann.press(answer, label="Hint")
    assert "Hint:" in told.text and told.text.splitlines()[0] == step
    assert "Show me" in [part.get("label") for part in UserClient.buttons(told.message or {})]
    moved = await harness.ann.press(told, label="Show me")
    assert "✓" in moved.text and "Hint:" not in moved.text


async def test_a_finished_lesson_is_ticked_for_the_one_who_finished_it_also_after_a_restart(harness: BotHarness):
    page = await harness.ann.command(harness.yard, "learn", game="rope_wall")
    for clicks in LESSONS["rope_wall"]:
        page = await clicked(harness, page, clicks)
    await harness.restart()
    menu = await harness.ann.command(harness.yard, "learn")
    assert "You've finished 1 of 5 lessons." in menu.text and menu.text.count("✓ finished") == 1
    assert "✓ Breakout: the Rope Wall" in [part.get("label") for part in UserClient.buttons(menu)]
    assert "✓" not in (await harness.ben.command(harness.yard, "learn")).text


async def test_a_lesson_that_is_left_before_its_end_is_not_ticked(harness: BotHarness):
    page = await harness.ann.command(harness.yard, "learn", game="rope_wall")
    for clicks in LESSONS["rope_wall"][:-1]:
        page = await clicked(harness, page, clicks)
    assert "✓ finished" not in (await harness.ann.command(harness.yard, "learn")).text
