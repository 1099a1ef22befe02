"""The pictures of the Rope Wall's rules: the position that each shows, and its alt text."""

from dataclasses import dataclass

from engine.contract import Moment, Seat
from engine.games.rope_wall import Opening, Pushed, Wall

A, B = Seat(0), Seat(1)


@dataclass(frozen=True)
class RulePicture:
    """A small picture for the rules: a wall, a highlighted rope, and the last push."""

    name: str
    alt: str
    wall: Wall
    rope: tuple[tuple[int, int], ...] = ()
    push: Pushed | None = None
    moved: int = 0  # how many other knots the push moved
    barred: tuple[Opening, ...] = ()
    prisoner: int | None = None  # the column where a prisoner of A climbs out
    missed: int | None = None  # the column that looks like a rope but frees nobody
    close_up: bool = False  # show only the three lowest floors, with their openings


def _wall(picture: str) -> Wall:
    """Return the wall of a drawing: the top floor first, floors separated by slashes."""
    floors = [[{"A": A, "B": B, ".": None}[letter] for letter in floor.split()] for floor in picture.split("/")]
    return tuple(tuple(floor) for floor in reversed(floors))


RULE_PICTURES = (
    RulePicture(
        "push",
        "The wall's three lowest floors. A has pushed a knot into L2. It moved A's and B's knots there one step to the "
        "right, up to the first gap; the knot of B behind the gap stayed where it was.",
        _wall(". . . . . / . . . . . / . . . B . / A A B . B / . B . . A"),
        push=Pushed(A, 2, "left", None, Moment(0)),
        moved=2,
        close_up=True,
    ),
    RulePicture(
        "rope",
        "A rope of A shines from floor 1 to floor 5: up column 2, sideways on floor 3, up column 3. A prisoner has "
        "climbed out of exit 3.",
        _wall(". . A . . / . . A . B / . A A . B / . A . B B / . A B . ."),
        rope=((1, 2), (2, 2), (3, 2), (3, 3), (4, 3), (5, 3)),
        prisoner=3,
    ),
    RulePicture(
        "straight",
        "B has all of column 2, and a knot sticking out beside it. The way up never runs sideways: exit 2 is crossed "
        "out, this is no rope.",
        _wall(". B . . . / . B . A . / . B B A . / . B . . . / . B A . ."),
        missed=2,
    ),
    RulePicture(
        "eject",
        "The wall's three lowest floors. Floor 2 was full when A pushed a knot into L2: everything moved one step "
        "to the right, and a knot of B fell out at R2. R2 is crossed out: B may not use it on the next turn.",
        _wall(". . . . . / . . . . . / . . . B . / A B A A B / . B . A ."),
        push=Pushed(A, 2, "left", B, Moment(0)),
        moved=4,
        barred=(Opening(2, "right"),),
        close_up=True,
    ),
)
