"""A table as it is kept: read from the store, and changed there before it changes in memory.

What happens in the game itself comes through `LiveTable`. May import `engine`, `data` and its neighbours.
"""

import asyncio
from collections.abc import Sequence
from typing import Self

import msgspec

from cogs.core.session import attendance
from cogs.core.session.standing import Standing
from data.store import ResultRow, SeatChange, SeatRow, Store, TableChange, TableRow
from engine.contract import AnyGame, Moment, Seat

NO_CHANGE = TableChange()


class KeptTable(Standing):
    """One table and its record. Some changes take its lock, some are made by a caller who holds it."""

    def __init__(self, store: Store, game: AnyGame, row: TableRow, seats: Sequence[SeatRow]) -> None:
        super().__init__(game, row, seats)
        self.store = store
        self.lock = asyncio.Lock()

    # Reading

    @classmethod
    async def load(cls, store: Store, game: AnyGame, row: TableRow) -> Self:
        """Return the table as it was when it was last committed."""
        table = cls(store, game, row, await store.seats.of(row.id))
        await table._replay()
        table.results = tuple(await store.games.results(row.id))
        return table

    async def _replay(self) -> None:
        events = [self.game.read_event(body) for body in await self.store.games.events(self.row.id)]
        self.version = len(events)
        self.stand(self.game.fold(events) if events else None)

    async def reread(self) -> None:
        """Stand as what is on disk says, whatever was in memory."""
        async with self.lock:
            await self.reread_alone()

    async def reread_alone(self) -> None:
        """The same for a caller who holds the lock."""
        row = await self.store.tables.get(self.id)
        assert row is not None
        self.hold(row, tuple(await self.store.seats.of(self.id)))
        await self._replay()
        self.results = tuple(await self.store.games.results(self.id))

    # Who is there

    async def keep(
        self, seats: attendance.Seats, change: TableChange = NO_CHANGE, results: Sequence[ResultRow] = ()
    ) -> None:
        """Keep who is there now and what follows of it for the table, all in one. The caller holds the lock."""
        changes = attendance.changes(self.seats, seats)
        self.hold(await self.store.seats.settle(self.id, changes, change, results), seats)
        self.results = tuple(results)

    async def change_seat(self, seat: Seat, change: SeatChange) -> None:
        """Change what is kept of a seat: caretaker, lapses, its DM."""
        async with self.lock:
            row = await self.store.seats.update(self.id, seat, change)
            self.hold(row, attendance.changed(self.seats, {seat: change}))

    async def change_seat_of(self, user: int, change: SeatChange) -> None:
        """Change what is kept of a user's seat, wherever they sit by now; nothing if they sit here no more."""
        async with self.lock:
            seat = self.seat_of(user)
            if seat is not None:
                row = await self.store.seats.update(self.id, seat, change)
                self.hold(row, attendance.changed(self.seats, {seat: change}))

    async def set_seats(self, seats: Sequence[SeatRow]) -> None:
        """Seat these people, in this order, numbering them anew. The caller holds the lock."""
        numbered = tuple(msgspec.structs.replace(row, seat=number) for number, row in enumerate(seats))
        self.hold(await self.store.seats.set(self.id, numbered), numbered)

    # The table itself

    async def change(self, change: TableChange) -> None:
        """Change what is kept of the table itself."""
        self.hold(await self.store.tables.update(self.id, change), self.seats)
        if change.options is not msgspec.UNSET:
            self.options = msgspec.json.decode(self.row.options, type=self.game.options)

    async def replace_message(self, message: int, at: Moment) -> None:
        """Keep which message is the table's, and that the one before it is to go."""
        self.hold(await self.store.tables.replace_message(self.id, message, at), self.seats)

    async def close(self, reason: str, at: Moment) -> None:
        """End the table without a result."""
        async with self.lock:
            await self.close_alone(reason, at)

    async def close_alone(self, reason: str, at: Moment) -> None:
        """The same for a caller who holds the lock."""
        await self.change(TableChange(status="closed", ended_at=at, due=None, slept_at=None))
        self.notice = reason
