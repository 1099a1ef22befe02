"""Tables, who sits at them, and the lines that mention somebody: what is asked of a store about them.

May import `engine.contract`, the standard library and its neighbours.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence

from data.store.errors import Conflict
from data.store.rows import (
    NO_CHANGE,
    Limits,
    NewTable,
    OpenTable,
    ResultRow,
    SeatChange,
    SeatRow,
    TableChange,
    TableRow,
)
from engine.contract import Moment


class Tables(ABC):
    """The tables. A store has them, as `tables`."""

    @abstractmethod
    async def create(self, new: NewTable, seats: Sequence[SeatRow], limits: Limits | None = None) -> TableRow:
        """Open a table with these people in its lobby, seated in this order. Raises `LimitReached`, however many are
        opened at the same time.
        """

    @abstractmethod
    async def check_limits(self, new: NewTable, seats: Sequence[SeatRow], limits: Limits) -> None:
        """Raise `LimitReached` if this table would be one too many by now. To open it, it is asked once more."""

    @abstractmethod
    async def get(self, table: int) -> TableRow | None:
        """Return the table with this number, if there is one."""

    @abstractmethod
    async def open(self, guild: int | None = None) -> list[OpenTable]:
        """Return what a start has to know of every open table (of one server), in the order of their opening."""

    @abstractmethod
    async def of(self, user: int, *, guild: int | None = None, channel: int | None = None) -> list[TableRow]:
        """Return the open tables at which this user sits: everywhere, on one server or in one channel."""

    @abstractmethod
    async def in_channel(self, channel: int) -> list[TableRow]:
        """Return the open tables of this channel."""

    @abstractmethod
    async def rematch_of(self, table: int) -> TableRow | None:
        """Return the newest table that was opened as a rematch of this one."""

    @abstractmethod
    async def update(self, table: int, change: TableChange, revision: int | None = None) -> TableRow:
        """Change what is kept of a table besides its events; return it as it is then. Raises `StoreError` if there is
        none, and `Conflict` if it is not at this `revision` any more.

        A `due` is a moment in the time of this run, so the table counts as extended up to it.
        """

    @abstractmethod
    async def replace_message(self, table: int, message: int, at: Moment) -> TableRow:
        """Keep the message of a table that was posted anew, and the one before it among the lines that are to go;
        return the table as it is then. Raises `StoreError` if there is none.
        """

    @abstractmethod
    async def unshown(self) -> list[tuple[int, int]]:
        """Return the tables, open or not, whose message is not known to show how they stand, and those that ended and
        left lines in their channel: number and server of each, in the order in which they were opened.
        """

    @abstractmethod
    async def stand(self, tables: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Return how many events these tables have, and their revisions, by table."""

    @abstractmethod
    async def set_shown(self, shown: Mapping[int, int]) -> None:
        """Keep up to which revision the messages of these tables are known to show them."""


class Seats(ABC):
    """Who sits where. A store has them, as `seats`."""

    def __init__(self, ended: Callable[[], None]) -> None:
        """`ended` is called when a game has been given its results."""
        self._ended = ended

    @abstractmethod
    async def of(self, table: int) -> list[SeatRow]:
        """Return who sits at a table, by seat."""

    @abstractmethod
    async def set(
        self,
        table: int,
        seats: Sequence[SeatRow],
        revision: int | None = None,
        change: TableChange = NO_CHANGE,
    ) -> TableRow:
        """Seat these people in place of all who sat there, numbered in this order, and keep what follows of it for the
        table, all or nothing; return the table as it is then. Raises `StoreError` if there is none, and `Conflict` if
        it is not at this `revision` any more.
        """

    @abstractmethod
    async def update(self, table: int, seat: int, change: SeatChange) -> TableRow:
        """Change what is kept of one seat; return the table as it is then. Raises `StoreError` if there is none."""

    async def settle(
        self,
        table: int,
        seats: Mapping[int, SeatChange],
        change: TableChange,
        results: Sequence[ResultRow] = (),
        revision: int | None = None,
    ) -> TableRow:
        """Change seats, what follows of it for the table, and with `results` how its game ended, all or nothing; return
        the table as it is then. Raises `StoreError` if there is no such seat or table, and `Conflict` if the table is
        not at this `revision` any more.
        """
        row = await self._settle(table, seats, change, results, revision)
        if results:
            self._ended()
        return row

    @abstractmethod
    async def _settle(
        self,
        table: int,
        seats: Mapping[int, SeatChange],
        change: TableChange,
        results: Sequence[ResultRow],
        revision: int | None,
    ) -> TableRow: ...


class Mentions(ABC):
    """Lines that mention somebody, and go when the turn passes. A store has them, as `mentions`."""

    @abstractmethod
    async def add(self, table: int, channel: int, message: int) -> None:
        """Remember a line that mentions somebody and is to go when the turn passes."""

    @abstractmethod
    async def forget(self, message: int) -> None:
        """Forget a line that is gone."""

    @abstractmethod
    async def of(self, table: int) -> list[int]:
        """Return the lines of a table that still stand, oldest first."""


def check_revision(table: int, stands: int, revision: int | None) -> None:
    """Raise `Conflict` if a table, which `stands` at a revision, should be at another one; None is any."""
    if revision not in (None, stands):
        raise Conflict(f"Table {table} stands at revision {stands}, not {revision}: read it again, then act.")
