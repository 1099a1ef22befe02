"""With one line per turn, the search finds every best play: compare it with trying everything."""

from collections.abc import Iterator, Sequence
from functools import cache

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.games.match_five import (
    GAME,
    TILES,
    WILD,
    Board,
    IllegalPlacement,
    Laying,
    Play,
    State,
    Stone,
    judge_play,
    plays,
)
from engine.games.match_five.shelf import places_of
from engine.players import Steps
from engine.players.match_five.evaluation import promising
from engine.turns import replace_at
from tools.harness.playouts import play

BONUS = 10
AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def tried(there: Sequence[Stone], hand: Sequence[str]) -> Iterator[tuple[Stone, ...]]:
    """Yield everything that can be laid from this hand in some order, along one straight line."""
    beside = {(x + dx, y + dy, level) for x, y, level in (s.spot for s in there) for dx, dy, _ in NEAR} | {
        (s.x, s.y, s.level + 1) for s in there
    }
    for axis in AXES:
        done: set[frozenset[Stone]] = set()
        for spot in beside:
            line = [tuple(at + step * by for at, by in zip(spot, axis, strict=True)) for step in range(-4, 5)]
            yield from _laid(Board(there), [spot], line, list(hand), (), done)


NEAR = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))


def _laid(
    board: Board,
    spots: Sequence[tuple[int, ...]],
    line: Sequence[tuple[int, ...]],
    hand: list[str],
    laid: tuple[Stone, ...],
    done: set[frozenset[Stone]],
) -> Iterator[tuple[Stone, ...]]:
    for tile in dict.fromkeys(hand):
        for x, y, level in spots:
            for face in TILES if tile == WILD else (tile,):
                stone = Stone(x, y, level, face, tile == WILD)
                mark = frozenset((*laid, stone))
                if level < 1 or mark in done or (stone.wild and any(one.wild for one in laid)):
                    continue
                try:
                    board.check(stone)
                except IllegalPlacement:
                    continue
                done.add(mark)
                yield (*laid, stone)
                after = board.copy()
                after.lay(stone, BONUS)
                left = hand.copy()
                left.remove(tile)
                yield from _laid(after, line, line, left, (*laid, stone), done)


def named(stones: Sequence[Stone]) -> tuple[Laying, ...]:
    return tuple(Laying(WILD, *one.spot, one.tile) if one.wild else Laying(one.tile, *one.spot) for one in stones)


def points(there: Sequence[Stone], hand: Sequence[str], layings: Sequence[Laying]) -> int:
    return judge_play(there, hand, layings, BONUS, one_line=True).points


def best_of_all(there: Sequence[Stone], hand: Sequence[str]) -> int:
    """Return the points of the best play in one line."""
    most = 0
    for stones in tried(there, hand):
        spots = {stone.spot for stone in stones}
        board = Board((*there, *stones))
        if any(spots <= set(board.line(stones[0].spot, axis)) for axis in ("x", "y", "stack")):
            most = max(most, points(there, hand, named(stones)))
    return most


@cache
def small_boards(seed: int) -> list[State]:
    """Return the states of a random game with few tiles on the board."""
    return [state for state in play(GAME, seed, seats=2).running if 0 < len(state.stones) < 30]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 5), st.integers(0, 200), st.lists(st.sampled_from((*TILES, WILD)), min_size=2, max_size=4))
def test_O2_the_best_play_in_one_line_is_listed_and_the_master_knows_it(seed: int, place: int, drawn: list[str]):
    states = small_boards(seed)
    assume(states)
    state, hand = states[place % len(states)], tuple(drawn)
    (seat,) = GAME.view(state, None).to_act
    options = msgspec.structs.replace(state.options, placement="one_line")
    state = msgspec.structs.replace(state, hands=replace_at(state.hands, seat, hand), options=options)
    listed = [action for action in GAME.legal(state, seat) if isinstance(action, Play)]
    found = [points(state.stones, hand, one.layings) for one in listed]
    assert found == sorted(found, reverse=True)
    best = best_of_all(state.stones, hand)
    assert max(found, default=0) == best
    known = promising(GAME.view(state, seat), places_of(state.stones, BONUS), hand, Steps(1_000))
    assert max((step.points for step in known), default=0) == best


def test_O2_a_tile_that_locks_itself_by_another_line_is_laid_last():
    """Blue 2 completes the column of twos, which locks it: red 2's neighbours in the row have to be there before."""
    column = [Stone(0, y, 1, tile) for y, tile in enumerate(("r2", "y2", "g2", "o2"))]
    stack = [Stone(1, 4, 1, "b5"), Stone(1, 3, 1, "r5")]
    there = [*column, *stack[1:], *stack[:1]]
    best = best_of_all(there, ("b2", "b3"))
    found = [one.points for one in plays(places_of(there, BONUS), ("b2", "b3"), one_line=True)]
    assert max(found) == best


def test_O2_on_an_empty_board_all_tiles_of_a_series_are_laid_in_one_line():
    hand = ("r1", "r2", "r3", "r4", "r5")
    found = max(plays(places_of((), BONUS), hand, one_line=True), key=lambda one: one.points)
    assert (found.points, len(found.layings)) == (25, 5)
    assert points((), hand, found.layings) == 25
