"""Match Five's state: its phases, the score sheet, and what can be derived from a state."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

import msgspec

from engine.contract import Moment, Seat
from engine.games.match_five.board import AXES, NEXT, key_of, spot_of
from engine.games.match_five.types import WILD, Axis, Line, MatchFiveOptions, Material, Reason, Stone, Tile


class Turn(msgspec.Struct, frozen=True, gc=False):
    """An entry of the score sheet: what a seat did. A swap shows how many tiles, not which.

    Lines are stored as `scored` encodes them, since a game has hundreds and hardly anybody asks for more than the last.
    """

    seat: Seat
    kind: Literal["play", "swap", "pass"]
    points: int = 0
    stones: tuple[Stone, ...] = ()
    scored: str = ""
    swapped: int = 0
    drawn: int = 0
    lapsed: bool = False

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that a play made or extended, decoded on each access."""
        return tuple(map(_line, self.scored.split())) if self.scored else ()

    @property
    def fives(self) -> int:
        """The number of lines that a play brought to five (R13), counted without decoding them."""
        return sum(not text.endswith(_NO_BONUS) for text in self.scored.split())


_NO_BONUS = ",0"  # how the text of a line ends that got none
_AXES: dict[str, Axis] = {axis: axis for axis in AXES}


def scored(lines: Iterable[Line]) -> str:
    """Return a short text of what lines scored, for `Turn`.

    For each line it has its axis, where it begins (x, y, level), its number of tiles, its points, and the bonus among
    them.
    """
    return " ".join([_encoded(line.axis, *line.spots[0], len(line.spots), line.points, line.bonus) for line in lines])


def _encoded(*words: Axis | int) -> str:
    return ",".join(map(str, words))


def _line(text: str) -> Line:
    """Return the line that `scored` encoded as this text."""
    name, *numbers = text.split(",")
    x, y, level, length, points, bonus = map(int, numbers)
    axis = _AXES[name]
    first, step = key_of(x, y, level), NEXT[axis]
    return Line(axis, tuple([spot_of(first + place * step) for place in range(length)]), points, bonus)


class Playing(msgspec.Struct, frozen=True, tag="play"):
    """This seat has to play, swap or pass."""

    seat: Seat


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game is over."""

    reason: Reason


class State(msgspec.Struct, frozen=True):
    """The state of a game. The bag has the tiles that are neither in a hand nor on the board, without an order."""

    material: Material
    options: MatchFiveOptions
    phase: Playing | Over
    began: Moment  # when the turn began, for its clock
    starter: Seat
    hands: tuple[tuple[Tile, ...], ...]
    bag: tuple[Tile, ...]  # sorted
    drawn: tuple[tuple[Tile, ...], ...]  # what each seat drew last
    stones: tuple[Stone, ...] = ()
    scores: tuple[int, ...] = ()
    turns: tuple[Turn, ...] = ()
    last: Seat | None = None  # the seat that laid its last tile
    passes: int = 0  # in a row
    idle: int = 0  # turns without a play, in a row
    lapsed: bool = False  # the clock has run out for the present turn


def piece_counts(state: State) -> Counter[str]:
    """Count the tiles: in the bag, in hands, and on the board."""
    tiles = Counter(tile for hand in (*state.hands, state.bag) for tile in hand)
    tiles.update(WILD if stone.wild else stone.tile for stone in state.stones)
    return tiles
