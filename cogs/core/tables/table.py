"""A table in memory: a lock, its newest snapshot, and the one method through which everything changes.

Buttons, commands, clocks and computer players all come through `Table.act`; nothing is known to anyone before it is on
disk. Several processes may act on one table over one database; the one that owns it shows it and keeps its clocks.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, Self

import msgspec

from cogs.core.cluster.ownership_guard import unbidden
from cogs.core.tables import seat_rules
from cogs.core.tables.changes import (
    AnyChange,
    MessageReplaced,
    Played,
    Reseated,
    RowChanged,
    SeatChanged,
    Seated,
    Step,
)
from cogs.core.tables.snapshot import Position, TableSnapshot
from data.store import Conflict, NotShardOwner, ResultRow, Store, TableChange, TableRow
from data.store.cluster_notices import Notice, TableChanged
from data.store.games import NewDecision
from data.store.rows import NO_CHANGE
from engine.contract import AnyGame, Moment, to_json

log = logging.getLogger(__name__)

SLEEPS_FOR_MS = 7 * 86_400_000
"""A deserted table ends by itself after this long."""

P = ParamSpec("P")

Listener = Callable[["Table", bool], None]
"""Is called after each change of a table, and told whether anybody can see it. Must not block."""


class Table:
    """One table. No message call is ever awaited under its lock."""

    __slots__ = ("__weakref__", "_lock", "elsewhere", "game", "id", "listeners", "snapshot", "store", "used")

    def __init__(self, store: Store, snapshot: TableSnapshot) -> None:
        self.store = store
        self.snapshot = snapshot
        self.id, self.game = snapshot.id, snapshot.game
        self.used: Moment = snapshot.row.created_at
        self.elsewhere = False  # whether another process owns it, shows it and keeps its clocks
        self.listeners: Sequence[Listener] = ()
        self._lock = asyncio.Lock()

    @classmethod
    async def load(cls, store: Store, game: AnyGame, row: TableRow) -> Self:
        """Return the table as it was last committed. Raises `BrokenRecord` or `StoreError`."""
        table = cls(store, TableSnapshot.of(game, row, await store.seats.of(row.id)))
        await table._reload(row)
        return table

    @property
    def busy(self) -> bool:
        """Whether it is being changed."""
        return self._lock.locked()

    @property
    def silent(self) -> bool:
        """Whether nothing of it is shown from here: its server is out of reach, or another process owns it."""
        return self.elsewhere or self.snapshot.paused

    def unbidden(self) -> contextlib.AbstractContextManager[None]:
        """Guard calls about the table that nobody has just asked for: see `unbidden`."""
        return unbidden(self.store.shards, self.snapshot.row.guild)

    def tell(self, notice: Notice) -> None:
        """Send a notice to the process that owns the table. Does not block."""
        self.store.notices.tell_owner(self.snapshot.row.guild, notice)

    # Changing it

    async def act(
        self,
        decide: Callable[Concatenate[TableSnapshot, P], AnyChange | None],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> bool:
        """Let `decide` say what becomes of the table, commit that, and take it over. Return False if nothing changes.

        If another process has changed the table meanwhile, it is read again and decided once more. Raises what `decide`
        raises, and `StoreError`; then nothing has changed.
        """
        async with self._lock:
            change = await self._decide_and_commit(lambda table: decide(table, *arguments, **named))
        if change is not None and not change.silent:
            self.announce()
        return change is not None

    def announce(self, *, visible: bool = True) -> None:
        """Call the listeners, in their order: something has changed, `visible` or not. The listeners of another process
        serve its tables. Does not block.
        """
        for listener in () if self.elsewhere else self.listeners:
            try:
                listener(self, visible)
            except Exception:
                log.exception("table %s: a listener failed", self.id)

    async def erase(
        self, user: int, leave: Callable[[TableSnapshot], AnyChange | None], end: Callable[[TableSnapshot], AnyChange]
    ) -> None:
        """Delete who a user is from the table: they `leave` it first, and it comes to an `end` if no person is left who
        could come back. Raises `StoreError`.
        """
        async with self._lock:
            await self._decide_and_commit(leave)
            await self.store.user_data.forget(user, [self.game], self.id)
            await self._reload()
            if self.snapshot.playing and all(row.user is None for row in self.snapshot.seats):
                await self._decide_and_commit(end)
        self.announce()

    async def _decide_and_commit(self, decide: Callable[[TableSnapshot], AnyChange | None]) -> AnyChange | None:
        retried = False
        while True:
            change = None
            try:
                change = decide(self.snapshot)
                if change is not None:
                    await self._commit(change)
                return change
            except (Conflict, NotShardOwner) as error:
                # What is on disk is what happened. If the table has another owner by now, what falls due is theirs to
                # do, and what people asked for here is still ours.
                ours = isinstance(error, Conflict) or not isinstance(change, Played) or change.by_person
                if retried or not ours:
                    raise
                retried = True
                await self._reload_after(error)
            except Exception as error:
                error.add_note(f"table {self.id} ({self.game.key}) at event {self.snapshot.version}")
                raise

    async def _commit(self, change: AnyChange) -> None:
        before = self.snapshot
        match change:
            case Played():
                for number, step in enumerate(change.steps):
                    await self._commit_step(step, change.row if number == 0 else NO_CHANGE, change.notice)
            case Seated():
                changes = seat_rules.changes(before.seats, change.seats)
                revision = before.row.revision
                row = await self.store.seats.update_many(self.id, changes, change.row, change.results, revision)
                self._take(row, change.seats, results=change.results, notice=change.notice)
            case Reseated():
                seats = tuple(msgspec.structs.replace(row, seat=number) for number, row in enumerate(change.seats))
                row = await self.store.seats.set(self.id, seats, before.row.revision, change.row)
                self._take(row, seats, notice=change.notice)
            case RowChanged():
                row = await self.store.tables.update(self.id, change.row, before.row.revision)
                self._take(row, notice=change.notice)
            case SeatChanged():
                row = await self.store.seats.update(self.id, change.seat, change.change)
                self._take(row, seat_rules.changed(self.snapshot.seats, {change.seat: change.change}))
            case MessageReplaced():
                self._take(await self.store.tables.replace_message(self.id, change.message, change.at))
        if change.used_at is not None:
            self.used = change.used_at

    async def _commit_step(self, step: Step, change: TableChange, notice: str | msgspec.UnsetType | None) -> None:
        before, game, at, seats = self.snapshot, self.game, step.at, step.seats
        outcome, clocks = game.outcome(step.state), game.deadlines(step.state)
        if any(row.caretaker for row in seats):
            seats = before.with_forfeits(seats)
        if seats is before.seats:
            changes, asleep = {}, before.seating.deserted
        else:
            changes, asleep = seat_rules.changes(before.seats, seats), seat_rules.deserted(seats)
        over = outcome is not None
        due = min((clock.due for clock in clocks), default=None)
        if asleep or (due is None and before.alone):
            due = Moment(at + SLEEPS_FOR_MS)  # no clock ends it: in the end it is given up
        results = (
            () if outcome is None else before.placed_results(seats, outcome.places, outcome.scores, outcome.reason, at)
        )
        row = await self.store.games.append(
            self.id,
            NewDecision(
                number=before.version,
                seat=step.seat,
                at=at,
                action=None if step.action is None else to_json(step.action),
                events=[to_json(event) for event in step.events],
                due=None if over else due,
                status="over" if over else "playing",
                ended_at=at if over else None,
                results=results,
                seats=changes,
                slept_at=at if asleep and not over else None,
                change=change,
                revision=before.row.revision,
            ),
        )
        self._take(row, seats, Position(step.state, before.version + len(step.events), clocks), results, notice)

    def _take(
        self,
        row: TableRow,
        seats: seat_rules.Seats | None = None,
        position: Position | None = None,
        results: tuple[ResultRow, ...] | None = None,
        notice: str | msgspec.UnsetType | None = msgspec.UNSET,
    ) -> None:
        """Take over what was committed; the table's owner is told if that is another process."""
        self.snapshot = self.snapshot.after(row, seats, position, results, notice)
        if self.elsewhere:
            self.tell(TableChanged(self.id))

    def assume(self, row: TableRow | None = None, seats: seat_rules.Seats | None = None) -> None:
        """Act from now on as if this were committed, though the database has not taken it."""
        self.snapshot = self.snapshot.after(row or self.snapshot.row, seats)

    # Reading it again

    async def reload(self) -> None:
        """Take over what is on disk, whatever was in memory. Raises `BrokenRecord` or `StoreError`."""
        async with self._lock:
            await self._reload()
        self.announce()

    async def _reload(self, row: TableRow | None = None) -> None:
        row = row or await self.store.tables.get(self.id)
        assert row is not None
        events = [self.game.read_event(body) for body in await self.store.games.events(self.id)]
        state = self.game.fold(events) if events else None
        position = Position(state, len(events), () if state is None else self.game.deadlines(state))
        seats, results = tuple(await self.store.seats.of(self.id)), tuple(await self.store.games.results(self.id))
        self.snapshot = self.snapshot.after(row, seats, position, results)

    async def _reload_after(self, error: Conflict | NotShardOwner) -> None:
        if isinstance(error, NotShardOwner):
            await self.store.shards.refresh()
        level = logging.INFO if self.store.shards.shared else logging.ERROR
        version = self.snapshot.version
        log.log(level, "table %s was changed by another process after event %s; reading it again", self.id, version)
        await self._reload()

    async def catch_up(self) -> bool:
        """Take over what another process has done here. Return True if anything of it is visible."""
        async with self._lock:
            before, row = self.snapshot, await self.store.tables.get(self.id)
            assert row is not None
            new = row.version - before.version
            bodies = (await self.store.games.events(self.id, before.version))[:new] if new > 0 else []
            seats, results = tuple(await self.store.seats.of(self.id)), before.results
            position, notice = before.position, before.notice
            if bodies:
                state = self.game.fold([self.game.read_event(body) for body in bodies], before.state)
                position, notice = Position(state, before.version + len(bodies), self.game.deadlines(state)), None
            if row.status in ("over", "closed"):
                results = tuple(await self.store.games.results(self.id))
            self.snapshot = before.after(row, seats, position, results, notice)
        visible = row.revision != before.row.revision
        if visible:
            self.announce()
        return visible
