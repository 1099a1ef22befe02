"""The records: finished games, read back for leaderboards, statistics and histories.

Nothing is written here: the results are written with the last move of a game, and triggers of the database note with
them on which board the game counts. May import `engine` and the standard library.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from engine.contract import Moment
from engine.endings import Board, Ended, Rival, Score, Side
from engine.standings import Chart


class Records(ABC):
    """Finished games. A store has them, as `records`."""

    @abstractmethod
    async def ended(self, chart: Chart, *, after: int = 0, upto: int | None = None, most: int) -> list[Ended]:
        """Return up to `most` of the games that stand on a leaderboard, the first one first.

        Only those whose number is greater than `after`, and not greater than `upto`: whoever has read some reads on
        from the last.
        """

    @abstractmethod
    async def games_of(
        self,
        user: int,
        guild: int,
        game: str | None = None,
        *,
        most: int,
        skip: int = 0,
        without: Collection[int] = (),
    ) -> list[Ended]:
        """Return the games that a user has finished on a server, the last one first.

        Those `without` are channels whose games are left out.
        """

    @abstractmethod
    async def played(self, user: int, guild: int, *, without: Collection[int] = ()) -> dict[str, int]:
        """Return how often a user has finished each game on a server, the most played first."""

    @abstractmethod
    async def rooms_of(self, user: int, guild: int) -> list[int]:
        """Return the channels in which a user has finished games on a server."""

    @abstractmethod
    async def rivals(self, user: int, guild: int, game: str | None = None, *, most: int) -> list[Rival]:
        """Return whom a user has met most often, with the score. Hidden people are left out."""

    @abstractmethod
    async def score(self, user: int, other: int, guild: int, game: str | None = None) -> Score:
        """Return how a user's games against another came out."""

    @abstractmethod
    async def meetings(self, user: int, other: int, guild: int, game: str | None = None, *, most: int) -> list[Ended]:
        """Return the last games in which two users met, the last one first."""

    @abstractmethod
    async def hidden(self) -> frozenset[int]:
        """Return who does not want to stand on leaderboards."""

    @abstractmethod
    async def setting(self, guild: int, name: str) -> str | None:
        """Return what a server's managers have set, if they have."""


def games_in(rows: Iterable[Sequence[Any]]) -> list[Ended]:
    """Put the sides of each game together; they lie next to each other, each after the five fields of its game."""
    sides: dict[int, list[Side]] = {}
    heads: dict[int, tuple[int, int, str, Board | None, Moment]] = {}
    for number, table, game, board, at, *side in rows:
        heads.setdefault(number, (number, table, game, board, at))
        sides.setdefault(number, []).append(Side(*side))
    return [Ended(*head, tuple(sides[number])) for number, head in heads.items()]
