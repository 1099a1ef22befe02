"""Breakout: the Rope Wall, mark by mark: how rounds and the game end, refusals, and the clock."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.contract import (
    BrokenRecord,
    ClockAction,
    ClockShift,
    ClockShifted,
    Expire,
    Moment,
    Outcome,
    Seat,
    TimedOut,
    to_json,
)
from engine.games.rope_wall import (
    GAME,
    ChooseExits,
    Escaped,
    GameEnded,
    Opening,
    Push,
    Pushed,
    Resign,
    Resigned,
    RopeWallAction,
    RopeWallEvent,
    RopeWallOptions,
    RoundBegun,
    RoundCancelled,
    RoundWon,
    Side,
    Skipped,
    State,
)
from engine.games.rope_wall.state import Choosing, Over, Pushing, piece_counts
from tests.engine.games.rope_wall_positions import (
    BEGAN,
    CHANCE,
    FULL_FLOOR,
    L_MISSING,
    MATERIAL,
    NOW,
    TWO_ROPES,
    A,
    B,
    decide,
    drawn,
    new_game,
    picture,
    push,
    refused,
    state,
)
from tools.harness.playouts import kinds, played, the

# -------------------------------------------------------------------------------------------------- the winner's choice


def choosing(turn: Seat = A, **changes: Any) -> State:
    """Return a state in which a rope of A's may end at column 2, 3 or 4, completed by either player's push."""
    wall = """
        . A A A .
        . . A . .
        . . . A A
        . . A . .
        . A A . .
    """
    _, then = push(state(wall, turn=turn, **changes), 3, "right")
    return then


def test_D5_with_several_possible_exits_the_winner_chooses_before_the_next_round_begins():
    then = choosing()
    view = GAME.view(then, None)
    assert (view.phase, view.turn, view.to_act) == ("choose", A, (A,))
    assert view.choices == ((2,), (3,), (4,))
    assert [rope[-1] for rope in view.ropes] == [(5, 2), (5, 3), (5, 4)]
    assert list(GAME.legal(then, A)) == [ChooseExits((2,)), ChooseExits((3,)), ChooseExits((4,))]
    assert list(GAME.legal(then, B)) == []
    events = decide(then, A, ChooseExits((4,)))
    assert kinds(events) == [Escaped, RoundBegun]
    assert the(Escaped, events).ropes[0][-1] == (5, 4)
    assert GAME.fold(events, then).exits == (None, None, None, A, None)


def test_D5_the_winner_chooses_also_when_the_opponent_completed_the_link():
    assert choosing(turn=B).phase == Choosing(A, ((2,), (3,), (4,)))


def test_D5_closed_exits_are_no_choice_and_a_choice_of_one_is_made_automatically():
    assert choosing(exits=". B . . .").phase == Choosing(A, ((3,), (4,)))
    then = choosing(exits=". B B . .")
    assert then.exits == (None, B, B, A, None)
    assert isinstance(then.phase, Pushing)


def test_O2_with_several_pairs_for_two_ropes_the_winner_chooses_one_pair():
    start = state(
        """
        A . A A .
        A . A . .
        B A . . .
        A . A . .
        A A A A .
        """,
        options=RopeWallOptions(interludes="off", doubles="apart"),
    )
    events, then = push(start, 3, "left")
    assert then.phase == Choosing(A, ((1, 3), (1, 4)))
    assert refused(then, A, ChooseExits((3,))).code == "not-a-choice"
    assert refused(then, A, ChooseExits((3, 4))).code == "not-a-choice"
    events = decide(then, A, ChooseExits((1, 4)))
    assert [rope[-1] for rope in the(Escaped, events).ropes] == [(5, 1), (5, 4)]
    assert GAME.fold(events, then).exits == (A, None, None, A, None)


def test_D5_on_time_out_the_leftmost_exit_is_taken():
    then = choosing()
    (deadline,) = GAME.deadlines(then)
    assert (deadline.seats, deadline.due, deadline.default) == ((A,), NOW + 180_000, ChooseExits((2,)))
    events = decide(then, None, Expire(deadline.id), deadline.due)
    assert kinds(events) == [TimedOut, Escaped, RoundBegun]
    assert the(Escaped, events).columns == (2,)


def test_R15_with_four_prisoners_out_one_exit_is_left_for_the_fifth_round():
    events, then = push(state(L_MISSING, exits="A B A B ."), 5, "right")
    assert then.exits == (A, B, A, B, A)
    assert GAME.outcome(then) == Outcome((1, 2), (3, 2), "prisoners")
    events, _ = push(state(TWO_ROPES, exits="A B A B ."), 3, "left")
    assert kinds(events) == [Pushed]


def test_R22_first_to_three_prisoners_wins():
    events, then = push(state(L_MISSING, exits="A A B B ."), 5, "right")
    assert kinds(events) == [Pushed, RoundWon, Escaped, GameEnded]
    assert then.phase == Over("prisoners", A)
    view = GAME.view(then, B)
    assert (view.phase, view.turn, view.to_act, view.winner) == ("over", None, (), A)
    assert view.ropes  # the last wall remains, with the winning rope
    assert picture(view.wall)[0] == ". . . . A"


# ------------------------------------------------------------------------------------------------- rounds without a win

ALMOST_FULL = """
    A B A B A
    B A B A B
    A B A B A
    B A B A B
    A B A B .
"""


def test_D11_the_countdown_begins_with_the_move_after_the_wall_filled_up():
    _, then = push(state(ALMOST_FULL), 1, "right")
    assert then.full_turns_left == 10
    assert then.phase == Pushing(B)
    _, later = push(then, 3, "left")
    assert later.full_turns_left == 9


def test_R21_a_full_floor_alone_starts_no_countdown():
    _, then = push(state(FULL_FLOOR), 1, "left")
    assert then.full_turns_left is None


def harmless(before: State) -> Push:
    """Return a push that completes no link, found by trying."""
    assert isinstance(before.phase, Pushing)
    seat = before.phase.seat
    for action in GAME.legal(before, seat):
        assert isinstance(action, Push)
        if not any(isinstance(event, RoundWon) for event in decide(before, seat, action)):
            return action
    raise AssertionError("every push completes a link")


def test_R21_D10_D11_a_full_wall_is_cancelled_after_five_more_turns_a_player():
    events, now = push(state(ALMOST_FULL, starter=B), 1, "right")
    turns = 0
    while not any(isinstance(event, RoundCancelled) for event in events):
        chosen = harmless(now)
        events, now = push(now, chosen.floor, chosen.side)
        turns += sum(isinstance(event, Pushed | Skipped) for event in events)
    assert turns == 10
    assert the(RoundCancelled, events).reason == "full-wall"
    assert the(RoundBegun, events).starter == B  # D10: the same starter again
    assert now.phase == Pushing(B)
    assert picture(now.wall) == [". . . . ."] * 5
    assert (now.cancelled, now.full_turns_left) == (1, None)


def test_D11_skipped_turns_count_for_the_full_wall():
    full = """
        A B A B A
        B A B A B
        A B A B A
        B A B A B
        A B A B A
    """
    events, then = push(state(full, turn=B, full_turns_left=10), 2, "left")
    assert kinds(events) == [Pushed, Skipped]
    assert then.full_turns_left == 8
    events, then = push(state(full, turn=B, full_turns_left=2), 2, "left")
    assert kinds(events) == [Pushed, Skipped, RoundCancelled, RoundBegun]
    assert then.cancelled == 1


def test_D11_a_link_on_the_tenth_turn_wins():
    events, _ = push(state(L_MISSING, full_turns_left=1), 5, "right")
    assert kinds(events) == [Pushed, RoundWon, Escaped, RoundBegun]
    events, _ = push(state(L_MISSING, full_turns_left=1), 5, "left")
    assert kinds(events) == [Pushed, RoundCancelled, RoundBegun]


@pytest.mark.parametrize("pushes", [120, 80])
def test_D12_O3_a_round_is_cancelled_after_120_pushes_or_80(pushes: int):
    options = RopeWallOptions(interludes="off", push_limit="120" if pushes == 120 else "80")
    events, then = push(state(pushes=pushes - 2, options=options), 1, "left")
    assert kinds(events) == [Pushed]
    assert GAME.view(then, None).pushes_left == 1
    events, then = push(state(pushes=pushes - 1, starter=B, options=options), 1, "left")
    assert the(RoundCancelled, events).reason == "pushes"
    assert then.phase == Pushing(B)
    assert GAME.view(then, None).pushes_left == pushes


def test_D12_a_link_with_the_120th_push_wins():
    assert RopeWallOptions().push_limit == "120"
    events, _ = push(state(L_MISSING, pushes=119), 5, "right")
    assert kinds(events) == [Pushed, RoundWon, Escaped, RoundBegun]


def test_O3_D18_without_a_limit_no_number_of_pushes_cancels_a_round_and_the_game_is_not_ranked():
    options = RopeWallOptions(interludes="off", push_limit="none")
    for pushes in (79, 119, 500, 100_000):
        events, then = push(state(pushes=pushes, options=options), 1, "left")
        assert kinds(events) == [Pushed]
        assert GAME.view(then, None).pushes_left is None
    assert GAME.unranked(options)
    assert not GAME.unranked(RopeWallOptions()) and not GAME.unranked(RopeWallOptions(push_limit="80"))


def test_O3_a_game_older_than_the_option_keeps_the_limit_of_its_material():
    material = msgspec.structs.replace(MATERIAL, round_pushes=100)
    stored = msgspec.to_builtins(GAME.setup(2, RopeWallOptions(), material, BEGAN, CHANCE)[0])
    stored["options"] = {"clock": 180}
    new_game = GAME.read_event(msgspec.json.encode(stored))
    assert GAME.view(GAME.fold([new_game]), None).pushes_left == 100


@pytest.mark.parametrize(
    ("exits", "outcome"),
    [
        (". . . . .", Outcome((1, 1), (0, 0), "cancelled")),
        ("A . B . .", Outcome((1, 1), (1, 1), "cancelled")),
        ("A B . . A", Outcome((1, 2), (2, 1), "cancelled")),
        (". B . . .", Outcome((2, 1), (0, 1), "cancelled")),
    ],
)
def test_D14_after_three_cancelled_rounds_in_a_row_the_game_ends_and_most_prisoners_wins(exits: str, outcome: Outcome):
    events, then = push(state(pushes=119, cancelled=1, exits=exits), 1, "left")
    assert kinds(events) == [Pushed, RoundCancelled, RoundBegun]
    events, then = push(state(pushes=119, cancelled=2, exits=exits), 1, "left")
    assert kinds(events) == [Pushed, RoundCancelled, GameEnded]
    assert GAME.outcome(then) == outcome
    assert GAME.view(then, None).cancelled == 3


def test_D14_a_round_that_is_won_breaks_the_row_of_cancelled_ones():
    _, then = push(state(L_MISSING, cancelled=2), 5, "right")
    assert then.cancelled == 0


def test_the_clocks_push_skips_no_push_that_completes_both_ropes_as_if_it_lost():
    """R16: the player who pushed wins the round then."""
    before = state(
        """
        . A . B .
        . A . B .
        . A . B .
        . A . B .
        A B B . .
        """
    )
    (deadline,) = GAME.deadlines(before)
    assert deadline.default == Push(1, "left")
    events, _ = push(before, 1, "left")
    assert the(RoundWon, events).seat == A


@given(st.integers(0, 5), st.integers(0, 300), st.sampled_from((A, B)), st.integers(0, 24))
@settings(max_examples=100, deadline=None)
def test_the_census_notices_a_knot_that_is_lost_or_made(seed: int, step: int, owner: Seat, place: int):
    states = [one for one in played("rope_wall", seed).states if isinstance(one.phase, Pushing)]
    before = states[step % len(states)]
    assert piece_counts(before) == {"knot of 0": 13, "knot of 1": 13}
    floors = [list(floor) for floor in before.wall]
    floor, column = divmod(place, 5)
    there = floors[floor][column]
    floors[floor][column] = owner if there is None else None
    wrong = msgspec.structs.replace(before, wall=tuple(map(tuple, floors)))
    assert before.placed is None or piece_counts(wrong) != piece_counts(before)


def test_the_census_notices_a_knot_too_many_and_one_that_fell_out_and_did_not_return():
    before = state(FULL_FLOOR)
    _, then = push(before, 1, "left")
    assert piece_counts(then) == piece_counts(before) == {"knot of 0": 13, "knot of 1": 13}
    assert then.placed == (3, 2)
    assert piece_counts(msgspec.structs.replace(then, placed=(3, 3))) != piece_counts(then)
    full = drawn("\n".join(["A A A A A", "A A A A A", "A A A A ."] + [". . . . ."] * 2))
    assert piece_counts(msgspec.structs.replace(then, wall=full, placed=(14, 0)))["knot of 0"] == 14


# ------------------------------------------------------------------------------------------------------------ resigning


@pytest.mark.parametrize("seat", [A, B])
def test_D15_resigning_gives_the_game_to_the_other_no_matter_whose_turn_it_is(seat: Seat):
    start = state(exits="A A B . .")
    events = decide(start, seat, Resign())
    assert events == [Resigned(seat), GameEnded("resigned", Seat(1 - seat))]
    assert GAME.outcome(GAME.fold(events, start)) == Outcome((1, 2) if seat == B else (2, 1), (2, 1), "resigned")


def test_a_winner_may_resign_instead_of_choosing():
    assert kinds(decide(choosing(), A, Resign())) == [Resigned, GameEnded]


# ------------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("seat", "action", "code", "facts"),
    [
        (B, Push(1, "left"), "not-your-turn", {"turn": A}),
        (A, Push(0, "left"), "no-such-opening", {"floor": 0, "side": "left"}),
        (A, Push(6, "right"), "no-such-opening", {"floor": 6, "side": "right"}),
        (A, Push(1, "top"), "no-such-opening", {"floor": 1, "side": "top"}),  # type: ignore[arg-type]  # forged
        (A, ChooseExits((1,)), "nothing-to-choose", {"turn": A}),
        (Seat(2), Push(1, "left"), "not-seated", {}),
        (Seat(-1), Resign(), "not-seated", {}),
        (None, Push(1, "left"), "not-seated", {}),
        (A, Expire("turn-0"), "clock-only", {}),
        (B, ClockShift(1), "clock-only", {}),
        (None, Expire("turn-7"), "late", {"deadline": "turn-7"}),
        (None, Expire("turn-0"), "early", {"deadline": "turn-0", "due": BEGAN + 180_000}),
        (None, ClockShift(0), "no-delay", {"by_ms": 0}),
        (None, ClockShift(-5), "no-delay", {"by_ms": -5}),
    ],
)
def test_a_refusal_names_what_is_wrong(
    seat: Seat | None, action: RopeWallAction | ClockAction, code: str, facts: dict[str, Any]
):
    refusal = refused(state(), seat, action)
    assert (refusal.code, refusal.facts) == (code, facts)


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [
        (A, Push(1, "left"), "choose-first"),
        (B, Push(1, "left"), "choose-first"),
        (B, ChooseExits((2,)), "not-your-turn"),
        (A, ChooseExits((1,)), "not-a-choice"),
        (A, ChooseExits(()), "not-a-choice"),
        (A, ChooseExits((2, 3)), "not-a-choice"),
    ],
)
def test_while_exits_are_chosen_nothing_else_goes_on(seat: Seat, action: RopeWallAction | ClockAction, code: str):
    assert refused(choosing(), seat, action).code == code


@pytest.mark.parametrize(
    ("seat", "action"),
    [(A, Push(1, "left")), (B, ChooseExits((1,))), (A, Resign()), (None, Expire("turn-0")), (None, ClockShift(5))],
)
def test_a_game_that_is_over_takes_nothing_more(seat: Seat | None, action: RopeWallAction | ClockAction):
    over = state(phase=Over("prisoners", B))
    refusal = refused(over, seat, action)
    assert (refusal.code, refusal.facts) == ("over", {"reason": "prisoners"})
    assert GAME.deadlines(over) == ()
    assert [*GAME.legal(over, A), *GAME.legal(over, B)] == []


# ---------------------------------------------------------------------------------------------------------------- clock


def test_the_turn_clock_starts_with_the_push_before():
    (first,) = GAME.deadlines(new_game())
    assert first.due == BEGAN + 180_000
    _, then = push(state(), 1, "left")
    (second,) = GAME.deadlines(then)
    assert (second.seats, second.due, second.kind) == ((B,), NOW + 180_000, "turn")
    assert second.id != first.id


def test_without_a_clock_there_are_no_deadlines():
    assert GAME.deadlines(state(clock=0)) == ()
    assert refused(state(clock=0), None, Expire("turn-0")).code == "late"


def test_a_lapsed_turn_is_played_by_default_and_the_next_clock_starts_when_it_was():
    start = state()
    (deadline,) = GAME.deadlines(start)
    late = Moment(deadline.due + 4_000)
    events = decide(start, None, Expire(deadline.id), late)
    assert events == [TimedOut(A, deadline.id), Pushed(A, 1, "left", None, late)]
    (following,) = GAME.deadlines(GAME.fold(events, start))
    assert following.due == late + 180_000
    assert refused(GAME.fold(events, start), None, Expire(deadline.id), late).code == "late"


def test_a_delay_moves_the_deadline_back_and_keeps_its_name():
    start = state()
    events = decide(start, None, ClockShift(90_000))
    assert events == [ClockShifted(90_000)]
    (before,), (after,) = GAME.deadlines(start), GAME.deadlines(GAME.fold(events, start))
    assert after == msgspec.structs.replace(before, due=Moment(before.due + 90_000))
    assert refused(GAME.fold(events, start), None, Expire(before.id), before.due).code == "early"


def default_of(start: State) -> Push:
    (deadline,) = GAME.deadlines(start)
    assert isinstance(deadline.default, Push)
    return deadline.default


def test_the_default_push_is_the_lowest_opening_left_before_right():
    assert default_of(state()) == Push(1, "left")
    assert default_of(state(barred=((Opening(1, "left"),), ()))) == Push(1, "right")


B_NEEDS_A_FOOT = """
    . . B . .
    . . B . .
    . . B . .
    A A B B A
    B B . . .
"""


def test_the_default_push_completes_no_link_of_the_opponent():
    start = state(B_NEEDS_A_FOOT)
    assert the(RoundWon, decide(start, A, Push(1, "left"))).seat == B
    assert default_of(start) == Push(1, "right")


def test_the_default_push_does_not_shun_a_link_of_ones_own():
    start = state(B_NEEDS_A_FOOT, turn=B)
    assert the(RoundWon, decide(start, B, Push(1, "left"))).seat == B
    assert default_of(start) == Push(1, "left")


def test_the_default_push_throws_no_own_knot_out_if_it_can_help_it():
    assert default_of(state(FULL_FLOOR.replace("B A B A B", "B A B A A"))) == Push(1, "right")
    assert default_of(state(FULL_FLOOR.replace("B A B A B", "A A B A A"))) == Push(2, "left")


def test_the_default_push_rather_throws_an_own_knot_out_than_lose_the_round():
    free = {Opening(1, "left"), Opening(2, "left")}  # the first completes B's link, the second ejects a knot of A's
    others = {Opening(floor, side) for floor in range(1, 6) for side in ("left", "right")} - free
    assert default_of(state(B_NEEDS_A_FOOT, barred=(tuple(sorted(others)), ()))) == Push(2, "left")


# ----------------------------------------------------------------------------------------------------------- the record


def test_a_record_without_its_beginning_or_with_two_is_broken():
    with pytest.raises(BrokenRecord, match="begins with"):
        GAME.fold([Skipped(A)])
    (first,) = GAME.setup(2, RopeWallOptions(), MATERIAL, BEGAN, CHANCE)
    with pytest.raises(BrokenRecord, match="begins once"):
        GAME.fold([first, first])


@pytest.mark.parametrize(
    ("event", "stored"),
    [
        (
            Pushed(A, 3, "left", B, Moment(5)),
            '{"event":"pushed","seat":0,"floor":3,"side":"left","fell":1,"at":5}',
        ),
        (Skipped(B), '{"event":"skipped","seat":1}'),
        (RoundWon(A, ((2,),), (((1, 2),),)), '{"event":"won","seat":0,"choices":[[2]],"ropes":[[[1,2]]]}'),
        (
            Escaped(B, (2, 4), (((1, 2),),)),
            '{"event":"escaped","seat":1,"columns":[2,4],"ropes":[[[1,2]]]}',
        ),
        (RoundCancelled("full-wall"), '{"event":"cancelled","reason":"full-wall"}'),
        (RoundBegun(A, Moment(5)), '{"event":"round","starter":0,"at":5}'),
        (Resigned(A), '{"event":"resigned","seat":0}'),
        (GameEnded("cancelled", None), '{"event":"ended","reason":"cancelled","winner":null}'),
    ],
)
def test_the_stored_form_of_an_event_stays_as_it_is_for_good(event: RopeWallEvent, stored: str):
    assert to_json(event) == stored
    assert GAME.read_event(stored) == event


def test_the_view_lists_the_last_five_pushes_of_the_round_oldest_first():
    at = state()
    pushes: list[tuple[int, Side]] = [(1, "left"), (1, "right"), (2, "left"), (2, "right"), (3, "left"), (3, "right")]
    for number, (floor, side) in enumerate(pushes):
        _, at = push(msgspec.structs.replace(at, phase=Pushing(Seat(number % 2))), floor, side)
    told = [(push.seat, push.floor, push.side) for push in GAME.view(at, None).recent]
    assert told == [(number % 2, *push) for number, push in enumerate(pushes)][1:]
