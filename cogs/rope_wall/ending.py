"""The end of the Rope Wall as a picture: who has won, and the ropes by which prisoners got out, in small.

Views in, bytes out. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Sequence
from itertools import pairwise

from cogs.core.drawing.canvas import Canvas, fitted_name, outline, text_width
from cogs.core.drawing.encoding import encode_image
from cogs.core.drawing.sprites import Scene
from cogs.core.drawing.theme import CHALK, INK, LAMP, SEAT_MARKS, WIDTH, Colour, mix
from cogs.rope_wall import scenery
from cogs.rope_wall.scenery import NICHE
from engine.contract import Seat
from engine.games.rope_wall import FinishedRound, RopeWallView

SHOWN = 6
"""So many rounds are shown at most, the last ones: more are not won before a game of three prisoners ends."""

_SKY = 118
_FRAME, _GAP, _EDGE = 240, 20, 20
_TILE = _FRAME + 52
_STONE: Colour = mix(scenery.JOINT, INK, 0.25)


def won_rounds(view: RopeWallView) -> tuple[FinishedRound, ...]:
    """Return the rounds that somebody won, as far as they are shown."""
    return tuple(one for one in view.finished if one.winner is not None)[-SHOWN:]


def draw_end(view: RopeWallView, names: Sequence[str], scene: Scene) -> bytes:
    """Return the end as a PNG in the colours of this scene, with these names beside the seats' marks.

    The same view gives the same bytes. Safe in several threads.
    """
    rounds = won_rounds(view)
    lines = -(-len(rounds) // 3)
    canvas = Canvas(WIDTH, _SKY + lines * _TILE + 12, _STONE)
    scenery.draw_night(canvas, _SKY)
    _title(canvas, view, names)
    for number, one in enumerate(rounds):
        line, column = divmod(number, 3)
        in_line = min(3, len(rounds) - 3 * line)
        room = in_line * _FRAME + (in_line - 1) * _GAP
        _round(canvas, one, (WIDTH - room) // 2 + column * (_FRAME + _GAP), _SKY + 8 + line * _TILE, names)
    return encode_image(scene.fitted(canvas.picture()))


def _title(canvas: Canvas, view: RopeWallView, names: Sequence[str]) -> None:
    """Who has won, and how many prisoners each got out."""
    if view.winner is None:
        words = "NOBODY WINS: SHARED"
        canvas.text(WIDTH / 2, 40, words, 38, LAMP, halo=INK)
    else:
        name = fitted_name(names[view.winner], 40, 420)
        words = f"{name} WINS" if name else "WINS"
        left = (WIDTH - text_width(words, 40) - 60) / 2
        canvas.mark(SEAT_MARKS[view.winner], left + 22, 40, 22, letter=False)
        canvas.text(left + 60, 40, words, 40, LAMP, anchor="lm", halo=INK)
    for seat, middle in ((0, 200), (1, 600)):
        name = fitted_name(names[seat], 26, 230)
        width = text_width(name, 26) + 90
        left = middle - width / 2
        canvas.mark(SEAT_MARKS[seat], left + 14, 90, 14, letter=False)
        canvas.text(left + 40, 90, name, 26, CHALK, anchor="lm", halo=INK)
        canvas.text(left + width, 90, str(view.freed[seat]), 34, LAMP, anchor="rm", halo=INK)


def _round(canvas: Canvas, one: FinishedRound, left: int, top: int, names: Sequence[str]) -> None:
    """A round's wall with its shining rope, and below it who finished it."""
    floors, columns = len(one.wall), len(one.wall[0])
    cell = (_FRAME - 12) / max(floors, columns)
    wide, high = cell * columns, cell * floors
    x0, foot = left + (_FRAME - wide) / 2, top + 6 + high
    canvas.box(x0 - 6, top, x0 + wide + 6, foot + 6, INK, 10)
    canvas.box(x0 - 3, top + 3, x0 + wide + 3, foot + 3, NICHE, 8)

    def at(floor: int, column: int) -> tuple[float, float]:
        return x0 + cell * (column - 0.5), foot - cell * (floor - 0.5)

    lit = {place for rope in one.ropes for place in rope}
    for rope in one.ropes:
        for start, end in pairwise(rope):
            canvas.line([at(*start), at(*end)], 13, INK)
            canvas.line([at(*start), at(*end)], 8, LAMP)
        x, y = at(*rope[-1])
        canvas.line([(x, y), (x, top - 4)], 8, LAMP, caps=False)
    for floor in range(1, floors + 1):
        for column in range(1, columns + 1):
            seat = one.wall[floor - 1][column - 1]
            if seat is not None:
                _knot(canvas, *at(floor, column), cell * 0.27, seat, (floor, column) in lit)
    assert one.winner is not None  # only such rounds are shown
    _caption(canvas, left + _FRAME / 2, foot + 26, one.number, one.winner, names)


def _knot(canvas: Canvas, x: float, y: float, radius: float, seat: int, lit: bool) -> None:
    mark = SEAT_MARKS[seat]
    canvas.area(outline(mark.shape, x, y, radius + (4 if lit else 0)), LAMP if lit else NICHE)
    canvas.area(outline(mark.shape, x, y, radius), mark.colour if lit else mix(mark.colour, NICHE, 0.6))


def _caption(canvas: Canvas, x: float, y: float, number: int, winner: Seat, names: Sequence[str]) -> None:
    name = fitted_name(names[winner], 22, _FRAME - 140)
    words = f"Round {number} · {name}" if name else f"Round {number}"
    left = x - (text_width(words, 22) + 36) / 2
    canvas.mark(SEAT_MARKS[winner], left + 12, y, 11, letter=False)
    canvas.text(left + 34, y, words, 22, CHALK, anchor="lm")
