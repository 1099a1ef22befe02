"""Drawing functions of Ausbrecher AG: cells, the corridor that turns through the prison, the harbour at night.

Each function draws one thing on a canvas, in the same place for the same arguments. Nothing here knows a view:
`cogs.ausbrecher.picture` and `.end_picture` decide what is drawn, and `.boat_scenery` draws prisoners and boats.
"""

from functools import cache
from random import Random
from typing import Literal

from cogs.ausbrecher.boat_scenery import BOAT, GOLD, HULL, PAINTS, SAIL, SEA, draw_boat, draw_bust, draw_ghost, draw_sea
from cogs.ausbrecher.words import LETTERS
from cogs.core.drawing.canvas import Canvas, outline, scaled_size
from cogs.core.drawing.people import SKIN, draw_body, draw_head
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, SLATE, STONE, WIDTH, ink_on, mix
from cogs.core.drawing.theme import Colour as Paint
from cogs.core.ops.text_format import figure
from engine.games.ausbrecher import COLOURS, Colour

Way = Literal["right", "left", "down", "up"]
"""The direction of a step."""

HEAD = 112
"""The height of the strip at the top."""

BOX, SPACE = 124, 94
"""The width and height of a space."""
ROUND = 9
"""The radius of its corners."""

FLOOR: Paint = (88, 88, 104)
NICHE: Paint = (28, 28, 40)
RIGHT: Paint = (96, 212, 120)
WRONG: Paint = (252, 92, 84)
_ROW = 6  # spaces in a section
_PITCH = 118  # from one section to the next
_TRACK = 270  # the top of the first section
_LEFT = (WIDTH - _ROW * BOX) // 2
_BRICK: Paint = (76, 72, 84)
_JOINT: Paint = (36, 36, 48)
_HORIZON: Paint = (44, 52, 92)
_MOON: Paint = (240, 236, 212)


# ------------------------------------------------------------------------------------------------------------ positions


def cell_at(colour: Colour) -> tuple[int, int]:
    """Return the upper left corner of a prisoner's cell, 102 by 128."""
    return 11 + 113 * COLOURS.index(colour), HEAD + 10


@cache
def space_at(number: int) -> tuple[int, int]:
    """Return the upper left corner of a space. The corridor turns at the end of each section."""
    section, place = divmod(number - 1, _ROW)
    column = place if section % 2 == 0 else _ROW - 1 - place
    return _LEFT + BOX * column, _TRACK + _PITCH * section


@cache
def harbour(length: int) -> int:
    """Return the y where the water begins."""
    return space_at(length)[1] + SPACE + 30


def boat_at(number: int, top: int) -> tuple[int, int]:
    """Return the upper left corner of a boat, 188 by `BOAT`, in a harbour that begins at `top`."""
    return 8 + 198 * (number - 1), top


@cache
def way(start: int, end: int) -> Way:
    """Return the direction of a step from a space to a neighbouring one; the space after the last is a boat."""
    (x, y), (u, v) = space_at(start), space_at(end)
    if v != y:
        return "down" if v > y else "up"
    return "right" if u > x else "left"


# --------------------------------------------------------------------------------------------------------- static parts


def draw_ground(canvas: Canvas, length: int) -> None:
    """Draw the static background: the sky, the wall with the open cells, the corridor, the harbour."""
    draw_sky(canvas, 0, HEAD)
    top = harbour(length)
    _bricks(canvas, HEAD, top)
    for colour in COLOURS:
        draw_cell(canvas, colour, "empty")
    _corridor(canvas, length)
    draw_sea(canvas, top, top + BOAT)
    _pier(canvas, length, top)


def draw_sky(canvas: Canvas, top: int, bottom: int) -> None:
    """Draw the night sky: stars and a moon."""
    for y in range(top, bottom, 8):
        canvas.box(0, y, WIDTH, min(y + 8, bottom), mix(INK, _HORIZON, (y - top) / (bottom - top)))
    dice = Random(1990)
    for _ in range(22):
        canvas.disc(dice.randrange(WIDTH), dice.randrange(top, bottom - 12), dice.choice((0.8, 1.1, 1.6)), ASH)


def _bricks(canvas: Canvas, top: int, bottom: int) -> None:
    dice = Random(1991)
    canvas.box(0, top, WIDTH, bottom, _JOINT)
    for number, y in enumerate(range(top, bottom, 36)):
        x = -40 * (number % 2)
        while x < WIDTH:
            shade = mix(_BRICK, INK, dice.choice((0.3, 0.38, 0.46)))
            canvas.box(x + 1, y + 1, x + 79, min(y + 35, bottom), shade)
            x += 80
    canvas.box(0, top - 4, WIDTH, top + 4, mix(_BRICK, SLATE, 0.4))


def _corridor(canvas: Canvas, length: int) -> None:
    """The way from the cells to the harbour: one floor, whose sections are joined at their ends."""
    x, y = space_at(1)
    canvas.box(x + 30, y - 18, x + BOX - 30, y + 10, INK)
    canvas.box(x + 35, y - 17, x + BOX - 35, y + 10, mix(FLOOR, INK, 0.35))
    for number in range(1, length + 1):
        x, y = space_at(number)
        canvas.box(x - 3, y - 3, x + BOX + 3, y + SPACE + 3, INK, 12)
        if number < length and space_at(number + 1)[1] != y:
            canvas.box(x + 12, y + SPACE - 10, x + BOX - 12, y + _PITCH + 10, INK)
    for number in range(1, length):
        (x, y), (u, v) = space_at(number), space_at(number + 1)
        if v == y:
            left = max(x, u)
            canvas.box(left - 10, y + 12, left + 10, y + SPACE - 12, mix(FLOOR, INK, 0.35))
        else:
            canvas.box(x + 18, y + SPACE - 8, x + BOX - 18, v + 8, mix(FLOOR, INK, 0.35))
            draw_arrow(canvas, x + BOX / 2, y + (SPACE + _PITCH) / 2, "down", mix(FLOOR, CHALK, 0.35))
            lamp = x - 22 if u > WIDTH / 2 else x + BOX + 22
            for radius, alpha in ((40, 26), (26, 34), (14, 60)):
                canvas.disc(lamp, y + (SPACE + _PITCH) / 2, radius, LAMP, alpha)
            canvas.disc(lamp, y + (SPACE + _PITCH) / 2, 6, LAMP)
    for number in range(1, length + 1):
        draw_space(canvas, number, False)


def draw_space(canvas: Canvas, number: int, lit: bool) -> None:
    """Draw an empty space with its number; `lit` if somebody has just come there."""
    x, y = space_at(number)
    stone = FLOOR if number % 2 else mix(FLOOR, INK, 0.12)
    canvas.box(x + 2, y + 2, x + BOX - 2, y + SPACE - 2, mix(stone, CHALK, 0.12), ROUND)
    canvas.box(x + 4, y + 5, x + BOX - 4, y + SPACE - 3, stone, 8)
    canvas.box(x + 7, y + 8, x + 43, y + 36, INK, 7)
    canvas.box(x + 9, y + 10, x + 41, y + 34, LAMP if lit else SLATE, 6)
    canvas.text(x + 25, y + 22, str(number), 23, INK if lit else CHALK)


def draw_arrow(canvas: Canvas, x: float, y: float, where: Way, paint: Paint) -> None:
    """Draw a chevron."""
    u, v = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}[where]
    points = [
        (x - u * 5 - v * 10, y - v * 5 - u * 10),
        (x + u * 6, y + v * 6),
        (x - u * 5 + v * 10, y - v * 5 + u * 10),
    ]
    canvas.line(points, 9.5, INK)
    canvas.line(points, 5, paint)


def _pier(canvas: Canvas, length: int, top: int) -> None:
    """The pier from the last space to the boats."""
    x, y = space_at(length)
    middle = x + BOX / 2
    canvas.box(middle - 34, y + SPACE - 10, middle + 34, top + 10, INK)
    canvas.box(middle - 29, y + SPACE - 8, middle + 29, top + 8, mix(FLOOR, INK, 0.35))
    canvas.box(0, top - 8, WIDTH, top + 8, INK)
    canvas.box(0, top - 6, WIDTH, top + 6, mix(HULL, INK, 0.3))
    for plank in range(0, WIDTH, 40):
        canvas.box(plank, top - 6, plank + 2, top + 6, mix(HULL, INK, 0.6))
    draw_arrow(canvas, middle, y + SPACE + 10, "down", mix(FLOOR, CHALK, 0.35))


# -------------------------------------------------------------------------------------------------------- dynamic parts


def draw_cell(canvas: Canvas, colour: Colour, state: Literal["in", "empty", "ghost"]) -> None:
    """Draw a cell: its prisoner behind bars, or the open door."""
    x, y = cell_at(colour)
    canvas.box(x, y, x + 102, y + 128, INK, 10)
    canvas.box(x + 3, y + 3, x + 99, y + 125, mix(STONE, INK, 0.25), 8)
    canvas.box(x + 9, y + 34, x + 93, y + 122, NICHE)
    canvas.box(x + 31, y + 6, x + 71, y + 31, INK, 6)
    canvas.box(x + 33, y + 8, x + 69, y + 29, PAINTS[colour], 5)
    canvas.text(x + 51, y + 18.5, LETTERS[colour], 22, ink_on(PAINTS[colour]))
    if state == "in":
        canvas.box(x + 9, y + 34, x + 93, y + 122, mix(GOLD, NICHE, 0.72))
        draw_bust(canvas, x + 51, y + 122, 20, colour)
        for aside in (-36, -24, 24, 36):
            canvas.box(x + 51 + aside - 3, y + 34, x + 51 + aside + 3, y + 122, INK)
            canvas.box(x + 51 + aside - 2, y + 34, x + 51 + aside + 1.5, y + 122, mix(STONE, ASH, 0.5))
        return
    canvas.area([(x + 9, y + 34), (x + 36, y + 44), (x + 36, y + 114), (x + 9, y + 122)], INK)
    canvas.area([(x + 11, y + 38), (x + 34, y + 46), (x + 34, y + 111), (x + 11, y + 118)], mix(STONE, INK, 0.2))
    for bar in (17, 24, 31):
        canvas.box(x + bar - 1.5, y + 48, x + bar + 1.5, y + 110, INK)
    if state == "ghost":
        draw_ghost(canvas, x + 64, y + 80, 21, colour)


# ----------------------------------------------------------------------------------------------------------- the strip


Die = tuple[Colour | None, int, bool, bool, bool]
"""Colour (None: white), pips, whether it is used, whether it leads back, whether it is lost."""


def draw_die(canvas: Canvas, x: float, y: float, die: Die, label: str) -> None:
    """Draw a die with its number, and its label below."""
    colour, pips, done, back, _lost = die
    paint = CHALK if colour is None else PAINTS[colour]
    ink = ink_on(paint)
    if done:
        paint, ink = mix(paint, INK, 0.65), mix(INK, ASH, 0.4)
    canvas.box(x - 30, y - 30, x + 30, y + 30, INK, 12)
    canvas.box(x - 27, y - 27, x + 27, y + 27, paint, 10)
    canvas.text(x, y, figure(-pips if back else pips), 36, ink)
    canvas.text(x, y + 44, label, scaled_size(label, 22, 70), ASH if done else CHALK)


def draw_emblem(canvas: Canvas, seat: int) -> None:
    """Draw the player whose turn it is, at the left end of the strip, 106 pixels of it."""
    canvas.disc(60, 56, 44, LAMP, 60)
    canvas.disc(60, 56, 38, LAMP)
    canvas.disc(60, 56, 34, mix(INK, LAMP, 0.25))
    canvas.mark(SEAT_MARKS[seat], 60, 56, 20, letter=False)


DIE = 44
"""The y of the middle of a die."""


def die_at(place: int) -> int:
    """Return the middle of a die on the strip, the last one first."""
    return WIDTH - 46 - 72 * place


def draw_moon(canvas: Canvas) -> None:
    """Draw the moon at the right end of the strip, where no dice lie."""
    canvas.disc(WIDTH - 70, 44, 27, _MOON)
    canvas.disc(WIDTH - 58, 36, 23, mix(INK, _HORIZON, 0.3))


# ----------------------------------------------------------------------------------------------------------------- end


def draw_winner(canvas: Canvas, x: float, foot: float, seat: int) -> None:
    """Draw a winner, in stripes, with the seat's mark on the chest."""
    mark = SEAT_MARKS[seat]
    draw_body(canvas, x, foot - 48, 64, foot)
    draw_head(canvas, x, foot - 68, 22, mark.colour, "glad")
    canvas.mark(mark, x, foot - 22, 17, letter=False)


def draw_verdict(canvas: Canvas, x: float, y: float, right: bool) -> None:
    """Draw a tick or a cross."""
    if right:
        for width, paint in ((9.0, INK), (5.0, RIGHT)):
            canvas.line([(x - 9, y), (x - 2, y + 8), (x + 10, y - 9)], width, paint)
        return
    for width, paint in ((8.0, INK), (4.5, WRONG)):
        canvas.line([(x - 8, y - 8), (x + 8, y + 8)], width, paint)
        canvas.line([(x - 8, y + 8), (x + 8, y - 8)], width, paint)


def draw_sample(canvas: Canvas) -> None:
    """Draw a sample of everything that may appear, to choose the palette from."""
    canvas.box(0, 0, WIDTH, 120, FLOOR)
    for number, colour in enumerate(COLOURS):
        draw_bust(canvas, 50 + 100 * number, 80, 19, colour)
        draw_ghost(canvas, 90 + 100 * number, 90, 15, colour)
        draw_die(canvas, 40 + 100 * number, 160, (colour, 3, number % 2 == 0, False, False), LETTERS[colour])
    for number in range(1, 4):
        crew = COLOURS[2 * number - 2 : 2 * number]
        draw_boat(canvas, *boat_at(number, 220), number, 2 if number < 3 else 3, crew, str(number))
    canvas.box(600, 220, 800, 280, LAMP)
    canvas.text(700, 250, "123", 40, INK)
    for seat, mark in enumerate(SEAT_MARKS):
        canvas.area(outline(mark.shape, 620 + 32 * seat, 310, 14), mark.colour)
    draw_verdict(canvas, 640, 360, True)
    draw_verdict(canvas, 700, 360, False)
    canvas.text(740, 360, "8", 40, CHALK)


def flat_colours() -> tuple[Paint, ...]:
    """Return the colours that the palette must hold exactly."""
    marks = (mark.colour for mark in SEAT_MARKS)
    return (*PAINTS.values(), FLOOR, SEA, NICHE, LAMP, SAIL, HULL, GOLD, SKIN, RIGHT, WRONG, ASH, NIGHT, *marks)
