"""The sky over Prison Break's corridor: the Warden's tower with its lamp, the moon, the beam, and the lights' die."""

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.theme import ASH, INK, LAMP, SEAT_MARKS, SLATE, WIDTH, Colour, mix
from cogs.prison_break.corridor import BRICK

SKY = 120
"""The height of the sky above the rows."""

LAMP_BOX = 34, 42, 102, 52
"""The position of the lamp: its left and upper edge, its width and height."""

_MOON: Colour = (240, 236, 212)


def draw_moon(canvas: Canvas) -> None:
    """Draw the moon, at the right edge."""
    canvas.disc(WIDTH - 52, 42, 24, _MOON)
    canvas.disc(WIDTH - 42, 35, 21, mix(INK, (40, 48, 84), 0.2))


def draw_tower(canvas: Canvas) -> None:
    """Draw the Warden's tower, without the Warden."""
    canvas.area([(20, 42), (85, 2), (150, 42)], mix(INK, SLATE, 0.5))
    canvas.box(40, 96, 130, SKY + 2, mix(BRICK, INK, 0.35))
    canvas.box(26, 92, 144, 104, mix(BRICK, SLATE, 0.4), 4)


def draw_lamp(canvas: Canvas, warden: int, lit: bool) -> None:
    """Draw the lamp room of the tower, with the Warden."""
    canvas.box(34, 42, 136, 93, LAMP if lit else INK, 4)
    canvas.box(38, 46, 132, 90, mix(LAMP, (120, 84, 32), 0.62) if lit else SLATE, 3)
    canvas.mark(SEAT_MARKS[warden], 64, 68, 17, letter=False)
    key = INK if lit else LAMP
    canvas.disc(97, 68, 10, key)
    canvas.disc(97, 68, 5, mix(LAMP, (120, 84, 32), 0.62) if lit else SLATE)
    canvas.line([(107, 68), (124, 68)], 5, key, caps=False)
    canvas.line([(115, 68), (115, 76)], 4.5, key, caps=False)
    canvas.line([(122, 68), (122, 78)], 4.5, key, caps=False)


def draw_beam(canvas: Canvas) -> None:
    """Draw the light beam of the tower across the sky."""
    canvas.area([(136, 60), (WIDTH, 8), (WIDTH, SKY - 4), (136, 84)], LAMP, 70)
    canvas.area([(136, 64), (WIDTH, 44), (WIDTH, SKY - 30), (136, 78)], LAMP, 60)


def draw_die(canvas: Canvas, x: float, y: float, half: float, face: int, lit: bool) -> None:
    """Draw the die of a lights check."""
    canvas.box(x - half - 3, y - half - 3, x + half + 3, y + half + 3, INK, 11)
    canvas.box(x - half, y - half, x + half, y + half, LAMP if lit else ASH, 9)
    pips = {1: "c", 2: "ai", 3: "aci", 4: "agbi", 5: "agbic", 6: "agbidf"}[face]
    spots = {"a": (-1, -1), "b": (1, -1), "c": (0, 0), "d": (-1, 0), "f": (1, 0), "g": (-1, 1), "i": (1, 1)}
    for pip in pips:
        dx, dy = spots[pip]
        canvas.disc(x + dx * half * 0.52, y + dy * half * 0.52, half * 0.17, INK)
