"""`/puzzle` on the sandbox: solved and failed by clicks, kept from the first press, shared without a spoiler."""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from discord import ButtonStyle

from cogs.break_out.plays import code
from cogs.core.pages.page import Text
from cogs.puzzles import GONE
from cogs.puzzles.mornings import date
from cogs.puzzles.pages import Task
from cogs.registry import GAMES as PACKAGES
from data.puzzles import load_puzzles
from engine.games.ausbrecher import COLOURS, Roll
from engine.games.break_out import BreakOut, Extend, Extract, Lay
from engine.games.prison_break import Guard
from engine.games.rope_wall import Push
from engine.puzzles import DAY_MS, Proof, puzzle_number
from engine.puzzles import Answer as Judged
from engine.puzzles.registry import KINDS
from sandbox import ActionResult, UserClient
from tests.cogs.test_event_loop import Guard as LoopGuard
from tests.cogs.test_event_loop import guard
from tools.harness.bot_harness import House

__all__ = ["guard"]  # a fixture

PACK = load_puzzles()
TITLES = {package.puzzle.kind.key: package.puzzle.title for package in PACKAGES if package.puzzle is not None}
GAMES = [pytest.param(key, id=key) for key in KINDS]


Judge = Callable[[Any, Proof, Any, Sequence[Any]], Judged]


def today(house: House) -> int:
    return puzzle_number(house.hands.now())


def proof(house: House, game: str = "rope_wall") -> Proof:
    return PACK[game].numbered(today(house)).proof


def opening(push: object) -> str:
    assert isinstance(push, Push)
    return f"{'L' if push.side == 'left' else 'R'}{push.floor}"


async def asked(house: House, who: UserClient | None = None, game: str = "rope_wall") -> ActionResult:
    return await (who or house.ann).command(house.yard, "puzzle", game=game)


async def pushed(house: House, answer: ActionResult, where: str, who: UserClient | None = None) -> ActionResult:
    (name,) = [one for one in house.controls("push", answer) if one.endswith(f":{where}")]
    return await (who or house.ann).press(answer, name)


async def solved(house: House, who: UserClient | None = None) -> ActionResult:
    """Somebody solves today's puzzle of the wall."""
    answer = await asked(house, who)
    for push in proof(house).line:
        answer = await pushed(house, answer, opening(push), who)
    assert "✓" in answer.text
    return answer


async def failed(house: House, who: UserClient | None = None) -> ActionResult:
    answer = await asked(house, who)
    wrong = next(one for one in house.controls("push", answer) if not one.endswith(opening(proof(house).line[0])))
    answer = await (who or house.ann).press(answer, wrong)
    assert "✗" in answer.text
    return answer


async def test_all_puzzles_of_the_day_are_offered_privately(house: House):
    answer = await house.ann.command(house.yard, "puzzle")
    assert "Puzzles of the day" in answer.text and answer.message["flags"] & 64
    for title in TITLES.values():
        assert f"**{title}**" in answer.text
        opened = await house.ann.press(answer, label=title)
        assert f"{title} · puzzle {today(house)}" in opened.text
        answer = await house.ann.press(opened, label="◀ All puzzles")


async def test_the_right_pushes_solve_it_on_one_page_and_it_stays_solved(house: House):
    answer = await solved(house)
    assert [one["id"] for one in house.sandbox.messages(house.yard)] == [answer.message["id"]]
    assert house.controls("push", answer) == []
    again = await asked(house)
    assert "✓ Solved" in again.text and house.controls("push", again) == []
    menu = await house.ann.command(house.yard, "puzzle")
    assert "✓ solved · 1 day in a row" in menu.text


async def test_a_wrong_answer_is_kept_and_asking_anew_gives_no_second_chance(house: House):
    page = await asked(house)
    first = {push: name for name in house.controls("push", page) for push in [name.rsplit(":", 1)[1]]}
    await failed(house)
    again = await asked(house)
    assert "✗" in again.text and house.controls("push", again) == []
    late = await house.ann.forge(page, first[opening(proof(house).line[0])])
    assert "✗" in late.text and "✓" not in late.text
    assert "✗ failed" in (await house.ann.command(house.yard, "puzzle")).text


async def test_a_puzzle_goes_on_after_a_restart(house: House):
    answer = await pushed(house, await asked(house), opening(proof(house).line[0]))
    assert "✓ Right so far" in answer.text
    await house.restart()
    answer = await pushed(house, answer, opening(proof(house).line[1]))
    assert "✓ Solved" in answer.text


async def test_of_two_presses_at_once_one_counts(house: House):
    page = await asked(house)
    names = house.controls("push", page)
    right = next(name for name in names if name.endswith(opening(proof(house).line[0])))
    wrong = next(name for name in names if name != right)
    await asyncio.gather(house.ann.forge(page, right), house.ann.forge(page, wrong))
    (kept,) = await house.client.tables.store.puzzle_attempts.of(int(house.ann.id))
    assert kept.played.count('"do":"push"') == 1
    # Both were answered on one page, which shows what was kept, whichever edit came last.
    shown = (await asked(house)).text
    assert ("✓ Right so far" in shown) == (kept.solved is None) and ("✗" in shown) == (kept.solved is False)


@pytest.mark.parametrize(
    ("game", "gone", "kept"),
    [
        pytest.param("match_five", {"Pass", "Pass …"}, {"Score sheet", "Stacks"}, id="match_five"),
        pytest.param("prison_break", {"No check", "Write a note"}, {"All that happened"}, id="prison_break"),
        pytest.param("break_out", {"NEXT", "Take a card"}, {"Scores"}, id="break_out"),
    ],
)
async def test_a_puzzle_offers_no_button_that_answers_nothing(house: House, game: str, gone: set[str], kept: set[str]):
    answer = await asked(house, game=game)
    labels = {part.get("label") for part in UserClient.buttons(answer)}
    assert not labels & gone and labels >= kept


async def test_what_the_rules_refuse_does_not_count(house: House):
    answer = await asked(house, game="match_five")
    swap = await house.ann.forge(answer, answer_place(house, answer, "pass"))
    assert "⚠" in swap.text
    assert await house.client.tables.store.puzzle_attempts.of(int(house.ann.id)) == []


def answer_place(house: House, answer: ActionResult, verb: str) -> str:
    """A custom_id of this page with another verb."""
    name = next(part["custom_id"] for part in UserClient.buttons(answer) if part.get("custom_id", "").count(".") == 1)
    cb, place, stamp, *_ = name.split(":")
    return f"{cb}:{place}:{stamp}:{verb}:"


async def test_the_solution_is_shown_to_those_whose_attempt_is_over(house: House):
    page = await asked(house)
    early = await house.ann.forge(page, f"cb:0:0:puzzle:link-in-two.{today(house)}.1")
    assert "First answer it yourself" in early.text
    begun = await pushed(house, page, opening(proof(house).line[0]))
    early = await house.ann.forge(begun, f"cb:0:0:puzzle:link-in-two.{today(house)}.2")
    assert "First answer it yourself" in early.text
    answer = await house.ann.press(await failed(house), label="Show the solution")
    assert "step 1 of 2" in answer.text
    answer = await house.ann.press(answer, label="Next step ▶")
    assert "step 2 of 2" in answer.text


async def test_forged_and_future_puzzles_come_to_one_sentence(house: House):
    page = await asked(house)
    for name in (
        f"cb:link-in-two.{today(house) + 1}:0:push:L1",
        "cb:link-in-two.0:0:push:L1",
        "cb:link-in-two.99999:0:push:L1",
        f"cb:0:0:puzzle:link-in-two.{today(house) + 1}",
        "cb:0:0:puzzle:chess.1",
        "cb:0:0:puzzle:link-in-two",
        "cb:0:0:puzzle:link-in-two.x.y",
    ):
        assert GONE.split("`")[0] in (await house.ann.forge(page, name)).text
    for name in ("cb:0:0:puzzle:day.99999", "cb:0:0:puzzle:day.0"):
        assert "Puzzles of" in (await house.ann.forge(page, name)).text
    assert await house.client.tables.store.puzzle_attempts.of(int(house.ann.id)) == []


async def test_a_days_result_is_shared_with_the_channel_without_a_word_about_the_answer(house: House):
    await solved(house)
    await failed(house, house.ben)
    menu = await house.ann.command(house.yard, "puzzle")
    assert f"<@{house.ann.id}> 1 of 5" in menu.text and f"<@{house.ben.id}> 0 of 5" in menu.text
    await house.ann.press(menu, label="Show the channel")
    told = house.sandbox.messages(house.yard)[-1]
    assert not told["flags"] & 64 and "🟩⬜⬜⬜⬜" in told["content"]
    assert not any(opening(push) in told["content"] for push in proof(house).line)


@pytest.mark.parametrize("number", ["0", "999999999999999"])
async def test_a_day_without_puzzles_is_never_announced(house: House, number: str):
    await solved(house)
    menu = await house.ann.command(house.yard, "puzzle")
    await house.ann.forge(menu, f"cb:0:0:puzzle:share.{number}")
    (line,) = [one["content"] for one in house.sandbox.messages(house.yard) if "puzzles of" in one["content"]]
    assert date(1 if number == "0" else today(house)) in line


async def test_a_row_of_days_grows_and_an_earlier_day_does_not_count_for_it(house: House):
    await solved(house)
    await house.turn(DAY_MS)
    await solved(house)
    assert "2 days in a row" in (await house.ann.command(house.yard, "puzzle")).text
    await house.turn(2 * DAY_MS)
    menu = await house.ann.command(house.yard, "puzzle")
    assert "in a row" not in menu.text
    before = await house.ann.press(menu, label="◀ The day before")
    assert "Puzzles of an earlier day" in before.text
    answer = await house.ann.press(before, label=TITLES["link-in-two"])
    line = PACK["rope_wall"].numbered(today(house) - 1).proof.line
    for push in line:
        answer = await pushed(house, answer, opening(push))
    assert "✓ Solved" in answer.text
    menu = await house.ann.command(house.yard, "puzzle")
    assert "in a row" not in menu.text
    before = await house.ann.press(menu, label="◀ The day before")
    assert "Puzzles of the day" in (await house.ann.press(before, label="The next day ▶")).text


async def test_puzzles_are_solved_in_direct_messages_too(house: House):
    answer = await house.ann.command(house.ann.dm, "puzzle", game="rope_wall")
    for push in proof(house).line:
        answer = await pushed(house, answer, opening(push))
    assert "✓ Solved" in answer.text
    (kept,) = await house.client.tables.store.puzzle_attempts.of(int(house.ann.id))
    assert kept.guild is None and kept.solved


async def test_the_dice_are_chosen_as_at_a_table_and_their_chance_is_told(house: House):
    answer = await asked(house, game="ausbrecher")
    (roll,) = proof(house, "ausbrecher").line
    assert isinstance(roll, Roll)
    chosen = [*(colour for colour in COLOURS if colour in roll.colours)]
    for label in [*(["White"] if roll.white else []), *(colour.capitalize() for colour in chosen)]:
        answer = await house.ann.press(answer, label=label)
    assert "✓ Right" in answer.text and "of 100 throws" in answer.text


async def test_guards_are_sent_by_what_the_log_says_and_the_reason_is_told(house: House):
    answer = await asked(house, game="prison_break")
    log = await house.ann.press(answer, label="All that happened")
    assert "Round" in log.text
    answer = await house.ann.press(log, label="◀ Back to the game")
    (check,) = proof(house, "prison_break").line
    assert isinstance(check, Guard)
    (menu,) = house.controls("guard", answer)
    answer = await house.ann.press(answer, menu, values=[str(check.space)])
    assert "✓ Right" in answer.text
    told = await house.ann.press(answer, label="Show the solution")
    assert told.text.count("-# ") >= 3


async def test_a_hand_is_emptied_play_by_play(house: House):
    answer = await asked(house, game="break_out")
    line = proof(house, "break_out").line
    assert len(line) > 1
    for play in line:
        assert isinstance(play, Lay | Extend | BreakOut | Extract)
        cb, place, stamp, *_ = answer_place(house, answer, "lay").split(":")
        answer = await house.ann.forge(answer, f"{cb}:{place}:{stamp}:lay:{code(play)}")
        assert "✓" in answer.text
    assert "✓ Solved" in answer.text


@pytest.mark.parametrize("game", GAMES)
async def test_nothing_of_a_puzzle_is_drawn_or_solved_on_the_event_loop(guard: LoopGuard, house: House, game: str):
    await asked(house, game=game)
    assert guard.calls == set()
    assert f"{game}: picture" in guard.outside


def task_of(house: House, key: str, *, judge: Judge | None = None) -> Task:
    """Today's puzzle of a game as somebody has solved it."""
    game = next(one.puzzle for one in PACKAGES if one.game.key == key)
    assert game is not None
    if judge is not None:
        game = replace(game, kind=replace(game.kind, judge=judge))
    tables, puzzle = house.client.tables, PACK[key].numbered(today(house))
    return Task(tables.screens[key], game, tables.material(key), puzzle, "Ann", puzzle.proof.line)


async def test_a_puzzle_that_is_over_does_not_say_what_to_press(house: House):
    asked = await house.ann.command(house.yard, "puzzle", game="ausbrecher")
    assert re.search(r"Press \d (dice|die)", asked.text)
    over = task_of(house, "ausbrecher").page().page
    words = [block.body for block in over.blocks if isinstance(block, Text)]
    assert any("✓" in one for one in words) and not any("Press" in one for one in words)


@pytest.mark.parametrize("game", GAMES)
async def test_that_one_try_counts_is_said_before_the_answer_and_not_after_it(house: House, game: str):
    assert "One try counts." in (await asked(house, game=game)).text
    over = task_of(house, game).page().page
    words = "\n".join(block.body for block in over.blocks if isinstance(block, Text))
    assert "✓" in words and "One try counts." not in words


async def test_whoever_has_solved_it_is_led_on_and_whoever_has_not_to_the_solution(house: House):
    for answer, chief in (
        (await solved(house), "◀ All puzzles"),
        (await failed(house, house.ben), "Show the solution"),
    ):
        styles = {part["label"]: part["style"] for part in UserClient.buttons(answer)}
        assert set(styles) == {"◀ All puzzles", "Show the solution"}
        assert [label for label, style in styles.items() if style == ButtonStyle.primary.value] == [chief]


async def test_an_answer_is_judged_once_for_the_position_and_what_is_said_of_it(house: House):
    game = next(one.puzzle for one in PACKAGES if one.game.key == "rope_wall")
    assert game is not None
    judge, asked = game.kind.judge, list[int]()

    def counting(position: Any, proof: Proof, material: Any, played: Sequence[Any]) -> Judged:
        asked.append(len(played))
        return judge(position, proof, material, tuple(played))

    task_of(house, "rope_wall", judge=counting).page()
    assert asked and sorted(asked) == sorted(set(asked))


async def test_from_a_puzzle_of_an_earlier_day_one_comes_back_to_that_day(house: House):
    days = await house.ann.press(await house.ann.command(house.yard, "puzzle"), label="◀ The day before")
    title = next(iter(TITLES.values()))
    opened = await house.ann.press(days, label=title)
    assert f"{title} · puzzle {today(house) - 1}" in opened.text
    back = await house.ann.press(opened, label="◀ All puzzles")
    assert "Puzzles of an earlier day" in back.text and f"number {today(house) - 1}" in back.text
