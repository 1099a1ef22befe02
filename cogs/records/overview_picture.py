"""The picture of the overview of `/stats`: figures at the top, and a line for each game."""

from cogs.core.drawing.badges import rgb
from cogs.core.drawing.canvas import Canvas, fitted_size, text_width
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import ASH, CHALK, LAMP, NIGHT, SLATE, STONE, WIDTH, Colour, mix
from cogs.core.pages.page import Picture
from cogs.records.overview import GameSummary, Overview, alt, rating_words
from cogs.records.stats_picture import draw_result

_EDGE, _GAP = 14, 6
_FIGURE, _LINE = 64, 80  # heights of a box with a figure, and of a game's line
_IN_ROW = 3
_RESULT, _APART = 28, 4  # a result's tile, and the space after it
_COURSE = (566.0, 664.0)  # left and right edge of the line of the last ratings
_COURSE_GAMES = 20


def draw(data: Overview) -> Picture:
    """Return the picture."""
    rows = -(-len(data.figures) // _IN_ROW)
    height = 2 * _EDGE - _GAP + rows * (_FIGURE + _GAP) + len(data.games) * (_LINE + _GAP)
    canvas = Canvas(WIDTH, height, NIGHT)
    wide = (WIDTH - 2 * _EDGE - (_IN_ROW - 1) * _GAP) / _IN_ROW
    for number, (figure, what) in enumerate(data.figures):
        left = _EDGE + number % _IN_ROW * (wide + _GAP)
        _figure(canvas, left, _EDGE + number // _IN_ROW * (_FIGURE + _GAP), wide, figure, what)
    top = _EDGE + rows * (_FIGURE + _GAP)
    for number, game in enumerate(data.games):
        _game(canvas, top + number * (_LINE + _GAP), game)
    # Drawn once and never pasted on: choosing a palette would take longer than the drawing.
    return Picture(encode_image(canvas.picture(), 128), "overview.png", alt(data))


def _figure(canvas: Canvas, left: float, top: float, wide: float, figure: str, what: str) -> None:
    canvas.box(left, top, left + wide, top + _FIGURE, SLATE, radius=12)
    middle = top + _FIGURE / 2
    size = fitted_size(figure, 44, wide * 0.5)
    canvas.text(left + 18, middle, figure, size, LAMP, anchor="lm")
    start = left + 18 + text_width(figure, size) + 14
    canvas.text(start, middle, what, fitted_size(what, 26, left + wide - 12 - start), CHALK, anchor="lm", bold=False)


def _game(canvas: Canvas, top: float, game: GameSummary) -> None:
    played = game.games > 0
    colour = rgb(game.colour)
    canvas.box(_EDGE, top, WIDTH - _EDGE, top + _LINE, SLATE, radius=12)
    canvas.box(_EDGE, top, _EDGE + 12, top + _LINE, colour if played else STONE, radius=6)
    ink = CHALK if played else ASH
    left = _EDGE + 28.0
    canvas.text(left, top + 26, game.title, fitted_size(game.title, 30, 310), ink, anchor="lm")
    counts = game.counts
    canvas.text(left, top + 58, counts, fitted_size(counts, 24, 310), ASH, anchor="lm", bold=False)
    for number, result in enumerate(game.recent):
        x = 366.0 + number * (_RESULT + _APART)
        draw_result(canvas, x, top + (_LINE - _RESULT) / 2, _RESULT, result)
    standing = game.standing
    if standing is not None and not standing.placing and len(standing.course) > 1:
        _course(canvas, top, standing.course[-_COURSE_GAMES:], colour)
    rating, about = rating_words(game)
    right = WIDTH - _EDGE - 16.0
    canvas.text(
        right, top + 28, rating, fitted_size(rating, 38, 100), LAMP if standing is not None else ASH, anchor="rm"
    )
    about = f"🤖 {about}" if game.casual else about
    canvas.text(right, top + 60, about, fitted_size(about, 24, 104), ASH, anchor="rm", bold=False)


def _course(canvas: Canvas, top: float, course: tuple[int, ...], colour: Colour) -> None:
    """Draw the last ratings as a line."""
    left, right = _COURSE
    low, high = min(course), max(course)
    span = max(high - low, 80)
    step = (right - left) / (len(course) - 1)
    upper, lower = top + 20, top + _LINE - 20
    middle = (low + high) / 2
    points = [
        (left + number * step, (upper + lower) / 2 - (rating - middle) / span * (lower - upper))
        for number, rating in enumerate(course)
    ]
    bright = mix(colour, CHALK, 0.35)
    canvas.line(points, 4, bright)
    canvas.disc(*points[-1], 6, bright)
