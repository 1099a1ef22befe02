"""The office: what the managers of a server set, and what tells them how the house is doing.

May import `engine.contract`, msgspec, the standard library and its neighbours.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import msgspec

from data.store.rows import Status
from engine.contract import Moment


class Backup(msgspec.Struct, frozen=True):
    """A copy of the database: when it was made, and its size in bytes."""

    at: Moment
    bytes: int


class OverseenTable(msgspec.Struct, frozen=True):
    """An open table as an overseer sees it. `moved_at` is when something last happened there."""

    id: int
    game: str
    channel: int
    status: Status
    due: Moment | None
    run: int
    moved_at: Moment


POST_AGAIN_MS = 60_000
"""Posting a day's puzzles that has not come to an end after so long was cut short, and may be begun again."""


class PuzzlePost(msgspec.Struct, frozen=True):
    """The last day's puzzles that were to be posted on a server: `message` is where they stand, `trouble` why they do
    not; neither while that is being tried.
    """

    number: int
    at: Moment
    message: int | None
    trouble: str | None


class Office(ABC):
    """Settings and inventory. A store has one, as `office`."""

    @abstractmethod
    async def settings(self, guild: int) -> dict[str, str]:
        """Return what the managers of a server have set, by name."""

    @abstractmethod
    async def set(self, guild: int, name: str, value: str | None) -> None:
        """Keep a setting of a server; None takes it back."""

    @abstractmethod
    async def set_on(self, name: str) -> dict[int, str]:
        """Return the servers on which a setting is set, each with its value."""

    @abstractmethod
    async def begin_puzzle_post(self, guild: int, number: int, at: Moment) -> bool:
        """Keep that the puzzles of a day are being posted on a server, and say whether that is for the caller to do.

        It is not where they stand there, or those of a later day; nor where somebody else has begun to post them, less
        than `POST_AGAIN_MS` ago; nor where they could not be posted.
        """

    @abstractmethod
    async def end_puzzle_post(self, guild: int, number: int, message: int | None, trouble: str | None) -> None:
        """Keep where the puzzles of a day stand, or why they do not; with neither, they may be begun again at once."""

    @abstractmethod
    async def puzzle_post(self, guild: int) -> PuzzlePost | None:
        """Return the last day's puzzles that were to be posted on a server; None where there never were any."""

    @abstractmethod
    async def open_tables(self, guild: int) -> list[OverseenTable]:
        """Return the open tables of a server, the one at which nothing has happened for the longest first."""

    @abstractmethod
    async def open_games(self) -> dict[str, int]:
        """Return how many tables of each game are open, on all servers; games without any are left out."""

    @abstractmethod
    async def numbers(self, guild: int, statuses: tuple[Status, ...], *, most: int) -> list[tuple[int, str]]:
        """Return the numbers of a server's tables in these states, each with its game, the newest first."""

    @abstractmethod
    async def practised(self, user: int, *, most: int) -> list[tuple[int, str]]:
        """Return the numbers of the practice games that somebody has played to the end, as `numbers`."""

    @abstractmethod
    async def rooms(self, tables: Sequence[int]) -> dict[int, int]:
        """Return the channels in which these tables are, by table."""

    @abstractmethod
    async def size(self) -> int:
        """Return how large the database is, in bytes, without its log."""

    @abstractmethod
    async def last_backup(self) -> Backup | None:
        """Return the last copy that was made of this database, if one was."""
