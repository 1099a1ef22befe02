"""The short rules of Match Five, in our own words, with pictures."""

from functools import cache

from cogs.core.pages.page import Page, Picture, Text
from cogs.match_five import picture
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
_LAID_LAST = {"row": _ROW[3:], "stacks": _STACKS[7:]}
_BONUS = 10


def _view(stones: tuple[Stone, ...], last: tuple[Stone, ...]) -> MatchFiveView:
    second = last == _LAID_LAST["stacks"]
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


@cache
def _drawn(name: str) -> bytes:
    stones = _ROW if name == "row" else _STACKS
    return picture.draw(_view(stones, _LAID_LAST[name]))


AIM = """\
### Match Five – the aim
On your turn lay one to five of your tiles, each beside another tile or on top of one. Every line – row, column or \
stack – must be **one colour with different numbers**, or **one number with different colours**. Five is the most.
You score each line that you made or lengthened: the sum of **all** its numbers, and **10 more** if it now has five. \
A tile counts in every line that it is part of. The **highest score wins**.
Everybody has five tiles, which nobody else sees. There are 1 to 5 in five colours, each five times, and five Wilds. \
Whoever holds the highest total begins."""

STACKS = """\
### Stacks and locks
Tiles are stacked up to five high. Neighbours at the same level make lines too, so one tile can score in three \
directions.
A full row or column **locks its two ends**, at once: nothing more is laid beside them at their level, in any \
direction. The middle three stay open, and stacking on locked tiles is always allowed. A full stack is closed on \
top; its sides are not.
A tile is never moved again.
-# On a tile the letter is its colour. Columns and rows have numbers: 13/12 is column 13, row 12. A dark \
score with ▾ is of a row or column that lies under other tiles."""

SMALL_PRINT = """\
### Small print
- A **Wild** is any tile: you say which when you lay it, and it stays that. It scores nothing. One a turn, one in \
each line.
- The tiles of a turn may lie anywhere, each attached when it is laid. With the option *one line* they must lie in \
one common line.
- Only the first tile of the game may lie alone. If it stays alone, it scores its number.
- Instead of playing you may **swap** one to five tiles, as long as the bag holds as many; you draw before yours go \
back. With an empty bag you cannot swap; then, and only then, you may pass.
- After your turn you draw up to five, as long as the bag lasts.
- When the clock of your turn runs out, what you have put together is laid; if that is nothing, your best single tile.
- When somebody lays their last tile, everyone else has one more turn. The numbers you still hold then are \
subtracted, and 25 for a Wild.
- If everybody passes in a row, or nobody lays a tile for two rounds, the game ends too. Ties share the win.
- In the hands that are compared for the start a Wild counts nothing; if the highest tie, all draw anew. Table \
option: fewer copies of each tile, for a shorter game."""


def pages(colour: int) -> tuple[Page, ...]:
    """Return the pages of the rules, with an edge of this colour."""
    row = Picture(
        _drawn("row"),
        "row.png",
        "A row of red 3, 2, 1, 5 and 4. The last two were laid now: the row is full, and its two ends are locked.",
    )
    stacks = Picture(
        _drawn("stacks"),
        "stacks.png",
        "On red 5 lie blue 5 and yellow 5, beside a stack of red, blue and yellow 4: three lines score at once.",
    )
    return (
        Page((Text(AIM), row), colour),
        Page((Text(STACKS), stacks), colour),
        Page((Text(SMALL_PRINT),), colour),
    )
