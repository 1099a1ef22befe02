"""The short rules of Match Five, in our own words, with pictures."""

from functools import cache

from cogs.core.i18n.translation import _
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


def pages(colour: int) -> tuple[Page, ...]:
    """Return the pages of the rules, with an edge of this colour."""
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
        Page((Text(_aim()), row), colour),
        Page((Text(_stacks()), stacks), colour),
        Page((Text(_small_print()),), colour),
    )


def _aim() -> str:
    paragraphs = (
        _("### Match Five – the aim"),
        _(
            "On your turn, lay one to five of your tiles, each beside another tile or on top of one. Every line – row, "
            "column or stack – must be **one colour with different numbers** or **one number with different colours**. "
            "Five is the most."
        ),
        _(
            "You score each line that you made or lengthened: the sum of **all** its numbers, and **10 more** if it "
            "now has five. A tile counts in every line it's part of. The **highest score wins**."
        ),
        _(
            "Everyone has five tiles, hidden from the others. There are 1 to 5 in five colours, five of each, and five "
            "Wilds. The player with the highest total starts."
        ),
    )
    return "\n".join(paragraphs)


def _stacks() -> str:
    paragraphs = (
        _("### Stacks and locks"),
        _(
            "Tiles stack up to five high. Neighbours on the same level make lines too, so one tile can score in three "
            "directions."
        ),
        _(
            "A full row or column **locks its two ends** at once: nothing more can be laid beside them on their level, "
            "in any direction. The middle three stay open, and you may always stack on locked tiles. A full stack is "
            "closed on top; its sides aren't."
        ),
        _("Once laid, a tile never moves."),
        _(
            "-# The letter on a tile is its colour. Columns and rows have numbers: 13/12 is column 13, row 12. A dark "
            "score with ▾ is for a row or column under other tiles."
        ),
    )
    return "\n".join(paragraphs)


def _small_print() -> str:
    paragraphs = (
        _("### Small print"),
        _(
            "- A **Wild** is any tile: you say which when you lay it, and it stays that. It scores nothing. One a "
            "turn, one in each line."
        ),
        _(
            "- The tiles of a turn may go anywhere, each attached when it's laid. With the option *one line*, they "
            "must be in one line."
        ),
        _("- Only the first tile of the game may lie alone. If it stays alone, it scores its number."),
        _(
            "- Instead of playing, you may **swap** one to five tiles if the bag has that many; you draw before yours "
            "go back. With an empty bag you can't swap; then, and only then, you may pass."
        ),
        _("- After your turn, you draw back up to five while the bag lasts."),
        _("- If your time runs out, the play you've put together is laid; if there is none, your best single tile is."),
        _(
            "- When a player lays their last tile, everyone else has one more turn. The numbers you still hold then "
            "are subtracted, and 25 for a Wild."
        ),
        _(
            "- The game also ends if everyone passes in a row, or no one lays a tile for two rounds. Ties share the "
            "win."
        ),
        _("- When hands are compared for the start, a Wild counts nothing; if the highest tie, everyone draws again."),
        _("- Table option: fewer copies of each tile, for a shorter game."),
    )
    return "\n".join(paragraphs)
