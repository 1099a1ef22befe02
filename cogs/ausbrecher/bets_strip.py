"""A reader's own forecast as a strip below the race: who should flee in which boat, ticked and crossed as they do."""

from collections.abc import Sequence
from functools import lru_cache

from cogs.ausbrecher import scenery
from cogs.ausbrecher.boat_scenery import GOLD, SEA, draw_bust
from cogs.ausbrecher.scenery import boat_at
from cogs.ausbrecher.words import points_so_far
from cogs.core.drawing.canvas import Canvas, scaled_size, text_width
from cogs.core.drawing.composition import Bitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn, set_words
from cogs.core.drawing.theme import CHALK, INK, NIGHT, WIDTH, mix
from cogs.core.i18n.translation import _, ngettext
from engine.games.ausbrecher import COLOURS, Assignment, Colour

_HEAD = 30
_BERTH = (188, 62)
_HEIGHT = _HEAD + _BERTH[1] + 6
_PASSENGER = (58, 56)
_FIRST, _STEP = 52, 66  # the left edge of the first prisoner in a berth, and from one to the next
_COLOURS = 96
_BOATS = range(1, 5)


@lru_cache(maxsize=1)
def _palette() -> Palette:
    ground = Canvas(WIDTH, _HEIGHT, NIGHT)
    for number in _BOATS:
        _draw_berth(ground, boat_at(number, 0)[0], _HEAD, number)
    sample = Canvas(WIDTH, 420, SEA)
    scenery.draw_sample(sample)
    return Palette(ground.picture(), [sample.picture()], (*scenery.flat_colours(), SEA, NIGHT), _COLOURS)


def _draw_berth(canvas: Canvas, left: int, top: int, number: int) -> None:
    """Draw the place of a boat, below that boat in the race."""
    width, height = _BERTH
    canvas.box(left, top, left + width, top + height, INK, 12)
    canvas.box(left + 3, top + 3, left + width - 3, top + height - 3, SEA, 10)
    canvas.box(left + 8, top + 14, left + 44, top + height - 14, GOLD, 8)
    canvas.text(left + 26, top + height / 2, str(number), 28, INK)


@drawn
def _passenger(colour: Colour, verdict: bool | None) -> Bitmap:
    """A prisoner bet on a boat, pale and crossed once it has missed it, ticked once it is aboard."""
    width, height = _PASSENGER
    canvas = Canvas(width, height, SEA)
    draw_bust(canvas, 22, height, 14, colour, "grim" if verdict is False else "glad" if verdict else "calm")
    if verdict is not None:
        canvas.disc(width - 12, 14, 12, mix(SEA, INK, 0.5))
        scenery.draw_verdict(canvas, width - 12, 14, verdict)
    return _palette().bitmap(canvas)


def draw_bets(bets: Assignment, gained: Sequence[int | None]) -> bytes:
    """Return a complete forecast as a PNG `WIDTH` wide, with the points that each prisoner aboard has brought."""
    palette = _palette()
    sheet = palette.composition()
    points = points_so_far(gained)
    scored = ngettext("{n} POINT SO FAR", "{n} POINTS SO FAR", points)
    title = _("YOUR SECRET FORECAST")
    width = WIDTH - 60 - text_width(scored, 21)
    set_words(sheet, palette, 14, 15, title, scaled_size(title, 21, width), CHALK, NIGHT, "l")
    set_words(sheet, palette, WIDTH - 14, 15, scored, 21, GOLD, NIGHT, "r")
    for boat in _BOATS:
        crew = [place for place, bet in enumerate(bets) if bet == boat]
        for number, place in enumerate(crew):
            verdict = None if gained[place] is None else bool(gained[place])
            left = boat_at(boat, 0)[0] + _FIRST + _STEP * number
            sheet.paste(_passenger(COLOURS[place], verdict), (left, _HEAD + _BERTH[1] - 3 - _PASSENGER[1]))
    return encode(sheet)
