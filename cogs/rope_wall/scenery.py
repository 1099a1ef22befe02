"""Drawing functions of the Rope Wall: a prison wall at night between the two players' watchtowers.

Each function draws one thing on a canvas, in the same place for the same arguments. Nothing here knows a view:
`cogs.rope_wall.picture` decides what is drawn.
"""

import math
from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

from cogs.core.drawing.canvas import Canvas, Point, fitted_size, outline, text_width
from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, SLATE, STONE, WIDTH, Colour, mix
from engine.games.rope_wall import Opening, Side

Sign = Literal["plain", "last", "barred"]
"""The look of an opening's sign: plain, just pushed into, or not allowed now."""

Look = Literal["plain", "new", "lit", "faint"]
"""The look of a knot: plain, just pushed in, part of a finished rope, or of a finished round."""

Hatch = Literal["shut", "open", "no"]
"""The look of an exit without a prisoner: plain, selectable now, or (in the rules) out of reach."""

HEIGHT = 716
FOOT = 656
"""The y of the wall's foot."""
NAME_SIZE, NAME_WIDTH = 22, 104
"""The size of names on the towers, and their width limit."""
TOWER = 150
"""The width of a tower."""
LAMP_ROOM, LAMP_ROOM_FOOT = 54, 166
"""The top and bottom of its lamp room."""
MIDDLE = WIDTH // 2

NICHE: Colour = (32, 32, 44)
JOINT: Colour = (52, 48, 60)
_BRICK: Colour = (84, 76, 84)
_EARTH: Colour = (28, 32, 36)
_ZENITH, _HORIZON = INK, (44, 52, 92)
_GLOW: Colour = (244, 204, 108)  # a lamp room at night
_WALL = 480  # the wall's longer side
_SHADES = ((0.02, 0.2), (0.26, 0.08), (0.12, 0.0), (0.06, 0.24))  # brightness of the bricks in a cell, by course


@dataclass(frozen=True)
class Grid:
    """The positions of cells on a wall of this size."""

    floors: int
    columns: int

    @property
    def cell(self) -> int:
        """The distance between neighbouring cells."""
        return _WALL // max(self.floors, self.columns)

    @property
    def left(self) -> int:
        """The left edge of the cells."""
        return MIDDLE - self.cell * self.columns // 2

    @property
    def top(self) -> int:
        """The upper edge of the cells."""
        return FOOT - self.cell * self.floors

    @property
    def radius(self) -> float:
        """The radius of a knot."""
        return self.cell * 0.31

    def centre(self, floor: int, column: int) -> tuple[int, int]:
        """Return the middle of a niche; floor and column count from 1."""
        return (
            self.left + self.cell * (column - 1) + self.cell // 2,
            FOOT - self.cell * (floor - 1) - self.cell // 2,
        )

    def opening(self, opening: Opening) -> tuple[int, int]:
        """Return the middle of an opening's sign on its tower."""
        x = TOWER // 2 if opening.side == "left" else WIDTH - TOWER // 2
        return x, self.centre(opening.floor, 1)[1]


# --------------------------------------------------------------------------------------------------------- static parts


def draw_ground(canvas: Canvas, grid: Grid) -> None:
    """Draw the static background: sky, towers, the empty wall, plain signs and hatches."""
    _sky(canvas)
    _towers(canvas)
    _wall(canvas, grid)
    canvas.box(0, FOOT + 8, WIDTH, HEIGHT, _EARTH)
    canvas.box(0, FOOT + 8, WIDTH, FOOT + 11, mix(_EARTH, STONE, 0.4))
    for floor in range(1, grid.floors + 1):
        for opening in (Opening(floor, "left"), Opening(floor, "right")):
            draw_sign(canvas, grid, opening, "plain")
    for column in range(1, grid.columns + 1):
        draw_hatch(canvas, grid, column, "shut")


def _bricks(canvas: Canvas, left: int, top: int, right: int, bottom: int, brick: Colour, course: int = 24) -> None:
    """Draw bricks in slightly varying shades, the same in every run."""
    dice = Random(left * 7 + top)
    canvas.box(left, top, right, bottom, JOINT)
    for number, y in enumerate(range(top, bottom, course)):
        x = left - (course if number % 2 else 0)
        while x < right:
            shade = mix(brick, INK, dice.choice((0.0, 0.08, 0.16, 0.24)))
            box = max(x + 1, left), y + 1, min(x + 2 * course - 1, right), min(y + course - 1, bottom)
            if box[0] < box[2]:
                canvas.box(*box, shade, 2)
            x += 2 * course


def _sky(canvas: Canvas) -> None:
    for step in range(24):
        canvas.box(0, step * 8, WIDTH, step * 8 + 8, mix(_ZENITH, _HORIZON, step / 23))
    canvas.box(0, 192, WIDTH, HEIGHT, mix(_HORIZON, INK, 0.45))
    dice = Random(1962)
    for _ in range(46):
        canvas.disc(dice.randrange(WIDTH), dice.randrange(110), dice.choice((0.8, 1.1, 1.6)), ASH)
    canvas.disc(MIDDLE + 128, 44, 25, (240, 236, 212))
    canvas.disc(MIDDLE + 138, 37, 22, mix(_ZENITH, _HORIZON, 0.2))


def draw_night(canvas: Canvas, height: int, left: int = 0, right: int = WIDTH) -> None:
    """Draw a strip of night sky, or a part of it, for the title of the end."""
    for top in range(0, height, 8):
        canvas.box(left, top, right, min(top + 8, height), mix(_ZENITH, _HORIZON, top / height))


def _towers(canvas: Canvas) -> None:
    for left in (0, WIDTH - TOWER):
        middle = left + TOWER / 2
        _bricks(canvas, left + 10, 170, left + TOWER - 10, HEIGHT, mix(_BRICK, SLATE, 0.55), 20)
        canvas.line([(middle, 2), (middle, 16)], 4, SLATE, caps=False)
        roof = [(left + 1, LAMP_ROOM - 2), (middle - 20, 12), (middle + 20, 12), (left + TOWER - 1, LAMP_ROOM - 2)]
        canvas.area(roof, SLATE)
        canvas.area([*roof[:2], (middle - 4, 12), (middle - 12, LAMP_ROOM - 2)], mix(SLATE, STONE, 0.35))
        canvas.box(left + 12, LAMP_ROOM - 2, left + TOWER - 12, LAMP_ROOM_FOOT + 4, INK)
        canvas.box(left + 1, LAMP_ROOM_FOOT + 2, left + TOWER - 1, LAMP_ROOM_FOOT + 14, mix(_BRICK, SLATE, 0.2), 4)


def _wall(canvas: Canvas, grid: Grid) -> None:
    """Draw the wall. All cells are identical to the pixel, bricks included, so one sprite fits them all."""
    left, right = grid.left - 8, grid.left + grid.cell * grid.columns + 8
    course, bottom = grid.cell // 4, FOOT + 8
    canvas.box(left, grid.top - 6, right, bottom, JOINT)
    for number in range(-1, 4 * grid.floors + 1):
        y = grid.top + course * number
        for brick in range(-1, 2 * grid.columns + 2):
            x = grid.left + 2 * course * brick - course * (number % 2)
            box = (
                max(x + 1, left),
                max(y + 1, grid.top - 6),
                min(x + 2 * course - 1, right),
                min(y + course - 1, bottom),
            )
            if box[0] < box[2] and box[1] < box[3]:
                canvas.box(*box, mix(_BRICK, INK, _SHADES[number % 4][brick % 2]), 2)
    _wire(canvas, left + 4, right - 4, grid.top - 12)
    for floor in range(1, grid.floors + 1):
        for column in range(1, grid.columns + 1):
            _niche(canvas, *grid.centre(floor, column), grid.cell)


def _niche(canvas: Canvas, x: int, y: int, cell: int) -> None:
    """Draw a cell window: lintel and sill of paler stone, bars in the dark behind the knots."""
    half = cell * 0.43
    canvas.box(x - half, y - half, x + half, y + half, JOINT, 12)
    canvas.box(x - half + 2, y + half - 5, x + half - 2, y + half, mix(_BRICK, STONE, 0.7), 2)
    canvas.box(x - half + 2, y - half + 3, x + half - 2, y + half - 4, NICHE, 10)
    iron = mix(NICHE, STONE, 0.3)
    for aside in (-0.24, 0, 0.24):
        canvas.box(x + cell * aside - 3, y - half + 4, x + cell * aside + 3, y + half - 5, iron)
    canvas.box(x - half + 3, y - 3, x + half - 3, y + 3, iron)


def _wire(canvas: Canvas, left: int, right: int, y: int) -> None:
    """Draw barbed wire on top of the wall."""
    steel = mix(_HORIZON, ASH, 0.45)
    canvas.line([(left, y), (right, y)], 2, steel, caps=False)
    for x in range(left + 6, right, 14):
        canvas.line([(x - 4, y - 5), (x + 4, y + 5)], 2, steel, caps=False)
        canvas.line([(x - 4, y + 5), (x + 4, y - 5)], 2, steel, caps=False)


def draw_sign(
    canvas: Canvas, grid: Grid, opening: Opening, look: Sign, fell: int | None = None, *, letter: bool = False
) -> None:
    """Draw an opening's sign: its name and the arrow of a push. A knot of seat `fell` has just dropped out there."""
    x, y = grid.opening(opening)
    inward = _inward(opening.side)
    ground, ink = {"plain": (SLATE, CHALK), "last": (LAMP, INK), "barred": (mix(INK, ALARM, 0.25), ASH)}[look]
    canvas.box(x - 56, y - 25, x + 56, y + 25, INK, 10)
    canvas.box(x - 54, y - 23, x + 54, y + 23, ground, 9)
    canvas.text(x - 16 * inward, y, f"{opening.side[0].upper()}{opening.floor}", 31, ink)
    tip = x + (39 if fell is not None else 47) * inward  # a fallen knot takes up the space at the wall's edge
    back = tip - 22 * inward
    if look == "barred":
        canvas.line([(back, y - 11), (tip, y + 11)], 7, ALARM)
        canvas.line([(back, y + 11), (tip, y - 11)], 7, ALARM)
    elif fell is None:
        canvas.area([(back, y - 14), (tip, y), (back, y + 14)], ink)
    else:  # a fallen knot came out against the arrow
        canvas.area([(tip - 2 * inward, y - 11), (back + 4 * inward, y), (tip - 2 * inward, y + 11)], ink)
    if fell is not None:
        mark = SEAT_MARKS[fell]
        canvas.area(outline(mark.shape, x + 64 * inward, y, 22), ASH)
        canvas.mark(mark, x + 64 * inward, y, 17, letter=letter)


def _inward(side: Side) -> int:
    return 1 if side == "left" else -1


def draw_hatch(canvas: Canvas, grid: Grid, column: int, look: Hatch) -> None:
    """Draw an exit on top of a column: a hatch with its number."""
    x = grid.centre(1, column)[0]
    top = grid.top - 6
    ground, ink = {"shut": (STONE, CHALK), "open": (LAMP, INK), "no": (mix(INK, ALARM, 0.25), ASH)}[look]
    canvas.area([(x - 30, top), (x - 24, top - 44), (x + 24, top - 44), (x + 30, top)], INK)
    canvas.area([(x - 26, top), (x - 21, top - 40), (x + 21, top - 40), (x + 26, top)], ground)
    canvas.text(x, top - 20, str(column), 26, ink)
    if look == "no":
        canvas.line([(x - 17, top - 36), (x + 17, top - 4)], 7, ALARM)
        canvas.line([(x - 17, top - 4), (x + 17, top - 36)], 7, ALARM)


# -------------------------------------------------------------------------------------------------------- dynamic parts


def draw_knot(
    canvas: Canvas, x: float, y: float, radius: float, seat: int, look: Look, *, letter: bool = False
) -> None:
    """Draw a knot: the seat's shape as a coil of rope, with the seat's letter in the rules, which have no names."""
    mark = SEAT_MARKS[seat]
    colour = mix(mark.colour, NICHE, 0.72) if look == "faint" else mark.colour
    edge = {"plain": INK, "faint": NICHE, "new": CHALK, "lit": LAMP}[look]
    rim = 5 if look in ("new", "lit") else 3
    canvas.area(outline(mark.shape, x, y, radius + rim), edge)
    if look in ("new", "lit"):
        canvas.area(outline(mark.shape, x, y, radius + 1), INK)
    canvas.area(outline(mark.shape, x, y, radius - 1), colour)
    canvas.area(outline(mark.shape, x, y, radius * 0.8), mix(colour, INK, 0.42))
    canvas.area(outline(mark.shape, x, y, radius * 0.69), colour)
    if letter:
        canvas.text(x, y, mark.letter, radius * 0.95, NICHE if look == "faint" else INK)
        return
    canvas.area(outline(mark.shape, x, y, radius * 0.36), mix(colour, INK, 0.42))
    canvas.area(outline(mark.shape, x, y, radius * 0.24), colour)


def draw_strand(canvas: Canvas, start: Point, end: Point, seat: int, look: Look) -> None:
    """Draw a piece of twisted rope, vertical or horizontal."""
    own = SEAT_MARKS[seat].colour
    colour = {"lit": LAMP, "faint": mix(own, NICHE, 0.72)}.get(look, own)
    canvas.line([start, end], 17, INK, caps=False)
    canvas.line([start, end], 11, colour, caps=False)
    turns = max(1, round(math.dist(start, end) / 9.6))
    for turn in range(turns):
        along = (turn + 0.5) / turns
        x, y = start[0] + (end[0] - start[0]) * along, start[1] + (end[1] - start[1]) * along
        canvas.line([(x - 4, y - 4), (x + 4, y + 4)], 2.5, mix(colour, INK, 0.5), caps=False)


def draw_chevron(canvas: Canvas, x: float, y: float, side: Side) -> None:
    """Draw a chevron that marks a movement coming from this side."""
    inward = _inward(side)
    points = [(x - 4 * inward, y - 12), (x + 5 * inward, y), (x - 4 * inward, y + 12)]
    canvas.line(points, 11, INK)
    canvas.line(points, 6, LAMP)


def draw_prisoner(canvas: Canvas, grid: Grid, column: int, seat: int, *, letter: bool = False) -> None:
    """Draw a prisoner who got out here: on top of the wall, arms up, in stripes, with the seat's mark."""
    mark = SEAT_MARKS[seat]
    x, foot = grid.centre(1, column)[0], grid.top - 6
    for aside in (-1, 1):
        canvas.line([(x + 34 * aside, foot - 68), (x + 14 * aside, foot - 34)], 12, INK)
        canvas.line([(x + 34 * aside, foot - 68), (x + 14 * aside, foot - 34)], 8, mark.colour)
    canvas.box(x - 23, foot - 46, x + 23, foot, INK, 10)
    canvas.box(x - 20, foot - 43, x + 20, foot, CHALK, 8)
    for stripe in range(3):
        canvas.box(x - 20, foot - 36 + 14 * stripe, x + 20, foot - 30 + 14 * stripe, mix(NIGHT, SLATE, 0.5))
    canvas.disc(x, foot - 59, 16, INK)
    canvas.disc(x, foot - 59, 13.5, (236, 196, 160))
    canvas.box(x - 13.5, foot - 73, x + 13.5, foot - 63, mark.colour, 4)
    for aside in (-5, 5):
        canvas.disc(x + aside, foot - 58, 1.9, INK)
    canvas.line([(x - 4, foot - 52), (x, foot - 50), (x + 4, foot - 52)], 2, INK)
    canvas.mark(mark, x, foot - 19, 18, letter=letter)


def draw_lamp_room(
    canvas: Canvas, seat: int, lit: bool, hand: int, freed: int, goal: int, *, letter: bool = True
) -> None:
    """Draw a tower's lamp room: the owner's mark (with a letter if no name is shown), their knots in hand, and a star
    for each prisoner out.
    """
    left = 0 if seat == 0 else WIDTH - TOWER
    middle = left + TOWER / 2
    canvas.box(left + 15, LAMP_ROOM + 1, left + TOWER - 15, LAMP_ROOM_FOOT, LAMP if lit else SLATE, 4)
    canvas.box(left + 19, LAMP_ROOM + 5, left + TOWER - 19, LAMP_ROOM_FOOT, _GLOW if lit else INK, 3)
    canvas.mark(SEAT_MARKS[seat], middle - 31, 87, 20, letter=letter)
    ink = ALARM if not hand and not lit else INK if lit else CHALK
    canvas.text(middle + 24, 87, f"x{hand}", 28, ink)
    canvas.box(left + 19, 120, left + TOWER - 19, LAMP_ROOM_FOOT, mix(INK, SLATE, 0.5))
    for number in range(goal):
        x = middle + (number - (goal - 1) / 2) * 34
        if number < freed:
            canvas.area(outline("star", x, 143, 15), LAMP)
        else:
            canvas.area(outline("star", x, 143, 15), STONE)
            canvas.area(outline("star", x, 143.3, 10), mix(INK, SLATE, 0.5))


def draw_name(canvas: Canvas, seat: int, name: str) -> None:
    """Draw a player's name on the roof of their tower."""
    middle = TOWER / 2 if seat == 0 else WIDTH - TOWER / 2
    canvas.text(middle, 37, name, NAME_SIZE, CHALK)


def draw_beam(canvas: Canvas, seat: int) -> None:
    """Draw the searchlight of a tower across the sky, above all exits."""

    def at(x: float, y: float) -> tuple[float, float]:
        return (x, y) if seat == 0 else (WIDTH - x, y)

    light = mix(LAMP, CHALK, 0.4)
    for spread in (1.0, 0.62):
        for length in range(100, 481, 38):  # each a little longer, so the beam fades with distance
            reach = 52 * spread * length / 520
            far = 142 + length, 61 - 44 * length / 520
            canvas.area([at(142, 57), at(142, 65), at(far[0], far[1] + reach), at(far[0], far[1] - reach)], light, 9)
    canvas.disc(*at(143, 61), 9, LAMP)


FOOT_SIZE, FOOT_HEIGHT, FOOT_TOP = 28, 44, FOOT + 13
"""The text size, height and top of the line below the wall."""
FOOT_WIDTH = 560
"""The most pixels of that line's words, which leaves enough for a name."""
_MARK = 19


def foot_size(words: str) -> int:
    """Return the size of this text in the line below the wall."""
    return fitted_size(words, FOOT_SIZE, FOOT_WIDTH)


def foot_width(words: str) -> int:
    """Return the width of this text in the line below the wall."""
    return round(text_width(words, foot_size(words))) + 2


def foot_player_width(name: str) -> int:
    """Return the width of the mark and name at the start of the line below the wall."""
    return 2 * _MARK + 14 + (foot_width(name) + 6 if name else 0)


def foot_canvas(width: int) -> Canvas:
    """Return a canvas with the ground below the wall, which is the same everywhere."""
    return Canvas(width, FOOT_HEIGHT, _EARTH)


def draw_foot(canvas: Canvas, words: str, alarm: bool) -> None:
    """Draw the text of the line below the wall."""
    canvas.text(0, FOOT_HEIGHT / 2, words, foot_size(words), ALARM if alarm else CHALK, anchor="lm")


def draw_foot_player(canvas: Canvas, seat: int, name: str) -> None:
    """Draw the player whom the line below the wall concerns: the seat's mark, with its letter if there is no name."""
    canvas.mark(SEAT_MARKS[seat], _MARK + 3, FOOT_HEIGHT / 2, _MARK, letter=not name)
    canvas.text(2 * _MARK + 12, FOOT_HEIGHT / 2, name, FOOT_SIZE, CHALK, anchor="lm")


def draw_sample(canvas: Canvas, grid: Grid) -> None:
    """Draw a sample of everything that may appear on the ground's upper half, to choose the palette from."""
    for seat in (0, 1):
        draw_beam(canvas, seat)
        draw_lamp_room(canvas, seat, seat == 0, 9, 1, 3)
        draw_prisoner(canvas, grid, 1 + seat, seat)
        for number, look in enumerate(get_args(Look)):
            x, y = 200 + 100 * number, 240 + 80 * seat
            draw_strand(canvas, (x, y), (x + 80, y), seat, look)
            draw_knot(canvas, x, y, grid.radius, seat, look)
        draw_chevron(canvas, 590 + 30 * seat, 240, "left")
    for number, look in enumerate(get_args(Sign)):
        draw_sign(canvas, grid, Opening(grid.floors - number % 2, "left" if number < 2 else "right"), look, number % 2)
    canvas.box(200, 360, 400, 390, LAMP)
    canvas.box(400, 360, 600, 390, ALARM)


def flat_colours() -> tuple[Colour, ...]:
    """Return the colours that the palette must hold exactly."""
    return LAMP, ALARM, NICHE, JOINT, SEAT_MARKS[0].colour, SEAT_MARKS[1].colour
