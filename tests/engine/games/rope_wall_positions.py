"""Drawn walls for the tests of the Rope Wall, and a referee that finds ropes by walking every path.

In a drawing the top floor comes first; A is seat 0, B seat 1, a dot a gap.
"""

from itertools import combinations, pairwise
from typing import Any

import msgspec
import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import ClockAction, Moment, Refusal, Seat
from engine.games.rope_wall import (
    GAME,
    Material,
    Push,
    RopeWallAction,
    RopeWallEvent,
    RopeWallOptions,
    Side,
    State,
    Wall,
)
from engine.games.rope_wall.state import Pushing
from tools.harness.playouts import folded, material

A, B = Seat(0), Seat(1)
MATERIAL: Material = msgspec.convert(material(GAME), Material)
CHANCE = Chance(bytes(SEED_BYTES), "wall", 0)
BEGAN = Moment(1_000_000)
NOW = Moment(1_007_000)
LETTERS = {"A": A, "B": B, ".": None}


def drawn(picture: str) -> Wall:
    rows = [tuple(LETTERS[letter] for letter in line.split()) for line in picture.strip().splitlines()]
    return tuple(reversed(rows))


def picture(wall: Wall) -> list[str]:
    return [" ".join("." if owner is None else "AB"[owner] for owner in floor) for floor in reversed(wall)]


EMPTY = "\n".join([". . . . ."] * 5)


def state(wall: str = EMPTY, turn: Seat = A, exits: str = ". . . . .", **changes: Any) -> State:
    """Return a state with this wall. By default A plays next."""
    return State(
        material=changes.pop("material", MATERIAL),
        options=changes.pop("options", None) or RopeWallOptions(clock=changes.pop("clock", 180)),
        phase=changes.pop("phase", Pushing(turn)),
        began=BEGAN,
        starter=changes.pop("starter", A),
        wall=drawn(wall),
        exits=tuple(LETTERS[letter] for letter in exits.split()),
        **changes,
    )


def decide(
    before: State, seat: Seat | None, action: RopeWallAction | ClockAction, at: Moment = NOW
) -> list[RopeWallEvent]:
    return GAME.decide(before, seat, action, at, CHANCE)


def push(before: State, floor: int, side: Side) -> tuple[list[RopeWallEvent], State]:
    """Return the events after a push of the seat to move, and the state after them."""
    assert isinstance(before.phase, Pushing)
    events = decide(before, before.phase.seat, Push(floor, side))
    return events, folded(GAME, events, before)


def refused(before: State, seat: Seat | None, action: RopeWallAction | ClockAction, at: Moment = NOW) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        decide(before, seat, action, at)
    return refusal.value


def new_game(seed: int = 0, **options: Any) -> State:
    chance = Chance(seed.to_bytes(SEED_BYTES, "big"), "wall", 0)
    return GAME.fold(GAME.setup(2, RopeWallOptions(**{"interludes": "off", **options}), MATERIAL, BEGAN, chance))


def walked(wall: Wall, seat: Seat) -> list[list[tuple[int, int]]]:
    """Return every link of this seat, found by walking each simple path from the lowest floor, cell by cell."""
    found: list[list[tuple[int, int]]] = []

    def walk(path: list[tuple[int, int]]) -> None:
        floor, column = path[-1]
        bends = [before for before, after in pairwise(path) if before[0] == after[0]]
        if floor == len(wall) - 1 and bends:
            found.append(list(path))
        for step in ((floor + 1, column), (floor - 1, column), (floor, column + 1), (floor, column - 1)):
            on_wall = 0 <= step[0] < len(wall) and 0 <= step[1] < len(wall[0])
            if on_wall and wall[step[0]][step[1]] == seat and step not in path:
                walk([*path, step])

    for column, owner in enumerate(wall[0]):
        if owner == seat:
            walk([(0, column)])
    return found


def walked_ends(wall: Wall, seat: Seat) -> tuple[int, ...]:
    """Return the columns, from 1, at which links of this seat end."""
    return tuple(sorted({path[-1][1] + 1 for path in walked(wall, seat)}))


def walked_pairs(wall: Wall, seat: Seat) -> tuple[tuple[int, int], ...]:
    """Return the pairs of columns, from 1, at which two links without a common knot end."""
    ways: dict[frozenset[tuple[int, int]], set[int]] = {}
    for path in walked(wall, seat):
        ways.setdefault(frozenset(path), set()).add(path[-1][1] + 1)
    pairs = {
        (min(one, other), max(one, other))
        for cells, ends in ways.items()
        for others, other_ends in ways.items()
        if not cells & others
        for one in ends
        for other in other_ends
    }
    return tuple(sorted(pairs))


def forked_pairs(wall: Wall, seat: Seat) -> tuple[tuple[int, int], ...]:
    """Return the pairs of columns, from 1, at which links end whose last step leads upwards."""
    ends = {path[-1][1] + 1 for path in walked(wall, seat) if path[-2] == (path[-1][0] - 1, path[-1][1])}
    return tuple(combinations(sorted(ends), 2))


# Walls of several tests

FULL_FLOOR = """
    . . . . .
    . . . . .
    . . . . .
    . . . . .
    B A B A B
"""

L_MISSING = """
    . . . . .
    . . . . A
    . . . . A
    B . . . A
    . . . A A
"""

TWO_ROPES = """
    . A . A .
    . A . A .
    A B A . .
    . A . A .
    A A . A A
"""
