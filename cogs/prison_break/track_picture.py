"""Prison Break's private picture: one seat's own track, over what the table knows of everyone.

Drawn from a seat's own view, for that seat alone.
"""

from collections.abc import Iterator, Sequence

from cogs.core.drawing.canvas import Canvas, scaled_size
from cogs.core.drawing.composition import PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, WIDTH, mix
from cogs.core.i18n.translation import _, cached_by_language
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
from cogs.prison_break.words import LEGEND, at, is_held, place, public_words
from engine.contract import Seat
from engine.games.prison_break import JAIL, Position, PrisonBreakView

OWN, HEAD = 118, 64
"""The heights of the reader's own row, and of the title above it."""

_GAP = 46
_FOOT = 42  # the height of the legend


@cached_by_language(24)
def _stage(seats: int, spaces: int) -> Stage:
    tops = tuple(HEAD + 8 + OWN + _GAP + ROW * seat for seat in range(seats))
    foot = tops[-1] + ROW + 4
    height = foot + _FOOT
    ground = Canvas(WIDTH, height, NIGHT)
    draw_sky(ground, HEAD, 1963, range(330))
    draw_wall(ground, HEAD, foot)
    ground.box(0, foot, WIDTH, height, mix(NIGHT, INK, 0.4))
    ground.box(0, foot, WIDTH, foot + 4, INK)
    draw_legend(ground, foot + 22)
    ground.box(0, HEAD - 4, WIDTH, HEAD + 5, mix(BRICK, INK, 0.5))
    draw_row(ground, HEAD + 10, spaces, OWN)
    strip = tops[0] - _GAP + 6
    ground.box(0, strip, WIDTH, strip + 32, mix(NIGHT, INK, 0.4))
    known = _("WHAT EVERYONE KNOWS")
    ground.text(WIDTH / 2, strip + 16, known, scaled_size(known, 24, WIDTH - 40), ASH)
    for top in tops:
        draw_row(ground, top, spaces)
    sample = Canvas(WIDTH, 4 * ROW + 80, NIGHT)
    draw_sample(sample, spaces)
    private = _("ONLY YOU SEE THIS")
    sample.text(WIDTH / 2, 4 * ROW + 40, private, scaled_size(private, 30, WIDTH - 40), LAMP)
    bands = (HEAD, strip, *tops, foot)
    like = None if seats == MOST_SEATS else _stage(MOST_SEATS, spaces).palette
    palette = Palette(ground.picture(), [sample.picture()], flat_colours(seats), bands=bands, like=like)
    return Stage(palette, tops, spaces)


@drawn
def _own_plate(stage: Stage, seat: int) -> PlacedBitmap:
    canvas = stage.palette.canvas(8, HEAD + 8, PLATE, OWN)
    top = HEAD + 10
    canvas.box(8, top, 8 + PLATE, top + OWN - 6, CHALK, 10)
    canvas.box(12, top + 4, 4 + PLATE, top + OWN - 10, INK, 7)
    canvas.mark(SEAT_MARKS[seat], 8 + PLATE / 2, top + 42, 28, letter=False)
    words = _("YOU")
    canvas.text(8 + PLATE / 2, top + 92, words, scaled_size(words, 25, PLATE - 12), CHALK)
    return PlacedBitmap(stage.palette.bitmap(canvas), 8, HEAD + 8)


@drawn
def _own_place(stage: Stage, lead: str, words: str) -> PlacedBitmap:
    left = WIDTH - 8 - BUBBLE
    canvas = stage.palette.canvas(left, HEAD + 8, BUBBLE, OWN)
    top = HEAD + 10
    canvas.box(left + 2, top, WIDTH - 8, top + OWN - 6, INK, 10)
    middle = left + BUBBLE / 2 + 1
    upper, _space, lower = lead.rpartition(" ")
    for y, line in ((20, upper), (43, lower)):
        if line:
            canvas.text(middle, top + y, line, scaled_size(line, 23, BUBBLE - 6), ASH, bold=False)
    canvas.text(middle, top + 82, words, scaled_size(words, 33 if len(words) > 2 else 48, BUBBLE - 6), LAMP)
    return PlacedBitmap(stage.palette.bitmap(canvas), left, HEAD + 8)


@drawn
def _title(stage: Stage, round_: int) -> PlacedBitmap:
    canvas = stage.palette.canvas(0, 0, WIDTH, HEAD - 4)
    private, number = _("ONLY YOU SEE THIS"), _("ROUND {round}", round=round_)
    canvas.text(20, 32, private, scaled_size(private, 32, 500), CHALK, anchor="lm")
    canvas.text(WIDTH - 20, 32, number, scaled_size(number, 28, 240), LAMP, anchor="rm")
    return PlacedBitmap(stage.palette.bitmap(canvas), 0, 0)


def row_tops(view: PrisonBreakView) -> tuple[int, tuple[int, ...]]:
    """Return the top of the seat's own row, and of the row of each seat."""
    return HEAD + 10, _stage(len(view.prisoners), view.spaces).tops


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
    yield true_sprite(stage, HEAD + 10, own, position, OWN)
    # Translators: on two lines above the place: "you are", "in", "JAIL"; "you are", "on", "7".
    lead = _("you are in") if position <= JAIL else _("you are on")
    yield _own_place(stage, lead, place(position, view.spaces))
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
    yield _("You, {name}, are {where}.", name=names[own], where=at(_own_position(view, own), view.spaces))
    yield _("Round {round}.", round=view.round)
    if is_held(view, own):
        yield _("You may not move this round.")
    for seat, words in enumerate(public_words(view)):
        if seat == own:
            yield _("What everyone knows of you: {facts}.", facts=words)
        else:
            yield _("{name}: {facts}.", name=names[seat], facts=words)
    if marked := markers_words(view, names):
        yield f"{marked}."
    yield _(LEGEND)
