"""Match Five's referee: which plays and swaps are allowed, why others are refused, and what a play scores.

All other code asks these functions. `board` knows what fits where, and `search` finds plays; both use public knowledge
only. Marks in comments (R4, D1) refer to docs/rules/match_five.md.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec

from engine.contract import Fact, Refusal
from engine.games.match_five.board import AXES, Board, IllegalPlacement
from engine.games.match_five.search import plays
from engine.games.match_five.shelf import board_of, places_of
from engine.games.match_five.types import (
    FARTHEST,
    TILES,
    WILD,
    Laying,
    Line,
    MatchFiveAction,
    Pass,
    Play,
    Stone,
    Swap,
    Tile,
    value,
)


class Verdict(msgspec.Struct, frozen=True):
    """What an allowed play yields: its stones in the order in which they are laid, the lines they make, the points."""

    stones: tuple[Stone, ...]
    lines: tuple[Line, ...]
    points: int


def judge_play(
    there: Sequence[Stone], hand: Sequence[Tile], layings: Sequence[Laying], bonus: int, *, one_line: bool
) -> Verdict:
    """Return what a play yields on a board with these stones.

    Raises `Refusal`: `nothing` (no tile was named); `not-a-tile`, `not-in-hand` (fact `tile`); `wild-undeclared`,
    `not-a-wild` (fact `tile`), `one-wild`, `too-far` (facts `x`, `y`); with facts `tile`, `x`, `y`, `level` the faults
    of `board`: `taken`, `support`, `too-high`, `unattached`, `locked`, and with an additional fact `axis` `too-long`,
    `series`, `wilds`; `one-line`.
    """
    if not layings:
        raise Refusal("nothing")
    _check_hand(hand, [laying.tile for laying in layings])
    if sum(laying.tile == WILD for laying in layings) > 1:
        raise Refusal("one-wild")  # R9: one per turn
    board = board_of(there).copy()
    stones = tuple(_stone(laying) for laying in layings)
    for laying, stone in zip(layings, stones, strict=True):
        try:
            board.check(stone)  # D4: attached at the moment it is laid
        except IllegalPlacement as misfit:
            facts: dict[str, Fact] = {"tile": laying.tile, "x": stone.x, "y": stone.y, "level": stone.level}
            if misfit.axis is not None:
                facts["axis"] = misfit.axis
            raise Refusal(misfit.fault, **facts) from None
        board.lay(stone, bonus)
    if one_line and not in_one_line(board, stones):
        raise Refusal("one-line")  # O2
    lines = board.lines(stones, bonus)
    points = sum(line.points for line in lines)
    if not lines:
        points = 0 if stones[0].wild else value(stones[0].tile)  # D15: a first tile laid alone scores its number
    return Verdict(stones, lines, points)


def judge_swap(hand: Sequence[Tile], bag: int, tiles: Sequence[Tile]) -> None:
    """R13, D12: check a swap, with this many tiles in the bag.

    Raises `Refusal`: `empty-bag`; `nothing`; `not-a-tile`, `not-in-hand` (fact `tile`); `bag-holds` (facts `bag`,
    `asked`).
    """
    if not bag:
        raise Refusal("empty-bag")  # D13
    if not tiles:
        raise Refusal("nothing")
    _check_hand(hand, tiles)
    if len(tiles) > bag:
        raise Refusal("bag-holds", bag=bag, asked=len(tiles))


def judge_pass(bag: int) -> None:
    """D13: check a pass, which needs an empty bag. Raises `Refusal` `bag-left` (fact `bag`)."""
    if bag:
        raise Refusal("bag-left", bag=bag)


def in_one_line(board: Board, stones: Sequence[Stone]) -> bool:
    """O2: return whether these stones, which are on the board, lie in one common line."""
    spots = {stone.spot for stone in stones}
    return any(spots.issubset(board.line(stones[0].spot, axis)) for axis in AXES)


def moves(
    there: Sequence[Stone], hand: Sequence[Tile], bag: int, bonus: int, *, one_line: bool
) -> Iterator[MatchFiveAction]:
    """Yield every play of one tile and the best plays of more that are found, by points, descending; every swap; a
    pass.
    """
    yield from (Play(found.layings) for found in plays(places_of(there, bonus), hand, one_line=one_line))
    if not bag:
        yield Pass()
        return
    yield from map(Swap, handfuls(hand, bag))


def handfuls(hand: Sequence[Tile], bag: int) -> Iterator[tuple[Tile, ...]]:
    """Yield the tiles that may be given back, few first: D12, no more than the bag holds."""
    for count in range(1, min(len(hand), bag) + 1):
        yield from dict.fromkeys(combinations(sorted(hand), count))


def _stone(laying: Laying) -> Stone:
    if max(abs(laying.x), abs(laying.y)) > FARTHEST:
        raise Refusal("too-far", x=laying.x, y=laying.y)
    if laying.tile != WILD:
        if laying.wild_as is not None:
            raise Refusal("not-a-wild", tile=laying.tile)
        return Stone(laying.x, laying.y, laying.level, laying.tile)
    if laying.wild_as not in TILES:
        raise Refusal("wild-undeclared")  # D6: declared when laid
    return Stone(laying.x, laying.y, laying.level, laying.wild_as, True)


def _check_hand(hand: Sequence[Tile], tiles: Sequence[Tile]) -> None:
    for tile in tiles:
        if tile != WILD and tile not in TILES:
            raise Refusal("not-a-tile", tile=tile)
    for tile, wanted in Counter(tiles).items():
        if hand.count(tile) < wanted:
            raise Refusal("not-in-hand", tile=tile)
