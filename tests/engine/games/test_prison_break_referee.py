"""Random games of Prison Break against a second implementation, written independently of the rules' code.

The referee gets the requests and the results of chance, and derives everything else itself.
"""

from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.contract import Expire, Moment, Refusal, Seat
from engine.games.prison_break import (
    GAME,
    Decline,
    GameBegun,
    Guard,
    Guarding,
    LightsChecked,
    Mark,
    Note,
    Offer,
    Offering,
    OfferSettled,
    Pass,
    PrisonBreakAction,
    PrisonBreakOptions,
    RowDealt,
    Sneak,
    State,
    Vote,
    markers_text,
)
from engine.games.prison_break.state import piece_counts
from engine.turns import Ready, replace_at
from tests.engine.games.prison_break_positions import MATERIAL, public
from tools.harness.playouts import BEGIN, Playout, Step, play, seed_bytes

OUT = 11


@dataclass
class Pawn:
    """One player as the referee knows them: where they are and what they owe."""

    at: int = 0
    tokens: int = 3
    said: int = 0
    known: int = 0
    known_in: int = 0
    misses_sneak: bool = False
    frozen_in: int = 0
    came: int = 0


@dataclass
class Referee:
    """The second implementation. `asked` are the seats that have yet to act in the present phase, in order."""

    pawns: list[Pawn]
    warden: int
    faces: list[list[Any]]
    sample: bool
    last_round: int
    round: int = 1
    phase: str = "sneak"
    asked: list[int] = field(default_factory=list)
    offer: tuple[int, int, int] = (0, 0, 0)
    votes: dict[int, bool] = field(default_factory=dict)
    dark_round: int = 0
    ticks: int = 0
    winners: list[int] | None = None
    pauses: bool = True
    ready: list[int] | None = None

    def clockwise(self) -> list[int]:
        return [(self.warden + i) % len(self.pawns) for i in range(len(self.pawns))]

    def hear(self, step: Step) -> None:
        """Follow one decision. A lapse counts as the default of every seat that had to act."""
        lucky = {type(event): event for event in step.events}
        if self.ready is not None and not isinstance(step.action, Note | Mark):
            self.wake(step, lucky)
        elif isinstance(step.action, Expire):
            defaults = {"sneak": Sneak(0, 0), "offer": Decline(), "vote": Vote(False), "guard": Pass()}
            default = defaults[self.phase]
            late = (
                [seat for seat in self.offer[1:] if seat not in self.votes] if self.phase == "vote" else self.asked[:1]
            )
            for seat in late:
                self.follow(seat, default, lucky)
        elif step.seat is not None:
            self.follow(step.seat, step.action, lucky)

    def wake(self, step: Step, lucky: dict[type, Any]) -> None:
        """All are ready, or time has run out: the round continues."""
        assert self.ready is not None and isinstance(step.action, Ready | Expire)
        if step.seat is not None:
            assert step.seat not in self.ready
            self.ready.append(step.seat)
        if step.seat is None or len(self.ready) == len(self.pawns):
            self.ready = None
            if self.phase == "guard" and not self.asked:
                self.close(lucky)

    def follow(self, seat: int, action: Any, lucky: dict[type, Any]) -> None:
        if isinstance(action, Note | Mark):
            return
        if isinstance(action, Vote):
            assert seat in self.offer[1:] and seat not in self.votes
            self.votes[seat] = action.accept
            if len(self.votes) == 2:
                self.take_effect(lucky)
            return
        assert self.asked[0] == seat
        pawn = self.pawns[seat]
        if isinstance(action, Sneak):
            self.asked.pop(0)
            self.ticks += 1
            pawn.said += action.declare
            assert not (action.move and pawn.frozen_in == self.round)
            self.push(pawn, action.move)
            if not self.asked:
                self.lights(lucky)
        elif isinstance(action, Decline):
            self.call_guards(True, lucky)
        elif isinstance(action, Offer):
            assert self.faces[action.card][1]
            self.offer, self.votes, self.phase = (action.card, action.first, action.second), {}, "vote"
            self.asked = []
        elif isinstance(action, Guard | Pass):
            self.asked.pop(0)
            if isinstance(action, Guard):
                pawn.tokens -= 1
                for other in self.pawns:
                    if other.at == action.space:
                        other.at, other.misses_sneak, other.came = 0, True, 0
                        self.reveal(other)
            if not self.asked:
                self.close(lucky)

    def push(self, pawn: Pawn, by: int) -> None:
        was = pawn.at
        pawn.at = max(0, min(OUT, was + by))
        if pawn.at != OUT:
            pawn.came = 0
        elif was != OUT:
            pawn.came = self.ticks

    def reveal(self, pawn: Pawn) -> None:
        pawn.known, pawn.known_in, pawn.said = pawn.at, self.round, 0

    def light_up(self) -> None:
        for pawn in self.pawns:
            self.reveal(pawn)
        self.ready = [] if self.pauses else None

    def lights(self, lucky: dict[type, Any]) -> None:
        roll = lucky[LightsChecked].roll
        assert 1 <= roll <= 6
        if roll in (5, 6):
            self.light_up()
        self.phase, self.asked = "offer", [self.warden]

    def take_effect(self, lucky: dict[type, Any]) -> None:
        place, first, second = self.offer
        kind = self.faces[place][0]
        one, two = self.pawns[first], self.pawns[second]
        yes = [self.pawns[seat] for seat in (first, second) if self.votes[seat]]
        no = [self.pawns[seat] for seat in (first, second) if not self.votes[seat]]
        rest = [pawn for pawn in self.pawns if pawn is not one and pawn is not two]
        self.ticks += 1
        guards = True
        moves: list[tuple[Pawn, int]] = []
        if len(yes) == 2:
            if kind == "advance":
                moves = [(one, 2), (two, 2)]
            elif kind == "lights":
                self.light_up()
            elif kind == "patrols":
                moves = [(pawn, -1) for pawn in rest]
            elif kind == "lockdown":
                self.dark_round = self.round + 1
            else:
                guards = False
        elif len(no) == 2:
            if kind == "bribe":
                for pawn in no:
                    pawn.tokens = max(0, pawn.tokens - 1)
            else:
                back = {"advance": 2, "lights": 1, "patrols": 2, "lockdown": 4}[kind]
                moves = [(pawn, -back) for pawn in no]
        elif kind == "advance":
            moves = [(yes[0], 2), (no[0], 2)] if self.sample else [(no[0], 3)]
        elif kind == "lights":
            self.reveal(yes[0])
        elif kind == "patrols":
            moves = [(yes[0], -2), (no[0], 1)]
        elif kind == "lockdown":
            yes[0].frozen_in = self.round + 1
            moves = [(no[0], 2 if self.sample else 3)]
        else:
            yes[0].tokens = max(0, yes[0].tokens - 1)
            no[0].tokens += 1
        for pawn, by in moves:
            if by < 0 or pawn.frozen_in != self.round:
                self.push(pawn, by)
        self.faces[place][1] = False
        if not any(up for _, up in self.faces):
            self.faces = [[kind, True] for kind in lucky[RowDealt].row]
            assert len(self.faces) == len(self.pawns)
        self.call_guards(guards, lucky)

    def call_guards(self, any_: bool, lucky: dict[type, Any]) -> None:
        self.phase = "guard"
        self.asked = [seat for seat in self.clockwise() if any_ and self.pawns[seat].tokens]
        if not self.asked and self.ready is None:
            self.close(lucky)

    def close(self, lucky: dict[type, Any]) -> None:
        out = [pawn for pawn in self.pawns if pawn.at == OUT]
        best = max(pawn.at for pawn in self.pawns)
        if out:
            soonest = min(pawn.came for pawn in out)
            self.winners = [i for i, pawn in enumerate(self.pawns) if pawn.at == OUT and pawn.came == soonest]
        elif self.round == self.last_round:
            self.winners = [i for i, pawn in enumerate(self.pawns) if pawn.at == best]
        if self.winners is not None:
            self.phase, self.asked = "over", []
            return
        self.round += 1
        self.warden = (self.warden + 1) % len(self.pawns)
        self.phase, self.asked = "sneak", []
        if self.round != self.dark_round:
            for seat in self.clockwise():
                if self.pawns[seat].misses_sneak:
                    self.pawns[seat].misses_sneak = False
                else:
                    self.asked.append(seat)
        if not self.asked:
            self.lights(lucky)


def referee(playout: Playout) -> Referee:
    started = playout.setup[0]
    assert isinstance(started, GameBegun)
    options = playout.options
    assert isinstance(options, PrisonBreakOptions)
    book = Referee(
        pawns=[Pawn() for _ in range(playout.seats)],
        warden=started.warden,
        faces=[[kind, True] for kind in started.row],
        sample=options.offers == "sample",
        last_round=options.round_limit,
        pauses=options.interludes == "on",
    )
    book.asked = book.clockwise()
    return book


def agree(book: Referee, state: State) -> None:
    view = public(state)
    assert list(state.positions) == [pawn.at for pawn in book.pawns]
    assert [(one.tokens, one.declared, one.seen, one.seen_round) for one in view.prisoners] == [
        (pawn.tokens, pawn.said, pawn.known, pawn.known_in) for pawn in book.pawns
    ]
    paused = book.ready is not None
    assert (view.round, view.warden, view.phase) == (book.round, book.warden, "interlude" if paused else book.phase)
    assert (list(view.interlude.ready) if view.interlude else None) == book.ready
    assert [[card.kind, card.up] for card in view.row] == book.faces
    waited = [seat for seat in book.offer[1:] if seat not in book.votes] if book.phase == "vote" else book.asked[:1]
    assert list(view.to_act) == ([] if paused else waited)
    assert (list(view.winners) or None) == book.winners


@pytest.mark.parametrize("seed", range(120))
def test_the_referee_agrees_after_every_decision_of_a_random_game(seed: int):
    playout = play(GAME, seed)
    book = referee(playout)
    agree(book, playout.start)
    for step in playout.steps:
        book.hear(step)
        agree(book, step.state)
    outcome = playout.outcome
    assert [seat for seat, place in enumerate(outcome.places) if place == 1] == book.winners
    assert list(outcome.scores) == [pawn.at for pawn in book.pawns]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("offers", ["rules", "sample"])
@pytest.mark.parametrize("limit", [5, 60])
def test_games_of_all_sizes_and_options_end(seats: int, offers: Any, limit: int):
    reasons = {
        play(GAME, seed, seats=seats, options=PrisonBreakOptions(offers=offers, round_limit=limit)).outcome.reason
        for seed in range(12)
    }
    assert reasons == ({"rounds"} if limit == 5 else {"exit"}) or reasons == {"exit", "rounds"}


@pytest.mark.parametrize("seed", range(30))
def test_tokens_offers_and_pawns_are_conserved(seed: int):
    playout = play(GAME, seed)
    for before, step in zip(playout.states, playout.steps, strict=False):
        after = step.state
        assert len(after.row) == playout.seats
        assert all(0 <= position <= OUT for position in after.positions)
        assert all(
            (arrival is not None) == (position == OUT)
            for arrival, position in zip(after.arrivals, after.positions, strict=True)
        )
        spent = [one.tokens - two.tokens for one, two in zip(before.prisoners, after.prisoners, strict=True)]
        if isinstance(step.action, Guard):
            assert sum(spent) == 1
        elif not any(isinstance(event, OfferSettled) for event in step.events):
            assert sum(spent) == 0
        assert all(one.tokens >= 0 for one in after.prisoners)
        for seat, path in enumerate(after.paths):
            assert (path[-1].position if path else 0) == after.positions[seat]


SPACES = st.integers(-3, 13) | st.just(10**20)
ACTIONS: st.SearchStrategy[PrisonBreakAction] = st.one_of(
    st.builds(Sneak, declare=SPACES, move=SPACES),
    st.builds(Offer, card=SPACES, first=SPACES, second=SPACES),
    st.just(Decline()),
    st.builds(Vote, accept=st.booleans()),
    st.builds(Guard, space=SPACES),
    st.just(Pass()),
    st.builds(Note, text=st.text(max_size=600)),
    st.builds(Mark, markers=st.text(max_size=20) | st.builds(markers_text, SPACES, st.lists(SPACES, max_size=4))),
    st.builds(Expire, deadline=st.text(max_size=12)),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 40), st.integers(0, 400), st.none() | st.integers(-1, 4), ACTIONS)
def test_any_action_is_refused_with_a_code_or_makes_events_that_fold(
    seed: int, place: int, seat: int | None, action: PrisonBreakAction
):
    states = play(GAME, seed).states
    state = states[place % len(states)]
    before = repr(state)
    try:
        events = GAME.decide(
            state, None if seat is None else Seat(seat), action, Moment(BEGIN + 5), Chance(seed_bytes(1), "any", 0)
        )
    except Refusal as refusal:
        assert refusal.code
    else:
        assert events
        GAME.fold(events, state)
    assert repr(state) == before


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 40), st.integers(0, 400), st.integers(0, 3), st.sampled_from((-1, 1)))
def test_the_census_notices_a_token_that_is_lost_or_made(seed: int, place: int, seat: int, by: int):
    states = play(GAME, seed).states
    state = states[place % len(states)]
    seat %= len(state.prisoners)
    prisoner = state.prisoners[seat]
    assert all(piece_counts(state)[f"token of {one}"] == 3 for one in range(len(state.prisoners)))
    wrong = replace_at(state.prisoners, seat, msgspec.structs.replace(prisoner, tokens=prisoner.tokens + by))
    changed = msgspec.structs.replace(state, prisoners=wrong)
    assert state.balance is None or piece_counts(changed) != piece_counts(state)


def test_tokens_come_and_go_in_the_games_in_which_the_census_counts_them():
    states = [state for seed in range(40) for state in play(GAME, seed).states]
    assert {True, False} == {state.balance is None for state in states}
    assert {prisoner.tokens for state in states for prisoner in state.prisoners} > {0, 2, 3, 4}


def test_every_phase_and_effect_comes_up_in_the_games_that_the_referee_follows():
    seen = {type(event) for seed in range(40) for event in play(GAME, seed).events}
    assert {GameBegun, LightsChecked, RowDealt} <= seen
    assert any(isinstance(state.phase, Guarding) for state in play(GAME, 0).states)
    paused = [state for seed in range(40) for state in play(GAME, seed).states if state.interlude is not None]
    assert {type(state.phase) for state in paused} == {Offering, Guarding}
    assert MATERIAL.spaces + 1 == OUT
