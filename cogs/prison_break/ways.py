"""The way that a prisoner really went, as bows on a strip below their row.

For games that are over: at the end, and at every moment of a replay. May import `cogs.core.drawing`, `engine` and its
own package.
"""

from collections.abc import Sequence

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.sheets import Sprite
from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, SEAT_MARKS, WIDTH, mix
from cogs.prison_break.corridor import NICHE, PLATE, ROW, Stage, cell_edges
from engine.games.prison_break import JAIL, Position, Step

WAY = 66
"""The height of the strip."""


def draw_strip(canvas: Canvas, top: int) -> None:
    """Draw the empty strip of a row at `top`."""
    canvas.box(8, top + ROW - 2, WIDTH - 8, top + ROW + WAY - 10, INK, 8)
    canvas.box(10, top + ROW, WIDTH - 10, top + ROW + WAY - 12, NICHE, 7)


def draw_ways_key(canvas: Canvas, y: float) -> None:
    """Say on a line around `y` what red bows mean, and the others."""
    for x, words, colour in (
        (24, "red: went, but not as said", ALARM),
        (412, "went as said, or by an offer", CHALK),
    ):
        draw_hop(canvas, x, x + 44, y + 8, colour)
        canvas.text(x + 56, y, words, 22, CHALK, anchor="lm", bold=False)


def way_sprite(stage: Stage, seat: int, path: Sequence[Step], place: str) -> Sprite:
    """Return the real way as hops from left to right: what was walked before a return to JAIL is dim, a lie is red.

    `place` stands on the strip of who came to EXIT beside others.
    """
    top = stage.tops[seat] + ROW
    canvas = stage.scene.canvas(8, top - 2, WIDTH - 16, WAY - 6)
    mark, base = SEAT_MARKS[seat], top + WAY - 22

    def x(position: Position) -> float:
        left, right = cell_edges(position, stage.spaces)
        return (left + right) / 2

    canvas.text(8 + PLATE / 2, top + 16, "really went", 20, ASH, bold=False)
    if place:
        canvas.text(8 + PLATE / 2, top + 40, place, 23, CHALK)
    fresh = max((number for number, step in enumerate(path) if step.position <= JAIL), default=-1)
    here: Position = JAIL
    for number, step in enumerate(path):
        there, dim = step.position, number <= fresh
        colour = ALARM if step.declared is not None and step.declared != step.steps else mark.colour
        if there != here:
            draw_hop(canvas, x(here), x(there), base, mix(colour, NICHE, 0.65) if dim else colour)
        here = there
    here = JAIL
    for number, step in enumerate(path):
        if number > fresh:
            canvas.disc(x(step.position), base, 5, INK)
            canvas.disc(x(step.position), base, 4, CHALK)
        here = step.position
    canvas.mark(mark, x(here), base - 4, 12, letter=False)
    return Sprite(stage.scene.sprite(canvas), 8, top - 2)


def draw_hop(canvas: Canvas, start: float, end: float, base: float, colour: tuple[int, int, int]) -> None:
    """A bow from one space to another, the higher the further; a way back runs below the spaces."""
    back = end < start
    height = -6.0 if back else min(30.0, 12 + abs(end - start) / 6)
    points = []
    for step in range(13):
        along = step / 12
        points.append((start + (end - start) * along, base - 4 * height * along * (1 - along)))
    canvas.line(points, 3.5, colour)
