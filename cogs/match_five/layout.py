"""The layout of Match Five's pictures: the piles of a board, the part of it that is shown, the badges.

The whole board is shown while its letters can be read on a phone; of a larger board the part that matters now.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import msgspec

from cogs.core.drawing.theme import WIDTH
from cogs.match_five.scenery import RIM, SIDE, STRIP, Area
from cogs.match_five.tile_scenery import Link, Links, Look, Pile, PlaceMark, badge_size
from engine.games.match_five import Line, MatchFiveView, Stone, Tile, Turn

HEIGHT = 650
LEAST_CELL = 70
"""The smallest cell whose letters are legible on a phone: a larger board is shown in part."""

_MOST_CELL = 80
_LEAST_SPAN = 5
_NAMES = 34  # the space for the names of columns and rows

Where = tuple[int, int]
"""A column and a row, counted from the first tile."""


BOARD = Area(RIM + _NAMES, STRIP + 8, WIDTH - RIM - SIDE - _NAMES - 6, HEIGHT - RIM - _NAMES - STRIP - 10)

SLATE_AREA = Area(WIDTH - SIDE + 8, STRIP + 156, SIDE - 16, HEIGHT - STRIP - 156 - RIM - 2)
"""The slate with the map of the whole board, beside the mat."""


@dataclass(frozen=True)
class Window:
    """The part of the board that is shown: columns from `left`, rows from `bottom`, and the size of a cell.

    It is centred in its area, unless it lies `at` a position of it.
    """

    area: Area
    left: int
    bottom: int
    columns: int
    rows: int
    cell: int
    whole: bool = True
    at: tuple[int, int] | None = None

    @cached_property
    def origin(self) -> tuple[int, int]:
        """The upper left corner of its cells in the picture."""
        return self.at or (
            self.area.left + (self.area.width - self.cell * self.columns) // 2,
            self.area.top + (self.area.height - self.cell * self.rows) // 2,
        )

    def corner(self, x: int, y: int) -> tuple[int, int]:
        """Return the upper left corner of a cell in the picture."""
        left, top = self.origin
        return left + self.cell * (x - self.left), top + self.cell * (self.rows - 1 - (y - self.bottom))

    def shows(self, x: int, y: int) -> bool:
        """Return whether it contains a cell."""
        return self.left <= x < self.left + self.columns and self.bottom <= y < self.bottom + self.rows

    def cells(self) -> Iterator[Where]:
        """Yield every cell."""
        for x in range(self.left, self.left + self.columns):
            for y in range(self.bottom, self.bottom + self.rows):
                yield x, y


def whole(spots: Collection[Where], area: Area) -> Window:
    """Show all spots and nothing else, however small."""
    columns, rows = range_of([x for x, _ in spots], 0), range_of([y for _, y in spots], 0)
    cell = max(2, min(_MOST_CELL, area.width // columns[1], area.height // rows[1]))
    return Window(area, columns[0], rows[0], columns[1], rows[1], cell)


def window(spots: Collection[Where], focus: Collection[Where]) -> Window:
    """Show all spots, with the free places around them if they fit; or the part with the most of the focus."""
    across, down = [x for x, _ in spots], [y for _, y in spots]
    for margin in (1, 0):
        columns, rows = range_of(across, margin), range_of(down, margin)
        cell = min(_MOST_CELL, BOARD.width // columns[1], BOARD.height // rows[1])
        if cell >= LEAST_CELL:
            return Window(BOARD, columns[0], rows[0], columns[1], rows[1], cell)
    return part_of(spots, dict.fromkeys(focus, 1))


def part_of(spots: Collection[Where], weights: Mapping[Where, int], before: Window | None = None) -> Window:
    """Show the part of a large board with the cells of most weight, always one of the heaviest; as near as possible to
    the part shown `before`, or with the most tiles around them.
    """
    columns, rows = range_of([x for x, _ in spots]), range_of([y for _, y in spots])
    wide, high = min(columns[1], BOARD.width // LEAST_CELL), min(rows[1], BOARD.height // LEAST_CELL)
    lefts, bottoms = (columns[0], columns[0] + columns[1] - wide), (rows[0], rows[0] + rows[1] - high)
    most = max(weights.values(), default=0)
    aims = [at for at, weight in weights.items() if weight == most] or [(sum(lefts) // 2, sum(bottoms) // 2)]
    if before is None:
        aim = _centre([x for x, _ in aims]) - (wide - 1) / 2, _centre([y for _, y in aims]) - (high - 1) / 2
    else:
        aim = float(before.left), float(before.bottom)

    filled = _counter(spots, columns, rows) if before is None else None

    def value(corner: Where) -> tuple[float, ...]:
        left, bottom = corner
        inside = sum(
            weight for (x, y), weight in weights.items() if left <= x < left + wide and bottom <= y < bottom + high
        )
        around = 0 if filled is None else filled(left, bottom, left + wide, bottom + high)
        return inside, around, -abs(left - aim[0]) - abs(bottom - aim[1])

    corners = {
        (min(max(x - dx, lefts[0]), lefts[1]), min(max(y - dy, bottoms[0]), bottoms[1]))
        for x, y in aims
        for dx in range(wide)
        for dy in range(high)
    }
    left, bottom = max(sorted(corners), key=value)
    return Window(BOARD, left, bottom, wide, high, LEAST_CELL, whole=False)


def _counter(
    spots: Collection[Where], columns: tuple[int, int], rows: tuple[int, int]
) -> Callable[[int, int, int, int], int]:
    """Return what counts the spots from a column and a row up to others, by sums from the first ones on."""
    (left, wide), (bottom, high) = columns, rows
    taken = set(spots)
    sums = [[0] * (high + 1)]
    for x in range(left, left + wide):
        before, total = sums[-1], 0
        column = [0]
        for number, y in enumerate(range(bottom, bottom + high), 1):
            total += (x, y) in taken
            column.append(before[number] + total)
        sums.append(column)

    def count(x0: int, y0: int, x1: int, y1: int) -> int:
        first, last, low, top = sums[x0 - left], sums[x1 - left], y0 - bottom, y1 - bottom
        return last[top] - last[low] - first[top] + first[low]

    return count


def window_on(focus: Collection[Where]) -> Window:
    """Show all of a focus with the cells around it, as large as possible."""
    columns, rows = range_of([x for x, _ in focus]), range_of([y for _, y in focus])
    cell = min(_MOST_CELL, BOARD.width // columns[1], BOARD.height // rows[1])
    return Window(BOARD, columns[0], rows[0], columns[1], rows[1], cell, whole=False)


def reach_of(spots: Collection[Where], frame: Window) -> tuple[range, range]:
    """Return the first columns and the first rows that a window of this size may have on the board."""
    if frame.whole:
        return range(frame.left, frame.left + 1), range(frame.bottom, frame.bottom + 1)
    columns, rows = range_of([x for x, _ in spots]), range_of([y for _, y in spots])
    return (
        range(columns[0], columns[0] + columns[1] - frame.columns + 1),
        range(rows[0], rows[0] + rows[1] - frame.rows + 1),
    )


def moved_window(frame: Window, spots: Collection[Where], left: int, bottom: int) -> Window:
    """Return a window moved to this first column and row, as far as there is something to see."""
    columns, rows = reach_of(spots, frame)
    return replace(frame, left=min(max(left, columns[0]), columns[-1]), bottom=min(max(bottom, rows[0]), rows[-1]))


def _centre(values: Sequence[int]) -> float:
    return (min(values) + max(values)) / 2


def range_of(values: Sequence[int], margin: int = 1) -> tuple[int, int]:
    """Return the first column (or row) of the range that holds these values, and its length."""
    low, high = (min(values) - margin, max(values) + margin) if values else (-2, 2)
    while high - low + 1 < _LEAST_SPAN:
        low, high = low - 1, high + 1
    return low, high - low + 1


def part_around(whole: tuple[int, int], focus: Sequence[int], most: int) -> tuple[int, int]:
    """Return at most this many columns (or rows) of the whole around the focus."""
    low, size = whole
    if size <= most:
        return whole
    middle = (min(focus) + max(focus)) // 2 if focus else low + size // 2
    return min(max(low, middle - most // 2), low + size - most), most


def following_window(before: Window, spots: Collection[Where], weights: Mapping[Where, int]) -> Window:
    """Show these cells in the window in which a board was shown before.

    The window stays as it was if it shows all of them. Otherwise it grows, moving and shrinking cells as little as
    possible; if the board has become too large, it becomes a part.
    """
    if all(before.shows(*at) for at in weights):
        return before
    left, columns = _reach(before.left, before.columns, [x for x, _ in weights])
    bottom, rows = _reach(before.bottom, before.rows, [y for _, y in weights])
    cell = min(before.cell, BOARD.width // columns, BOARD.height // rows)
    if not before.whole or cell < LEAST_CELL:
        return part_of(spots, weights, before)
    found = Window(BOARD, left, bottom, columns, rows, cell)
    if cell < before.cell:
        return found
    x, y = before.corner(left, bottom + rows - 1)
    spare = BOARD.width - cell * columns, BOARD.height - cell * rows
    at = min(max(x, BOARD.left), BOARD.left + spare[0]), min(max(y, BOARD.top), BOARD.top + spare[1])
    return replace(found, at=at)


def _reach(first: int, many: int, values: Sequence[int]) -> tuple[int, int]:
    """Return the range of columns (or rows) extended to these values."""
    low, high = min(first, *values), max(first + many - 1, *values)
    return low, high - low + 1


# ---------------------------------------------------------------------------------------------------------------- piles


def last_turn(view: MatchFiveView) -> Turn | None:
    """Return the last turn in which somebody laid tiles."""
    return next((turn for turn in reversed(view.turns) if turn.kind == "play"), None)


def piles(view: MatchFiveView, drafted: Sequence[Stone] = (), *, lit: bool = True) -> dict[Where, Pile]:
    """Return the content of every occupied cell; the last play is highlighted, or the draft."""
    last = last_turn(view) if lit and not drafted else None
    looks: dict[Where, Look] = {}
    if last is not None:
        looks = {(one.x, one.y): "new" for one in last.stones}
    looks |= {(one.x, one.y): "draft" for one in drafted}
    looks |= {(one.x, one.y): "last" for one in drafted[-1:]}
    tiles: dict[Where, tuple[Tile, ...]] = {}
    wild: dict[Where, bool] = {}
    for one in (*view.stones, *drafted):  # in the order of laying: the lower ones come first
        at = one.x, one.y
        tiles[at] = (*tiles.get(at, ()), one.tile)
        wild[at] = one.wild
    locked = {(x, y) for x, y, level in view.locked if len(tiles.get((x, y), ())) == level}  # it is the top one
    found = {at: Pile(stack, wild[at], looks.get(at, "plain"), at in locked) for at, stack in tiles.items()}
    return found if last is None else with_links(found, last.lines)


def with_links(shown: dict[Where, Pile], lines: Iterable[Line]) -> dict[Where, Pile]:
    """Return the piles with these lines lit."""
    links = _links(lines, shown)
    return {at: msgspec.structs.replace(pile, links=links[at]) if at in links else pile for at, pile in shown.items()}


def _covered(line: Line, lying: Mapping[Where, Pile]) -> bool:
    """Return whether something lies on a tile of a row or a column."""
    return line.axis != "stack" and any(level < lying[x, y].height for x, y, level in line.spots if (x, y) in lying)


def _links(lines: Iterable[Line], lying: Mapping[Where, Pile]) -> dict[Where, Links]:
    """Return for each cell the directions in which a line continues, preferring visible lines to covered ones."""
    found: dict[Where, dict[Where, Link]] = {}
    for line in lines:
        link: Link = "covered" if _covered(line, lying) else "seen"
        for one, other in pairwise(line.spots):
            step = other.x - one.x, other.y - one.y
            for at, way in (((one.x, one.y), step), ((other.x, other.y), (-step[0], -step[1]))):
                ways = found.setdefault(at, {})
                if link == "seen" or way not in ways:
                    ways[way] = link
    return {
        at: (
            ways.get((-1, 0), ""),
            ways.get((1, 0), ""),
            ways.get((0, 1), ""),
            ways.get((0, -1), ""),
        )
        for at, ways in found.items()
    }


def with_offers(shown: Mapping[Where, Pile], offers: Mapping[Where, PlaceMark]) -> dict[Where, Pile]:
    """Return the piles with their offers; the drafted tile's own place shows the number alone."""
    found = dict(shown)
    for at, offer in offers.items():
        pile = shown.get(at, Pile(()))
        here = {"number": offer.number} if pile.look == "last" else {"offer": offer}
        found[at] = msgspec.structs.replace(pile, **here)
    return found


# --------------------------------------------------------------------------------------------------------------- badges


Box = tuple[int, int, int, int]
"""Left, top, width and height."""

_MAX_COST = 1_000_000
"""A cost above any real one."""


@dataclass(frozen=True)
class Badge:
    """The points of a line, the badge's position, and whether other tiles cover the line."""

    words: str
    size: int
    left: int
    top: int
    covered: bool


def badges(lines: Sequence[Line], shown: Window, lying: Mapping[Where, Pile]) -> Iterator[Badge]:
    """Yield a badge for each line, beside one of its ends where it fits, without overlaps."""
    size = max(17, min(26, round(shown.cell * 0.31)))
    placed: list[Box] = []
    for line in sorted(lines, key=lambda one: -one.points):
        words, covered = f"+{line.points}", _covered(line, lying)
        width, height = badge_size(words, size, covered)
        least, place = _MAX_COST, None
        for x, y in _candidates(line, shown, width, height):
            box = round(x - width / 2), round(y - height / 2), width, height
            cost = _cost(box, shown, lying, placed, least)
            if cost < least:
                least, place = cost, box
            if not least:
                break
        if place is not None:
            placed.append(place)
            yield Badge(words, size, place[0], place[1], covered)


def _candidates(line: Line, shown: Window, width: int, height: int) -> Iterator[tuple[float, float]]:
    """Yield positions for a line's badge, best first: beyond its ends, then on its borders."""
    half = shown.cell / 2
    inside = [shown.corner(x, y) for x, y, _ in line.spots if shown.shows(x, y)]
    if not inside:
        return
    centres = [(left + half, top + half) for left, top in inside]
    (x0, y0), (x1, y1) = centres[0], centres[-1]
    match line.axis:
        case "x":
            yield max(x0, x1) + half + width / 2 - 4, y0
            yield min(x0, x1) - half - width / 2 + 4, y0
        case "y":
            yield x0, min(y0, y1) - half - height / 2 + 4
            yield x0, max(y0, y1) + half + height / 2 - 4
        case "stack":
            for dx, dy in ((1, -1), (-1, -1), (1, 1), (-1, 1)):
                yield x0 + dx * half, y0 + dy * half
    for (ax, ay), (bx, by) in pairwise(centres):
        x, y = (ax + bx) / 2, (ay + by) / 2
        aside = (0, half) if ax != bx else (half, 0)
        yield x - aside[0], y - aside[1]
        yield x + aside[0], y + aside[1]


def _cost(box: Box, shown: Window, taken: Collection[Where], placed: Sequence[Box], least: int) -> int:
    """Return the cost of a badge's position: outside the mat, on a name, on another badge, on plates, from worst to
    mildest. A cost above `least` is not computed to the end.
    """
    left, top, width, height = box
    right, foot = left + width, top + height
    area, cell = shown.area, shown.cell
    x0, y0 = shown.origin
    cost = 0
    if left < area.left - 30 or right > area.left + area.width + 8:
        cost += 10_000
    if top < area.top - 6 or foot > area.top + area.height + 30:
        cost += 10_000
    if left < x0 - 2 or foot > y0 + cell * shown.rows + 2:
        cost += 5_000  # the names of rows and columns are there
    for other in placed:
        if cost >= least:
            return cost
        cost += 2 * _overlap(box, other)
    edge, core = cell // 4, cell // 2  # a plate's number is there
    for column in {(left - x0) // cell, (right - x0) // cell}:
        x = x0 + cell * column
        for row in {(top - y0) // cell, (foot - y0) // cell}:
            if cost >= least:
                return cost
            if (shown.left + column, shown.bottom + shown.rows - 1 - row) in taken:
                y = y0 + cell * row
                cost += _overlap(box, (x, y, cell, cell)) // 4
                cost += 3 * _overlap(box, (x + edge, y + edge, core, core))
    return cost


def _overlap(one: Box, other: Box) -> int:
    """Return the number of pixels that two boxes share."""
    ax, ay, awide, ahigh = one
    bx, by, bwide, bhigh = other
    # Comparisons, since `min` and `max` are calls, and this runs hundreds of times per picture.
    across = (ax + awide if ax + awide < bx + bwide else bx + bwide) - (ax if ax > bx else bx)
    if across <= 0:
        return 0
    down = (ay + ahigh if ay + ahigh < by + bhigh else by + bhigh) - (ay if ay > by else by)
    return across * down if down > 0 else 0
