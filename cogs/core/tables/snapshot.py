"""An immutable snapshot of one table: its game, its players, and what may happen next."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

import msgspec

from cogs.core.i18n.translation import Words, _
from cogs.core.pages.game_ui import SeatedPlayer, TableContext
from cogs.core.tables import seat_rules
from cogs.core.tables.agreements import NO_AGREEMENTS, read_agreements
from cogs.core.tables.options import asks_clock, read_options
from cogs.core.tables.seat_rules import Seats
from data.store import NO_SERVER, ResultRow, SeatRow, TableRow, seed_of, users_in
from data.store.rows import Cause
from engine.contract import Action, AnyGame, Deadline, Moment, Options, Seat, View
from engine.results import placed

UNLOADS_AFTER_MS, ENDED_UNLOADS_AFTER_MS = 10 * 60_000, 3 * 60_000
"""A table that nobody has used for this long is unloaded, sooner if its game has ended; its clocks stay set."""


CHANNEL_CAUSES: Collection[Cause | None] = ("timeout", "locked", "permissions")
"""Why the bot may not write in a channel."""


BLOCKED_FOR_MS = 86_400_000
"""For how long, in all, a table's clocks are paused because the bot may not write in its channel."""


BLOCKED_CLOSES_MS = 7 * 86_400_000
"""A table closes if the bot may not write in its channel for this long."""


def final_places(seats: Sequence[SeatRow], results: Sequence[ResultRow]) -> tuple[int, ...]:
    """Return the places of a finished game that some players left, by seat; empty where the board alone decides."""
    return () if all(row.forfeit is None for row in seats) else tuple(result.place for result in results)


EARLIEST = Moment(0)


@dataclass(frozen=True, slots=True)
class Position:
    """A game's state after `version` events, the clocks that it sets, and the views that were asked for so far. `at`:
    when the last of them happened, if that is known.
    """

    state: Any
    version: int
    clocks: tuple[Deadline, ...]
    views: dict[Seat | None, View] = field(default_factory=dict, compare=False, repr=False)
    at: Moment = EARLIEST


BEFORE_THE_GAME = Position(None, 0, ())


class TableSnapshot:
    """A table after its latest change; it never changes itself.

    - `results`: those of a finished game, by seat.
    - `bots`: the seats on which a computer plays, for itself or for an absent person.
    - `lapsed`: users who missed a turn and still play themselves.
    - `doubted`: these, and the host of a lobby whom a player asks to replace: their next action shows that they are
      there.
    - `practice`: one person plays against computers in private, on no server, and nothing counts.
    - `paused`: its clocks are stopped, since it cannot be played. `out_of_reach`: since its server is out of reach.
      `blocked`: since the bot may not write in its channel, so nobody moves, until the `pause_ends` at the latest.
    - `ranked`: only people sat down, so leaving counts.
    - `alone`: one person plays against computers only, so nobody else waits. `unhurried`: without a clock, too.
    - `asleep`: a game is in progress and nobody is there to play, so no clock runs and no computer plays.
    - `options`: those that the game began with, or would begin with now. `begin_options`: the same, but with the clock
      that would run if more people sat down.
    - `agreements`: what its players agree on or were asked.
    - `stopped_at`: since when its clocks are stopped, if they are: it is paused or asleep.
    - `deadlines`: the clocks that run. `hurried`: one of them is a window of seconds. `earliest`: when the first runs
      out. `turn_due`: when the first of a turn does.
    - `unloads_after_ms`: how long the table stays in memory after it was last used.
    """

    def __init__(
        self,
        game: AnyGame,
        row: TableRow,
        seats: Seats,
        position: Position,
        stored_options: Options,
        results: tuple[ResultRow, ...] = (),
        notice: Words | None = None,
    ) -> None:
        self.game: Final = game
        self.row: Final = row
        self.seats: Final = seats
        self.position: Final = position
        self.results: Final = results
        self._notice: Final = notice
        self.begin_options: Final = stored_options
        self.id: Final = row.id
        self.playing: Final = row.status == "playing"
        self.in_lobby: Final = row.status == "lobby"
        self.ended: Final = not (self.playing or self.in_lobby)
        self.practice: Final = row.guild == NO_SERVER
        self.paused: Final = row.paused_at is not None
        self.out_of_reach: Final = self.paused and row.paused_by in (None, "server")
        self.blocked: Final = self.paused and row.paused_by in CHANNEL_CAUSES
        self.unloads_after_ms: Final = ENDED_UNLOADS_AFTER_MS if self.ended else UNLOADS_AFTER_MS
        players = [SeatedPlayer(Seat(seat.seat), seat.name, seat.user, seat.level, seat.caretaker) for seat in seats]
        self.seated_players: Final = tuple(players)
        self.bots: Final = tuple([Seat(seat.seat) for seat in seats if seat.level is not None or seat.caretaker])
        lapsed = [seat.user for seat in seats if seat.lapses and not seat.caretaker] if self.playing else []
        self.lapsed: Final = frozenset(lapsed)
        self.doubted: Final = frozenset((row.opener,)) if row.heir is not None and self.in_lobby else self.lapsed
        people = [seat for seat in seats if seat.user is not None]
        unranked = row.casual or game.unranked(stored_options) or any(seat.level is not None for seat in seats)
        self.ranked: Final = not unranked
        self.alone: Final = unranked and len(people) == 1
        self.asleep: Final = self.playing and all(seat.caretaker for seat in people)
        pause_ends = None if row.blocked_at is None else Moment(row.blocked_at + BLOCKED_FOR_MS - row.blocked_ms)
        self.pause_ends: Final = pause_ends if self.blocked else None
        stops = (row.paused_at, row.slept_at if self.asleep else None)
        self.stopped_at: Final = min((at for at in stops if at is not None), default=None)
        without_clock = self.in_lobby and self.alone and not asks_clock(row)
        self.options: Final = msgspec.structs.replace(stored_options, clock=0) if without_clock else stored_options
        self.unhurried: Final = self.alone and not self.options.clock
        self.agreements: Final = NO_AGREEMENTS if row.agreements is None else read_agreements(row.agreements)

        self.state: Final = position.state
        self.version: Final = position.version
        self.deadlines: Final = position.clocks if self.playing and self.stopped_at is None and not self.asleep else ()
        self.earliest: Final = min((clock.due for clock in self.deadlines), default=None)
        self.turn_due: Final = min((clock.due for clock in self.deadlines if clock.kind == "turn"), default=None)
        self.hurried: Final = any(clock.kind == "window" for clock in self.deadlines)

    @classmethod
    def of(cls, game: AnyGame, row: TableRow, seats: Iterable[SeatRow]) -> Self:
        """Return a table before any event. Raises `BrokenRecord` for options that cannot be read."""
        return cls(game, row, tuple(seats), BEFORE_THE_GAME, read_options(game, row))

    def after(
        self,
        row: TableRow,
        seats: Seats | None = None,
        position: Position | None = None,
        results: tuple[ResultRow, ...] | None = None,
        notice: Words | msgspec.UnsetType | None = msgspec.UNSET,
    ) -> "TableSnapshot":
        """Return the table with this row and these changes. Raises `BrokenRecord`."""
        return TableSnapshot(
            self.game,
            row,
            self.seats if seats is None else seats,
            position or self.position,
            self.begin_options if row.options == self.row.options else read_options(self.game, row),
            self.results if results is None else results,
            self._notice if notice is msgspec.UNSET else notice,
        )

    # The table

    @property
    def notice(self) -> str | None:
        """A sentence for everybody about the table itself, such as why it was closed."""
        return None if self._notice is None else self._notice()

    def seat_of(self, user: int) -> Seat | None:
        """Return the seat of this user, if they have one here."""
        for row in self.seats:
            if row.user == user:
                return Seat(row.seat)
        return None

    def looks_like(self, other: "TableSnapshot") -> bool:
        """Return True if the public sees the same of another snapshot of this table."""
        return _public_facts(self) == _public_facts(other)

    def nameless(self) -> "TableSnapshot":
        """Return the table with players that have numbers in place of names, and without a notice."""
        names = [_("Player {n}", n=seat.seat + 1) for seat in self.seats]
        seats = tuple([msgspec.structs.replace(row, name=name) for row, name in zip(self.seats, names, strict=True)])
        return self.after(self.row, seats, notice=None)

    def knows(self, user: int) -> bool:
        """Return True if this user sits here or hosts the table, is invited to it, was kicked or wants to host it."""
        row = self.row
        listed = (row.opener, row.heir, *users_in(row.invited), *users_in(row.kicked))
        return self.seat_of(user) is not None or user in listed

    def info(self) -> TableContext:
        """Return what a game's UI may know of this table."""
        over = self.row.status == "over"
        return TableContext(
            self.id,
            self.seated_players,
            self.options,
            self.turn_due,
            self.notice,
            self.row.commitment,
            seed_of(self.row).hex() if over else None,
            self.ranked,
            self.stopped_at is not None or self.asleep or not self.playing,
            final_places(self.seats, self.results) if over else (),
        )

    # The game

    def view(self, seat: Seat | None) -> View:
        """Return what the seat (None: the public) may know now."""
        views = self.position.views
        present = views.get(seat)
        if present is None:
            present = views[seat] = self.game.view(self.state, seat)
        return present

    def legal(self, seat: Seat) -> list[Action]:
        """Return the sound actions of a seat now."""
        return list(self.game.legal(self.state, seat)) if self.playing else []

    def may_act(self, seat: Seat) -> bool:
        """Return True if a seat can do anything now. Cheap: no action is searched for."""
        if not self.playing:
            return False
        if seat in self.view(None).to_act:
            return True
        return self.game.can_act_off_turn is not None and self.game.can_act_off_turn(self.view(seat))

    def awaits(self, seat: Seat) -> bool:
        """Return True if the game waits for a seat, or a clock of its own runs."""
        return seat in self.view(seat).to_act or any(seat in clock.seats for clock in self.deadlines)

    def question(self, seat: Seat) -> tuple[View, Iterable[Action] | None] | None:
        """Return a seat's view and legal actions, found lazily (None: from the view); None if it can do nothing."""
        if not self.may_act(seat):
            return None
        return self.view(seat), _legal(self.game, self.state, seat) if self.game.legal_from_view is None else None

    # Results of leaving

    def with_forfeits(self, seats: Seats) -> Seats:
        """Return the seats after those who are away from a ranked game have forfeited."""
        return seat_rules.apply_forfeits(seats) if self.ranked else seats

    def placed_results(
        self,
        seats: Seats,
        places: Sequence[int],
        scores: Sequence[int | None],
        reason: str,
        at: Moment,
    ) -> tuple[ResultRow, ...]:
        """Return the results of a game with these places on the board, with those who left last. Practice has none."""
        if self.practice:
            return ()
        final = placed(places, [row.forfeit for row in seats])
        return tuple(
            ResultRow(row.seat, row.user, place, score, reason, at, self.row.guild, self.game.key)
            for row, place, score in zip(seats, final, scores, strict=True)
        )


def _public_facts(table: TableSnapshot) -> object:
    due = None if table.deadlines else table.row.due  # a private act may set a clock
    row = msgspec.structs.replace(table.row, version=0, revision=0, shown=0, run=0, due=due)
    forfeits = [seat.forfeit for seat in table.seats]
    return row, table.seated_players, forfeits, None if table.state is None else table.view(None)


def _legal(game: AnyGame, state: Any, seat: Seat) -> Iterator[Action]:
    """Yield the sound actions of a seat; nothing is searched for before the first is asked for."""
    yield from game.legal(state, seat)
