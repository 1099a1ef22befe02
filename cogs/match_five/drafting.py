"""A play that is being put together: what it is, how a control carries it, where its next tile may go.

What is put together travels in the argument of the controls, so it survives a restart and nothing is kept: the tiles
laid so far, written as people write them, a semicolon, the place in the hand of the tile chosen next, a semicolon, the
page of its places. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cogs.match_five.words import read_play, written
from engine.contract import Refusal
from engine.games.match_five import (
    TILES,
    WILD,
    Board,
    Laying,
    MatchFiveView,
    Places,
    Spot,
    Stone,
    Tile,
    board_of,
    colour_of,
    handfuls,
    in_one_line,
    judge_play,
    number_of,
    singles,
)


@dataclass(frozen=True)
class Draft:
    """A play that is being put together: tiles with their places, which tile of the hand is chosen next, and which page
    of its places is shown.
    """

    layings: tuple[Laying, ...] = ()
    slot: int | None = None
    page: int = 0

    def argument(self) -> str:
        """Return it as an argument."""
        slot = "" if self.slot is None else str(self.slot)
        return f"{' '.join(map(written, self.layings))};{slot};{self.page}"


class Offer(NamedTuple):
    """A place for a tile, what it adds to the points of the play, and everything that a Wild may stand for there, the
    most useful first.
    """

    gain: int
    laying: Laying
    faces: tuple[Tile, ...] = ()

    def ways(self) -> tuple[Laying, ...]:
        """Return every way to lay the tile there."""
        x, y, level = self.laying.x, self.laying.y, self.laying.level
        return tuple(Laying(WILD, x, y, level, face) for face in self.faces) or (self.laying,)


def read_draft(argument: str, view: MatchFiveView) -> Draft | None:
    """Return the draft that an argument holds, None if it is none. Whether it may be played is another question."""
    parts = argument.split(";")
    if len(parts) != 3 or not (_number(parts[1] or "0") and _number(parts[2])):
        return None
    layings = read_play(parts[0], view.stones)
    return None if layings is None else Draft(layings, int(parts[1]) if parts[1] else None, int(parts[2]))


def _number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 4


# -------------------------------------------------------------------------------------------------------- the hand


def hand_of(view: MatchFiveView) -> tuple[Tile, ...]:
    """Return the reader's hand, in the order in which it is shown."""
    return () if view.seat is None else tuple(sorted(view.hands[view.seat] or ()))


def laid_slots(hand: Sequence[Tile], layings: Sequence[Laying]) -> tuple[int, ...] | None:
    """Return which tiles of the hand these are, by their places in it; None if they are not all there."""
    taken: list[int] = []
    for laying in layings:
        slot = next((n for n, tile in enumerate(hand) if tile == laying.tile and n not in taken), None)
        if slot is None:
            return None
        taken.append(slot)
    return tuple(taken)


def swaps(view: MatchFiveView) -> list[tuple[Tile, ...]]:
    """Return what the reader can give back now: each handful of their tiles once, no more than the bag holds."""
    if view.seat is None or view.turn != view.seat:
        return []
    return list(handfuls(hand_of(view), view.bag))


# -------------------------------------------------------------------------------------------- what fits, and where


def stone_of(laying: Laying) -> Stone:
    """Return a tile as it would lie."""
    return Stone(laying.x, laying.y, laying.level, laying.wild_as or laying.tile, laying.tile == WILD)


def points_of(view: MatchFiveView, layings: Sequence[Laying]) -> int | None:
    """Return what the reader would score for laying these tiles; None if they may not be laid."""
    one_line = view.placement == "one_line"
    try:
        return judge_play(view.stones, hand_of(view), layings, view.bonus, one_line=one_line).points
    except Refusal:
        return None


def offers(view: MatchFiveView, layings: Sequence[Laying], tiles: Sequence[Tile]) -> dict[Tile, list[Offer]]:
    """Return where each of these tiles may go once those are laid, the most points first.

    Of what a Wild may stand for, that is first which goes with most of the tiles.
    """
    board = board_of(view.stones).copy()
    before = sum(board.lay(stone_of(laying), view.bonus) for laying in layings)
    before -= points_of(view, layings) or 0  # a tile that lies alone scores without a line
    wild_laid = any(laying.tile == WILD for laying in layings)
    found: dict[Tile, dict[Spot, list[Laying]]] = {tile: {} for tile in tiles}
    gains: dict[tuple[Tile, Spot], int] = {}
    for one in singles(Places(board, view.bonus), [tile for tile in found if tile != WILD or not wild_laid]):
        (laying,) = one.layings
        stone = stone_of(laying)
        gains[laying.tile, stone.spot] = before + one.points
        found[laying.tile].setdefault(stone.spot, []).append(laying)
    return {
        tile: sorted(
            (
                _offer(gains[tile, spot], ways, tiles)
                for spot, ways in places.items()
                if view.placement == "free" or _in_line(board, layings, stone_of(ways[0]))
            ),
            key=lambda one: (-one.gain, one.laying.x, -one.laying.y),
        )
        for tile, places in found.items()
    }


def _offer(gain: int, ways: Sequence[Laying], hand: Sequence[Tile]) -> Offer:
    """Return a place, given every way to lay the tile there: one, or what a Wild may stand for."""
    best = sorted(ways, key=lambda one: -sum(_together(one.wild_as, tile) for tile in hand))
    return Offer(gain, best[0], tuple(one.wild_as for one in best if one.wild_as is not None))


def _together(face: Tile | None, tile: Tile) -> bool:
    """Say whether what a Wild stands for could lie in a line with a tile."""
    if face is None or tile == WILD or face == tile:
        return False
    return colour_of(face) == colour_of(tile) or number_of(face) == number_of(tile)


def _in_line(board: Board, layings: Sequence[Laying], stone: Stone) -> bool:
    after = board.copy()
    after.lay(stone, 0)
    return in_one_line(after, [*map(stone_of, layings), stone])


@dataclass(frozen=True)
class Turn:
    """A turn as it stands on its player's page: the hand, the draft, what it scores, and where each tile left may go.

    `laid` are the tiles of the hand that lie in the draft, by their places in it.
    """

    hand: tuple[Tile, ...]
    draft: Draft
    laid: tuple[int, ...]
    points: int
    offers: dict[Tile, list[Offer]]

    @property
    def places(self) -> list[Offer]:
        """Where the chosen tile may go."""
        return [] if self.draft.slot is None else self.offers[self.hand[self.draft.slot]]

    def fits(self, slot: int) -> bool:
        """Say whether a tile of the hand may still be laid somewhere."""
        return slot not in self.laid and bool(self.offers.get(self.hand[slot]))

    @property
    def stuck(self) -> bool:
        """Whether nothing was laid and nothing may be."""
        return not self.laid and not any(map(self.fits, range(len(self.hand))))


def turn_of(view: MatchFiveView, draft: Draft) -> Turn | None:
    """Return a turn with this draft; None for a draft that may not be laid.

    A chosen tile for which there is one place only is laid there at once.
    """
    hand = hand_of(view)
    laid = laid_slots(hand, draft.layings)
    points = points_of(view, draft.layings) if draft.layings else 0
    if laid is None or points is None:
        return None
    left = [tile for slot, tile in enumerate(hand) if slot not in laid]
    turn = Turn(hand, draft, laid, points, offers(view, draft.layings, left))
    if draft.slot is None:
        return turn
    if draft.slot >= len(hand) or not turn.fits(draft.slot):
        return None
    if len(turn.places) == 1:
        return turn_of(view, Draft((*draft.layings, turn.places[0].laying)))
    return turn


def other_faces(view: MatchFiveView, layings: Sequence[Laying]) -> tuple[Tile, ...]:
    """Return what the tile laid last may stand for: nothing unless it is a Wild."""
    if not layings or layings[-1].tile != WILD:
        return ()
    spot = stone_of(layings[-1]).spot
    found = offers(view, layings[:-1], (WILD,))[WILD]
    return next((sorted_faces(one.faces) for one in found if stone_of(one.laying).spot == spot), ())


def sorted_faces(faces: Sequence[Tile]) -> tuple[Tile, ...]:
    """Return tiles by colour and number."""
    return tuple(sorted(faces, key=TILES.index))
