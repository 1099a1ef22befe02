"""Model how people with colour vision deficiencies see pictures."""

import math
from functools import lru_cache

from PIL import Image

from cogs.core.drawing.theme import WIDTH, Colour

Lab = tuple[float, float, float]

SIGHTS = {
    "full": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Matrices on linear red, green and blue. Source: Machado, Oliveira and Fernandes, "A Physiologically-based Model for
Simulation of Color Vision Deficiency" (2009), severity 1.0.
"""

_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
_WHITE = (0.95047, 1.0, 1.08883)  # D65

PHONE = 390
"""The width of a picture on a phone, in pixels."""


def linear(colour: Colour) -> tuple[float, ...]:
    """Return an sRGB colour as linear light, each part from 0 to 1."""
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in colour))


def times(matrix: tuple[tuple[float, ...], ...], vector: tuple[float, ...]) -> tuple[float, ...]:
    """Multiply a matrix by a vector."""
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


@lru_cache(maxsize=100_000)
def lab(colour: Colour, sight: str) -> Lab:
    """Return a colour in CIELAB as seen with this colour vision."""
    seen = tuple(min(1.0, max(0.0, part)) for part in times(SIGHTS[sight], linear(colour)))
    ratios = (part / white for part, white in zip(times(_XYZ, seen), _WHITE, strict=True))
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@lru_cache(maxsize=1_000_000)
def delta_e(one: Lab, other: Lab) -> float:
    """Return the difference of two colours by CIEDE2000.

    Source: Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula" (2005).
    """
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_chroma = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * math.sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360
    turn = 0.0 if not c1 * c2 else (h2 - h1 + 180) % 360 - 180
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = h1 + h2 if not c1 * c2 else (h1 + turn / 2) % 360
    weight = (
        1
        - 0.17 * math.cos(math.radians(hue - 30))
        + 0.24 * math.cos(math.radians(2 * hue))
        + 0.32 * math.cos(math.radians(3 * hue + 6))
        - 0.20 * math.cos(math.radians(4 * hue - 63))
    )
    by_lightness = (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2) / (1 + 0.015 * chroma * weight)
    rotation = (
        -2
        * math.sqrt(chroma**7 / (chroma**7 + 25**7))
        * math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    )
    return math.sqrt(by_lightness**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue)


def on_a_phone(picture: Image.Image) -> Image.Image:
    """Return a part of a picture at phone size, with 64 levels per channel."""
    size = round(picture.width * PHONE / WIDTH), round(picture.height * PHONE / WIDTH)
    return picture.convert("RGB").resize(size, Image.Resampling.BOX).point(lambda shade: shade & 0xFC)


def pixels(picture: Image.Image) -> list[Colour]:
    """Return the pixels of an RGB picture, row by row."""
    parts = picture.tobytes()
    return list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))


def distinguishable_share(one: Image.Image, other: Image.Image, sight: str, at_least: float) -> float:
    """Return the share of pixels in which two equal-sized parts, at phone size, differ by `at_least` (CIEDE2000)."""
    pairs = list(zip(pixels(on_a_phone(one)), pixels(on_a_phone(other)), strict=True))
    apart = sum(a != b and delta_e(lab(a, sight), lab(b, sight)) >= at_least for a, b in pairs)
    return apart / len(pairs)
