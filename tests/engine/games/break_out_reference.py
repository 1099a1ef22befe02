"""A second implementation of Break-Out, from the rule book alone: turns, windows, ties, gifts, pointers, ends of
rounds.

Times are in milliseconds. Every request is carried out, or raises `Forbidden` and changes nothing.
"""

from dataclasses import dataclass, field

from engine.games.break_out import (
    BreakOutOptions,
    Call,
    Draw,
    Give,
    Next,
    Point,
)
from tests.engine.games.break_out_reference_cards import FACES, Deed, Journal, Table, value
from tests.engine.games.break_out_reference_plays import Plays, Turn
from tests.engine.games.forbidden import Forbidden, require

CATCH, LAST_CATCH, TIE, SETTLE, GIFT = 5_000, 10_000, 1_500, 400, 30_000


@dataclass
class Heard:
    """A call; `fine` is the card that a wrong one cost."""

    seat: int
    kind: str
    at: int
    right: bool
    named: bool
    fine: str = ""


@dataclass
class Watch:
    """A turn that can be called, or will be callable at the moment of the NEXT that ends it."""

    turn: int
    seat: int
    opens: int
    nothing: bool
    cheated: bool
    closes: int | None = None
    heard: list[Heard] = field(default_factory=list)

    @property
    def right(self) -> list[Heard]:
        return [one for one in self.heard if one.right]

    def nearest(self, end: int, seats: int) -> Heard:
        """Return the right call, received before the end, whose seat is closest to the caught player's."""
        return min((one for one in self.right if one.at < end), key=lambda one: (one.seat - self.seat) % seats)

    def delay(self, by: int) -> None:
        self.opens += by
        self.closes = None if self.closes is None else self.closes + by
        for one in self.heard:
            one.at += by


class Reference:
    """A round."""

    def __init__(self, table: Table, options: BreakOutOptions, number_: int, turn: int, serial: int, at: int) -> None:
        self.journal = Journal(table)
        self.seats, self.options, self.round = len(table.hands), options, number_
        self.turn, self.serial, self.began = turn, serial, at
        self.cards = Plays(self.journal)
        self.drawn, self.full = "", False
        self.idle = self.dry = self.frozen = 0
        self.last_next: int | None = None
        self.watch: Watch | None = None  # the turn before
        self.early: list[Heard] = []  # calls that may be about the current turn before its NEXT
        self.kept: Watch | None = None  # the current turn after its NEXT
        self.gift: tuple[int, int, int] | None = None  # catcher, caught, until when
        self.then = ""  # what happens to the next player's turn after it
        self.pointed = [False] * self.seats
        self.points: list[int] | None = None  # of the round that has ended

    @property
    def table(self) -> Table:
        return self.journal.table

    def begin_turn(self) -> None:
        self.full = not self.table.out[self.turn] and self.table.held(self.turn) >= 9
        self.pointed[self.turn] = False

    @property
    def now(self) -> Turn:
        return Turn(self.turn, self.serial, self.drawn, self.full)

    @property
    def plays(self) -> list[Deed]:
        """Return the plays of the current turn."""
        return self.cards.of(self.now)

    @property
    def suspended(self) -> bool:
        return self.watch is not None and self.watch.closes is not None

    # Requests

    def act(self, seat: int, action: object, at: int) -> None:
        """Do it, or raise `Forbidden`."""
        require(self.points is None, "the round is over")
        match action:
            case Call():
                self.call(seat, action, at)
            case Give():
                self.give(seat, action, at)
            case Point():
                self.point(seat, action)
            case _:
                require(self.gift is None and not self.suspended, "while that is settled nothing else moves on")
                require(seat == self.turn, "it is not your turn")
                require(self.kept is None, "after a NEXT is said its inmate can do nothing more that turn")
                self.take_turn(seat, action, at)

    def take_turn(self, seat: int, action: object, at: int) -> None:
        match action:
            case Draw():
                require(not self.drawn and not self.plays, "only before you have played, once a turn")
                require(self.table.place is not None, "there is no draw card")
                self.drawn = str(self.table.place)
                self.journal.record(Deed(seat, self.serial, "take"))
            case Next():
                self.say_next(seat, at)
            case _:
                self.journal.record(self.cards.deed(self.now, action))

    # NEXT

    def say_next(self, seat: int, at: int) -> None:
        """D: judged when it is said. Calls received after its moment, but handled before it, are about it."""
        moment = at if self.last_next is None else max(at, self.last_next + CATCH)
        nothing = not self.plays and not self.drawn and self.table.place is not None
        self.kept = Watch(self.serial, seat, moment, nothing, any(deed.bad for deed in self.plays))
        late = [one for one in self.early if one.at >= moment]
        self.early = []
        if self.watch is not None:
            for one in [one for one in self.watch.heard if one.at >= moment]:
                late.append(one)
                self.watch.heard.remove(one)
                if one.fine and self.table.hands[one.seat][one.fine] > 0:
                    self.journal.record(Deed(one.seat, self.serial, "refund", face=one.fine))
        for one in sorted(late, key=lambda one: one.at):
            again = any((one.seat, one.kind) == (other.seat, other.kind) for other in self.kept.heard)
            if not one.named and one.seat != seat and not again:
                self.judge(self.kept, one.seat, one.kind, one.at, named=False)

    def take_next(self) -> None:
        """Let the NEXT take effect: its turn can be called, and the one before no longer."""
        kept, seat = self.kept, self.turn
        assert kept is not None
        self.last_next = self.began = kept.opens
        nothing, dry = not self.plays and not self.drawn, not self.table.pile and not self.plays
        self.dry = self.dry + 1 if dry else 0
        self.idle = self.idle + 1 if nothing else 0
        if self.drawn:
            self.journal.record(Deed(seat, self.serial, "refill"))
        self.watch, self.kept, self.early = kept, None, []
        self.turn, self.serial, self.drawn, self.full = (seat + 1) % self.seats, self.serial + 1, "", False
        if not +self.table.hands[seat] or self.idle >= self.seats or self.dry >= self.seats:
            kept.closes = kept.opens + LAST_CATCH
        else:
            self.begin_turn()

    def close(self) -> None:
        """R: −5 times the round for the player who went out, the points in hand for everyone else."""
        assert self.watch is not None
        out = None if +self.table.hands[self.watch.seat] else self.watch.seat
        self.points = [
            -5 * self.round if seat == out else sum(value(face) * times for face, times in hand.items())
            for seat, hand in enumerate(self.table.hands)
        ]

    # Catching

    def call(self, seat: int, action: Call, at: int) -> None:
        """Call, or let the call wait for a NEXT that was said earlier and is handled later."""
        try:
            self.call_now(seat, action, at)
        except Forbidden:
            soonest = self.began if self.last_next is None else max(self.began, self.last_next + CATCH)
            same = [one for one in self.early if (one.seat, one.kind) == (seat, action.kind)]
            waits = self.gift is None and self.kept is None and not self.suspended
            if not waits or action.turn is not None or seat == self.turn or len(same) > 3:
                raise
            if at < soonest or at == self.began:
                raise
            self.early.append(Heard(seat, action.kind, at, right=False, named=False))

    def call_now(self, seat: int, action: Call, at: int) -> None:
        require(self.gift is None, "that turn is settled")
        watch, turn = self.watch, action.turn
        if self.kept is not None and (at >= self.kept.opens if turn is None else turn == self.serial):
            require(at >= self.kept.opens, "it has not taken effect")
            watch = self.kept
        elif watch is not None:
            require(at >= watch.opens if turn is None else turn == watch.turn, "its window is not open")
            require(at < (at + 1 if self.ends() is None else int(str(self.ends()))), "too late")
        require(watch is not None, "no window is open")
        assert watch is not None
        require(seat != watch.seat, "one's own turn")
        require(all((one.seat, one.kind) != (seat, action.kind) for one in watch.heard), "once a window")
        self.judge(watch, seat, action.kind, at, named=turn is not None)

    def ends(self) -> int | None:
        """Return when the window on the previous turn ends: by the next NEXT, or by the clock."""
        assert self.watch is not None
        return self.watch.closes if self.kept is None else self.kept.opens

    def judge(self, watch: Watch, seat: int, kind: str, at: int, *, named: bool) -> None:
        right = watch.nothing if kind == "draw" else watch.cheated
        one = Heard(seat, kind, at, right, named)
        watch.heard.append(one)
        if not right and self.options.wrong_call == "draw" and self.table.pile:
            one.fine = self.journal.record(Deed(seat, self.serial, "fine")).face

    def tie_ends(self) -> int:
        assert self.watch is not None
        tie, end = min(one.at for one in self.watch.right) + TIE, self.ends()
        return tie if end is None else min(tie, end)

    def settle(self, at: int) -> None:
        """End the tie period: one of those in time is the catcher."""
        watch = self.watch
        assert watch is not None
        best = watch.nearest(self.tie_ends(), self.seats)
        self.frozen = min(one.at for one in watch.right)
        self.then, self.dry = ("last", 0) if watch.closes is not None else ("", self.dry)
        self.idle = 0
        if best.kind == "draw":
            self.journal.record(Deed(watch.seat, self.serial, "forced"))
        else:
            self.journal.strike(watch.seat, watch.turn)
            if self.kept is not None:
                self.kept, self.then = None, "anew"
        self.watch = None
        if +self.table.hands[best.seat]:
            self.gift = best.seat, watch.seat, at + GIFT
        else:
            self.go_on(at)

    def go_on(self, at: int) -> None:
        """D: the clock of the next player was paused; a turn that resumes gets all of it again."""
        self.gift = None
        self.began = at if self.then else self.began + at - self.frozen
        if self.kept is not None:
            self.kept.delay(max(0, at - self.kept.opens))
        if self.then == "last":
            self.begin_turn()

    def give(self, seat: int, action: Give, at: int) -> None:
        require(self.gift is not None and self.gift[0] == seat, "you have caught nobody")
        require(self.table.hands[seat][action.face] > 0, "a card you do not hold")
        self.hand_over(action.face, at)

    def give_highest(self, at: int) -> None:
        assert self.gift is not None
        hand = self.table.hands[self.gift[0]]
        self.hand_over(max((face for face in FACES if hand[face]), key=value), at)

    def hand_over(self, face: str, at: int) -> None:
        assert self.gift is not None
        who, whom, _ = self.gift
        self.journal.record(Deed(who, self.serial, "gift", face=face, other=whom))
        self.go_on(at)

    # Pointers

    def point(self, seat: int, action: Point) -> None:
        require(self.gift is None, "while that is settled nothing else moves on")
        require(action.meld in self.table.heaps, "a meld that does not exist")
        require(not self.pointed[seat], "one a turn of theirs")
        fresh = self.serial if self.watch is None else self.watch.turn
        require(self.table.heaps[action.meld].touched < fresh, "it can still be called")
        self.pointed[seat] = True
        if self.table.bad(action.meld):
            self.journal.record(Deed(seat, self.serial, "point", heap=action.meld))

    # Clocks

    def clocks(self) -> dict[str, int]:
        """Return the running clocks and their deadlines."""
        if self.gift is not None:
            return {"gift": self.gift[2]}
        right = self.watch is not None and bool(self.watch.right)
        found = {"tie": self.tie_ends() + SETTLE} if right else {}
        if self.suspended or self.kept is not None:
            if not right:
                found["last" if self.suspended else "next"] = int(str(self.end_of_window())) + SETTLE
        elif self.options.clock:
            found["turn"] = self.began + 1_000 * self.options.clock
        return found

    def end_of_window(self) -> int | None:
        return self.ends() if self.watch is not None else None if self.kept is None else self.kept.opens

    def expire(self, clock: str, at: int) -> None:
        """Let a clock run out."""
        match clock:
            case "gift":
                self.give_highest(at)
            case "tie":
                self.settle(at)
            case "last":
                self.close()
            case "next":
                self.take_next()
            case "turn":
                if not self.drawn and not self.plays and self.table.place is not None:
                    self.take_turn(self.turn, Draw(), at)
                self.say_next(self.turn, at)

    def delay(self, by: int) -> None:
        """Postpone every running clock, since the host was away."""
        self.began += by
        self.frozen += by
        self.last_next = None if self.last_next is None else self.last_next + by
        for one in self.early:
            one.at += by
        for watch in (self.watch, self.kept):
            if watch is not None:
                watch.delay(by)
        if self.gift is not None:
            self.gift = (*self.gift[:2], self.gift[2] + by)
