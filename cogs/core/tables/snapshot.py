"""An immutable snapshot of one table: its game, its players, and what may happen next."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self

import msgspec

from cogs.core.pages.game_ui import SeatedPlayer, TableContext
from cogs.core.tables import seat_rules
from data.store import NO_SERVER, ResultRow, SeatRow, TableRow, seed_of
from engine.contract import Action, AnyGame, BrokenRecord, Deadline, Moment, Options, Outcome, Seat, View
from engine.results import placed

UNLOADS_AFTER_MS, ENDED_UNLOADS_AFTER_MS = 10 * 60_000, 3 * 60_000
"""A table that nobody has used for this long is unloaded, sooner if its game has ended; its clocks stay set."""


def read_options(game: AnyGame, row: TableRow) -> Options:
    """Return the stored options of a table. Raises `BrokenRecord`.

    An option that a table in its lobby lacks has its default; one that a game lacks is as it was when that began.
    """
    try:
        if row.started_at is not None:
            begun: Options = game.read_options(row.options)
            return begun
        options: Options = msgspec.json.decode(row.options, type=game.options)
    except msgspec.DecodeError as error:
        raise BrokenRecord(f"{game.key}: the options of table {row.id} cannot be read: {error}") from error
    return options


def asks_clock(row: TableRow) -> bool:
    """Return True if somebody asked for a clock, or the server sets one: only then do the options name it before the
    game begins.
    """
    return "clock" in msgspec.json.decode(row.options)


def final_places(seats: Sequence[SeatRow], results: Sequence[ResultRow]) -> tuple[int, ...]:
    """Return the places of a finished game that some players left, by seat; empty where the board alone decides."""
    return () if all(row.forfeit is None for row in seats) else tuple(result.place for result in results)


@dataclass(frozen=True, slots=True)
class Seating:
    """The players of a table, and what follows from them alone: how pages name the `seated_players`, and the seats on
    which `bots` play, for themselves or for an absent person.
    """

    rows: seat_rules.Seats
    seated_players: tuple[SeatedPlayer, ...]
    bots: tuple[Seat, ...]
    one_person: bool
    people_only: bool
    deserted: bool

    @classmethod
    def of(cls, rows: seat_rules.Seats) -> Self:
        """Return the seating with these rows."""
        return cls(
            rows,
            tuple(SeatedPlayer(Seat(row.seat), row.name, row.user, row.level, row.caretaker) for row in rows),
            tuple(Seat(row.seat) for row in rows if seat_rules.played_by_bot(row)),
            sum(row.user is not None for row in rows) == 1,
            seat_rules.only_people(rows),
            seat_rules.deserted(rows),
        )

    def after(self, rows: seat_rules.Seats) -> "Seating":
        """Return the seating with these rows; all else is kept if the same people and computer players sit there."""
        if [_sitting(row) for row in rows] == [_sitting(row) for row in self.rows]:
            return replace(self, rows=rows)
        return Seating.of(rows)


def _sitting(row: SeatRow) -> tuple[object, ...]:
    return row.name, row.user, row.level, row.caretaker


@dataclass(frozen=True, slots=True)
class Position:
    """A game's state after `version` events, the clocks that it sets, and the views that were asked for so far."""

    state: Any
    version: int
    clocks: tuple[Deadline, ...]
    views: dict[Seat | None, View] = field(default_factory=dict, compare=False, repr=False)


BEFORE_THE_GAME = Position(None, 0, ())


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """A table after its latest change. Derived fields are computed once.

    - `results`: those of a finished game, by seat.
    - `notice`: a sentence for everybody about the table itself, such as why it was closed.
    - `ranked`: only people sat down, so leaving counts.
    - `practice`: one person plays against computers in private, on no server, and nothing counts.
    - `alone`: one person plays against computers only, so nobody else waits. `unhurried`: without a clock, too.
    - `asleep`: a game is in progress and nobody is there to play, so no clock runs and no computer plays.
    - `paused`: its clocks are stopped, since its server is out of reach.
    - `lapsed`: users who missed a turn and still play themselves.
    - `options`: those that the game began with, or would begin with now.
    - `bots`: the seats on which a computer plays.
    - `deadlines`: the clocks that run. `hurried`: one of them is a window of seconds. `earliest`: when the first runs
      out. `turn_due`: when the first of a turn does.
    - `unloads_after_ms`: how long the table stays in memory after it was last used.
    """

    game: AnyGame
    row: TableRow
    seating: Seating
    position: Position
    stored_options: Options
    results: tuple[ResultRow, ...] = ()
    notice: str | None = None

    id: int = field(init=False)
    seats: seat_rules.Seats = field(init=False)
    seated_players: tuple[SeatedPlayer, ...] = field(init=False)
    bots: tuple[Seat, ...] = field(init=False)
    lapsed: frozenset[int | None] = field(init=False)
    playing: bool = field(init=False)
    in_lobby: bool = field(init=False)
    ended: bool = field(init=False)
    practice: bool = field(init=False)
    paused: bool = field(init=False)
    ranked: bool = field(init=False)
    alone: bool = field(init=False)
    asleep: bool = field(init=False)
    unhurried: bool = field(init=False)
    options: Options = field(init=False)
    unloads_after_ms: int = field(init=False)
    state: Any = field(init=False, repr=False)
    version: int = field(init=False)
    deadlines: tuple[Deadline, ...] = field(init=False)
    earliest: Moment | None = field(init=False)
    turn_due: Moment | None = field(init=False)
    hurried: bool = field(init=False)

    def __post_init__(self) -> None:
        row, seating, position = self.row, self.seating, self.position
        playing, in_lobby = row.status == "playing", row.status == "lobby"
        ended = not (playing or in_lobby)
        ranked = not row.casual and seating.people_only and not self.game.unranked(self.stored_options)
        alone = seating.one_person and not ranked
        asleep = playing and seating.deserted
        options = self.stored_options
        if in_lobby and alone and not asks_clock(row):
            options = msgspec.structs.replace(options, clock=0)
        clocks = position.clocks if playing and not asleep else ()
        lapsed = (seat.user for seat in seating.rows if seat.lapses and not seat.caretaker) if playing else ()
        derive = partial(object.__setattr__, self)
        derive("id", row.id)
        derive("seats", seating.rows)
        derive("seated_players", seating.seated_players)
        derive("bots", seating.bots)
        derive("lapsed", frozenset(lapsed))
        derive("playing", playing)
        derive("in_lobby", in_lobby)
        derive("ended", ended)
        derive("practice", row.guild == NO_SERVER)
        derive("paused", row.paused_at is not None)
        derive("ranked", ranked)
        derive("alone", alone)
        derive("asleep", asleep)
        derive("options", options)
        derive("unhurried", alone and not options.clock)
        derive("unloads_after_ms", ENDED_UNLOADS_AFTER_MS if ended else UNLOADS_AFTER_MS)
        derive("state", position.state)
        derive("version", position.version)
        derive("deadlines", clocks)
        derive("earliest", min((one.due for one in clocks), default=None))
        derive("turn_due", min((one.due for one in clocks if one.kind == "turn"), default=None))
        derive("hurried", any(one.kind == "window" for one in clocks))

    @classmethod
    def of(cls, game: AnyGame, row: TableRow, seats: Iterable[SeatRow]) -> Self:
        """Return a table before any event. Raises `BrokenRecord` for options that cannot be read."""
        return cls(game, row, Seating.of(tuple(seats)), BEFORE_THE_GAME, read_options(game, row))

    def after(
        self,
        row: TableRow,
        seats: seat_rules.Seats | None = None,
        position: Position | None = None,
        results: tuple[ResultRow, ...] | None = None,
        notice: str | msgspec.UnsetType | None = msgspec.UNSET,
    ) -> "TableSnapshot":
        """Return the table with this row and these changes. Raises `BrokenRecord`."""
        return TableSnapshot(
            self.game,
            row,
            self.seating if seats is None or seats is self.seats else self.seating.after(seats),
            position or self.position,
            self.stored_options if row.options == self.row.options else read_options(self.game, row),
            self.results if results is None else results,
            self.notice if notice is msgspec.UNSET else notice,
        )

    # The table

    def seat_of(self, user: int) -> Seat | None:
        """Return the seat of this user, if they have one here."""
        for row in self.seats:
            if row.user == user:
                return Seat(row.seat)
        return None

    def knows(self, user: int) -> bool:
        """Return True if this user sits here, hosts the table or is invited to it."""
        return self.seat_of(user) is not None or user in (self.row.opener, self.row.invited)

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
            self.asleep or not self.playing,
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

    def outcome(self) -> Outcome | None:
        """Return how the game ended, if it has."""
        return None if self.state is None else self.game.outcome(self.state)

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
        """Return what a computer player on this seat needs for a decision: its view, and the legal actions, found
        lazily, or None if the game finds them from the view. Return None if it cannot do anything.
        """
        if not self.may_act(seat):
            return None
        return self.view(seat), _legal(self.game, self.state, seat) if self.game.legal_from_view is None else None

    # Results of leaving

    def with_forfeits(self, seats: seat_rules.Seats) -> seat_rules.Seats:
        """Return the seats after those who are away from a ranked game have forfeited."""
        return seat_rules.apply_forfeits(seats) if self.ranked else seats

    def placed_results(
        self,
        seats: seat_rules.Seats,
        places: Sequence[int],
        scores: Sequence[int | None],
        reason: str,
        at: Moment,
    ) -> tuple[ResultRow, ...]:
        """Return the results of a game that ended with these places on the board; players who left take the last
        ones. Practice has no results.
        """
        if self.practice:
            return ()
        final = placed(places, [row.forfeit for row in seats])
        return tuple(
            ResultRow(row.seat, row.user, place, score, reason, at, self.row.guild, self.game.key)
            for row, place, score in zip(seats, final, scores, strict=True)
        )


def _legal(game: AnyGame, state: Any, seat: Seat) -> Iterator[Action]:
    """Yield the sound actions of a seat; nothing is searched for before the first is asked for."""
    yield from game.legal(state, seat)
