"""The look of all pictures: their width, the colours, and the marks of the seats."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

Shape = Literal["disc", "diamond", "triangle", "square", "hexagon", "star"]

WIDTH = 800
"""Width of pictures in pixels. Phones show them at about half of it, so no letter is below 20 pixels."""

# A dark theme, close to Discord's own greys. Channels are multiples of four, in which Pillow looks up palettes, so that
# flat colours come out exactly.
INK: Colour = (16, 18, 28)  # outlines, letters on bright grounds
NIGHT: Colour = (24, 28, 44)  # the deepest ground
SLATE: Colour = (44, 48, 68)  # panels
STONE: Colour = (72, 76, 100)  # the brightest ground on which the colours of the seats must be visible
ASH: Colour = (160, 168, 188)  # what is out of use or less important
CHALK: Colour = (244, 244, 248)  # letters on dark grounds
LAMP: Colour = (252, 224, 132)  # light, and what was just won
ALARM: Colour = (252, 92, 84)  # barred, counting down


@dataclass(frozen=True)
class SeatMark:
    """The mark of a seat: a letter, a shape and a colour, each of which is enough to identify it."""

    letter: str
    shape: Shape
    colour: Colour


# After Okabe and Ito, "Color Universal Design" (2008), brightened for dark grounds. Any two are at least 18 CIELAB
# units apart for full colour vision, protanopia and deuteranopia; the tests compute it. The shapes tell the rest.
SEAT_MARKS: tuple[SeatMark, ...] = (
    SeatMark("A", "disc", (252, 164, 40)),  # orange
    SeatMark("B", "diamond", (108, 180, 252)),  # blue
    SeatMark("C", "triangle", (48, 208, 144)),  # green
    SeatMark("D", "square", (240, 128, 192)),  # pink
    SeatMark("E", "hexagon", (252, 240, 120)),  # yellow
    SeatMark("F", "star", (244, 244, 248)),  # white
)


def light(colour: Colour) -> float:
    """Return how much light a colour gives, from 0 to 1 (the relative luminance of WCAG 2)."""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def ink_on(ground: Colour) -> Colour:
    """Return the colour of letters, dark or pale, that contrasts more with a ground."""
    dark, pale = (light(ground) + 0.05) / (light(INK) + 0.05), (light(CHALK) + 0.05) / (light(ground) + 0.05)
    return INK if dark >= pale else CHALK


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return the colour that has gone `share` (0 to 1) of the way from `one` to `other`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue
