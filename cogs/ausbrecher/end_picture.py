"""The picture of the end of an Ausbrecher AG game, with everybody's forecasts, and its story, in which the boats fill;
and the picture of one forecast.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from cogs.ausbrecher import scenery
from cogs.ausbrecher.boat_scenery import BOAT, GOLD, SEA, draw_bust, draw_sea
from cogs.ausbrecher.boat_sprites import boat
from cogs.ausbrecher.scenery import NICHE
from cogs.ausbrecher.words import points_so_far, prisoner_name
from cogs.core.drawing.animation import Frame, story_of
from cogs.core.drawing.canvas import Canvas, fitted_name, scaled_size, text_width
from cogs.core.drawing.composition import Bitmap, Composition, PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import Side, drawn, mark_bitmap, set_words
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, WIDTH, mix
from cogs.core.drawing.theme import Colour as Paint
from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import listed
from cogs.core.pages.display_names import shortened
from cogs.core.pages.page import join_within
from engine.contract import Seat
from engine.games.ausbrecher import COLOURS, Assignment, AusbrecherView, Colour
from engine.turns import places

_SKY = 128
_CARD = BOAT + 14  # the height of the picture of one forecast
_TABLE = _SKY + _CARD
_HEADER, _LINE = 96, 60
_FIRST, _COLUMN = 236, 66
_WARM: Paint = (88, 68, 40)
_UPPER, _MIDDLE, _FOOT = 8, 56, _SKY - 24  # of the title: its text, and the feet of the winners
_WAIT_MS, _ABOARD_MS, _JUDGED_MS = 700, 450, 650
"""How long the story shows empty boats, a prisoner who has just come aboard, and what everybody had bet on them."""
_HALO, _WINNER = 8, 36  # space around text, and on either side of a winner's middle


@lru_cache(maxsize=1)
def _palette() -> Palette:
    """The harbour at night, above the table of forecasts."""
    ground = Canvas(WIDTH, _TABLE, INK)
    scenery.draw_sky(ground, 0, _SKY)
    draw_sea(ground, _SKY, _TABLE)
    sample = Canvas(WIDTH, 420, SEA)
    scenery.draw_sample(sample)
    return Palette(ground.picture(), [sample.picture()], (*scenery.flat_colours(), _WARM), 144, (_SKY, _TABLE))


@drawn
def _passenger(colour: Colour) -> Bitmap:
    canvas = Canvas(_COLUMN - 6, 60, INK)
    draw_bust(canvas, canvas.width / 2, 58, 15, colour, "glad")
    return _palette().bitmap(canvas)


@drawn
def _bet_sprite(boat: int, right: bool | None, ground: Paint) -> Bitmap:
    """A bet of a forecast: the boat's number, ticked or crossed once that is known."""
    canvas = Canvas(_COLUMN - 6, _LINE - 10, mix(ground, scenery.RIGHT, 0.28) if right else ground)
    canvas.text(20, canvas.height / 2, str(boat), 30, CHALK if right else ASH)
    if right is not None:
        scenery.draw_verdict(canvas, 43, canvas.height / 2, right)
    return _palette().bitmap(canvas)


# -------------------------------------------------------------------------------------------------------------- the end


def draw_end(view: AusbrecherView, names: Sequence[str] = (), final: Sequence[int] = ()) -> bytes:
    """Return the end of a race as a PNG: the boats with those who fled in them, and every forecast, ticked and crossed;
    with the `final` places if some players had left.

    The same arguments give the same bytes. Thread-safe.
    """
    return encode(_sheet(view, names, final, _Scene(len(COLOURS), len(COLOURS), over=True)))


def draw_story(view: AusbrecherView, names: Sequence[str] = (), final: Sequence[int] = ()) -> bytes | None:
    """Return the end as an animated GIF: the boats fill, and after each prisoner everybody's bet on them is judged.

    The same arguments give the same bytes. Thread-safe.
    """
    scenes = [(_Scene(0, 0), _WAIT_MS)]
    for number in range(len(COLOURS)):
        scenes += [(_Scene(number + 1, number), _ABOARD_MS), (_Scene(number + 1, number + 1), _JUDGED_MS)]
    still = _sheet(view, names, final, _Scene(len(COLOURS), len(COLOURS), over=True))
    return story_of(still, (Frame(_sheet(view, names, final, scene), ms) for scene, ms in scenes))


class _Scene(NamedTuple):
    """A moment of the story: how many prisoners are aboard, on how many of them the bets are judged, and whether it is
    said who has won.
    """

    aboard: int
    judged: int
    over: bool = False


def _sheet(view: AusbrecherView, names: Sequence[str], final: Sequence[int], scene: _Scene) -> Composition:
    names = tuple(names) or ("",) * len(view.forecasts)
    come = [colour for crew in view.race.boats for colour in crew]  # boats fill one after the other
    aboard, judged = frozenset(come[: scene.aboard]), frozenset(come[: scene.judged])
    ranks = final or places([-points_so_far(points) for points in view.points])
    order = sorted(range(len(ranks)), key=lambda seat: (ranks[seat], seat))
    winners = tuple(seat for seat in order if ranks[seat] == 1)
    sheet = _palette().blank(_TABLE + _HEADER + _LINE * len(order) + 10, INK)
    sheet.paste(_palette().ground, (0, 0))
    if scene.over:
        sheet.placed += _title(winners, [fitted_name(names[seat], 40, 420 / len(winners)) for seat in winners])
    for number, crew in enumerate(view.race.boats, start=1):
        shown = tuple(colour for colour in crew if colour in aboard)
        sheet.placed += boat(_palette(), number, _SKY - 14, view.race.holds[number - 1], shown)
    _header(sheet, view, judged)
    for line, seat in enumerate(order):
        top = _TABLE + _HEADER + _LINE * line
        _row(sheet, view, Seat(seat), names[seat], top, ranks[seat] if scene.over else None, judged)
    return sheet


def _row(
    sheet: Composition,
    view: AusbrecherView,
    seat: Seat,
    name: str,
    top: int,
    rank: int | None,
    judged: frozenset[Colour],
) -> None:
    """A player's forecast, with the points of the bets that are judged, and their place once it is known."""
    won, middle = rank == 1, top + _LINE // 2 - 3
    ground = _WARM if won else NICHE
    sheet.fill(_palette().index(ground), (8, top, WIDTH - 8, top + _LINE - 5))
    if rank is not None:
        _put_text(sheet, 34, middle, f"{rank}.", 28, LAMP if won else ASH, ground)
    sheet.paste(mark_bitmap(_palette(), seat, ground), (56, middle - 17))
    _put_text(sheet, 94, middle, fitted_name(name, 25, _FIRST - 100), 25, CHALK, ground, "l")
    total = 0
    bets = view.forecasts[seat]  # none in a game that ends before all are in
    judgements = () if bets is None else zip(COLOURS, bets, view.points[seat], strict=True)
    for column, (colour, bet, points) in enumerate(judgements):
        known = colour in judged
        total += (points or 0) if known else 0
        verdict = bool(points) if known else None
        sheet.paste(_bet_sprite(bet, verdict, ground), (_FIRST + _COLUMN * column, top + 3))
    _put_text(sheet, WIDTH - 22, middle, str(total), 36, LAMP if won else CHALK, ground, "r")


def _put_text(
    sheet: Composition, x: float, y: float, words: str, size: float, ink: Paint, ground: Paint, side: Side = "m"
) -> None:
    set_words(sheet, _palette(), x, y, words, size, ink, ground, side)


_LABELS: tuple[tuple[int, str, int, Paint, Side], ...] = (
    (22, N_("ESCAPED IN BOAT"), _FIRST - 30, GOLD, "l"),
    (WIDTH - 22, N_("POINTS"), 100, ASH, "r"),
)
"""The words of the header: x, text, the most width, colour and alignment."""


def _header(sheet: Composition, view: AusbrecherView, judged: frozenset[Colour]) -> None:
    """The prisoners, and the boat in which each of them fled, if it is known."""
    top = _TABLE + 4
    for x, words, width, ink, side in _LABELS:
        _put_text(sheet, x, top + 76, _(words), scaled_size(_(words), 23, width), ink, INK, side)
    for column, colour in enumerate(COLOURS):
        x = _FIRST + _COLUMN * column
        sheet.paste(_passenger(colour), (x, top))
        if colour in judged:
            _put_text(sheet, x + (_COLUMN - 6) / 2, top + 76, str(view.prisoners[column].boat or 0), 26, GOLD, INK)


def _title(winners: tuple[int, ...], names: Sequence[str]) -> Iterator[PlacedBitmap]:
    """The winners, in the sky."""
    # Translators: after the winners' names, in capitals.
    verb = ngettext("WINS", "SHARE THE WIN", len(winners))
    said = f"{' & '.join(names)} " if all(names) else ""
    size = scaled_size(said + verb, 42, WIDTH - 60 - 76 * len(winners))
    width = text_width(said + verb, size)
    left = (WIDTH - width - 76 * len(winners)) / 2
    place, part = _snapped(left + 34)
    for number, seat in enumerate(winners):
        yield PlacedBitmap(_winner_sprite(seat, part), place + 76 * number - _WINNER, _UPPER)
    words = left + 76 * len(winners) + 4
    if said:
        yield _names(said, size, words)
    place, part = _snapped(words + width - text_width(verb, size))
    yield PlacedBitmap(_verb(verb, size, part), place - _HALO, _UPPER)


def _snapped(x: float) -> tuple[int, float]:
    """Return the nearest pixel and eighth of a pixel."""
    eighths = round(8 * x)
    return eighths // 8, eighths % 8 / 8


@drawn
def _names(names: str, size: float, left: float) -> PlacedBitmap:
    """The winners' names, starting at this x."""
    canvas, x = _sky(math.floor(left), text_width(names, size)), math.floor(left) - _HALO
    canvas.text(left, _MIDDLE, names, size, LAMP, anchor="lm", halo=INK)
    return PlacedBitmap(_palette().bitmap(canvas), x, _UPPER)


@drawn
def _verb(verb: str, size: float, part: float) -> Bitmap:
    """The verb after the winners' names, at this fraction of a pixel; all games share it."""
    canvas = _sky(_HALO, text_width(verb, size))
    canvas.text(_HALO + part, _MIDDLE, verb, size, LAMP, anchor="lm", halo=INK)
    return _palette().cut(canvas)


@drawn
def _winner_sprite(seat: int, part: float) -> Bitmap:
    canvas = _palette().canvas(0, _UPPER, 2 * _WINNER, _FOOT - _UPPER)
    scenery.draw_winner(canvas, _WINNER + part, _FOOT, seat)
    return _palette().cut(canvas)


def _sky(left: int, width: float) -> Canvas:
    """Return the part of the sky for text of this width."""
    return _palette().canvas(left - _HALO, _UPPER, math.ceil(width) + 2 * _HALO, _FOOT - _UPPER)


def end_alt(view: AusbrecherView, names: Sequence[str], final: Sequence[int] = ()) -> str:
    """Return the end in words: the winners, the boats, the forecasts."""
    totals = [points_so_far(points) for points in view.points]
    ranks = final or places([-total for total in totals])
    first = [seat for seat, rank in enumerate(ranks) if rank == 1]
    winners = listed([shortened(names[seat], 30) for seat in first])
    points = sorted({totals[seat] for seat in first})
    if len(points) == 1:
        head = ngettext(
            "The race is over: {players} wins with {points}.",
            "The race is over: {players} share the win with {points} each.",
            len(first),
            players=winners,
            points=_points(points[0]),
        )
    else:
        head = _("The race is over: {players} share the win.", players=winners)
    lines = [head, *boat_sentences(view)]
    for seat in sorted(range(len(totals)), key=lambda seat: ranks[seat]):
        bets = zip(COLOURS, view.forecasts[seat] or (), strict=False)
        right = [colour for colour, gained in zip(COLOURS, view.points[seat], strict=True) if gained]
        lines.append(
            _(
                "{player}, {points}: {forecast}; right: {prisoners}.",
                player=shortened(names[seat], 20),
                points=_points(totals[seat]),
                forecast=", ".join(f"{prisoner_name(colour)} {boat}" for colour, boat in bets),
                prisoners=", ".join(map(prisoner_name, right)) or _("none"),
            )
        )
    return join_within(lines)


def _points(number: int) -> str:
    return ngettext("{n} point", "{n} points", number)


def boat_sentences(view: AusbrecherView) -> list[str]:
    """Return who is aboard each boat in words."""
    return [
        _("Boat {boat}: {prisoners}.", boat=number, prisoners=", ".join(map(prisoner_name, crew)))
        for number, crew in enumerate(view.race.boats, start=1)
        if crew
    ]


# ---------------------------------------------------------------------------------------------------------- a forecast


@lru_cache(maxsize=1)
def _water() -> Bitmap:
    """The harbour without the sky."""
    return Bitmap(_palette().ground.image.crop((0, _SKY, WIDTH, _TABLE)))


_BOATS = range(1, 5)
"""The row of the boats."""


def draw_forecast(bets: Assignment, gained: Sequence[int | None]) -> bytes:
    """Return a forecast as a PNG: the four boats with the prisoners bet on them, ticked or crossed once that is
    known.
    """
    sheet = _palette().composition(_water())
    rows = list(zip(COLOURS, bets, gained, strict=True))
    for number in _BOATS:
        crew = tuple(colour for colour, bet, _ in rows if bet == number)
        verdicts = tuple(None if points is None else points > 0 for _, bet, points in rows if bet == number)
        hold = max(1 if number == len(_BOATS) else 2, len(crew))
        sheet.placed += boat(_palette(), number, _SKY + 4, hold, crew, verdicts=verdicts, lift=_SKY)
    return encode(sheet)
