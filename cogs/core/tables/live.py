"""A live table: one running game (or its lobby) in memory, one lock, and the one path that every action takes.

decide → fold → commit → stand. Buttons, commands, timers and computer players all come through `LiveTable.act`;
nothing is known to anyone before it is on disk. How it stands is read in `standing`, its record in `kept`.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from cogs.core.ops.errors import Stale, UserError
from cogs.core.ops.spans import duration, span
from cogs.core.tables import seat_rules
from cogs.core.tables.kept import KeptTable, judged
from data.store import Conflict, NotShardOwner, TableChange
from data.store.games import NewDecision
from data.store.rows import NO_CHANGE
from engine.chance import SEED_BYTES, Chance, commitment
from engine.contract import Action, Delay, Event, Expire, Moment, Seat, View, write

SLEEPS_FOR_MS = 7 * 86_400_000
"""A table at which nobody has been for so long ends by itself."""


class LiveTable(KeptTable):
    """One table. All changes go through its methods, which take its lock; no message call is ever awaited under it."""

    __slots__ = ("__weakref__",)

    # What happens to it

    @judged
    async def begin(self, material: Any, at: Moment) -> None:
        """Begin the game with those who sit here now. The seed is drawn here and its hash shown from now on. Raises
        `UserError` if it has begun, or if too few or too many sit here.
        """
        if not self.in_lobby:
            raise UserError("This game has already begun.")
        if len(self.seats) not in self.game.seats:
            raise UserError(f"{self.game.title} takes {span(self.game.seats)} players; {len(self.seats)} sit here.")
        seed = secrets.token_bytes(SEED_BYTES)
        events = self.game.setup(len(self.seats), self.options, material, at, Chance(seed, str(self.id), 0))
        state = self.game.fold(events)
        # All at once, for those who sit here: two processes never begin a game with two seeds.
        options = msgspec.json.encode(self.options).decode()
        begun = TableChange(
            seed=seed, commitment=commitment(seed), started_at=at, rules=self.game.rules, options=options
        )
        await self._commit(None, None, at, events, state, self.seats, begun)

    async def play(self, seat: Seat, action: Action, version: int, at: Moment) -> None:
        """Let a computer make the move that it thought of at event `version`.

        Raises `Stale` if the game has gone on since, if nobody is there any more or if the seat is a person's again,
        and what `act` raises; then nothing has changed.
        """

        def holds() -> bool:
            return self.version == version and not self.asleep and seat_rules.computers(self.seats[seat])

        await self.act(seat, action, at, holds=holds, person=False)

    async def expire(self, deadline: str, at: Moment) -> None:
        """Let a deadline pass.

        Raises `Stale` if it is not due (any more), and what `act` raises; then nothing has changed.
        """

        def holds() -> bool:
            return any(one.id == deadline and one.due <= at for one in self.deadlines)

        await self.act(None, Expire(deadline), at, holds=holds, person=False)

    # Time that went by while no clock ran

    async def make_up_for(self, away_ms: int, at: Moment) -> None:
        """Move the running clocks back by the time the bot was away, and remember what to tell the players.

        A game may count time where no clock runs: how long a window has been open, say. It is told in any case. Not at
        a table that sleeps: all of its time is made up for when it wakes.
        """
        if not self.playing or self.asleep or away_ms <= 0:
            return
        running, since = bool(self.deadlines), (self.row.run, self.row.paused_at)

        def holds() -> bool:
            return (self.row.run, self.row.paused_at) == since

        try:
            await self.act(None, Delay(away_ms), at, holds=holds, person=False)
        except Stale:
            return  # another process has just made up for it
        if running:
            self.notice = f"The bot was away for {duration(away_ms)}; running clocks were extended by as much."

    async def resume(self, at: Moment) -> None:
        """Let clocks run again that stood still, moved back by the time that they did."""
        if self.row.paused_at is None:
            return
        away_ms = at - self.row.paused_at
        if not self.asleep:
            await self.make_up_for(away_ms, at)
        await self._unpause(away_ms)

    @judged
    async def _unpause(self, away_ms: int) -> None:
        if self.row.paused_at is not None:
            due = self.row.due if self.row.due is None else Moment(self.row.due + away_ms)
            await self.change(TableChange(due=due, paused_at=None))

    async def wake(self, seats: seat_rules.Seats, at: Moment) -> bool:
        """Keep who is there now, and extend the clocks of this sleeping table. The caller holds the lock.

        Return False, and do nothing, if it did not sleep.
        """
        woken, state = self._woken(at)
        if woken:
            await self._commit(None, self._slept(at), at, woken, state, seats)
        return bool(woken)

    def _slept(self, at: Moment) -> Delay:
        return Delay(at - (at if self.row.slept_at is None else self.row.slept_at))

    def _woken(self, at: Moment) -> tuple[Sequence[Event], Any]:
        """Return the events by which the clocks of a sleeping table are extended, and the state after them."""
        delay = self._slept(at)
        if not self.asleep or delay.by_ms <= 0:
            return (), self.state
        return self._decided(self.state, self.version, None, delay, at)

    # The one path

    async def act(
        self,
        seat: Seat | None,
        action: Action,
        at: Moment,
        fresh: Callable[[View], bool] | None = None,
        *,
        holds: Callable[[], bool] | None = None,
        person: bool = True,
    ) -> None:
        """Let an action happen: the one path. A `person` moves, unless their control is no longer `fresh` for the
        seat's present view; else it is a computer or (None) the clock. What the action leads to is decided by the state
        as it is now. Whether that on which it rests still `holds` is asked at the very moment and under the lock.

        Only a person's move that is taken brings somebody who was away back to their seat, and a sleeping table to
        life. Raises `Refusal` (of the rules), `Stale` or `UserError`; then nothing has changed.
        """
        async with self._lock:
            again = False
            while True:
                try:
                    if not self.playing:
                        raise UserError("This game is over.")
                    if person and seat is not None and self.seats[seat].user is None:
                        raise UserError("You do not sit at this table any more.")
                    if (holds is not None and not holds()) or (fresh is not None and not fresh(self.view(seat))):
                        raise Stale
                    woken, state = self._woken(at) if person and self.asleep else ((), self.state)
                    events, after = self._decided(state, self.version + len(woken), seat, action, at)
                    if woken:
                        await self._commit(None, self._slept(at), at, woken, state, self.seats)
                    if seat is None:
                        seats = seat_rules.counted(self.seats, events)
                    else:
                        seats = seat_rules.moved(self.seats, seat, action, person=person)
                    return await self._commit(seat, action, at, events, after, seats)
                except (Conflict, NotShardOwner) as error:
                    # Another hand wrote to this table; what is on disk is what happened. Or its server has changed
                    # hands: then what falls due is the new owner's to do, and what came in here is ours.
                    if again or (isinstance(error, NotShardOwner) and not person):
                        raise
                    again = True
                    await self.yield_to(error)
                except Exception as error:
                    error.add_note(f"table {self.id} ({self.game.key}) at event {self.version}")  # stands in the log
                    raise

    def _decided(
        self, state: Any, number: int, seat: Seat | None, action: Action, at: Moment
    ) -> tuple[Sequence[Event], Any]:
        """Return the events to which an action leads, the first with this number, and the state after them."""
        assert self.row.seed is not None
        events = self.game.decide(state, seat, action, at, Chance(self.row.seed, str(self.id), number))
        return events, self.game.fold(events, state)

    async def _commit(
        self,
        seat: Seat | None,
        action: Action | None,
        at: Moment,
        events: Sequence[Event],
        state: Any,
        seats: seat_rules.Seats,
        begun: TableChange = NO_CHANGE,
    ) -> None:
        outcome, deadlines = self.game.outcome(state), self.game.deadlines(state)
        if any(row.caretaker for row in seats):
            seats = self.reckoned(seats)
        if seats is self.seats:
            changes, asleep = {}, self.deserted
        else:
            changes, asleep = seat_rules.changes(self.seats, seats), seat_rules.deserted(seats)
        over = outcome is not None
        due = min((deadline.due for deadline in deadlines), default=None)
        if asleep or (due is None and self.alone):
            due = Moment(at + SLEEPS_FOR_MS)  # no clock ends it: in the end it is given up
        results = (
            () if outcome is None else self.placed_results(seats, outcome.places, outcome.scores, outcome.reason, at)
        )
        row = await self.store.games.append(
            self.id,
            NewDecision(
                number=self.version,
                seat=seat,
                at=at,
                action=None if action is None else write(action),
                events=[write(event) for event in events],
                due=None if over else due,
                status="over" if over else "playing",
                ended_at=at if over else None,
                results=results,
                seats=changes,
                slept_at=at if asleep and not over else None,
                change=begun,
                revision=self.row.revision,
            ),
        )
        self.took(row, seats, (state, deadlines))
        self.results = results
        self.version += len(events)
        self.used = at
