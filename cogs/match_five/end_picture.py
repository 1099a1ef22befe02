"""The picture of the end of a Match Five game: the winner, the score table, the whole board, the curves of the scores;
and its story, in which the board and the curves grow turn by turn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import msgspec

from cogs.core.drawing.animation import Frame, story_of
from cogs.core.drawing.canvas import Canvas, fitted_name, fitted_size, outline, text_width
from cogs.core.drawing.composition import Bitmap, Composition, PlacedBitmap
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn, mark_bitmap, set_words
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, SLATE, WIDTH, Colour, mix
from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import count, figure, labelled, listed
from cogs.core.pages.display_names import shortened
from cogs.core.pages.page import join_within
from cogs.match_five import scenery
from cogs.match_five.layout import piles, whole
from cogs.match_five.picture import paste_board
from cogs.match_five.scenery import WON, Area
from cogs.match_five.sprites import cut, palette
from engine.games.match_five import MatchFiveView
from engine.turns import places

_BANNER = 116  # the height of the winner's sign
_ROW = 44
_HALF = 396  # the side of the board and of the curves
_COLUMNS = ((N_("TURNS"), 388), (N_("BEST"), 486), (N_("FIVES"), 580), (N_("IN HAND"), 684), (N_("POINTS"), 782))
"""The headings of the table's columns, and where they end."""

_STORY, _STORY_MS = 16, 260
"""The most moments of the story, and how long each is shown."""

_MIDDLE = (_BANNER - 10) // 2  # of the sign, from the top
_OTHERS = mix(NIGHT, SLATE, 0.55)  # the ground of the others
_PLOT, _EDGE = (58, 22, _HALF - 52, _HALF - 48), 4
"""The plot of the curves in its frame: left, top, right and foot; and how far its lines extend beyond it."""

_Curves = tuple[tuple[int, ...], ...]
"""Each seat's points after every turn."""


@dataclass(frozen=True)
class _TableLine:
    """A seat's line in the table."""

    place: int  # 0: not known yet
    seat: int
    name: str
    figures: tuple[str, ...]  # the columns: turns, best turn, lines of five, tiles left in hand, points


def _table_lines(view: MatchFiveView, names: Sequence[str], final: Sequence[int]) -> list[_TableLine]:
    """Return everybody's line, best first."""
    ranks = final or places([-score for score in view.scores])
    found = [
        _TableLine(rank, seat, names[seat] if seat < len(names) else "", _figures(view, seat))
        for seat, rank in enumerate(ranks)
    ]
    return sorted(found, key=lambda one: (one.place, one.seat))


def _figures(view: MatchFiveView, seat: int) -> tuple[str, ...]:
    """Return the columns of a seat's line."""
    turns = [turn for turn in view.turns if turn.seat == seat]
    fives = sum(turn.fives for turn in turns)
    best = max((turn.points for turn in turns), default=0)
    return str(len(turns)), f"+{best}", str(fives), figure(-view.left[seat]), figure(view.scores[seat])


def _curves(view: MatchFiveView) -> _Curves:
    """Return each seat's points after every turn of the game, and at the end without those left in hand."""
    curves = []
    for seat, score in enumerate(view.scores):
        gains = [turn.points if turn.seat == seat else 0 for turn in view.turns]
        curves.append((*accumulate(gains, initial=0), score))
    return tuple(curves)


# -------------------------------------------------------------------------------------------------------------- sprites


def _height(seats: int) -> int:
    return _BANNER + _ROW * (seats + 1) + _HALF + 16


@lru_cache(maxsize=6)
def _ground(seats: int, headings: tuple[str, ...]) -> Bitmap:
    """The static parts of the end of a game with this number of seats and the headings of the table's columns."""
    height, top = _height(seats), _BANNER + _ROW * (seats + 1) + 4
    canvas = Canvas(WIDTH, height, INK)
    scenery.draw_bench(canvas, _BANNER, height, Area(6, top, _HALF - 8, _HALF))
    canvas.box(4, _BANNER - 2, WIDTH - 4, top - 8, INK, 12)
    canvas.box(6, _BANNER, WIDTH - 6, top - 10, NIGHT, 11)
    left = 92
    for words, (_heading, right) in zip(headings, _COLUMNS, strict=True):
        canvas.text(right, _BANNER + _ROW / 2, words, fitted_size(words, 20, right - left - 10), ASH, anchor="rm")
        left = right
    canvas.box(WIDTH - _HALF, top, WIDTH - 4, top + _HALF, INK, 10)
    canvas.box(WIDTH - _HALF + 2, top + 2, WIDTH - 6, top + _HALF - 2, NIGHT, 9)
    return palette().bitmap(canvas)


@drawn
def _banner() -> PlacedBitmap:
    """The sign with the winner."""
    canvas = Canvas(WIDTH, _BANNER - 12, mix(NIGHT, INK, 0.4))
    scenery.draw_wall(canvas, _BANNER - 12)
    canvas.box(60, 10, WIDTH - 60, _BANNER - 20, INK, 16)
    canvas.box(62, 12, WIDTH - 62, _BANNER - 22, LAMP, 15)
    canvas.box(66, 16, WIDTH - 66, _BANNER - 26, WON, 12)
    for x in (106, WIDTH - 106):
        canvas.area(outline("star", x, _MIDDLE, 27), INK)
        canvas.area(outline("star", x, _MIDDLE, 24), LAMP)
    return PlacedBitmap(palette().bitmap(canvas), 0, 0)


@drawn
def _line(ground: Colour) -> Bitmap:
    """The ground of a seat's line."""
    canvas = Canvas(WIDTH - 24, _ROW, NIGHT)
    canvas.box(0, 1, WIDTH - 24, _ROW - 1, ground, 8)
    return palette().bitmap(canvas)


@drawn
def _mark(seat: int, radius: int, lettered: bool, ground: Colour) -> Bitmap:
    """A seat's mark, cut out of a flat ground."""
    side = 2 * round(1.25 * (radius + 3))
    canvas = Canvas(side, side, ground)
    canvas.mark(SEAT_MARKS[seat], side / 2, side / 2, radius, letter=lettered)
    return cut(canvas, ground)


@drawn
def _plot(curves: _Curves) -> Bitmap:
    """The curves of everybody's points, the leader's on top."""
    scale = _scale(curves)
    left, top, right, foot = _PLOT
    canvas = Canvas(right - left + 2 * _EDGE, foot - top + 2 * _EDGE, NIGHT, left=left - _EDGE, top=top - _EDGE)
    for points in scale.marked:
        y = scale.at(0, points)[1]
        canvas.box(left, y - 0.75, right, y + 0.75, mix(NIGHT, CHALK, 0.4 if points == 0 else 0.15))
    for seat in _order(curves):
        curve = [scale.at(turn, points) for turn, points in enumerate(curves[seat])]
        canvas.line(curve, 7, INK)
        canvas.line(curve, 4, SEAT_MARKS[seat].colour)
    return palette().bitmap(canvas)


# --------------------------------------------------------------------------------------------------------- the curve


class _Scale(NamedTuple):
    """The range of the plot: turns from the first on, points from the lowest to the highest."""

    turns: int
    low: int
    high: int

    @property
    def marked(self) -> range:
        """Return the points at which grid lines are drawn."""
        steps = (10, 20, 50, 100, 200, 500, 1_000, 10**9)
        pitch = next(step for step in steps if (self.high - self.low) / step <= 6)
        return range(-(-self.low // pitch) * pitch, self.high + 1, pitch)

    def at(self, turn: int, points: float) -> tuple[float, float]:
        """Return the position of these points after that turn, in the frame of the curves."""
        left, top, right, foot = _PLOT
        x = left + (right - left) * turn / max(1, self.turns)
        return x, foot - (foot - top) * (points - self.low) / (self.high - self.low)


def _scale(curves: _Curves) -> _Scale:
    return _Scale(len(curves[0]) - 1, min(0, *map(min, curves)), max(10, *map(max, curves)))


def _order(curves: _Curves) -> list[int]:
    """Return the seats, the fewest points first."""
    return sorted(range(len(curves)), key=lambda seat: curves[seat][-1])


def _paste_curves(sheet: Composition, curves: _Curves, x: int, y: int, told: int | None) -> None:
    """Paste the plot into its frame, or what of it the first turns have `told`, with the labels of its lines and the
    seats' marks at the ends of the curves.
    """
    scale, order = _scale(curves), _order(curves)
    left, top, right, foot = _PLOT
    sheet.paste(_plot(curves), (x + left - _EDGE, y + top - _EDGE))
    if told is not None:
        until = round(scale.at(told, 0)[0])
        hidden = x + until, y + top - _EDGE, x + right + _EDGE, y + foot + _EDGE
        sheet.fill(palette().index(NIGHT), hidden)
    for points in scale.marked:
        set_words(sheet, palette(), x + left - 8, y + scale.at(0, points)[1], str(points), 20, ASH, NIGHT, "r")
    turns = ngettext("{n} turn", "{n} turns", scale.turns - 1)
    set_words(sheet, palette(), x + (left + right) / 2, y + foot + 20, turns, 20, ASH, NIGHT)
    if told is not None:
        return
    low = float(foot + 26)
    for below, seat in enumerate(order):  # from below, so that no mark hides another
        available = top + 24 * (len(order) - 1 - below)
        low = min(low - 24, max(scale.at(0, curves[seat][-1])[1], available))
        _paste_mark(sheet, _mark(seat, 11, False, NIGHT), x + right + 22, y + low)


# -------------------------------------------------------------------------------------------------------------- drawing


def _paste_mark(sheet: Composition, piece: Bitmap, x: float, y: float) -> None:
    sheet.paste(piece, (round(x - piece.width / 2), round(y - piece.height / 2)))


def _paste_winners(sheet: Composition, winners: Sequence[tuple[int, str]]) -> None:
    """Paste the winners on the sign."""
    # Translators: these follow the name of the winner, or the names of the winners, in the picture.
    verdict, size = (_("WINS"), 40) if len(winners) == 1 else (_("SHARE THE WIN"), 28)
    size = fitted_size(verdict, size, 340)
    available = (500 - text_width(verdict, size)) / len(winners) - 56
    shown = [(seat, fitted_name(name, size, available)) for seat, name in winners]
    widths = [48 + (text_width(name, size) + 14 if name else 0) for _, name in shown]
    left = (WIDTH - sum(widths) - text_width(verdict, size)) / 2
    for (seat, name), width in zip(shown, widths, strict=True):
        _paste_mark(sheet, _mark(seat, 19, not name, WON), left + 20, _MIDDLE)
        set_words(sheet, palette(), left + 46, _MIDDLE, name, size, CHALK, WON, "l")
        left += width
    set_words(sheet, palette(), left, _MIDDLE, verdict, size, LAMP, WON, "l")


def _paste_line(sheet: Composition, one: _TableLine, top: int) -> None:
    """Paste a seat's line."""
    won, y = one.place == 1, top + _ROW // 2
    ground, ink = (WON, LAMP) if won else (_OTHERS, CHALK)
    sheet.paste(_line(ground), (12, top))
    if one.place:
        set_words(sheet, palette(), 46, y, f"{one.place}.", 25, ink, ground, "r")
    name = fitted_name(one.name, 24, 230)
    _paste_mark(sheet, mark_bitmap(palette(), one.seat, ground) if name else _mark(one.seat, 13, True, ground), 70, y)
    set_words(sheet, palette(), 92, y, name, 24, CHALK, ground, "l")
    for (_heading, right), words in zip(_COLUMNS[:-1], one.figures[:-1], strict=True):
        set_words(sheet, palette(), right, y, words, 23, CHALK, ground, "r")
    set_words(sheet, palette(), _COLUMNS[-1][1], y, one.figures[-1], 27, ink, ground, "r")


def draw_end(view: MatchFiveView, names: Sequence[str], final: Sequence[int] = ()) -> bytes:
    """Return the end of a game as a PNG, with the `final` places if some players had left.

    The same arguments give the same bytes. Thread-safe.
    """
    return encode(_sheet(view, names, final))


def draw_story(view: MatchFiveView, names: Sequence[str], final: Sequence[int] = ()) -> bytes | None:
    """Return the end as an animated GIF: the board and the curves grow again.

    The same arguments give the same bytes. Thread-safe.
    """
    turns = len(view.turns)
    moments = [turns * number // _STORY for number in range(_STORY)] if turns >= _STORY else range(turns)
    frames = [Frame(_sheet(view, names, final, told), _STORY_MS) for told in moments]
    return story_of(_sheet(view, names, final), frames)


def _sheet(view: MatchFiveView, names: Sequence[str], final: Sequence[int], told: int | None = None) -> Composition:
    """Return the end, or its story after so many turns, when it is not yet known who has won."""
    lines = _table_lines(view, names, final)
    seats = len(lines)
    sheet = palette().composition(_ground(seats, tuple(_(heading) for heading, _right in _COLUMNS)))
    sheet.placed.append(_banner())
    top, area_top = _BANNER + _ROW * (seats + 1) + 4, _BANNER + _ROW * (seats + 1) + 12
    whole_board = piles(view, lit=False)
    frame = whole(whole_board.keys(), Area(14, area_top, _HALF - 24, _HALF - 16))
    if told is None:
        _paste_winners(sheet, [(one.seat, one.name) for one in lines if one.place == 1])
        paste_board(sheet, whole_board, frame)
    else:
        earlier = _earlier(view, told)
        lines = [replace(one, place=0, figures=_figures(earlier, one.seat)) for one in lines]
        paste_board(sheet, piles(earlier, lit=False), frame)
    for line, one in enumerate(lines, start=1):
        _paste_line(sheet, one, _BANNER + _ROW * line - 4)
    _paste_curves(sheet, _curves(view), WIDTH - _HALF + 4, top + 4, told)
    return sheet


def _earlier(view: MatchFiveView, told: int) -> MatchFiveView:
    """Return the end of a game as it would be after so many turns."""
    turns = view.turns[:told]
    scores = [sum(turn.points for turn in turns if turn.seat == seat) for seat in range(len(view.scores))]
    stones = view.stones[: sum(len(turn.stones) for turn in turns)]
    return msgspec.structs.replace(
        view, turns=turns, stones=stones, scores=tuple(scores), left=(0,) * len(scores), locked=()
    )


# ---------------------------------------------------------------------------------------------------------------- words


def end_alt(view: MatchFiveView, names: Sequence[str], final: Sequence[int] = ()) -> str:
    """Return the end in words, the most important first, as long as an alt text may be."""
    return join_within(_sentences(view, names, final))


def _sentences(view: MatchFiveView, names: Sequence[str], final: Sequence[int]) -> Iterator[str]:
    lines = _table_lines(view, names, final)
    winners = [one.name for one in lines if one.place == 1]
    if len(winners) == 1:
        yield _("{winner} wins.", winner=winners[0])
    else:
        yield _("{winners} share the win.", winners=listed(winners))
    for one in lines:
        turns, best, fives, left, _points = one.figures
        about = (
            count(view.scores[one.seat], "point"),
            count(int(turns), "turn"),
            _("best turn {points}", points=best),
            ngettext("{n} line of five", "{n} lines of five", int(fives)),
            _("{points} for tiles in hand", points=left),
        )
        yield labelled(f"{one.place}. {shortened(one.name, 24)}", f"{', '.join(about)}.")
    stacks = len({(one.x, one.y) for one in view.stones})
    yield ngettext(
        "Below: the whole board, {n} stack, and the curves of the scores.",
        "Below: the whole board, {n} stacks, and the curves of the scores.",
        stacks,
    )
    for seat, curve in enumerate(_curves(view)):
        yield _(
            "{name}'s points after a quarter, half and three quarters of the game: {points}.",
            name=shortened(names[seat], 24),
            points=", ".join(str(curve[len(curve) * part // 4]) for part in (1, 2, 3)),
        )
