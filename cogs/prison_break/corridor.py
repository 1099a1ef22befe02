"""The cell corridor of Prison Break's pictures: a row of cells per player, with what they said and what is known of
them.

A row has a plate with the player's mark and guard tokens, a cell for each place from JAIL to EXIT, and a speech bubble
with the sum of their declarations. The table's picture and the private one both use it; everything in it is public
except cells with the look "true". `row_sprites` caches the drawings.
"""

from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

from cogs.core.drawing.canvas import Canvas, outline, scaled_size
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, SLATE, STONE, WIDTH, Colour, mix
from cogs.core.i18n.translation import _
from cogs.prison_break.words import place
from engine.games.prison_break import GAME, JAIL, Position

Look = Literal["seen", "lit", "claim", "trail", "true"]
"""The content of a cell: last seen there, seen there in this round's light, there if honest, on the way between
those, or really there.
"""

ROW = 94
"""The height of a row, with the gap to the next one."""

NAME_SIZE, NAME_LARGEST, NAME_WIDTH = 20, 25, 94
"""The size of names on the plates (minimum, and maximum for short ones), and their width limit."""

PLATE, BUBBLE = 108, 90
"""The widths of the plates left and right of the cells."""

NAME_MIDDLE, NAME_HEIGHT = 8 + PLATE // 2, 22
"""The middle of a name: from the left, and from the top of its row."""

BRICK: Colour = (80, 76, 92)
JOINT: Colour = (48, 48, 60)
NICHE: Colour = (28, 28, 40)
FREEDOM: Colour = (56, 72, 124)  # the night sky behind EXIT
GLOW: Colour = (228, 192, 92)  # a lit cell
WARM: Colour = (96, 76, 44)  # the plate of a player to act
_LEFT = 12 + PLATE
_RIGHT = WIDTH - 12 - BUBBLE
_GATE = 72  # the width of JAIL and EXIT
_PAWN = 17.5


@dataclass(frozen=True, eq=False)
class Stage:
    """A scene with a row for each seat. Stages are created once and compared by identity, as keys of cached sprites."""

    palette: Palette
    tops: tuple[int, ...]
    spaces: int


MOST_SEATS = GAME.player_counts[-1]
"""The number of seats of the stage that provides the palette for smaller ones."""


def cell_edges(position: Position, spaces: int) -> tuple[int, int]:
    """Return the left and right edge of a cell."""
    inner = _RIGHT - _LEFT - 2 * _GATE
    if position <= JAIL:
        return _LEFT, _LEFT + _GATE
    if position > spaces:
        return _RIGHT - _GATE, _RIGHT
    return _LEFT + _GATE + inner * (position - 1) // spaces, _LEFT + _GATE + inner * position // spaces


# --------------------------------------------------------------------------------------------------------- static parts


def draw_sky(canvas: Canvas, height: int, seed: int, clear: range) -> None:
    """Draw the night sky with stars down to `height`, except in the columns `clear`, where text will be."""
    for top in range(0, height, 8):
        canvas.box(0, top, WIDTH, min(top + 8, height), mix(INK, (40, 48, 84), top / height))
    dice = Random(seed)
    for _star in range(height // 3):
        x, y, size = dice.randrange(WIDTH), dice.randrange(height - 12), dice.choice((0.8, 1.1, 1.6))
        if x not in clear:
            canvas.disc(x, y, size, ASH)


def draw_wall(canvas: Canvas, top: int, bottom: int) -> None:
    """Draw the wall of the corridor: large blocks in slightly varying shades, the same in every run."""
    dice = Random(top)
    canvas.box(0, top, WIDTH, bottom, JOINT)
    for number, y in enumerate(range(top, bottom, 26)):
        x = -26 * (number % 2)
        while x < WIDTH:
            shade = mix(BRICK, INK, dice.choice((0.12, 0.2, 0.28, 0.36)))
            canvas.box(x + 1, y + 1, x + 57, min(y + 25, bottom), shade, 2)
            x += 58


def draw_row(canvas: Canvas, top: int, spaces: int, cell: int = ROW) -> None:
    """Draw a row of empty cells, `cell` high including the gap below."""
    canvas.box(_LEFT - 4, top + 1, _RIGHT + 4, top + cell - 3, INK, 8)
    for position in range(spaces + 2):
        _cell(canvas, position, top, spaces, cell)


def _cell(canvas: Canvas, position: Position, top: int, spaces: int, height: int) -> None:
    left, right = cell_edges(position, spaces)
    floor = top + height - 32
    ground = NICHE if position <= spaces else FREEDOM
    canvas.box(left + 2, top + 5, right - 2, floor, JOINT, 10)
    canvas.box(left + 3, top + 7, right - 3, floor, ground, 9)
    canvas.box(left + 3, floor - 12, right - 3, floor, ground)
    if position > spaces:
        for x, y, size in ((14, 16, 1.6), (40, 12, 1.2), (48, 30, 1.8), (20, 36, 1.2)):
            canvas.disc(left + x, top + y, size, CHALK)
    elif position <= JAIL:
        _bars(canvas, left + 3, right - 3, top + 7, floor)
    draw_plaque(canvas, position, top, spaces, height)


def draw_plaque(
    canvas: Canvas, position: Position, top: int, spaces: int, height: int, *, marked: bool = False
) -> None:
    """Draw the name of a cell below it; the colours are exchanged where its reader has set a marker."""
    left, right = cell_edges(position, spaces)
    floor = top + height - 32
    plaque = STONE if JAIL < position <= spaces else LAMP if position > spaces else mix(ALARM, INK, 0.25)
    ink = CHALK if position <= spaces else INK
    if marked:
        plaque, ink = (INK, LAMP) if position > spaces else (CHALK, INK)
    canvas.box(left + 2, floor + 2, right - 2, floor + 28, plaque, 5)
    words, largest = place(position, spaces), 27 if JAIL < position <= spaces else 24
    canvas.text((left + right) / 2, floor + 15, words, scaled_size(words, largest, right - left - 3), ink)


def _bars(canvas: Canvas, left: float, right: float, top: float, floor: float) -> None:
    for number in range(1, 5):
        x = left + (right - left) * number / 5
        canvas.box(x - 2, top, x + 2, floor, mix(STONE, ASH, 0.35), 2)


# -------------------------------------------------------------------------------------------------------- dynamic parts


def draw_look(
    canvas: Canvas, position: Position, top: int, spaces: int, seat: int, look: Look, cell: int, *, letter: bool = False
) -> None:
    """Draw the content of a cell, with the seat's letter if no name is shown."""
    mark = SEAT_MARKS[seat]
    left, right = cell_edges(position, spaces)
    middle = (left + right) / 2
    floor = top + cell - 32
    y = (top + 6 + floor) / 2
    match look:
        case "trail":
            canvas.disc(middle, y, 5.5, INK)
            canvas.disc(middle, y, 4, mix(mark.colour, NICHE, 0.25))
        case "claim":
            canvas.area(outline(mark.shape, middle, y, _PAWN + 2), INK)
            canvas.area(outline(mark.shape, middle, y, _PAWN), mark.colour)
            canvas.area(outline(mark.shape, middle, y, _PAWN - 4.5), NICHE)
            lower = 4 if mark.shape == "triangle" else 0
            canvas.text(middle, y + lower, "?", 24, mark.colour)
        case "lit":
            canvas.box(left + 3, top + 7, right - 3, floor, GLOW, 9)
            canvas.box(left + 3, floor - 12, right - 3, floor, GLOW)
            canvas.mark(mark, middle, y, _PAWN, letter=letter)
        case "seen":
            canvas.mark(mark, middle, y, _PAWN, letter=letter)
        case "true":
            canvas.area(outline(mark.shape, middle, y, _PAWN + 5), INK)
            canvas.area(outline(mark.shape, middle, y, _PAWN + 3.5), CHALK)
            canvas.mark(mark, middle, y, _PAWN, letter=letter)


def draw_token(canvas: Canvas, x: float, y: float, radius: float) -> None:
    """Draw a guard token: a police badge."""
    canvas.area(outline("star", x, y, radius + 2), INK)
    canvas.area(outline("star", x, y, radius), LAMP)
    canvas.disc(x, y + radius * 0.06, radius * 0.3, mix(LAMP, INK, 0.65))


def draw_plate(canvas: Canvas, top: int, seat: int, tokens: int, status: str, active: bool, name: str = "") -> None:
    """Draw a row's plate: the player's mark, guard tokens and status; `active` while the game waits for them.

    The mark has the seat's letter if no name is shown above it.
    """
    left, right, bottom = 8, 8 + PLATE, top + ROW - 4
    canvas.box(left, top + 2, right, bottom, LAMP if active else INK, 10)
    canvas.box(left + 4, top + 6, right - 4, bottom - 4, WARM if active else SLATE, 7)
    y = top + (36 if status else 46) + (16 if name else 0) - (6 if name and status else 0)
    radius = 20 if not name else 14 if status else 17
    if name:
        canvas.text(NAME_MIDDLE, top + NAME_HEIGHT, name, name_size(name, bool(status)), CHALK)
    canvas.mark(SEAT_MARKS[seat], left + 31, y, radius, letter=not name)
    canvas.text(left + 68, y, str(tokens), 28, CHALK if tokens else ASH)
    draw_token(canvas, left + 90, y, 10)
    if status:
        y = top + (76 if name else 74)
        canvas.text(left + PLATE / 2, y, status, scaled_size(status, 21, PLATE - 8), ALARM)


def name_size(name: str, status: bool) -> float:
    """Return the size of a name on its plate, smaller above a `status`."""
    return NAME_SIZE if status else scaled_size(name, NAME_LARGEST, NAME_WIDTH)


def draw_since(canvas: Canvas, top: int, since: int) -> None:
    """Draw the round in which a player was last seen."""
    # Translators: beside a row: in which round a player was last seen.
    words = _("seen R{round}", round=since) if since else _("at start")
    canvas.text(WIDTH - 6 - BUBBLE / 2, top + 74, words, scaled_size(words, 24, BUBBLE - 4), CHALK, bold=False)


def draw_speech(canvas: Canvas, top: int, declared: int) -> None:
    """Draw the sum of a player's declarations."""
    left, right = WIDTH - 8 - BUBBLE, WIDTH - 8
    canvas.area([(left + 10, top + 38), (left - 5, top + 51), (left + 12, top + 48)], CHALK)
    canvas.box(left + 2, top + 5, right, top + 54, CHALK, 13)
    canvas.text((left + 2 + right) / 2, top + 30, f"+{declared}" if declared else "0", 33, INK)


def draw_legend(canvas: Canvas, y: float) -> None:
    """Draw the legend of a row's marks on a line around `y`: its marks, the number beside it, and the badge on
    its plate.
    """
    canvas.disc(31, y, 12, CHALK)
    draw_question(canvas, 216, y)
    canvas.box(458, y - 14, 496, y + 14, CHALK, 9)
    canvas.text(477, y, "+2", 23, INK)
    draw_token(canvas, 634, y, 12)
    legend = (
        (50, 148, _("last seen here")),
        (236, 214, _("by claims and offers")),
        # Translators: the sum of the numbers that a player has said since they were last seen.
        (504, 114, _("said since")),
        (652, 144, _("guard tokens")),
    )
    for x, width, words in legend:
        canvas.text(x, y, words, scaled_size(words, 23, width), CHALK, anchor="lm", bold=False)


def draw_question(canvas: Canvas, x: float, y: float, radius: float = 13) -> None:
    """Draw, for a legend, the mark of where declarations have led, in a neutral colour."""
    canvas.disc(x, y, radius, CHALK)
    canvas.disc(x, y, radius * 0.77, NICHE)
    canvas.text(x, y, "?", radius * 1.45, CHALK)


def draw_sample(canvas: Canvas, spaces: int) -> None:
    """Draw a sample of everything that may be on a row, to choose the palette from."""
    draw_wall(canvas, 0, 4 * ROW)
    for seat in range(4):
        top = seat * ROW
        draw_row(canvas, top, spaces)
        for number, look in enumerate(get_args(Look)):
            draw_look(canvas, 2 * number, top, spaces, seat, look, ROW)
        draw_look(canvas, spaces + 1, top, spaces, seat, "lit", ROW)
        draw_plate(canvas, top, seat, 3, _("CAUGHT"), seat == 0)
        draw_speech(canvas, top, 5)
        draw_since(canvas, top, 1)


def flat_colours(seats: int) -> tuple[Colour, ...]:
    """Return the colours that a corridor's palette must hold exactly."""
    return (LAMP, ALARM, NICHE, JOINT, FREEDOM, NIGHT, GLOW, WARM, *(mark.colour for mark in SEAT_MARKS[:seats]))
