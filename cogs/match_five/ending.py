"""How a game of Match Five ended, as one picture: who won, everybody's sheet, the whole board, the way of the scores.

Views in, bytes and words out. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from cogs.core.drawing.alt_text import told
from cogs.core.drawing.caching import drawn
from cogs.core.drawing.canvas import Canvas, fitted_name, outline, text_width
from cogs.core.drawing.encoding import encode
from cogs.core.drawing.sheets import Piece, Sprite
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, SLATE, WIDTH, mix
from cogs.core.phrases import count, figure
from cogs.match_five import scenery
from cogs.match_five.layout import piles, whole
from cogs.match_five.picture import paste_board
from cogs.match_five.scenery import Area
from cogs.match_five.sprites import scene
from engine.games.match_five import MatchFiveView
from engine.turns import places

_BANNER = 116  # the height of the winner's sign
_ROW = 44
_HALF = 396  # the side of the board and of the curve
_COLUMNS = (("TURNS", 388), ("BEST", 486), ("FIVES", 580), ("IN HAND", 684), ("POINTS", 782))
"""The heads of the sheet's columns and where they end."""


@dataclass(frozen=True)
class _Sheet:
    """A seat's line in the table."""

    place: int
    seat: int
    name: str
    figures: tuple[str, ...]  # as the columns: turns, best turn, lines of five, what was left in hand, points


def _sheets(view: MatchFiveView, names: Sequence[str], final: Sequence[int]) -> list[_Sheet]:
    """Return everybody's line, the best first."""
    ranks = final or places([-score for score in view.scores])
    found = []
    for seat, (rank, score, left) in enumerate(zip(ranks, view.scores, view.left, strict=True)):
        turns = [turn for turn in view.turns if turn.seat == seat]
        fives = sum(line.bonus > 0 for turn in turns for line in turn.lines)
        best = max((turn.points for turn in turns), default=0)
        figures = str(len(turns)), f"+{best}", str(fives), figure(-left), figure(score)
        found.append(_Sheet(rank, seat, names[seat] if seat < len(names) else "", figures))
    return sorted(found, key=lambda one: (one.place, one.seat))


def _ways(view: MatchFiveView) -> tuple[tuple[int, ...], ...]:
    """Return each seat's points after every turn of the game, and at the end without what was left in hand."""
    ways = []
    for seat, score in enumerate(view.scores):
        gains = [turn.points if turn.seat == seat else 0 for turn in view.turns]
        ways.append((*accumulate(gains, initial=0), score))
    return tuple(ways)


# -------------------------------------------------------------------------------------------------------------- sprites


def _height(seats: int) -> int:
    return _BANNER + _ROW * (seats + 1) + _HALF + 16


@lru_cache(maxsize=6)
def _ground(seats: int) -> Piece:
    """What is the same at the end of every game of so many."""
    height, top = _height(seats), _BANNER + _ROW * (seats + 1) + 4
    canvas = Canvas(WIDTH, height, INK)
    scenery.draw_bench(canvas, _BANNER, height, Area(6, top, _HALF - 8, _HALF))
    canvas.box(4, _BANNER - 2, WIDTH - 4, top - 8, INK, 12)
    canvas.box(6, _BANNER, WIDTH - 6, top - 10, NIGHT, 11)
    for words, right in _COLUMNS:
        canvas.text(right, _BANNER + _ROW / 2, words, 20, ASH, anchor="rm")
    canvas.box(WIDTH - _HALF, top, WIDTH - 4, top + _HALF, INK, 10)
    canvas.box(WIDTH - _HALF + 2, top + 2, WIDTH - 6, top + _HALF - 2, NIGHT, 9)
    return scene().sprite(canvas)


@drawn
def _banner(winners: tuple[tuple[int, str], ...]) -> Sprite:
    """The sign of who won."""
    canvas = Canvas(WIDTH, _BANNER - 12, mix(NIGHT, INK, 0.4))
    scenery.draw_wall(canvas, _BANNER - 12)
    canvas.box(60, 10, WIDTH - 60, _BANNER - 20, INK, 16)
    canvas.box(62, 12, WIDTH - 62, _BANNER - 22, LAMP, 15)
    canvas.box(66, 16, WIDTH - 66, _BANNER - 26, mix(NIGHT, LAMP, 0.16), 12)
    y = (_BANNER - 10) / 2
    for x in (106, WIDTH - 106):
        canvas.area(outline("star", x, y, 27), INK)
        canvas.area(outline("star", x, y, 24), LAMP)
    verdict = "WINS" if len(winners) == 1 else "SHARE THE WIN"
    size = 40 if len(winners) == 1 else 28
    room = (500 - text_width(verdict, size)) / len(winners) - 56
    shown = [(seat, fitted_name(name, size, room)) for seat, name in winners]
    widths = [48 + (text_width(name, size) + 14 if name else 0) for _, name in shown]
    left = (WIDTH - sum(widths) - text_width(verdict, size)) / 2
    for (seat, name), width in zip(shown, widths, strict=True):
        canvas.mark(SEAT_MARKS[seat], left + 20, y, 19, letter=not name)
        canvas.text(left + 46, y, name, size, CHALK, anchor="lm")
        left += width
    canvas.text(left, y, verdict, size, LAMP, anchor="lm")
    return Sprite(scene().sprite(canvas), 0, 0)


@drawn
def _line(sheet: _Sheet) -> Piece:
    canvas = Canvas(WIDTH - 24, _ROW, NIGHT)
    won = sheet.place == 1
    canvas.box(0, 1, WIDTH - 24, _ROW - 1, mix(NIGHT, LAMP, 0.16) if won else mix(NIGHT, SLATE, 0.55), 8)
    y, left = _ROW / 2, 12
    canvas.text(34, y, f"{sheet.place}.", 25, LAMP if won else CHALK, anchor="rm")
    name = fitted_name(sheet.name, 24, 230)
    canvas.mark(SEAT_MARKS[sheet.seat], 58, y, 13, letter=not name)
    canvas.text(80, y, name, 24, CHALK, anchor="lm")
    for (_, right), words in zip(_COLUMNS, sheet.figures, strict=True):
        last = right == _COLUMNS[-1][1]
        canvas.text(right - left, y, words, 27 if last else 23, LAMP if won and last else CHALK, anchor="rm")
    return scene().sprite(canvas)


@drawn
def _curve(ways: tuple[tuple[int, ...], ...]) -> Piece:
    """The way of everybody's points from the first turn to the last, with the seat's mark at its end."""
    size = _HALF - 8
    canvas = Canvas(size, size, NIGHT)
    left, right, top, foot = 58, size - 44, 22, size - 40
    low, high = min(0, *map(min, ways)), max(10, *map(max, ways))
    pitch = next(step for step in (10, 20, 50, 100, 200, 500, 1_000, 10**9) if (high - low) / step <= 6)

    def at(turn: int, points: float) -> tuple[float, float]:
        x = left + (right - left) * turn / max(1, len(ways[0]) - 1)
        return x, foot - (foot - top) * (points - low) / (high - low)

    for points in range(-(-low // pitch) * pitch, high + 1, pitch):
        y = at(0, points)[1]
        canvas.box(left, y - 0.75, right, y + 0.75, mix(NIGHT, CHALK, 0.4 if points == 0 else 0.15))
        canvas.text(left - 8, y, str(points), 20, ASH, anchor="rm")
    canvas.text((left + right) / 2, size - 20, f"{count(len(ways[0]) - 2, 'turn')}", 20, ASH)
    order = sorted(range(len(ways)), key=lambda seat: ways[seat][-1])
    for seat in order:
        way = [at(turn, points) for turn, points in enumerate(ways[seat])]
        canvas.line(way, 7, INK)
        canvas.line(way, 4, SEAT_MARKS[seat].colour)
    y = float(foot + 26)
    for number, seat in enumerate(order):  # from below: no mark hides another
        room = top + 24 * (len(order) - 1 - number)
        y = min(y - 24, max(at(0, ways[seat][-1])[1], room))
        canvas.mark(SEAT_MARKS[seat], right + 22, y, 11)
    return scene().sprite(canvas)


# -------------------------------------------------------------------------------------------------------------- drawing


def draw_end(view: MatchFiveView, names: Sequence[str], final: Sequence[int] = ()) -> bytes:
    """Return the end of a game as a PNG; with the `final` places where some had left. The same arguments give the same
    bytes. Safe in several threads.
    """
    sheets = _sheets(view, names, final)
    seats = len(sheets)
    sheet = scene().sheet(_ground(seats))
    _banner(tuple((one.seat, one.name) for one in sheets if one.place == 1)).paste(sheet)
    for number, one in enumerate(sheets, start=1):
        sheet.paste(_line(one), (12, _BANNER + _ROW * number - 4))
    top = _BANNER + _ROW * (seats + 1) + 4
    shown = piles(view, lit=False)
    area = Area(14, top + 8, _HALF - 24, _HALF - 16)
    paste_board(sheet, shown, whole(shown.keys(), area))
    sheet.paste(_curve(_ways(view)), (WIDTH - _HALF + 4, top + 4))
    return encode(sheet)


# ---------------------------------------------------------------------------------------------------------------- words


def end_alt(view: MatchFiveView, names: Sequence[str], final: Sequence[int] = ()) -> str:
    """Return the end in words, the chief first, as many as an alt text holds."""
    return told(_sentences(view, names, final))


def _sentences(view: MatchFiveView, names: Sequence[str], final: Sequence[int]) -> Iterator[str]:
    sheets = _sheets(view, names, final)
    winners = [one.name[:40] for one in sheets if one.place == 1]
    yield f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'share the win'}."
    for one in sheets:
        turns, best, fives, left, _ = one.figures
        yield (
            f"{one.place}. {one.name[:24]}: {count(view.scores[one.seat], 'point')}, {count(int(turns), 'turn')}, "
            f"best turn {best}, {count(int(fives), 'line')} of five, {left} for the tiles in hand."
        )
    yield f"Below: the whole board, {count(len(piles(view)), 'stack')}, and the curves of the scores."
    for seat, way in enumerate(_ways(view)):
        marks = ", ".join(str(way[len(way) * part // 4]) for part in (1, 2, 3))
        yield f"{names[seat][:24]} had {marks} points after a quarter, half and three quarters of the game."
