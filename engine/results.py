"""Results of finished games, as the records store them: the player and the result of each seat.

Leaderboards and statistics of every game are made from these.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from engine import turns
from engine.contract import Moment

LEFT, VOID, COUNTED, DRAWN = "left", "void", "counted", "drawn"
"""Reasons of results of a game that ended early: the place was certain, since this player or all others had left; there
is no result for this seat, while the places of others were certain; the players agreed to count the finished rounds, or
on a draw.
"""

Board = Literal["ranked", "casual"]
"""Ranked: people only, each of whom moved or left. Casual: a table with bots."""


class PlayerResult(msgspec.Struct, frozen=True, gc=False):
    """One seat of a finished game.

    `user` is None for a bot and for a player who asked to be forgotten. `score` is None if the game ended
    unfinished. `void`: the game ended without a result for this seat, although the places of others were certain.
    """

    seat: int
    user: int | None
    level: str | None
    name: str
    place: int
    score: int | None
    void: bool = False

    @property
    def player(self) -> int | str | None:
        """The identity for ratings: a user, the level of a bot, or None if unknown."""
        return self.level if self.level is not None else self.user


class FinishedGame(msgspec.Struct, frozen=True):
    """A finished game. `number` increases in the order in which games ended, across all tables.

    `board` is None if it counts on none: a player who stayed never moved.
    """

    number: int
    table: int
    game: str
    board: Board | None
    at: Moment
    sides: tuple[PlayerResult, ...]

    @property
    def drawn(self) -> bool:
        """Whether all tied, so that nobody won."""
        return len(self.sides) > 1 and all(side.place == 1 for side in self.sides)

    def won(self, side: PlayerResult) -> bool:
        """Return whether this side won: first, alone or shared, but not with everybody."""
        return side.place == 1 and not self.drawn and not side.void

    def shared(self, side: PlayerResult) -> bool:
        """Return whether others took the same place as this side."""
        return sum(other.place == side.place for other in self.sides) > 1

    def side_of(self, user: int) -> PlayerResult | None:
        """Return the side of this user."""
        return next((side for side in self.sides if side.user == user), None)


class Score(msgspec.Struct, frozen=True):
    """One person's record against another: how often they were placed ahead, level and behind."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.won + self.drawn + self.lost


class Rival(msgspec.Struct, frozen=True):
    """An opponent whom a person has met, and that person's record against them."""

    user: int
    name: str
    score: Score


def placed(places: Sequence[int], forfeits: Sequence[int | None]) -> tuple[int, ...]:
    """Return the places in a game that some players left: `places` are the game's own, `forfeits` the order of leaving.

    Players who left are behind all who stayed; the first to leave is last, and those who left at the same moment share
    a place.
    """
    keys = [(0, place) if forfeit is None else (1, -forfeit) for place, forfeit in zip(places, forfeits, strict=True)]
    return turns.places(keys)
