"""Drawing functions of Match Five's scene: a mat on a prison workshop's bench under a lamp, the seats' signs on the
wall.

Each function draws one thing on a canvas, the same for the same arguments. Nothing here knows a view. Seats appear on
their signs only, never on the mat, where every colour is a tile's.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from cogs.core.drawing.canvas import Canvas, text_width
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, SLATE, STONE, WIDTH, mix
from cogs.core.drawing.theme import Colour as Paint
from cogs.match_five.tile_scenery import GLOW, MAT, PAINTS, draw_badge, draw_marks, draw_plate, draw_slab, pad_colour
from engine.games.match_five import COLOURS, FIVE, WILD

STRIP = 104  # the height of the wall with the signs of the seats
TRAY = 164  # the height of a picture of a hand
RIM = 10  # of the bench around the mat
SIDE = 190  # the width of the bench beside the mat, with the bag and the slate
CROSS = 6  # the reach of a cross on the mat

_WOOD: Paint = (92, 64, 48)
_WALL: Paint = (44, 44, 58)
_CLOTH: Paint = (136, 112, 80)  # of the bag
_LIT: Paint = mix(NIGHT, LAMP, 0.2)  # the sign of the seat to move
WON: Paint = mix(NIGHT, LAMP, 0.16)  # the ground of the winners
_LINE: Paint = mix(MAT, CHALK, 0.17)
_NUMERAL: Paint = mix(MAT, CHALK, 0.62)
_SHADE: Paint = mix(MAT, INK, 0.4)  # the mat beyond the light
SLATE_GREY: Paint = mix(SLATE, INK, 0.45)
_STEP, _RINGS = 8, 8  # of the lamp's light


@dataclass(frozen=True)
class Area:
    """A part of a picture."""

    left: int
    top: int
    width: int
    height: int


def draw_bench(canvas: Canvas, strip: int, bottom: int, mat: Area) -> None:
    """Draw the wall, below it the bench, and a mat on it in the light of a lamp."""
    draw_wall(canvas, strip)
    _planks(canvas, strip - 8, bottom)
    canvas.box(0, strip - 8, WIDTH, strip - 6, mix(_WOOD, LAMP, 0.35))
    left, top, right, foot = mat.left, mat.top, mat.left + mat.width, mat.top + mat.height
    canvas.box(left - 2, top + 2, right + 3, foot + 5, mix(_WOOD, INK, 0.7), 10)
    canvas.box(left, top, right, foot, mix(MAT, CHALK, 0.3), 9)
    canvas.box(left + 1.5, top + 1.5, right - 1.5, foot - 1.5, _SHADE, 8)
    _light(canvas, mat)


def _light(canvas: Canvas, mat: Area) -> None:
    """The lamp's light on the mat. Its steps are too faint to be seen and keep the file small."""
    x, y = mat.left + mat.width / 2, mat.top + 0.44 * mat.height
    for top in range(mat.top + 2, mat.top + mat.height - 2, _STEP):
        foot = min(top + _STEP, mat.top + mat.height - 2)
        for ring in range(1, _RINGS + 1):
            reach = mat.width * (0.64 - 0.56 * ring / _RINGS)
            inside = reach**2 - ((top + foot) / 2 - y) ** 2
            half = min(round(max(inside, 0) ** 0.5 / _STEP) * _STEP, mat.width // 2 - 2)
            if half:
                canvas.box(x - half, top, x + half, foot, mix(_SHADE, mix(MAT, LAMP, 0.06), ring / _RINGS))


def draw_wall(canvas: Canvas, height: int) -> None:
    """Draw the workshop's wall: bricks, the brighter the nearer to the lamp in the middle."""
    canvas.box(0, 0, WIDTH, height, mix(_WALL, INK, 0.55))
    dice = Random(5)
    for row, y in enumerate(range(0, height, 26)):
        for x in range(-52 + 26 * (row % 2), WIDTH, 52):
            dark = 0.12 + 0.5 * min(1.0, abs(x + 26 - WIDTH / 2) / WIDTH * 1.6) + dice.choice((0.0, 0.05, 0.1))
            canvas.box(x + 1, y + 1, x + 51, min(y + 25, height), mix(_WALL, INK, dark), 2)


def _planks(canvas: Canvas, top: int, bottom: int) -> None:
    """The bench: horizontal planks with a few lines of grain."""
    dice = Random(55)
    for number, y in enumerate(range(top, bottom, 58)):
        wood = mix(_WOOD, INK, (0.22, 0.3, 0.16, 0.26)[number % 4])
        canvas.box(0, y, WIDTH, min(y + 58, bottom), wood)
        for _ in range(3):
            at = y + dice.randrange(6, 52)
            left = dice.randrange(-200, WIDTH)
            canvas.box(left, at, left + dice.randrange(200, 500), at + 2, mix(wood, INK, 0.18))
        canvas.box(0, y, WIDTH, y + 2, mix(wood, INK, 0.5))


def draw_tray(canvas: Canvas, top: int) -> None:
    """Draw the bench with an empty tray for a hand."""
    _planks(canvas, top, top + TRAY)
    canvas.box(18, top + 92, WIDTH - 18, top + TRAY - 8, mix(_WOOD, INK, 0.72), 12)
    canvas.box(18, top + 92, WIDTH - 18, top + 126, mix(_WOOD, INK, 0.55), 12)


def draw_numeral(canvas: Canvas, x: float, y: float, words: str, size: float) -> None:
    """Draw the name of a column or a row, as printed on the mat."""
    canvas.text(x, y, words, size, _NUMERAL)


def draw_crosses(canvas: Canvas, cell: int, many: int) -> None:
    """Draw a row of crosses, printed on the mat where four cells meet: the first is `CROSS` from the upper left
    corner.
    """
    for x in range(CROSS, CROSS + cell * many, cell):
        for wide, high in ((CROSS, 0.8), (0.8, CROSS)):
            canvas.box(x - wide, CROSS - high, x + wide, CROSS + high, _LINE)


# ---------------------------------------------------------------------------------------------------------------- seats


PEG = 11  # the width of a tile in hand, on a sign


@dataclass(frozen=True)
class Sign:
    """The part of a seat's sign that changes seldom."""

    seat: int
    named: bool
    tiles: int  # in hand, as pegs
    turn: bool = False


@dataclass(frozen=True)
class Figure:
    """A number on a sign, positioned by the middle of its left edge."""

    words: str
    size: int
    bright: bool
    left: int
    middle: float


def sign_ground(turn: bool) -> Paint:
    """Return the ground of a seat's sign."""
    return _LIT if turn else NIGHT


def draw_sign(canvas: Canvas, left: float, width: float, sign: Sign) -> None:
    """Draw a seat's sign: its mark, with its letter if there is no name, and a peg for each tile in hand."""
    top, bottom = 8, STRIP - 14
    canvas.box(left + 3, top, left + width - 3, bottom, LAMP if sign.turn else INK, 11)
    edge = 3 if sign.turn else 2
    canvas.box(left + 3 + edge, top + edge, left + width - 3 - edge, bottom - edge, sign_ground(sign.turn), 9)
    canvas.mark(SEAT_MARKS[sign.seat], left + 26, top + 23, 13, letter=not sign.named)
    for peg in range(sign.tiles):
        x = left + width - 12 - PEG * (sign.tiles - peg)
        canvas.box(x, top + 53, x + 8, top + 66, ASH, 2)


def figures(score: int, gain: int, available: int, turn: bool) -> Iterator[Figure]:
    """Yield the numbers of a sign of this width: the points, and those of the seat's last turn."""
    large, small = (33, 22) if available >= 150 else (28, 20)
    yield Figure(str(score), large, turn, 12, 67 + large % 2 / 2)
    if gain:
        yield Figure(f"+{gain}", small, True, 12 + round(text_width(str(score), large)) + 7, 68)


NAME_SIZE, NAME_LEFT, NAME_TOP, NAME_MIDDLE = 21, 46, 15, 16
"""The size of a name on a sign, and its position: from the sign's left edge, from the top, and from there to
its middle.
"""


def draw_bag(canvas: Canvas, x: float, top: float, tiles: int) -> None:
    """Draw the bag around x with the number of tiles in it."""
    cloth = _CLOTH if tiles else STONE
    canvas.box(x - 58, top + 118, x + 70, top + 138, mix(_WOOD, INK, 0.72), 9)
    canvas.area([(x - 25, top + 27), (x - 34, top), (x + 34, top), (x + 25, top + 27)], INK)
    canvas.area([(x - 21, top + 27), (x - 28, top + 4), (x + 28, top + 4), (x + 21, top + 27)], mix(cloth, CHALK, 0.15))
    canvas.box(x - 62, top + 26, x + 62, top + 136, INK, 42)
    canvas.box(x - 59, top + 29, x + 59, top + 133, cloth, 39)
    canvas.box(x - 30, top + 20, x + 30, top + 36, INK, 6)
    canvas.box(x - 27, top + 23, x + 27, top + 33, LAMP if tiles else ASH, 4)
    canvas.text(x, top + 84, str(tiles), 52, INK if tiles else CHALK)


def draw_slate(canvas: Canvas, slate: Area) -> None:
    """Draw the framed slate on which the whole board is chalked."""
    left, top, right, foot = slate.left, slate.top, slate.left + slate.width, slate.top + slate.height
    canvas.box(left + 2, top + 5, right + 3, foot + 5, mix(_WOOD, INK, 0.72), 12)
    canvas.box(left, top, right, foot, INK, 11)
    canvas.box(left + 2, top + 2, right - 2, foot - 2, mix(_WOOD, LAMP, 0.2), 10)
    canvas.box(left + 2, top + 4, right - 2, foot - 2, mix(_WOOD, CHALK, 0.1), 10)
    canvas.box(left + 8, top + 8, right - 8, foot - 8, INK, 6)
    canvas.box(left + 9.5, top + 9.5, right - 9.5, foot - 9.5, SLATE_GREY, 5)


# ---------------------------------------------------------------------------------------------------------- the palette


def draw_sample(canvas: Canvas) -> None:
    """Draw a sample of everything that may appear, on an empty mat, to choose the palette from."""
    for number, colour in enumerate(COLOURS):
        tiles = [f"{colour[0]}{number}" for number in range(1, 4)]
        for place, tile in enumerate(tiles):
            size = (80, 60, 36)[place]
            draw_slab(canvas, 100 * number + 50, 52 + 80 * place, size, tile)
            draw_plate(canvas, 100 * number + 50, 44 + 80 * place, size, tile, wild=place == 1)
    draw_plate(canvas, 540, 44, 80, WILD)
    draw_marks(canvas, 110, FIVE, True)
    for best in (True, False):
        canvas.box(500 + 60 * best, 110, 560 + 60 * best, 160, pad_colour(best))
        canvas.text(530 + 60 * best, 135, "+12", 24, INK if best else CHALK)
    draw_badge(canvas, "+25", 24, 520, 180)
    for seat, mark in enumerate(SEAT_MARKS):
        canvas.mark(mark, 560 + 40 * seat, 300, 18, letter=False)
        canvas.box(560 + 40 * seat, 330, 600 + 40 * seat, 360, mark.colour)


def flat_colours() -> tuple[Paint, ...]:
    """Return the colours that the palette must hold exactly."""
    return (
        *PAINTS.values(),
        _CLOTH,
        SLATE_GREY,
        WON,
        _LIT,
        MAT,
        GLOW,
        LAMP,
        ASH,
        SLATE,
        *(mark.colour for mark in SEAT_MARKS),
    )
