"""The short rules of Ausbrecher AG, in our own words, with a picture."""

from functools import cache

from cogs.ausbrecher import picture
from cogs.core.pages.page import Page, Picture, Text
from engine.games.ausbrecher import COLOURS, AusbrecherView, OpenResult, Prisoner, Race, landing, prisoner

_EXAMPLE = Race(
    cells=("violet", "pink"),
    spaces=((),) * 6 + (("blue", "yellow"),) + ((),) + (("orange",), ("green",), ("red",)) + ((),) * 7,
    boats=((), (), (), ()),
    holds=(2, 2, 2, 1),
)
"""Yellow is on top of blue; orange, green and red block its way."""


def _example() -> AusbrecherView:
    jump = OpenResult("yellow", 3, False, False, landing(_EXAMPLE, "yellow", 3, False))
    blocked = OpenResult("blue", 2, False, False, landing(_EXAMPLE, "blue", 2, False))
    back = OpenResult("red", 2, True, False, landing(_EXAMPLE, "red", 2, True))
    where: tuple[Prisoner, ...] = tuple(prisoner(_EXAMPLE, colour) for colour in COLOURS)
    return AusbrecherView(
        seat=None,
        to_act=(),
        ui_version=0,
        route="path",
        late_white="replace",
        faces=6,
        length=18,
        phase="resolve",
        race=_EXAMPLE,
        prisoners=where,
        given=(),
        drawn=(),
        throws=(),
        turn=None,
        turn_number=5,
        turns_left=20,
        choice=None,
        white=None,
        results=(jump, blocked, back),
        turns=(),
        carried=(),
        reason=None,
        forecasts=(),
        points=(),
    )


@cache
def _picture() -> bytes:
    return picture.draw(_example())


AIM = """\
### Ausbrecher AG – the aim
Seven prisoners race from their cells to four boats. They belong to nobody: all of you move all of them.
Before the first roll everybody forecasts in secret who will flee in which boat. Boats 1 to 3 take two each, boat 4 \
the one who is left; the order within a boat does not matter. For each prisoner in the right boat you get as many \
points as that boat's number; **most points win**, and ties share the win. Forecasts can be changed until the last of \
you has given theirs; what you gave stands until you give another. When time runs out, a whole forecast that was \
picked and not given is given for you; else chance draws one."""

TURN = """\
### Your turn
Choose **three dice** of prisoners who are still on the way, then roll them. Once boat 1 is full there are two; once \
boat 2 is full, two, or one and the white one. What counts is how the boats were when your turn began. Carry out the \
results one after the other, in the order that you like; all of them must be carried out. What leaves no choice goes \
by itself: the last result, and each that is lost whatever the order.
Whoever throws the highest die begins; then it goes clockwise."""

MOVES = """\
### How prisoners move
- Only empty spaces count: whoever stands in the way is jumped.
- But the **last pip** never jumps: it leads to the very next space, on top of whoever is there. A roll of 1 is a \
last pip.
- Whoever has somebody on top is **covered** and cannot move. A result that moves nobody is **lost**: one for whoever \
is covered, and one that leads back from a cell. Choosing such a die on purpose is a fine way to do nothing.
- A pip past the last space boards the first boat with room; the rest of the roll is void. The dice of those aboard \
are rolled no more."""

WHITE_DIE = """\
### The white die
From the game's second turn on you may roll it together with your coloured dice. After the roll it replaces one of \
them, which one you say before anybody moves: **that prisoner goes back** by the white number. Back works like \
forward, mirrored; whoever comes back to a cell stops there, and a prisoner in a cell does not go back. With one \
coloured die and the white one, that single move back is all.
Table option: once boat 2 is full, the coloured one goes forward and a *second* prisoner, named before the roll, \
goes back.
### The end
When six are aboard, the seventh goes into boat 4 at once, results that are left are void, and all forecasts are \
shown. After 25 turns each (35 if you are two, at most 100 in all) those still on the way board in order of position: \
in a stack the upper one first, in the cells by lot.
Table option: the *rope* is a way of 9 spaces instead of 18. The race is hard to steer there."""


def pages(colour: int) -> tuple[Page, ...]:
    """Return the pages of the rules, with an edge of this colour."""
    view = _example()
    jump, back = view.results[0].landing.space, view.results[2].landing.space
    alt = (
        f"Yellow stands on blue on space 7. Yellow rolled 3: it jumps those in its way and stops on space {jump}. Blue "
        f"is covered, so its result is lost. Red goes back 2 from space 11, to space {back}."
    )
    return (
        Page((Text(AIM), Text(TURN)), colour),
        Page((Text(MOVES), Picture(_picture(), "moves.png", alt)), colour),
        Page((Text(WHITE_DIE),), colour),
    )
