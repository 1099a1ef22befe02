"""Hand-built states of Prison Break for its tests, and short functions to play on from them."""

from collections.abc import Sequence
from itertools import count
from typing import Any

import msgspec
import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import ClockAction, Moment, Refusal, Seat
from engine.games.prison_break import (
    GAME,
    JAIL,
    KINDS,
    Card,
    Guarding,
    Kind,
    Material,
    Offer,
    Offering,
    Over,
    Pass,
    PrisonBreakAction,
    PrisonBreakEvent,
    PrisonBreakOptions,
    PrisonBreakView,
    Prisoner,
    Sneak,
    Sneaking,
    State,
    Vote,
    Voting,
    order,
)
from tools.harness.playouts import folded, material

A, B, C, D = Seat(0), Seat(1), Seat(2), Seat(3)
MATERIAL: Material = msgspec.convert(material(GAME), Material)
EXIT = MATERIAL.spaces + 1
BEGAN = Moment(1_000_000)
NOW = Moment(1_007_000)
Phase = Sneaking | Offering | Voting | Guarding | Over


def rolling(face: int) -> Chance:
    """Return chance whose first throw of a die shows this face."""
    seeds = (seed.to_bytes(SEED_BYTES, "big") for seed in count())
    return next(Chance(seed, "prison", 0) for seed in seeds if Chance(seed, "prison", 0).roll() == face)


DARK = 1
LIT = 6


def new_game(seats: int = 3, seed: int = 0, **options: Any) -> State:
    chance = Chance(seed.to_bytes(SEED_BYTES, "big"), "prison", 0)
    return GAME.fold(GAME.setup(seats, PrisonBreakOptions(**options), MATERIAL, BEGAN, chance))


def moment(
    positions: Sequence[int] = (JAIL, JAIL, JAIL),
    phase: Phase | None = None,
    *,
    warden: Seat = A,
    row: Sequence[Kind] = KINDS,
    tokens: Sequence[int] | int = 3,
    arrivals: Sequence[int | None] | None = None,
    offers: Any = "rules",
    round_limit: int = 30,
    clock: int = 180,
    **changes: Any,
) -> State:
    """Return a state with these positions. By default the Warden, A, starts the Sneak phase.

    The row has one offer of each kind, more than there are players, so that every test has the one it needs.
    """
    seats = len(positions)
    held = (tokens,) * seats if isinstance(tokens, int) else tokens
    return State(
        material=MATERIAL,
        options=PrisonBreakOptions(clock=clock, offers=offers, round_limit=round_limit),
        phase=phase if phase is not None else Sneaking(order(warden, seats)),
        began=BEGAN,
        warden=warden,
        row=tuple(Card(kind) for kind in row),
        prisoners=changes.pop("prisoners", tuple(Prisoner(tokens=tokens) for tokens in held)),
        positions=tuple(positions),
        arrivals=tuple(arrivals) if arrivals else tuple(0 if at == EXIT else None for at in positions),
        paths=changes.pop("paths", ((),) * seats),
        notes=("",) * seats,
        markers=(((),) * seats,) * seats,
        log=(),
        **changes,
    )


def offering(*positions: int, **changes: Any) -> State:
    return moment(positions, Offering(), **changes)


def guarding(*positions: int, seats: Sequence[Seat] | None = None, **changes: Any) -> State:
    return moment(positions, Guarding(tuple(seats) if seats else order(A, len(positions))), **changes)


def decide(
    before: State, seat: Seat | None, action: PrisonBreakAction | ClockAction, roll: int = DARK
) -> list[PrisonBreakEvent]:
    return GAME.decide(before, seat, action, NOW, rolling(roll))


def after(before: State, *moves: tuple[Seat, PrisonBreakAction | ClockAction], roll: int = DARK) -> State:
    """Return the state after these moves; every lights check among them throws `roll`."""
    for seat, action in moves:
        before = folded(GAME, decide(before, seat, action, roll), before)
    return before


def offered(before: State, kind: Kind, first: Seat = A, second: Seat = B) -> State:
    """Return the state after the Warden made this offer."""
    card = next(place for place, card in enumerate(before.row) if card == Card(kind))
    return after(before, (before.warden, Offer(card, first, second)))


def settled(before: State, kind: Kind, accepts: str, first: Seat = A, second: Seat = B) -> State:
    """Return the state after this offer and the votes: `++` both accept, `+-` the first does, `--` both reject."""
    return after(
        offered(before, kind, first, second), (first, Vote(accepts[0] == "+")), (second, Vote(accepts[1] == "+"))
    )


def passed(before: State) -> State:
    """Return the state after everyone who may still check has passed."""
    while isinstance(before.phase, Guarding):
        before = after(before, (before.phase.seats[0], Pass()))
    return before


def sneaked(before: State, *sneaks: tuple[int, int], roll: int = DARK) -> State:
    """Return the state after these sneaks (declare, move), in turn order."""
    for declare, move in sneaks:
        assert isinstance(before.phase, Sneaking)
        before = after(before, (before.phase.seats[0], Sneak(declare, move)), roll=roll)
    return before


def refused(before: State, seat: Seat | None, action: PrisonBreakAction | ClockAction, at: Moment = NOW) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        GAME.decide(before, seat, action, at, rolling(DARK))
    return refusal.value


def answer(before: State, seat: Seat | None, action: PrisonBreakAction | ClockAction) -> tuple[str, Any]:
    """Return what the seat learns at once from an action: its refusal, or its view afterwards."""
    try:
        then = folded(GAME, decide(before, seat, action), before)
    except Refusal as refusal:
        return refusal.code, refusal.facts
    return "accepted", GAME.view(then, seat)


def public(of: State) -> PrisonBreakView:
    return GAME.view(of, None)
