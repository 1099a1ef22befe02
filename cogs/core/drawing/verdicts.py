"""Marks for reviews: what was played and what was better, told apart by sign, shape and colour."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from PIL import Image

from cogs.core.drawing.canvas import Canvas, fitted_size
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import ALARM, CHALK, INK, NIGHT, SLATE, WIDTH, Colour
from cogs.core.i18n.translation import _
from engine.contract import Action

GOOD: Colour = (48, 208, 144)
BAD: Colour = ALARM

ROW = 72
"""The height of a row below the board."""

_PIECE = 62
_LABEL = 190
_GAP = 6


@dataclass(frozen=True)
class VerdictRow:
    """A row below the board: a move with its `pieces` as pictures, and `words` after them. `better` is one that was not
    played; `best`: what was played was good.
    """

    pieces: tuple[Image.Image, ...] = ()
    words: str = ""
    better: bool = False
    best: bool = False
    label: str | None = None  # of a row that is no move


def opened(picture: bytes) -> Canvas:
    """Return a canvas on a picture, to draw marks on."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    return Canvas(image.width, image.height, image)


def mark(canvas: Canvas, x: float, y: float, radius: float, *, good: bool) -> None:
    """Draw the sign of a move around a place: a tick on a green disc, or a cross on a red square."""
    thick = radius * 0.32
    if good:
        canvas.disc(x, y, radius + 3, INK)
        canvas.disc(x, y, radius, GOOD)
        points = [(x - radius * 0.5, y), (x - radius * 0.12, y + radius * 0.4), (x + radius * 0.52, y - radius * 0.4)]
        canvas.line(points, thick, INK)
        return
    canvas.box(x - radius - 3, y - radius - 3, x + radius + 3, y + radius + 3, INK, 7)
    canvas.box(x - radius, y - radius, x + radius, y + radius, BAD, 5)
    arm = radius * 0.48
    canvas.line([(x - arm, y - arm), (x + arm, y + arm)], thick, INK)
    canvas.line([(x - arm, y + arm), (x + arm, y - arm)], thick, INK)


def frame(canvas: Canvas, box: tuple[float, float, float, float], *, good: bool, width: float = 7) -> None:
    """Draw a frame around an area: a whole line for the better move, a dashed one for what was played."""
    left, top, right, bottom = box
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    colour = GOOD if good else BAD
    for (x, y), (to_x, to_y) in pairwise(corners):
        parts = 1 if good else 5
        for part in range(0, 2 * parts - 1, 2):
            start, end = part / (2 * parts - 1), (part + 1) / (2 * parts - 1)
            line = [(x + (to_x - x) * share, y + (to_y - y) * share) for share in (start, end)]
            canvas.line(line, width + 4, INK)
            canvas.line(line, width, colour)


def finished(canvas: Canvas, rows: Sequence[VerdictRow] = (), part: tuple[int, int] | None = None) -> bytes:
    """Return the marked picture, or the part of it between two lines, with these rows below it, as a PNG."""
    top, bottom = part or (0, canvas.height)
    board = canvas.picture().crop((0, top, canvas.width, bottom))
    whole = Image.new("RGB", (WIDTH, board.height + ROW * len(rows)), NIGHT)
    whole.paste(board, (0, 0))
    for number, row in enumerate(rows):
        whole.paste(_drawn(row), (0, board.height + ROW * number))
    return encode_image(whole)


def _drawn(row: VerdictRow) -> Image.Image:
    canvas = Canvas(WIDTH, ROW, NIGHT)
    canvas.box(6, 4, WIDTH - 6, ROW - 4, SLATE, 12)
    good = row.better or row.best
    label = row.label or (_("Better") if row.better else _("Played"))
    ink = CHALK if row.label is not None else GOOD if good else BAD
    if row.label is None:
        mark(canvas, 46, ROW / 2, 22, good=good)
    canvas.text(84, ROW / 2, label, fitted_size(label, 32, _LABEL - 10), ink, anchor="lm")
    x = 84 + _LABEL
    scale = _scale(row.pieces, WIDTH - x - 24 - (180 if row.words else 0))
    sizes = [(round(one.width * scale), round(one.height * scale)) for one in row.pieces]
    if row.words:
        left = x + sum(width + _GAP for width, _height in sizes)
        canvas.text(left + 8, ROW / 2, row.words, fitted_size(row.words, 32, WIDTH - left - 30), CHALK, anchor="lm")
    image = canvas.picture()
    for piece, size in zip(row.pieces, sizes, strict=True):
        small = piece.convert("RGBA").resize(size, Image.Resampling.LANCZOS)
        image.paste(small, (x, (ROW - size[1]) // 2), small)
        x += size[0] + _GAP
    return image


def _scale(pieces: Sequence[Image.Image], width: int) -> float:
    """Return the scale at which pieces fit into a row."""
    if not pieces:
        return 1.0
    highest, together = max(one.height for one in pieces), sum(one.width for one in pieces)
    return min(_PIECE / highest, (width - _GAP * len(pieces)) / together)


def compared(row: Callable[[Action], VerdictRow], played: Action, better: Action | None) -> tuple[VerdictRow, ...]:
    """Return the rows of a comparison; without anything better, what was played is marked as good."""
    return (replace(row(played), best=True),) if better is None else (row(played), replace(row(better), better=True))


def piece(data: bytes) -> Image.Image:
    """Return a piece's picture, such as its emoji, for a row."""
    return Image.open(io.BytesIO(data))
