"""The picture of a page of a leaderboard: a line per person, with their rating and its course.

If the font lacks a character of a name, the page uses text instead.
"""

from collections.abc import Sequence

from cogs.core.drawing.canvas import Canvas, fitted_name, scaled_size, text_width
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, LAMP, NIGHT, SLATE, WIDTH, Colour, mix
from cogs.core.i18n.translation import _
from cogs.core.ops.text_format import labelled
from cogs.core.pages import display_names
from cogs.core.pages.page import Picture, join_within
from cogs.records import words
from engine.standings import PLACEMENT_GAMES, Place, Standing

ROW, GAP, EDGE = 84, 6, 10
UP: Colour = (96, 200, 132)
"""The colour of a rising rating."""

MEDALS: tuple[Colour, ...] = ((244, 196, 72), (204, 208, 220), (216, 148, 96))
"""The colours of the first three places."""

_NAME, _NAME_SIZE = (96.0, 310.0), 34
_LEAST = 21
"""The size of the smallest lettering: what would be smaller is left out."""

_TREND = (424.0, 540.0)  # left and right edge of the line of the last ratings


def drawable(places: Sequence[Place]) -> bool:
    """Return whether the font has every character of these names."""
    return bool(places) and all(_name(place.standing) for place in places)


def draw(places: Sequence[Place], reader: int, *, scored: bool) -> Picture:
    """Return the picture, with the reader's own line highlighted."""
    height = 2 * EDGE + len(places) * (ROW + GAP) - GAP
    canvas = Canvas(WIDTH, height, NIGHT)
    for number, place in enumerate(places):
        _line(canvas, EDGE + number * (ROW + GAP), place, place.standing.player == reader, scored)
    return Picture(encode_image(canvas.picture(), 64), "leaderboard.png", alt(places, reader, scored=scored))


def alt(places: Sequence[Place], reader: int, *, scored: bool) -> str:
    """Return the picture in words."""
    return join_within([_sentence(place, place.standing.player == reader, scored) for place in places])


def _sentence(place: Place, own: bool, scored: bool) -> str:
    standing = place.standing
    rank = "" if place.rank is None else f"{place.rank}. "
    rating = words.rating(standing).replace("*", "")
    parts = [rating, words.trend(standing), words.record_words(standing, scored=scored).replace(" · ", ", ")]
    name = display_names.sanitize(standing.name)
    if own:
        name = _("{player} (you)", player=name)
    return labelled(f"{rank}{name}", f"{', '.join(part for part in parts if part)}.")


def _name(standing: Standing) -> str:
    return fitted_name(display_names.sanitize(standing.name), _NAME_SIZE, _NAME[1])


def _line(canvas: Canvas, top: int, place: Place, own: bool, scored: bool) -> None:
    standing, middle = place.standing, top + ROW / 2
    ground = mix(NIGHT, LAMP, 0.2) if own else SLATE
    canvas.box(EDGE, top, WIDTH - EDGE, top + ROW, LAMP if own else ground, 12)
    canvas.box(EDGE + 2, top + 2, WIDTH - EDGE - 2, top + ROW - 2, ground, 10)
    if place.rank is not None and place.rank <= len(MEDALS):
        canvas.disc(52, middle, 25, INK)
        canvas.disc(52, middle, 23, MEDALS[place.rank - 1])
        canvas.text(52, middle, str(place.rank), 28, INK)
    else:
        canvas.text(52, middle, "-" if place.rank is None else str(place.rank), 28, ASH)
    canvas.text(_NAME[0], top + 28, _name(standing), _NAME_SIZE, CHALK, anchor="lm")
    with_best = scored and standing.streak < 2  # with a streak there is no space for the best score
    achieved = words.record_words(standing, scored=with_best)
    while " · " in achieved and text_width(achieved, _LEAST) > _NAME[1]:
        achieved = achieved.rpartition(" · ")[0]
    size = scaled_size(achieved, 24, _NAME[1])
    canvas.text(_NAME[0], top + 62, achieved, size, ASH, anchor="lm", bold=False)
    if standing.placing:
        _progress(canvas, standing.games, top)
        return
    _trend_line(canvas, standing.course, top)
    canvas.text(WIDTH - 122, middle, str(standing.rating), 42, LAMP if own else CHALK, anchor="rm")
    canvas.text(WIDTH - 28, top + 28, f"± {standing.margin}", 24, ASH, anchor="rm")
    if abs(standing.change) >= words.STEADY:
        up = standing.change > 0
        y = top + 60.0
        tip = y - 7 if up else y + 7
        canvas.area([(WIDTH - 92, 2 * y - tip), (WIDTH - 76, 2 * y - tip), (WIDTH - 84, tip)], UP if up else ALARM)
        canvas.text(WIDTH - 28, y, str(abs(standing.change)), 24, UP if up else ALARM, anchor="rm")


def _progress(canvas: Canvas, games: int, top: int) -> None:
    """The progress of an unranked person: a disc for each game needed, filled once it is played."""
    for game in range(PLACEMENT_GAMES):
        x = WIDTH - 40 - 30.0 * (PLACEMENT_GAMES - 1 - game)
        canvas.disc(x, top + 28, 11, LAMP if game < games else ASH)
        if game >= games:
            canvas.disc(x, top + 28, 8, NIGHT)
    canvas.text(
        WIDTH - 28,
        top + 62,
        _("{games} of {total} games", games=games, total=PLACEMENT_GAMES),
        24,
        ASH,
        anchor="rm",
        bold=False,
    )


def _trend_line(canvas: Canvas, course: Sequence[int], top: int) -> None:
    """The last ratings as a line, the newest at its right end."""
    if len(course) < 2:
        return
    left, right = _TREND
    low, high = min(course), max(max(course), min(course) + 40)
    step = (right - left) / (len(course) - 1)
    points = [
        (left + number * step, top + ROW - 16 - (rating - low) / (high - low) * (ROW - 32))
        for number, rating in enumerate(course)
    ]
    canvas.line(points, 3, ASH)
    canvas.disc(*points[-1], 6, LAMP)
