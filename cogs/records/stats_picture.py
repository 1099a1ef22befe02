"""The picture of a user's statistics: the rating game by game, the last results, and the score against others.

People's names are in the message beside it. In the picture each is a shape in a colour, without a letter, since it is
no seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cogs.core.drawing.canvas import Canvas, fitted_size, scaled_size, text_width
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, SLATE, STONE, WIDTH, Colour
from cogs.core.i18n.translation import _, ngettext
from cogs.core.pages.page import Picture, join_within
from cogs.records.words import ordinal
from engine.results import Score

HEIGHT = 560
RECENT = 20
RIVALS = 4

_SHAPES = tuple(replace(mark, letter="") for mark in SEAT_MARKS)
_EDGE = 16
_CHART = (104.0, 84.0, 660.0, 264.0)  # left, top, right, bottom
_STEPS = (20, 50, 100, 200, 500, 1_000)
_LEAST_SPAN = 80  # the least range of the chart in points, so that a ripple does not look like a cliff


@dataclass(frozen=True)
class GameResult:
    """The result of one game: the place, whether it was won or drawn, and whether others took the same place."""

    place: int
    won: bool
    drawn: bool
    shared: bool = False

    @property
    def sign(self) -> str:
        """The place as shown on a tile: 2, or 2= if it is shared."""
        return f"{self.place}{'=' * self.shared}"


@dataclass(frozen=True)
class StatsData:
    """The data of the picture.

    `traces` are ratings game by game, the last one last, starting with the one before all games if it is known: those
    of the person, and of the other if two are compared. `recent` has the person's last results, the last one last;
    `scores` are those against others; `who` and `others` are their names, for the alt text.
    """

    board: str
    traces: tuple[tuple[int, ...], ...]
    recent: tuple[GameResult, ...]
    scores: tuple[Score, ...]
    who: str
    others: tuple[str, ...]


def draw(data: StatsData) -> Picture:
    """Return the picture."""
    canvas = Canvas(WIDTH, HEIGHT, NIGHT)
    _ratings(canvas, data)
    _recent(canvas, data.recent, together=len(data.traces) > 1)
    _scores(canvas, data.scores)
    # Drawn once and never pasted on: choosing a palette would take longer than the drawing.
    return Picture(encode_image(canvas.picture()), "statistics.png", alt(data))


def alt(data: StatsData) -> str:
    """Return the picture in words."""
    sentences = [_("Statistics of {player}.", player=data.who)]
    for name, trace in zip((data.who, *data.others), data.traces, strict=False):
        if trace:
            sentences.append(
                _(
                    "Rating of {player} ({board}): {rating} now, between {least} and {most} on this chart.",
                    player=name,
                    board=data.board,
                    rating=trace[-1],
                    least=min(trace),
                    most=max(trace),
                )
            )
    if data.recent:
        places = ", ".join(map(place_words, data.recent))
        sentences.append(_("Places in the last games, newest last: {places}.", places=places))
    sentences += [
        _(
            "Against {player}: {won} won, {drawn} drawn, {lost} lost.",
            player=name,
            won=score.won,
            drawn=score.drawn,
            lost=score.lost,
        )
        for name, score in zip(data.others, data.scores, strict=False)
    ]
    return join_within(sentences)


def place_words(result: GameResult) -> str:
    """Return the place of a game in words."""
    if result.drawn:
        # Translators: a game without a winner.
        return _("drawn")
    place = ordinal(result.place)
    return _("shared {place}", place=place) if result.shared else place


def _panel(canvas: Canvas, box: tuple[float, float, float, float], title: str) -> None:
    canvas.box(*box, SLATE, radius=14)
    size = scaled_size(title, 22, box[2] - box[0] - 44)
    canvas.text(box[0] + 22, box[1] + 30, title, size, ASH, anchor="lm")


# The rating, game by game


def _ratings(canvas: Canvas, data: StatsData) -> None:
    _panel(canvas, (_EDGE, _EDGE, WIDTH - _EDGE, 310), _("Rating · {board}", board=data.board))
    traces = [trace for trace in data.traces if trace]
    left, top, right, bottom = _CHART
    if not traces:
        canvas.text((left + right) / 2, (top + bottom) / 2, _("No rated games yet"), 28, ASH)
        return
    lines = gridlines([rating for trace in traces for rating in trace])
    low, high = lines[0], lines[-1]

    def height(rating: float) -> float:
        return bottom - (rating - low) / (high - low) * (bottom - top)

    for line in lines:
        canvas.line([(left, height(line)), (right, height(line))], 1.5, STONE, caps=False)
        canvas.text(left - 14, height(line), str(line), 20, ASH, anchor="rm", bold=False)
    longest = max(len(trace) for trace in traces)
    step = (right - left) / max(1, longest - 1)
    if longest > 1:
        ago = ngettext("{n} game ago", "{n} games ago", longest - 1)
        canvas.text(left, bottom + 24, ago, 20, ASH, anchor="lm")
    canvas.text(right, bottom + 24, _("now"), 20, ASH, anchor="rm")
    both = len(data.traces) > 1
    ends: list[float] = []
    for number, trace in reversed(list(enumerate(data.traces))):  # the person is drawn last, on top
        if not trace:
            continue
        colour = SEAT_MARKS[number].colour
        points = [(right - (len(trace) - 1 - i) * step, height(rating)) for i, rating in enumerate(trace)]
        if not both and len(points) > 1:
            canvas.area([(points[0][0], bottom), *points, (right, bottom)], colour, 40)
        if len(points) > 1:
            canvas.line(points, 4, colour)
        canvas.disc(*points[-1], 8, INK)
        canvas.disc(*points[-1], 6, colour)
        end = _apart(points[-1][1], ends)
        ends.append(end)
        x = right + (50.0 if both else 20.0)
        if both:
            canvas.mark(_SHAPES[number], right + 30, end, 13)
        canvas.text(x, end, str(trace[-1]), 24 if both else 30, colour, anchor="lm")


def _apart(y: float, taken: Sequence[float], distance: float = 34) -> float:
    """Return a height near `y` at which a label does not cover another."""
    for other in taken:
        if abs(y - other) < distance:
            y = other - distance if y <= other and other - distance > _CHART[1] - 20 else other + distance
    return y


def gridlines(ratings: Sequence[int]) -> list[int]:
    """Return two to seven round numbers that enclose these ratings."""
    low, high = min(ratings), max(ratings)
    if high - low < _LEAST_SPAN:
        middle = (low + high) // 2
        low, high = middle - _LEAST_SPAN // 2, middle + _LEAST_SPAN // 2
    step = next((step for step in _STEPS if (high - low) / step <= 4), 2_000)
    first, last = low // step * step, -(-high // step) * step
    return list(range(first, last + step, step))


# The last games


def _recent(canvas: Canvas, recent: Sequence[GameResult], *, together: bool) -> None:
    box = (_EDGE, 326, 396, HEIGHT - _EDGE)
    if together:
        title = ngettext("Last game together", "Last {n} games together", len(recent) or 1)
    else:
        title = ngettext("Last game", "Last {n} games", len(recent) or 1)
    _panel(canvas, box, title)
    if not recent:
        canvas.text((box[0] + box[2]) / 2, 450, _("None yet"), 28, ASH)
        return
    size, gap = 30, 4
    for i, finish in enumerate(recent):
        x = 38.0 + (i % 10) * (size + gap)
        y = 384 + (i // 10) * (size + 10)
        draw_result(canvas, x, y, size, finish)
    won, drawn = sum(f.won for f in recent), sum(f.drawn for f in recent)
    key = (
        (_tile(GameResult(1, True, False)), ngettext("{n} win", "{n} wins", won)),
        (_tile(GameResult(1, False, True)), ngettext("{n} draw", "{n} draws", drawn)),
        ((STONE, INK, ""), ngettext("{n} other", "{n} others", len(recent) - won - drawn)),
    )
    words_only = box[2] - 12 - 38 - 3 * 32 - 2 * 18
    size_of_words = fitted_size("".join(words for _key, words in key), 20, words_only)
    x = 38.0
    for (ground, ink, sign), words in key:
        canvas.box(x, 492, x + 24, 516, ground, radius=5)
        canvas.text(x + 12, 504, sign, 18, ink)
        canvas.text(x + 32, 504, words, size_of_words, CHALK, anchor="lm", bold=False)
        x += 32 + text_width(words, size_of_words) + 18


def draw_result(canvas: Canvas, x: float, y: float, size: float, result: GameResult) -> None:
    """Draw the result of one game as a square of this size."""
    ground, ink, sign = _tile(result)
    canvas.box(x, y, x + size, y + size, ground, radius=6)
    canvas.text(x + size / 2, y + size / 2, sign, 20, ink)


def _tile(finish: GameResult) -> tuple[Colour, Colour, str]:
    if finish.drawn:
        return ASH, INK, "="
    if finish.won:
        return LAMP, INK, finish.sign
    return STONE, CHALK, finish.sign


# Against others


def _scores(canvas: Canvas, scores: Sequence[Score]) -> None:
    box = (412, 326, WIDTH - _EDGE, HEIGHT - _EDGE)
    _panel(canvas, box, _("Won : drawn : lost against"))
    if not scores:
        canvas.text((box[0] + box[2]) / 2, 450, _("No one yet"), 28, ASH)
        return
    for i, score in enumerate(scores[:RIVALS]):
        y = 396 + i * 40 if len(scores) > 1 else 440
        left, right, half = 476.0, 640.0, 12
        canvas.mark(_SHAPES[i + 1], 448, y, 14)
        canvas.box(left, y - half, right, y + half, STONE, radius=6)
        scale = (right - left) / max(1, score.games)
        won, drawn = left + score.won * scale, left + (score.won + score.drawn) * scale
        if score.drawn:
            canvas.box(left, y - half, drawn, y + half, ASH, radius=6)
        if score.won:
            canvas.box(left, y - half, won, y + half, LAMP, radius=6)
        canvas.text(right + 14, y, f"{score.won} : {score.drawn} : {score.lost}", 20, CHALK, anchor="lm")
