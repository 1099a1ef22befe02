"""Streaks of days: what counts, and what does not break them."""

import pytest

from cogs.puzzles.results import Tally, solvers
from engine.contract import Moment
from engine.puzzles import Attempt
from tools.harness.bot_harness import BotHarness

TODAY = 9


def attempt(number: int, *, solved: bool | None = True, timely: bool = True, game: str = "rope_wall") -> Attempt:
    return Attempt(1, game, number, "[]", solved, None, timely, Moment(0))


def row(*attempts: Attempt) -> int:
    return Tally(attempts, TODAY).days_in_a_row()


@pytest.mark.parametrize(
    ("numbers", "days"),
    [([], 0), ([9], 1), ([8], 1), ([7], 0), ([8, 9], 2), ([6, 7, 8], 3), ([5, 7, 8, 9], 3), ([9, 7], 1)],
)
def test_a_row_reaches_back_from_today_or_yesterday_to_the_first_gap(numbers: list[int], days: int) -> None:
    assert row(*map(attempt, numbers)) == days


def test_a_failure_an_open_attempt_and_one_made_later_count_for_no_row() -> None:
    assert row(attempt(9, solved=False), attempt(8)) == 1
    assert row(attempt(9, solved=None), attempt(8)) == 1
    assert row(attempt(9), attempt(8, timely=False)) == 1


def test_a_row_of_one_game_knows_of_no_other() -> None:
    tally = Tally([attempt(9), attempt(8, game="break_out")], TODAY)
    assert (tally.days_in_a_row(), tally.days_in_a_row("rope_wall"), tally.days_in_a_row("break_out")) == (2, 1, 1)


def test_signs_distinguish_solved_failed_begun_and_untried_puzzles() -> None:
    tally = Tally([attempt(9), attempt(8, solved=False), attempt(7, solved=None)], TODAY)
    assert [tally.mark("rope_wall", number) for number in (9, 8, 7, 6)] == ["🟩", "🟥", "🟨", "⬜"]
    assert tally.tried(7) and not tally.tried(6)


async def test_of_members_who_solved_equally_many_the_one_who_needed_fewer_attempts_is_named_first(
    harness: BotHarness,
) -> None:
    attempts = harness.client.store.puzzle_attempts
    for user, game, solved in ((1, "rope_wall", True), (1, "break_out", False), (2, "rope_wall", True)):
        await attempts.save(Attempt(user, game, TODAY, "[]", solved, 5, True, Moment(0)), None)
    found = await solvers(harness.client.store, 5, TODAY)
    assert [(one.user, one.solved, one.tried) for one in found] == [(2, 1, 1), (1, 1, 2)]
