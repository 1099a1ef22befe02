"""People: everything that is kept about one user, to be handed to them, and to be deleted when they ask.

A deleted user leaves seats without a user and without a name behind, so that the games of the others stay whole; what
they wrote in their own words is blanked. Whoever adds a column that names a user extends `export` and `forget` of both
back ends; a test looks through every table. May import `engine`, the standard library and its neighbours.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from engine.contract import AnyGame

SOMEBODY = "somebody"
"""The name that is left of a deleted user."""

NOBODY = 0
"""Who opened the table of a deleted user. Discord numbers nobody so."""


class People(ABC):
    """What is kept about users. A store has it, as `people`."""

    @abstractmethod
    async def export(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """Return all that is kept about a user, by kind, each row by column.

        Of running games that is what they themselves did and know: nobody else's secrets, and no seed.
        """

    @abstractmethod
    async def forget(self, user: int, games: Sequence[AnyGame], table: int | None = None) -> None:
        """Delete who a user is from everything that is kept, or from one table alone.

        Their seats of running games are given to a caretaker. They are told apart from computer players by the level
        that those have.
        """

    @abstractmethod
    async def hide(self, user: int, hidden: bool) -> None:
        """Keep a user off every leaderboard, or let them stand there again."""

    @abstractmethod
    async def notify(self, user: int, how: str | None) -> None:
        """Keep how a user wants to hear that it is their move; None takes it back."""

    @abstractmethod
    async def notified(self, user: int) -> str | None:
        """Return how a user wants to hear that it is their move, where they have said so."""
