"""The short rules of Match Five, in our own words, with pictures: the basics first."""

from functools import cache

from cogs.core.drawing.excerpts import rows_of
from cogs.core.i18n.translation import N_, _
from cogs.core.pages.page import Page, Picture, Text
from cogs.match_five import picture
from cogs.match_five.layout import BOARD
from engine.contract import Seat
from engine.games.match_five import Board, MatchFiveView, Stone, Turn, scored

_ROW = (
    Stone(0, 0, 1, "r3"),
    Stone(1, 0, 1, "r2"),
    Stone(2, 0, 1, "r1"),
    Stone(3, 0, 1, "r5"),
    Stone(4, 0, 1, "r4"),
)
_STACKS = (
    *_ROW,
    Stone(4, 0, 2, "b4"),
    Stone(4, 0, 3, "y4"),
    Stone(3, 0, 2, "b5"),
    Stone(3, 0, 3, "y5"),
)
_CROSS = (*_ROW[:3], Stone(0, 1, 1, "b3"), Stone(0, -1, 1, "g3"))
_EXAMPLES = {"cross": (_CROSS, _CROSS[3:]), "row": (_ROW, _ROW[3:]), "stacks": (_STACKS, _STACKS[7:])}
"""Boards, and the tiles that were laid last."""
_SHOWN = {"cross": 340, "row": 220, "stacks": 220}
"""Rows of pixels in the middle of a board that are shown."""

_BONUS = 10


def _view(stones: tuple[Stone, ...], last: tuple[Stone, ...]) -> MatchFiveView:
    second = last == _EXAMPLES["stacks"][1]
    lines = Board(stones).lines(last, _BONUS)
    turn = Turn(Seat(second), "play", sum(line.points for line in lines), last, scored(lines))
    return MatchFiveView(
        seat=None,
        to_act=(),
        ui_version=0,
        phase="play",
        turn=None,
        starter=Seat(0),
        placement="free",
        bonus=_BONUS,
        wild_left=25,
        hand_size=5,
        stones=stones,
        locked=Board(stones).locked,
        bag=120 - len(stones),
        counts=(5, 5),
        scores=(31, 45) if second else (31, 0),
        left=(0, 0),
        turns=(turn,),
        last=None,
        reason=None,
        hands=(None, None),
        drawn=(),
    )


AIM = N_("""\
### Match Five – the goal
The **highest score wins**. Everyone has five tiles, hidden from the others: the numbers 1 to 5 in five colours.
### Your turn
Lay one to five tiles, each beside another tile or on top of one. Every line – row, column or stack – must be **one \
colour with different numbers** or **one number with different colours**. Then you draw back up to five.""")

SCORE = N_("""\
### What it scores
Each line that you made or lengthened scores the sum of **all** its numbers, and **10 more** if it now has five, the \
most there can be. A tile counts in every line it's part of.
A full row or column **locks its two ends** at once: nothing more can be laid beside them on their level, in any \
direction. The middle three stay open, and you may always stack on locked tiles.""")

STACKS = N_("""\
### Stacks
Tiles stack up to five high, and a stack is a line too. Neighbours on the same level also make lines, so one tile \
can score in three directions. A full stack is closed on top; its sides aren't. Once laid, a tile never moves.
-# The letter on a tile is its colour. Columns and rows have numbers: 13/12 is column 13, row 12. A dark score with \
▾ is for a row or column under other tiles.""")

WILDS = N_("""\
### Wilds and swapping
- A **Wild** is any tile: you say which when you lay it, and it stays that. It scores nothing. One a turn, one in \
each line.
- Instead of playing, you may **swap** one to five tiles if the bag has that many; you draw before yours go back. \
With an empty bag you can't swap; then, and only then, you may pass.
### The end
When a player lays their last tile, everyone else has one more turn. The numbers you still hold then are subtracted, \
and 25 for a Wild.""")

SPECIAL = N_("""\
### Special cases and time
- There are five of each tile, and five Wilds. Table option: fewer copies, for a shorter game.
- The player with the highest total starts. A Wild counts nothing there; if the highest tie, everyone draws again.
- The tiles of a turn may go anywhere, each attached when it's laid. With the option *one line*, they must be in one \
line.
- Only the first tile of the game may lie alone. If it stays alone, it scores its number.
- The game also ends if everyone passes in a row, or no one lays a tile for two rounds. Ties share the win.
- If your time runs out, the play you've put together is laid; if there is none, your best single tile is.""")


@cache
def _drawn(name: str) -> bytes:
    """Return the middle of a board, without what is beside it."""
    half, middle = _SHOWN[name] // 2, BOARD.top + BOARD.height // 2
    return rows_of(
        picture.draw(_view(*_EXAMPLES[name])), (middle - half, middle + half), width=BOARD.left + BOARD.width
    )


def pages() -> tuple[Page, ...]:
    """Return the pages of the rules, with an edge of this colour."""
    cross = Picture(
        _drawn("cross"),
        "cross.png",
        _("A row of red 3, 2 and 1, and a column of three 3s in different colours. They meet in the red 3."),
    )
    row = Picture(
        _drawn("row"),
        "row.png",
        _("A row of red 3, 2, 1, 5 and 4. The last two are new: the row is full, and its two ends are locked."),
    )
    stacks = Picture(
        _drawn("stacks"),
        "stacks.png",
        _("Blue 5 and yellow 5 on top of red 5, beside a stack of red, blue and yellow 4: three lines score at once."),
    )
    return (
        Page((Text(_(AIM)), cross)),
        Page((Text(_(SCORE)), row)),
        Page((Text(_(STACKS)), stacks)),
        Page((Text(_(WILDS)),)),
        Page((Text(_(SPECIAL)),)),
    )
