"""The search for plays: every play of one tile, and the best plays of more tiles that a beam search finds.

Free plays are too many to list. But a spot keeps its score as long as no tile changes it, so the score of a play of
many tiles is mostly a sum, and only the spots around the tiles laid are examined again.
"""

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter, itemgetter

import msgspec

from engine.games.match_five.board import (
    AS_WILD,
    BIT,
    CODE,
    Board,
    Code,
    Key,
    Opening,
    TileSet,
    key_of,
    spot_of,
    value_of,
)
from engine.games.match_five.lines import Laid, Lines
from engine.games.match_five.types import FIVE, TILES, WILD, Laying, Stone, Tile

WIDTH = 3
"""How many partial plays are continued, tile by tile, when plays are listed."""

LISTED = 20
"""How many plays of each number of tiles above one are listed."""

FACES = 3
"""How many tiles a Wild may represent are tried at a spot, once other tiles lie beside it."""


class Found(msgspec.Struct, frozen=True):
    """A play, and what it scores."""

    points: int
    layings: tuple[Laying, ...]


class Draft(msgspec.Struct, frozen=True):
    """A partial play: its score, the tiles laid, in order, and the tiles left; a number that identifies the tiles laid,
    in any order; the board with them; and the spots at which it differs from the board before the turn.
    """

    points: int
    laid: tuple[tuple[Key, Code], ...]
    left: tuple[Tile, ...]
    mark: int
    board: Board
    changed: dict[Key, Opening | None]


Way = tuple[int, Key, Code]
"""A way to lay one more tile: what the play scores then, and what is laid where."""


class Step(msgspec.Struct, frozen=True):
    """One more tile in a partial play, and what the play scores with it."""

    points: int
    draft: Draft
    key: Key
    code: Code

    @property
    def laid(self) -> tuple[tuple[Key, Code], ...]:
        """The tiles of the play, in the order of laying."""
        return (*self.draft.laid, (self.key, self.code))

    @property
    def tile(self) -> Tile:
        """The tile that is laid."""
        return tile_of(self.code)

    @property
    def left(self) -> tuple[Tile, ...]:
        """The tiles left in hand."""
        left = list(self.draft.left)
        left.remove(self.tile)
        return tuple(left)

    @property
    def mark(self) -> int:
        """A number that identifies the tiles laid, in any order."""
        return self.draft.mark ^ hash((self.key, self.code))


class Places:
    """What may be laid where on a board before a turn. `bonus` is for a line of five.

    `frontier` is what is known of the board's frontier, in its order; without it every spot is examined.
    """

    def __init__(self, board: Board, bonus: int, frontier: dict[Key, Opening | None] | None = None) -> None:
        self.board = board
        self.bonus = bonus
        if frontier is None:
            frontier = {key: board.opening(key, bonus) for key in board.frontier()}
        self._frontier = frontier
        self.openings = {key: opening for key, opening in frontier.items() if opening is not None}
        self._ranked: dict[Tile, list[tuple[int, Key]]] = {}

    def after(self, board: Board, stones: Iterable[Stone]) -> "Places":
        """Return the same for the next turn, on a board with these additional stones. Only spots around them are
        examined.
        """
        laid = [key_of(*stone.spot) for stone in stones]
        frontier = self._frontier.copy()
        for key in laid:
            frontier.pop(key, None)
            for spot in board.beside(key):
                frontier.setdefault(spot)
        for spot in {spot for key in laid for spot in board.around(key)}:
            if spot in frontier:
                frontier[spot] = board.opening(spot, self.bonus)
        return Places(board, self.bonus, frontier)

    def ranked(self, tile: Tile) -> list[tuple[int, Key]]:
        """Return where a tile may be laid and what it scores there, by points, descending."""
        found = self._ranked.get(tile)
        if found is None:
            if tile == WILD:
                found = [(one.points, key) for key, one in self.openings.items() if one.wild]
            else:
                bit, value = BIT[tile], value_of(CODE[tile])
                found = [(one.points + value * one.lines, key) for key, one in self.openings.items() if one.fits & bit]
            found.sort(key=itemgetter(0), reverse=True)
            self._ranked[tile] = found
        return found

    def begin(self, hand: Sequence[Tile]) -> Draft:
        """Return the play in which nothing has been laid."""
        return Draft(0, (), tuple(hand), 0, self.board, {})

    def lay(self, step: Step) -> Draft:
        """Return the partial play with one more tile."""
        draft, key = step.draft, step.key
        board = draft.board.copy()
        board.put(key, step.code, self.bonus)
        changed = draft.changed.copy()
        for spot in board.around(key):
            changed[spot] = board.opening(spot, self.bonus)
        changed[key] = None
        return Draft(step.points, step.laid, step.left, step.mark, board, changed)

    def steps(self, draft: Draft, most: int) -> Iterator[Way]:
        """Yield the ways to lay one more tile: for each tile all spots where something has changed, and the best `most`
        of the others.
        """
        wild_laid = any(code >= AS_WILD for _, code in draft.laid)
        for tile in dict.fromkeys(draft.left):
            if tile == WILD and wild_laid:
                continue
            yield from self._steps(draft, tile, most)

    def _steps(self, draft: Draft, tile: Tile, most: int) -> Iterator[Way]:
        points, changed = draft.points, draft.changed
        wild = tile == WILD
        bit = 0 if wild else BIT[tile]
        code = 0 if wild else CODE[tile]
        value = 0 if wild else value_of(code)
        for key, opening in changed.items():
            if opening is None:
                continue
            if wild:
                if opening.wild:
                    for face in self._faces(draft, opening.fits):
                        yield points + opening.points, key, face
            elif opening.fits & bit:
                yield points + opening.points + value * opening.lines, key, code
        for gain, key in self.ranked(tile):
            if key in changed:
                continue
            if wild:
                for face in self._faces(draft, self.openings[key].fits):
                    yield points + gain, key, face
            else:
                yield points + gain, key, code
            most -= 1
            if not most:
                return

    def _faces(self, draft: Draft, fits: TileSet) -> list[Code]:
        """Return what a Wild might represent: first what goes together with most of the hand."""
        plain = [CODE[tile] for tile in draft.left if tile != WILD]
        faces = [code for code in range(len(TILES)) if fits >> code & 1]
        faces.sort(key=lambda face: -sum(_together(face, code) for code in plain))
        return [face + AS_WILD for face in faces[:FACES]]


def beam(
    places: Places, hand: Sequence[Tile], width: int, most: int, *, one_line: bool = False
) -> Iterator[list[Step]]:
    """Yield the best plays of one tile, then of two, and so on, each time by points, descending.

    Each list has at most `most` plays, found by continuing the best `width` of the previous list. With `one_line` the
    plays of several tiles are found exactly instead.
    """
    if one_line:
        yield from _in_one_line(places, hand, most)
        return
    drafts = [places.begin(hand)] if hand else []
    while drafts:
        found: dict[int, tuple[int, Draft, Key, Code]] = {}
        for draft in drafts:
            mark = draft.mark
            for points, key, code in places.steps(draft, most):
                found.setdefault(mark ^ hash((key, code)), (points, draft, key, code))
        best = sorted(found.values(), key=itemgetter(0), reverse=True)[:most]
        ranked = [Step(*one) for one in best]
        if not ranked:
            return
        yield ranked
        drafts = [places.lay(step) for step in ranked[:width]] if len(drafts[0].left) > 1 else []


def _in_one_line(places: Places, hand: Sequence[Tile], most: int) -> Iterator[list[Step]]:
    draft = places.begin(hand)
    alone: dict[int, Step] = {}
    for points, key, code in places.steps(draft, most):
        alone.setdefault(hash((key, code)), Step(points, draft, key, code))
    yield sorted(alone.values(), key=attrgetter("points"), reverse=True)[:most]
    lines = Lines(places.board, places.bonus, places.openings, hand)
    for size in range(2, min(FIVE, len(hand)) + 1):
        yield [_stepped(places, draft, points, laid) for points, laid in lines.best(size, most)]


def _stepped(places: Places, draft: Draft, points: int, laid: Laid) -> Step:
    """Return a play that was found in one go as if it had been made tile by tile."""
    *first, (last_key, last_code) = laid
    for key, code in first:
        draft = places.lay(Step(0, draft, key, code))
    return Step(points, draft, last_key, last_code)


def singles(places: Places, hand: Sequence[Tile]) -> list[Found]:
    """Return every play of one tile, by points, descending; a Wild as everything that it may represent."""
    alone = places.board.empty
    found: list[Found] = []
    for tile in dict.fromkeys(hand):
        for points, key in places.ranked(tile):
            spot = spot_of(key)
            if tile != WILD:
                found.append(Found(value_of(CODE[tile]) if alone else points, (Laying(tile, *spot),)))
                continue
            fits = places.openings[key].fits
            found += [
                Found(points, (Laying(WILD, *spot, face),)) for code, face in enumerate(TILES) if fits >> code & 1
            ]
    found.sort(key=attrgetter("points"), reverse=True)
    return found


def plays(places: Places, hand: Sequence[Tile], *, one_line: bool = False) -> Iterator[Found]:
    """Yield plays of this hand, by points, descending: all of one tile, and the best that are found of more tiles."""
    found = singles(places, hand)
    named: dict[tuple[Key, Code], Laying] = {}
    levels = beam(places, hand, WIDTH, LISTED, one_line=one_line)
    next(levels, None)
    for level in levels:
        for step in level:
            layings = []
            for one in step.laid:
                if one not in named:
                    named[one] = laying_of(*one)
                layings.append(named[one])
            found.append(Found(step.points, tuple(layings)))
    found.sort(key=attrgetter("points"), reverse=True)
    yield from found


def tile_of(code: Code) -> Tile:
    """Return the tile in hand that became this code on the board."""
    return WILD if code >= AS_WILD else TILES[code]


def laying_of(key: Key, code: Code) -> Laying:
    """Return a tile on the board as it is named in an action."""
    if code >= AS_WILD:
        return Laying(WILD, *spot_of(key), TILES[code - AS_WILD])
    return Laying(TILES[code], *spot_of(key))


def _together(one: Code, other: Code) -> bool:
    return one != other and (one // FIVE == other // FIVE or one % FIVE == other % FIVE)
