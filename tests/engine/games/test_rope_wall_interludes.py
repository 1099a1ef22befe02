"""The Rope Wall between two rounds: the pause in which the finished wall stays visible, and the walls at the end."""

from random import Random
from typing import Any

import msgspec
import pytest

from engine.contract import ClockShift, Expire, Moment, Seat, to_json
from engine.games.rope_wall import (
    GAME,
    ChooseExits,
    Escaped,
    GameEnded,
    Push,
    Pushed,
    Resign,
    RopeWallEvent,
    RopeWallOptions,
    RoundBegun,
    RoundCancelled,
    RoundWon,
    State,
)
from engine.games.rope_wall.state import Pausing, Pushing
from engine.players.registry import BOTS
from engine.turns import INTERLUDE_MS, InterludeBegun, InterludeEnded, Readied, Ready
from tests.engine.games.rope_wall_positions import (
    BEGAN,
    CHANCE,
    MATERIAL,
    NOW,
    A,
    B,
    decide,
    picture,
    push,
    refused,
    state,
)
from tools.harness.playouts import kinds

L_MISSING = """
    . . . . .
    . . . . A
    . . . . A
    . . . . A
    . . . A A
"""
"""With a knot of A's at R5 this is a rope that ends at column 5."""
ENDS = Moment(NOW + INTERLUDE_MS)


def ended(**changes: Any) -> tuple[list[RopeWallEvent], State]:
    """Return the events after A's rope, and the state after them, at a table with interludes."""
    return push(state(L_MISSING, interlude_ms=INTERLUDE_MS, **changes), 5, "right")


def go_on(before: State, seat: Seat | None, action: Ready | Expire, at: int) -> tuple[list[RopeWallEvent], State]:
    events = decide(before, seat, action, Moment(at))
    return events, GAME.fold(events, before)


def test_D16_after_a_rope_the_wall_stays_until_both_are_ready():
    events, then = ended()
    assert kinds(events) == [Pushed, RoundWon, Escaped, InterludeBegun]
    view = GAME.view(then, None)
    assert (view.phase, view.turn, view.to_act, view.round) == ("interlude", None, (), 1)
    assert picture(view.wall)[0] == ". . . . A" and len(view.ropes) == 1 and view.exits[4] == A
    assert view.interlude is not None and (view.interlude.until, view.interlude.ready) == (ENDS, ())
    (clock,) = GAME.deadlines(then)
    assert (clock.kind, clock.seats, clock.due, clock.default) == ("window", (A, B), ENDS, None)
    assert [list(GAME.legal(then, seat)) for seat in (A, B)] == [[Ready()], [Ready()]]
    events, then = go_on(then, B, Ready(), NOW + 1)
    assert kinds(events) == [Readied]
    assert GAME.deadlines(then)[0].seats == (A,) and GAME.view(then, None).ui_version == view.ui_version
    assert [list(GAME.legal(then, seat)) for seat in (A, B)] == [[Ready()], []]
    events, then = go_on(then, A, Ready(), NOW + 2)
    assert kinds(events) == [Readied, InterludeEnded, RoundBegun]
    assert then.phase == Pushing(B) and then.began == NOW + 2  # R19: the loser begins
    assert GAME.view(then, None).ui_version > view.ui_version


@pytest.mark.parametrize("clock", [0, 180])
def test_D16_when_the_time_is_over_the_next_round_begins_although_nobody_is_ready(clock: int):
    _, then = ended(clock=clock)
    events, after = go_on(then, None, Expire(GAME.deadlines(then)[0].id), ENDS)
    assert kinds(events) == [InterludeEnded, RoundBegun] and after.began == ENDS
    assert bool(GAME.deadlines(after)) == bool(clock)


@pytest.mark.parametrize(("early", "goes_on"), [(-1, False), (0, True), (1, True)])
def test_D16_an_interlude_is_over_in_the_millisecond_at_which_it_ends(early: int, goes_on: bool):
    _, then = ended()
    events, _ = go_on(then, A, Ready(), ENDS + early)
    assert (kinds(events)[-1] is RoundBegun) == goes_on
    expire = Expire(GAME.deadlines(then)[0].id)
    if goes_on:
        assert kinds(go_on(then, None, expire, ENDS + early)[0])[-1] is RoundBegun
    else:
        assert refused(then, None, expire, Moment(ENDS + early)).code == "early"


def test_D16_the_pause_comes_after_the_exit_was_chosen_and_the_loser_begins_then():
    wall = """
        . A A A .
        . . A . .
        . . . A A
        . . A . .
        . A A . .
    """
    events, choosing = push(state(wall, interlude_ms=INTERLUDE_MS), 3, "right")
    assert kinds(events) == [Pushed, RoundWon]
    events = decide(choosing, A, ChooseExits((3,)))
    assert kinds(events) == [Escaped, InterludeBegun]
    then = GAME.fold(events, choosing)
    assert isinstance(then.phase, Pausing) and then.phase.starter == B
    assert [rope[-1] for rope in GAME.view(then, None).ropes] == [(5, 3)]


def test_D16_D10_after_a_cancelled_round_the_same_player_begins_again():
    events, then = push(state(pushes=119, starter=A, interlude_ms=INTERLUDE_MS), 1, "left")
    assert kinds(events) == [Pushed, RoundCancelled, InterludeBegun]
    assert isinstance(then.phase, Pausing) and then.phase.starter == A
    assert GAME.view(then, None).ropes == ()
    _, then = go_on(then, None, Expire(GAME.deadlines(then)[0].id), ENDS)
    assert then.phase == Pushing(A)


def test_D16_nothing_else_is_done_meanwhile_but_resigning():
    _, then = ended()
    for action in (Push(1, "left"), ChooseExits((5,))):
        for seat in (A, B):
            refusal = refused(then, seat, action)
            assert (refusal.code, refusal.facts) == ("interlude", {"due": ENDS})
    assert kinds(decide(then, B, Resign()))[-1] is GameEnded
    _, ready = go_on(then, B, Ready(), NOW)
    assert refused(ready, B, Ready()).code == "ready-already"
    assert refused(state(), A, Ready()).code == "no-interlude"
    assert refused(then, Seat(2), Ready()).code == "not-seated"


def test_D16_an_interlude_keeps_its_remaining_time_while_the_clocks_are_paused():
    _, then = go_on(ended()[1], B, Ready(), NOW + 5)
    after = GAME.fold(GAME.decide(then, None, ClockShift(60_000), Moment(NOW + 9), CHANCE), then)
    view = GAME.view(after, None)
    assert view.interlude is not None and (view.interlude.until, view.interlude.ready) == (ENDS + 60_000, (B,))
    assert GAME.deadlines(after)[0].due == ENDS + 60_000
    assert isinstance(after.phase, Pausing) and after.phase.starter == B


def test_O1_without_interludes_the_next_round_begins_at_once():
    for interludes, lasts_ms in (("on", INTERLUDE_MS), ("off", 0)):
        options = RopeWallOptions(interludes=interludes)  # type: ignore[arg-type]  # mypy widens the words
        assert GAME.fold(GAME.setup(2, options, MATERIAL, BEGAN, CHANCE)).interlude_ms == lasts_ms
    assert kinds(push(state(L_MISSING), 5, "right")[0]) == [Pushed, RoundWon, Escaped, RoundBegun]


def test_O1_a_game_that_began_before_there_were_interludes_has_none():
    stored = msgspec.json.decode(to_json(GAME.setup(2, RopeWallOptions(), MATERIAL, BEGAN, CHANCE)[0]))
    del stored["interlude_ms"], stored["options"]["interludes"]
    assert GAME.fold([GAME.read_event(msgspec.json.encode(stored))]).interlude_ms == 0


class _Never:
    def spent(self) -> bool:
        raise AssertionError("there is nothing to think about")


def test_D16_computer_players_are_ready_at_once():
    view = GAME.view(ended()[1], B)
    for player in BOTS["rope_wall"].levels.values():
        intent = player(view, [Ready()], _Never(), Random(0))
        assert intent is not None and (intent.action, intent.after_ms, intent.earliest) == (Ready(), 0, None)


def test_D17_the_walls_and_ropes_of_all_rounds_are_shown_when_the_game_is_over():
    _, then = ended(exits="A B . . .")
    assert GAME.view(then, None).finished == ()
    _, then = go_on(then, None, Expire(GAME.deadlines(then)[0].id), ENDS)
    then = msgspec.structs.replace(then, pushes=119)
    _, then = push(then, 1, "left")
    _, then = go_on(then, None, Expire(GAME.deadlines(then)[0].id), NOW + INTERLUDE_MS)
    then = msgspec.structs.replace(then, wall=state(L_MISSING).wall, phase=Pushing(A), exits=(A, A, B, None, None))
    events, over = push(then, 5, "right")
    assert kinds(events) == [Pushed, RoundWon, Escaped, GameEnded]
    view = GAME.view(over, None)
    assert [(one.number, one.winner, len(one.ropes)) for one in view.finished] == [(1, A, 1), (2, None, 0), (3, A, 1)]
    assert view.finished[2].wall == view.wall and view.finished[2].ropes == view.ropes
    assert picture(view.finished[1].wall)[4] == "B . . . ."


def test_the_countdown_of_a_full_wall_is_shown_only_while_a_player_has_to_push():
    _, then = ended(full_turns_left=5)
    assert GAME.view(then, None).full_turns_left is None
    assert GAME.view(state(full_turns_left=5), None).full_turns_left == 5
