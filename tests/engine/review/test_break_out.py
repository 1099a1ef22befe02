"""How turns of Break-Out are evaluated, and which bluffs and late calls are in the final notes."""

from random import Random

import msgspec
import pytest

from engine.contract import Moment, Seat
from engine.games.break_out import GAME, BreakOut, BreakOutAction, Call, Draw, Extend, Give, Lay, Next
from engine.games.break_out.log import Bluff, Catch, FinishedRound
from engine.games.break_out.state import ReceivedCall, State, Window
from engine.review import Evaluation, grade
from engine.review.break_out import REVIEWER, chance, noted, weigh
from engine.review.review_questions import answer, as_questions
from tests.engine.games.break_out_positions import ScriptedRound, cards
from tools.accuracy import played
from tools.harness.playouts import begin

STATE: State = begin(GAME, 1, seats=3)


def view(hand: tuple[str, ...], scores: tuple[int, ...] = (0, 0, 0), round_: int = 1):
    """Return the view of the seat to move, with this hand."""
    seat = STATE.turn
    seen = GAME.view(STATE, seat)
    counts = tuple(len(hand) if one == seat else 7 for one in range(3))
    own = tuple(scores[(one - seat) % 3] for one in range(3))
    return msgspec.structs.replace(
        seen, hand=hand, counts=counts, scores=own, melds=(), round=round_, acted=False, drew=False
    )


def test_a_lead_counts_the_more_the_fewer_rounds_are_left():
    hand = ("r1", "b4", "y6")
    early, late = (chance(view(hand, (0, 30, 30), number), Random(0)) for number in (1, 6))
    assert 1 / 3 < early < late


def test_a_hand_of_many_cards_is_worse_than_one_of_few():
    assert chance(view(("r1",) * 2), Random(0)) > chance(view(("r1",) * 9), Random(0))


def test_saying_next_with_a_break_out_in_hand_is_a_slip():
    seen = msgspec.structs.replace(view(("r5", "b5", "y5", "g6", "o6", "v6", "b1")), drew=True)
    found = weigh(seen, Next(), Random(0))
    assert isinstance(found, Evaluation) and found.best > found.played and found.why == "breaks-out"


def test_a_person_who_draws_needlessly_holds_a_card_more_after_the_turn():
    found = weigh(view(("r5", "b5", "y5", "g6", "o6")), Draw(), Random(0))
    assert isinstance(found, Evaluation) and found.best > found.played
    assert (found.why, found.facts) == ("sheds", {"left": 2, "kept": 3})


def test_a_person_who_breaks_out_with_most_of_the_hand_still_useless_should_draw_first():
    hand = ("r5", "b5", "y5", "g1", "o3", "v7", "b4")
    laid = BreakOut(1, cards("b5 r5 y5"))
    found = weigh(view(hand), laid, Random(0))
    assert isinstance(found, Evaluation) and found.best > found.played
    assert (found.better, found.why) == (Draw(), "card-first")


def test_a_person_who_lays_a_lone_Wild_that_could_complete_a_meld_later_gives_something_away():
    table = ScriptedRound("w b2 y3 o4 r6", "r1 r2 r3", out=[0], yard=["b5 g5 o5"])
    seen = msgspec.structs.replace(table.view(0), drew=True)
    found = weigh(seen, Extend(1, cards("w=5")), Random(0))
    assert isinstance(found, Evaluation) and (found.better, found.why) == (Next(), "wilds")
    assert found.facts == {"more": 1}


def test_NEXT_without_a_card_played_or_drawn_is_a_bluff_and_not_weighed():
    assert weigh(view(("r5", "b5", "y5", "g6", "o6")), Next(), Random(0)) is None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_master_gives_nothing_away_by_its_own_evaluation(seats: int):
    """Except where the search from a later position sees further than that from the turn's beginning."""
    states, decisions = played(GAME, "masters", seats, seats)
    asked = [(one.step, one.seat, one) for one in decisions if one.decides and one.seat is not None]
    found = [answer(REVIEWER, one) for one in as_questions(GAME, states, asked)]
    weighed = [one for one in found if isinstance(one, Evaluation)]
    assert len(weighed) > 40
    assert sum(one.best - one.played for one in weighed) < 0.02 * sum(one.best - (one.lot or 0) for one in weighed)
    assert not any(grade(one.best - one.played) for one in weighed)


def test_a_person_who_draws_with_nothing_to_play_gives_nothing_away():
    found = weigh(view(("r1", "b4", "y7")), Draw(), Random(0))
    assert found is None or found.best == found.played


def test_calls_and_turns_of_others_are_not_weighed():
    seen = view(("r1", "b4"))
    assert weigh(seen, Call("meld"), Random(0)) is None
    other = msgspec.structs.replace(seen, turn=Seat((STATE.turn + 1) % 3))
    assert weigh(other, Next(), Random(0)) is None


def test_the_final_notes_list_uncalled_bluffs_and_who_found_them_too_late():
    bluffs = (Bluff(Seat(0), "draw", 3), Bluff(Seat(1), "meld", 4, "kind", found=Seat(2)))
    finished = FinishedRound(2, "out", Seat(0), ((), (), ()), (0, 0, 0), (0, 0, 0), (), bluffs)
    notes = list(noted([msgspec.structs.replace(STATE, finished=(finished,))], []))
    assert [(note.what, note.seat, note.facts["found"], note.facts["fault"]) for note in notes] == [
        ("draw", 0, -1, ""),
        ("meld", 1, 2, "kind"),
    ]


def called(*received: ReceivedCall) -> Window:
    return Window(5, Seat(0), Moment(0), (), True, received)


@pytest.mark.parametrize(("ms", "told"), [(1, True), (500, True), (501, False), (0, False), (-300, False)])
def test_the_final_notes_list_a_right_call_slightly_later_than_the_catchers(ms: int, told: bool):
    first = ReceivedCall(Seat(1), "draw", Moment(1_000), True, True)
    second = ReceivedCall(Seat(2), "draw", Moment(1_000 + ms), True, True)
    before = msgspec.structs.replace(STATE, window=called(first, second))
    after = msgspec.structs.replace(STATE, catches=(Catch(Seat(1), Seat(0), "draw", 6),))
    found = [note for note in noted([before, after], []) if note.what != "caught"]
    notes = [(note.what, note.seat, note.facts["ms"]) for note in found]
    assert notes == ([("beaten", 2, ms)] if told else [])


def test_the_final_notes_list_a_right_call_after_the_end_of_its_window():
    call = ReceivedCall(Seat(1), "draw", Moment(1_120), True, True)
    before = msgspec.structs.replace(STATE, window=called(call))
    after = msgspec.structs.replace(STATE, window=msgspec.structs.replace(called(), closes=None))
    said = msgspec.structs.replace(called(call), closes=Moment(1_000))
    assert list(noted([before, after], [])) == []  # the end is unknown
    (note,) = noted([msgspec.structs.replace(STATE, window=said), after], [])
    assert (note.what, note.seat, note.facts["ms"], note.facts["whom"]) == ("late", 1, 120, 0)


def test_the_final_notes_list_how_often_a_player_was_caught_and_which_cards_it_cost():
    table = ScriptedRound("r1 b4 g6 v7", "s o3", "o2", place="b6", pile="v1 v2 v3 v4")
    states = [table.state]

    def happens(seat: int | None, action: BreakOutAction | str, at: int | None = None) -> None:
        if isinstance(action, str):
            table.expire(action)
        else:
            assert seat is not None
            table.do(seat, action, at)
        states.append(table.state)

    happens(0, Lay(cards("r1 b4 g6")), 500)
    happens(0, Next(), 1_000)
    happens(None, "next")
    happens(1, Call("meld"), 1_500)
    happens(None, "tie")
    happens(1, Give("s"), 4_000)
    for seat in (1, 2, 0):
        if seat:
            happens(seat, Draw())
        happens(seat, Next())
        happens(None, "next")
    happens(2, Call("draw"))
    happens(None, "tie")
    happens(2, Give("o2"))
    (note,) = noted(states, [])
    assert (note.what, note.seat) == ("caught", 0)
    assert note.facts == {"times": 2, "calls": ("meld", "draw"), "cost": ("s", "v2", "o2")}
