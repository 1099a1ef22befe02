"""Small square pictures beside a headline: a cell's window that is open, closed, or left behind in the moonlight."""

from functools import cache
from typing import Literal

from cogs.core.drawing.canvas import Canvas, outline
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import ALARM, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, SLATE, STONE, Colour, mix

SIZE = 200
"""The pixels of an emblem each way; clients show it at 85 or less."""

Emblem = Literal["solved", "failed", "learned", "day"]

GREEN: Colour = SEAT_MARKS[2].colour
_BRICK, _JOINT = mix(SLATE, STONE, 0.4), mix(SLATE, INK, 0.5)
_WINDOW = (40, 30, 160, 170)
_STARS = ((62, 54), (92, 88), (140, 52), (118, 132), (66, 140), (146, 112))


@cache
def emblem(kind: Emblem) -> bytes:
    """Return an emblem as PNG."""
    canvas = Canvas(SIZE, SIZE, _BRICK)
    _draw_bricks(canvas)
    left, top, right, bottom = _WINDOW
    canvas.box(left - 10, top - 10, right + 10, bottom + 10, INK, 12)
    canvas.box(left, top, right, bottom, NIGHT, 4)
    for x, y in _STARS:
        canvas.disc(x, y, 2.5, CHALK)
    if kind == "learned":
        canvas.disc(100, 66, 19, LAMP)
        canvas.disc(92, 60, 17, NIGHT)
    _draw_bars(canvas, bent=kind != "failed")
    if kind != "failed":
        _draw_rope(canvas)
    canvas.box(left - 16, bottom + 2, right + 16, bottom + 16, STONE, 4)
    _draw_seal(canvas, kind)
    return encode_image(canvas.picture(), 128)


def _draw_bricks(canvas: Canvas) -> None:
    for row, y in enumerate(range(0, SIZE, 25)):
        canvas.line(((0, y), (SIZE, y)), 3, _JOINT, caps=False)
        for x in range(25 * (row % 2), SIZE + 1, 50):
            canvas.line(((x, y), (x, y + 25)), 3, _JOINT, caps=False)


def _draw_bars(canvas: Canvas, *, bent: bool) -> None:
    _left, top, _right, bottom = _WINDOW
    middle = (top + bottom) / 2
    for x, aside in ((62, -8), (86, -24), (114, 24), (138, 8)):
        way = ((x, top), (x + aside, middle), (x, bottom)) if bent else ((x, top), (x, bottom))
        canvas.line(way, 12, INK)
        canvas.line(way, 8, mix(STONE, CHALK, 0.4))


def _draw_rope(canvas: Canvas) -> None:
    """Draw a knotted rope that hangs out of the window."""
    way = ((100, 96), (96, 130), (102, 168), (98, SIZE))
    canvas.line(way, 14, INK)
    canvas.line(way, 10, LAMP)
    for x, y in ((97, 126), (101, 164)):
        canvas.disc(x, y, 11, INK)
        canvas.disc(x, y, 9, mix(LAMP, SEAT_MARKS[0].colour, 0.5))


def _draw_seal(canvas: Canvas, kind: Emblem) -> None:
    """Draw a disc in the corner: a tick, or a cross; or a star for a whole day."""
    x = y = 158
    canvas.disc(x, y, 40, INK)
    if kind == "day":
        canvas.disc(x, y, 36, NIGHT)
        canvas.area(outline("star", x, y, 25), LAMP)
        return
    canvas.disc(x, y, 36, ALARM if kind == "failed" else GREEN)
    if kind == "failed":
        for way in (((x - 14, y - 14), (x + 14, y + 14)), ((x + 14, y - 14), (x - 14, y + 14))):
            canvas.line(way, 10, INK)
    else:
        canvas.line(((x - 17, y + 1), (x - 5, y + 14), (x + 18, y - 13)), 10, INK)
