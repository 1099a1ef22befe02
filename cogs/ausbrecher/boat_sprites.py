"""The sprites of boats in Ausbrecher AG's pictures, with those aboard."""

from cogs.ausbrecher import scenery
from cogs.ausbrecher.boat_scenery import BOAT, draw_boat, draw_ghost, ghost_at, seat_at
from cogs.ausbrecher.scenery import boat_at
from cogs.ausbrecher.words import boat_lettering
from cogs.core.drawing.composition import Bitmap, PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import INK
from engine.games.ausbrecher import Colour

_EDGE = 8  # above every boat; in the race the pier is there
_WIDE = 194
_RING = 20  # half the size of a ring

Verdicts = tuple[bool | None, ...]
"""For each prisoner aboard, whether a bet on it has come true; None if unknown."""


def boat(
    palette: Palette,
    number: int,
    top: int,
    hold: int,
    crew: tuple[Colour, ...],
    ghosts: tuple[Colour, ...] = (),
    *,
    verdicts: Verdicts = (),
    lift: int = 0,
) -> tuple[PlacedBitmap, ...]:
    """Return a boat with the prisoners aboard and those who would come, in a harbour that begins at `top`, for a sheet
    that shows the scene from the row `lift`. Prisoners with verdicts are ticked or crossed.
    """
    left, upper = boat_at(number, top - lift)
    places = max(hold, len(crew))
    made = [
        PlacedBitmap(_boat(palette, number, top, places, crew, verdicts, boat_lettering(number)), left, upper + _EDGE)
    ]
    for place, colour in enumerate(ghosts, start=len(crew)):
        x, y = ghost_at(hold, place)
        made.append(PlacedBitmap(_ring(palette, top, colour), left + x - _RING, upper + y - _RING))
    return tuple(made)


@drawn
def _boat(
    palette: Palette,
    number: int,
    top: int,
    hold: int,
    crew: tuple[Colour, ...],
    verdicts: Verdicts,
    words: str,
) -> Bitmap:
    left, _ = boat_at(number, top)
    canvas = palette.canvas(left, top + _EDGE, _WIDE, BOAT - _EDGE)
    draw_boat(canvas, left, top, number, hold, crew, words)
    for place, verdict in enumerate(verdicts):
        if verdict is not None:
            at = left + seat_at(hold, place) + 24
            canvas.disc(at, top + 58, 16, INK)
            scenery.draw_verdict(canvas, at, top + 58, verdict)
    return palette.bitmap(canvas)


@drawn
def _ring(palette: Palette, top: int, colour: Colour) -> Bitmap:
    """The ring of a prisoner who would come, for each of its places."""
    left, _ = boat_at(1, top)
    canvas = palette.canvas(left, top, 2 * _RING, 2 * _RING)
    draw_ghost(canvas, left + _RING, top + _RING, 17, colour)
    return palette.cut(canvas)
