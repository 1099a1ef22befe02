"""The great moments of Ausbrecher AG: somebody reaches a boat, a boat sails, and the end of the race."""

from functools import lru_cache

from cogs.ausbrecher.boat_scenery import SEA, draw_boat
from cogs.ausbrecher.words import capitalised, points_so_far
from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import CHALK, INK, mix
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import listed
from cogs.core.pages.game_ui import Highlight, TableContext
from cogs.core.pages.page import Picture
from engine.games.ausbrecher import COLOURS, AusbrecherView, Colour, Move

_SIDE = 200
_COLOURS = 96


def highlight(view: AusbrecherView, info: TableContext) -> Highlight | None:
    """Return the last move as a headline if it led into a boat, and at the end who saw it coming. A seat also reads
    what that is worth to it.
    """
    if view.phase == "over":
        return _end(view, info)
    move = _last_move(view)
    if move is None or move.landing.boat is None:
        return None
    boat, colour = move.landing.boat, move.colour
    crew = view.race.boats[boat - 1]
    facts: dict[str, object] = {"prisoner": capitalised(colour), "boat": boat}
    if gained := _gained(view, colour):
        # Translators: +{points}: the reader's own points, for a prisoner in the boat that they forecast.
        words = _("{prisoner} escapes in boat {boat}: +{points} for you!", points=gained, **facts)
    elif len(crew) == view.race.holds[boat - 1]:
        words = _("{prisoner} is aboard: boat {boat} sails!", **facts)
    else:
        words = _("{prisoner} escapes in boat {boat}!", **facts)
    alt = _("{prisoner} in boat {boat}.", **facts)
    return Highlight(words, Picture(draw(boat, view.race.holds[boat - 1], crew), f"boat-{boat}.png", alt))


def _last_move(view: AusbrecherView) -> Move | None:
    """Return the move that was made last, if nothing has been rolled since."""
    if view.phase not in ("roll", "resolve"):
        return None
    for turn in reversed(view.turns):
        if turn.moves:
            return turn.moves[-1]
        if turn.dice:
            return None
    return None


def _gained(view: AusbrecherView, colour: Colour) -> int:
    """Return the points that a prisoner has brought to the reader of a view."""
    return 0 if view.seat is None else view.points[view.seat][COLOURS.index(colour)] or 0


def _end(view: AusbrecherView, info: TableContext) -> Highlight:
    totals = [points_so_far(points) for points in view.points]
    winners = info.best(totals)
    names = listed([info.name(seat) for seat in winners])
    best = max(totals[seat] for seat in winners)
    points = ngettext("{n} point", "{n} points", best)
    words = ngettext(
        "{names} saw it coming: {points}!",
        "{names} saw it coming: {points} each!",
        len(winners),
        names=names,
        points=points,
    )
    crew = view.race.boats[-1]
    return Highlight(words, Picture(draw(4, max(1, len(crew)), crew), "boat-4.png", _("The last boat has left.")))


@lru_cache(maxsize=512)  # all that there are, with the usual boats
def draw(boat: int, hold: int, crew: tuple[Colour, ...]) -> bytes:
    """Return a boat with those aboard on the sea as a PNG."""
    canvas = Canvas(_SIDE, _SIDE, SEA)
    canvas.box(0, 0, _SIDE, 120, mix(INK, (44, 52, 92), 0.6))
    for x, y in ((20, 30), (60, 16), (168, 52), (180, 20), (34, 84)):
        canvas.disc(x, y, 2.4, CHALK)
    canvas.box(0, 128, _SIDE, _SIDE, SEA)
    draw_boat(canvas, 6, 14, boat, hold, crew, str(boat))
    return encode_image(canvas.picture().quantize(_COLOURS))
