"""A table as it is kept: read from the store, and changed there before it changes in memory.

What happens in the game itself comes through `LiveTable`. Where several processes play over one database, any of them
may act at any table; the one that has it, its owner, hears of what another has done, and shows it.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import msgspec

from cogs.core.cluster.ownership_guard import unbidden
from cogs.core.tables import seat_rules
from cogs.core.tables.standing import Reached, Standing
from data.store import Conflict, NotShardOwner, ResultRow, SeatChange, SeatRow, Store, TableChange, TableRow
from data.store.cluster_notices import Notice, TableChanged
from data.store.rows import NO_CHANGE
from engine.contract import AnyGame, Moment, Seat

log = logging.getLogger(__name__)

K = TypeVar("K", bound="KeptTable")
P = ParamSpec("P")
T = TypeVar("T")


def judged(
    change: Callable[Concatenate[K, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[K, P], Coroutine[Any, Any, T]]:
    """Let a change of a table be made under its lock, and be judged once more, by what is on disk, where another
    process has changed the table since it was read here.
    """

    @wraps(change)
    async def again(table: K, /, *arguments: P.args, **named: P.kwargs) -> T:
        async with table._lock:
            try:
                return await change(table, *arguments, **named)
            except (Conflict, NotShardOwner) as error:
                await table.yield_to(error)
                return await change(table, *arguments, **named)

    return again


class KeptTable(Standing):
    """One table and its record. Some changes take its lock; some are parts of one that does (`judged`)."""

    __slots__ = ("_lock", "store")

    def __init__(self, store: Store, game: AnyGame, row: TableRow, seats: Sequence[SeatRow]) -> None:
        super().__init__(game, row, seats)
        self.store = store
        self._lock = asyncio.Lock()

    @property
    def busy(self) -> bool:
        """Whether it is being changed just now."""
        return self._lock.locked()

    # Whose it is

    def is_elsewhere(self) -> None:
        """Hear that another process has it, for good: whoever holds it here is silent, and tells its owner."""
        self.elsewhere = self.silent = True

    def unbidden(self) -> contextlib.AbstractContextManager[None]:
        """While something is said about the table that nobody has just asked for: see `unbidden`."""
        return unbidden(self.store.shards, self.row.guild)

    def tell(self, notice: Notice) -> None:
        """Let the process that has the table hear of something. Returns at once."""
        self.store.notices.tell_owner(self.row.guild, notice)

    def took(self, row: TableRow, seats: seat_rules.Seats, reached: Reached | None = None) -> None:
        """Stand as the table and its seats are kept after a write; its owner hears of it."""
        self.stand(row, seats, reached)
        if self.elsewhere:
            self.tell(TableChanged(self.id))

    # Reading

    @classmethod
    async def load(cls, store: Store, game: AnyGame, row: TableRow) -> Self:
        """Return the table as it was when it was last committed."""
        table = cls(store, game, row, await store.seats.of(row.id))
        await table._replay(row, table.seats)
        table.results = tuple(await store.games.results(row.id))
        return table

    async def _replay(self, row: TableRow, seats: seat_rules.Seats) -> None:
        events = [self.game.read_event(body) for body in await self.store.games.events(self.row.id)]
        self.version = len(events)
        state = self.game.fold(events) if events else None
        self.stand(row, seats, (state, () if state is None else self.game.deadlines(state)))

    async def reread(self) -> None:
        """Stand as what is on disk says, whatever was in memory."""
        async with self._lock:
            await self.reread_alone()

    async def reread_alone(self) -> None:
        """The same for a caller who holds the lock."""
        row = await self.store.tables.get(self.id)
        assert row is not None
        await self._replay(row, tuple(await self.store.seats.of(self.id)))
        self.results = tuple(await self.store.games.results(self.id))

    async def yield_to(self, error: Conflict | NotShardOwner) -> None:
        """Stand as what is on disk says, since another process has changed it, or has it now: what was judged is to be
        judged again. The caller holds the lock.
        """
        if isinstance(error, NotShardOwner):
            await self.store.shards.refresh()
        level = logging.INFO if self.store.shards.shared else logging.ERROR
        log.log(level, "table %s was changed behind our back at event %s; reading it again", self.id, self.version)
        await self.reread_alone()

    async def catch_up(self) -> bool:
        """Take over what another process has done here; return whether anything of it can be seen."""
        async with self._lock:
            before, row = self.row, await self.store.tables.get(self.id)
            assert row is not None
            new = row.version - self.version
            bodies = (await self.store.games.events(self.id, self.version))[:new] if new > 0 else []
            seats, reached = tuple(await self.store.seats.of(self.id)), None
            if bodies:
                state = self.game.fold([self.game.read_event(body) for body in bodies], self.state)
                reached = state, self.game.deadlines(state)
                self.version += len(bodies)
                self.notice = None
            self.stand(row, seats, reached)
            if row.status in ("over", "closed"):
                self.results = tuple(await self.store.games.results(self.id))
            return row.revision != before.revision

    # Who is there

    async def keep(
        self, seats: seat_rules.Seats, change: TableChange = NO_CHANGE, results: Sequence[ResultRow] = ()
    ) -> None:
        """Keep who is there now and what follows of it for the table, all in one. The caller holds the lock. Raises
        `Conflict` where another process has changed the table.
        """
        changes = seat_rules.changes(self.seats, seats)
        row = await self.store.seats.update_many(self.id, changes, change, results, self.row.revision)
        self.took(row, seats)
        self.results = tuple(results)

    @judged
    async def change_seat(self, seat: Seat, change: SeatChange) -> None:
        """Change what is kept of a seat: caretaker, lapses, its DM."""
        row = await self.store.seats.update(self.id, seat, change)
        self.took(row, seat_rules.changed(self.seats, {seat: change}))

    @judged
    async def change_seat_of(self, user: int, change: SeatChange) -> None:
        """Change what is kept of a user's seat, wherever they sit by now; nothing if they sit here no more."""
        seat = self.seat_of(user)
        if seat is not None:
            row = await self.store.seats.update(self.id, seat, change)
            self.took(row, seat_rules.changed(self.seats, {seat: change}))

    async def set_seats(self, seats: Sequence[SeatRow], change: TableChange) -> None:
        """Seat these people, in this order, numbering them anew, and keep what follows of it for the table, all in one.
        The caller holds the lock. Raises `Conflict` where another process has changed the table.
        """
        numbered = tuple(msgspec.structs.replace(row, seat=number) for number, row in enumerate(seats))
        self.took(await self.store.seats.set(self.id, numbered, self.row.revision, change), numbered)

    # The table itself

    async def change(self, change: TableChange) -> None:
        """Change what is kept of the table itself. The caller holds the lock. Raises `Conflict` where another process
        has changed the table.
        """
        self.took(await self.store.tables.update(self.id, change, self.row.revision), self.seats)

    @judged
    async def replace_message(self, message: int, at: Moment) -> None:
        """Keep which message is the table's, and that the one before it is to go."""
        self.took(await self.store.tables.replace_message(self.id, message, at), self.seats)

    @judged
    async def close(self, reason: str, at: Moment) -> bool:
        """End the table without a result. Return False, and do nothing, if it was not open."""
        if self.ended:
            return False
        await self.close_alone(reason, at)
        return True

    async def close_alone(self, reason: str, at: Moment) -> None:
        """The same for a caller who holds the lock, and knows that it is open. Raises what `change` does."""
        await self.change(TableChange(status="closed", ended_at=at, due=None, slept_at=None))
        self.notice = reason
