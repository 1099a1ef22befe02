"""Where cells and melds lie on the table's picture: with smaller cards where a phone could not show it otherwise."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from cogs.break_out import sprites
from cogs.break_out.cards import CARD, NARROW, Size
from cogs.break_out.scenery import LOW_SKY, PORTRAIT, SKY
from cogs.break_out.sprites import FENCE, MeldRows
from cogs.core.drawing.theme import WIDTH
from engine.contract import Seat
from engine.games.break_out import BreakOutView

GAP = 8
"""The space around and between cells."""

MOST_HEIGHT = 500
"""The height up to which a picture, the hand and the controls fit a phone together."""

COLUMNS = {2: 2, 3: 3, 4: 2, 5: 3, 6: 3}
"""In how many columns the cells of this many players lie."""

FULL_HEIGHT = 560
"""The same for a full table, beside fewer suggestions."""

_ABOVE_YARD = 10  # between the fence and the first row of the Yard


@dataclass(frozen=True)
class _Scale:
    """The largest height of a picture for which it is taken, the height of the sky, the sizes of cards in cells and in
    the Yard, and the factor of the steps between them.
    """

    most: float
    sky: int
    in_cells: Size
    in_yard: Size
    overlap: float = 1.0


_SCALES = (
    _Scale(MOST_HEIGHT, SKY, CARD, CARD),
    _Scale(MOST_HEIGHT, SKY, CARD, NARROW),
    _Scale(MOST_HEIGHT, SKY, NARROW, NARROW),
    _Scale(MOST_HEIGHT, SKY, NARROW, NARROW, 0.76),
    _Scale(FULL_HEIGHT, LOW_SKY, NARROW, NARROW),
    _Scale(FULL_HEIGHT, LOW_SKY, NARROW, NARROW, 0.76),
    _Scale(FULL_HEIGHT + 60, LOW_SKY, NARROW, NARROW, 0.6),
    _Scale(inf, LOW_SKY, NARROW, NARROW, 0.5),
)
"""The largest cards first; the first scale at which a table fits is taken."""


@dataclass(frozen=True)
class PlacedCell:
    """A cell: its corner, its size, and the melds in it."""

    seat: Seat
    left: int
    top: int
    width: int
    height: int
    melds: MeldRows


@dataclass(frozen=True)
class BoardLayout:
    """The heights of the sky and of the picture, the cells, the top of the Yard's fence, and the melds in the Yard."""

    sky: int
    cells: tuple[PlacedCell, ...]
    fence: int
    yard: MeldRows
    height: int


def lay_out(view: BreakOutView) -> BoardLayout:
    """Return the layout of a table with the largest cards that fit a phone."""
    for scale in _SCALES:
        layout = _laid_out(view, scale)
        if layout.height <= scale.most:
            break
    return layout


def _laid_out(view: BreakOutView, scale: _Scale) -> BoardLayout:
    cells = tuple(_cells(view, scale))
    fence = max(cell.top + cell.height for cell in cells) + GAP
    top = fence + FENCE + _ABOVE_YARD
    melds = tuple(meld for meld in view.melds if meld.cell is None)
    yard = sprites.lay_out_melds(melds, 14, WIDTH - 14, top, scale.in_yard, scale.overlap)
    return BoardLayout(scale.sky, cells, fence, yard, max(yard.bottom, top + scale.in_yard[1]) + 4)


def _cells(view: BreakOutView, scale: _Scale) -> Iterator[PlacedCell]:
    seats = len(view.counts)
    columns = COLUMNS[seats]
    width = (WIDTH - (columns + 1) * GAP) // columns
    y = scale.sky + GAP
    for first in range(0, seats, columns):
        row = range(first, min(first + columns, seats))
        lefts = [GAP + (width + GAP) * column for column in range(len(row))]
        flows = [
            sprites.lay_out_melds(
                sprites.melds_in(view.melds, Seat(seat)),
                left + 10,
                left + width - 8,
                y + PORTRAIT,
                scale.in_cells,
                scale.overlap,
            )
            for seat, left in zip(row, lefts, strict=True)
        ]
        height = max(flow.bottom for flow in flows) - y
        for seat, left, flow in zip(row, lefts, flows, strict=True):
            yield PlacedCell(Seat(seat), left, y, width, height, flow)
        y += height + GAP
