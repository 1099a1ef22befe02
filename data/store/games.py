"""What happens at tables: decisions, the events that follow from them, and how games end.

The number of an event is taken once. Whoever writes says at which number the table stands, and is refused if it stands
elsewhere: so two hands that write to one table, in one process or in two, never both succeed. May import
`engine.contract`, msgspec, the standard library and its neighbours.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

import msgspec

from data.store.errors import Conflict
from data.store.rows import NO_CHANGE, DecisionRow, ResultRow, SeatChange, Status, TableChange, TableRow, columns_of
from engine.contract import Moment


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that is to be kept, its events, and all that it changes.

    `number` is that of the first event; `seat` None is the clock, or with `action` None the setup. `due` is the
    earliest deadline from then on, in the time of this run; `slept_at` is there if nobody is at the table after it. The
    clocks of a paused table run again; `change` is what else changes of the table.
    """

    number: int
    seat: int | None
    at: Moment
    action: str | None
    events: Sequence[str]
    due: Moment | None
    status: Status | None = None
    ended_at: Moment | None = None
    results: Sequence[ResultRow] = ()
    seats: Mapping[int, SeatChange] = {}
    slept_at: Moment | None = None
    change: TableChange = NO_CHANGE
    revision: int | None = None

    @property
    def version(self) -> int:
        """At which event the table stands then. Raises `ValueError` without an event."""
        if not self.events:
            raise ValueError("a decision leads to at least one event")
        return self.number + len(self.events)

    def columns(self, run: int) -> dict[str, object]:
        """Return what the decision changes of its table, by column, for this run of the bot. Raises `ValueError`
        without an event.
        """
        values: dict[str, object] = {
            "version": self.version,
            "due": self.due,
            "run": run,
            "slept_at": self.slept_at,
            "paused_at": None,
        }
        if self.status is not None:
            values["status"] = self.status
        if self.ended_at is not None:
            values["ended_at"] = self.ended_at
        return {**values, **columns_of(self.change)}


def conflict(table: int, stands: int, number: int) -> Conflict:
    """Return the error for a table that stands at another event than the writer believes."""
    return Conflict(f"Table {table} stands at event {stands}, not {number}: read it again, then act.")


class Games(ABC):
    """What has happened at each table. A store has it, as `games`."""

    def __init__(self, ended: Callable[[], None]) -> None:
        """`ended` is called when a game has been given its results."""
        self._ended = ended

    @abstractmethod
    async def append(self, table: int, decided: Decided) -> TableRow:
        """Keep a decision with all that follows from it; return the table as it is then. Raises `Conflict` if the table
        does not stand at its `number` or not at its `revision`, and `ValueError` without an event; then nothing is
        kept.
        """

    @abstractmethod
    async def events(self, table: int, first: int = 0) -> list[str]:
        """Return the bodies (JSON) of a table's events, from number `first` on."""

    @abstractmethod
    async def decisions(self, table: int) -> list[DecisionRow]:
        """Return what led to a table's events, in order."""

    @abstractmethod
    async def results(self, table: int) -> list[ResultRow]:
        """Return how a table's game ended, by seat; nothing before it has."""
