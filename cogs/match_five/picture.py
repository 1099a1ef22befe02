"""The picture of Match Five: the board from above, with names on its edges, the seats above it, a hand on its tray.

The whole board is shown with plates as large as possible. If they would be illegible, the part around the last play is
shown, with a small map of the whole.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from cogs.core.drawing.canvas import Canvas, fitted_name
from cogs.core.drawing.composition import Bitmap, Composition, PlacedBitmap
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import CHALK, INK, LAMP, SLATE, WIDTH, mix
from cogs.match_five import scenery, sprites, tile_scenery
from cogs.match_five.alt_text import Candidate, alt, board_part_text, hand_alt, places_alt, stack_text
from cogs.match_five.layout import (
    HEIGHT,
    Where,
    Window,
    badges,
    following_window,
    last_turn,
    piles,
    range_of,
    window,
    with_offers,
)
from cogs.match_five.scenery import NAME_LEFT, NAME_SIZE, NAME_TOP, PEG, STRIP, TRAY, Sign
from cogs.match_five.sprites import cut, palette
from cogs.match_five.tile_scenery import MAT, Pile, PlaceMark
from cogs.match_five.words import column_name, row_name
from engine.games.match_five import Line, MatchFiveView, Stone, Tile

__all__ = [
    "Candidate",
    "alt",
    "board_part_text",
    "draw",
    "draw_hand",
    "draw_places",
    "hand_alt",
    "paste_board",
    "places_alt",
    "stack_text",
]

_BAG = 76  # the width of the bag on the strip
_MAP = 150  # the longer side of the small map


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
    canvas = palette().canvas(WIDTH - _BAG, 0, _BAG, STRIP - 10)
    scenery.draw_bag(canvas, WIDTH - _BAG + 4, tiles)
    return PlacedBitmap(palette().bitmap(canvas), WIDTH - _BAG, 0)


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
def _tray_slot(place: int, many: int, raised: bool) -> Bitmap:
    """The place of a tile in the tray, without the tile."""
    pitch, x = _pitch(many), _tile_middle(place, many)
    canvas = palette().canvas(x - pitch // 2, HEIGHT, pitch, TRAY)
    tile_scenery.draw_tray_slot(canvas, x, HEIGHT, TRAY, _tile_side(many), raised=raised)
    return palette().bitmap(canvas)


@drawn
def _map(spots: frozenset[Where], shown: Window) -> Bitmap:
    """The whole board, small, with a frame around the part shown."""
    columns, rows = range_of([x for x, _ in spots]), range_of([y for _, y in spots])
    dot = min(9.0, (_MAP - 12) / max(columns[1], rows[1]))
    width, height = round(dot * columns[1]) + 12, round(dot * rows[1]) + 12
    canvas = Canvas(width, height, MAT)
    canvas.box(0, 0, width, height, INK, 6)
    canvas.box(2, 2, width - 2, height - 2, SLATE, 5)
    left = top = 6
    x = left + dot * (shown.left - columns[0])
    y = top + dot * (rows[0] + rows[1] - shown.bottom - shown.rows)
    right, foot = min(x + dot * shown.columns, width - 5), min(y + dot * shown.rows, height - 5)
    x, y = max(x, 5), max(y, 5)
    canvas.box(x - 1, y - 1, right + 1, foot + 1, CHALK, 2)
    canvas.box(x + 1, y + 1, right - 1, foot - 1, mix(SLATE, CHALK, 0.25), 1)
    for at_x, at_y in spots:
        x, y = left + dot * (at_x - columns[0]), top + dot * (rows[0] + rows[1] - 1 - at_y)
        canvas.box(x + 0.5, y + 0.5, x + dot - 0.5, y + dot - 0.5, LAMP)
    return cut(canvas)


# -------------------------------------------------------------------------------------------------------------- drawing


def draw(view: MatchFiveView, names: Sequence[str] = (), shown: Mapping[Where, Pile] | None = None) -> bytes:
    """Return the board as a PNG, with these names on the signs; `shown` are its `piles`, if they are known already.

    The same arguments give the same bytes. Thread-safe.
    """
    shown = piles(view) if shown is None else shown
    last, frame = last_turn(view), _frame(view, shown.keys())
    sheet = _sheet(view, shown, frame, names)
    if last is not None:
        _paste_badges(sheet, last.lines, shown, frame)
    return encode(sheet)


def _frame(view: MatchFiveView, spots: Collection[Where]) -> Window:
    """Return the part of the board that the table's picture shows, given the occupied spots."""
    last = last_turn(view)
    return window(spots, [] if last is None else [(one.x, one.y) for one in last.stones])


def draw_places(
    view: MatchFiveView,
    drafted: Sequence[Stone],
    lines: Sequence[Line],
    places: Sequence[Candidate],
    names: Sequence[str] = (),
) -> bytes:
    """Return the board with the draft, and the highlighted places for its last tile with their points; without places,
    the points of each drafted line.

    Nothing on the board moves while a play is put together, unless the draft needs more space.
    """
    shown = piles(view, drafted, lit=False)
    offers = {
        (place.laying.x, place.laying.y): PlaceMark(place.number, place.points, place.number == 1) for place in places
    }
    focus = [*offers, *((one.x, one.y) for one in drafted)]
    frame = following_window(_frame(view, {(one.x, one.y) for one in view.stones}), {*shown, *offers}, focus)
    shown = with_offers(shown, offers)
    sheet = _sheet(view, shown, frame, names)
    if not places:
        _paste_badges(sheet, lines, shown, frame)
    return encode(sheet)


def draw_hand(hand: Sequence[Tile], raised: Collection[int] = (), dead: Collection[int] = ()) -> bytes:
    """Return a sorted hand on its tray as a PNG; by place in that order: which tiles are raised, and which are
    unusable now.
    """
    sheet = palette().composition(_ground(HEIGHT, HEIGHT + TRAY))
    many = len(hand)
    for place, tile in enumerate(sorted(hand)):
        x, picked, size = _tile_middle(place, many), place in raised, _tile_side(many)
        sheet.paste(_tray_slot(place, many, picked), (x - _pitch(many) // 2, 0))
        piece = sprites.enamel(size, tile, place in dead)
        top = round(tile_scenery.tray_middle(TRAY, size, raised=picked) - size / 2)
        sheet.paste(piece, (x - piece.width // 2, top))
    return encode(sheet)


def _sheet(view: MatchFiveView, shown: Mapping[Where, Pile], frame: Window, names: Sequence[str]) -> Composition:
    sheet = palette().composition(_ground(0, HEIGHT))
    _paste_strip(sheet, view, names)
    paste_board(sheet, shown, frame)
    sheet.placed += _numerals(frame)
    if not frame.whole:
        piece = _map(frozenset(at for at, pile in shown.items() if pile.tiles), frame)
        sheet.paste(piece, _corner(piece, shown, frame))
    return sheet


def _paste_badges(sheet: Composition, lines: Sequence[Line], shown: Mapping[Where, Pile], frame: Window) -> None:
    """The points of these lines."""
    for badge in badges(lines, frame, shown):
        sheet.paste(sprites.badge(badge.words, badge.size, badge.covered), (badge.left, badge.top))


def _paste_strip(sheet: Composition, view: MatchFiveView, names: Sequence[str]) -> None:
    """The signs of the seats, and the bag."""
    seats = len(view.scores)
    width = (WIDTH - _BAG - 6) // seats
    last = view.turns[-1] if view.turns else None
    for seat, (score, tiles) in enumerate(zip(view.scores, view.counts, strict=True)):
        gain = last.points if last is not None and last.seat == seat else 0
        name = names[seat] if seat < len(names) else ""
        sign = Sign(seat, bool(name), tiles, view.turn == seat)
        sheet.placed += _seat(4 + width * seat, width, sign, name, score, gain, view.hand_size)
    sheet.placed.append(_bag(view.bag))


@lru_cache(maxsize=4_096)
def _seat(
    left: int, width: int, seat: Sign, name: str, score: int, gain: int, hand_size: int
) -> tuple[PlacedBitmap, ...]:
    """A seat's sign, with the name shortened to fit, and without its tiles if they would be in the way."""
    numbers = list(scenery.figures(score, gain, width, seat.turn))
    available = width - numbers[-1].left - round(scenery.width(numbers[-1].words, numbers[-1].size)) - 11
    name = fitted_name(name, NAME_SIZE, width - 60)
    shown = replace(seat, named=bool(name), tiles=seat.tiles if available >= PEG * hand_size else 0)
    named = [PlacedBitmap(sprites.name(name, seat.turn), left + NAME_LEFT, NAME_TOP)] if name else []
    figures = [
        sprite
        for one in numbers
        for sprite in sprites.number(
            one.words,
            one.size,
            LAMP if one.bright else CHALK,
            scenery.sign_ground(seat.turn),
            left + one.left,
            one.middle,
        )
    ]
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


def _corner(piece: Bitmap, shown: Mapping[Where, Pile], frame: Window) -> tuple[int, int]:
    """Return the corner of the window where a map hides the fewest piles."""
    x0, y0 = frame.origin
    right, foot = x0 + frame.cell * frame.columns - piece.width, y0 + frame.cell * frame.rows - piece.height

    def hidden(corner: tuple[int, int]) -> int:
        lefts = [frame.corner(*at) for at in shown if frame.shows(*at)]
        return sum(
            corner[0] - frame.cell < x < corner[0] + piece.width
            and corner[1] - frame.cell < y < corner[1] + piece.height
            for x, y in lefts
        )

    return min(((right, foot), (x0, foot), (right, y0), (x0, y0)), key=hidden)
