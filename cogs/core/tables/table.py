"""A table in memory: a lock, its newest snapshot, and `act`, which stores each change before anybody learns of it."""

import asyncio
import contextlib
import logging
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Concatenate, ParamSpec, Self

from cogs.core.cluster.ownership import Ownership
from cogs.core.tables import seat_rules
from cogs.core.tables.changes import Change
from cogs.core.tables.snapshot import BEFORE_THE_GAME, EARLIEST, Position, TableSnapshot
from data.store import Conflict, NotShardOwner, Store, TableRow
from data.store.cluster_notices import Notice, TableChanged
from engine.contract import AnyGame, Moment

log = logging.getLogger(__name__)

P = ParamSpec("P")

Listener = Callable[["Table", bool], None]
"""Called after each change of a table, and told whether it is visible to anybody. Must not block."""


class Table:
    """One table. No call to Discord is made under its lock.

    `used`: when somebody last used it. `elsewhere`: whether another process owns it.
    """

    def __init__(self, store: Store, ownership: Ownership, snapshot: TableSnapshot) -> None:
        self.store = store
        self.ownership = ownership
        self.snapshot = snapshot
        self.id, self.game = snapshot.id, snapshot.game
        self.used: Moment = snapshot.row.created_at
        self.elsewhere = False
        self.listeners: Sequence[Listener] = ()
        self._lock = asyncio.Lock()

    @classmethod
    async def load(cls, store: Store, ownership: Ownership, game: AnyGame, row: TableRow) -> Self:
        """Return the table as it was last committed. Raises `BrokenRecord` or `StoreError`."""
        table = cls(store, ownership, TableSnapshot.of(game, row, await store.seats.of(row.id)))
        table.snapshot = await table._read(row, BEFORE_THE_GAME)
        return table

    @property
    def busy(self) -> bool:
        """Whether it is being changed."""
        return self._lock.locked()

    @property
    def silent(self) -> bool:
        """Whether this process does not show it: its server is out of reach, or another process owns it."""
        return self.elsewhere or self.snapshot.out_of_reach

    def guard(self) -> contextlib.AbstractContextManager[None]:
        """Guard calls about the table that no user has just asked for: see `Ownership.guard`. None goes out any more
        once the table has left this process, not even if it is back by then: it is loaded again, and shown by that.
        """
        return self.ownership.guard(self.snapshot.row.guild, _is_here(self))

    def unasked_call(
        self, due: Moment | None = None, channel: int | None = None, *, proves: bool = True
    ) -> contextlib.AbstractAsyncContextManager[None]:
        """Wait for a turn to make one call about the table that no user has just asked for, and guard it. `due`: when
        people must have seen what it shows. `channel`: where, if not in the table's own. `proves`: its success proves
        that the bot may write there.
        """
        row = self.snapshot.row
        place = row.channel if channel is None else channel
        return self.ownership.unasked_call(row.guild, place, due, proves=proves, wanted=_is_here(self))

    def tell_owner(self, notice: Notice) -> None:
        """Send a notice to the process that owns the table. Does not block."""
        self.ownership.tell_owner(self.snapshot.row.guild, notice)

    # Changing it

    async def act(
        self,
        decide: Callable[Concatenate[TableSnapshot, P], Change | None],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> bool:
        """Decide a change of the table, commit it, and announce it. Return False if nothing changes.

        If another process has changed the table meanwhile, it is read again and decided once more. Raises what `decide`
        raises, and `StoreError`; then nothing has changed.
        """
        async with self._lock:
            change = await self._commit(lambda table: decide(table, *arguments, **named))
        if change is not None and not change.silent:
            self.announce(visible=not change.private)
        return change is not None

    def announce(self, *, visible: bool = True) -> None:
        """Call the listeners after a change, `visible` or not, unless another process owns it. Does not block."""
        for listener in () if self.elsewhere else self.listeners:
            try:
                listener(self, visible)
            except Exception:
                log.exception("table %s: a listener failed", self.id)

    async def erase(
        self, user: int, leave: Callable[[TableSnapshot], Change | None], end: Callable[[TableSnapshot], Change]
    ) -> None:
        """Delete a user's data: they `leave` first, and it is `end`ed if no person is left. Raises `StoreError`."""
        async with self._lock:
            await self._commit(leave)
            await self.store.user_data.forget(user, [self.game], self.id)
            await self._reload()
            if self.snapshot.playing and all(row.user is None for row in self.snapshot.seats):
                await self._commit(end)
        self.announce()

    async def _commit(self, decide: Callable[[TableSnapshot], Change | None]) -> Change | None:
        """Decide and commit a change; once more if another process has changed the table, or serves it by now."""
        retried = False
        while True:
            change = None
            try:
                change = decide(self.snapshot)
                if change is not None:
                    await change.commit(self.store, self.snapshot, self._take)
                    self.used = self.used if change.used_at is None else change.used_at
                    if retried:
                        change = replace(change, silent=False, private=False)  # others see what was read again
                return change
            except (Conflict, NotShardOwner) as error:
                if retried or not (isinstance(error, Conflict) or change is None or change.by_person):
                    raise
                retried = True
                if isinstance(error, NotShardOwner):
                    await self.ownership.refresh()
                level = logging.INFO if self.ownership.shared else logging.ERROR
                version = self.snapshot.version
                log.log(level, "table %s was changed elsewhere after event %s; reading it again", self.id, version)
                await self._reload()
            except Exception as error:
                error.add_note(f"table {self.id} ({self.game.key}) at event {self.snapshot.version}")
                raise

    def _take(self, snapshot: TableSnapshot) -> None:
        """Take over what was committed, and tell the table's owner if that is another process."""
        self.snapshot = snapshot
        if self.elsewhere:
            self.tell_owner(TableChanged(self.id))

    def assume(self, row: TableRow | None = None, seats: seat_rules.Seats | None = None) -> None:
        """Continue as if this had been committed, though the database has refused it."""
        self.snapshot = self.snapshot.after(row or self.snapshot.row, seats)

    # Reading it again

    async def reload(self) -> None:
        """Replace what is in memory by what is stored. Raises `BrokenRecord` or `StoreError`."""
        async with self._lock:
            await self._reload()
        self.announce()

    async def _reload(self) -> None:
        row = await self.store.tables.get(self.id)
        assert row is not None
        self.snapshot = await self._read(row, BEFORE_THE_GAME)

    async def catch_up(self) -> bool:
        """Take over what another process has stored. Return True if anything of it is visible."""
        async with self._lock:
            before, row = self.snapshot, await self.store.tables.get(self.id)
            assert row is not None
            self.snapshot = await self._read(row, before.position)
            # The seats may be newer than the row, which was read before: so equal revisions prove nothing.
            visible = not self.snapshot.looks_like(before)
            if visible and self.snapshot.version != before.version:
                self.snapshot = self.snapshot.after(row, notice=None)
        if visible:
            self.announce()
        return visible

    async def _read(self, row: TableRow, since: Position) -> TableSnapshot:
        """Return the table as it is stored, with the game since a position. Raises `BrokenRecord` or `StoreError`."""
        position, new = since, row.version - since.version
        bodies = (await self.store.games.events(self.id, since.version))[:new] if new > 0 else []
        if bodies:
            state = self.game.fold([self.game.read_event(body) for body in bodies], since.state)
            version = since.version + len(bodies)
            at = await self.store.games.decided_at(self.id, version) if row.status == "playing" else None
            position = Position(state, version, self.game.deadlines(state), at=EARLIEST if at is None else at)
        seats, ended = await self.store.seats.of(self.id), row.status in ("over", "closed")
        results = await self.store.games.results(self.id) if ended else ()
        return self.snapshot.after(row, tuple(seats), position, tuple(results))


def _is_here(table: Table) -> Callable[[], bool]:
    """Return a function that tells whether a table has not left this process. It does not keep the table in memory."""
    found = weakref.ref(table)
    return lambda: (here := found()) is not None and not here.elsewhere
