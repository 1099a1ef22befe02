"""The end of Prison Break as a picture: what everybody said, and below it the way that they really went.

Views of a finished game in, bytes out. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Sequence
from functools import lru_cache

from cogs.core.drawing.caching import drawn
from cogs.core.drawing.canvas import Canvas, fitted_name, text_width
from cogs.core.drawing.encoding import encode
from cogs.core.drawing.sheets import Sprite
from cogs.core.drawing.sprites import Scene
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, WIDTH, mix
from cogs.core.phrases import count, listed
from cogs.prison_break.arrivals import arrived, why_in_short
from cogs.prison_break.corridor import (
    BUBBLE,
    MOST,
    NICHE,
    ROW,
    Stage,
    draw_row,
    draw_sample,
    draw_sky,
    draw_wall,
    flat_colours,
    row_sprites,
)
from cogs.prison_break.ways import WAY, draw_hop, draw_strip, draw_ways_key, way_sprite
from engine.contract import Seat
from engine.games.prison_break import PrisonBreakView, Step

_SKY = 128
_FOOT = 76
"""The height of the strip that says what the bows mean."""

PLACES = ("came 1st", "came 2nd", "came 3rd", "came 4th")
"""What stands on the strips of those who came to EXIT one after the other."""


@lru_cache(maxsize=8)
def _stage(seats: int, spaces: int) -> Stage:
    tops = tuple(_SKY + 10 + (ROW + WAY) * seat for seat in range(seats))
    foot = tops[-1] + ROW + WAY + 2
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
    like = None if seats == MOST else _stage(MOST, spaces).scene
    return Stage(Scene(ground.picture(), [sample.picture()], flat_colours(seats), like=like), tops, spaces)


def lies(path: Sequence[Step]) -> tuple[int, int]:
    """Return how often somebody went another number of spaces than they said, and how often they sneaked."""
    sneaks = [step for step in path if step.declared is not None]
    return sum(step.declared != step.steps for step in sneaks), len(sneaks)


def lies_words(path: Sequence[Step]) -> str:
    """Return how often somebody lied."""
    lied, sneaks = lies(path)
    return f"lied in {lied} of {count(sneaks, 'sneak')}"


def draw_end(view: PrisonBreakView, names: Sequence[str]) -> bytes:
    """Return the end of a game as a PNG `WIDTH` wide.

    The same view gives the same bytes. Safe in several threads.
    """
    stage = _stage(len(view.prisoners), view.spaces)
    sheet = stage.scene.sheet()
    _title(stage, view, names).paste(sheet)
    _key(stage).paste(sheet)
    for number, path in enumerate(view.paths):
        for sprite in row_sprites(stage, view, Seat(number), names[number], truth=True):
            sprite.paste(sheet)
        _lied(stage, number, *lies(path)).paste(sheet)
        way_sprite(stage, number, path, _place(view, Seat(number))).paste(sheet)
    return encode(sheet)


def _title(stage: Stage, view: PrisonBreakView, names: Sequence[str]) -> Sprite:
    canvas = stage.scene.canvas(0, 0, WIDTH, _SKY - 4)
    one = len(view.winners) == 1
    what = f"ESCAPE{'S' if one else ''}" if view.reason == "exit" else "GOT FURTHEST"
    if view.reason is None:  # not by the track
        what = "WINS" if one else "SHARE THE WIN"
    winners = [fitted_name(names[seat], 40, 400 / len(view.winners)) for seat in view.winners]
    words = f"{listed([name or '?' for name in winners])} {what}" if any(winners) else what
    size = min(42.0, 42 * (WIDTH - 80 - 50 * len(winners)) / text_width(words, 42))
    left = (WIDTH - text_width(words, size) - 50 * len(winners)) / 2
    for place, seat in enumerate(view.winners):
        canvas.mark(SEAT_MARKS[seat], left + 20 + 50 * place, 38, 19, letter=False)
    canvas.text(left + 50 * len(winners) + 4, 38, words, size, LAMP, anchor="lm", halo=INK)
    canvas.text(WIDTH / 2, 78, why_in_short(view), 26, CHALK)
    return Sprite(stage.scene.sprite(canvas), 0, 0)


@drawn
def _key(stage: Stage) -> Sprite:
    """What the bows below a row mean."""
    top = stage.scene.ground.height - _FOOT
    canvas = stage.scene.canvas(0, top, WIDTH, _FOOT)
    lower = top + 52
    draw_ways_key(canvas, top + 22)
    draw_hop(canvas, 412, 456, lower + 8, mix(CHALK, NICHE, 0.65))
    canvas.text(468, lower, "pale: before a return to JAIL", 22, CHALK, anchor="lm", bold=False)
    draw_hop(canvas, 68, 24, lower - 3, CHALK)
    canvas.text(80, lower, "below the spaces: back", 22, CHALK, anchor="lm", bold=False)
    return Sprite(stage.scene.sprite(canvas), 0, top)


def _place(view: PrisonBreakView, seat: Seat) -> str:
    """Whether a seat came to EXIT first, second or later; empty where it is not there, or is there alone."""
    groups = arrived(view)
    alone = sum(map(len, groups)) == 1
    return next((PLACES[number] for number, group in enumerate(groups) if seat in group and not alone), "")


@drawn
def _lied(stage: Stage, seat: int, lied: int, sneaks: int) -> Sprite:
    top, left = stage.tops[seat], WIDTH - 8 - BUBBLE
    canvas = stage.scene.canvas(left, top, BUBBLE + 8, ROW)
    canvas.box(left + 2, top + 2, WIDTH - 8, top + ROW - 4, INK, 10)
    canvas.text(left + BUBBLE / 2 + 1, top + 28, "lied in", 23, ASH, bold=False)
    canvas.text(left + BUBBLE / 2 + 1, top + 60, f"{lied} of {sneaks}", 27, CHALK)
    return Sprite(stage.scene.sprite(canvas), left, top)
