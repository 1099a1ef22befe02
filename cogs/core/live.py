"""A live table: one running game (or its lobby) in memory, one lock, and the one path that every action takes.

decide → commit the events → evolve. Buttons, commands, timers and computer players all come through `LiveTable.act`;
nothing is known to anyone before it is on disk. May import `engine` and `data`.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from cogs.core.errors import Stale, Told
from cogs.core.screen import Sitter, TableCard
from data.store import Conflict, ResultRow, SeatChange, SeatRow, Store, TableChange, TableRow, seed_of
from engine.chance import SEED_BYTES, Chance, commitment
from engine.contract import (
    Action,
    AnyGame,
    Deadline,
    Delay,
    Event,
    Lapsed,
    Moment,
    Options,
    Outcome,
    Seat,
    View,
    write,
)

log = logging.getLogger(__name__)

LAPSES_BEFORE_CARETAKER = 2


@dataclass(frozen=True)
class Applied:
    """What an action did: the number of the first event, and the events."""

    number: int
    events: tuple[Event, ...]


class LiveTable:
    """One table. All changes go through its methods, which take its lock; no message call is ever awaited under it."""

    def __init__(self, store: Store, game: AnyGame, row: TableRow, seats: Sequence[SeatRow]) -> None:
        self.store = store
        self.game = game
        self.row = row
        self.seats = tuple(seats)
        self.options: Options = msgspec.json.decode(row.options, type=game.options)
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
        if not self.playing:
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

    def card(self) -> TableCard:
        """Return what a screen may know of this table."""
        due = min((deadline.due for deadline in self.deadlines() if deadline.kind == "turn"), default=None)
        over = self.row.status == "over"
        return TableCard(
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
        return min((deadline.due for deadline in self.deadlines()), default=None)

    # What happens to it

    async def act(
        self, seat: Seat | None, action: Action, at: Moment, fresh: Callable[[View], bool] | None = None
    ) -> Applied:
        """Let the action happen, unless its control is no longer `fresh` for the seat's present view.

        Raises `Refusal` (of the rules), `Stale` or `Told`; then nothing has changed.
        """
        async with self.lock:
            if not self.playing:
                raise Told("This game is over.")
            if fresh is not None and not fresh(self.view(seat)):
                raise Stale
            try:
                return await self._act(seat, action, at)
            except Conflict:
                # Another hand wrote to this table; what is on disk is what happened.
                log.error(
                    "table %s was changed behind our back at event %s; reading it again",
                    self.id,
                    self.version,
                )
                await self._reload()
                return await self._act(seat, action, at)
            except Exception as error:
                error.add_note(f"table {self.id} ({self.game.key}) at event {self.version}")  # stands in the log
                raise

    async def _act(self, seat: Seat | None, action: Action, at: Moment) -> Applied:
        assert self.row.seed is not None
        chance = Chance(self.row.seed, str(self.id), self.version)
        events = self.game.decide(self.state, seat, action, at, chance)
        state = self.game.fold(events, self.state)
        await self._commit(seat, action, at, events, state)
        return Applied(self.version - len(events), tuple(events))

    async def _commit(
        self, seat: Seat | None, action: Action | None, at: Moment, events: Sequence[Event], state: Any
    ) -> None:
        outcome = self.game.outcome(state)
        due = min((deadline.due for deadline in self.game.deadlines(state)), default=None)
        changes = self._lapse_changes(seat, events)
        over = outcome is not None
        row = await self.store.append(
            self.id,
            number=self.version,
            seat=seat,
            at=at,
            action=None if action is None else write(action),
            events=[write(event) for event in events],
            due=None if over else due,
            status="over" if over else "playing",
            ended_at=at if over else None,
            results=self._results(outcome, at) if outcome is not None else (),
            seats=changes,
        )
        self.row = row
        self.version += len(events)
        self.used = at
        self._stand(state)
        if changes:
            self._apply_seat_changes(changes)

    def _lapse_changes(self, seat: Seat | None, events: Sequence[Event]) -> dict[int, SeatChange]:
        lapses = {row.seat: row.lapses for row in self.seats}
        if seat is not None and not self.seats[seat].caretaker:
            lapses[seat] = 0
        for event in events:
            if isinstance(event, Lapsed):
                lapses[event.seat] += 1
        changes: dict[int, SeatChange] = {}
        for row in self.seats:
            count = lapses[row.seat]
            if row.user is not None and count != row.lapses:
                taken = row.caretaker or count >= LAPSES_BEFORE_CARETAKER
                changes[row.seat] = SeatChange(lapses=count, caretaker=taken)
        return changes

    def _apply_seat_changes(self, changes: dict[int, SeatChange]) -> None:
        self.seats = tuple(
            row
            if (change := changes.get(row.seat)) is None
            else msgspec.structs.replace(
                row,
                **{k: v for k, v in msgspec.structs.asdict(change).items() if v is not msgspec.UNSET},
            )
            for row in self.seats
        )

    def _results(self, outcome: Outcome, at: Moment) -> list[ResultRow]:
        return [
            ResultRow(
                seat=row.seat,
                user=row.user,
                place=outcome.places[row.seat],
                score=outcome.scores[row.seat],
                reason=outcome.reason,
                ended_at=at,
                guild=self.row.guild,
                game=self.game.key,
            )
            for row in self.seats
        ]

    async def begin(self, material: Any, at: Moment) -> None:
        """Begin the game with those who sit here now. The seed is drawn here and its hash shown from now on."""
        async with self.lock:
            if not self.in_lobby:
                raise Told("This game has already begun.")
            if len(self.seats) not in self.game.seats:
                raise Told(f"{self.game.title} takes {span(self.game.seats)} players; {len(self.seats)} sit here.")
            seed = secrets.token_bytes(SEED_BYTES)
            events = self.game.setup(len(self.seats), self.options, material, at, Chance(seed, str(self.id), 0))
            state = self.game.fold(events)
            self.row = await self.store.update_table(
                self.id,
                TableChange(seed=seed, commitment=commitment(seed), started_at=at, rules=self.game.rules),
            )
            await self._commit(None, None, at, events, state)

    async def close(self, reason: str, at: Moment) -> None:
        """End the table without a result."""
        async with self.lock:
            await self.close_alone(reason, at)

    async def close_alone(self, reason: str, at: Moment) -> None:
        """The same for a caller who holds the lock."""
        await self.change(TableChange(status="closed", ended_at=at, due=None))
        self.notice = reason

    async def reread(self) -> None:
        """Stand as what is on disk says, whatever was in memory."""
        async with self.lock:
            await self._reload()

    async def forget(self, user: int) -> None:
        """Delete who this user is from the table; a seat of theirs is played on by a computer."""
        async with self.lock:
            await self.store.people.forget(user, self.id)
            await self._reload()

    async def change_seat(self, seat: Seat, change: SeatChange) -> None:
        """Change what is kept of a seat: caretaker, lapses, its DM."""
        async with self.lock:
            await self.store.update_seat(self.id, seat, change)
            self._apply_seat_changes({seat: change})

    async def set_seats(self, seats: Sequence[SeatRow]) -> None:
        """Seat these people, in this order, numbering them anew. The caller holds the lock."""
        numbered = [msgspec.structs.replace(row, seat=number) for number, row in enumerate(seats)]
        await self.store.set_seats(self.id, numbered)
        self.seats = tuple(numbered)

    async def change(self, change: TableChange) -> None:
        """Change what is kept of the table itself."""
        self.row = await self.store.update_table(self.id, change)
        if change.options is not msgspec.UNSET:
            self.options = msgspec.json.decode(self.row.options, type=self.game.options)

    async def make_up_for(self, away_ms: int, at: Moment) -> None:
        """Move the running clocks back by the time the bot was away, and remember what to tell the players."""
        if self.playing and away_ms > 0 and self.deadlines():
            await self.act(None, Delay(away_ms), at)
            self.notice = f"The bot was away for {duration(away_ms)}; running clocks were extended by as much."

    async def _reload(self) -> None:
        row = await self.store.table(self.id)
        assert row is not None
        self.row = row
        self.seats = tuple(await self.store.seats(self.id))
        await self._replay()


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
