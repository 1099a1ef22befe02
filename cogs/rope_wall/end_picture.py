"""The picture of the end of a Rope Wall game: the winner, and small walls with the ropes by which prisoners got out;
and the story of it, in which they climb these ropes.

Text is drawn per game; the small walls are composed of cached pieces, which all games on a wall of that size share.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from PIL import Image, ImageChops

from cogs.core.drawing.animation import Frame, story_of
from cogs.core.drawing.canvas import Canvas, Point, fitted_name, fitted_size, outline, text_width
from cogs.core.drawing.composition import Bitmap, Box, Composition, PlacedBitmap, band_edges
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.people import draw_arms_up, draw_body, draw_head
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import CHALK, INK, LAMP, SEAT_MARKS, WIDTH, Colour, mix
from cogs.core.i18n.translation import _
from cogs.rope_wall import scenery
from cogs.rope_wall.scenery import NICHE
from engine.contract import Seat
from engine.games.rope_wall import FinishedRound, RopeWallView, Wall

MOST_ROUNDS = 6
"""The most rounds shown, the last ones. A game for three prisoners ends before more are won."""

Cell = tuple[int, int]
"""A floor and a column, both from 1."""

_SKY = 118
_FRAME, _GAP = 240, 20
_TILE = _FRAME + 52
_STONE: Colour = mix(scenery.JOINT, INK, 0.25)
_HALO = 8  # space around text
_TITLE = 680  # the most pixels of the title
_TALLY = 60  # y of the line with the number of prisoners out
_CAPTION = 32  # the height of the caption below a wall
_ROPE_SPACE = 6  # space above a small wall, for its ropes
_WAIT_MS, _CLIMB_MS, _FREE_MS = 500, 80, 450
"""How long the walls are shown without a climber, each knot of a climb, and a prisoner who is free."""


def won_rounds(view: RopeWallView) -> tuple[FinishedRound, ...]:
    """Return the last rounds that were won, at most `MOST_ROUNDS`."""
    return tuple(one for one in view.finished if one.winner is not None)[-MOST_ROUNDS:]


class _Scene(NamedTuple):
    """A moment of the story: how many knots of each round's ropes are lit, whether the one who climbs them is free
    already, and how many prisoners each player has got out; `titled` once the winner is named.
    """

    lit: tuple[int, ...]
    climbing: int | None = None  # the round in which somebody climbs
    free: bool = False
    freed: tuple[int, ...] = ()
    titled: bool = True


def draw_end(view: RopeWallView, names: Sequence[str], palette: Palette) -> bytes:
    """Return the picture of the end as a PNG in this palette, with these names beside the seats' marks.

    The same view gives the same bytes. Thread-safe.
    """
    return encode(_sheet(view, names, palette, _end(view)))


def draw_story(view: RopeWallView, names: Sequence[str], palette: Palette) -> bytes | None:
    """Return the end as an animated GIF: the prisoners climb the ropes one after the other, round by round.

    The same view gives the same bytes. Thread-safe.
    """
    still = _sheet(view, names, palette, _end(view))
    frames = (Frame(_sheet(view, names, palette, scene), ms) for scene, ms in _story(view))
    return story_of(still, frames)


def _end(view: RopeWallView) -> _Scene:
    return _Scene(tuple(map(_knots, won_rounds(view))), freed=view.freed)


def _knots(one: FinishedRound) -> int:
    """Return how many knots the ropes of a round have."""
    return sum(map(len, one.ropes))


def _story(view: RopeWallView) -> Iterator[tuple[_Scene, int]]:
    """Yield the scenes of the story, and for how many milliseconds each is shown."""
    rounds = won_rounds(view)
    freed = list(view.freed)
    for one in rounds:
        assert one.winner is not None  # only won rounds are shown
        freed[one.winner] -= len(one.ropes)
    lit = [0] * len(rounds)
    yield _Scene(tuple(lit), freed=tuple(freed), titled=False), _WAIT_MS
    for number, one in enumerate(rounds):
        assert one.winner is not None
        for rope in one.ropes:
            for _knot_number in rope:
                lit[number] += 1
                yield _Scene(tuple(lit), number, freed=tuple(freed), titled=False), _CLIMB_MS
            freed[one.winner] += 1
            yield _Scene(tuple(lit), number, free=True, freed=tuple(freed), titled=False), _FREE_MS
    yield _Scene(tuple(lit), freed=tuple(freed), titled=False), _WAIT_MS


def _sheet(view: RopeWallView, names: Sequence[str], palette: Palette, scene: _Scene) -> Composition:
    rounds = won_rounds(view)
    lines = -(-len(rounds) // 3)
    edges = band_edges(_SKY + lines * _TILE + 12, (_SKY, _SKY + _TILE))
    sheet = Composition(palette.index(_STONE), WIDTH, edges, palette.colours)
    sheet.paste(_night(palette), (0, 0))
    if scene.titled:
        sheet.placed.append(_title(palette, view, names))
    sheet.placed += _tallies(palette, names, scene.freed)
    climber: list[PlacedBitmap] = []
    for number, one in enumerate(rounds):
        line, column = divmod(number, 3)
        in_line = min(3, len(rounds) - 3 * line)
        line_width = in_line * _FRAME + (in_line - 1) * _GAP
        left, top = (WIDTH - line_width) // 2 + column * (_FRAME + _GAP), _SKY + 8 + line * _TILE
        sheet.placed += _round(palette, one, left, top, scene.lit[number])
        sheet.placed.append(_round_winner(palette, one, left + _FRAME // 2, top, names))
        if number == scene.climbing:
            climber = [_climber(palette, one, left, top, scene)]
    sheet.placed += climber
    return sheet


# ----------------------------------------------------------------------------------------------------------------- text


@drawn
def _night(palette: Palette) -> Bitmap:
    canvas = Canvas(WIDTH, _SKY, _STONE)
    scenery.draw_night(canvas, _SKY)
    return palette.bitmap(canvas)


def _title(palette: Palette, view: RopeWallView, names: Sequence[str]) -> PlacedBitmap:
    """The winner."""
    if view.winner is None:
        winner = _shared_title(palette, _("SHARED WIN"))
    else:
        name = fitted_name(names[view.winner], 40, 420)
        winner = _winner_title(palette, view.winner, _("{name} WINS", name=name).strip())
    return PlacedBitmap(winner, (WIDTH - winner.width) // 2, 0)


def _tallies(palette: Palette, names: Sequence[str], freed: Sequence[int]) -> Iterator[PlacedBitmap]:
    """How many prisoners each player got out."""
    for seat, middle in ((0, 200), (1, 600)):
        tally = _tally(palette, seat, fitted_name(names[seat], 26, 230), freed[seat])
        yield PlacedBitmap(tally, middle - tally.width // 2, _TALLY)


@drawn
def _shared_title(palette: Palette, words: str) -> Bitmap:
    size = fitted_size(words, 38, _TITLE)
    canvas = _sky(text_width(words, size), 0)
    canvas.text(0, 40, words, size, LAMP, halo=INK)
    return _without_sky(canvas, palette, 0)


@drawn
def _winner_title(palette: Palette, seat: Seat, words: str) -> Bitmap:
    size = fitted_size(words, 40, _TITLE)
    width = text_width(words, size) + 60
    canvas, left = _sky(width, 0), -width / 2
    canvas.mark(SEAT_MARKS[seat], left + 22, 40, 22, letter=False)
    canvas.text(left + 60, 40, words, size, LAMP, anchor="lm", halo=INK)
    return _without_sky(canvas, palette, 0)


@drawn
def _tally(palette: Palette, seat: int, name: str, freed: int) -> Bitmap:
    """How many prisoners a player got out."""
    width = text_width(name, 26) + 90
    canvas, left = _sky(width, _TALLY), -width / 2
    canvas.mark(SEAT_MARKS[seat], left + 14, 90, 14, letter=False)
    canvas.text(left + 40, 90, name, 26, CHALK, anchor="lm", halo=INK)
    canvas.text(left + width, 90, str(freed), 34, LAMP, anchor="rm", halo=INK)
    return _without_sky(canvas, palette, _TALLY)


def _sky(width: float, top: int) -> Canvas:
    """Return a strip of sky as wide as this text; x counts from its middle."""
    half = math.ceil(width / 2) + _HALO
    canvas = Canvas(2 * half, _SKY - top, _STONE, left=-half, top=top)
    scenery.draw_night(canvas, _SKY, -half, half)
    return canvas


def _without_sky(canvas: Canvas, palette: Palette, top: int) -> Bitmap:
    """Return what was drawn on the sky without the sky, since two lines of text may overlap."""
    ground = _night(palette).image.crop((0, top, canvas.width, _SKY))
    return _cut(palette, canvas, ground)


def _round_winner(palette: Palette, one: FinishedRound, middle: int, top: int, names: Sequence[str]) -> PlacedBitmap:
    """The winner of a round, below its wall."""
    assert one.winner is not None  # only won rounds are shown
    y = _SmallWall(len(one.wall), len(one.wall[0])).foot + 26
    name = fitted_name(names[one.winner], 22, _FRAME - 140)
    number = _("Round {number}", number=one.number)
    piece = _caption(palette, f"{number} · {name}" if name else number, one.winner, y % 1)
    return PlacedBitmap(piece, middle - piece.width // 2, top + math.floor(y) - _CAPTION // 2)


@drawn
def _caption(palette: Palette, words: str, winner: Seat, aside: float) -> Bitmap:
    """The number and winner of a round; `aside` is a subpixel offset downwards."""
    width = text_width(words, 22) + 36
    half, left = math.ceil(width / 2) + 2, -width / 2
    canvas = Canvas(2 * half, _CAPTION, _STONE, left=-half)
    canvas.mark(SEAT_MARKS[winner], left + 12, _CAPTION // 2 + aside, 11, letter=False)
    canvas.text(left + 34, _CAPTION // 2 + aside, words, 22, CHALK, anchor="lm")
    return palette.bitmap(canvas)


# --------------------------------------------------------------------------------------------------------- small walls


class _SmallWall(NamedTuple):
    """A small wall, positioned by its frame's upper left corner."""

    floors: int
    columns: int

    @property
    def cell(self) -> float:
        """The distance between neighbouring cells."""
        return (_FRAME - 12) / max(self.floors, self.columns)

    @property
    def left(self) -> float:
        """The left edge of the cells."""
        return (_FRAME - self.cell * self.columns) / 2

    @property
    def foot(self) -> float:
        """The lower edge of the cells."""
        return 6 + self.cell * self.floors

    def at(self, cell: Cell) -> Point:
        """Return the middle of a cell."""
        return self.left + self.cell * (cell[1] - 0.5), self.foot - self.cell * (cell[0] - 0.5)


def _round(palette: Palette, one: FinishedRound, left: int, top: int, lit: int) -> Iterator[PlacedBitmap]:
    """The wall of a round with the first `lit` knots of its winning ropes highlighted."""
    small = _SmallWall(len(one.wall), len(one.wall[0]))
    yield PlacedBitmap(_wall(palette, one.wall), left, top - _ROPE_SPACE)
    ropes = _lit_ropes(one, lit)
    for cell in chain.from_iterable(ropes):
        if cell is not None:
            seat = one.wall[cell[0] - 1][cell[1] - 1]
            assert seat is not None  # ropes lead from knot to knot
            x, y, *_ = _knot_box(small, cell)
            yield PlacedBitmap(_knot(palette, small, cell, seat, True), left + x, top + y)
    for rope in ropes:
        for start, end in pairwise(rope):
            assert start is not None
            seat = one.wall[start[0] - 1][start[1] - 1]
            assert seat is not None  # knots cover the ends of the strands
            x, y, *_ = _strand_box(small, start, end)
            yield PlacedBitmap(_strand(palette, small, start, end, seat), left + x, top + y)


def _lit_ropes(one: FinishedRound, lit: int) -> list[tuple[Cell | None, ...]]:
    """Return the cells of a round's ropes as far as they are lit; None after the last of a whole one: it leads out."""
    ropes: list[tuple[Cell | None, ...]] = []
    for rope in one.ropes:
        shown = rope[: max(0, lit)]
        ropes.append((*shown, None) if len(shown) == len(rope) else shown)
        lit -= len(rope)
    return ropes


def _climber(palette: Palette, one: FinishedRound, left: int, top: int, scene: _Scene) -> PlacedBitmap:
    """The prisoner on the rope, at the last knot that is lit; or free, on top of the wall."""
    assert one.winner is not None and scene.climbing is not None
    small = _SmallWall(len(one.wall), len(one.wall[0]))
    way = [cell for rope in one.ropes for cell in rope]
    x, y = small.at(way[scene.lit[scene.climbing] - 1])
    y = 0 if scene.free else y
    piece = _free(palette, one.winner) if scene.free else _head(palette, one.winner)
    upper = top + round(y) - (piece.height if scene.free else piece.height // 2)
    return PlacedBitmap(piece, left + round(x) - piece.width // 2, upper)


@drawn
def _head(palette: Palette, seat: Seat) -> Bitmap:
    canvas = Canvas(40, 40, NICHE)
    draw_head(canvas, 20, 21, 15, SEAT_MARKS[seat].colour)
    return _cut(palette, canvas, Image.new("L", (40, 40), palette.index(NICHE)))


@drawn
def _free(palette: Palette, seat: Seat) -> Bitmap:
    """A prisoner with arms up."""
    canvas, colour = Canvas(76, 66, _STONE), SEAT_MARKS[seat].colour
    draw_arms_up(canvas, 38, 44, 32, colour)
    draw_body(canvas, 38, 40, 32, 66)
    draw_head(canvas, 38, 26, 15, colour, "glad")
    return _cut(palette, canvas, Image.new("L", (76, 66), palette.index(_STONE)))


@drawn
def _wall(palette: Palette, wall: Wall) -> Bitmap:
    """A wall in its frame, with all its knots before any is lit."""
    small = _SmallWall(len(wall), len(wall[0]))
    sheet = palette.composition(_frame(palette, small))
    for floor, row in enumerate(wall, start=1):
        for column, seat in enumerate(row, start=1):
            if seat is not None:
                x, y, *_ = _knot_box(small, (floor, column))
                sheet.paste(_knot(palette, small, (floor, column), seat, False), (x, y + _ROPE_SPACE))
    return Bitmap(sheet.image())


@drawn
def _frame(palette: Palette, small: _SmallWall) -> Bitmap:
    canvas = Canvas(_FRAME, math.ceil(small.foot) + 6 + _ROPE_SPACE, _STONE, top=-_ROPE_SPACE)
    _draw_frame(canvas, small)
    return palette.bitmap(canvas)


@drawn
def _knot(palette: Palette, small: _SmallWall, cell: Cell, seat: Seat, lit: bool) -> Bitmap:
    left, top, right, bottom = _knot_box(small, cell)
    canvas = Canvas(right - left, bottom - top, NICHE, left=left, top=top)
    _draw_knot(canvas, small, cell, seat, lit)
    return _cut(palette, canvas, Image.new("L", (canvas.width, canvas.height), palette.index(NICHE)))


@drawn
def _strand(palette: Palette, small: _SmallWall, start: Cell, end: Cell | None, seat: Seat) -> Bitmap:
    """A strand from the middle of a knot to the next knot, or out of the wall. The knots are drawn again over it."""
    left, top, right, bottom = _strand_box(small, start, end)
    canvas = Canvas(right - left, bottom - top, _STONE, left=left, top=top)
    _draw_frame(canvas, small)
    x, y = small.at(start)
    if end is None:
        canvas.line([(x, y), (x, -4)], 8, LAMP, caps=False)
    else:
        canvas.line([(x, y), small.at(end)], 13, INK)
        canvas.line([(x, y), small.at(end)], 8, LAMP)
        _draw_knot(canvas, small, end, seat, True)
    _draw_knot(canvas, small, start, seat, True)
    return palette.bitmap(canvas)


def _knot_box(small: _SmallWall, cell: Cell) -> Box:
    """Return the box of a knot."""
    (x, y), half = small.at(cell), small.cell / 2
    return math.floor(x - half), math.floor(y - half), math.ceil(x + half), math.ceil(y + half)


def _strand_box(small: _SmallWall, start: Cell, end: Cell | None) -> Box:
    """Return the box of a strand between two knots, or out of the wall."""
    x, y = small.at(start)
    u, v = (x, -_ROPE_SPACE) if end is None else small.at(end)
    aside, along = (8, 0) if x == u else (0, 8)
    return (
        math.floor(min(x, u)) - aside,
        math.floor(min(y, v)) - along,
        math.ceil(max(x, u)) + aside,
        math.ceil(max(y, v)) + along,
    )


def _draw_frame(canvas: Canvas, small: _SmallWall) -> None:
    right, foot = _FRAME - small.left, small.foot
    canvas.box(small.left - 6, 0, right + 6, foot + 6, INK, 10)
    canvas.box(small.left - 3, 3, right + 3, foot + 3, NICHE, 8)


def _draw_knot(canvas: Canvas, small: _SmallWall, cell: Cell, seat: Seat, lit: bool) -> None:
    (x, y), radius, mark = small.at(cell), small.cell * 0.27, SEAT_MARKS[seat]
    canvas.area(outline(mark.shape, x, y, radius + (4 if lit else 0)), LAMP if lit else NICHE)
    canvas.area(outline(mark.shape, x, y, radius), mark.colour if lit else mix(mark.colour, NICHE, 0.6))


def _cut(palette: Palette, canvas: Canvas, ground: Image.Image) -> Bitmap:
    """Cut out what differs from this ground, whose colour is in the palette."""
    image = palette.bitmap(canvas).image
    return Bitmap(image, ImageChops.difference(image, ground).point([0] + [255] * 255, "1"))
