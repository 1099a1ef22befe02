"""The wall itself: how a push moves its knots, and who wins by it.

Marks in comments (R4, D1) refer to docs/rules/rope_wall.md.
"""

from functools import cache

from engine.contract import Seat
from engine.games.rope_wall.ropes import grid
from engine.games.rope_wall.types import Cells, Doubles, Material, Push, Pushed, RoundWon, Row, Side, Wall

SEATS = (Seat(0), Seat(1))


def other(seat: Seat) -> Seat:
    """Return the opponent."""
    return SEATS[1 - seat]


def across(side: Side) -> Side:
    """Return the opposite side of the wall."""
    return "right" if side == "left" else "left"


def empty(material: Material) -> Wall:
    """Return a wall without knots."""
    return ((None,) * material.columns,) * material.floors


def shoved(wall: Wall, push: Push | Pushed, seat: Seat) -> tuple[Wall, Seat | None]:
    """Return the wall after this seat's push and whose knot fell out.

    R7, D1: the unbroken block of knots that begins at the opening moves one step inward, into the first gap. If the
    floor is full, a knot falls out on the other side.
    """
    floors = list(wall)
    floors[push.floor - 1], fell = _shoved_row(wall[push.floor - 1], push.side, seat)
    return tuple(floors), fell


@cache
def _shoved_row(row: Row, side: Side, seat: Seat) -> tuple[Row, Seat | None]:
    """Return a floor after a push, and whose knot fell out. There are few possible floors, so results are cached."""
    if side == "right":
        mirrored, fell = _shoved_row(row[::-1], "left", seat)
        return mirrored[::-1], fell
    if None not in row:
        return (seat, *row[:-1]), row[-1]
    gap = row.index(None)
    return (seat, *row[:gap], *row[gap + 1 :]), None


def outside(wall: Wall, seat: Seat, material: Material) -> int:
    """Return how many knots this seat has outside the wall."""
    left = material.knots
    for floor in wall:
        left -= floor.count(seat)
    return left


def full(wall: Wall) -> bool:
    """Return True if no floor has a gap."""
    for floor in wall:  # noqa: SIM110 (called for every push, and twice as fast as `all` over a generator)
        if None in floor:
            return False
    return True


def turns_left_after(turns_left: int | None, wall: Wall, material: Material) -> int | None:
    """Return how many turns are left until the round is cancelled, after one that left the wall like this.

    D11: they count from the turn after the wall filled up, including skipped ones; None until then.
    """
    if turns_left is not None:
        return turns_left - 1
    return material.full_wall_turns if full(wall) else None


def round_won(wall: Wall, exits: tuple[Seat | None, ...], pusher: Seat, goal: int, doubles: Doubles) -> RoundWon | None:
    """Return who won by the push that has just made this wall, or None. `doubles` is the option O2.

    A round ends at its first link. So there was no link of either colour before this push, and it completed every link
    now on the wall, even one that does not use the new knot but others that the push moved.
    """
    seat, ends = linked(wall, exits, pusher)
    if seat is None:
        return None
    pairs: list[tuple[int, ...]] = []
    # R17: two links of the pusher's own free two prisoners, D9 two of the opponent's only one. D13: the game ends at
    # the third prisoner, even in the middle of a double: then one leaves, through any exit that a link reaches.
    if seat == pusher and exits.count(seat) + 2 <= goal:
        shape = grid(len(wall), len(wall[0]))
        knots = shape.knots(wall, seat)
        found = shape.fork_ends(knots) if doubles == "forks" else shape.double_ends(knots)
        pairs = [pair for pair in found if all(exits[end] is None for end in pair)]
    choices = tuple(tuple(end + 1 for end in choice) for choice in pairs or ends)
    ropes = dict.fromkeys(rope for choice in choices for rope in ropes_to(wall, seat, choice, doubles))
    return RoundWon(seat, choices, tuple(ropes))


def linked(wall: Wall, exits: tuple[Seat | None, ...], pusher: Seat) -> tuple[Seat | None, list[tuple[int]]]:
    """Return whose link counts on the wall that a push has just made, None for nobody's, and the columns, from 0, at
    which that seat's links end at open exits.
    """
    # R16: if both colours are linked, the pusher wins. D7: if only the opponent's is, the opponent wins.
    for seat in (pusher, other(pusher)):
        if free := free_ends(wall, exits, seat):
            return seat, free
    return None, []


def free_ends(wall: Wall, exits: tuple[Seat | None, ...], seat: Seat) -> list[tuple[int]]:
    """R14: return the columns, from 0, at which links of this seat end at open exits."""
    for floor in wall:  # usually a floor without any knot of this seat makes the search unnecessary
        if seat not in floor:
            return []
    shape = grid(len(wall), len(wall[0]))
    return [(end,) for end in shape.ends(shape.knots(wall, seat)) if exits[end] is None]


def ropes_to(wall: Wall, seat: Seat, columns: tuple[int, ...], doubles: Doubles) -> tuple[Cells, ...]:
    """Return this seat's ropes to these columns, counted from 1.

    O2: of two ropes each climbs to its own exit, or they share no knot.
    """
    shape = grid(len(wall), len(wall[0]))
    knots, ends = shape.knots(wall, seat), tuple(column - 1 for column in columns)
    forks = doubles == "forks" and len(ends) > 1
    ropes = shape.climbs_to(knots, ends) if forks else shape.ropes_to(knots, ends)
    return tuple(tuple((floor + 1, column + 1) for floor, column in shape.cells(rope)) for rope in ropes)
