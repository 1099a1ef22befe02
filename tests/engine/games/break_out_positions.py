"""Positions of Break-Out for its tests: cards in a short notation, and a clock that the test sets."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from engine.chance import SEED_BYTES, Chance
from engine.contract import ClockAction, Deadline, Event, Expire, Moment, Refusal, Seat, to_json
from engine.games.break_out import (
    GAME,
    KINDS,
    NATURAL,
    SUPER,
    WILD,
    BreakOut,
    BreakOutAction,
    BreakOutEvent,
    BreakOutOptions,
    BreakOutView,
    Call,
    Card,
    Cards,
    Draw,
    Extend,
    Extract,
    Face,
    GameBegun,
    Lay,
    Meld,
    Move,
    Next,
    PlayDraw,
    Played,
    Point,
    RoundBegun,
    Slot,
    State,
)
from engine.games.break_out.state import piece_counts, sorted_slots
from engine.turns import Ready
from tools.harness.playouts import BEGIN, earliest, material, moves, seed_bytes, some_options

A, B, C = Seat(0), Seat(1), Seat(2)
MATERIAL = material(GAME)
LONG_AGO = -9
"""A turn in the distant past."""


def cards(words: str) -> Cards:
    """Return the cards of "r3 w=5 s=r6"."""
    found = []
    for word in words.split():
        face, _, stands = word.partition("=")
        found.append(Card(face, stands or None))
    return tuple(found)


def faces(words: str) -> tuple[Face, ...]:
    """Return the faces of "r3 w d"."""
    return tuple(words.split())


def chance(step: int = 0) -> Chance:
    return Chance(bytes(SEED_BYTES), "cells", step)


class ScriptedRound:
    """A round of Break-Out that a test controls. Seat 0 plays first, and nobody has said NEXT yet.

    `hands` are in short notation; `cell` and `yard` are melds laid in the distant past.
    """

    def __init__(
        self,
        *hands: str,
        out: Sequence[int] = (),
        cell: Mapping[int, Sequence[str]] | None = None,
        yard: Sequence[str] = (),
        pile: str = "v1 v2 v3 v4 v5 v6 v7 o1 o2 o3 o4 o5",
        place: str | None = "y1",
        full: bool = False,
        **options: object,
    ) -> None:
        chosen = BreakOutOptions(**{"clock": 60, "interludes": "off", **options})  # type: ignore[arg-type]  # a test names its fields
        seats = len(hands)
        state = GAME.fold(GAME.setup(seats, chosen, MATERIAL, BEGIN, chance()))
        assert isinstance(state, State)
        self.at = BEGIN
        names, dealt, melds = 1, 1, [state.melds[0]]
        for owner, words in [
            *((seat, meld) for seat, own in (cell or {}).items() for meld in own),
            *((None, meld) for meld in yard),
        ]:
            laid = []
            for card in cards(words):
                laid.append(Slot(dealt, card, Seat(owner if owner is not None else seats - 1), LONG_AGO))
                dealt += 1
            melds.append(Meld(names, None if owner is None else Seat(owner), sorted_slots(tuple(laid)), (LONG_AGO,)))
            names += 1
        self.state: State = msgspec.structs.replace(
            state,
            turn=A,
            starter=A,
            began=BEGIN,
            hands=tuple(faces(hand) for hand in hands),
            out=tuple(seat in out for seat in range(seats)),
            pile=faces(pile),
            place=place,
            melds=tuple(melds),
            names=names,
            dealt=dealt,
            full=full,
        )
        self.events: list[GameBegun | BreakOutEvent] = []

    # Acting

    def do(self, seat: int, action: BreakOutAction | ClockAction, at: int | None = None) -> list[Event]:
        """Make a seat act, now or at a moment (in milliseconds after the beginning)."""
        return self._happen(Seat(seat), action, self.at if at is None else Moment(BEGIN + at))

    def _happen(self, seat: Seat | None, action: BreakOutAction | ClockAction, at: Moment) -> list[Event]:
        events = GAME.decide(self.state, seat, action, at, chance(len(self.events)))
        after = GAME.fold(events, self.state)
        assert piece_counts(after) == piece_counts(self.state) or after.round != self.state.round, (
            "a card is lost or made"
        )
        assert after == GAME.fold([GAME.read_event(to_json(event)) for event in events], self.state)
        self.state = after
        self.events += events
        return list(events)

    def refused(self, seat: int, action: BreakOutAction | ClockAction, at: int | None = None) -> Refusal:
        """Return why a seat may not do this."""
        before = self.state
        try:
            self.do(seat, action, at)
        except Refusal as refusal:
            assert self.state == before
            return refusal
        raise AssertionError(f"{action} is not refused")

    def clock(self) -> Deadline:
        """Return the running clock: that of a tie period if there is one, never one that only closes a window."""
        running = [deadline for deadline in GAME.deadlines(self.state) if not deadline.id.startswith("shut-")]
        return running[0]

    def expire(self, kind: str) -> list[Event]:
        """Let the clock of this kind expire at its deadline, after any that are due earlier."""
        deadline = self.clock()
        assert deadline.id.startswith(kind + "-"), deadline.id
        self.at = Moment(max(self.at, deadline.due))
        for other in GAME.deadlines(self.state):
            if other.id.startswith("shut-") and other.due <= deadline.due:
                self._happen(None, Expire(other.id), other.due)
        return self._happen(None, Expire(deadline.id), self.at)

    def pass_turn(self, seat: int, at: int | None = None) -> None:
        """Say NEXT for a seat and let it take effect."""
        self.do(seat, Next(), at)
        if self.state.said is not None:
            self.expire("next")

    # Reading

    def hand(self, seat: int) -> list[Face]:
        """Return a hand, in the order of faces."""
        order = [*NATURAL, WILD, "d", SUPER]
        return sorted(self.state.hands[seat], key=order.index)

    def view(self, seat: int | None) -> BreakOutView:
        """Return the view of a seat."""
        return GAME.view(self.state, None if seat is None else Seat(seat))

    def laid(self, name: int) -> str | None:
        """Return the cards of a meld in short notation, or None if it is gone."""
        meld = self.state.meld(name)
        if meld is None:
            return None
        return " ".join(card.face if card.stands is None else f"{card.face}={card.stands}" for card in meld.cards)

    def place(self, name: int) -> int | str:
        """Return where a meld is: the seat of its cell, or the Yard."""
        meld = self.state.meld(name)
        assert meld is not None
        return "yard" if meld.cell is None else int(meld.cell)

    def due(self) -> int:
        """Return when the running clock expires, in milliseconds after the beginning."""
        return self.clock().due - BEGIN

    def count(self) -> Counter[Face]:
        """Return how often each face occurs in the whole game."""
        return piece_counts(self.state)


def random_action(state: State, rng: random.Random) -> tuple[Seat, BreakOutAction]:
    """Return a random action, usually an illegal one."""
    seat = Seat(rng.randrange(state.seats)) if rng.random() < 0.3 else state.turn
    hand = list(state.hands[seat])
    rng.shuffle(hand)
    some = rng.choice((1, 1, 2, 3, 3, 4, 7))

    def card(face: str) -> Card:
        return Card(face, rng.choice((str(rng.randint(1, 7)), rng.choice(NATURAL)))) if face in "ws" else Card(face)

    picked = tuple(map(card, hand[:some]))
    names = [meld.id for meld in state.melds]
    slots = [slot.id for meld in state.melds for slot in meld.slots]
    own = [meld.id for meld in state.melds if meld.cell == seat]
    taken = tuple(rng.sample(slots, min(len(slots), rng.choice((0, 0, 0, 1, 2)))))
    moved = tuple(rng.sample(own, rng.randint(0, len(own))))
    tried: list[BreakOutAction] = [
        Lay(picked, taken),
        Extend(rng.choice(names), picked, taken),
        BreakOut(rng.choice((1, 2, 3, 4)), picked, rng.choice([*own, None]), moved, rng.random() < 0.1),
        BreakOut(1, picked),
        PlayDraw(rng.choice("ds")),
        Move(moved),
        Next(),
        Next(),
        Ready(),
        Draw(),
        Point(rng.choice(names)),
        Call(rng.choice(KINDS), rng.choice((None, state.serial, state.serial - 1))),
    ]
    if slots and picked:
        tried.append(Extract(rng.choice(slots), picked[0]))
    action = rng.choice(tried)
    return (Seat(rng.randrange(state.seats)) if isinstance(action, Call) else seat), action


def play_randomly(seed: int, steps: int, look: Callable[[State], None] = lambda state: None) -> Counter[str]:
    """Play a game with bad plays of every kind, call `look` on each state, and return the events.

    No card may be lost or duplicated.
    """
    rng = random.Random(seed)
    seats = rng.randint(2, 6)
    options = msgspec.structs.replace(some_options(GAME, rng), referee=rng.choice(("honour", "honour", "strict")))
    started = GAME.setup(seats, options, MATERIAL, BEGIN, Chance(seed_bytes(seed), "t", 0))
    state, total = GAME.fold(started), Counter(MATERIAL.deck(seats))
    at, seen, step = BEGIN, Counter[str](), len(started)
    for _ in range(steps):
        if GAME.outcome(state) is not None:
            seen["over"] += 1
            return seen
        at = Moment(at + rng.choice((1, 50, 300, 1_000, 3_000)))
        deadline = earliest(GAME, state)
        possible = moves(GAME, state, seats)
        seat: Seat | None
        action: BreakOutAction | ClockAction
        if deadline is not None and (at >= deadline.due or not possible) and rng.random() < 0.8:
            at = max(at, deadline.due)
            seat, action = None, Expire(deadline.id)
        elif possible and rng.random() < 0.45:
            seat, action = rng.choice(possible)
        else:
            seat, action = random_action(state, rng)
        try:
            events = GAME.decide(state, seat, action, at, Chance(seed_bytes(seed), "t", step))
        except Refusal:
            continue
        step += len(events)
        for event in events:
            seen[type(event).__name__ + (f"-{event.fault}" if isinstance(event, Played) and event.fault else "")] += 1
            state = GAME.fold([event], state)
            if step > 2:
                assert piece_counts(state) == total, event
                names = [slot.id for meld in state.melds for slot in meld.slots]
                assert len(set(names)) == len(names) and all(meld.slots for meld in state.melds)
                assert all(state.meld(meld.id) is meld for meld in state.melds)
        look(state)
    return seen


STRICT = "strict"
"""Options with the referee that refuses bad plays."""

SEVEN = "r1 r2 b4 g6 v7 o7 y7"
"""A hand of seven cards with a set of sevens."""


def setup(seats: int, seed: int, **options: object) -> tuple[GameBegun, RoundBegun]:
    """Return the first events of a game with these options."""
    started, first = GAME.setup(
        seats,
        BreakOutOptions(**options),  # type: ignore[arg-type]  # a test names its fields
        MATERIAL,
        BEGIN,
        Chance(seed_bytes(seed), "t", 0),
    )
    assert isinstance(started, GameBegun) and isinstance(first, RoundBegun)
    return started, first
