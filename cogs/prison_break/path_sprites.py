"""The real way of a prisoner, as bows on a strip below their row.

Shown at the end, and at every moment of a replay.
"""

from collections.abc import Sequence
from math import floor

from PIL import Image

from cogs.core.drawing.canvas import Canvas, outline, scaled_size
from cogs.core.drawing.composition import Bitmap, PlacedBitmap
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, SEAT_MARKS, WIDTH, Colour, mix
from cogs.core.i18n.translation import _
from cogs.prison_break.corridor import NICHE, PLATE, ROW, Stage, cell_edges
from cogs.prison_break.stamps import FULL, NONE, stamp_of
from engine.games.prison_break import JAIL, Position, Step

STRIP = 66
"""The height of the strip."""

_BASE = 36  # the baseline of the bows, below the upper edge of the way's own picture
_HEIGHT = _BASE + 10  # down to the frame of the strip, which has the colour of a mark's outline
_ABOVE = 8  # of the strip above that
_REACH = 20  # of a cell's content, left and right of its middle
_MARK, _OUTLINE = 12, 15  # the size of the mark at the end of a way, and with its outline


def draw_strip(canvas: Canvas, top: int) -> None:
    """Draw the empty strip of a row at `top`."""
    canvas.box(8, top + ROW - 2, WIDTH - 8, top + ROW + STRIP - 10, INK, 8)
    canvas.box(10, top + ROW, WIDTH - 10, top + ROW + STRIP - 12, NICHE, 7)


def draw_paths_legend(canvas: Canvas, y: float) -> None:
    """Draw the legend of red and other bows on a line around `y`."""
    for x, words, colour, dashed in (
        (24, _("red: didn't go as said"), ALARM, True),
        (412, _("went as said, or by an offer"), CHALK, False),
    ):
        draw_hop(canvas, x, x + 44, y + 8, colour, dashed=dashed)
        canvas.text(x + 56, y, words, scaled_size(words, 22, 324), CHALK, anchor="lm", bold=False)


def path_sprites(stage: Stage, seat: int, path: Sequence[Step], place: str) -> tuple[PlacedBitmap, PlacedBitmap]:
    """Return the real way as hops from left to right: moves before a return to JAIL are dim, a lie is red
    and dashed.

    `place` is shown on the strip of a player who came to EXIT along with others.
    """
    left, top = cell_edges(JAIL, stage.spaces)[0], stage.tops[seat] + ROW + _ABOVE
    return _label(stage, seat, place), PlacedBitmap(
        Bitmap(stage.palette.fitted(_path_sprite(stage.spaces, seat, path))), left, top
    )


@drawn
def _label(stage: Stage, seat: int, place: str) -> PlacedBitmap:
    """The label left of a way."""
    top = stage.tops[seat] + ROW
    canvas = stage.palette.canvas(8, top - 2, PLATE + 4, STRIP - 6)
    words = _("really went")
    canvas.text(8 + PLATE / 2, top + 16, words, scaled_size(words, 20, PLATE), ASH, bold=False)
    if place:
        canvas.text(8 + PLATE / 2, top + 40, place, scaled_size(place, 23, PLATE), CHALK)
    return PlacedBitmap(stage.palette.bitmap(canvas), 8, top - 2)


def _path_sprite(spaces: int, seat: int, path: Sequence[Step]) -> Image.Image:
    """Return a way on the flat ground of its strip, from JAIL to EXIT: all are different, but share their stamps."""
    left, right = cell_edges(JAIL, spaces)[0], cell_edges(spaces + 1, spaces)[1]
    way = Image.new("RGB", (right - left, _HEIGHT), NICHE)

    def stamp(piece: Bitmap, position: Position, colour: Colour) -> None:
        way.paste(colour, (_edge(spaces, position) - left, 0), piece.image)

    fresh = max((number for number, step in enumerate(path) if step.position <= JAIL), default=-1)
    here: Position = JAIL
    bows: dict[
        tuple[Position, Position], tuple[Colour, bool]
    ] = {}  # each hop once: the last one covers those before it
    for number, step in enumerate(path):
        there, lies = step.position, step.declared is not None and step.declared != step.steps
        colour = ALARM if lies else SEAT_MARKS[seat].colour
        if there != here:
            bows.pop((here, there), None)
            bows[here, there] = mix(colour, NICHE, 0.65) if number <= fresh else colour, lies
        here = there
    for (start, end), (colour, lies) in bows.items():
        stamp(_bow_stamp(spaces, start, end, lies), min(start, end), colour)
    for position in {step.position for step in path[fresh + 1 :]}:
        stamp(_stop_stamp(spaces, position, 5), position, INK)
        stamp(_stop_stamp(spaces, position, 4), position, CHALK)
    stamp(_mark_stamp(spaces, seat, here, _OUTLINE), here, INK)
    stamp(_mark_stamp(spaces, seat, here, _MARK), here, SEAT_MARKS[seat].colour)
    return way


def _middle(spaces: int, position: Position) -> float:
    left, right = cell_edges(position, spaces)
    return (left + right) / 2


def _edge(spaces: int, position: Position) -> int:
    """Return the left edge of the stamps of a cell, which may be narrower than a mark."""
    return floor(_middle(spaces, position)) - _REACH


def _stamp_canvas(spaces: int, first: Position, last: Position) -> Canvas:
    """Return a canvas for a stamp that reaches from one cell to another, as high as the way's picture."""
    left = _edge(spaces, first)
    return Canvas(_edge(spaces, last) + 2 * _REACH + 1 - left, _HEIGHT, NONE, left=left)


@drawn
def _bow_stamp(spaces: int, start: Position, end: Position, dashed: bool) -> Bitmap:
    canvas = _stamp_canvas(spaces, min(start, end), max(start, end))
    draw_hop(canvas, _middle(spaces, start), _middle(spaces, end), _BASE, FULL, dashed=dashed)
    return stamp_of(canvas)


@drawn
def _stop_stamp(spaces: int, position: Position, radius: int) -> Bitmap:
    canvas = _stamp_canvas(spaces, position, position)
    canvas.disc(_middle(spaces, position), _BASE, radius, FULL)
    return stamp_of(canvas)


@drawn
def _mark_stamp(spaces: int, seat: int, position: Position, radius: int) -> Bitmap:
    canvas = _stamp_canvas(spaces, position, position)
    canvas.area(outline(SEAT_MARKS[seat].shape, _middle(spaces, position), _BASE - 4, radius), FULL)
    return stamp_of(canvas)


def draw_hop(canvas: Canvas, start: float, end: float, base: float, colour: Colour, *, dashed: bool = False) -> None:
    """A bow from one space to another, the higher the further; a way back runs below the spaces."""
    back = end < start
    height = -6.0 if back else min(30.0, 12 + abs(end - start) / 6)
    points = []
    steps = 4 * _dashes(abs(end - start)) - 2 if dashed else 12
    for step in range(steps + 1):
        along = step / steps
        points.append((start + (end - start) * along, base - 4 * height * along * (1 - along)))
    for first in range(0, steps, 4) if dashed else (0,):
        canvas.line(points[first : first + 3] if dashed else points, 3.5, colour, caps=not dashed)


def _dashes(length: float) -> int:
    """Return how many dashes a bow of this length has."""
    return max(2, round(length / 18))
