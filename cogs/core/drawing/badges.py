"""Badges: a disc with a symbol, which each achievement has of its own."""

from dataclasses import dataclass
from functools import lru_cache

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, NIGHT, SLATE, STONE, Colour, mix

SIZE = 128
"""Width and height of the picture of one badge."""

GRID = 10.0
"""The coordinates of a symbol go from −10 to 10, x to the right and y down."""

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Line:
    """A line through these points."""

    points: Points
    width: float = 2.2


@dataclass(frozen=True)
class Area:
    """A filled polygon."""

    points: Points


@dataclass(frozen=True)
class Disc:
    """A filled circle."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Ring:
    """The outline of a circle."""

    x: float
    y: float
    radius: float


Symbol = tuple[Line | Area | Disc | Ring, ...]


def rgb(colour: int) -> Colour:
    """Return red, green and blue of 0xRRGGBB."""
    return colour >> 16, colour >> 8 & 255, colour & 255


def draw_badge(
    canvas: Canvas, x: float, y: float, radius: float, symbol: Symbol, colour: Colour, *, earned: bool = True
) -> None:
    """Draw a badge around (x, y): in its game's colour with a bright rim, or grey if it was not earned yet."""
    ground = mix(colour, INK, 0.15) if earned else mix(SLATE, STONE, 0.5)
    canvas.disc(x, y, radius, LAMP if earned else STONE)
    canvas.disc(x, y, radius * 0.92, INK if earned else SLATE)
    canvas.disc(x, y, radius * 0.87, ground)
    ink = CHALK if earned else mix(ASH, STONE, 0.35)
    scale = radius * 0.56 / GRID

    def at(across: float, down: float) -> tuple[float, float]:
        return x + across * scale, y + down * scale

    for part in symbol:
        match part:
            case Line(points=points, width=width):
                canvas.line([at(*point) for point in points], width * scale, ink)
            case Area(points=points):
                canvas.area([at(*point) for point in points], ink)
            case Disc():
                canvas.disc(*at(part.x, part.y), part.radius * scale, ink)
            case Ring():
                canvas.disc(*at(part.x, part.y), (part.radius + 1.1) * scale, ink)
                canvas.disc(*at(part.x, part.y), (part.radius - 1.1) * scale, ground)


@lru_cache(maxsize=128)
def badge(symbol: Symbol, colour: int, *, earned: bool = True) -> bytes:
    """Return the picture of one badge, as PNG."""
    canvas = Canvas(SIZE, SIZE, NIGHT)
    draw_badge(canvas, SIZE / 2, SIZE / 2, SIZE / 2 - 4, symbol, rgb(colour), earned=earned)
    return encode_image(canvas.picture(), 48)
