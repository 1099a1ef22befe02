"""People in pictures: prisoners with faces, in striped clothes."""

from typing import Literal

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.theme import CHALK, INK, NIGHT, SLATE, Colour, mix

Mood = Literal["calm", "glad", "grim", "shocked"]

SKIN: Colour = (236, 196, 160)
"""The colour of every face; people differ in what they wear."""

STRIPE: Colour = mix(NIGHT, SLATE, 0.5)


def draw_head(canvas: Canvas, x: float, y: float, radius: float, cap: Colour, mood: Mood = "calm") -> None:
    """Draw a head around (x, y), with a cap in this colour."""
    canvas.disc(x, y, radius * 1.16, INK)
    canvas.disc(x, y, radius, SKIN)
    canvas.box(x - radius * 1.02, y - radius * 1.1, x + radius * 1.02, y - radius * 0.34, INK, radius * 0.34)
    canvas.box(x - radius * 0.94, y - radius * 1.02, x + radius * 0.94, y - radius * 0.42, cap, radius * 0.28)
    for aside in (-0.38, 0.38):
        canvas.disc(x + aside * radius, y + radius * 0.02, radius * 0.14, INK)
    left, right, mouth = x - radius * 0.34, x + radius * 0.34, y + radius * 0.5
    width = max(1.6, radius * 0.14)
    match mood:
        case "calm":
            canvas.line([(left, mouth), (right, mouth)], width, INK)
        case "glad":
            canvas.line(
                [(left, mouth - radius * 0.1), (x, mouth + radius * 0.08), (right, mouth - radius * 0.1)], width, INK
            )
        case "grim":
            canvas.line(
                [(left, mouth + radius * 0.1), (x, mouth - radius * 0.06), (right, mouth + radius * 0.1)], width, INK
            )
        case "shocked":
            canvas.disc(x, mouth, radius * 0.2, INK)


def draw_body(canvas: Canvas, x: float, top: float, width: float, foot: float) -> None:
    """Draw a striped jacket from the shoulders at `top` down to `foot`."""
    half = width / 2
    canvas.box(x - half - 2.5, top - 2.5, x + half + 2.5, foot, INK, half * 0.5)
    canvas.box(x - half, top, x + half, foot, CHALK, half * 0.42)
    canvas.box(x - half, foot - half * 0.4, x + half, foot, CHALK)
    step = width * 0.36
    y = top + step * 0.55
    while y < foot - 2:
        canvas.box(x - half, y, x + half, min(y + step * 0.45, foot), STRIPE)
        y += step


def draw_arms_up(canvas: Canvas, x: float, shoulder: float, width: float, sleeve: Colour) -> None:
    """Draw the raised arms of someone who is free; the body is drawn over them."""
    for aside in (-1, 1):
        ends = [(x + aside * width * 0.85, shoulder - width * 0.8), (x + aside * width * 0.38, shoulder + width * 0.16)]
        canvas.line(ends, width * 0.3, INK)
        canvas.line(ends, width * 0.2, sleeve)
