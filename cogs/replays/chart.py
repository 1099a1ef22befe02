"""The chart of a review: everybody's chance to win, move by move, with the turning points."""

from dataclasses import dataclass

from cogs.core.drawing.canvas import Canvas, fitted_name, fitted_size
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, SLATE, STONE, WIDTH
from cogs.core.i18n.translation import _
from cogs.core.ops.text_format import percent
from cogs.core.pages.page import Picture, join_within
from engine.contract import Seat
from engine.review import JudgedDecision, Tally

_EDGE = 16
_LEFT, _TOP, _RIGHT, _BOTTOM = 92.0, 76.0, 756.0, 340.0
_FOOT = 396
_LINE = 46
_MARKS_A_CURVE = 3
_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
_MOST_TICKS = 8


@dataclass(frozen=True)
class Chart:
    """The data of a chart: a curve per seat with moves and chances, the names and tallies, and the turning
    points. `last` is the last move.
    """

    title: str
    last: int
    curves: tuple[tuple[tuple[int, float], ...], ...]
    names: tuple[str, ...]
    tallies: tuple[Tally, ...]
    turns: tuple[JudgedDecision, ...]


def draw(chart: Chart, name: str) -> Picture:
    """Return the picture, with this file name."""
    lines = -(-len(chart.names) // 2)
    canvas = Canvas(WIDTH, _FOOT + _LINE * lines + _EDGE, NIGHT)
    canvas.box(_EDGE, _EDGE, WIDTH - _EDGE, canvas.height - _EDGE, SLATE, radius=14)
    canvas.text(_EDGE + 22, _EDGE + 28, _("Chance to win"), 24, CHALK, anchor="lm")
    _axes(canvas, chart)
    for seat in reversed(range(len(chart.curves))):
        _curve(canvas, chart, seat)
    for number, one in enumerate(chart.turns, 1):
        _turning_point(canvas, chart, one, number)
    for seat in range(len(chart.names)):
        _legend(canvas, chart, seat)
    return Picture(encode_image(canvas.picture()), name, alt(chart))


def alt(chart: Chart) -> str:
    """Return the picture in words."""
    sentences = [_("{title}: each player's chance to win, from start to end.", title=chart.title)]
    for name, curve in zip(chart.names, chart.curves, strict=True):
        course = ", ".join(f"{chance(curve[len(curve) * part // 5][1])}" for part in range(5))
        end = chance(curve[-1][1])
        sentences.append(_("{player}: {chances}, at the end {chance}.", player=name, chances=course, chance=end))
    for number, one in enumerate(chart.turns, 1):
        sentences.append(
            _(
                "Turning point {number}, at move {move}: {player} drops from {before} to {after}.",
                number=number,
                move=one.step - 1,
                player=chart.names[one.seat],
                before=chance(one.best),
                after=chance(one.played),
            )
        )
    return join_within(sentences)


def chance(part: float) -> str:
    """Return a chance from 0 to 1 as a percentage for people."""
    return percent(round(100 * part))


def ticks(last: int) -> range:
    """Return a few round numbers of moves to mark on the axis."""
    every = next((step for step in _TICKS if last < step * (_MOST_TICKS + 1)), last)
    return range(every, last, every)


def _x(chart: Chart, step: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * step / max(1, chart.last)


def _y(chance: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * chance


def _axes(canvas: Canvas, chart: Chart) -> None:
    for part in (0, 25, 50, 75, 100):
        y = _y(part / 100)
        canvas.line([(_LEFT, y), (_RIGHT, y)], 1.5, STONE, caps=False)
        canvas.text(_LEFT - 12, y, percent(part) if part % 50 == 0 else str(part), 20, ASH, anchor="rm", bold=False)
    for number, move in enumerate(ticks(chart.last)):
        x = _x(chart, move)
        canvas.line([(x, _TOP), (x, _BOTTOM + 6)], 1.5, STONE, caps=False)
        if x < _RIGHT - 60:
            words = str(move) if number else _("move {move}", move=move)
            canvas.text(x, _BOTTOM + 24, words, fitted_size(words, 20, 96), ASH, bold=False)
    end = _("end")
    canvas.text(_RIGHT, _BOTTOM + 24, end, fitted_size(end, 20, 44), ASH, anchor="rm", bold=False)


def _curve(canvas: Canvas, chart: Chart, seat: int) -> None:
    mark, curve = SEAT_MARKS[seat], chart.curves[seat]
    points = [(_x(chart, step), _y(chance)) for step, chance in curve]
    canvas.line(points, 7, INK)
    canvas.line(points, 4, mark.colour)
    # Marks along the curves distinguish them without colours; each seat has them at different places.
    share = (seat + 0.5) / len(chart.curves)
    for number in range(_MARKS_A_CURVE):
        at = int((number + share) / _MARKS_A_CURVE * (len(points) - 1))
        canvas.mark(mark, *points[at], 8, letter=False)
    canvas.mark(mark, *points[-1], 10, letter=False)


def _turning_point(canvas: Canvas, chart: Chart, one: JudgedDecision, number: int) -> None:
    """A line for the drop of the chance, and the number of the turning point."""
    x, high, low = _x(chart, one.step), _y(one.best), _y(one.played)
    canvas.line([(x, high), (x, low)], 9, INK)
    canvas.line([(x, high), (x, low)], 5, ALARM)
    x, y = _apart(chart, number, x, high)
    canvas.disc(x, y, 17, INK)
    canvas.disc(x, y, 15, LAMP)
    canvas.text(x, y, str(number), 22, INK)


def _apart(chart: Chart, number: int, x: float, high: float) -> tuple[float, float]:
    """Return the position of a turning point's number: above its drop, and not on another number."""
    y = max(high - 20, _TOP - 14)
    for before in chart.turns[: number - 1]:
        its_x, its_y = _apart(chart, chart.turns.index(before) + 1, _x(chart, before.step), _y(before.best))
        if abs(its_x - x) < 34 and abs(its_y - y) < 34:
            x = its_x + 34
    return min(x, _RIGHT + 20), y


def _legend(canvas: Canvas, chart: Chart, seat: int) -> None:
    """A name beside its mark, with its accuracy."""
    line, column = divmod(seat, 2)
    left, right = (_EDGE + 22, 392) if not column else (424, WIDTH - _EDGE - 22)
    y = _FOOT + _LINE * line + 8
    canvas.mark(SEAT_MARKS[seat], left + 12, y, 12, letter=False)
    accuracy = chart.tallies[seat].accuracy
    if accuracy is not None:
        canvas.text(right, y, percent(round(accuracy)), 26, LAMP, anchor="rm")
        words = _("accuracy")
        canvas.text(right - 92, y, words, fitted_size(words, 20, 88), ASH, anchor="rm", bold=False)
    name = fitted_name(chart.names[Seat(seat)], 24, right - left - 226)
    canvas.text(left + 36, y, name, 24, CHALK, anchor="lm")
