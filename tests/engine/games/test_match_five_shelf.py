"""What is known about a board is the same whether it was cached, derived from the previous board, or computed from
scratch.
"""

import random
from collections.abc import Sequence

import pytest

from engine.games.match_five import GAME, TILES, WILD, Board, Places, State, board_of, places_of
from engine.games.match_five.shelf import KEPT, Shelf
from engine.games.match_five.view import view
from tools.harness.playouts import played

SEEDS = range(6)


def _same(found: Places, state: State) -> None:
    new = Places(Board(state.stones), state.material.bonus)
    assert list(found.openings.items()) == list(new.openings.items())
    assert [found.ranked(tile) for tile in (*TILES, WILD)] == [new.ranked(tile) for tile in (*TILES, WILD)]
    assert found.board.locked == new.board.locked
    for spot in (stone.spot for stone in state.stones):
        assert [found.board.line(spot, axis) for axis in ("x", "y", "stack")] == [
            new.board.line(spot, axis) for axis in ("x", "y", "stack")
        ]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_board_that_goes_on_from_one_that_is_kept_is_as_if_it_were_rebuilt(seed: int):
    for state in played(GAME.key, seed).running:
        _same(places_of(state.stones, state.material.bonus), state)
        assert view(state, None).locked == Board(state.stones).locked


@pytest.mark.parametrize("seed", SEEDS)
def test_boards_asked_for_in_any_order_and_again_are_the_same(seed: int):
    states = [state for state in played(GAME.key, seed).running for _ in range(2)]
    random.Random(seed).shuffle(states)
    for state in states[:40]:
        for _ in GAME.legal(state, view(state, None).to_act[0]):
            pass  # partial plays are tried on copies of what is cached
        _same(places_of(state.stones, state.material.bonus), state)


def test_what_is_kept_is_bounded_and_worked_out_once():
    made: list[int] = []

    def counted(stones: Sequence[object]) -> int:
        made.append(len(stones))
        return len(stones)

    shelf: Shelf[int] = Shelf(counted, lambda before, stones, _: -before)
    stones = max((state.stones for state in played(GAME.key, 1).running), key=len)
    assert len(stones) > 5
    assert [shelf.of(stones[:4]), shelf.of(list(stones[:4])), made] == [4, 4, [4]]
    assert [shelf.of(stones[:5]), made] == [-4, [4]]  # derived from the cached first four
    for count in range(len(stones)):
        shelf.of(stones[:count])
    assert sum(one is not None for one in shelf._kept) <= KEPT


def test_another_bonus_is_another_question():
    state = max(played(GAME.key, 1).running, key=lambda state: len(state.stones))
    _same(places_of(state.stones, state.material.bonus), state)
    other = places_of(state.stones, state.material.bonus + 7)
    assert list(other.openings.items()) == list(Places(Board(state.stones), other.bonus).openings.items())
    assert board_of(state.stones) is other.board
