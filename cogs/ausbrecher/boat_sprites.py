"""The sprites of boats in Ausbrecher AG's pictures: the boat, and each prisoner aboard.

A boat is drawn once per number of people aboard, above and below the edge of its hull; a prisoner once per place, since
all boats look the same behind them.
"""

from functools import lru_cache

from PIL import Image

from cogs.ausbrecher import scenery
from cogs.ausbrecher.boat_scenery import (
    BOAT,
    DECK,
    draw_benches,
    draw_ghost,
    draw_hull,
    draw_passenger,
    draw_rig,
    ghost_at,
    seat_at,
)
from cogs.ausbrecher.scenery import boat_at
from cogs.ausbrecher.words import boat_lettering
from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.composition import Bitmap, Box, PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import INK
from engine.games.ausbrecher import Colour

_EDGE = 8  # above every boat; in the race the pier is there
_WIDE = 194
_GHOST = 20  # half the size of a ring
_BUST = (28, 28, 50)  # the box of a prisoner aboard: left, right, and top
_BUST_WITH_VERDICT = (28, 42, 42)  # the same, with a tick or a cross beside the head

Verdicts = tuple[bool | None, ...]
"""For each prisoner aboard, whether a bet on it has come true; None if unknown or not asked."""


def boat(
    palette: Palette, number: int, top: int, hold: int, crew: tuple[Colour, ...], ghosts: tuple[Colour, ...]
) -> tuple[PlacedBitmap, ...]:
    """Return a boat with the prisoners aboard and those who would come, in a harbour that begins at `top`."""
    return _race_boat(palette, number, top, hold, crew, ghosts, boat_lettering(number))


@lru_cache(maxsize=4_096)
def _race_boat(
    palette: Palette,
    number: int,
    top: int,
    hold: int,
    crew: tuple[Colour, ...],
    ghosts: tuple[Colour, ...],
    words: str,
) -> tuple[PlacedBitmap, ...]:
    left, _ = boat_at(number, top)
    rings = []
    for place, colour in enumerate(ghosts, start=len(crew)):
        x, y = ghost_at(hold, place)
        piece = _ring(palette, top, hold, len(crew), place, colour)
        rings.append(PlacedBitmap(piece, left + x - _GHOST, top + y - _GHOST))
    return *_crewed_boat(palette, number, top, 0, hold, crew, (None,) * len(crew), words), *rings


def forecast_boat(
    palette: Palette, number: int, top: int, lift: int, hold: int, crew: tuple[Colour, ...], verdict: Verdicts
) -> tuple[PlacedBitmap, ...]:
    """Return a boat with the prisoners bet on it, ticked and crossed, for a sheet that shows the scene from the
    row `lift`.
    """
    return _crewed_boat(palette, number, top, lift, hold, crew, verdict, boat_lettering(number))


@lru_cache(maxsize=4_096)
def _crewed_boat(
    palette: Palette,
    number: int,
    top: int,
    lift: int,
    hold: int,
    crew: tuple[Colour, ...],
    verdict: Verdicts,
    words: str,
) -> tuple[PlacedBitmap, ...]:
    left, y = boat_at(number, top - lift)
    places = max(hold, len(crew))
    full = len(crew) >= hold
    aboard = []
    for place, (colour, sign) in enumerate(zip(crew, verdict, strict=True)):
        x, upper, *_ = _passenger_box(places, place, sign)
        aboard.append(PlacedBitmap(_passenger(palette, top, full, places, place, colour, sign), left + x, y + upper))
    return (
        PlacedBitmap(_upper_part(palette, number, top, places, len(crew)), left, y + _EDGE),
        PlacedBitmap(_hull(palette, number, top, full, words), left, y + DECK),
        *aboard,
    )


def _passenger_box(hold: int, place: int, verdict: bool | None) -> Box:
    """Return the box of a prisoner aboard, relative to the boat's upper left corner."""
    before, behind, upper = _BUST if verdict is None else _BUST_WITH_VERDICT
    middle = round(seat_at(hold, place))
    return middle - before, upper, middle + behind, DECK


@drawn
def _upper_part(palette: Palette, number: int, top: int, hold: int, aboard: int) -> Bitmap:
    """A boat above the edge of its hull, with benches for those who may still come."""
    left, _ = boat_at(number, top)
    canvas = palette.canvas(left, top + _EDGE, _WIDE, DECK - _EDGE)
    draw_rig(canvas, left, top, number, aboard >= hold)
    draw_benches(canvas, left, top, hold, aboard)
    return palette.bitmap(canvas)


@drawn
def _hull(palette: Palette, number: int, top: int, full: bool, words: str) -> Bitmap:
    """A boat's hull with its name, and its wake when it sails."""
    left, _ = boat_at(number, top)
    canvas = palette.canvas(left, top + DECK, _WIDE, BOAT - DECK)
    draw_rig(canvas, left, top, number, full)
    draw_hull(canvas, left, top, words)
    return palette.bitmap(canvas)


@drawn
def _passenger(
    palette: Palette, top: int, full: bool, hold: int, place: int, colour: Colour, verdict: bool | None
) -> Bitmap:
    """A prisoner aboard, in front of the mast and the sail: cut out, to fit boats of every number."""
    left, _ = boat_at(1, top)
    x, upper, right, lower = _passenger_box(hold, place, verdict)
    ground = _upper_part(palette, 1, top, hold, hold if full else hold - 1).image
    canvas = _canvas_on(palette, ground.crop((x, upper - _EDGE, right, lower - _EDGE)), left + x, top + upper)
    draw_passenger(canvas, left, top, hold, place, colour)
    if verdict is not None:
        at = left + seat_at(hold, place) + 24
        canvas.disc(at, top + 58, 16, INK)
        scenery.draw_verdict(canvas, at, top + 58, verdict)
    return palette.cut(canvas)


@drawn
def _ring(palette: Palette, top: int, hold: int, aboard: int, place: int, colour: Colour) -> Bitmap:
    """The ring of a prisoner who would come, over the ring beside it if there is no space left. Its place does
    not show.
    """
    left, _ = boat_at(1, top)
    x, y = ghost_at(hold, place)
    ground = _upper_part(palette, 1, top, hold, aboard).image
    ground = ground.crop((x - _GHOST, y - _GHOST - _EDGE, x + _GHOST, y + _GHOST - _EDGE))
    at = left + x - _GHOST, top + y - _GHOST
    canvas = _canvas_on(palette, ground, *at)
    draw_ghost(canvas, left + x, top + y, 17, colour)
    alone = palette.cut(canvas)
    if place <= max(aboard, hold - 1):
        return alone
    canvas = _canvas_on(palette, ground, *at)
    draw_ghost(canvas, left + x - 14, top + y, 17, colour)
    draw_ghost(canvas, left + x, top + y, 17, colour)
    return Bitmap(palette.bitmap(canvas).image, alone.mask)


def _canvas_on(palette: Palette, ground: Image.Image, left: int, top: int) -> Canvas:
    """Return a canvas to draw on existing pixels."""
    picture = Image.frombytes("P", ground.size, ground.tobytes())
    picture.putpalette(palette.colours)
    return Canvas(*ground.size, picture, left=left, top=top)
