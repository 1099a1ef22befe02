"""Moments whose best move is known: the puzzles, each with one proved answer, evaluated by a reviewer."""

from random import Random
from typing import Any

import pytest

from data.puzzles import load_puzzles
from engine.contract import Action
from engine.games.break_out import Draw
from engine.games.match_five import GAME, Play
from engine.games.match_five import Pass as MatchFivePass
from engine.games.prison_break import Guard, Pass
from engine.players import Level, Steps
from engine.players.match_five import BOTS
from engine.puzzles import SOLVER
from engine.puzzles.registry import KINDS
from engine.review import Evaluation
from engine.review.break_out import REVIEWER as BREAK_OUT
from engine.review.match_five import REVIEWER as MATCH_FIVE
from engine.review.prison_break import REVIEWER as PRISON_BREAK
from engine.review.rope_wall import REVIEWER as ROPE_WALL
from tools.accuracy import played
from tools.harness.playouts import material

PUZZLES = load_puzzles()


def posed(key: str, number: int) -> tuple[Any, Action, list[Action]]:
    """Return a puzzle's view, its answer, and the alternatives."""
    game = KINDS[key].game
    puzzle = PUZZLES[key].numbered(number)
    state = KINDS[key].state(puzzle.position, material(game))
    right = puzzle.proof.line[0]
    return game.view(state, SOLVER), right, [action for action in game.legal(state, SOLVER) if action != right]


def weighed(reviewer: Any, view: Any, action: Action) -> Evaluation:
    found = reviewer.weigh(view, action, Random(1))
    assert isinstance(found, Evaluation)
    return found


@pytest.mark.parametrize("number", range(1, 4))
def test_at_the_wall_the_forced_link_is_found_and_missing_it_is_a_slip(number: int):
    view, right, wrong = posed("rope_wall", number)
    good = weighed(ROPE_WALL, view, right)
    assert good.better == right and good.played == good.best and good.why == ""
    bad = weighed(ROPE_WALL, view, wrong[number])
    assert bad.better == right and bad.best - bad.played > 0.1
    assert (bad.why, bad.facts) == ("links", {"pushes": 2})


@pytest.mark.parametrize("number", range(1, 6))
def test_in_match_five_a_poor_play_is_compared_with_one_that_scores_far_more(number: int):
    view, right, wrong = posed("match_five", number)
    most = PUZZLES["match_five"].numbered(number).proof.best
    good = weighed(MATCH_FIVE, view, right)
    assert good.best - good.played < 0.05
    poor = min((one for one in wrong if isinstance(one, Play)), key=lambda one: len(one.layings))
    bad = weighed(MATCH_FIVE, view, poor)
    assert bad.played < good.played and bad.why == "points" and isinstance(bad.better, Play)
    points, made = bad.facts["points"], bad.facts["made"]
    assert isinstance(points, int) and isinstance(made, int) and made < points <= most


def test_in_match_five_anyone_who_passes_with_a_play_in_hand_gives_it_away():
    view, right, _ = posed("match_five", 1)
    assert weighed(MATCH_FIVE, view, MatchFivePass()).played < weighed(MATCH_FIVE, view, right).played


def test_in_match_five_a_player_who_follows_hints_gives_nothing_away():
    judged = 0
    for seats in (2, 3):
        states, _ = played(GAME, "masters", 1, seats)
        for at in states[1:-1:3]:
            (seat,) = GAME.view(at, None).to_act
            view, legal = GAME.view(at, seat), list(GAME.legal(at, seat))
            hint = BOTS.levels[Level.MASTER](view, legal, Steps(2_500), Random(1))
            assert hint is not None
            found = MATCH_FIVE.weigh(view, hint.action, Random(1))
            assert found is None or found.played == found.best
            judged += found is not None
    assert judged > 15


@pytest.mark.parametrize("number", range(1, 6))
def test_in_prison_break_a_check_that_was_certain_is_known_as_such(number: int):
    view, right, wrong = posed("prison_break", number)
    assert isinstance(right, Guard)
    empty = next(one for one in wrong if isinstance(one, Guard) and one.space != right.space)
    bad, good = weighed(PRISON_BREAK, view, empty), weighed(PRISON_BREAK, view, right)
    assert bad.played < good.played and bad.best == good.best
    if good.better == right:
        missed = weighed(PRISON_BREAK, view, Pass())
        assert missed.better == right and missed.why == "stands"
        assert missed.facts["space"] == right.space and missed.facts["odds"] == 100


@pytest.mark.parametrize("number", range(1, 6))
def test_in_break_out_not_laying_down_the_whole_hand_is_a_slip(number: int):
    view, right, _ = posed("break_out", number)
    good = weighed(BREAK_OUT, view, right)
    bad = weighed(BREAK_OUT, view, Draw())
    assert good.played == good.best == bad.best > bad.played
    assert bad.why == "goes-out"
