"""The query layer: functions `async def work(tx)`, which run over both databases. They await nothing but `tx`.

SQL has named parameters, and lists go in parentheses: `guild = :guild AND id IN (:tables)`. What only one database
understands is a fragment of its `Dialect`.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Dialect:
    """SQL that differs between the databases."""

    for_update: str  # follows a query whose rows nobody else may change until the transaction ends
    person: str  # the column of `standings` with the id of a user
    is_person: str  # whether there is one
    player: Callable[[int | str], int | str]  # converts a player for the column `player`
    size: str  # the query for the size of the database in bytes


class Transaction(ABC):
    """A running transaction, or a reader's view of one state of the database."""

    dialect: Dialect

    @abstractmethod
    async def rows(self, sql: str, **values: object) -> list[Row]:
        """Return the rows of a statement."""

    @abstractmethod
    async def run(self, sql: str, **values: object) -> int:
        """Run a statement that writes; return how many rows it touched."""

    @abstractmethod
    async def run_many(self, sql: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Run a statement that writes once for each of these sets of values."""

    @abstractmethod
    async def require_served(self, guild: int) -> int:
        """Return the run that serves a server. Raises `NotShardOwner` if that is not the one we know of."""

    @abstractmethod
    async def lock_server(self, guild: int) -> None:
        """Keep others from opening a table on a server until the transaction ends."""


Work = Callable[[Transaction], Coroutine[Any, Any, T]]
"""What is done in a transaction. It may be run again, and keeps nothing outside the database."""


class Database(ABC):
    """One open database. Every method raises `StoreError`. `overtaken` is set once another bot has opened it since."""

    dialect: Dialect
    overtaken: asyncio.Event

    @abstractmethod
    async def read(self, sql: str, **values: object) -> list[Row]:
        """Return the rows of a query."""

    @abstractmethod
    async def snapshot(self, work: Work[T]) -> T:
        """Return the result of a function that reads several times, all of one state of the database."""

    @abstractmethod
    async def write(self, work: Work[T], table: int | None = None) -> T:
        """Return the result of a function, once what it wrote is committed: all of it, or nothing if it raises. Writes
        to one `table` are done in the order of the calls. Cancelling the caller takes nothing back.
        """

    async def background_write(self, work: Work[T]) -> T:
        """Do the same for one part of longer work: other writes are done between two parts."""
        return await self.write(work)

    async def execute(self, sql: str, **values: object) -> int:
        """Run one statement that writes; return how many rows it touched."""
        return await self.write(lambda tx: tx.run(sql, **values))
