"""Moments whose best move is known: the puzzles, each proved to have one, weighed as a review weighs them."""

from random import Random
from typing import Any

import pytest

from data.puzzles import load_puzzles
from engine.contract import Action
from engine.puzzles import SOLVER
from engine.puzzles.registry import KINDS
from engine.review import Weighed
from engine.review.rope_wall import REVIEWER as ROPE_WALL
from tests.engine.playouts import material

PUZZLES = load_puzzles()


def posed(key: str, number: int) -> tuple[Any, Action, list[Action]]:
    """A puzzle's view, its answer, and what else could be done."""
    game = KINDS[key].game
    puzzle = PUZZLES[key].numbered(number)
    state = KINDS[key].state(puzzle.position, material(game))
    right = puzzle.proof.line[0]
    return game.view(state, SOLVER), right, [action for action in game.legal(state, SOLVER) if action != right]


def weighed(reviewer: Any, view: Any, action: Action) -> Weighed:
    found = reviewer.weigh(view, action, Random(1))
    assert isinstance(found, Weighed)
    return found


@pytest.mark.parametrize("number", range(1, 4))
def test_at_the_wall_the_forced_link_is_found_and_whoever_misses_it_is_told(number: int):
    view, right, wrong = posed("rope_wall", number)
    good = weighed(ROPE_WALL, view, right)
    assert good.better == right and good.played == good.best and good.why == ""
    bad = weighed(ROPE_WALL, view, wrong[number])
    assert bad.better == right and bad.best - bad.played > 0.1
    assert (bad.why, bad.facts) == ("links", {"pushes": 2})
