"""Words and seats' marks as cached sprites, for pictures that are tables: score sheets, ends of rounds and games.

Words are set on flat grounds of a scene's sheets.
"""

from typing import Literal

from cogs.core.drawing.caching import drawn
from cogs.core.drawing.canvas import Canvas, text_width
from cogs.core.drawing.sheets import Piece, Sheet
from cogs.core.drawing.sprites import Scene
from cogs.core.drawing.theme import SEAT_MARKS, Colour

Side = Literal["l", "m", "r"]
"""Which part of the words a place names: their left end, their middle, their right end."""


@drawn
def _words(scene: Scene, words: str, size: float, ink: Colour, ground: Colour) -> Piece:
    canvas = Canvas(max(1, round(text_width(words, size) + 6)), round(size * 1.4), ground)
    canvas.text(canvas.width / 2, canvas.height / 2, words, size, ink)
    return scene.sprite(canvas)


def set_words(
    sheet: Sheet,
    scene: Scene,
    x: float,
    y: float,
    words: str,
    size: float,
    ink: Colour,
    ground: Colour,
    side: Side = "m",
) -> None:
    """Set words on a flat ground of a sheet of this scene, centred on the height `y`.

    Raises ValueError for a sign that the font lacks.
    """
    if not words:
        return
    piece = _words(scene, words, size, ink, ground)
    left = {"l": x - 3, "m": x - piece.width / 2, "r": x - piece.width + 3}[side]
    sheet.paste(piece, (round(left), round(y - piece.height / 2)))


@drawn
def mark_piece(scene: Scene, seat: int, ground: Colour) -> Piece:
    """Return a seat's mark, 34 pixels square, to stand before a name on a flat ground."""
    canvas = Canvas(34, 34, ground)
    canvas.mark(SEAT_MARKS[seat], 17, 17, 13, letter=False)
    return scene.sprite(canvas)
