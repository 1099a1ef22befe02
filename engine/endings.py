"""Finished games as the records keep them: who sat where, and how each came out.

What leaderboards and statistics are made of, the same for every game. May import msgspec, `engine.contract` and
`engine.turns`.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from engine import turns
from engine.contract import Moment

Board = Literal["ranked", "casual"]
"""People alone, each of whom moved or left; or a table at which computer players sat."""


class Side(msgspec.Struct, frozen=True, gc=False):
    """One seat of a finished game. `user` is None for a computer player, and for somebody who was forgotten; `score`
    where the game ended as it stood.
    """

    seat: int
    user: int | None
    level: str | None
    name: str
    place: int
    score: int | None

    @property
    def player(self) -> int | str | None:
        """Who this is to the ratings: a user, a computer player of a level, or nobody that is known."""
        return self.level if self.level is not None else self.user


class Ended(msgspec.Struct, frozen=True):
    """A finished game. `number` grows in the order in which the games of all tables ended.

    `board` is None where it counts on none: somebody who stayed never moved.
    """

    number: int
    table: int
    game: str
    board: Board | None
    at: Moment
    sides: tuple[Side, ...]

    @property
    def drawn(self) -> bool:
        """Whether all came out equal, so that nobody won."""
        return len(self.sides) > 1 and all(side.place == 1 for side in self.sides)

    def won(self, side: Side) -> bool:
        """Return whether this side won: first, alone or with others, but not with everybody."""
        return side.place == 1 and not self.drawn

    def shared(self, side: Side) -> bool:
        """Return whether others took the same place as this side."""
        return sum(other.place == side.place for other in self.sides) > 1

    def side_of(self, user: int) -> Side | None:
        """Return the side on which this user played."""
        return next((side for side in self.sides if side.user == user), None)


class Score(msgspec.Struct, frozen=True):
    """How one person's games against another came out: places before, beside and behind theirs."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """How many games that is."""
        return self.won + self.drawn + self.lost


class Rival(msgspec.Struct, frozen=True):
    """Somebody whom a person has met, and how that person did against them."""

    user: int
    name: str
    score: Score


def placed(places: Sequence[int], forfeits: Sequence[int | None]) -> tuple[int, ...]:
    """Return the places of a game that some have left: `places` are the game's own, `forfeits` the order of leaving.

    Who left is behind all who stayed, and the first to leave is the last; who left at the same moment shares a place.
    """
    keys = [(0, place) if forfeit is None else (1, -forfeit) for place, forfeit in zip(places, forfeits, strict=True)]
    return turns.places(keys)
