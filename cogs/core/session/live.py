"""A live table: one running game (or its lobby) in memory, one lock, and the one path that every action takes.

decide → commit the events → evolve. Buttons, commands, timers and computer players all come through `LiveTable._let`;
nothing is known to anyone before it is on disk. May import `engine`, `data` and its neighbours.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from cogs.core.errors import Stale, UserError
from cogs.core.screen import Sitter, TableInfo
from cogs.core.session import attendance
from data.store import Conflict, ResultRow, SeatChange, SeatRow, Store, TableChange, TableRow, seed_of
from engine.chance import SEED_BYTES, Chance, commitment
from engine.contract import (
    Action,
    AnyGame,
    BrokenRecord,
    Deadline,
    Delay,
    Event,
    Expire,
    Moment,
    Options,
    Outcome,
    Seat,
    View,
    write,
)
from engine.endings import placed

log = logging.getLogger(__name__)

NO_CHANGE = TableChange()

SLEEPS_FOR_MS = 7 * 86_400_000
"""A table at which nobody has been for so long ends by itself."""


@dataclass(frozen=True)
class Applied:
    """What an action did: the number of the first event, and the events."""

    number: int
    events: tuple[Event, ...]


def read_options(game: AnyGame, row: TableRow) -> Options:
    """Return the options that are kept of a table. Raises `BrokenRecord`."""
    try:
        options: Options = msgspec.json.decode(row.options, type=game.options)
    except msgspec.DecodeError as error:
        raise BrokenRecord(f"{game.key}: the options of table {row.id} cannot be read: {error}") from error
    return options


class LiveTable:
    """One table. All changes go through its methods, which take its lock; no message call is ever awaited under it."""

    def __init__(self, store: Store, game: AnyGame, row: TableRow, seats: Sequence[SeatRow]) -> None:
        self.store = store
        self.game = game
        self.row = row
        self.seats: attendance.Seats = tuple(seats)
        self.results: tuple[ResultRow, ...] = ()
        self.options: Options = read_options(game, row)
        self.lock = asyncio.Lock()
        self.state: Any = None
        self.version = 0
        self.notice: str | None = None
        self.used: Moment = row.created_at
        self._views: dict[Seat | None, View] = {}
        self._deadlines: tuple[Deadline, ...] | None = None

    @classmethod
    async def load(cls, store: Store, game: AnyGame, row: TableRow) -> "LiveTable":
        """Return the table as it was when it was last committed."""
        table = cls(store, game, row, await store.seats(row.id))
        await table._replay()
        table.results = tuple(await store.results(row.id))
        return table

    async def _replay(self) -> None:
        events = [self.game.read_event(body) for body in await self.store.events(self.row.id)]
        self.version = len(events)
        self._stand(self.game.fold(events) if events else None)

    def _stand(self, state: Any) -> None:
        self.state = state
        self._views.clear()
        self._deadlines = None

    # What it is

    @property
    def id(self) -> int:
        """The table's number."""
        return self.row.id

    @property
    def playing(self) -> bool:
        """Whether a game is under way."""
        return self.row.status == "playing"

    @property
    def in_lobby(self) -> bool:
        """Whether people are still gathering."""
        return self.row.status == "lobby"

    @property
    def ranked(self) -> bool:
        """Whether only people sat down to the game: then leaving counts."""
        return not self.row.casual and attendance.people(self.seats)

    @property
    def asleep(self) -> bool:
        """Whether a game is under way and nobody is there to play it: no clock runs then, and no computer plays."""
        return self.playing and attendance.deserted(self.seats)

    def seat_of(self, user: int) -> Seat | None:
        """Return the seat of this user, if they have one here."""
        for seat in self.seats:
            if seat.user == user:
                return Seat(seat.seat)
        return None

    def view(self, seat: Seat | None) -> View:
        """Return what the seat (None: the public) may know now. Made once a state."""
        present = self._views.get(seat)
        if present is None:
            present = self._views[seat] = self.game.view(self.state, seat)
        return present

    def deadlines(self) -> tuple[Deadline, ...]:
        """Return the clocks that run."""
        if not self.playing or self.asleep:
            return ()
        if self._deadlines is None:
            self._deadlines = self.game.deadlines(self.state)
        return self._deadlines

    def outcome(self) -> Outcome | None:
        """Return how the game ended, if it has."""
        return None if self.state is None else self.game.outcome(self.state)

    def legal(self, seat: Seat) -> list[Action]:
        """Return the sound actions of a seat now."""
        return list(self.game.legal(self.state, seat)) if self.playing else []

    def may_act(self, seat: Seat) -> bool:
        """Say whether a seat can do anything now. Cheap: the actions are not all looked for."""
        if not self.playing:
            return False
        return seat in self.view(None).waiting or next(self.game.legal(self.state, seat), None) is not None

    def question(self, seat: Seat) -> tuple[View, list[Action] | None] | None:
        """Return what a computer player on this seat is to answer: its view, and the legal actions unless the game
        finds them by the view; None if it cannot do anything.
        """
        if not self.may_act(seat):
            return None
        return self.view(seat), self.legal(seat) if self.game.choices is None else None

    def sitters(self) -> tuple[Sitter, ...]:
        """Return who sits where."""
        return tuple(Sitter(Seat(seat.seat), seat.name, seat.user, seat.level, seat.caretaker) for seat in self.seats)

    def info(self) -> TableInfo:
        """Return what a screen may know of this table."""
        due = min((deadline.due for deadline in self.deadlines() if deadline.kind == "turn"), default=None)
        over = self.row.status == "over"
        return TableInfo(
            self.id,
            self.sitters(),
            self.options,
            due,
            self.notice,
            self.row.commitment,
            seed_of(self.row).hex() if over else None,
        )

    def earliest(self) -> Moment | None:
        """Return the moment of the next deadline."""
        return first_due(self.deadlines())

    # What happens to it

    async def act(self, seat: Seat, action: Action, at: Moment, fresh: Callable[[View], bool] | None = None) -> Applied:
        """Let a person move, unless their control is no longer `fresh` for the seat's present view.

        Only a move that is taken brings somebody who was away back to their seat, and a sleeping table to life. Raises
        `Refusal` (of the rules), `Stale` or `UserError`; then nothing has changed.
        """

        def check() -> None:
            if self.seats[seat].user is None:
                raise UserError("You do not sit at this table any more.")
            if fresh is not None and not fresh(self.view(seat)):
                raise Stale

        return await self._let(seat, action, at, check, person=True)

    async def play(self, seat: Seat, action: Action, version: int, at: Moment) -> Applied:
        """Let a computer make the move that it thought of at event `version`.

        Raises `Stale` if the game has gone on since, if nobody is there any more or if the seat is a person's again,
        and what `act` raises; then nothing has changed.
        """

        def check() -> None:
            if self.version != version or self.asleep or not attendance.computers(self.seats[seat]):
                raise Stale

        return await self._let(seat, action, at, check)

    async def expire(self, deadline: str, at: Moment) -> Applied:
        """Let a deadline pass.

        Raises `Stale` if it is not due (any more), and what `act` raises; then nothing has changed.
        """

        def check() -> None:
            if not any(one.id == deadline and one.due <= at for one in self.deadlines()):
                raise Stale

        return await self._let(None, Expire(deadline), at, check)

    async def make_up_for(self, away_ms: int, at: Moment) -> None:
        """Move the running clocks back by the time the bot was away, and remember what to tell the players.

        A game may count time where no clock runs: how long a window has been open, say. It is told in any case. Not at
        a table that sleeps: all of its time is made up for when it wakes.
        """
        if not self.playing or self.asleep or away_ms <= 0:
            return
        running = bool(self.deadlines())
        await self._let(None, Delay(away_ms), at, lambda: None)
        if running:
            self.notice = f"The bot was away for {duration(away_ms)}; running clocks were extended by as much."

    async def _let(
        self, seat: Seat | None, action: Action, at: Moment, check: Callable[[], None], *, person: bool = False
    ) -> Applied:
        """Let an action happen: the one path. `check` raises if it must not, at the very moment and under the lock."""
        async with self.lock:
            try:
                return await self._checked(seat, action, at, check, person)
            except Conflict:
                # Another hand wrote to this table; what is on disk is what happened.
                log.error(
                    "table %s was changed behind our back at event %s; reading it again",
                    self.id,
                    self.version,
                )
                await self.reread_alone()
                return await self._checked(seat, action, at, check, person)
            except Exception as error:
                error.add_note(f"table {self.id} ({self.game.key}) at event {self.version}")  # stands in the log
                raise

    async def _checked(
        self, seat: Seat | None, action: Action, at: Moment, check: Callable[[], None], person: bool
    ) -> Applied:
        if not self.playing:
            raise UserError("This game is over.")
        check()
        assert self.row.seed is not None
        woken, state = self._woken(at) if person else ([], self.state)
        number = self.version + len(woken)
        chance = Chance(self.row.seed, str(self.id), number)
        events = self.game.decide(state, seat, action, at, chance)
        after = self.game.fold(events, state)
        if woken:
            await self._commit(None, self._slept(at), at, woken, state, self.seats)
        seats = attendance.taken_back(self.seats, seat) if person and seat is not None else self.seats
        await self._commit(seat, action, at, events, after, seats)
        return Applied(number, tuple(events))

    def _slept(self, at: Moment) -> Delay:
        return Delay(at - (at if self.row.slept_at is None else self.row.slept_at))

    def _woken(self, at: Moment) -> tuple[list[Event], Any]:
        """Return the events by which the clocks of a sleeping table are extended, and the state after them."""
        delay = self._slept(at)
        if not self.asleep or delay.by_ms <= 0:
            return [], self.state
        assert self.row.seed is not None
        chance = Chance(self.row.seed, str(self.id), self.version)
        events = self.game.decide(self.state, None, delay, at, chance)
        return events, self.game.fold(events, self.state)

    async def _commit(
        self,
        seat: Seat | None,
        action: Action | None,
        at: Moment,
        events: Sequence[Event],
        state: Any,
        seats: attendance.Seats,
    ) -> None:
        outcome = self.game.outcome(state)
        seats = self.reckoned(attendance.counted(seats, events))
        changes = attendance.changes(self.seats, seats)
        over, asleep = outcome is not None, attendance.deserted(seats)
        due = first_due(self.game.deadlines(state))
        results = (
            () if outcome is None else self.placed_results(seats, outcome.places, outcome.scores, outcome.reason, at)
        )
        row = await self.store.append(
            self.id,
            number=self.version,
            seat=seat,
            at=at,
            action=None if action is None else write(action),
            events=[write(event) for event in events],
            due=None if over else Moment(at + SLEEPS_FOR_MS) if asleep else due,
            status="over" if over else "playing",
            ended_at=at if over else None,
            results=results,
            seats=changes,
            slept_at=at if asleep and not over else None,
        )
        self._take_over(row, changes, results)
        self.version += len(events)
        self.used = at
        self._stand(state)

    def _take_over(self, row: TableRow, changes: Mapping[int, SeatChange], results: Sequence[ResultRow]) -> None:
        self.row = row
        self.seats = attendance.changed(self.seats, changes)
        self.results = tuple(results)
        self._deadlines = None

    def reckoned(self, seats: attendance.Seats) -> attendance.Seats:
        """Let those who are away from a ranked game forfeit."""
        return attendance.reckoned(seats) if self.ranked else seats

    def placed_results(
        self,
        seats: attendance.Seats,
        places: Sequence[int],
        scores: Sequence[int | None],
        reason: str,
        at: Moment,
    ) -> tuple[ResultRow, ...]:
        """Return the results of a game with these places of its own: who left takes another."""
        final = placed(places, [row.forfeit for row in seats])
        return tuple(
            ResultRow(row.seat, row.user, place, score, reason, at, self.row.guild, self.game.key)
            for row, place, score in zip(seats, final, scores, strict=True)
        )

    async def keep(
        self, seats: attendance.Seats, change: TableChange = NO_CHANGE, results: Sequence[ResultRow] = ()
    ) -> None:
        """Keep who is there now and what follows of it for the table, all in one. The caller holds the lock."""
        changes = attendance.changes(self.seats, seats)
        row = await self.store.settle_seats(self.id, changes, change, results)
        self._take_over(row, changes, results)

    async def wake(self, seats: attendance.Seats, at: Moment) -> bool:
        """Keep who is there now, and extend the clocks of this sleeping table. The caller holds the lock.

        Return False, and do nothing, if it did not sleep.
        """
        woken, state = self._woken(at)
        if woken:
            await self._commit(None, self._slept(at), at, woken, state, seats)
        return bool(woken)

    async def begin(self, material: Any, at: Moment) -> None:
        """Begin the game with those who sit here now. The seed is drawn here and its hash shown from now on."""
        async with self.lock:
            if not self.in_lobby:
                raise UserError("This game has already begun.")
            if len(self.seats) not in self.game.seats:
                raise UserError(f"{self.game.title} takes {span(self.game.seats)} players; {len(self.seats)} sit here.")
            seed = secrets.token_bytes(SEED_BYTES)
            events = self.game.setup(len(self.seats), self.options, material, at, Chance(seed, str(self.id), 0))
            state = self.game.fold(events)
            self.row = await self.store.update_table(
                self.id,
                TableChange(seed=seed, commitment=commitment(seed), started_at=at, rules=self.game.rules),
            )
            await self._commit(None, None, at, events, state, self.seats)

    async def close(self, reason: str, at: Moment) -> None:
        """End the table without a result."""
        async with self.lock:
            await self.close_alone(reason, at)

    async def close_alone(self, reason: str, at: Moment) -> None:
        """The same for a caller who holds the lock."""
        await self.change(TableChange(status="closed", ended_at=at, due=None, slept_at=None))
        self.notice = reason

    async def reread(self) -> None:
        """Stand as what is on disk says, whatever was in memory."""
        async with self.lock:
            await self.reread_alone()

    async def change_seat(self, seat: Seat, change: SeatChange) -> None:
        """Change what is kept of a seat: caretaker, lapses, its DM."""
        async with self.lock:
            self.row = await self.store.update_seat(self.id, seat, change)
            self.seats = attendance.changed(self.seats, {seat: change})

    async def change_seat_of(self, user: int, change: SeatChange) -> None:
        """Change what is kept of a user's seat, wherever they sit by now; nothing if they sit here no more."""
        async with self.lock:
            seat = self.seat_of(user)
            if seat is not None:
                self.row = await self.store.update_seat(self.id, seat, change)
                self.seats = attendance.changed(self.seats, {seat: change})

    async def set_seats(self, seats: Sequence[SeatRow]) -> None:
        """Seat these people, in this order, numbering them anew. The caller holds the lock."""
        numbered = [msgspec.structs.replace(row, seat=number) for number, row in enumerate(seats)]
        self.row = await self.store.set_seats(self.id, numbered)
        self.seats = tuple(numbered)

    async def change(self, change: TableChange) -> None:
        """Change what is kept of the table itself."""
        self.row = await self.store.update_table(self.id, change)
        if change.options is not msgspec.UNSET:
            self.options = msgspec.json.decode(self.row.options, type=self.game.options)

    async def replace_message(self, message: int, at: Moment) -> None:
        """Keep which message is the table's, and that the one before it is to go."""
        self.row = await self.store.replace_message(self.id, message, at)

    async def resume(self, at: Moment) -> None:
        """Let clocks run again that stood still, moved back by the time that they did."""
        if self.row.paused_at is None:
            return
        away_ms = at - self.row.paused_at
        if not self.asleep:
            await self.make_up_for(away_ms, at)
        if self.row.paused_at is not None:
            due = self.row.due if self.row.due is None else Moment(self.row.due + away_ms)
            await self.change(TableChange(due=due, paused_at=None))

    async def reread_alone(self) -> None:
        """The same for a caller who holds the lock."""
        row = await self.store.table(self.id)
        assert row is not None
        self.row = row
        self.seats = tuple(await self.store.seats(self.id))
        await self._replay()
        self.results = tuple(await self.store.results(self.id))


def first_due(deadlines: Iterable[Deadline]) -> Moment | None:
    """Return when the first of these passes."""
    return min((deadline.due for deadline in deadlines), default=None)


def span(numbers: range) -> str:
    """Return a range of players in words: "2", or "2–6"."""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def duration(ms: int) -> str:
    """Return a length of time in words, to the coarsest unit that tells it."""
    seconds = max(1, round(ms / 1_000))
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = round(seconds / size)
            return f"{count} {unit}{'s' if count != 1 else ''}"
    return f"{seconds} second{'s' if seconds != 1 else ''}"
