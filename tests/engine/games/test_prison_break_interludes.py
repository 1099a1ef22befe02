"""Prison Break after a light has shown positions: the pause in which they stay visible."""

from random import Random
from typing import Any

import msgspec
import pytest

from engine.contract import ClockShift, Expire, Moment, Seat, to_json
from engine.games.prison_break import (
    GAME,
    Decline,
    Guard,
    Guarding,
    LightsChecked,
    Note,
    Offering,
    OfferSettled,
    Pass,
    PrisonBreakEvent,
    PrisonBreakOptions,
    Prisoner,
    RoundBegun,
    RowDealt,
    Sneak,
    Sneaked,
    State,
    Vote,
    Voted,
)
from engine.players.registry import BOTS
from engine.turns import INTERLUDE_MS, InterludeBegun, InterludeEnded, Readied, Ready
from tests.engine.games.prison_break_positions import (
    BEGAN,
    DARK,
    LIT,
    MATERIAL,
    NOW,
    A,
    B,
    C,
    decide,
    guarding,
    moment,
    new_game,
    offered,
    refused,
    rolling,
    settled,
    sneaked,
)
from tools.harness.playouts import kinds

ENDS = Moment(NOW + INTERLUDE_MS)
SAID = (Prisoner(3, seen=2, seen_round=1, declared=5), Prisoner(3, declared=1, printed=3), Prisoner(2))
"""A was seen on 2 and has declared 5 since; B declared 1 and was moved 3; nothing is known of C."""


def lit(roll: int = LIT, **changes: Any) -> tuple[list[PrisonBreakEvent], State]:
    """Return the events after the last sneak of a phase, for this throw, and the state after them."""
    before = moment((4, 4, 0), prisoners=SAID, interlude_ms=INTERLUDE_MS, **changes)
    before = sneaked(before, (0, 0), (0, 0))
    events = decide(before, C, Sneak(1, 2), roll)
    return events, GAME.fold(events, before)


def go_on(before: State, seat: Seat | None, action: Ready | Expire, at: int) -> tuple[list[PrisonBreakEvent], State]:
    events = GAME.decide(before, seat, action, Moment(at), rolling(DARK))
    return events, GAME.fold(events, before)


def test_D23_after_the_lights_the_game_pauses_until_everybody_is_ready():
    events, then = lit()
    assert kinds(events) == [Sneaked, LightsChecked, InterludeBegun]
    view = GAME.view(then, None)
    assert (view.phase, view.turn, view.to_act) == ("interlude", None, ())
    assert view.interlude is not None and (view.interlude.until, view.interlude.ready) == (ENDS, ())
    for number, (seat, missing) in enumerate(((B, (A, B, C)), (C, (A, C)), (A, (A,)))):
        (clock,) = GAME.deadlines(then)
        assert (clock.kind, clock.seats, clock.due, clock.default) == ("window", missing, ENDS, None)
        assert list(GAME.legal(then, seat)) == [Ready()]
        assert GAME.can_act_off_turn is not None and GAME.can_act_off_turn(GAME.view(then, seat))
        assert GAME.view(then, None).ui_version == view.ui_version
        events, then = go_on(then, seat, Ready(), NOW + 1 + number)
        if number < 2:
            assert kinds(events) == [Readied] and list(GAME.legal(then, seat)) == []
            assert not GAME.can_act_off_turn(GAME.view(then, seat))
    assert kinds(events) == [Readied, InterludeEnded]
    assert isinstance(then.phase, Offering) and then.began == NOW + 3
    after = GAME.view(then, None)
    assert (after.phase, after.to_act, after.interlude, after.believed) == ("offer", (A,), None, ())
    assert after.ui_version > view.ui_version


def test_D23_what_was_believed_until_then_is_beside_what_the_lights_showed():
    _, then = lit()
    for reader in (None, A, B, C):
        view = GAME.view(then, reader)
        before = [(one.seen, one.seen_round, one.declared, one.printed) for one in view.believed]
        assert before == [(2, 1, 5, 0), (0, 0, 1, 3), (0, 0, 1, 0)]
        assert [(one.seen, one.declared, one.printed) for one in view.prisoners] == [(4, 0, 0), (4, 0, 0), (2, 0, 0)]


def test_D23_an_accepted_lights_on_pauses_too_and_the_guards_come_afterwards():
    before = moment((4, 7, 0), Offering(), prisoners=SAID, interlude_ms=INTERLUDE_MS)
    then = settled(before, "lights", "++")
    assert GAME.view(then, None).phase == "interlude" and isinstance(then.phase, Guarding)
    assert [one.declared for one in GAME.view(then, None).believed] == [5, 1, 0]
    _, after = go_on(then, None, Expire(GAME.deadlines(then)[0].id), ENDS)
    assert GAME.view(after, None).to_act == (A,) and GAME.view(after, None).phase == "guard"


@pytest.mark.parametrize(("kind", "votes"), [("lights", "+-"), ("lights", "--"), ("advance", "++")])
def test_D23_where_the_lights_show_not_all_nothing_pauses(kind: Any, votes: str):
    assert kinds(lit(DARK)[0]) == [Sneaked, LightsChecked]
    before = moment((4, 7, 0), Offering(), prisoners=SAID, interlude_ms=INTERLUDE_MS)
    then = settled(before, kind, votes)
    assert then.interlude is None and then.believed == () and GAME.view(then, None).phase == "guard"


def test_D23_guards_who_catch_everybody_are_no_lights():
    before = guarding(5, 5, seats=(A, B), interlude_ms=INTERLUDE_MS)
    events = decide(before, A, Guard(5))
    after = GAME.fold(events, before)
    assert after.believed == () and InterludeBegun not in kinds(events)


def test_D23_D10_new_offers_are_dealt_before_the_pause_and_the_round_ends_after_it():
    before = moment((4, 7, 0), Offering(), row=("lights",), tokens=0, interlude_ms=INTERLUDE_MS)
    before = offered(before, "lights")
    before = GAME.fold(decide(before, A, Vote(True)), before)
    events = decide(before, B, Vote(True))
    assert kinds(events) == [Voted, OfferSettled, RowDealt, InterludeBegun]
    then = GAME.fold(events, before)
    events, after = go_on(then, None, Expire(GAME.deadlines(then)[0].id), ENDS)
    assert kinds(events) == [InterludeEnded, RoundBegun] and after.began == ENDS


@pytest.mark.parametrize("clock", [0, 180])
def test_D23_when_the_time_is_over_the_game_goes_on_although_nobody_is_ready(clock: int):
    _, then = lit(clock=clock)
    events, after = go_on(then, None, Expire(GAME.deadlines(then)[0].id), ENDS)
    assert kinds(events) == [InterludeEnded] and after.began == ENDS
    assert bool(GAME.deadlines(after)) == bool(clock)


@pytest.mark.parametrize(("early", "goes_on"), [(-1, False), (0, True), (1, True)])
def test_D23_the_pause_is_over_in_the_millisecond_at_which_it_ends(early: int, goes_on: bool):
    _, then = lit()
    events, _ = go_on(then, A, Ready(), ENDS + early)
    assert (kinds(events)[-1] is InterludeEnded) == goes_on
    expire = Expire(GAME.deadlines(then)[0].id)
    if goes_on:
        assert kinds(go_on(then, None, expire, ENDS + early)[0]) == [InterludeEnded]
    else:
        assert refused(then, None, expire, Moment(ENDS + early)).code == "early"


def test_D23_nothing_else_is_done_meanwhile_but_writing_notes():
    _, then = lit()
    for action in (Sneak(1, 1), Decline(), Vote(True), Guard(4), Pass()):
        for seat in (A, B, C):
            refusal = refused(then, seat, action)
            assert (refusal.code, refusal.facts) == ("interlude", {"due": ENDS})
    noted = GAME.fold(decide(then, B, Note("A lies")), then)
    assert GAME.view(noted, B).note == "A lies" and noted.interlude == then.interlude
    _, ready = go_on(then, B, Ready(), NOW)
    assert refused(ready, B, Ready()).code == "ready-already"
    assert refused(moment(), A, Ready()).code == "no-interlude"
    assert refused(then, Seat(3), Ready()).code == "not-seated"


def test_D23_the_pause_keeps_its_remaining_time_while_the_clocks_are_paused():
    _, then = go_on(lit()[1], B, Ready(), NOW + 5)
    after = GAME.fold(GAME.decide(then, None, ClockShift(60_000), Moment(NOW + 9), rolling(DARK)), then)
    view = GAME.view(after, None)
    assert view.interlude is not None and (view.interlude.until, view.interlude.ready) == (ENDS + 60_000, (B,))
    assert GAME.deadlines(after)[0].due == ENDS + 60_000


def test_O3_without_interludes_the_warden_is_asked_at_once():
    for interludes, lasts_ms in (("on", INTERLUDE_MS), ("off", 0)):
        assert new_game(interludes=interludes).interlude_ms == lasts_ms
    before = sneaked(moment((4, 4, 0), prisoners=SAID), (0, 0), (0, 0))
    events = decide(before, C, Sneak(1, 2), LIT)
    assert kinds(events) == [Sneaked, LightsChecked] and GAME.fold(events, before).believed == ()


def test_O3_a_game_that_began_before_there_were_interludes_has_none():
    (first,) = GAME.setup(3, PrisonBreakOptions(), MATERIAL, BEGAN, rolling(DARK))
    stored = msgspec.json.decode(to_json(first))
    del stored["interlude_ms"], stored["options"]["interludes"]
    state = GAME.fold([GAME.read_event(msgspec.json.encode(stored))])
    assert state.interlude_ms == 0


class _Never:
    def spent(self) -> bool:
        raise AssertionError("there is nothing to think about")


def test_D23_computer_players_are_ready_at_once():
    view = GAME.view(lit()[1], B)
    for player in BOTS["prison_break"].levels.values():
        intent = player(view, [Ready()], _Never(), Random(0))
        assert intent is not None and (intent.action, intent.after_ms, intent.earliest) == (Ready(), 0, None)
