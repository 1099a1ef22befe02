"""The great moments of the Rope Wall, with their small pictures: a rope, an escape, the end."""

from functools import lru_cache

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.people import draw_arms_up, draw_body, draw_head
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import CHALK, INK, LAMP, SEAT_MARKS, SLATE, STONE, mix
from cogs.core.i18n.translation import _, ngettext
from cogs.core.pages.game_ui import Highlight, TableContext
from cogs.core.pages.page import Picture
from cogs.rope_wall import scenery
from cogs.rope_wall.status import with_winner
from engine.contract import Seat
from engine.games.rope_wall import RopeWallView

MOST = 3
"""The most prisoners in one picture."""

_SIDE = 160
_TOP = 94
"""Where the wall begins."""

_COLOURS = 64
_BRICK = mix(SLATE, STONE, 0.3)


def highlight(view: RopeWallView, info: TableContext) -> Highlight | None:
    """Return the rope that has just been finished, or who has won the game, as a headline."""
    if view.phase == "over":
        winner = with_winner(view, info).winner
        if winner is None or view.reason != "prisoners":
            return None
        words = _("{name} empties the prison!", name=info.name(winner))
        return _shown(words, winner, view.freed[winner])
    if not view.ropes:
        return _cancelled(view)
    seat = _owner(view)
    if view.phase == "choose":
        words = _("Your rope holds!") if seat == view.seat else _("{name}'s rope holds!", name=info.name(seat))
        return _shown(words, seat, 0)
    words = ngettext(
        "{name} frees a prisoner!",
        "{name} frees {n} prisoners!",
        len(view.ropes),
        name=info.name(seat),
    )
    return _shown(words, seat, len(view.ropes))


def _cancelled(view: RopeWallView) -> Highlight | None:
    """Return that a round has ended without a rope, until the next one is played."""
    if view.last_wall is None or not view.cancelled:
        return None
    number = view.round if view.phase == "interlude" else view.round - 1
    words = _("No one escapes in round {number}", number=number)
    return Highlight(words, Picture(_draw(None, 0), "moment-none.png", _("The wall, without a rope.")))


def _owner(view: RopeWallView) -> Seat:
    """Return whose ropes are on the wall of the round that is over."""
    floor, column = view.ropes[0][0]
    seat = (view.last_wall or view.wall)[floor - 1][column - 1]
    assert seat is not None  # a rope is made of knots
    return seat


def _shown(words: str, seat: Seat, prisoners: int) -> Highlight:
    alt = ngettext("A prisoner on the wall, free.", "Prisoners on the wall, free.", prisoners)
    if not prisoners:
        alt = _("A rope up the wall.")
    return Highlight(words, Picture(_draw(seat, min(prisoners, MOST)), f"moment-{seat}-{prisoners}.png", alt))


@lru_cache(maxsize=16)
def _draw(seat: Seat | None, prisoners: int) -> bytes:
    """Return the wall with as many free prisoners of a seat on their ropes, or with one rope, as a PNG; without a seat
    the wall alone.
    """
    canvas = Canvas(_SIDE, _SIDE, INK)
    top = _TOP if prisoners else 34
    scenery.draw_night(canvas, _SIDE, 0, _SIDE)
    for star_x, star_y in ((20, 22), (52, 12), (74, 40), (146, 62), (10, 66)):
        canvas.disc(star_x, star_y, 1.8, CHALK)
    canvas.disc(134, 22, 15, LAMP)
    canvas.box(0, top, _SIDE, _SIDE, scenery.JOINT)
    for course in range(10):
        for brick in range(-1, 5):
            left, upper = 40 * brick + 20 * (course % 2), top + 14 * course
            canvas.box(left + 1.5, upper + 1.5, left + 38.5, upper + 12.5, _BRICK)
    if seat is not None:
        _draw_ropes(canvas, seat, prisoners, top)
    return encode_image(canvas.picture().quantize(_COLOURS))


def _draw_ropes(canvas: Canvas, seat: Seat, prisoners: int, top: float) -> None:
    count, colour = max(1, prisoners), SEAT_MARKS[seat].colour
    apart, broad = (68.0, 30.0) if count < MOST else (50.0, 21.0)
    for place in range(count):
        x = _SIDE / 2 + apart * (place - (count - 1) / 2)
        scenery.draw_strand(canvas, (x, top - 4), (x, _SIDE), seat, "lit")
        for y in range(round(top) + 22, _SIDE, 30):
            scenery.draw_knot(canvas, x, y, 11, seat, "lit")
        if prisoners:
            shoulder = top - broad * 1.07
            draw_arms_up(canvas, x, shoulder + 4, broad, colour)
            draw_body(canvas, x, shoulder, broad, top)
            draw_head(canvas, x, shoulder - broad * 0.53, broad * 0.47, colour, "glad")
