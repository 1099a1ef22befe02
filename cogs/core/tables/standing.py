"""How a table stands, read from what is in memory: its game's state, who sits there, what is due, who may do what.

Nothing here is written, and nothing waited for.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from cogs.core.pages.game_ui import Sitter, TableInfo
from cogs.core.tables import seat_rules
from data.store import NO_SERVER, ResultRow, SeatRow, TableRow, seed_of
from engine.contract import Action, AnyGame, BrokenRecord, Deadline, Moment, Options, Outcome, Seat, View
from engine.endings import placed


def read_options(game: AnyGame, row: TableRow) -> Options:
    """Return the options that are kept of a table. Raises `BrokenRecord`."""
    try:
        options: Options = msgspec.json.decode(row.options, type=game.options)
    except msgspec.DecodeError as error:
        raise BrokenRecord(f"{game.key}: the options of table {row.id} cannot be read: {error}") from error
    return options


def asks_clock(row: TableRow) -> bool:
    """Say whether somebody has asked for the clock of a table, or its server has one of its own: else its options do
    not name it, until the game begins.
    """
    return "clock" in msgspec.json.decode(row.options)


def _legal(game: AnyGame, state: Any, seat: Seat) -> Iterator[Action]:
    """Yield the sound actions of a seat: looked for where they are gone through, not where they are asked for."""
    yield from game.legal(state, seat)


def final_places(seats: Sequence[SeatRow], results: Sequence[ResultRow]) -> tuple[int, ...]:
    """Return the places of a finished game that some had left, by seat; empty where the board alone decides."""
    return () if all(row.forfeit is None for row in seats) else tuple(result.place for result in results)


SLEEPS_AFTER_MS, ENDED_SLEEPS_AFTER_MS = 10 * 60_000, 3 * 60_000
"""A table that nobody touched for so long leaves the memory, and one whose game has ended; its clocks stay set."""

Reached = tuple[Any, tuple[Deadline, ...]]
"""A state of a game, and the clocks that it sets."""


class Standing:
    """How one table stands.

    `playing`: a game is under way; `in_lobby`: people are still gathering; `ended`: neither, for good. `ranked`: only
    people sat down to the game, so leaving counts. `deserted`: nobody is there to play. `asleep`: a game is under way
    at a deserted table: no clock runs then, and no computer plays. `lapsed`: whose clock has run out and is to be
    forgiven, since they still play themselves. `practice`: somebody plays here with computers alone, in private, on no
    server, and nothing of it counts. `alone`: nobody but one person has ever a part in the game, there or on a server,
    and computers do not mind how long they take, nor its end. `unhurried`: it is `alone`, and no clock was asked for.
    `options`: those with which the game was begun, or would be by those who sit there. `elsewhere`: another process
    has it, which shows it and keeps its clocks. `silent`: nothing of it is shown from here, since its server is out of
    reach or it is elsewhere. `computers`: the seats on which one plays. `deadlines`: the clocks that run; `hurried`:
    one of them is a window of seconds; `earliest`: when the first of them passes, and `turn_due`: the first one of
    somebody's turn. `sleeps_after_ms`: the table leaves the memory when nobody has touched it for so long.
    """

    # In a dictionary so many would take a kilobyte more a table.
    __slots__ = (
        "_clocks",
        "_kept",
        "_people",
        "_single",
        "_sitting",
        "_views",
        "alone",
        "asleep",
        "computers",
        "deadlines",
        "deserted",
        "earliest",
        "elsewhere",
        "ended",
        "game",
        "hurried",
        "id",
        "in_lobby",
        "lapsed",
        "notice",
        "options",
        "playing",
        "practice",
        "ranked",
        "results",
        "row",
        "seats",
        "silent",
        "sitters",
        "sleeps_after_ms",
        "state",
        "turn_due",
        "unhurried",
        "used",
        "version",
    )

    def __init__(self, game: AnyGame, row: TableRow, seats: Sequence[SeatRow]) -> None:
        self.game = game
        self.id = row.id
        self.practice = row.guild == NO_SERVER
        self.elsewhere = False
        self.results: tuple[ResultRow, ...] = ()
        self._kept = read_options(game, row)
        self.state: Any = None
        self.version = 0
        self.notice: str | None = None
        self.used: Moment = row.created_at
        self._views: dict[Seat | None, View] = {}
        self._clocks: tuple[Deadline, ...] = ()
        self.row = row
        self.seats: seat_rules.Seats = ()
        self._sitting: tuple[object, ...] | None = None
        self.stand(row, tuple(seats))

    def stand(self, row: TableRow, seats: seat_rules.Seats, reached: Reached | None = None) -> None:
        """Stand as the table's row and its seats say, and at the state that the game has `reached`, where it has gone
        on. What follows from them is worked out here, once: every page and every move asks for it. Raises
        `BrokenRecord` for options that cannot be read.
        """
        if self._sitting is None or seats is not self.seats:
            self._sit(seats)
        if row.options != self.row.options:
            self._kept = read_options(self.game, row)
        if reached is not None:
            self.state, self._clocks = reached
            self._views.clear()
        self.seats, self.row = seats, row
        self.playing = row.status == "playing"
        self.in_lobby = row.status == "lobby"
        self.ended = not (self.playing or self.in_lobby)
        self.sleeps_after_ms = ENDED_SLEEPS_AFTER_MS if self.ended else SLEEPS_AFTER_MS
        self.ranked = not row.casual and self._people
        self.alone = self._single and not self.ranked
        hurries = not (self.in_lobby and self.alone) or asks_clock(row)
        self.options: Options = self._kept if hurries else msgspec.structs.replace(self._kept, clock=0)
        self.unhurried = self.alone and not self.options.clock
        self.asleep = self.playing and self.deserted
        self.lapsed = {row.user for row in seats if row.lapses and not row.caretaker} if self.playing else set()
        self.silent = row.paused_at is not None or self.elsewhere
        self.deadlines = self._clocks if self.playing and not self.asleep else ()
        self.hurried = any(one.kind == "window" for one in self.deadlines)
        self.earliest = min((one.due for one in self.deadlines), default=None)
        self.turn_due = min((one.due for one in self.deadlines if one.kind == "turn"), default=None)

    def _sit(self, seats: seat_rules.Seats) -> None:
        sitting = tuple((row.name, row.user, row.level, row.caretaker) for row in seats)
        if sitting == self._sitting:
            return
        self._sitting = sitting
        self.sitters = tuple(
            Sitter(Seat(row.seat), row.name, row.user, row.level, row.caretaker) for row in seats
        )  # who sits where, as pages name them
        self._single = sum(row.user is not None for row in seats) == 1
        self._people, self.deserted = seat_rules.people(seats), seat_rules.deserted(seats)
        self.computers = tuple(Seat(row.seat) for row in seats if seat_rules.computers(row))

    # The table

    def seat_of(self, user: int) -> Seat | None:
        """Return the seat of this user, if they have one here."""
        for seat in self.seats:
            if seat.user == user:
                return Seat(seat.seat)
        return None

    def knows(self, user: int) -> bool:
        """Say whether this user sits here, runs the table or is invited to it."""
        return self.seat_of(user) is not None or user in (self.row.opener, self.row.invited)

    def info(self) -> TableInfo:
        """Return what a screen may know of this table."""
        over = self.row.status == "over"
        return TableInfo(
            self.id,
            self.sitters,
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
        """Return what the seat (None: the public) may know now. Made once a state."""
        present = self._views.get(seat)
        if present is None:
            present = self._views[seat] = self.game.view(self.state, seat)
        return present

    def outcome(self) -> Outcome | None:
        """Return how the game ended, if it has."""
        return None if self.state is None else self.game.outcome(self.state)

    def legal(self, seat: Seat) -> list[Action]:
        """Return the sound actions of a seat now."""
        return list(self.game.legal(self.state, seat)) if self.playing else []

    def may_act(self, seat: Seat) -> bool:
        """Say whether a seat can do anything now. Cheap: no action is looked for."""
        if not self.playing:
            return False
        if seat in self.view(None).waiting:
            return True
        return self.game.unasked is not None and self.game.unasked(self.view(seat))

    def awaits(self, seat: Seat) -> bool:
        """Say whether a seat is to do something, or a clock of its own runs."""
        return seat in self.view(seat).waiting or any(seat in clock.seats for clock in self.deadlines)

    def question(self, seat: Seat) -> tuple[View, Iterable[Action] | None] | None:
        """Return what a computer player on this seat is to answer: its view, and the legal actions, not yet looked for,
        unless the game finds them by the view; None if it cannot do anything.
        """
        if not self.may_act(seat):
            return None
        return self.view(seat), _legal(self.game, self.state, seat) if self.game.choices is None else None

    # What leaving costs

    def reckoned(self, seats: seat_rules.Seats) -> seat_rules.Seats:
        """Let those who are away from a ranked game forfeit."""
        return seat_rules.reckoned(seats) if self.ranked else seats

    def placed_results(
        self,
        seats: seat_rules.Seats,
        places: Sequence[int],
        scores: Sequence[int | None],
        reason: str,
        at: Moment,
    ) -> tuple[ResultRow, ...]:
        """Return the results of a game with these places of its own: who left takes another. Practice has none."""
        if self.practice:
            return ()
        final = placed(places, [row.forfeit for row in seats])
        return tuple(
            ResultRow(row.seat, row.user, place, score, reason, at, self.row.guild, self.game.key)
            for row, place, score in zip(seats, final, scores, strict=True)
        )
