"""Break-Out's timing: NEXT held until the fair moment, calls in time and late, ties, gifts, last windows.

Marks are the rule book's; times are in milliseconds after the beginning, on a clock that the test sets.
"""

import random
from itertools import permutations

import msgspec
import pytest

from engine.contract import ClockShift, Expire, Moment, Refusal, Seat, to_json
from engine.games.break_out import (
    FACES,
    GAME,
    KINDS,
    BreakOutAction,
    Call,
    Called,
    CallKept,
    Caught,
    Draw,
    Give,
    Given,
    Lay,
    Next,
    NextSaid,
    NextTaken,
    Point,
    RoundEnded,
    Voided,
    WindowClosed,
    WindowShut,
)
from tests.engine.games.break_out_positions import SEVEN, A, B, C, ScriptedRound, cards, chance
from tests.engine.games.break_out_random_play import RandomPlay
from tools.harness.playouts import BEGIN

BAD = "r3 b4 g5 v7 o7 y7 w"
CATCH, LAST, TIE, SETTLE, GIFT = 5_000, 10_000, 1_500, 400, 30_000


def opened(*hands: str, at: int = 1_000, **options: object) -> ScriptedRound:
    """Return a table at which A said NEXT without having played or drawn; the window on A opened at `at`."""
    table = ScriptedRound(*(hands or (SEVEN, SEVEN, SEVEN)), **options)  # type: ignore[arg-type]  # a test names its fields
    table.do(A, Next(), at)
    table.expire("next")
    return table


# ----------------------------------------------------------------------------------------------------- when NEXT counts


def test_D36_a_rounds_first_next_takes_effect_at_once_and_is_handled_after_settle():
    table = ScriptedRound(SEVEN, SEVEN)
    table.do(A, Next(), 1_000)
    assert table.due() == 1_000 + SETTLE
    table.expire("next")
    assert table.state.turn == B and table.state.window is not None
    assert table.state.window.opened == BEGIN + 1_000  # settle only delays handling


def test_D36_a_next_said_early_is_kept_until_5_seconds_after_the_one_before():
    table = opened()
    table.do(B, Draw(), 2_000)
    table.do(B, Next(), 2_500)
    assert table.view(None).due == BEGIN + 1_000 + CATCH
    assert table.due() == 1_000 + CATCH + SETTLE
    table.expire("next")
    assert table.state.turn == C and table.state.window is not None
    assert table.state.window.opened == BEGIN + 1_000 + CATCH


def test_D36_a_next_said_later_than_that_takes_effect_at_its_own_moment():
    table = opened()
    table.do(B, Draw(), 2_000)
    table.do(B, Next(), 9_000)
    assert table.due() == 9_000 + SETTLE


def test_D36_the_5_seconds_run_from_when_the_earlier_next_took_effect():
    table = opened()
    table.do(B, Draw(), 1_500)
    table.do(B, Next(), 1_600)  # kept until 6,000
    table.expire("next")
    table.do(C, Draw(), 6_500)
    table.do(C, Next(), 6_600)
    assert table.due() == 6_000 + CATCH + SETTLE


def test_D39_a_clock_that_strikes_before_settle_is_over_is_early():
    table = ScriptedRound(SEVEN, SEVEN)
    table.do(A, Next(), 1_000)
    with pytest.raises(Refusal, match="early"):
        GAME.decide(table.state, None, Expire(table.clock().id), Moment(BEGIN + 1_399), chance())


def test_D21_under_strict_there_are_no_windows_at_all():
    table = ScriptedRound(SEVEN, SEVEN, SEVEN, referee="strict")
    table.do(A, Draw(), 10)
    events = table.do(A, Next(), 20)
    assert any(isinstance(event, NextTaken) for event in events)
    assert table.state.turn == B and table.state.window is None
    assert table.refused(C, Call("draw")).code == "strict"
    assert table.refused(C, Point(0)).code == "strict"
    table.do(B, Draw(), 30)
    table.do(B, Next(), 40)
    assert table.state.turn == C


# -------------------------------------------------------------------------------------------------------- what is right


def test_R28_DRAW_is_right_on_whom_neither_played_nor_drew():
    table = opened()
    (event,) = table.do(C, Call("draw"), 1_500)
    assert isinstance(event, Called) and event.right


@pytest.mark.parametrize("does", ["draws", "plays"])
def test_R28_DRAW_is_wrong_on_whom_drew_or_played(does: str):
    table = ScriptedRound("r3 b3 g3 v7 o7 y7 r1", SEVEN, SEVEN)
    table.do(A, Draw() if does == "draws" else Lay(cards("r3 b3 g3")))
    table.pass_turn(A)
    (event,) = table.do(C, Call("draw"), 10)
    assert isinstance(event, Called) and not event.right


def test_D25_with_an_empty_draw_place_a_next_without_a_play_is_a_pass_and_no_offence():
    table = opened(SEVEN, SEVEN, SEVEN, place=None, pile="")
    (event,) = table.do(C, Call("draw"), 1_500)
    assert isinstance(event, Called) and not event.right


def test_R28_MELD_is_right_on_whom_laid_a_bad_meld_in_that_turn():
    table = ScriptedRound(BAD, SEVEN, SEVEN)
    table.do(A, Lay(cards("r3 b4 g5")))
    table.pass_turn(A)
    assert table.do(C, Call("meld"), 10)[0].right  # type: ignore[attr-defined]  # it is a Called
    sound = ScriptedRound("r3 b3 g3 v7 o7 y7 w", SEVEN, SEVEN)
    sound.do(A, Lay(cards("r3 b3 g3")))
    sound.pass_turn(A)
    assert not sound.do(C, Call("meld"), 10)[0].right  # type: ignore[attr-defined]  # it is a Called


def test_the_next_inmate_may_call_too_and_nobody_calls_on_themselves():
    table = opened()
    assert table.refused(A, Call("draw"), 1_500).code == "own-turn"
    assert table.do(B, Call("draw"), 1_500)


def test_D30_each_inmate_has_one_DRAW_call_and_one_MELD_call_a_window():
    table = ScriptedRound("r3 b3 g3 v7 o7 y7 r1", SEVEN, SEVEN)
    table.do(A, Draw())
    table.pass_turn(A)
    table.do(C, Call("draw"), 10)
    assert table.refused(C, Call("draw"), 20).code == "called-already"
    table.do(C, Call("meld"), 30)
    assert table.refused(C, Call("meld"), 40).code == "called-already"
    table.do(B, Call("draw"), 50)


@pytest.mark.parametrize("cost", ["free", "draw"])
def test_D30_O3_a_wrong_call_costs_nothing_or_a_card_from_the_pile(cost: str):
    table = ScriptedRound("r3 b3 g3 v7 o7 y7 r1", SEVEN, SEVEN, wrong_call=cost, pile="v1 v2 v3")
    table.do(A, Draw())
    table.pass_turn(A)
    table.do(C, Call("meld"), 10)
    assert len(table.hand(C)) == (8 if cost == "draw" else 7)
    assert table.state.window is not None  # the window is still open


# -------------------------------------------------------------------------------------------------------------- in time


def test_D39_calls_are_ordered_by_the_time_at_which_discord_received_them():
    """A call received before the next NEXT's moment counts, even if it is handled after that NEXT was said."""
    table = opened()
    table.do(B, Draw(), 7_000)
    table.do(B, Next(), 8_000)
    (event,) = table.do(C, Call("draw", 1), 7_999)
    assert isinstance(event, Called) and event.right
    table.expire("tie")
    assert table.state.gift is not None and table.state.gift.caught == A


def test_D39_a_call_in_the_very_millisecond_of_the_next_is_refused_as_late_by_0_ms():
    table = opened()
    table.do(B, Draw(), 7_000)
    table.do(B, Next(), 8_000)
    assert table.refused(C, Call("draw", 1), 8_000).facts["by_ms"] == 0
    assert table.refused(C, Call("draw", 1), 8_300).facts["by_ms"] == 300
    table.expire("next")
    assert table.refused(C, Call("draw", 1), 9_000).facts["by_ms"] == 1_000
    assert table.refused(C, Call("draw", 0), 9_000).facts["by_ms"] == -1


def test_D39_a_next_that_was_received_before_a_call_but_handled_after_it_goes_first():
    table = opened()
    table.do(B, Draw(), 7_000)
    table.do(C, Call("draw", 1), 8_100)
    assert table.clock().id.startswith("tie")
    table.do(B, Next(), 8_000)  # its moment was before the call, so the call is late after all
    assert table.clock().id.startswith("next") and table.state.called is None
    table.expire("next")
    assert table.state.turn == C and len(table.hand(A)) == 7


def test_D40_a_call_that_names_no_turn_goes_over_to_the_window_that_a_next_handled_later_had_opened():
    table = opened(wrong_call="draw", pile="v1 v2 v3")
    (right,) = table.do(C, Call("draw"), 8_100)
    assert isinstance(right, Called) and right.turn == 1
    events = table.do(B, Next(), 8_000)  # B neither played nor drew
    assert [type(event) for event in events] == [Voided, NextSaid, Called]
    again = events[-1]
    assert isinstance(again, Called) and again.turn == 2 and again.right and again.at == right.at
    table.expire("next")
    table.expire("tie")
    assert table.state.gift is not None and table.state.gift.caught == B


def test_D40_a_call_goes_over_to_the_window_of_a_kept_next_whose_moment_it_came_after():
    table = opened()
    table.do(C, Call("draw"), 6_050)
    events = table.do(B, Next(), 5_900)  # kept until 6,000, which has passed when it is handled
    assert [type(event) for event in events] == [Voided, NextSaid, WindowShut, Called]
    again = events[-1]
    assert isinstance(again, Called) and again.turn == 2 and again.right
    table.expire("next")
    table.expire("tie")
    assert table.state.gift is not None and table.state.gift.caught == B


def test_D40_what_a_call_cost_that_came_after_a_next_handled_later_comes_back():
    table = ScriptedRound(SEVEN, SEVEN, SEVEN, wrong_call="draw", pile="v1 v2 v3")
    table.do(A, Draw(), 500)
    table.pass_turn(A, 1_000)
    table.do(C, Call("draw", 1), 8_100)
    assert "v2" in table.hand(C) and table.state.pile == ("v3",)
    table.do(B, Next(), 8_000)
    assert "v2" not in table.hand(C) and table.state.pile == ("v2", "v3")


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_D40_calls_and_nexts_count_by_the_time_of_receipt_in_any_order_of_handling(order: tuple[int, ...]):
    """Three calls and a NEXT, all received within settling, handled in every order: the catch is the same."""
    table = opened(SEVEN, SEVEN, SEVEN, SEVEN, wrong_call="free")
    table.do(B, Draw(), 7_000)
    asked: list[tuple[int, BreakOutAction, int]] = [
        (3, Call("draw", 1), 7_800),
        (2, Call("draw"), 7_950),  # in the tie, and closer
        (1, Next(), 8_000),
        (2, Call("meld"), 8_150),  # about B's turn
    ]
    for number in order:
        seat, action, at = asked[number]
        table.do(seat, action, at)
    table.expire("tie")
    assert table.state.gift is not None and (table.state.gift.catcher, table.state.gift.caught) == (2, A)
    assert table.state.said is not None and table.state.said.moment == BEGIN + 8_000
    assert table.hand(2) == sorted(SEVEN.split(), key=FACES.index) and len(table.hand(A)) == 8


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_D58_a_call_without_a_turn_counts_by_its_receipt_also_if_its_caller_has_called_in_the_window_before(
    order: tuple[int, ...],
):
    """B neither plays nor takes a card, and C has called A already; all four are received within settling."""
    table = opened(SEVEN, SEVEN, SEVEN, wrong_call="free", place=None)
    table.state = msgspec.structs.replace(table.state, place="y1")
    table.do(C, Call("draw"), 6_000)  # wrong: there was nothing to take when A said NEXT
    asked: list[tuple[int, BreakOutAction, int]] = [
        (1, Next(), 8_000),
        (2, Call("draw"), 8_150),
        (0, Call("draw"), 8_200),
        (0, Call("meld"), 8_250),
    ]
    for number in order:
        seat, action, at = asked[number]
        table.do(seat, action, at)
    assert table.state.window is not None and table.state.window.seat == B and table.state.kept == ()
    received = {(one.seat, one.kind, one.at - BEGIN, one.right) for one in table.state.window.calls}
    assert received == {(2, "draw", 8_150, True), (0, "draw", 8_200, True), (0, "meld", 8_250, False)}


def test_D58_a_call_that_was_received_before_the_next_is_still_the_second_of_its_window():
    table = opened(SEVEN, SEVEN, SEVEN)
    table.do(C, Call("draw"), 2_000)
    assert table.refused(C, Call("draw"), 5_999).code == "called-already"  # no NEXT takes effect before 6,000


def test_D58_a_call_in_a_turn_whose_next_comes_later_is_about_no_turn_and_costs_nothing():
    table = opened(SEVEN, SEVEN, SEVEN, place=None, pile="v1 v2 v3")
    for at in range(7_000, 7_004):
        (event,) = table.do(C, Call("meld"), at)
        assert isinstance(event, Called if at == 7_000 else CallKept)
    assert table.view(C).kept == ("meld",) * 3
    hand = table.hand(C)
    table.do(B, Next(), 9_000)
    assert table.state.window is not None and table.state.window.calls == () and table.state.kept == ()
    assert table.hand(C) == hand and table.view(C).kept == ()


def test_D58_calls_that_wait_for_a_next_are_few_and_their_caller_alone_sees_them():
    table = ScriptedRound(SEVEN, SEVEN, SEVEN)
    public = to_json(table.view(None))
    for at in range(1, 5):
        (kept,) = table.do(B, Call("draw"), at)
        assert isinstance(kept, CallKept)
    assert table.refused(B, Call("draw"), 5).code == "no-window"
    assert to_json(table.view(None)) == public and table.view(A).kept == ()
    assert table.view(B).kept == ("draw",) * 4


def test_D40_a_next_that_was_received_early_and_is_kept_past_a_call_leaves_the_call_right():
    table = opened()
    table.do(B, Draw(), 2_000)
    table.do(C, Call("draw"), 3_000)
    table.do(B, Next(), 2_900)  # kept until 6,000
    table.expire("tie")
    table.do(C, Give("v7"), 5_500)
    assert table.due() == 6_000 + SETTLE and len(table.hand(A)) == 9


def test_D37_a_window_opens_at_the_moment_of_its_next_so_a_call_while_it_settles_counts():
    table = ScriptedRound(SEVEN, SEVEN, SEVEN)
    table.do(A, Next(), 1_000)
    (event,) = table.do(C, Call("draw"), 1_200)
    assert isinstance(event, Called) and event.right and event.turn == 1
    assert table.refused(C, Call("draw"), 1_250).code == "called-already"
    table.expire("next")
    assert table.clock().id.startswith("tie")
    table.expire("tie")
    assert table.state.gift is not None and table.state.gift.catcher == C
    assert table.refused(B, Call("draw", 1), 4_000).code == "late-call"


def test_a_kept_next_cannot_be_called_before_it_takes_effect():
    table = opened()
    table.do(B, Next(), 2_000)  # kept until 6,000
    refusal = table.refused(C, Call("draw", 2), 3_000)
    assert refusal.code == "not-open" and refusal.facts["due"] == BEGIN + 6_000
    (early,) = table.do(C, Call("draw"), 3_000)  # without a turn it means the window open at that moment
    assert isinstance(early, Called) and early.turn == 1


def test_a_call_without_a_turn_means_the_window_open_at_that_moment():
    table = opened()
    table.do(B, Next(), 8_000)
    assert table.do(C, Call("draw"), 7_900)[0].turn == 1  # type: ignore[attr-defined]  # it is a Called
    other = opened()
    other.do(B, Next(), 8_000)
    assert other.do(C, Call("draw"), 8_100)[0].turn == 2  # type: ignore[attr-defined]  # it is a Called


def test_before_the_first_next_there_is_nothing_to_call():
    assert ScriptedRound(SEVEN, SEVEN).refused(B, Call("draw")).code == "no-window"


# ----------------------------------------------------------------------------------------------------------------- ties


def test_R31_D29_a_tie_goes_to_the_nearest_clockwise_of_calls_within_a_second_and_a_half():
    table = opened(SEVEN, SEVEN, SEVEN, SEVEN)
    table.do(3, Call("draw"), 2_000)
    table.do(2, Call("draw"), 3_499)
    table.expire("tie")
    assert table.state.gift is not None and table.state.gift.catcher == 2


def test_D40_the_order_of_handling_does_not_matter_within_a_tie_period():
    table = opened(SEVEN, SEVEN, SEVEN, SEVEN)
    table.do(1, Call("draw"), 3_400)  # the closest, 100 ms too late for the tie with the first
    table.do(2, Call("draw"), 3_200)
    table.do(3, Call("draw"), 1_800)
    table.expire("tie")
    assert table.state.gift is not None and table.state.gift.catcher == 2


def test_D29_no_tie_goes_on_past_the_moment_at_which_the_window_closes():
    """A call after it is late, no matter who called before it and when that is handled."""
    for first in (True, False):
        table = opened(SEVEN, SEVEN, SEVEN, SEVEN)
        table.do(B, Draw(), 7_000)
        table.do(B, Next(), 8_000)
        if first:
            table.do(3, Call("draw", 1), 7_900)
        assert table.refused(2, Call("draw", 1), 8_100).facts["by_ms"] == 100
        if not first:
            table.do(3, Call("draw", 1), 7_900)
        assert table.due() == 8_000 + SETTLE  # when the NEXT would take effect if nobody had called
        table.expire("tie")
        assert table.state.gift is not None and table.state.gift.catcher == 3


def test_D40_a_call_received_earlier_but_handled_later_is_the_first():
    table = opened(SEVEN, SEVEN, SEVEN, SEVEN)
    table.do(1, Call("draw"), 3_600)
    assert table.due() == 3_600 + TIE + SETTLE
    table.do(3, Call("draw"), 2_000)
    assert table.due() == 2_000 + TIE + SETTLE  # the period runs from the first one
    table.expire("tie")
    assert table.state.gift is not None and table.state.gift.catcher == 3


def test_D42_while_the_catcher_chooses_nothing_else_moves_on():
    table = opened()
    table.do(C, Call("draw"), 2_000)
    table.expire("tie")
    for action in (Draw(), Next(), Lay(cards("v7 o7 y7")), Point(0)):
        assert table.refused(B, action, 5_000).code == "settling"
    assert table.view(None).to_act == (C,)


def test_D41_in_the_tie_period_the_next_inmate_plays_on_and_a_catch_takes_account_of_it():
    table = opened(SEVEN, SEVEN, SEVEN, pile="v1 v2", place="y1")
    table.do(C, Call("draw"), 2_000)
    table.do(B, Draw(), 2_100)
    table.do(B, Next(), 2_200)
    assert table.view(None).phase == "next"
    table.expire("tie")
    assert "y1" in table.hand(B) and "v1" in table.hand(A)
    table.do(C, Give("v7"), 4_500)
    assert table.clock().id.startswith("next") and table.due() == 6_000 + SETTLE


def test_D42_the_clock_of_the_next_inmate_is_paused_meanwhile():
    table = opened()
    assert table.due() == 1_000 + 60_000
    table.do(C, Call("draw"), 2_000)
    table.expire("tie")
    table.do(C, Give("v7"), 12_000)
    assert table.clock().id.startswith("turn") and table.due() == 1_000 + 60_000 + 10_000


# --------------------------------------------------------------------------------------------------------- being caught


def test_R29_caught_with_DRAW_one_takes_the_draw_card_and_a_card_of_the_catchers_choice():
    table = opened(SEVEN, SEVEN, "d s", pile="v1 v2", place="y1")
    table.do(C, Call("draw"), 2_000)
    table.expire("tie")
    assert table.hand(A).count("y1") == 1 and table.state.place == "v1"  # it is replaced
    assert table.refused(B, Give("r1"), 3_000).code == "no-gift"
    assert table.refused(C, Give("r1"), 3_000).code == "not-in-hand"
    table.do(C, Give("s"), 3_000)
    assert "s" in table.hand(A) and table.hand(C) == ["d"]
    assert table.view(None).to_act == (B,)


def test_D26_if_the_next_inmate_has_taken_the_draw_card_it_is_the_top_of_the_pile():
    table = opened(SEVEN, SEVEN, SEVEN, pile="v1 v2", place="y1")
    table.do(B, Draw(), 1_500)
    table.do(C, Call("draw"), 2_000)
    table.expire("tie")
    assert "v1" in table.hand(A) and "y1" in table.hand(B) and table.state.pile == ("v2",)


def test_D27_the_catcher_has_30_seconds_then_the_dearest_card_is_given_of_equals_in_order_of_faces():
    table = opened(SEVEN, SEVEN, "d v7 b7 r7")
    table.do(C, Call("draw"), 2_000)
    table.expire("tie")
    assert table.due() == 2_000 + TIE + SETTLE + GIFT
    (event,) = table.expire("gift")
    assert isinstance(event, Given) and event.face == "d" and event.lapsed
    equal = opened(SEVEN, SEVEN, "v7 b7 r7")
    equal.do(C, Call("draw"), 2_000)
    equal.expire("tie")
    (event,) = equal.expire("gift")
    assert isinstance(event, Given) and event.face == "r7"


def test_D27_a_catcher_with_no_card_gives_none():
    table = opened(SEVEN, SEVEN, "")
    table.do(C, Call("draw"), 2_000)
    table.expire("tie")
    assert table.state.gift is None and len(table.hand(A)) == 8 and table.view(None).to_act == (B,)


def test_D28_a_penalty_ends_the_window():
    table = opened(SEVEN, SEVEN, SEVEN)
    table.do(C, Call("draw"), 2_000)
    table.expire("tie")
    table.do(C, Give("v7"), 4_000)
    assert table.state.window is None
    assert table.refused(B, Call("draw", 1), 4_100).code == "late-call"
    assert table.refused(B, Call("draw"), 4_100).code == "no-window"


def test_D43_after_a_DRAW_catch_a_pending_next_takes_effect_when_due():
    table = opened(SEVEN, SEVEN, SEVEN)
    table.do(B, Draw(), 1_500)
    table.do(B, Next(), 2_000)  # kept until 6,000
    table.do(C, Call("draw"), 2_500)
    table.expire("tie")
    table.do(C, Give("v7"), 4_900)
    assert table.clock().id.startswith("next") and table.due() == 6_000 + SETTLE
    table.expire("next")
    assert table.state.turn == C


def test_a_kept_next_that_fell_due_while_a_catch_was_settled_takes_effect_after_it():
    table = opened(SEVEN, SEVEN, SEVEN)
    table.do(B, Draw(), 1_500)
    table.do(B, Next(), 2_000)
    table.do(C, Call("draw"), 5_500)
    table.expire("tie")
    table.do(C, Give("v7"), 9_000)
    assert table.due() == 9_000 + SETTLE


def test_D43_after_a_MELD_catch_a_kept_next_is_dropped():
    table = ScriptedRound(BAD, SEVEN, SEVEN)
    table.do(A, Lay(cards("r3 b4 g5")), 100)
    table.pass_turn(A, 1_000)
    table.do(B, Draw(), 1_500)
    table.do(B, Next(), 2_000)
    table.do(C, Call("meld"), 2_500)
    table.expire("tie")
    table.do(C, Give("v7"), 5_000)
    assert table.state.said is None and table.clock().id.startswith("turn")
    table.do(B, Next(), 9_000)  # B has drawn already and may say it again
    table.expire("next")
    assert table.state.turn == C


def test_R30_D31_caught_with_MELD_the_bad_meld_returns_and_there_is_no_second_penalty_for_having_played_nothing():
    table = ScriptedRound(BAD, SEVEN, SEVEN)
    table.do(A, Lay(cards("r3 b4 g5")))
    table.pass_turn(A, 1_000)
    table.do(C, Call("meld"), 1_500)
    table.expire("tie")
    table.do(C, Give("r1"), 4_000)
    assert table.hand(A) == sorted([*BAD.split(), "r1"], key=[*table.hand(A)].index)
    assert table.laid(1) is None and table.state.window is None


def test_a_catch_records_the_margin_by_which_a_call_beat_the_pending_next():
    table = opened(SEVEN, SEVEN, SEVEN)
    table.do(B, Next(), 2_000)  # kept until 6,000
    table.do(C, Call("draw"), 5_800)
    (event,) = table.expire("tie")
    assert isinstance(event, Caught) and event.margin == 200


# -------------------------------------------------------------------------------------------------------- the last card


def last_card() -> ScriptedRound:
    """Return a table at which A has laid the last cards and said NEXT at 1,000; the meld is bad."""
    table = ScriptedRound("r3 b4 g5", SEVEN, SEVEN, rounds=1)
    table.do(A, Lay(cards("r3 b4 g5")), 500)
    table.pass_turn(A, 1_000)
    return table


def test_D38_the_window_on_the_last_card_closes_by_the_clock_after_10_seconds_and_only_then_one_has_gone_out():
    table = last_card()
    assert not table.state.over and table.due() == 1_000 + LAST + SETTLE
    events = table.expire("last")
    assert isinstance(events[0], WindowClosed) and isinstance(events[1], RoundEnded) and events[1].winner == A


def test_D38_while_a_last_window_is_open_nobody_elses_turn_begins():
    table = last_card()
    for action in (Draw(), Next()):
        refusal = table.refused(B, action, 2_000)
        assert refusal.code == "not-your-turn" and refusal.facts["last"] == A
    assert table.view(None).to_act == () and table.view(None).phase == "last"


def test_a_player_caught_in_the_last_window_has_not_gone_out_and_the_next_turn_begins():
    table = last_card()
    table.do(B, Call("meld"), 10_999)
    table.expire("tie")
    assert table.hand(A) == ["r3", "b4", "g5"]
    table.do(B, Give("v7"), 14_000)
    assert not table.state.over and table.view(None).to_act == (B,)
    assert table.due() == 14_000 + 60_000


def test_D39_a_call_in_the_very_millisecond_of_the_last_deadline_is_too_late():
    table = last_card()
    assert table.refused(B, Call("meld"), 11_000).facts["by_ms"] == 0


def test_D47_giving_ones_last_card_away_is_not_going_out_until_ones_own_next_takes_effect():
    table = opened(SEVEN, SEVEN, "v7", rounds=1)
    table.do(C, Call("draw"), 2_000)
    table.expire("tie")
    table.do(C, Give("v7"), 4_000)
    assert table.hand(C) == [] and not table.state.over
    table.do(B, Draw(), 5_000)
    table.pass_turn(B, 9_000)
    table.do(C, Next(), 20_000)
    table.expire("next")
    table.expire("last")
    assert table.state.over and table.state.sheet[0].winner == C


# ------------------------------------------------------------------------------------------------------------- pointers


def slipped(**options: object) -> ScriptedRound:
    """Return a table at which A's bad meld 1 is in A's cell; it is C's turn, and the window on B is open."""
    table = ScriptedRound(BAD, SEVEN, SEVEN, **options)  # type: ignore[arg-type]  # a test names its fields
    table.do(A, Lay(cards("r3 b4 g5")), 100)
    table.pass_turn(A, 1_000)
    table.do(B, Draw(), 2_000)
    table.pass_turn(B, 7_000)
    return table


def test_R32_D44_a_bad_meld_detected_late_is_removed_from_play_and_nobody_is_penalised():
    table = slipped()
    table.do(B, Point(1), 8_000)
    assert table.laid(1) is None and sorted(table.state.aside) == ["b4", "g5", "r3"]
    assert len(table.hand(A)) == 4


def test_D44_a_wrong_pointer_has_no_effect_and_right_or_wrong_it_is_used_up_until_ones_next_turn():
    table = ScriptedRound("r3 b3 g3 v7 o7 y7 r1", SEVEN, SEVEN, yard=["o4 v4 y4"])
    assert table.do(B, Point(1), 100)[0].right is False  # type: ignore[attr-defined]  # it is a Pointed
    assert table.laid(1) is not None
    assert table.refused(B, Point(1), 200).code == "pointed-already"
    table.do(A, Draw(), 300)
    table.pass_turn(A, 1_000)
    table.do(B, Point(1), 2_000)  # a turn of B's own has begun


def test_D45_what_was_changed_in_this_turn_or_the_one_whose_window_is_open_cannot_be_pointed_at():
    table = ScriptedRound(BAD, SEVEN, SEVEN)
    table.do(A, Lay(cards("r3 b4 g5")), 100)
    assert table.refused(B, Point(1), 200).code == "too-fresh"
    table.pass_turn(A, 1_000)
    assert table.refused(C, Point(1), 2_000).code == "too-fresh"
    assert table.refused(C, Point(77), 2_000).code == "no-meld"


def test_D46_the_lone_round_card_is_no_bad_meld():
    table = ScriptedRound(SEVEN, SEVEN)
    assert table.do(B, Point(0), 100)[0].right is False  # type: ignore[attr-defined]  # it is a Pointed


# -------------------------------------------------------------------------------------------------------- after a delay


@pytest.mark.parametrize("phase", ["window", "kept", "settling", "early", "tie", "gift", "last"])
def test_a_delay_in_the_middle_robs_nobody(phase: str):
    """Everything that runs is postponed by the time away, and continues as if nothing had happened."""
    table = last_card() if phase == "last" else opened()
    if phase == "kept":
        table.do(B, Next(), 2_000)
    if phase in ("settling", "early"):
        table.do(B, Next(), 8_000)
    if phase == "early":
        table.do(C, Call("draw"), 8_100)
    if phase in ("tie", "gift"):
        table.do(C, Call("draw"), 2_000)
    if phase == "gift":
        table.expire("tie")
    before = table.state
    away = 3_600_000
    events = GAME.decide(before, None, ClockShift(away), Moment(BEGIN + 9_000), chance())
    after = GAME.fold(events, before)
    assert GAME.deadlines(before)
    moved = [msgspec.structs.replace(one, due=Moment(one.due + away)) for one in GAME.deadlines(before)]
    assert list(GAME.deadlines(after)) == moved
    for one, other in zip(GAME.deadlines(before), moved, strict=True):
        here = GAME.fold(GAME.decide(before, None, Expire(one.id), one.due, chance()), before)
        there = GAME.fold(GAME.decide(after, None, Expire(other.id), other.due, chance()), after)
        assert here.hands == there.hands and here.turn == there.turn and here.serial == there.serial
    if phase in ("window", "kept"):
        late = GAME.decide(after, C, Call("draw"), Moment(BEGIN + 2_500 + away), chance())
        assert late[0].right


@pytest.mark.parametrize("phase", ["window", "kept", "gift", "last"])
def test_a_window_in_which_nobody_could_play_is_known_by_when_it_opened_and_opens_again_whole(phase: str):
    table = last_card() if phase == "last" else opened()
    if phase == "kept":
        table.do(B, Next(), 2_000)
    if phase == "gift":
        table.do(C, Call("draw"), 2_000)
        table.expire("tie")
    before = table.state
    (ends,) = {one.due for one in GAME.deadlines(before)[:1]}
    at = ends if phase in ("gift", "last") else Moment(BEGIN + 1_000 + before.material.catch_ms)
    began = GAME.window_at(before, Moment(at - 1))
    assert began is not None and began < at and GAME.window_at(before, began) == began
    if phase != "kept":
        assert GAME.window_at(before, Moment(began - 1)) is None
    assert GAME.window_at(before, at) is None
    back = Moment(at + 3_600_000)
    after = GAME.fold(GAME.decide(before, None, ClockShift(back - began), back, chance()), before)
    assert GAME.window_at(after, back) == back and GAME.window_at(after, Moment(back + (at - began))) is None


def test_a_delay_of_nothing_is_refused():
    with pytest.raises(Refusal, match="no-delay"):
        GAME.decide(opened().state, None, ClockShift(0), BEGIN, chance())


# ---------------------------------------------------------------------------------------------------- whom a call means


def test_D62_a_call_that_names_an_inmate_counts_only_while_that_inmate_can_be_called():
    table = opened()
    assert table.refused(C, Call("draw", seat=B), 1_500).facts == {"seat": B}
    table.do(B, Next(), 2_000)
    assert table.refused(C, Call("draw", seat=B), 2_100).code == "not-open"
    (event,) = table.do(C, Call("draw", seat=A), 2_200)
    assert isinstance(event, Called) and event.turn == table.state.serial - 1 and event.named
    assert table.refused(A, Call("meld", seat=A), 2_300).code == "own-turn"


def test_D62_a_call_that_names_an_inmate_is_late_once_the_next_one_can_be_called_and_costs_nothing():
    table = opened(wrong_call="draw")
    table.do(B, Draw(), 2_000)
    table.do(B, Next(), 6_500)
    for action in (Call("draw", seat=A), Call("draw", table.state.serial - 1)):
        late = table.refused(C, action, 6_700)
        assert late.code == "late-call" and late.facts == {"by_ms": 200, "seat": A}
    table.expire("next")
    for action in (Call("draw", seat=A), Call("draw", table.state.serial - 2)):
        late = table.refused(C, action, 7_000)
        assert late.code == "late-call" and late.facts == {"by_ms": 500, "seat": A}


def test_D62_a_call_handled_before_the_next_that_makes_it_late_gets_its_card_back():
    table = ScriptedRound(SEVEN, SEVEN, SEVEN, wrong_call="draw")
    table.do(A, Draw(), 500)
    table.do(A, Next(), 1_000)
    table.expire("next")
    before = table.state.hands[C]
    table.do(B, Draw(), 2_000)
    table.do(C, Call("draw", table.state.serial - 1), 7_000)
    assert len(table.state.hands[C]) == len(before) + 1 and table.view(None).notes[-1].kind == "wrong"
    void, said, *_ = table.do(B, Next(), 6_900)
    assert isinstance(void, Voided) and void.by_ms == 100 and isinstance(said, NextSaid)
    assert table.state.hands[C] == before
    late = [note for note in table.view(B).notes if note.kind in ("late", "wrong")]
    assert [(note.kind, note.seat, note.other, note.ms, note.count) for note in late] == [("late", C, A, 100, 1)]


def test_D62_only_its_caller_learns_that_a_right_call_came_too_late():
    table = opened()
    table.do(B, Draw(), 2_000)
    table.do(C, Call("draw", table.state.serial - 1), 7_000)
    table.do(B, Next(), 6_900)
    assert [note.kind for note in table.view(C).notes if note.kind == "late"] == ["late"]
    for reader in (None, A, B):
        assert not [note for note in table.view(reader).notes if note.kind == "late"]


@pytest.mark.parametrize("seed", range(25))
def test_D62_a_call_never_counts_for_another_turn_or_inmate_than_it_names(seed: int):
    play_at_random = RandomPlay(seed)
    rng = random.Random(seed)
    for step, (seat, action, at) in enumerate(play_at_random.asked()):
        if step > 400:
            break
        state = play_at_random.state
        for kind in KINDS if step % 3 == 0 else ():
            caller, target = (Seat(rng.randrange(play_at_random.seats)) for _ in range(2))
            for call in (Call(kind, seat=target), Call(kind, state.serial - rng.randrange(3))):
                try:
                    events = GAME.decide(state, caller, call, at, chance())
                except Refusal:
                    continue
                for event in events:
                    if isinstance(event, Called):
                        windows = GAME.fold(events, state)
                        meant = next(
                            one
                            for one in (windows.window, windows.closing)
                            if one is not None and one.turn == event.turn
                        )
                        assert meant.seat == target if call.turn is None else event.turn == call.turn
                    elif isinstance(event, CallKept):
                        assert call.turn is None and state.turn == target
        play_at_random.decide(seat, action, at)


def test_D63_everybody_sees_who_else_was_right_and_who_was_nearer():
    table = opened(*[SEVEN] * 4)
    table.do(3, Call("draw"), 3_000)
    table.do(B, Call("draw"), 3_700)
    table.do(C, Call("draw"), 4_600)  # too late for the tie
    table.expire("tie")
    told = [note for note in table.view(None).notes if note.kind in ("caught", "nearer")]
    assert [(note.kind, note.seat, note.other, note.whom, note.right, note.after) for note in told] == [
        ("caught", B, A, None, False, 2_700),
        ("nearer", 3, B, A, True, 2_000),
        ("nearer", C, B, A, False, 3_600),
    ]
