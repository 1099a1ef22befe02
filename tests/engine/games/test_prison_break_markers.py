"""Prison Break's private markers: set by hand, on any spaces of an opponent's track, and visible only to
their owner.
"""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract import Seat
from engine.free_text import without_free_text
from engine.games.prison_break import (
    GAME,
    Mark,
    Marked,
    PrisonBreakOptions,
    State,
    markers_text,
    read_markers,
)
from engine.games.prison_break.markers import Markers
from tests.engine.games.prison_break_positions import (
    EXIT,
    A,
    B,
    C,
    after,
    decide,
    guarding,
    moment,
    offered,
    offering,
    passed,
    refused,
)
from tools.harness.playouts import play

SPACES = st.sets(st.integers(0, EXIT))


def own(state: State, seat: Seat) -> Markers:
    return GAME.view(state, seat).markers


@pytest.mark.parametrize(
    "situation",
    [
        moment,
        lambda: offering(1, 2, 3),
        lambda: offered(offering(1, 2, 3), "advance"),
        lambda: guarding(1, 2, 3),
    ],
)
def test_R5_markers_are_set_in_every_phase_and_only_their_owner_sees_them(situation: Callable[[], State]):
    state = situation()
    for seat in (A, B, C):
        other = Seat((seat + 1) % 3)
        (event,) = decide(state, seat, Mark(markers_text(other, (3, 4, EXIT))))
        then = GAME.fold([event], state)
        assert own(then, seat)[other] == (3, 4, EXIT)
        assert GAME.view(then, None) == GAME.view(state, None) and GAME.view(then, None).markers == ()
        for reader in {A, B, C} - {seat}:
            assert GAME.view(then, reader) == GAME.view(state, reader)
        assert GAME.deadlines(then) == GAME.deadlines(state)
    assert not Mark.counts_as_move


@given(st.sampled_from([A, B, C]), st.sampled_from([1, 2]), SPACES, SPACES)
def test_R5_markers_for_one_opponent_replace_those_for_them_and_no_others(
    owner: Seat, ahead: int, first: set[int], second: set[int]
):
    player, other = Seat((owner + ahead) % 3), Seat((owner + 3 - ahead) % 3)
    state = after(moment(), *((owner, Mark(markers_text(one, first))) for one in (player, other)))
    then = after(state, (owner, Mark(markers_text(player, second))))
    assert own(then, owner)[player] == tuple(sorted(second)) and own(then, owner)[other] == tuple(sorted(first))


@given(st.integers(0, 3), SPACES)
def test_markers_are_read_back_from_their_text(player: int, spaces: set[int]):
    assert read_markers(markers_text(Seat(player), spaces)) == (player, tuple(sorted(spaces)))


@pytest.mark.parametrize("seed", range(6))
def test_R5_the_game_never_moves_a_marker(seed: int):
    playout = play(GAME, seed)
    rng = random.Random(seed)
    marks = [
        Marked(seat, markers_text(other, rng.sample(range(EXIT + 1), 3)))
        for seat in map(Seat, range(playout.seats))
        for other in map(Seat, range(playout.seats))
        if other != seat
    ]
    state = GAME.fold(marks, playout.start)
    set_by_hand = state.markers
    assert all(spaces for one in set_by_hand for seat, spaces in enumerate(one) if one is not set_by_hand[seat])
    for event in playout.events[1:]:
        state = GAME.fold([event], state)
        assert state.markers == set_by_hand


@pytest.mark.parametrize(
    "markers", ["0:3", "3:3", "1:12", "1:-1", "1", "x:3", "1:3,4", "1: 3", "1:3 ", ":3", "1:²", "1:" + "3 " * 300]
)
def test_a_marker_that_does_not_exist_is_refused_and_one_in_a_record_is_ignored(markers: str):
    refusal = refused(moment(), A, Mark(markers))
    assert (refusal.code, refusal.facts) == ("no-marker", {"spaces": 10})
    assert GAME.fold([Marked(A, markers)], moment()) == moment()


def test_markers_may_be_removed():
    state = after(moment(), (A, Mark("1:3 4")), (A, Mark("1:")))
    assert state == moment()


def test_blanked_markers_are_accepted_and_leave_no_trace():
    body = {"event": "marked", "seat": 0, "markers": "1:3 4"}
    blank = without_free_text(GAME.events, body)
    assert blank == {**body, "markers": ""}
    assert decide(moment(), A, Mark("")) == [Marked(A, "")]
    assert GAME.fold([Marked(A, "")], moment()) == moment()
    assert without_free_text(GAME.actions, {"do": "mark", "markers": "2:7"}) == {"do": "mark", "markers": ""}


def test_D24_without_a_round_limit_no_round_is_the_last_and_the_game_is_not_ranked():
    for number in (30, 60, 1_000):
        state = guarding(4, 9, 2, round=number, round_limit=0)
        assert GAME.outcome(passed(state)) is None
    assert GAME.unranked is not None
    assert GAME.unranked(PrisonBreakOptions(round_limit=0))
    assert not GAME.unranked(PrisonBreakOptions()) and not GAME.unranked(PrisonBreakOptions(round_limit=1))


def test_O2_a_limit_of_one_round_ends_the_game_after_it():
    assert GAME.outcome(passed(guarding(4, 9, 2, round=1, round_limit=1))) is not None
