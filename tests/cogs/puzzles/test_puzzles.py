"""`/puzzle` on the sandbox: solved and failed by clicks, stored from the first press, shared without a spoiler."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from discord import ButtonStyle

from cogs.break_out.plays import code
from cogs.core.pages.page import Text
from cogs.puzzles import GONE
from cogs.puzzles.daily_post import date
from cogs.puzzles.pages import PuzzlePages
from cogs.registry import GAMES as PACKAGES
from data.puzzles import load_puzzles
from engine.games.ausbrecher import COLOURS, Roll
from engine.games.break_out import BreakOut, Extend, Extract, Lay
from engine.games.prison_break import Guard
from engine.games.rope_wall import Push
from engine.puzzles import DAY_MS, Attempt, Proof, puzzle_number
from engine.puzzles import Answer as Judged
from engine.puzzles.registry import KINDS
from sandbox import ActionResult, UserClient
from tests.cogs.test_event_loop import Guard as LoopGuard
from tests.cogs.test_event_loop import guard
from tools.harness.bot_harness import BotHarness

__all__ = ["guard"]  # a fixture

PACK = load_puzzles()
TITLES = {package.puzzle.kind.key: package.puzzle.title for package in PACKAGES if package.puzzle is not None}
GAMES = [pytest.param(key, id=key) for key in KINDS]


Judge = Callable[[Any, Proof, Any, Sequence[Any]], Judged]


def today(harness: BotHarness) -> int:
    return puzzle_number(harness.clock.now())


def proof(harness: BotHarness, game: str = "rope_wall") -> Proof:
    return PACK[game].numbered(today(harness)).proof


def opening(push: object) -> str:
    assert isinstance(push, Push)
    return f"{'L' if push.side == 'left' else 'R'}{push.floor}"


async def asked(harness: BotHarness, who: UserClient | None = None, game: str = "rope_wall") -> ActionResult:
    return await (who or harness.ann).command(harness.yard, "puzzle", game=game)


async def pushed(harness: BotHarness, answer: ActionResult, where: str, who: UserClient | None = None) -> ActionResult:
    (name,) = [one for one in harness.controls("push", answer) if one.endswith(f":{where}")]
    return await (who or harness.ann).press(answer, name)


async def solved(harness: BotHarness, who: UserClient | None = None) -> ActionResult:
    """Solve today's puzzle of the Rope Wall as a person."""
    answer = await asked(harness, who)
    for push in proof(harness).line:
        answer = await pushed(harness, answer, opening(push), who)
    assert "✓" in answer.text
    return answer


async def failed(harness: BotHarness, who: UserClient | None = None) -> ActionResult:
    answer = await asked(harness, who)
    wrong = next(one for one in harness.controls("push", answer) if not one.endswith(opening(proof(harness).line[0])))
    answer = await (who or harness.ann).press(answer, wrong)
    assert "✗" in answer.text
    return answer


async def test_all_puzzles_of_the_day_are_offered_privately(harness: BotHarness):
    answer = await harness.ann.command(harness.yard, "puzzle")
    assert "Puzzles of the day" in answer.text and answer.message["flags"] & 64
    for title in TITLES.values():
        assert f"**{title}**" in answer.text
        opened = await harness.ann.press(answer, label=title)
        assert f"{title} · puzzle {today(harness)}" in opened.text
        answer = await harness.ann.press(opened, label="◀ All puzzles")


async def test_the_right_pushes_solve_it_on_one_page_and_it_stays_solved(harness: BotHarness):
    answer = await solved(harness)
    assert [one["id"] for one in harness.sandbox.messages(harness.yard)] == [answer.message["id"]]
    assert harness.controls("push", answer) == []
    again = await asked(harness)
    assert "✓ Solved" in again.text and harness.controls("push", again) == []
    menu = await harness.ann.command(harness.yard, "puzzle")
    assert "✓ solved · 1 day in a row" in menu.text


async def test_a_wrong_answer_is_kept_and_asking_again_gives_no_second_chance(harness: BotHarness):
    page = await asked(harness)
    first = {push: name for name in harness.controls("push", page) for push in [name.rsplit(":", 1)[1]]}
    await failed(harness)
    again = await asked(harness)
    assert "✗" in again.text and harness.controls("push", again) == []
    late = await harness.ann.forge(page, first[opening(proof(harness).line[0])])
    assert "✗" in late.text and "✓" not in late.text
    assert "✗ failed" in (await harness.ann.command(harness.yard, "puzzle")).text


async def test_a_puzzle_goes_on_after_a_restart(harness: BotHarness):
    answer = await pushed(harness, await asked(harness), opening(proof(harness).line[0]))
    assert "✓ Right so far" in answer.text
    await harness.restart()
    answer = await pushed(harness, answer, opening(proof(harness).line[1]))
    assert "✓ Solved" in answer.text


async def test_one_of_two_simultaneous_presses_counts(harness: BotHarness):
    page = await asked(harness)
    names = harness.controls("push", page)
    right = next(name for name in names if name.endswith(opening(proof(harness).line[0])))
    wrong = next(name for name in names if name != right)
    await asyncio.gather(harness.ann.forge(page, right), harness.ann.forge(page, wrong))
    (kept,) = await harness.client.store.puzzle_attempts.of(int(harness.ann.id))
    assert kept.played.count('"do":"push"') == 1
    # Both were answered on one page, which shows what was stored, whichever edit came last.
    shown = (await asked(harness)).text
    assert ("✓ Right so far" in shown) == (kept.solved is None) and ("✗" in shown) == (kept.solved is False)


@pytest.mark.parametrize(
    ("game", "gone", "kept"),
    [
        pytest.param("match_five", {"Pass", "Pass …"}, {"Look around"}, id="match_five"),
        pytest.param("prison_break", {"No check", "Write a note"}, {"Log"}, id="prison_break"),
        pytest.param("break_out", {"NEXT", "Take a card"}, {"Log"}, id="break_out"),
    ],
)
async def test_a_puzzle_offers_no_button_that_answers_nothing(
    harness: BotHarness, game: str, gone: set[str], kept: set[str]
):
    answer = await asked(harness, game=game)
    labels = {part.get("label") for part in UserClient.buttons(answer)}
    assert not labels & gone and labels >= kept


async def test_what_the_rules_refuse_does_not_count(harness: BotHarness):
    answer = await asked(harness, game="match_five")
    swap = await harness.ann.forge(answer, answer_place(harness, answer, "pass"))
    assert "⚠" in swap.text
    assert await harness.client.store.puzzle_attempts.of(int(harness.ann.id)) == []


def answer_place(harness: BotHarness, answer: ActionResult, verb: str) -> str:
    """Return a custom_id of this page with another verb."""
    name = next(part["custom_id"] for part in UserClient.buttons(answer) if part.get("custom_id", "").count(".") == 1)
    cb, place, stamp, *_ = name.split(":")
    return f"{cb}:{place}:{stamp}:{verb}:"


async def test_the_solution_is_shown_to_those_whose_attempt_is_over(harness: BotHarness):
    page = await asked(harness)
    early = await harness.ann.forge(page, f"cb:0:0:puzzle:link-in-two.{today(harness)}.1")
    assert "Answer it yourself first" in early.text
    started = await pushed(harness, page, opening(proof(harness).line[0]))
    early = await harness.ann.forge(started, f"cb:0:0:puzzle:link-in-two.{today(harness)}.2")
    assert "Answer it yourself first" in early.text
    answer = await harness.ann.press(await failed(harness), label="Show the solution")
    assert "step 1 of 2" in answer.text
    answer = await harness.ann.press(answer, label="Next step ▶")
    assert "step 2 of 2" in answer.text


async def test_forged_and_future_puzzles_come_to_one_sentence(harness: BotHarness):
    page = await asked(harness)
    for name in (
        f"cb:link-in-two.{today(harness) + 1}:0:push:L1",
        "cb:link-in-two.0:0:push:L1",
        "cb:link-in-two.99999:0:push:L1",
        f"cb:0:0:puzzle:link-in-two.{today(harness) + 1}",
        "cb:0:0:puzzle:chess.1",
        "cb:0:0:puzzle:link-in-two",
        "cb:0:0:puzzle:link-in-two.x.y",
    ):
        assert GONE.split("`")[0] in (await harness.ann.forge(page, name)).text
    for name in ("cb:0:0:puzzle:day.99999", "cb:0:0:puzzle:day.0"):
        assert "Puzzles of" in (await harness.ann.forge(page, name)).text
    assert await harness.client.store.puzzle_attempts.of(int(harness.ann.id)) == []


async def test_a_days_result_is_shared_with_the_channel_without_a_word_about_the_answer(harness: BotHarness):
    await solved(harness)
    await failed(harness, harness.ben)
    menu = await harness.ann.command(harness.yard, "puzzle")
    assert f"<@{harness.ann.id}> 1 of 5" in menu.text and f"<@{harness.ben.id}> 0 of 5" in menu.text
    await harness.ann.press(menu, label="Share in channel")
    told = harness.sandbox.messages(harness.yard)[-1]
    assert not told["flags"] & 64 and "🟩⬜⬜⬜⬜" in told["content"]
    assert not any(opening(push) in told["content"] for push in proof(harness).line)


@pytest.mark.parametrize("number", ["0", "999999999999999"])
async def test_a_day_without_puzzles_is_never_announced(harness: BotHarness, number: str):
    await solved(harness)
    menu = await harness.ann.command(harness.yard, "puzzle")
    await harness.ann.forge(menu, f"cb:0:0:puzzle:share.{number}")
    (line,) = [one["content"] for one in harness.sandbox.messages(harness.yard) if "puzzles of" in one["content"]]
    assert date(1 if number == "0" else today(harness)) in line


async def test_a_row_of_days_grows_and_an_earlier_day_does_not_count_for_it(harness: BotHarness):
    await solved(harness)
    await harness.advance(DAY_MS)
    await solved(harness)
    assert "2 days in a row" in (await harness.ann.command(harness.yard, "puzzle")).text
    await harness.advance(2 * DAY_MS)
    menu = await harness.ann.command(harness.yard, "puzzle")
    assert "in a row" not in menu.text
    before = await harness.ann.press(menu, label="◀ Previous day")
    assert "Puzzles of an earlier day" in before.text
    answer = await harness.ann.press(before, label=TITLES["link-in-two"])
    line = PACK["rope_wall"].numbered(today(harness) - 1).proof.line
    for push in line:
        answer = await pushed(harness, answer, opening(push))
    assert "✓ Solved" in answer.text
    menu = await harness.ann.command(harness.yard, "puzzle")
    assert "in a row" not in menu.text
    before = await harness.ann.press(menu, label="◀ Previous day")
    assert "Puzzles of the day" in (await harness.ann.press(before, label="Next day ▶")).text


async def test_puzzles_are_solved_in_direct_messages_too(harness: BotHarness):
    answer = await harness.ann.command(harness.ann.dm, "puzzle", game="rope_wall")
    for push in proof(harness).line:
        answer = await pushed(harness, answer, opening(push))
    assert "✓ Solved" in answer.text
    (kept,) = await harness.client.store.puzzle_attempts.of(int(harness.ann.id))
    assert kept.guild is None and kept.solved


async def test_dice_are_chosen_as_at_a_table_and_their_chance_is_shown(harness: BotHarness):
    answer = await asked(harness, game="ausbrecher")
    (roll,) = proof(harness, "ausbrecher").line
    assert isinstance(roll, Roll)
    chosen = [*(colour for colour in COLOURS if colour in roll.colours)]
    for label in [*(["White"] if roll.white else []), *(colour.capitalize() for colour in chosen)]:
        answer = await harness.ann.press(answer, label=label)
    assert "✓ Solved!\nRight" in answer.text and "of 100 rolls" in answer.text


async def test_while_an_answer_is_put_together_the_question_stays_and_nothing_that_it_does_not_need_is_added(
    harness: BotHarness,
):
    before = await asked(harness, game="ausbrecher")
    (roll,) = proof(harness, "ausbrecher").line
    assert isinstance(roll, Roll)
    after = await harness.ann.press(before, label=roll.colours[0].capitalize())
    for answer in (before, after):
        assert "the best chance of reaching boat" in answer.text and "Your forecast" not in answer.text
    assert "Chosen:" in after.text


async def test_a_guard_puzzle_is_solved_from_the_log_and_explained(harness: BotHarness):
    answer = await asked(harness, game="prison_break")
    log = await harness.ann.press(answer, label="Log")
    assert "Round" in log.text
    answer = await harness.ann.press(log, label="◀ Back to the game")
    (check,) = proof(harness, "prison_break").line
    assert isinstance(check, Guard)
    (menu,) = harness.controls("guard", answer)
    answer = await harness.ann.press(answer, menu, values=[str(check.space)])
    assert "✓ Solved!\nRight" in answer.text
    told = await harness.ann.press(answer, label="Show the solution")
    assert told.text.count("-# ") >= 3


async def test_a_hand_is_emptied_play_by_play(harness: BotHarness):
    answer = await asked(harness, game="break_out")
    line = proof(harness, "break_out").line
    assert len(line) > 1
    for play in line:
        assert isinstance(play, Lay | Extend | BreakOut | Extract)
        cb, place, stamp, *_ = answer_place(harness, answer, "lay").split(":")
        answer = await harness.ann.forge(answer, f"{cb}:{place}:{stamp}:lay:{code(play)}")
        assert "✓" in answer.text
    assert "✓ Solved" in answer.text


@pytest.mark.parametrize("game", GAMES)
async def test_nothing_of_a_puzzle_is_drawn_or_solved_on_the_event_loop(
    guard: LoopGuard, harness: BotHarness, game: str
):
    await asked(harness, game=game)
    assert guard.calls == set()
    assert f"{game}: picture" in guard.outside


def task_of(harness: BotHarness, key: str, *, judge: Judge | None = None) -> PuzzlePages:
    """Return today's puzzle of a game as a person has solved it."""
    game = next(one.puzzle for one in PACKAGES if one.game.key == key)
    assert game is not None
    if judge is not None:
        game = replace(game, kind=replace(game.kind, judge=judge))
    games, puzzle = harness.client.games, PACK[key].numbered(today(harness))
    return PuzzlePages(games[key], game, games.materials[key], puzzle, "Ann", puzzle.proof.line)


async def test_a_puzzle_that_is_over_does_not_say_what_to_press(harness: BotHarness):
    asked = await harness.ann.command(harness.yard, "puzzle", game="match_five")
    assert "Press a tile" in asked.text
    over = task_of(harness, "match_five").page().page
    words = [block.body for block in over.blocks if isinstance(block, Text)]
    assert any("✓" in one for one in words) and not any("Press" in one for one in words)


@pytest.mark.parametrize("game", GAMES)
async def test_the_page_says_that_one_try_counts_only_before_the_answer(harness: BotHarness, game: str):
    assert "one try" in (await asked(harness, game=game)).text
    over = task_of(harness, game).page().page
    words = "\n".join(block.body for block in over.blocks if isinstance(block, Text))
    assert "✓" in words and "one try" not in words


async def test_a_person_who_has_solved_it_is_led_on_and_anyone_who_has_not_to_the_solution(harness: BotHarness):
    for answer, chief in (
        (await solved(harness), "Next puzzle ▶"),
        (await failed(harness, harness.ben), "Show the solution"),
    ):
        styles = {part["label"]: part["style"] for part in UserClient.buttons(answer)}
        assert set(styles) == {"◀ All puzzles", "Show the solution", "Next puzzle ▶", "Share in channel"}
        assert [label for label, style in styles.items() if style == ButtonStyle.primary.value] == [chief]


async def test_a_puzzle_ends_with_a_headline_a_picture_the_score_and_the_next_puzzle(harness: BotHarness):
    for answer, headline, picture, score in (
        (await solved(harness), "## ✓ Solved!", "solved.png", "🟩⬜⬜⬜⬜"),
        (await failed(harness, harness.ben), "## ✗ Not solved", "failed.png", "🟥⬜⬜⬜⬜"),
    ):
        assert headline in answer.text and score in answer.text
        assert f"attachment://{picture}" in str(answer.message) or picture in str(answer.message)
        assert "Your move" not in answer.text and harness.controls("push", answer) == []
    following = await harness.ann.press(await asked(harness), label="Next puzzle ▶")
    assert f"{list(TITLES.values())[1]} · puzzle" in following.text


async def test_the_last_of_a_days_puzzles_ends_with_the_headline_of_the_whole_day(harness: BotHarness):
    number = today(harness)
    for game in PACK:
        if game != "rope_wall":
            user, guild, now = int(harness.ann.id), int(harness.guild.id), harness.clock.now()
            one = Attempt(user, game, number, "[]", True, guild, True, now)
            assert await harness.client.store.puzzle_attempts.save(one, None)
    assert "All 5 puzzles solved" not in (await harness.ann.command(harness.yard, "puzzle")).text
    last = await solved(harness)
    assert "## ✓ All 5 puzzles solved!" in last.text and "day.png" in str(last.message)
    assert "## ✓ All 5 puzzles solved!" in (await harness.ann.press(last, label="◀ All puzzles")).text
    assert "All 5 puzzles solved" not in (await harness.ben.command(harness.yard, "puzzle")).text


async def test_a_solved_puzzle_in_direct_messages_is_not_offered_to_be_shared(harness: BotHarness):
    answer = await harness.ann.command(harness.ann.dm, "puzzle", game="rope_wall")
    for push in proof(harness).line:
        answer = await pushed(harness, answer, opening(push))
    assert "Share in channel" not in {part["label"] for part in UserClient.buttons(answer)}


async def test_an_answer_is_judged_once_for_the_position_and_what_is_said_of_it(harness: BotHarness):
    game = next(one.puzzle for one in PACKAGES if one.game.key == "rope_wall")
    assert game is not None
    judge, asked = game.kind.judge, list[int]()

    def counting(position: Any, proof: Proof, material: Any, played: Sequence[Any]) -> Judged:
        asked.append(len(played))
        return judge(position, proof, material, tuple(played))

    task_of(harness, "rope_wall", judge=counting).page()
    assert asked and sorted(asked) == sorted(set(asked))


async def test_from_a_puzzle_of_an_earlier_day_one_comes_back_to_that_day(harness: BotHarness):
    days = await harness.ann.press(await harness.ann.command(harness.yard, "puzzle"), label="◀ Previous day")
    title = next(iter(TITLES.values()))
    opened = await harness.ann.press(days, label=title)
    assert f"{title} · puzzle {today(harness) - 1}" in opened.text
    back = await harness.ann.press(opened, label="◀ All puzzles")
    assert "Puzzles of an earlier day" in back.text and f"number {today(harness) - 1}" in back.text
