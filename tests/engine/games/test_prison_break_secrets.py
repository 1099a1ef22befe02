"""One seat's secrets in Prison Break stay secret: if they are swapped, no other seat's view changes.

In random games everything that a reader may not know is swapped, in the state and in the events that led to it; the
reader's view, legal actions and answers to any action must stay byte for byte the same.
"""

import random
from typing import Any

import msgspec
import pytest

from engine.contract import Event, Seat, to_json
from engine.games.prison_break import (
    GAME,
    Decline,
    GameEnded,
    Guard,
    GuardsSent,
    LightsChecked,
    Marked,
    Noted,
    Offer,
    OfferSettled,
    Pass,
    PrisonBreakAction,
    PrisonBreakOptions,
    Sneak,
    Sneaked,
    State,
    TimeRanOut,
    Vote,
    Voting,
)
from engine.turns import InterludeBegun, InterludeEnded, Ready
from tests.engine.games.prison_break_positions import EXIT, answer
from tools.harness.playouts import Playout, play

ASKED: list[PrisonBreakAction] = [
    Sneak(0, 2),
    Sneak(2, 0),
    Sneak(3, 3),
    Offer(0, 0, 1),
    Offer(1, 1, 0),
    Offer(7, 0, 1),
    Decline(),
    Vote(True),
    Vote(False),
    Pass(),
    Guard(0),
    Guard(11),
    Ready(),
]


def exchanged(state: State, reader: Seat | None, rng: random.Random) -> State:
    """Return the state with everything that the reader may not know replaced at random."""
    others = [seat for seat in range(len(state.positions)) if seat != reader]
    positions, arrivals = list(state.positions), list(state.arrivals)
    paths, notes, markers = list(state.paths), list(state.notes), list(state.markers)
    for seat in others:
        positions[seat] = rng.randint(0, EXIT)
        arrivals[seat] = rng.randint(1, 99) if positions[seat] == EXIT else None
        paths[seat] = tuple(rng.sample(paths[seat], len(paths[seat]) // 2))
        notes[seat] = rng.choice(["", "somewhere else"])
        markers[seat] = tuple(tuple(rng.sample(range(EXIT + 1), 2)) for _ in state.markers)
    phase = state.phase
    if isinstance(phase, Voting):
        votes = [
            vote if vote is None or voter == reader else rng.random() < 0.5
            for voter, vote in zip(phase.voters, phase.votes, strict=True)
        ]
        phase = msgspec.structs.replace(phase, votes=tuple(votes))
    return msgspec.structs.replace(
        state,
        positions=tuple(positions),
        arrivals=tuple(arrivals),
        paths=tuple(paths),
        notes=tuple(notes),
        markers=tuple(markers),
        phase=phase,
    )


@pytest.mark.parametrize("seed", range(25))
def test_exchanging_what_a_seat_may_not_know_changes_nothing_that_it_sees_or_may_do(seed: int):
    rng = random.Random(seed)
    playout = play(GAME, seed)
    for state in rng.sample(playout.running, min(30, len(playout.running))):
        for reader in (None, *map(Seat, range(playout.seats))):
            twin = exchanged(state, reader, rng)
            assert to_json(GAME.view(state, reader)) == to_json(GAME.view(twin, reader))
            assert GAME.deadlines(state) == GAME.deadlines(twin)
            if reader is not None:
                assert list(GAME.legal(state, reader)) == list(GAME.legal(twin, reader))


@pytest.mark.parametrize("seed", range(12))
def test_refusal_and_acceptance_betray_nothing(seed: int):
    """What an accepted action makes public (the last of two votes, guards who catch a player) is
    decided by the rules.
    """
    rng = random.Random(seed)
    playout = play(GAME, seed)
    for state in rng.sample(playout.running, min(10, len(playout.running))):
        for reader in map(Seat, range(playout.seats)):
            twin = exchanged(state, reader, rng)
            for action in ASKED:
                told, again = answer(state, reader, action), answer(twin, reader, action)
                assert told[0] == again[0]
                if told[0] != "accepted":
                    assert told == again


def betrays(event: Event) -> bool:
    """Return True if this event makes something hidden public."""
    shown = isinstance(event, LightsChecked) and event.on
    return shown or isinstance(event, OfferSettled | GuardsSent | GameEnded)


def other_lives(playout: Playout, reader: Seat, rng: random.Random) -> list[tuple[State, State]]:
    """Return pairs of states: the real one, and one in which the others sneaked and wrote otherwise, until it shows."""
    pairs = []
    real = other = playout.start
    for event in playout.events[1:]:
        if betrays(event):
            real = other = GAME.fold([event], real)
            continue
        lie: Any = event
        if isinstance(event, Sneaked) and event.seat != reader:
            lie = msgspec.structs.replace(event, moved=rng.randint(0, 2))
        elif isinstance(event, Noted) and event.seat != reader:
            lie = msgspec.structs.replace(event, text="something else")
        elif isinstance(event, Marked) and event.seat != reader:
            lie = msgspec.structs.replace(event, markers="")
        real, other = GAME.fold([event], real), GAME.fold([lie], other)
        pairs.append((real, other))
    return pairs


@pytest.mark.parametrize("seed", range(15))
def test_other_sneaks_that_nothing_has_shown_yet_leave_no_trace(seed: int):
    playout = play(GAME, seed, options=PrisonBreakOptions(round_limit=12))
    reader = Seat(seed % playout.seats)
    pairs = other_lives(playout, reader, random.Random(seed))
    assert any(real != other for real, other in pairs)
    for real, other in pairs:
        assert to_json(GAME.view(real, reader)) == to_json(GAME.view(other, reader))
        assert to_json(GAME.view(real, None)) == to_json(GAME.view(other, None))


@pytest.mark.parametrize("seed", range(15))
def test_no_event_that_a_reader_may_see_in_the_log_has_a_hidden_number_in_it(seed: int):
    """The log is the same for all readers, so it must contain nothing that is not for all."""
    playout = play(GAME, seed)
    for state in playout.states:
        views = [GAME.view(state, reader) for reader in (None, *map(Seat, range(playout.seats)))]
        assert len({view.log for view in views}) == 1
        assert len({view.prisoners for view in views}) == 1


def test_the_stamp_counts_only_what_everyone_saw():
    for seed in range(10):
        playout = play(GAME, seed)
        happened = list(playout.setup)
        for state, step in zip(playout.states, (None, *playout.steps), strict=True):
            happened += step.events if step else ()
            entries = [entry for entry in state.log if not isinstance(entry, TimeRanOut)]
            pauses = sum(isinstance(event, InterludeBegun | InterludeEnded) for event in happened)
            assert state.ui_version == len(entries) - 1 + pauses
