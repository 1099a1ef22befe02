"""Prison Break's private picture: one seat's own track, over what the table knows of everybody.

Drawn from a seat's own view, for that seat alone.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.composition import PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, WIDTH, mix
from cogs.core.pages.display_names import shortened
from cogs.core.pages.page import join_within
from cogs.prison_break.corridor import (
    BRICK,
    BUBBLE,
    MOST_SEATS,
    PLATE,
    ROW,
    Stage,
    draw_legend,
    draw_row,
    draw_sample,
    draw_sky,
    draw_wall,
    flat_colours,
)
from cogs.prison_break.markers_page import markers_words
from cogs.prison_break.row_sprites import marker_sprite, row_sprites, true_sprite
from cogs.prison_break.words import LEGEND, at, is_held, public_words
from engine.contract import Seat
from engine.games.prison_break import Position, PrisonBreakView

_OWN = 118
"""The height of the reader's own row."""

_HEAD = 64
_GAP = 46
_FOOT = 42  # the height of the legend


@lru_cache(maxsize=8)
def _stage(seats: int, spaces: int) -> Stage:
    tops = tuple(_HEAD + 8 + _OWN + _GAP + ROW * seat for seat in range(seats))
    foot = tops[-1] + ROW + 4
    height = foot + _FOOT
    ground = Canvas(WIDTH, height, NIGHT)
    draw_sky(ground, _HEAD, 1963, range(330))
    draw_wall(ground, _HEAD, foot)
    ground.box(0, foot, WIDTH, height, mix(NIGHT, INK, 0.4))
    ground.box(0, foot, WIDTH, foot + 4, INK)
    draw_legend(ground, foot + 22)
    ground.box(0, _HEAD - 4, WIDTH, _HEAD + 5, mix(BRICK, INK, 0.5))
    draw_row(ground, _HEAD + 10, spaces, _OWN)
    strip = tops[0] - _GAP + 6
    ground.box(0, strip, WIDTH, strip + 32, mix(NIGHT, INK, 0.4))
    ground.text(WIDTH / 2, strip + 16, "WHAT EVERYBODY KNOWS", 24, ASH)
    for top in tops:
        draw_row(ground, top, spaces)
    sample = Canvas(WIDTH, 4 * ROW + 80, NIGHT)
    draw_sample(sample, spaces)
    sample.text(WIDTH / 2, 4 * ROW + 40, "ONLY YOU SEE THIS", 30, LAMP)
    bands = (_HEAD, strip, *tops, foot)
    like = None if seats == MOST_SEATS else _stage(MOST_SEATS, spaces).palette
    palette = Palette(ground.picture(), [sample.picture()], flat_colours(seats), bands=bands, like=like)
    return Stage(palette, tops, spaces)


@drawn
def _own_plate(stage: Stage, seat: int) -> PlacedBitmap:
    canvas = stage.palette.canvas(8, _HEAD + 8, PLATE, _OWN)
    top = _HEAD + 10
    canvas.box(8, top, 8 + PLATE, top + _OWN - 6, CHALK, 10)
    canvas.box(12, top + 4, 4 + PLATE, top + _OWN - 10, INK, 7)
    canvas.mark(SEAT_MARKS[seat], 8 + PLATE / 2, top + 42, 28, letter=False)
    canvas.text(8 + PLATE / 2, top + 92, "YOU", 25, CHALK)
    return PlacedBitmap(stage.palette.bitmap(canvas), 8, _HEAD + 8)


@drawn
def _own_place(stage: Stage, preposition: str, words: str) -> PlacedBitmap:
    left = WIDTH - 8 - BUBBLE
    canvas = stage.palette.canvas(left, _HEAD + 8, BUBBLE, _OWN)
    top = _HEAD + 10
    canvas.box(left + 2, top, WIDTH - 8, top + _OWN - 6, INK, 10)
    middle = left + BUBBLE / 2 + 1
    canvas.text(middle, top + 20, "you are", 23, ASH, bold=False)
    canvas.text(middle, top + 43, preposition, 23, ASH, bold=False)
    canvas.text(middle, top + 82, words, 33 if len(words) > 2 else 48, LAMP)
    return PlacedBitmap(stage.palette.bitmap(canvas), left, _HEAD + 8)


@drawn
def _title(stage: Stage, round_: int) -> PlacedBitmap:
    canvas = stage.palette.canvas(0, 0, WIDTH, _HEAD - 4)
    canvas.text(20, 32, "ONLY YOU SEE THIS", 32, CHALK, anchor="lm")
    canvas.text(WIDTH - 20, 32, f"ROUND {round_}", 28, LAMP, anchor="rm")
    return PlacedBitmap(stage.palette.bitmap(canvas), 0, 0)


def draw(view: PrisonBreakView, names: Sequence[str] = ("",) * 4) -> bytes:
    """Return the seat's own track as a PNG `WIDTH` wide, with these names on the rows.

    The same view gives the same bytes. Thread-safe.
    """
    assert view.seat is not None
    stage = _stage(len(view.prisoners), view.spaces)
    sheet = stage.palette.composition()
    sheet.placed += _sprites(stage, view, view.seat, names)
    return encode(sheet)


def _sprites(stage: Stage, view: PrisonBreakView, own: Seat, names: Sequence[str]) -> Iterator[PlacedBitmap]:
    position = _own_position(view, own)
    yield _title(stage, view.round)
    yield _own_plate(stage, own)
    yield true_sprite(stage, _HEAD + 10, own, position, _OWN)
    yield _own_place(stage, *at(position, view.spaces).split())
    for seat in range(len(view.prisoners)):
        yield from row_sprites(stage, view, Seat(seat), names[seat], truth=view.phase == "over")
    for seat, spaces in enumerate(view.markers):
        yield from (marker_sprite(stage, seat, space) for space in spaces)


def _own_position(view: PrisonBreakView, own: Seat) -> Position:
    position = view.positions[own]
    assert position is not None  # always present in a seat's own view
    return position


def alt(view: PrisonBreakView, names: Sequence[str]) -> str:
    """Return the picture in words, the most important first, as long as an alt text may be."""
    return join_within(_sentences(view, [shortened(name, 24) for name in names]))


def _sentences(view: PrisonBreakView, names: Sequence[str]) -> Iterator[str]:
    own = view.seat
    assert own is not None
    yield f"You, {names[own]}, are {at(_own_position(view, own), view.spaces)}."
    yield f"Round {view.round}."
    if is_held(view, own):
        yield "You may not move this round."
    for seat, words in enumerate(public_words(view)):
        yield f"{'Of you everybody knows' if seat == own else names[seat]}: {words}."
    if marked := markers_words(view, names):
        yield f"{marked}."
    yield LEGEND
