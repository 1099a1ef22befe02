"""The picture of Match Five: the board from above, with names on its edges, the seats above it, a hand on its tray.

The whole board is shown with plates as large as possible. If they would be illegible, the part around the last play is
shown; a slate beside it has a map of the whole, which carries no text.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from cogs.core.drawing.canvas import fitted_name, text_width
from cogs.core.drawing.composition import Bitmap, Composition, PlacedBitmap
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import CHALK, LAMP, WIDTH
from cogs.match_five import scenery, sprites, tile_scenery
from cogs.match_five.alt_text import Candidate
from cogs.match_five.layout import (
    HEIGHT,
    Where,
    Window,
    badges,
    following_window,
    last_turn,
    piles,
    window,
    window_on,
    with_links,
    with_offers,
)
from cogs.match_five.overview import paste_overview, paste_pointers
from cogs.match_five.scenery import NAME_LEFT, NAME_SIZE, NAME_TOP, PEG, SIDE, STRIP, TRAY, Figure, Sign
from cogs.match_five.sprites import palette
from cogs.match_five.tile_scenery import Pile, PlaceMark
from cogs.match_five.words import column_name, row_name
from engine.contract import Seat
from engine.games.match_five import Line, MatchFiveView, Stone, Tile

# ---------------------------------------------------------------------------------------------------- scene and sprites


@lru_cache(maxsize=2)
def _ground(top: int, bottom: int) -> Bitmap:
    """A part of the background, from edge to edge."""
    part = palette().ground.image.crop((0, top, WIDTH, bottom))
    part.load()
    return Bitmap(part)


@drawn
def _sign(left: int, width: int, sign: Sign) -> PlacedBitmap:
    canvas = palette().canvas(left, 0, width, STRIP - 10)
    scenery.draw_sign(canvas, left, width, sign)
    return PlacedBitmap(palette().bitmap(canvas), left, 0)


@drawn
def _bag(tiles: int) -> PlacedBitmap:
    canvas = palette().canvas(WIDTH - SIDE, STRIP - 2, SIDE, 152)
    scenery.draw_bag(canvas, WIDTH - SIDE // 2, STRIP + 4, tiles)
    return PlacedBitmap(palette().bitmap(canvas), WIDTH - SIDE, STRIP - 2)


def _pitch(many: int) -> int:
    """Return the distance between the tiles of a hand of this size."""
    return min(134, (WIDTH - 60) // many)


def _tile_middle(place: int, many: int) -> int:
    """Return the x of the middle of a tile in a hand."""
    return WIDTH // 2 + round((place - (many - 1) / 2) * _pitch(many))


def _tile_side(many: int) -> int:
    """Return the size of a tile in a hand of this size."""
    return min(112, _pitch(many) - 14)


@drawn
def _tray_slot(place: int, many: int) -> Bitmap:
    """The place of a tile in the tray, without the tile."""
    pitch, x = _pitch(many), _tile_middle(place, many)
    canvas = palette().canvas(x - pitch // 2, HEIGHT, pitch, TRAY)
    tile_scenery.draw_tray_slot(canvas, x, HEIGHT, TRAY, _tile_side(many))
    return palette().bitmap(canvas)


# -------------------------------------------------------------------------------------------------------------- drawing


def draw(
    view: MatchFiveView,
    names: Sequence[str] = (),
    shown: Mapping[Where, Pile] | None = None,
    frame: Window | None = None,
) -> bytes:
    """Return the board as a PNG, with these names on the signs; `shown` are its `piles`, if they are known already, and
    `frame` the part to show instead of that around the last play.

    The same arguments give the same bytes. Thread-safe.
    """
    shown = piles(view) if shown is None else shown
    last, frame = last_turn(view), frame or table_window(view)
    sheet = _sheet(view, shown, frame, names)
    if last is not None:
        _paste_badges(sheet, last.lines, shown, frame)
    return encode(sheet)


def table_window(view: MatchFiveView) -> Window:
    """Return the part of the board that the table's picture shows: the whole, or the part around the last play."""
    last = last_turn(view)
    return window(
        {(one.x, one.y) for one in view.stones}, [] if last is None else [(one.x, one.y) for one in last.stones]
    )


def draw_places(
    view: MatchFiveView,
    drafted: Sequence[Stone],
    lines: Sequence[Line],
    places: Sequence[Candidate],
    names: Sequence[str] = (),
    *,
    around: Sequence[Where] = (),
) -> bytes:
    """Return the board with the draft and the points of these lines, which are lit, and the highlighted places for a
    tile with their points. It shows the part `around` these cells and the lit lines, and as much else as fits.

    Nothing on the board moves while a play is put together, unless the draft needs more space.
    """
    shown = with_links(piles(view, drafted, lit=False), lines)
    offers = {
        (place.laying.x, place.laying.y): PlaceMark(place.number, place.points, place.number == 1) for place in places
    }
    weights = dict.fromkeys([(one.x, one.y) for one in drafted], 1) | dict.fromkeys(offers, 3)
    weights |= dict.fromkeys([(x, y) for line in lines for x, y, _level in line.spots], 2)
    weights |= dict.fromkeys(around or [(one.x, one.y) for one in drafted[-1:]], 50)
    frame = following_window(table_window(view), {*shown, *offers}, weights)
    shown = with_offers(shown, offers)
    sheet = _sheet(view, shown, frame, names)
    _paste_badges(sheet, lines, shown, frame)
    paste_pointers(sheet, {at: offer.number for at, offer in offers.items()}, frame)
    return encode(sheet)


def draw_with_others(
    view: MatchFiveView,
    drafted: Sequence[Stone],
    lines: Sequence[Line],
    others: Collection[Where],
    names: Sequence[str],
) -> tuple[bytes, Window]:
    """Return the board with a play, and the part shown: all of it has, and these other places. The points of the lines
    are left out, since frames around the places would cut them.
    """
    shown = with_links(piles(view, drafted, lit=False), lines)
    focus = [*others, *((one.x, one.y) for one in drafted)]
    frame = following_window(table_window(view), {*shown, *others}, dict.fromkeys(focus, 1))
    if not all(frame.shows(*at) for at in focus):
        frame = window_on(focus)
    return encode(_sheet(view, shown, frame, names)), frame


def draw_hand(hand: Sequence[Tile]) -> bytes:
    """Return a sorted hand on its tray as a PNG."""
    sheet = palette().composition(_ground(HEIGHT, HEIGHT + TRAY))
    many = len(hand)
    for place, tile in enumerate(sorted(hand)):
        x, size = _tile_middle(place, many), _tile_side(many)
        sheet.paste(_tray_slot(place, many), (x - _pitch(many) // 2, 0))
        piece = sprites.enamel(size, tile)
        top = round(tile_scenery.tray_middle(TRAY, size) - size / 2)
        sheet.paste(piece, (x - piece.width // 2, top))
    return encode(sheet)


def _sheet(view: MatchFiveView, shown: Mapping[Where, Pile], frame: Window, names: Sequence[str]) -> Composition:
    sheet = palette().composition(_ground(0, HEIGHT))
    _paste_strip(sheet, view, names)
    paste_board(sheet, shown, frame)
    sheet.placed += _numerals(frame)
    sheet.placed.append(_bag(view.bag))
    paste_overview(sheet, shown, frame)
    return sheet


def _paste_badges(sheet: Composition, lines: Sequence[Line], shown: Mapping[Where, Pile], frame: Window) -> None:
    """The points of these lines."""
    for badge in badges(lines, frame, shown):
        sheet.paste(sprites.badge(badge.words, badge.size, badge.covered), (badge.left, badge.top))


def _paste_strip(sheet: Composition, view: MatchFiveView, names: Sequence[str]) -> None:
    """The signs of the seats, each with the points of its last turn."""
    seats = len(view.scores)
    width = (WIDTH - 8) // seats
    gains = {turn.seat: turn.points for turn in view.turns[-seats:]}
    for seat, (score, tiles) in enumerate(zip(view.scores, view.counts, strict=True)):
        name = names[seat] if seat < len(names) else ""
        sign = Sign(seat, bool(name), tiles, view.turn == seat)
        sheet.placed += _seat(4 + width * seat, width, sign, name, score, gains.get(Seat(seat), 0), view.hand_size)


def _has_room(width: int, numbers: Sequence[Figure], tiles: int) -> bool:
    """Return True if so many tiles fit on a sign beside its numbers."""
    return width - numbers[-1].left - round(text_width(numbers[-1].words, numbers[-1].size)) - 11 >= PEG * tiles


@lru_cache(maxsize=4_096)
def _seat(
    left: int, width: int, seat: Sign, name: str, score: int, gain: int, hand_size: int
) -> tuple[PlacedBitmap, ...]:
    """A seat's sign, with the name shortened to fit. If there is no room for both its tiles and the points of its last
    turn, the tiles of a full hand are left out, which are no news, or else the points.
    """
    numbers = list(scenery.figures(score, gain, width, seat.turn))
    if seat.tiles < hand_size and not _has_room(width, numbers, seat.tiles):
        numbers = numbers[:1]
    name = fitted_name(name, NAME_SIZE, width - 60)
    shown = replace(seat, named=bool(name), tiles=seat.tiles if _has_room(width, numbers, seat.tiles) else 0)
    named = [PlacedBitmap(sprites.name(name, seat.turn), left + NAME_LEFT, NAME_TOP)] if name else []
    ground, figures = scenery.sign_ground(seat.turn), []
    for one in numbers:
        piece = sprites.number(one.words, one.size, LAMP if one.bright else CHALK, ground)
        figures.append(PlacedBitmap(piece, left + one.left - 1, round(one.middle - piece.height / 2)))
    return _sign(left, width, shown), *named, *figures


def paste_board(sheet: Composition, shown: Mapping[Where, Pile], frame: Window) -> None:
    """Paste the crosses of a window and the piles that it shows."""
    lying = sheet.placed
    lying += _crosses(frame)
    x0, y0 = frame.corner(0, 0)
    cell, all_shown = frame.cell, frame.whole
    for (x, y), pile in shown.items():
        if all_shown or frame.shows(x, y):
            lying += sprites.laid(cell, pile, x0 + cell * x, y0 - cell * y)


@lru_cache(maxsize=4_096)
def _crosses(frame: Window) -> tuple[PlacedBitmap, ...]:
    """The crosses on the mat, row by row."""
    crosses = sprites.crosses(frame.cell, frame.columns + 1)
    left, top = frame.origin[0] - scenery.CROSS, frame.origin[1] - scenery.CROSS
    return tuple(PlacedBitmap(crosses, left, top + frame.cell * row) for row in range(frame.rows + 1))


@lru_cache(maxsize=4_096)
def _numerals(frame: Window) -> tuple[PlacedBitmap, ...]:
    """The names of columns and rows along the mat's edges."""
    left, top = frame.origin
    half, found = frame.cell // 2, []
    for column in range(frame.columns):
        piece = sprites.numeral(column_name(frame.left + column))
        x = left + frame.cell * column + half - piece.width // 2
        found.append(PlacedBitmap(piece, x, top + frame.cell * frame.rows + 4))
    for row in range(frame.rows):
        piece = sprites.numeral(row_name(frame.bottom + row))
        y = top + frame.cell * (frame.rows - 1 - row) + half - 13
        found.append(PlacedBitmap(piece, left - 17 - piece.width // 2, y))
    return tuple(found)
