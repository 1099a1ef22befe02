"""Attempts at the puzzles of the day: kept from the first press, so that asking anew gives nobody a second chance.

May import `engine` and the standard library.
"""

from abc import ABC, abstractmethod

from engine.puzzles import Attempt


class Attempts(ABC):
    """What people have done about puzzles. A store has it, as `attempts`."""

    @abstractmethod
    async def of(self, user: int) -> list[Attempt]:
        """Return all attempts of somebody, by number and game."""

    @abstractmethod
    async def get(self, user: int, game: str, number: int) -> Attempt | None:
        """Return what somebody has done about one puzzle, None if nothing."""

    @abstractmethod
    async def keep(self, attempt: Attempt, before: str | None) -> bool:
        """Keep what somebody has done about a puzzle, and say whether that was done.

        `before` is what had been played as far as the caller knows, None for nothing: where something else stands, as
        by a press on another device, all is left as it is.
        """

    @abstractmethod
    async def on_server(self, guild: int, number: int) -> list[Attempt]:
        """Return the attempts at the puzzles of a day that were begun on a server, on that day."""
