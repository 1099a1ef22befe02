"""The pictures of the Rope Wall's rules: the position that each shows, and its alt text."""

from dataclasses import dataclass

from cogs.core.i18n.translation import N_
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
        N_(
            "The wall's three lowest floors. A pushed a knot into L2. It moved A's and B's knots one step right, up to "
            "the first gap; B's knot beyond the gap didn't move."
        ),
        _wall(". . . . . / . . . . . / . . . B . / A A B . B / . B . . A"),
        push=Pushed(A, 2, "left", None, Moment(0)),
        moved=2,
        close_up=True,
    ),
    RulePicture(
        "rope",
        N_(
            "A's rope is lit from floor 1 to floor 5: up column 2, sideways on floor 3, up column 3. A prisoner has "
            "climbed out of exit 3."
        ),
        _wall(". . A . . / . . A . B / . A A . B / . A . B B / . A B . ."),
        rope=((1, 2), (2, 2), (3, 2), (3, 3), (4, 3), (5, 3)),
        prisoner=3,
    ),
    RulePicture(
        "straight",
        N_(
            "B has all of column 2 and a knot sticking out beside it. The way up never runs sideways, so this is no "
            "rope: exit 2 is crossed out."
        ),
        _wall(". B . . . / . B . A . / . B B A . / . B . . . / . B A . ."),
        missed=2,
    ),
    RulePicture(
        "eject",
        N_(
            "The wall's three lowest floors. Floor 2 was full when A pushed a knot into L2: everything moved one step "
            "right, and B's knot fell out at R2. R2 is crossed out: B may not use it next turn."
        ),
        _wall(". . . . . / . . . . . / . . . B . / A B A A B / . B . A ."),
        push=Pushed(A, 2, "left", B, Moment(0)),
        moved=4,
        barred=(Opening(2, "right"),),
        close_up=True,
    ),
)
