"""The small pictures beside the headlines of Prison Break's great moments, without words."""

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, SLATE, STONE, Colour, mix
from cogs.core.i18n.translation import N_, _
from cogs.prison_break.corridor import BRICK, draw_token
from cogs.prison_break.offer_cards import draw_vote
from engine.contract import Seat

Scene = Literal["caught", "lights", "betrayal", "lockdown", "bribe", "free"]

MOST = 2
"""The most players in one picture."""

SIDE = 160
_COLOURS = 64
_NIGHT: Colour = (40, 48, 84)

# Translators: what the small pictures beside headlines show.
_ALT: dict[Scene, str] = {
    "caught": N_("A pawn behind bars."),
    "lights": N_("The beam of the tower."),
    "betrayal": N_("One vote to accept, one to reject."),
    "lockdown": N_("A padlock."),
    "bribe": N_("A guard's badge, crossed out."),
    "free": N_("A pawn on the wall, under the moon."),
}


def alt(scene: Scene) -> str:
    """Return the picture in words."""
    return _(_ALT[scene])


@lru_cache(maxsize=128)
def draw(scene: Scene, seats: tuple[Seat, ...]) -> bytes:
    """Return the picture of a scene with these players as a PNG, `SIDE` each way."""
    canvas = Canvas(SIDE, SIDE, NIGHT)
    canvas.box(0, 0, SIDE, SIDE, mix(INK, _NIGHT, 0.6))
    _SCENES[scene](canvas, seats)
    return encode_image(canvas.picture().quantize(_COLOURS))


@lru_cache(maxsize=64)
def draw_round(number: int) -> bytes:
    """Return the prison by night with a round's number in the moon, as a PNG."""
    canvas = Canvas(SIDE, SIDE, NIGHT)
    canvas.box(0, 0, SIDE, SIDE, mix(INK, _NIGHT, 0.6))
    for x, y in ((18, 26), (40, 72), (142, 20), (146, 92), (24, 108)):
        canvas.disc(x, y, 2.2, CHALK)
    canvas.disc(SIDE / 2, 62, 45, (240, 236, 212))
    canvas.text(SIDE / 2, 62, str(number), 54, INK)
    canvas.box(0, 122, SIDE, SIDE, INK)
    for merlon in range(-8, SIDE, 34):
        canvas.box(merlon, 112, merlon + 20, 126, INK)
    for brick in range(-18, SIDE, 38):
        canvas.box(brick + 2, 128, brick + 36, 152, mix(BRICK, INK, 0.12), 3)
    return encode_image(canvas.picture().quantize(_COLOURS))


def _across(seats: tuple[Seat, ...], apart: float) -> list[tuple[Seat, float]]:
    """Return the players with their places beside each other."""
    first = SIDE / 2 - apart * (len(seats) - 1) / 2
    return [(seat, first + apart * place) for place, seat in enumerate(seats)]


def _caught(canvas: Canvas, seats: tuple[Seat, ...]) -> None:
    canvas.box(0, 0, SIDE, SIDE, mix(ALARM, INK, 0.45))
    canvas.box(14, 14, SIDE - 14, SIDE - 14, INK, 12)
    canvas.box(19, 19, SIDE - 19, SIDE - 19, mix(LAMP, NIGHT, 0.72), 9)
    for seat, x in _across(seats, 58):
        canvas.mark(SEAT_MARKS[seat], x, SIDE / 2, 27 if len(seats) > 1 else 38, letter=False)
    for bar in range(30, SIDE - 20, 25):
        canvas.box(bar - 4.5, 16, bar + 4.5, SIDE - 16, INK)
        canvas.box(bar - 2.5, 16, bar + 2.5, SIDE - 16, mix(STONE, ASH, 0.6))


def _lights(canvas: Canvas, seats: tuple[Seat, ...]) -> None:
    canvas.area([(18, 30), (SIDE + 60, 76), (SIDE + 60, SIDE + 40), (18, 44)], LAMP, 190)
    canvas.box(0, 28, 34, SIDE, mix(BRICK, INK, 0.4))
    canvas.area([(-12, 24), (17, 2), (46, 24)], SLATE)
    canvas.disc(20, 36, 14, CHALK)
    canvas.disc(20, 36, 9, LAMP)
    for seat, x in _across(seats, 52):
        canvas.mark(SEAT_MARKS[seat], x + 22, 96, 24 if len(seats) > 1 else 31, letter=False)
    if not seats:
        draw_vote(canvas, SIDE / 2 + 22, 94, True, 30)


def _betrayal(canvas: Canvas, seats: tuple[Seat, ...]) -> None:
    canvas.area([(0, 0), (96, 0), (64, SIDE), (0, SIDE)], mix(SLATE, LAMP, 0.25))
    canvas.area([(96, 0), (SIDE, 0), (SIDE, SIDE), (64, SIDE)], mix(ALARM, INK, 0.5))
    canvas.line([(96, -4), (72, 70), (90, 82), (64, SIDE + 4)], 7, INK)
    for (seat, x), accept in zip(_across(seats, 84), (True, False), strict=False):
        canvas.mark(SEAT_MARKS[seat], x, 58, 29, letter=False)
        draw_vote(canvas, x, 118, accept, 21)


def _lockdown(canvas: Canvas, seats: tuple[Seat, ...]) -> None:
    canvas.box(0, 0, SIDE, SIDE, mix(ALARM, INK, 0.35))
    for width, paint in ((22.0, INK), (13.0, ASH)):
        canvas.line([(52, 84), (52, 56), (62, 38), (80, 31), (98, 38), (108, 56), (108, 84)], width, paint)
    canvas.box(34, 74, 126, 140, INK, 14)
    canvas.box(39, 79, 121, 135, LAMP, 10)
    canvas.disc(80, 100, 11, INK)
    canvas.area([(75, 102), (85, 102), (89, 124), (71, 124)], INK)


def _bribe(canvas: Canvas, seats: tuple[Seat, ...]) -> None:
    draw_token(canvas, SIDE / 2, 72, 52)
    for width, paint in ((19.0, INK), (11.0, ALARM)):
        canvas.line([(32, 126), (128, 26)], width, paint)
    for seat, x in _across(seats, 56):
        canvas.mark(SEAT_MARKS[seat], x, 128, 19, letter=False)


def _free(canvas: Canvas, seats: tuple[Seat, ...]) -> None:
    canvas.disc(120, 40, 26, (240, 236, 212))
    canvas.disc(132, 32, 22, mix(INK, _NIGHT, 0.6))
    for x, y in ((22, 24), (58, 14), (84, 60), (30, 66), (144, 84)):
        canvas.disc(x, y, 2.2, CHALK)
    for seat, middle in _across(seats, 62):
        canvas.disc(middle, 80, 40, LAMP, 70)
        canvas.mark(SEAT_MARKS[seat], middle, 80, 26 if len(seats) > 1 else 32, letter=False)
    canvas.box(0, 110, SIDE, SIDE, INK)
    for row, y in enumerate((114, 138)):
        for brick in range(-18 * row, SIDE, 38):
            canvas.box(brick + 2, y, brick + 36, y + 21, mix(BRICK, INK, 0.12), 3)


_SCENES: dict[Scene, Callable[[Canvas, tuple[Seat, ...]], None]] = {
    "caught": _caught,
    "lights": _lights,
    "betrayal": _betrayal,
    "lockdown": _lockdown,
    "bribe": _bribe,
    "free": _free,
}
