"""The short rules of Ausbrecher AG, in our own words, with pictures: the basics first."""

from cogs.ausbrecher import picture
from cogs.ausbrecher.forecast_page import forecast_picture
from cogs.core.drawing.excerpts import rows_of
from cogs.core.i18n.translation import N_, _, cached_by_language
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


_SHOWN = ((0, 108), (366, 612))
"""The rows of pixels of the picture that are shown: the dice, and the spaces around the prisoners."""

_FORECAST = (2, 1, 1, 3, 2, 3, 4)
"""An example of a forecast."""


@cached_by_language(8)
def _picture() -> bytes:
    return rows_of(picture.draw(_example()), *_SHOWN)


AIM = N_("""\
### Ausbrecher AG – the goal
Seven prisoners race from their cells to four boats. They belong to no one: all of you move all of them.
Before the first roll everyone secretly forecasts who will escape in which boat. Boats 1 to 3 take two each, boat 4 \
the one who is left. Each prisoner in the right boat scores that boat's number. **Most points win**, and ties share \
the win.""")

TURN = N_("""\
### Your turn
1. Choose **three dice** of prisoners who are still in the race, and roll them.
2. Use the dice in any order: each moves its prisoner. You must use them all.
Once boat 1 is full, choose two; once boat 2 is full, two, or one and the white one. The boats at the start of your \
turn decide this. Where there is no choice, it happens by itself: the last die, and any that is lost in every order.
The highest roll starts, then it goes clockwise.""")

MOVES = N_("""\
### How prisoners move
- Only empty spaces count: prisoners in the way are jumped.
- The **last pip** never jumps. It leads to the very next space, on top of anyone there. A roll of 1 is a last pip.
- A prisoner with someone on top is **covered** and can't move: their die is **lost**.
-# Yellow's 3 jumps Orange, Green and Red and ends on 13. Blue is covered, so its 2 is lost. The white die sends Red \
back 2, to 7.""")

LOST_DICE = N_("""\
### Boats and lost dice
- A pip past the last space boards the first boat with space; the rest of the roll is void. Prisoners aboard have no \
die any more.
- A die that moves no one is **lost**: that of a covered prisoner, or one that would lead back from a cell. Choosing \
such a die on purpose is a good way to do nothing.
### The end
When six are aboard, the seventh goes into boat 4 at once, unused dice are void, and all forecasts are revealed.""")

WHITE_DIE = N_("""\
### The white die
From the game's second turn on you can add it to your coloured dice. After the roll, before anyone moves, you choose \
which of them it replaces: **that prisoner goes back** by the white number.
Going back works like going forward, mirrored. A prisoner who gets back to a cell stops there; one in a cell can't \
go back. With one coloured die and the white one, that single move back is all.
-# Table option: once boat 2 is full, the coloured die goes forward and a *second* prisoner, named before the roll, \
goes back.""")

SPECIAL = N_("""\
### Special cases and time
- You can change your forecast until the last player has submitted theirs; until you submit another, the one you \
submitted counts. The order within a boat doesn't matter.
- If time runs out, a complete forecast you picked but didn't submit is submitted for you; otherwise you get a \
random one.
- After 25 turns each (35 with two players, at most 100 in all) everyone still in the race boards in order of \
position: in a stack from the top, in the cells at random.
- Table option: the *rope* has 9 spaces instead of 18, and the race is hard to steer there.""")


def pages() -> tuple[Page, ...]:
    """Return the pages of the rules, with an edge of this colour."""
    view = _example()
    alt = _(
        "Yellow is on top of Blue on space 7. Yellow rolled 3: it jumps those in its way and stops on space {jump}. "
        "Blue is covered, so its die is lost. Red goes back 2 from space 11, to space {back}.",
        jump=view.results[0].landing.space,
        back=view.results[2].landing.space,
    )
    return (
        Page((Text(_(AIM)), forecast_picture(_FORECAST, (None,) * len(COLOURS)))),
        Page((Text(_(TURN)),)),
        Page((Text(_(MOVES)), Picture(_picture(), "moves.png", alt))),
        Page((Text(_(LOST_DICE)),)),
        Page((Text(_(WHITE_DIE)),)),
        Page((Text(_(SPECIAL)),)),
    )
