"""The picture of the end of a Prison Break game: everyone's declarations, and below them their real way; and its story,
in which all go these ways again.
"""

from collections.abc import Iterator, Sequence
from math import ceil, floor

import msgspec

from cogs.core.drawing.animation import Frame, story_of
from cogs.core.drawing.canvas import Canvas, fitted_name, scaled_size, text_width
from cogs.core.drawing.composition import Bitmap, Composition, PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, WIDTH, mix
from cogs.core.i18n.translation import N_, _, cached_by_language, ngettext
from cogs.core.ops.text_format import listed
from cogs.prison_break.corridor import (
    BUBBLE,
    MOST_SEATS,
    NICHE,
    ROW,
    Stage,
    draw_row,
    draw_sample,
    draw_sky,
    draw_wall,
    flat_colours,
)
from cogs.prison_break.finish_order import arrivals, short_win_reason
from cogs.prison_break.path_sprites import STRIP, draw_hop, draw_paths_legend, draw_strip, path_sprites
from cogs.prison_break.row_sprites import row_sprites
from engine.contract import Seat
from engine.games.prison_break import JAIL, PrisonBreakView, Step

_SKY = 128
_TITLE = 72  # the height of the title in it
_MARGIN = 10  # around its text, for the halo
_FOOT = 76
"""The height of the strip that explains the bows."""

_STORY, _STEP_MS = 16, 500
"""The most moments of the story, and how long each is shown: a step of everybody."""

PLACES = (N_("came 1st"), N_("came 2nd"), N_("came 3rd"), N_("came 4th"))
"""The labels on the strips of players who came to EXIT one after the other."""


@cached_by_language(24)
def _stage(seats: int, spaces: int) -> Stage:
    tops = tuple(_SKY + 10 + (ROW + STRIP) * seat for seat in range(seats))
    foot = tops[-1] + ROW + STRIP + 2
    height = foot + _FOOT
    ground = Canvas(WIDTH, height, NIGHT)
    draw_sky(ground, _SKY, 1962, range(60, 740))
    draw_wall(ground, _SKY, foot)
    ground.box(0, foot, WIDTH, height, mix(NIGHT, INK, 0.4))
    ground.box(0, foot, WIDTH, foot + 4, INK)
    for top in tops:
        draw_row(ground, top, spaces)
        draw_strip(ground, top)
    sample = Canvas(WIDTH, 4 * ROW, NIGHT)
    draw_sample(sample, spaces)
    bands = (_SKY - 4, *tops, *(top + ROW for top in tops), foot)
    like = None if seats == MOST_SEATS else _stage(MOST_SEATS, spaces).palette
    palette = Palette(ground.picture(), [sample.picture()], flat_colours(seats), bands=bands, like=like)
    return Stage(palette, tops, spaces)


def count_lies(path: Sequence[Step]) -> tuple[int, int]:
    """Return how often a player moved another number of spaces than declared, and how often they sneaked."""
    sneaks = [step for step in path if step.declared is not None]
    return sum(step.declared != step.steps for step in sneaks), len(sneaks)


def lies_words(path: Sequence[Step]) -> str:
    """Return how often a player lied."""
    lied, sneaks = count_lies(path)
    return ngettext("lied in {lied} of {n} sneak", "lied in {lied} of {n} sneaks", sneaks, lied=lied)


def draw_end(view: PrisonBreakView, names: Sequence[str]) -> bytes:
    """Return the end of a game as a PNG `WIDTH` wide.

    The same view gives the same bytes. Thread-safe.
    """
    return encode(_sheet(view, names))


def draw_story(view: PrisonBreakView, names: Sequence[str]) -> bytes | None:
    """Return the end as an animated GIF: all go their real ways again, step by step.

    The same view gives the same bytes. Thread-safe.
    """
    steps = max(map(len, view.paths))
    told = range(steps) if steps <= _STORY else [steps * number // _STORY for number in range(_STORY)]
    frames = [Frame(_sheet(view, names, step), _STEP_MS) for step in told]
    return story_of(_sheet(view, names), frames)


def _sheet(view: PrisonBreakView, names: Sequence[str], told: int | None = None) -> Composition:
    """Return the end, or its story after so many steps of everybody, when it is not yet known who has won."""
    stage = _stage(len(view.prisoners), view.spaces)
    sheet = stage.palette.composition()
    if told is None:
        sheet.placed += _title(stage, view, names)
        sheet.placed.append(_reason(stage, short_win_reason(view)))
        shown = view
    else:
        shown = _earlier(view, told)
    sheet.placed.append(_key(stage))
    for number, path in enumerate(shown.paths):
        seat = Seat(number)
        sheet.placed += row_sprites(stage, shown, seat, names[seat], truth=True)
        sheet.placed += (_lied_plate(stage, seat), _lied(stage, seat, *count_lies(path)))
        sheet.placed += path_sprites(stage, seat, path, _place(view, seat) if told is None else "")
    return sheet


def _earlier(view: PrisonBreakView, told: int) -> PrisonBreakView:
    """Return the end of a game as it would be after so many steps of everybody, without winners."""
    paths = tuple(path[:told] for path in view.paths)
    positions = tuple(path[-1].position if path else JAIL for path in paths)
    return msgspec.structs.replace(view, paths=paths, positions=positions, winners=())


def _title(stage: Stage, view: PrisonBreakView, names: Sequence[str]) -> Iterator[PlacedBitmap]:
    """The winners, with their marks."""
    winners = [fitted_name(names[seat], 40, 400 / len(view.winners)) for seat in view.winners]
    words = _won_words(view, listed([name or "?" for name in winners]) if any(winners) else "").strip()
    size = scaled_size(words, 42, WIDTH - 80 - 50 * len(winners))
    x = (WIDTH - text_width(words, size) - 50 * len(winners)) / 2
    for seat in view.winners:
        left = floor(x) - 8
        canvas = stage.palette.canvas(left, 8, 58, 60)
        canvas.mark(SEAT_MARKS[seat], x + 20, 38, 19, letter=False)
        yield PlacedBitmap(stage.palette.bitmap(canvas), left, 8)
        x += 50
    x += 4
    yield PlacedBitmap(_letters(stage, words, size, x % 1), floor(x) - _MARGIN, 0)


def _won_words(view: PrisonBreakView, names: str) -> str:
    """Return the title; `names` may be empty."""
    number = len(view.winners)
    if view.reason is None:  # not by the track
        return ngettext("{names} WINS", "{names} SHARE THE WIN", number, names=names)
    if view.reason == "exit":
        return ngettext("{names} ESCAPES", "{names} ESCAPE", number, names=names)
    return ngettext("{names} GOT FURTHEST", "{names} GOT FURTHEST", number, names=names)


def _letters(stage: Stage, words: str, size: float, fraction: float) -> Bitmap:
    """Text of the title at this fraction of a pixel, without the sky, which is the same everywhere."""
    width = ceil(text_width(words, size)) + 2 * _MARGIN
    left = (WIDTH - width) // 2
    canvas = stage.palette.canvas(left, 0, width, _TITLE)
    canvas.text(left + _MARGIN + fraction, 38, words, size, LAMP, anchor="lm", halo=INK)
    return stage.palette.cut(canvas)


@drawn
def _reason(stage: Stage, words: str) -> PlacedBitmap:
    """The reason, pasted over the title, whose letters may reach down to it."""
    size = scaled_size(words, 26, WIDTH - 8)
    width = min(WIDTH, 2 * ceil(text_width(words, size) / 2) + 8)
    left, top = (WIDTH - width) // 2, 62
    canvas = stage.palette.canvas(left, top, width, 36)
    canvas.text(WIDTH / 2, 78, words, size, CHALK)
    return PlacedBitmap(stage.palette.cut(canvas), left, top)


@drawn
def _key(stage: Stage) -> PlacedBitmap:
    """The legend of the bows below a row."""
    top = stage.palette.ground.height - _FOOT
    canvas = stage.palette.canvas(0, top, WIDTH, _FOOT)
    lower = top + 52
    draw_paths_legend(canvas, top + 22)
    draw_hop(canvas, 412, 456, lower + 8, mix(CHALK, NICHE, 0.65))
    pale, back = _("pale: before a return to JAIL"), _("below the spaces: back")
    canvas.text(468, lower, pale, scaled_size(pale, 22, 324), CHALK, anchor="lm", bold=False)
    draw_hop(canvas, 68, 24, lower - 3, CHALK)
    canvas.text(80, lower, back, scaled_size(back, 22, 324), CHALK, anchor="lm", bold=False)
    return PlacedBitmap(stage.palette.bitmap(canvas), 0, top)


def _place(view: PrisonBreakView, seat: Seat) -> str:
    """Return whether a seat came to EXIT first, second or later; empty if it is not there, or alone."""
    groups = arrivals(view)
    alone = sum(map(len, groups)) == 1
    return next((_(PLACES[number]) for number, group in enumerate(groups) if seat in group and not alone), "")


@drawn
def _lied_plate(stage: Stage, seat: int) -> PlacedBitmap:
    top, left = stage.tops[seat], WIDTH - 8 - BUBBLE
    canvas = stage.palette.canvas(left, top, BUBBLE + 8, ROW)
    _draw_plate(canvas, left, top)
    # Translators: below it is "2 of 5", the number of sneaks.
    words = _("lied in")
    canvas.text(left + BUBBLE / 2 + 1, top + 28, words, scaled_size(words, 23, BUBBLE - 8), ASH, bold=False)
    return PlacedBitmap(stage.palette.bitmap(canvas), left, top)


@drawn
def _lied(stage: Stage, seat: int, lied: int, sneaks: int) -> PlacedBitmap:
    top, left = stage.tops[seat], WIDTH - 8 - BUBBLE
    canvas = stage.palette.canvas(left, top + 46, BUBBLE + 8, 28)
    _draw_plate(canvas, left, top)
    words = _("{lied} of {sneaks}", lied=lied, sneaks=sneaks)
    canvas.text(left + BUBBLE / 2 + 1, top + 60, words, scaled_size(words, 27, BUBBLE - 8), CHALK)
    return PlacedBitmap(stage.palette.bitmap(canvas), left, top + 46)


def _draw_plate(canvas: Canvas, left: int, top: int) -> None:
    canvas.box(left + 2, top + 2, WIDTH - 8, top + ROW - 4, INK, 10)
