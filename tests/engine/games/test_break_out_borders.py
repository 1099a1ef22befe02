"""The limits of Break-Out's half-open intervals: what counts one millisecond before, at, and after each.

A said NEXT at 1,000 without having played or drawn; times are in milliseconds after the beginning.
"""

import msgspec
import pytest

from engine.contract import ClockShift, Expire, Moment, Refusal, TimedOut
from engine.games.break_out import GAME, Call, Called, Caught, Draw, Give, Lay, Next, NextSaid, Point, Voided
from tests.engine.games.break_out_positions import SEVEN, A, B, C, ScriptedRound, cards, chance
from tools.harness.playouts import BEGIN

CATCH, LAST, TIE, SETTLE, GIFT, TURN = 5_000, 10_000, 1_500, 400, 30_000, 60_000
BEFORE, AT, AFTER = -1, 0, 1


def opened(*hands: str, **options: object) -> ScriptedRound:
    table = ScriptedRound(*(hands or (SEVEN, SEVEN, SEVEN)), **options)  # type: ignore[arg-type]  # a test names its fields
    table.do(A, Next(), 1_000)
    table.expire("next")
    return table


def called(table: ScriptedRound, seat: int, call: Call, at: int) -> int | str:
    """Return the turn for which a call counts, or by how many milliseconds it is late, or why it is refused."""
    try:
        event = table.do(seat, call, at)[-1]
    except Refusal as refusal:
        return f"late by {refusal.facts['by_ms']}" if refusal.code == "late-call" else refusal.code
    assert isinstance(event, Called)
    return event.turn


@pytest.mark.parametrize(("said", "effect"), [(BEFORE, 0), (AT, 0), (AFTER, 1)])
def test_D36_catch_a_next_takes_effect_no_sooner_than_5_seconds_after_the_one_before(said: int, effect: int):
    table = opened()
    table.do(B, Draw(), 2_000)
    table.do(B, Next(), 1_000 + CATCH + said)
    assert table.due() == 1_000 + CATCH + effect + SETTLE
    assert table.state.said is not None and table.state.said.open == (said >= 0)


@pytest.mark.parametrize("turn", [1, None])
@pytest.mark.parametrize(("late", "counts"), [(BEFORE, 1), (AT, "late by 0"), (AFTER, "late by 1")])
def test_D37_a_window_ends_with_the_moment_of_the_next_next(late: int, counts: int | str, turn: int | None):
    for kept in (True, False):
        table = opened()
        table.do(B, Draw(), 2_000)
        moment = 6_000 if kept else 9_000
        table.do(B, Next(), 3_000 if kept else 9_000)
        expected = counts if turn is not None or late < 0 else 2  # without a turn it is about the window open then
        assert called(table, C, Call("draw", turn), moment + late) == expected


@pytest.mark.parametrize("shut", [False, True])
@pytest.mark.parametrize(("early", "counts"), [(BEFORE, "not-open"), (AT, 2), (AFTER, 2)])
def test_D37_a_kept_next_can_be_called_from_its_moment_on(early: int, counts: int | str, shut: bool):
    table = opened()
    table.do(B, Next(), 3_000)  # kept until 6,000
    if shut:
        (clock,) = (one for one in GAME.deadlines(table.state) if one.id.startswith("shut-"))
        assert clock.due == BEGIN + 6_000
        table.state = GAME.fold(GAME.decide(table.state, None, Expire(clock.id), clock.due, chance()), table.state)
    assert called(table, C, Call("draw", 2), 6_000 + early) == counts


@pytest.mark.parametrize(("late", "told"), [(BEFORE, "overtaken"), (AT, "late by 0"), (AFTER, "late by 1")])
def test_D39_a_call_handled_after_the_next_was_settled_gets_the_true_reason(late: int, told: str):
    table = opened()
    table.do(B, Draw(), 2_000)
    table.do(B, Next(), 8_000)
    table.expire("next")
    assert called(table, C, Call("draw", 1), 8_000 + late) == told
    unnamed = called(table, C, Call("draw"), 8_000 + late)
    assert unnamed == ("overtaken" if late < 0 else 2)  # a call without a turn is never about a later window


@pytest.mark.parametrize(
    ("at", "told"),
    [(999, "no-window"), (1_000, "overtaken"), (3_499, "overtaken"), (3_500, "no-window"), (3_501, "no-window")],
)
def test_D40_a_call_without_a_turn_is_about_a_settled_window_from_its_first_millisecond_to_its_last(at: int, told: str):
    table = opened()
    table.do(C, Call("draw"), 2_000)
    table.expire("tie")  # the window was open from 1,000 to 3,500
    table.do(C, Give("v7"), 5_000)
    assert called(table, B, Call("draw"), at) == told


def test_D39_a_refusal_says_how_late_a_call_was_even_in_the_next_round():
    table = ScriptedRound("r3 b3 g3", SEVEN, SEVEN, rounds=2)
    table.do(A, Lay(cards("r3 b3 g3")), 500)
    table.pass_turn(A, 1_000)
    table.expire("last")
    assert table.state.round == 2
    assert called(table, B, Call("meld", 1), 1_000 + LAST + 300) == "late by 300"


def test_a_clock_shift_does_not_change_by_how_much_a_call_is_late():
    table = opened()
    table.do(B, Draw(), 2_000)
    table.do(B, Next(), 8_000)
    table.expire("next")
    away = 3_600_000
    events = GAME.decide(table.state, None, ClockShift(away), Moment(BEGIN + 9_000 + away), chance())
    table.state = GAME.fold(events, table.state)
    assert called(table, C, Call("draw", 1), 8_700 + away) == "late by 700"


@pytest.mark.parametrize(("late", "counts"), [(BEFORE, 1), (AT, "late by 0"), (AFTER, "late by 1")])
def test_D38_last_catch_is_ten_seconds(late: int, counts: int | str):
    table = ScriptedRound("r3 b4 g5", SEVEN, SEVEN)
    table.do(A, Lay(cards("r3 b4 g5")), 500)
    table.pass_turn(A, 1_000)
    assert called(table, B, Call("meld"), 1_000 + LAST + late) == counts


@pytest.mark.parametrize("late", [BEFORE, AT, AFTER])
def test_D38_calls_on_a_last_window_are_not_offered_any_more_once_it_is_shut(late: int):
    table = ScriptedRound("r3 b4 g5", SEVEN, SEVEN)
    table.do(A, Lay(cards("r3 b4 g5")), 500)
    table.pass_turn(A, 1_000)
    (shut,) = (one for one in GAME.deadlines(table.state) if one.id.startswith("shut-"))
    assert shut.due == BEGIN + 1_000 + LAST
    assert Call("meld", 1) in list(GAME.legal(table.state, B))
    table.state = GAME.fold(GAME.decide(table.state, None, Expire(shut.id), shut.due, chance()), table.state)
    assert list(GAME.legal(table.state, B)) == [] and table.view(B).phase == "last"
    assert called(table, B, Call("meld", 1), 1_000 + LAST + late) == (1 if late < 0 else f"late by {late}")
    assert table.due() == 1_000 + LAST + SETTLE


@pytest.mark.parametrize("first", ["earlier", "nearer"])
@pytest.mark.parametrize(("late", "catcher"), [(BEFORE, 2), (AT, 3), (AFTER, 3)])
def test_D29_a_tie_is_of_calls_within_a_second_and_a_half_of_the_first(late: int, catcher: int, first: str):
    """Player 3 calls at 2,000, and player 2 sits closer; in either order of handling."""
    table = opened(SEVEN, SEVEN, SEVEN, SEVEN)
    calls = [(3, 2_000), (2, 2_000 + TIE + late)]
    for seat, at in calls if first == "earlier" else reversed(calls):
        assert called(table, seat, Call("draw"), at) == 1
    table.expire("tie")
    assert table.state.gift is not None and table.state.gift.catcher == catcher


def expires(table: ScriptedRound, kind: str, after: int, late: int) -> bool:
    """Return True if the clock of this kind, due `after` the beginning, expires when asked at that moment."""
    (clock,) = (one for one in GAME.deadlines(table.state) if one.id.startswith(kind))
    try:
        events = GAME.decide(table.state, None, Expire(clock.id), Moment(BEGIN + after + late), chance())
    except Refusal as refusal:
        assert refusal.code == "early" and refusal.facts["due"] == BEGIN + after
        return False
    return bool(events)


@pytest.mark.parametrize(("late", "struck"), [(BEFORE, False), (AT, True), (AFTER, True)])
def test_D39_D27_settle_gift_and_turn_clocks_expire_in_their_millisecond_and_no_sooner(late: int, struck: bool):
    table = ScriptedRound(SEVEN, SEVEN, SEVEN)
    table.do(A, Next(), 1_000)
    assert expires(table, "next", 1_000 + SETTLE, late) == struck
    table.expire("next")
    assert expires(table, "turn", 1_000 + TURN, late) == struck
    table.do(C, Call("draw"), 2_000)
    assert expires(table, "tie", 2_000 + TIE + SETTLE, late) == struck
    table.expire("tie")
    assert expires(table, "gift", 2_000 + TIE + SETTLE + GIFT, late) == struck


# --------------------------------------------------------------------------------------------- turns that are put back


def test_a_turn_that_a_catch_puts_back_does_not_lapse_twice_at_once():
    """B's clock runs out and says NEXT; A is caught, and the NEXT is cancelled: B gets the full clock again."""
    table = ScriptedRound("r3 b4 g5 v7 o7 y7 w", SEVEN, SEVEN, clock=10)
    table.do(A, Lay(cards("r3 b4 g5")), 100)
    table.pass_turn(A, 1_000)
    table.expire("turn")  # at 11,000
    table.do(C, Call("meld"), 10_990)
    table.expire("tie")
    table.do(C, Give("v7"), 12_000)
    assert table.state.turn == B and table.view(None).phase == "turn"
    assert table.clock().id.startswith("turn") and table.due() == 12_000 + 10_000
    assert isinstance(table.expire("turn")[0], TimedOut)


def test_D42_the_clock_of_a_turn_that_continues_was_paused_since_the_call():
    table = opened()
    table.do(C, Call("draw"), 2_000)
    table.do(B, Draw(), 2_500)
    assert table.due() == 2_000 + TIE + SETTLE
    table.expire("tie")
    table.do(C, Give("v7"), 12_000)
    assert table.due() == 1_000 + TURN + 10_000


def test_D42_a_clock_shift_while_the_catcher_chooses_does_not_count_as_paused_time():
    table = opened()
    table.do(C, Call("draw"), 2_000)
    table.expire("tie")
    away = 3_600_000
    events = GAME.decide(table.state, None, ClockShift(away), Moment(BEGIN + 9_000 + away), chance())
    table.state = GAME.fold(events, table.state)
    table.do(C, Give("v7"), 12_000 + away)
    assert table.due() == 1_000 + TURN + 10_000 + away


def test_D43_a_next_that_was_being_settled_as_a_DRAW_catch_put_it_off_can_be_called_afterwards():
    table = opened()
    table.do(B, Next(), 8_000)  # its own window has been open since then
    table.do(C, Call("draw", 1), 7_900)
    table.expire("tie")
    table.do(C, Give("v7"), 9_000)
    assert table.due() == 9_000 + SETTLE
    assert called(table, C, Call("draw", 2), 8_999) == "not-open"
    table.expire("next")
    assert called(table, C, Call("draw", 2), 9_500) == 2


def put_off(rules: int = GAME.rules_version) -> ScriptedRound:
    """Return a table at which C caught A shortly before B's NEXT, and A called DRAW on B shortly after it."""
    table = opened()
    table.state = msgspec.structs.replace(table.state, rules=rules)
    table.do(B, Next(), 8_000)
    table.do(A, Call("draw", 2), 8_100)
    table.do(C, Call("draw", 1), 7_900)
    table.expire("tie")
    return table


def test_D43_a_call_on_a_next_that_a_DRAW_catch_puts_off_still_counts():
    table = put_off()
    table.do(C, Give("v7"), 20_000)
    assert called(table, A, Call("draw", 2), 20_000) == "called-already"
    table.expire("next")
    assert table.clock().id.startswith("tie") and table.due() == 20_100 + TIE + SETTLE
    table.do(C, Call("draw", 2), 20_100 + TIE - 1)  # in the tie, and nearer
    (event,) = table.expire("tie")
    assert isinstance(event, Caught) and (event.catcher, event.caught) == (C, B)


def test_D43_a_call_on_a_next_that_is_put_off_also_counts_if_the_catcher_has_no_card():
    table = opened("v7 o7 y7", "r1", "")
    table.do(B, Next(), 8_000)
    table.do(A, Call("draw", 2), 8_100)
    table.do(C, Call("draw", 1), 7_900)
    table.expire("tie")
    table.expire("next")
    (event,) = table.expire("tie")
    assert isinstance(event, Caught) and (event.catcher, event.caught) == (A, B)


def test_D43_calls_on_a_next_that_is_put_off_wait_while_the_bot_is_away():
    table = put_off()
    away = 3_600_000
    events = GAME.decide(table.state, None, ClockShift(away), Moment(BEGIN + 9_000 + away), chance())
    table.state = GAME.fold(events, table.state)
    table.do(C, Give("v7"), 9_500 + away)
    table.expire("next")
    assert table.due() == 9_600 + away + TIE + SETTLE


def test_D43_up_to_rules_4_a_DRAW_catch_voids_the_calls_on_the_next_that_it_puts_off():
    table = put_off(rules=4)
    table.do(C, Give("v7"), 20_000)
    table.expire("next")
    assert table.clock().id.startswith("turn")
    assert called(table, A, Call("draw", 2), 20_500) == 2


def test_D45_a_meld_of_the_turn_whose_window_closes_is_too_fresh_for_pointers_until_that_is_settled():
    table = ScriptedRound("r3 b4 g5 v7 o7", SEVEN, SEVEN)
    table.do(A, Lay(cards("r3 b4 g5")), 500)
    table.pass_turn(A, 1_000)
    table.do(B, Draw(), 2_000)
    table.do(B, Next(), 8_000)
    assert table.refused(C, Point(1), 8_100).code == "too-fresh"
    table.expire("next")
    table.do(C, Point(1), 8_500)
    assert table.laid(1) is None


def test_D44_a_pointer_comes_back_when_ones_turn_begins_and_not_when_a_last_window_opens():
    table = ScriptedRound("r3 b4 g5", SEVEN, SEVEN, cell={1: ["r6 b6 g2"]})
    table.state = GAME.fold(GAME.decide(table.state, B, Point(1), BEGIN, chance()), table.state)
    table.do(A, Lay(cards("r3 b4 g5")), 500)
    table.pass_turn(A, 1_000)
    assert table.state.pointed[B]  # A's last window is open: B's turn has not begun
    table.do(C, Call("meld"), 2_000)
    table.expire("tie")
    assert table.state.pointed[B]
    table.do(C, Give("v7"), 4_000)
    assert not table.state.pointed[B]


def test_a_turn_that_begins_after_a_last_window_has_a_full_cell_of_exactly_nine():
    for words, full in (("r2 b2 g2", True), ("r2 b2", False)):
        table = ScriptedRound("r3 b4 g5", SEVEN, SEVEN, cell={1: [words, "r3 b3 g3", "o4 v4 y4"]})
        table.do(A, Lay(cards("r3 b4 g5")), 500)
        table.pass_turn(A, 1_000)
        table.do(C, Call("meld"), 2_000)
        table.expire("tie")
        table.do(C, Give("v7"), 4_000)
        assert table.state.turn == B and table.view(B).full == full


# ----------------------------------------------------------------------------------------- what is judged as it is said


def test_D24_whether_one_neither_played_nor_drew_is_judged_as_NEXT_is_said_with_the_draw_place_as_it_was_then():
    """B says NEXT idly while the last draw card is there; A's forced draw takes it; B's offence remains one."""
    table = opened(SEVEN, SEVEN, SEVEN, pile="", place="y1")
    table.do(B, Next(), 2_000)  # kept until 6,000
    table.do(C, Call("draw"), 2_500)
    table.expire("tie")
    table.do(C, Give("v7"), 5_000)
    assert table.state.place is None and "y1" in table.hand(A)
    table.expire("next")
    (event,) = table.do(C, Call("draw"), 6_500)
    assert isinstance(event, Called) and event.right and event.turn == 2


def test_D40_a_call_in_the_very_millisecond_of_a_next_that_is_handled_after_it_goes_over_to_its_window():
    table = opened()
    table.do(C, Call("draw"), 8_000)
    events = table.do(B, Next(), 8_000)
    assert [type(event) for event in events] == [Voided, NextSaid, Called]
    again = events[-1]
    assert isinstance(again, Called) and again.turn == 2 and again.right


def test_D40_a_late_call_goes_over_to_no_other_turn_than_the_one_that_it_named_and_never_to_ones_own():
    table = opened()
    table.do(C, Call("draw", 1), 8_100)
    table.do(B, Call("draw"), 8_050)
    events = table.do(B, Next(), 8_000)
    assert [type(event) for event in events] == [Voided, Voided, NextSaid]


def test_D40_late_calls_go_over_in_the_order_in_which_they_were_received():
    table = opened(SEVEN, SEVEN, SEVEN, SEVEN)
    table.do(B, Draw(), 7_000)
    table.do(3, Call("meld"), 8_200)
    table.do(C, Call("meld"), 8_100)
    again = [event for event in table.do(B, Next(), 8_000) if isinstance(event, Called)]
    assert [event.seat for event in again] == [C, 3]


# ------------------------------------------------------------------------------------------------- what a view shows


def test_a_view_shows_the_moment_that_everybody_waits_for():
    table = ScriptedRound("r3 b4 g5", SEVEN, SEVEN)
    assert table.view(None).due == BEGIN + TURN
    table.do(A, Lay(cards("r3 b4 g5")), 500)
    table.pass_turn(A, 1_000)
    assert table.view(None).due == BEGIN + 1_000 + LAST  # not the clock of a turn that has not begun
    table.do(C, Call("meld"), 2_000)
    table.expire("tie")
    assert table.view(None).due == BEGIN + 2_000 + TIE + SETTLE + GIFT
    table.do(C, Give("v7"), 5_000)
    assert table.view(None).due == BEGIN + 5_000 + TURN


def test_a_meld_is_lit_in_the_turn_that_touched_it_and_in_the_next_one():
    table = ScriptedRound("r3 b3 g3 v7", SEVEN, SEVEN, cell={1: ["r2 b2 g2"]})
    table.do(A, Lay(cards("r3 b3 g3")), 500)
    lit = []
    for seat in (A, B, C):
        lit.append([meld.lit for meld in table.view(None).melds])
        table.pass_turn(seat, 1_000 + 6_000 * seat)
    assert lit == [[False, False, True], [False, False, True], [False, False, False]]
