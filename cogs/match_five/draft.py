"""A play in progress: its tiles and places, its form in a control's argument, and where its tiles may go.

The play travels in the argument of the controls, so it survives a restart and nothing is stored: the tiles laid so far
with their places, two semicolons, the page of places that is shown. Text after a full stop only makes controls
distinct. At a table where tiles are laid by hand, the place in the hand of a tile that was picked up is between the
semicolons.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cogs.core.pages.custom_ids import is_number
from cogs.match_five.layout import part_of
from cogs.match_five.words import dump_laying, read_play
from engine.contract import Refusal
from engine.games.match_five import (
    TILES,
    WILD,
    Board,
    Laying,
    Line,
    MatchFiveView,
    Spot,
    Stone,
    Tile,
    Verdict,
    colour_of,
    handfuls,
    in_one_line,
    judge_play,
    number_of,
    places_of,
    singles,
)


@dataclass(frozen=True)
class Draft:
    """A play in progress: tiles with their places, and the page of places that is shown.

    `held` is the place in the hand of a tile that was picked up and is not laid yet.
    """

    layings: tuple[Laying, ...] = ()
    page: int = 0
    held: int | None = None

    def argument(self, apart: str = "") -> str:
        """Return the draft as an argument; `apart` makes two controls that lead to the same draft distinct."""
        held = "" if self.held is None else self.held
        return f"{' '.join(map(dump_laying, self.layings))};{held};{self.page}{apart and f'.{apart}'}"


class Placement(NamedTuple):
    """A place for a tile, the points that it adds to the play, and the declarations possible for a Wild there,
    the most useful first.
    """

    gain: int
    laying: Laying
    faces: tuple[Tile, ...] = ()

    def ways(self) -> tuple[Laying, ...]:
        """Return every way to lay the tile there."""
        x, y, level = self.laying.x, self.laying.y, self.laying.level
        return tuple(Laying(WILD, x, y, level, face) for face in self.faces) or (self.laying,)


def read_draft(argument: str, view: MatchFiveView) -> Draft | None:
    """Return the draft of an argument, or None. It may not be a legal play."""
    parts = argument.split(";")
    if len(parts) != 3:
        return None
    page = parts[2].partition(".")[0]
    if not (is_number(parts[1] or "0", 3) and is_number(page, 3)):
        return None
    layings = read_play(parts[0], view.stones)
    return None if layings is None else Draft(layings, int(page), int(parts[1]) if parts[1] else None)


# -------------------------------------------------------------------------------------------------------- the hand


def hand_of(view: MatchFiveView) -> tuple[Tile, ...]:
    """Return the reader's hand in display order."""
    return () if view.seat is None else tuple(sorted(view.hands[view.seat] or ()))


def laid_slots(hand: Sequence[Tile], layings: Sequence[Laying]) -> tuple[int, ...] | None:
    """Return the places in the hand of these tiles, or None if not all of them are there."""
    taken: list[int] = []
    for laying in layings:
        slot = next((n for n, tile in enumerate(hand) if tile == laying.tile and n not in taken), None)
        if slot is None:
            return None
        taken.append(slot)
    return tuple(taken)


def swaps(view: MatchFiveView) -> list[tuple[Tile, ...]]:
    """Return the swaps open to the reader: each combination of tiles once, no larger than the bag."""
    if view.seat is None or view.turn != view.seat:
        return []
    return list(handfuls(hand_of(view), view.bag))


# ------------------------------------------------------------------------------------------------------ placements


def stone_of(laying: Laying) -> Stone:
    """Return a tile as it would lie."""
    return Stone(laying.x, laying.y, laying.level, laying.wild_as or laying.tile, laying.tile == WILD)


def points_of(view: MatchFiveView, layings: Sequence[Laying]) -> int | None:
    """Return the points for laying these tiles, or None if that is illegal."""
    verdict = judge_layings(view, layings)
    return None if verdict is None else verdict.points


def judge_layings(view: MatchFiveView, layings: Sequence[Laying]) -> Verdict | None:
    """Return the result of laying these tiles, or None if that is illegal."""
    one_line = view.placement == "one_line"
    try:
        return judge_play(view.stones, hand_of(view), layings, view.bonus, one_line=one_line)
    except Refusal:
        return None


def placements(view: MatchFiveView, layings: Sequence[Laying], tiles: Sequence[Tile]) -> dict[Tile, list[Placement]]:
    """Return where each of these tiles may go after those are laid, the most points first, then beside the last one.

    The declarations of a Wild are sorted by how many of the tiles they combine with.
    """
    known, stones = places_of(view.stones, view.bonus), [stone_of(laying) for laying in layings]
    board, before = known.board, 0
    if stones:
        board = board.copy()
        before = sum(board.lay(stone, view.bonus) for stone in stones)
        before -= points_of(view, layings) or 0  # a tile that lies alone scores without a line
        known = known.after(board, stones)
    wild_laid = any(laying.tile == WILD for laying in layings)
    found: dict[Tile, dict[Spot, list[Laying]]] = {tile: {} for tile in tiles}
    gains: dict[tuple[Tile, Spot], int] = {}
    for one in singles(known, [tile for tile in found if tile != WILD or not wild_laid]):
        (laying,) = one.layings
        spot = Spot(laying.x, laying.y, laying.level)
        gains[laying.tile, spot] = before + one.points
        found[laying.tile].setdefault(spot, []).append(laying)
    return {
        tile: sorted(
            (
                _placement(gains[tile, spot], ways, tiles)
                for spot, ways in places.items()
                if view.placement == "free" or not layings or _in_line(board, layings, stone_of(ways[0]))
            ),
            key=lambda one: (-one.gain, _distance(one.laying, layings), -one.laying.x, -one.laying.y),
        )
        for tile, places in found.items()
    }


def _distance(laying: Laying, before: Sequence[Laying]) -> int:
    """Return how far a place is from the last tile laid; on top of it is a little further than beside it."""
    return abs(laying.x - before[-1].x) + abs(laying.y - before[-1].y) or 2 if before else 0


def _placement(gain: int, ways: Sequence[Laying], hand: Sequence[Tile]) -> Placement:
    """Return a place, given every way to lay the tile there: one, or the declarations of a Wild."""
    if ways[0].wild_as is None:
        return Placement(gain, ways[0])
    best = sorted(ways, key=lambda one: -sum(_combines(one.wild_as, tile) for tile in hand))
    return Placement(gain, best[0], tuple(one.wild_as for one in best if one.wild_as is not None))


def _combines(face: Tile | None, tile: Tile) -> bool:
    """Return whether a declared Wild could lie in a line with a tile."""
    if face is None or tile == WILD or face == tile:
        return False
    return colour_of(face) == colour_of(tile) or number_of(face) == number_of(tile)


def _in_line(board: Board, layings: Sequence[Laying], stone: Stone) -> bool:
    after = board.copy()
    after.lay(stone, 0)
    return in_one_line(after, [*map(stone_of, layings), stone])


@dataclass(frozen=True)
class TurnInProgress:
    """A turn as its player page shows it: the hand, the draft, its score, the places of the tile that can be placed
    now, and places for each tile left.

    `laid` has the places in the hand of the draft's tiles, in the order of laying. The tile that can be placed is the
    one that is held, or the last one laid. `by_hand`: a pressed tile is held until its place is chosen.
    """

    hand: tuple[Tile, ...]
    draft: Draft
    laid: tuple[int, ...]
    lines: tuple[Line, ...]
    points: int
    places: list[Placement]
    offers: dict[Tile, list[Placement]]
    by_hand: bool = False

    def best(self, slot: int) -> Placement | None:
        """Return the place with the most points for a tile of the hand, or None if it fits nowhere or is laid."""
        found = [] if slot in self.laid else self.offers.get(self.hand[slot])
        return found[0] if found else None

    @property
    def before(self) -> tuple[Laying, ...]:
        """The tiles laid before the one that can be placed."""
        return self.draft.layings if self.draft.held is not None else self.draft.layings[:-1]

    @property
    def tile(self) -> Tile:
        """The tile that can be placed."""
        return self.draft.layings[-1].tile if self.draft.held is None else self.hand[self.draft.held]

    @property
    def here(self) -> int | None:
        """The index of the last tile's place among its places; None if there is none, or another tile is held."""
        if self.draft.held is not None or not self.laid:
            return None
        spot = stone_of(self.draft.layings[-1]).spot
        return next(number for number, one in enumerate(self.places) if stone_of(one.laying).spot == spot)

    @property
    def begun(self) -> bool:
        """Whether a tile was laid or picked up."""
        return bool(self.laid) or self.draft.held is not None

    @property
    def stuck(self) -> bool:
        """Whether nothing was laid and nothing can be."""
        return not self.laid and not any(self.best(slot) for slot in range(len(self.hand)))


def turn_in_progress(view: MatchFiveView, draft: Draft, *, by_hand: bool = False) -> TurnInProgress | None:
    """Return a turn with this draft, or None if the draft is illegal."""
    hand, layings, held = hand_of(view), draft.layings, draft.held
    laid = laid_slots(hand, layings)
    if laid is None or (held is not None and (held >= len(hand) or held in laid)):
        return None
    left = [tile for slot, tile in enumerate(hand) if slot not in laid]
    verdict = judge_layings(view, layings) if layings else Verdict((), (), 0)
    if verdict is None:
        return None
    offers = placements(view, layings, left)
    if held is not None:
        places = offers[hand[held]]
    elif not layings:
        places = []
    else:
        last, before = layings[-1].tile, layings[:-1]
        places = placements(view, before, (last, *left))[last] if judge_layings(view, before) or not before else []
        if stone_of(layings[-1]).spot not in [stone_of(one.laying).spot for one in places]:
            return None  # with one_line tiles may not be named in every order
    return TurnInProgress(hand, draft, laid, verdict.lines, verdict.points, places, offers, by_hand)


def without(view: MatchFiveView, layings: Sequence[Laying], number: int) -> tuple[Laying, ...]:
    """Return the tiles laid without this one, or without those after it too if they need it."""
    rest = (*layings[:number], *layings[number + 1 :])
    whole = all(judge_layings(view, rest[:many]) is not None for many in range(number + 1, len(rest) + 1))
    return rest if whole else tuple(layings[:number])


def declarations_of(turn: TurnInProgress) -> tuple[Tile, ...]:
    """Return the declarations possible for the last tile: empty unless it is a Wild."""
    if turn.here is None:
        return ()
    return tuple(sorted(turn.places[turn.here].faces, key=TILES.index))


# --------------------------------------------------------------------------------------------------- pages of places

BEST_PLACES, MORE_PLACES = 4, 8
"""The most places on the first page, and on each of the others."""


def pages_of_places(view: MatchFiveView, places: Sequence[Placement]) -> list[tuple[int, ...]]:
    """Return the indices of the places on each page: the best ones; then, around the best one left, as many as one
    picture shows.
    """
    cells = [(one.laying.x, one.laying.y) for one in places]
    spots = {*cells, *((one.x, one.y) for one in view.stones)}
    pages = [tuple(range(min(BEST_PLACES, len(places))))]
    left = list(range(BEST_PLACES, len(places)))
    while left:
        weights = dict.fromkeys([cells[place] for place in left], 1) | {cells[left[0]]: len(left)}
        frame = part_of(spots, weights)
        page = tuple([place for place in left if frame.shows(*cells[place])][:MORE_PLACES])
        pages.append(page)
        left = [place for place in left if place not in page]
    return pages


def lines_at(view: MatchFiveView, layings: Sequence[Laying]) -> list[tuple[Line, list[Stone]]]:
    """Return the lines of the last of these tiles once they are laid, each with its tiles; none if that is illegal."""
    verdict = judge_layings(view, layings)
    if verdict is None:
        return []
    lying = {one.spot: one for one in (*view.stones, *verdict.stones)}
    last = verdict.stones[-1].spot
    return [(line, [lying[spot] for spot in line.spots]) for line in verdict.lines if last in line.spots]
