"""The Rope Wall's referee: whether a push is allowed, and what it does to the wall and the round.

All other code asks these functions. Nothing is hidden in this game, so they accept states as well as views. Marks in
comments (R4, D1) refer to docs/rules/rope_wall.md.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Protocol, get_args

import msgspec

from engine.contract import Refusal, Seat
from engine.games.rope_wall.types import Doubles, Opening, Push, RoundWon, Side, Wall
from engine.games.rope_wall.wall import free_ends, other, round_won, shoved

SIDES: tuple[Side, ...] = get_args(Side)


class Position(Protocol):
    """What these functions need to know; states and views have it."""

    @property
    def floors(self) -> int: ...
    @property
    def wall(self) -> Wall: ...
    @property
    def exits(self) -> tuple[Seat | None, ...]: ...
    @property
    def barred(self) -> tuple[tuple[Opening, ...], ...]: ...
    @property
    def goal(self) -> int: ...
    @property
    def doubles(self) -> Doubles: ...


class Verdict(msgspec.Struct, frozen=True):
    """What an allowed push does: the wall after it, whose knot fell out, and the round that it wins for either seat."""

    wall: Wall
    fell: Seat | None
    won: RoundWon | None


def judge(position: Position, seat: Seat, push: Push) -> Verdict:
    """Return what this seat's push does. Raises `Refusal`: `no-such-opening`, `barred` (facts `floor`, `side`)."""
    if not 1 <= push.floor <= position.floors or push.side not in SIDES:
        raise Refusal("no-such-opening", floor=push.floor, side=push.side)
    barred = position.barred[seat]
    if barred and Opening(push.floor, push.side) in barred:  # R8, D2
        raise Refusal("barred", floor=push.floor, side=push.side)
    wall, fell = shoved(position.wall, push, seat)
    return Verdict(wall, fell, round_won(wall, position.exits, seat, position.goal, position.doubles))


def pushes(position: Position, seat: Seat) -> Iterator[Push]:
    """Return the pushes that this seat may make, from the lowest floor up and left before right."""
    openings = _openings(position.floors)
    barred = position.barred[seat]
    return iter([push for opening, push in openings.items() if opening not in barred] if barred else openings.values())


@cache
def _openings(floors: int) -> Mapping[Opening, Push]:
    """Return all openings of a wall with this many floors, and the push into each."""
    pushes = {Opening(floor, side): Push(floor, side) for floor in range(1, floors + 1) for side in SIDES}
    return MappingProxyType(pushes)


def default_push(position: Position, seat: Seat) -> Push:
    """Return the push that is made for a seat whose clock has run out: harmless, and always the same.

    It is the first of `pushes` that completes no link for the opponent and lets none of the seat's own knots fall out;
    else the first that completes no such link; else the first.
    """

    first, second = None, None
    for push in pushes(position, seat):
        wall, fell = shoved(position.wall, push, seat)
        # R16: if both are linked, the pusher wins the round.
        lost = free_ends(wall, position.exits, other(seat)) and not free_ends(wall, position.exits, seat)
        if not lost:
            if fell != seat:
                return push
            second = second or push
        first = first or push
    default = second or first
    assert default is not None, "two bars leave an opening"
    return default
