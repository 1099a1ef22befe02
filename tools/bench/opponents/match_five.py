"""Match Five's opponents.

Three take the most points now: laying freely tile by tile (`greedy`), by a beam search over partial plays (`beam`), or
in one line (`liner`). Two lay freely and look ahead: `keeper` demands more of a play that spends the Wild or leaves a
poor hand, and `answerer` tries the next player's best answers with sampled hands.

They keep their own board, a dict from (x, y, level) to a tile, and know the rules from the rule book.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from engine.contract import Action
from engine.games.match_five import Laying, MatchFiveView, Pass, Play, Swap
from engine.players import Budget, Intent, Player

WIDTH = 25
"""Partial plays kept for the next tile."""

At = tuple[int, int, int]
Tile = tuple[str, str, bool]
"""A colour, a number, and whether it is a Wild."""
Tiles = dict[At, Tile]

WAYS: tuple[At, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
FACES = [colour + number for colour in "rbygo" for number in "12345"]


class Spot(NamedTuple):
    """What may be laid at a free position: which faces, whether as a Wild, the points of the lines without the tile
    itself, and how many lines count it.
    """

    fits: frozenset[str]
    wild: bool
    points: int
    lines: int


class Draft(NamedTuple):
    """A partial play: its score so far, the tiles laid and left, and the board with them. `spots` caches what may be
    laid at free positions; None where nothing may.
    """

    points: int
    laid: tuple[Laying, ...]
    left: tuple[str, ...]
    tiles: Tiles
    new: frozenset[At]
    open: frozenset[At]
    shut: frozenset[At]
    spots: dict[At, Spot | None]


class Line(NamedTuple):
    """The tiles on both sides of a free position: which faces make a series with them, whether one is a Wild, and their
    points with one more.
    """

    fits: frozenset[str]
    wild: bool
    points: int


def greedy(view: MatchFiveView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Lay tile after tile anywhere, always the one that scores the most now."""
    return _answer(view, legal, _best(view, free=True, width=1))


def beam(view: MatchFiveView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Lay tile after tile anywhere, keeping the 25 best partial plays; take the one that scores the most."""
    return _answer(view, legal, _best(view, free=True))


def liner(view: MatchFiveView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Take the play in one common line that scores the most."""
    return _answer(view, legal, _best(view, free=False))


def keeper(view: MatchFiveView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Take the play that scores the most, less its cost for the hand."""
    return _answer(view, legal, max(_candidates(view, 60), key=lambda draft: _kept(view, draft), default=None))


def answerer(view: MatchFiveView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Take the play that scores the most, less what likely hands of the next player score after it, laid greedily."""
    found = sorted(_candidates(view, WIDTH), key=lambda draft: -_total(view, draft))[:8]
    if len(found) < 2 or view.seat is None:
        return _answer(view, legal, found[0] if found else None)
    rival = (view.seat + 1) % len(view.counts)
    unseen = [face for face in FACES for _ in range(_copies(view))] + ["w"] * _wilds(view)
    for one in (*_hand(view), *("w" if stone.wild else stone.tile for stone in view.stones)):
        unseen.remove(one)
    boards = [draft._replace(points=0, laid=(), new=frozenset(), spots={}) for draft in found]
    lost = [0.0] * len(found)
    tried = 0
    while unseen and tried < 12 and not (tried >= 3 and budget.spent()):
        hand = tuple(rng.sample(unseen, min(len(unseen), view.counts[rival])))
        for number, board in enumerate(boards):
            lost[number] += _most(board._replace(left=hand), view.bonus)
        tried += 1
    worth = [_total(view, draft) - 0.8 * total / max(1, tried) for draft, total in zip(found, lost, strict=True)]
    return _answer(view, legal, found[worth.index(max(worth))])


def _answer(view: MatchFiveView, legal: Sequence[Action], best: Draft | None) -> Intent | None:
    if not legal:
        return None
    if best is not None:
        return Intent(Play(best.laid), 1_000)
    if not view.bag:
        return Intent(Pass(), 1_000)
    return Intent(Swap(_hand(view)[: view.bag]), 1_000)


def _hand(view: MatchFiveView) -> tuple[str, ...]:
    own = view.hands[view.seat] if view.seat is not None else None
    return own or ()


def _best(view: MatchFiveView, free: bool, width: int = WIDTH) -> Draft | None:
    """Return the best play found; its points include, with an empty bag, the saved cost of the hand."""
    return max(_candidates(view, width, free=free), key=lambda draft: _total(view, draft), default=None)


def _total(view: MatchFiveView, draft: Draft) -> int:
    """Return the score of a play, less the cost of the hand if it cannot be refilled."""
    saved = 0 if view.bag else -sum(view.wild_left if one == "w" else int(one[1]) for one in draft.left)
    if not view.stones and len(draft.laid) == 1:
        return saved + (0 if draft.laid[0].wild_as else int(draft.laid[0].tile[1]))
    return draft.points + saved


def _kept(view: MatchFiveView, draft: Draft) -> float:
    pairs = sum(
        0.6 * ((one[0] == other[0]) != (one[1] == other[1]))
        for number, one in enumerate(draft.left)
        for other in draft.left[:number]
        if "w" not in (one, other)
    )
    return _total(view, draft) + (pairs + 5 * ("w" in draft.left) if view.bag else 0)


def _copies(view: MatchFiveView) -> int:
    return (len(view.stones) + view.bag + sum(view.counts)) // len(FACES)


def _wilds(view: MatchFiveView) -> int:
    return (len(view.stones) + view.bag + sum(view.counts)) % len(FACES)


def _most(now: Draft, bonus: int) -> int:
    """Return the score of a hand, laid tile by tile where each scores the most."""
    while True:
        points, laying = max(_grown(now, bonus, False), key=lambda one: one[0], default=(0, None))
        if laying is None or points <= now.points:
            return now.points
        now = _lay(points, now, laying, False)


def _candidates(view: MatchFiveView, width: int, *, free: bool = True) -> list[Draft]:
    """Return the partial plays that a beam search keeps: those with the most points of each number of tiles."""
    tiles = {(one.x, one.y, one.level): (one.tile[0], one.tile[1], one.wild) for one in view.stones}
    shut = frozenset(end for at in tiles for end in _ends(tiles, at))
    opened = frozenset(spot for at in tiles for spot in _around(at)) - tiles.keys() or frozenset([(0, 0, 1)])
    drafts = [Draft(0, (), _hand(view), tiles, frozenset(), opened, shut, {})]
    kept: list[Draft] = []
    in_line = view.placement == "one_line" or not free
    while drafts:
        found: dict[frozenset[tuple[At, str, bool]], tuple[int, Draft, Laying]] = {}
        for draft in drafts:
            laid = frozenset(map(_mark, draft.laid))
            for points, laying in _grown(draft, view.bonus, in_line):
                found.setdefault(laid | {_mark(laying)}, (points, draft, laying))
        ranked = sorted(found.values(), key=lambda one: -one[0])
        drafts = [_lay(*one, in_line) for one in ranked[:width]]
        kept += drafts
    return kept


def _mark(laying: Laying) -> tuple[At, str, bool]:
    return (laying.x, laying.y, laying.level), laying.wild_as or laying.tile, laying.tile == "w"


def _grown(draft: Draft, bonus: int, in_line: bool) -> Iterator[tuple[int, Laying]]:
    """Yield every way to lay one more tile, with the points of the whole play."""
    plain = [one for one in dict.fromkeys(draft.left) if one != "w"]
    wild = "w" in draft.left and not any(one.wild_as for one in draft.laid)
    for at in sorted(draft.open):
        if at not in draft.spots:
            draft.spots[at] = _spot(draft, at, bonus, in_line)
        spot = draft.spots[at]
        if spot is None:
            continue
        points = draft.points + spot.points
        for face in plain:
            if face in spot.fits:
                yield points + int(face[1]) * spot.lines, Laying(face, *at)
        if wild and spot.wild:
            for face in FACES:
                if face in spot.fits:
                    yield points, Laying("w", *at, face)


def _spot(draft: Draft, at: At, bonus: int, in_line: bool) -> Spot | None:
    """Return what may be laid at a free position, None if nothing may."""
    if at[2] > 5 or (at[2] > 1 and _step(at, WAYS[2], -1) not in draft.tiles):
        return None
    if any(near in draft.shut for near in _around(at)[:4]):
        return None
    runs = [(_run(draft.tiles, at, way, -1), _run(draft.tiles, at, way, 1)) for way in WAYS]
    if in_line and not _common(at, runs, draft.new):
        return None
    lines = [
        _line(tuple(draft.tiles[one] for one in (*before, *after)), bonus) for before, after in runs if before or after
    ]
    fits = frozenset(FACES).intersection(*(line.fits for line in lines))
    points = sum(line.points for line in lines)
    for part in (part for run in runs for part in run):
        if len(part) > 1 and not draft.new.isdisjoint(part):
            points -= _worth([draft.tiles[one] for one in part], bonus, 0)
    return Spot(fits, not any(line.wild for line in lines), points, len(lines)) if fits else None


def _common(at: At, runs: list[tuple[list[At], list[At]]], new: frozenset[At]) -> bool:
    return not new or any(new <= {at, *before, *after} for before, after in runs)


def _lay(points: int, draft: Draft, laying: Laying, in_line: bool) -> Draft:
    at, face = (laying.x, laying.y, laying.level), laying.wild_as or laying.tile
    tiles = {**draft.tiles, at: (face[0], face[1], laying.tile == "w")}
    left = list(draft.left)
    left.remove(laying.tile)
    opened = (draft.open | set(_around(at))) - tiles.keys()
    shut = draft.shut.union(_ends(tiles, at))
    spots: dict[At, Spot | None] = {}
    if len(shut) == len(draft.shut):
        # Only the next free position in each direction has the tile in a line; in one line, nothing fits elsewhere.
        spots = dict.fromkeys(draft.spots) if in_line else dict(draft.spots)
        for way in WAYS:
            for sign in (-1, 1):
                spots.pop(_step((_run(tiles, at, way, sign) or [at])[-1], way, sign), None)
    return Draft(points, (*draft.laid, laying), tuple(left), tiles, draft.new | {at}, opened, shut, spots)


def _step(at: At, way: At, times: int) -> At:
    return (at[0] + way[0] * times, at[1] + way[1] * times, at[2] + way[2] * times)


def _around(at: At) -> list[At]:
    """Return the four adjacent positions, and the one on top."""
    x, y, level = at
    return [(x + 1, y, level), (x - 1, y, level), (x, y + 1, level), (x, y - 1, level), (x, y, level + 1)]


def _run(tiles: Tiles, at: At, way: At, sign: int) -> list[At]:
    found = []
    along_x, along_y, up = way[0] * sign, way[1] * sign, way[2] * sign
    while (at := (at[0] + along_x, at[1] + along_y, at[2] + up)) in tiles:
        found.append(at)
    return found


def _ends(tiles: Tiles, at: At) -> Iterator[At]:
    """Yield the first and the last tile of each level line of five through this tile."""
    for way in WAYS[:2]:
        line = [*reversed(_run(tiles, at, way, -1)), at, *_run(tiles, at, way, 1)]
        if len(line) == 5:
            yield from (line[0], line[-1])


@lru_cache(maxsize=10_000)
def _line(tiles: tuple[Tile, ...], bonus: int) -> Line:
    fits = frozenset(face for face in FACES if _series([*tiles, (face[0], face[1], False)]))
    return Line(fits, any(wild for _, _, wild in tiles), _worth(tiles, bonus, 1))


def _series(line: Sequence[Tile]) -> bool:
    colours, numbers = {one[0] for one in line}, {one[1] for one in line}
    wilds = sum(one[2] for one in line)
    return wilds <= 1 and sorted((len(colours), len(numbers))) == [1, len(line)] and len(line) <= 5


def _worth(line: Sequence[Tile], bonus: int, more: int) -> int:
    """Return the points of a line, of which `more` tiles are still to be counted."""
    return sum(0 if wild else int(number) for _, number, wild in line) + (bonus if len(line) + more == 5 else 0)


OPPONENTS: dict[str, Player] = {
    "greedy": greedy,
    "beam": beam,
    "liner": liner,
    "keeper": keeper,
    "answerer": answerer,
}
