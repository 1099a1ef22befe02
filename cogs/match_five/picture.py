"""Match Five as a picture: the board from above, with names on its edges, and the tiles in hand.

A stack shows its top tile, an edge for each tile below and its height as a number. Where the board has grown beyond
what a phone can show, the part around the last play is shown, and a small map of the whole. Views in, bytes and words
out. May import `cogs.core.drawing`, `engine` and its own package.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from cogs.core.drawing import (
    ASH,
    CHALK,
    INK,
    LAMP,
    NIGHT,
    SEAT_MARKS,
    SLATE,
    WIDTH,
    Canvas,
    Scene,
    Sprite,
    encode,
    mix,
    told,
)
from cogs.core.drawing import Colour as Paint
from cogs.match_five.words import column_name, count, hand_words, place_name, row_name, stone_words
from engine.games.match_five import COLOURS, WILD, Colour, MatchFiveView, Stone, Tile, colour_of, number_of

PAINTS: dict[Colour, Paint] = {
    "red": (232, 84, 76),
    "blue": (96, 160, 252),
    "yellow": (252, 224, 88),
    "green": (84, 196, 112),
    "orange": (252, 156, 60),
}

HEIGHT = 800
_TOP = 96  # of the board; above it are the scores
_EDGE = 44  # for the names of columns and rows
_FLOOR: Paint = (36, 40, 52)
_MOST_COLUMNS, _MOST_ROWS = 9, 7
_ROWS_BESIDE_MAP = 6
_HAND = 132  # the height of the strip with the hand
_MAP = 148  # the width of the small map


@dataclass(frozen=True)
class _Window:
    """The part of the board that is shown: columns from `left`, rows from `bottom`, and how large a cell is."""

    left: int
    bottom: int
    columns: int
    rows: int
    cell: int
    mapped: bool = False  # a map of the whole board lies below

    def corner(self, x: int, y: int) -> tuple[int, int]:
        """The upper left corner of a cell in the picture."""
        width, height = self.cell * self.columns, self.cell * self.rows
        x0 = _EDGE + (WIDTH - _EDGE - width) // 2
        y0 = _TOP + (4 if self.mapped else (HEIGHT - _TOP - _EDGE - height) // 2)
        return x0 + self.cell * (x - self.left), y0 + self.cell * (self.rows - 1 - (y - self.bottom))

    def shows(self, x: int, y: int) -> bool:
        return self.left <= x < self.left + self.columns and self.bottom <= y < self.bottom + self.rows


def _window(spots: Sequence[tuple[int, int]], focus: Sequence[tuple[int, int]]) -> _Window:
    """Show everything with a free edge around it; or, if that is too much, the part around the focus."""
    columns = _span([x for x, _ in spots], [x for x, _ in focus], _MOST_COLUMNS)
    rows = _span([y for _, y in spots], [y for _, y in focus], _MOST_ROWS)
    window = _Window(columns[0], rows[0], columns[1], rows[1], _cell(columns[1], rows[1]))
    if all(window.shows(x, y) for x, y in spots):
        return window
    rows = _span([y for _, y in spots], [y for _, y in focus], _ROWS_BESIDE_MAP)
    cell = (WIDTH - _EDGE - 10) // max(columns[1], _MOST_COLUMNS)
    return _Window(columns[0], rows[0], columns[1], rows[1], cell, True)


def _cell(columns: int, rows: int) -> int:
    return min(112, (WIDTH - _EDGE - 10) // columns, (HEIGHT - _TOP - _EDGE - 8) // rows)


def _span(values: Sequence[int], focus: Sequence[int], most: int) -> tuple[int, int]:
    """The first column (or row) that is shown and how many are."""
    low, high = (min(values) - 1, max(values) + 1) if values else (-2, 2)
    while high - low + 1 < 5:
        low, high = low - 1, high + 1
    most = max(most, 5)
    size = high - low + 1
    if size <= most:
        return low, size
    middle = (min(focus) + max(focus)) // 2 if focus else (low + high) // 2
    return min(max(low, middle - most // 2), high - most + 1), most


# --------------------------------------------------------------------------------------------------------------- pieces


def _tile(
    canvas: Canvas, x: float, y: float, size: float, tile: Tile, wild: bool, ghost: bool, stacked: bool = False
) -> None:
    """A tile around (x, y): its number, its colour and the letter of its colour; a Wild has a star."""
    half = size / 2
    paint = CHALK if tile == WILD else PAINTS[colour_of(tile)]
    shade = mix(paint, _FLOOR, 0.55) if ghost else paint
    canvas.box(x - half, y - half, x + half, y + half, CHALK if ghost else INK, size * 0.16)
    canvas.box(x - half + 2.5, y - half + 2.5, x + half - 2.5, y + half - 2.5, shade, size * 0.14)
    ink = CHALK if ghost else INK
    if tile == WILD:
        canvas.text(x, y, "W", size * 0.56, INK)
        return
    aside = -0.03 if stacked else 0.05  # a stack's height stands in the corner
    canvas.text(x + size * aside, y + size * (0.03 if stacked else 0.06), str(number_of(tile)), size * 0.58, ink)
    canvas.text(x - half + size * 0.19, y - half + size * 0.23, tile[0].upper(), size * 0.32, ink)
    if wild:
        canvas.text(x + half - size * 0.2, y - half + size * 0.23, "W", size * 0.3, ink)


def _stack(canvas: Canvas, left: int, top: int, cell: int, stack: "_Stack") -> None:
    """What lies in a cell: an edge for each tile below the top one, the top one, its height, its marks."""
    size = cell * 0.78
    rise = cell * 0.03
    height = stack.height
    x, y = left + cell / 2 - rise * (height - 1) / 2, top + cell / 2 + rise * (height - 1) / 2
    if stack.lit:
        lift = rise * (height - 1)
        canvas.box(
            x - size / 2 - 4, y - size / 2 - 4 - lift, x + size / 2 + 4 + lift, y + size / 2 + 4, LAMP, size * 0.2
        )
    for level in range(height - 1):
        dx = rise * level
        canvas.box(x - size / 2 + dx, y - size / 2 - dx, x + size / 2 + dx, y + size / 2 - dx, INK, size * 0.16)
        canvas.box(
            x - size / 2 + dx + 2, y - size / 2 - dx + 2, x + size / 2 + dx - 2, y + size / 2 - dx - 2, ASH, size * 0.14
        )
    top_x, top_y = x + rise * (height - 1), y - rise * (height - 1)
    _tile(canvas, top_x, top_y, size, stack.tile, stack.wild, stack.ghost, height > 1)
    if height > 1:
        bx, by = top_x + size * 0.36, top_y + size * 0.36
        canvas.disc(bx, by, size * 0.2, INK)
        canvas.text(bx, by, str(height), size * 0.33, CHALK)
    if stack.locked:
        _lock(canvas, top_x - size * 0.3, top_y + size * 0.29, size * 0.17)


def _lock(canvas: Canvas, x: float, y: float, size: float) -> None:
    """A padlock: nothing is laid beside this tile at its level."""
    canvas.disc(x, y - size * 0.55, size * 0.72, INK)
    canvas.disc(x, y - size * 0.55, size * 0.4, LAMP)
    canvas.box(x - size, y - size * 0.5, x + size, y + size, INK, size * 0.3)
    canvas.box(x - size * 0.78, y - size * 0.28, x + size * 0.78, y + size * 0.78, LAMP, size * 0.2)


@dataclass(frozen=True)
class _Stack:
    """What is to be seen in a cell."""

    tile: Tile
    wild: bool
    height: int
    locked: bool = False
    lit: bool = False
    ghost: bool = False


@lru_cache(maxsize=1)
def _scene() -> Scene:
    ground = Canvas(WIDTH, HEIGHT, _FLOOR)
    ground.box(0, 0, WIDTH, _TOP - 6, NIGHT)
    ground.box(0, _TOP - 6, WIDTH, _TOP - 4, INK)
    sample = Canvas(WIDTH, 500, _FLOOR)
    for number, colour in enumerate(COLOURS):
        tile = f"{colour[0]}{number + 1}"
        _stack(sample, 100 * number, 0, 100, _Stack(tile, False, 3, True, True))
        _stack(sample, 100 * number, 120, 100, _Stack(tile, True, 1, False, False, True))
    _tile(sample, 600, 60, 90, WILD, False, False)
    for seat, mark in enumerate(SEAT_MARKS):
        sample.mark(mark, 60 + 100 * seat, 300, 24)
    return Scene(ground.picture(), [sample.picture()], (*PAINTS.values(), _FLOOR, LAMP, ASH))


@lru_cache(maxsize=2048)
def _cell_image(cell: int, stack: _Stack) -> Image.Image:
    """A cell with its stack. All cells have the same ground, so that one picture serves everywhere."""
    scene = _scene()
    canvas = scene.canvas(100, 300, cell, cell)
    _empty(canvas, 100, 300, cell)
    _stack(canvas, 100, 300, cell, stack)
    return scene.sprite(canvas)


@lru_cache(maxsize=64)
def _empty_image(cell: int) -> Image.Image:
    scene = _scene()
    canvas = scene.canvas(100, 300, cell, cell)
    _empty(canvas, 100, 300, cell)
    return scene.sprite(canvas)


def _empty(canvas: Canvas, left: int, top: int, cell: int) -> None:
    canvas.box(left + 2, top + 2, left + cell - 2, top + cell - 2, mix(_FLOOR, INK, 0.28), cell * 0.1)


@lru_cache(maxsize=512)
def _label(words: str, width: int, height: int, size: int) -> Image.Image:
    scene = _scene()
    canvas = scene.canvas(100, 300, width, height)
    canvas.text(100 + width / 2, 300 + height / 2, words, size, ASH)
    return scene.sprite(canvas)


@lru_cache(maxsize=512)
def _score_image(seat: int, score: int, tiles: int, turn: bool, seats: int) -> Image.Image:
    """A seat in the strip on top: its mark, its points, its tiles in hand."""
    scene = _scene()
    width = WIDTH // seats
    canvas = scene.canvas(0, 0, width, _TOP - 8)
    if turn:
        canvas.box(4, 5, width - 4, _TOP - 12, LAMP, 12)
        canvas.box(8, 9, width - 8, _TOP - 16, mix(NIGHT, LAMP, 0.18), 9)
    canvas.mark(SEAT_MARKS[seat], 34, 45, 21)
    canvas.text(66, 34, str(score), 34, CHALK, anchor="lm")
    canvas.text(66, 66, f"{tiles} in hand" if width > 150 else f"{tiles}", 21, ASH, anchor="lm")
    return scene.sprite(canvas)


@lru_cache(maxsize=512)
def _hand_image(hand: tuple[Tile, ...]) -> Image.Image:
    scene = _scene()
    canvas = scene.canvas(0, 0, WIDTH, _HAND)
    canvas.box(0, 0, WIDTH, _HAND, NIGHT)
    canvas.box(0, 0, WIDTH, 3, INK)
    if not hand:
        canvas.text(WIDTH / 2, _HAND / 2, "NO TILES", 30, ASH)
    for place, tile in enumerate(hand):
        x = WIDTH / 2 + (place - (len(hand) - 1) / 2) * 118
        _tile(canvas, x, _HAND / 2 + 2, 96, tile, False, False)
    return scene.sprite(canvas)


@lru_cache(maxsize=128)
def _map_image(spots: frozenset[tuple[int, int]], window: _Window) -> Image.Image:
    """The whole board, small, with a frame around what is shown."""
    scene = _scene()
    low_x, high_x = min(x for x, _ in spots) - 1, max(x for x, _ in spots) + 1
    low_y, high_y = min(y for _, y in spots) - 1, max(y for _, y in spots) + 1
    dot = min(8.0, (_MAP - 12) / max(high_x - low_x + 1, high_y - low_y + 1))
    width, height = round(dot * (high_x - low_x + 1)) + 12, round(dot * (high_y - low_y + 1)) + 12
    canvas = scene.canvas(100, 300, width, height)
    canvas.box(100, 300, 100 + width, 300 + height, INK, 6)
    canvas.box(102, 302, 98 + width, 298 + height, SLATE, 5)
    left, top = 106 + dot * (window.left - low_x), 306 + dot * (high_y - (window.bottom + window.rows - 1))
    canvas.box(left, top, left + dot * window.columns, top + dot * window.rows, mix(SLATE, CHALK, 0.3), 2)
    for x, y in spots:
        px, py = 106 + dot * (x - low_x), 306 + dot * (high_y - y)
        canvas.box(px + 0.6, py + 0.6, px + dot - 0.6, py + dot - 0.6, LAMP)
    return scene.sprite(canvas)


# -------------------------------------------------------------------------------------------------------------- drawing


def draw(view: MatchFiveView, ghosts: Sequence[Stone] = (), hand: Sequence[Tile] | None = None) -> bytes:
    """Return the board as a PNG; `ghosts` are tiles that might be laid, `hand` goes below it.

    The same arguments give the same bytes. Safe in several threads.
    """
    sheet = _scene().sheet()
    for sprite in _sprites(view, ghosts):
        sprite.paste(sheet)
    if hand is None:
        return encode(sheet)
    strip = _hand_image(tuple(sorted(hand)))
    taller = Image.new("P", (WIDTH, HEIGHT + _HAND))
    taller.putpalette(sheet.getpalette() or [])
    taller.paste(sheet, (0, 0))
    taller.paste(strip, (0, HEIGHT))
    return encode(taller)


def draw_hand(hand: Sequence[Tile]) -> bytes:
    """Return a hand as a PNG."""
    return encode(_hand_image(tuple(sorted(hand))))


def _sprites(view: MatchFiveView, ghosts: Sequence[Stone]) -> Iterator[Sprite]:
    seats = len(view.scores)
    for seat in range(seats):
        image = _score_image(seat, view.scores[seat], view.counts[seat], view.turn == seat, seats)
        yield Sprite(image, WIDTH // seats * seat, 0)
    stacks = _stacks(view, ghosts)
    focus = [(one.x, one.y) for one in ghosts] or [(one.x, one.y) for one in _last(view)]
    window = _window(list(stacks), focus)
    for column in range(window.columns):
        for row in range(window.rows):
            x, y = window.left + column, window.bottom + row
            stack = stacks.get((x, y))
            image = _empty_image(window.cell) if stack is None else _cell_image(window.cell, stack)
            yield Sprite(image, *window.corner(x, y))
    yield from _names(window)
    if window.mapped:
        image = _map_image(frozenset(stacks), window)
        yield Sprite(image, (WIDTH - image.width) // 2, HEIGHT - image.height - 8)


def _names(window: _Window) -> Iterator[Sprite]:
    size = 25 if window.cell >= 60 else 21
    for column in range(window.columns):
        left, top = window.corner(window.left + column, window.bottom)
        image = _label(column_name(window.left + column), window.cell, 32, size)
        yield Sprite(image, left, top + window.cell + 3)
    for row in range(window.rows):
        left, top = window.corner(window.left, window.bottom + row)
        image = _label(row_name(window.bottom + row), 42, window.cell, size)
        yield Sprite(image, left - 44, top)


def _last(view: MatchFiveView) -> tuple[Stone, ...]:
    """The stones of the last play."""
    return next((turn.stones for turn in reversed(view.turns) if turn.kind == "play"), ())


def _stacks(view: MatchFiveView, ghosts: Sequence[Stone]) -> dict[tuple[int, int], _Stack]:
    locked = {(spot.x, spot.y, spot.level) for spot in view.locked}
    lit = {one.spot for one in _last(view)} if not ghosts else set()
    tops: dict[tuple[int, int], tuple[Stone, bool]] = {}
    for one, ghost in [*((one, False) for one in view.stones), *((one, True) for one in ghosts)]:
        present = tops.get((one.x, one.y))
        if present is None or one.level > present[0].level:
            tops[one.x, one.y] = one, ghost
    return {
        place: _Stack(one.tile, one.wild, one.level, (*place, one.level) in locked, one.spot in lit, ghost)
        for place, (one, ghost) in tops.items()
    }


# ---------------------------------------------------------------------------------------------------------------- words


def alt(view: MatchFiveView, names: Sequence[str]) -> str:
    """Return the picture in words, the chief first, as many as an alt text holds."""
    return told(_sentences(view, names))


def _sentences(view: MatchFiveView, names: Sequence[str]) -> Iterator[str]:
    if view.turn is None:
        yield "The game is over."
    else:
        yield f"{names[view.turn][:40]} is to play."
    scores = ", ".join(f"{name[:24]} {score}" for name, score in zip(names, view.scores, strict=True))
    yield f"Scores: {scores}."
    yield f"{count(view.bag, 'tile')} in the bag."
    last = _last(view)
    if last:
        laid = ", ".join(f"{stone_words(one)} at {place_name(one.x, one.y)} level {one.level}" for one in last)
        yield f"Last laid: {laid}."
    stacks = sorted(_stacks(view, ()).items(), key=lambda item: (-item[0][1], item[0][0]))
    if not stacks:
        yield "The board is empty."
        return
    yield "On top, row by row from above:"
    rows: dict[int, list[str]] = {}
    for (x, y), stack in stacks:
        height = f" ×{stack.height}" if stack.height > 1 else ""
        lock = " locked" if stack.locked else ""
        rows.setdefault(y, []).append(f"{column_name(x)} {stack.tile}{height}{lock}")
    for y, tiles in rows.items():
        yield f"row {row_name(y)}: {', '.join(tiles)};"


def hand_alt(hand: Sequence[Tile]) -> str:
    """Return a hand in words, as an alt text."""
    return f"Your hand: {hand_words(hand)}."


def as_text(view: MatchFiveView, around: tuple[int, int] | None = None) -> str:
    """Return the board as text of equal letter widths, at most 34 columns wide, around a place or the last play.

    A tile is its letter and number, and a stack has its height behind it: r3 or r3². A w stands before a Wild.
    """
    stacks = _stacks(view, ())
    focus = [around] if around is not None else [(one.x, one.y) for one in _last(view)]
    columns = _span([x for x, _ in stacks], [x for x, _ in focus], 7)
    rows = _span([y for _, y in stacks], [y for _, y in focus], 12)
    raised = " ²³⁴⁵"
    lines = ["    " + " ".join(f"{column_name(columns[0] + n):^3}" for n in range(columns[1]))]
    for n in reversed(range(rows[1])):
        y = rows[0] + n
        cells = []
        for m in range(columns[1]):
            stack = stacks.get((columns[0] + m, y))
            cells.append(" . " if stack is None else f"{stack.tile}{raised[stack.height - 1]}")
        lines.append(f"{row_name(y):>3} " + " ".join(cells))
    lines.append(f"bag {view.bag}")
    return "\n".join(lines)


def stack_text(view: MatchFiveView, x: int, y: int) -> str:
    """Return one stack from the side, the top first."""
    stack = sorted((one for one in view.stones if (one.x, one.y) == (x, y)), key=lambda one: -one.level)
    locked = {(spot.x, spot.y, spot.level) for spot in view.locked}
    lines = [
        f"{one.level}  {'w=' if one.wild else ''}{one.tile}{'  locked' if one.spot in locked else ''}" for one in stack
    ]
    return "\n".join([f"{place_name(x, y)} from the side", *(lines or ["nothing lies there"])])
