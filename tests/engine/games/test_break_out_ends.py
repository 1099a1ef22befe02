"""Break-Out's rules: ends and scores, and the clock. Marks refer to docs/rules/break_out.md."""

from collections import Counter

import msgspec
import pytest

from engine.chance import Chance
from engine.contract import BrokenRecord, Moment, Refusal, Seat
from engine.games.break_out import (
    FACES,
    GAME,
    BreakOut,
    BreakOutOptions,
    Call,
    Draw,
    Give,
    Lay,
    Next,
    RoundBegun,
    RoundEnded,
)
from engine.games.break_out.decide import _next_starter
from tests.engine.games.break_out_positions import MATERIAL, SEVEN, STRICT, A, B, C, ScriptedRound, cards, setup
from tools.harness.playouts import BEGIN, play, seed_bytes

# ------------------------------------------------------------------------------------------------------ ends and scores


def test_R33_R34_D48_the_player_of_the_last_card_gets_minus_5_times_the_round_and_others_add_their_hands():
    table = ScriptedRound("r5 b5 g5", "w d", "s v7", cell={1: ["r2 b2 g2"]}, referee=STRICT, rounds=1)
    table.do(A, BreakOut(1, cards("r5 b5 g5")))
    table.do(A, Next())
    assert table.state.over and table.state.scores == (-5, 17, 17)  # D48 cell cards never count
    outcome = GAME.outcome(table.state)
    assert outcome is not None and outcome.places == (1, 2, 2)  # D51 ties share the place


def test_D47_going_out_counts_cards_in_the_cell_as_played():
    table = ScriptedRound("r1 b1 g1", SEVEN, referee=STRICT, rounds=1)
    table.do(A, Lay(cards("r1 b1 g1")))
    table.do(A, Next())
    assert table.state.over and table.state.sheet[0].winner == A


@pytest.mark.parametrize(
    ("points_", "starter", "following"),
    [((5, -5, 9), 0, 1), ((5, 5, 9), 0, 1), ((5, 9, 5), 0, 2), ((9, 5, 5), 2, 1), ((3, 3, 3), 1, 2)],
)
def test_R5_D5_the_fewest_points_start_of_equals_the_nearest_clockwise_after_the_last_starter(
    points_: tuple[int, ...], starter: int, following: int
):
    assert _next_starter(points_, Seat(starter)) == following


def test_R6_the_next_round_is_dealt_again_with_all_cards():
    playout = play(GAME, 7, seats=4, options=BreakOutOptions(rounds=6))
    rounds = [event for event in playout.events if isinstance(event, RoundBegun)]
    assert [event.number for event in rounds] == [1, 2, 3, 4, 5, 6]
    for event in rounds:
        dealt = Counter([face for hand in event.hands for face in hand] + list(event.pile))
        assert dealt + Counter([MATERIAL.round_card(event.number)]) == Counter(MATERIAL.deck(4))


def test_R33_bonuses_grow_with_the_rounds():
    for seed in range(3):
        for number, event in enumerate(
            (event for event in play(GAME, seed, options=BreakOutOptions()).events if isinstance(event, RoundEnded)),
            start=1,
        ):
            if event.winner is not None:
                assert event.points[event.winner] == -5 * number
            else:
                assert min(event.points) >= 0  # R35 no bonus


@pytest.mark.parametrize("rounds", [1, 3])
def test_O4_the_game_has_as_many_rounds_as_wanted(rounds: int):
    playout = play(GAME, 3, options=BreakOutOptions(rounds=rounds))
    assert sum(isinstance(event, RoundEnded) for event in playout.events) == rounds


def test_D49_R35_with_an_empty_pile_a_full_circuit_without_a_card_played_ends_the_round_without_bonus():
    table = ScriptedRound("r1 b3", "g1", "g2", pile="", place="y1", referee=STRICT, rounds=1)
    table.do(A, Draw())
    table.do(A, Next())  # drew the last card, but played none
    table.do(B, Next())  # D25 with an empty draw place saying NEXT is a pass
    assert not table.state.over
    table.do(C, Next())
    assert table.state.over and table.state.sheet[0].winner is None
    assert table.state.scores == (5, 1, 2)


def idle_circuit(**options: object) -> ScriptedRound:
    """Return a table at which nobody has played or drawn for a full circuit, C being the last."""
    table = ScriptedRound(SEVEN, SEVEN, SEVEN, **{"rounds": 1, **options})  # type: ignore[arg-type]  # a test names its fields
    for seat in (A, B, C):
        assert not table.state.over
        table.pass_turn(seat)
    return table


def test_D50_R35_a_full_circuit_in_which_nobody_played_or_drew_ends_the_round_too_when_its_last_window_is_over():
    table = idle_circuit()
    assert table.view(None).phase == "last" and table.view(None).to_act == ()
    refusal = table.refused(A, Draw())
    assert refusal.code == "not-your-turn" and refusal.facts["last"] == C
    table.expire("last")
    assert table.state.over and table.state.sheet[0].winner is None
    assert all(note.kind != "out" for note in table.state.notes)


def test_D50_the_last_inmate_of_an_idle_circuit_can_be_called_and_a_right_call_puts_the_round_back_on():
    table = idle_circuit()
    assert table.clock().due == table.state.last_next + 10_000 + 400
    table.do(A, Call("draw"), 12_000)
    table.expire("tie")
    table.expire("gift")
    assert table.view(None).to_act == (A,) and len(table.hand(C)) == 9
    table.pass_turn(A, 90_000)
    table.pass_turn(B, 96_000)
    assert not table.state.suspended  # the circuit has started again
    table.pass_turn(C, 102_000)
    assert table.state.suspended


def test_D50_the_last_inmate_of_a_circuit_without_a_play_can_be_called_when_the_pile_is_empty_but_not_the_draw_place():
    table = ScriptedRound("r1 b3", "g1", "g2", pile="", place="y1", rounds=1)
    for seat in (A, B, C):
        table.pass_turn(seat)
    table.do(B, Call("draw"))
    table.expire("tie")
    table.do(B, Give("g1"))
    assert sorted(table.hand(C)) == ["g1", "g2", "y1"]
    assert table.view(None).to_act == (A,) and not table.state.over
    table.pass_turn(A)
    assert not table.state.suspended  # the circuit has started again


def test_D50_a_card_played_begins_a_new_circuit():
    table = ScriptedRound("r1 b1 g1 v7", SEVEN, SEVEN, rounds=1)
    table.pass_turn(A)
    table.pass_turn(B)
    table.do(C, Draw())
    table.pass_turn(C)
    assert not table.state.suspended
    table.do(A, Lay(cards("r1 b1 g1")))
    table.pass_turn(A)
    table.pass_turn(B)
    table.pass_turn(C)
    assert not table.state.suspended
    table.pass_turn(A)
    assert table.state.suspended  # nobody has played or drawn since A


def test_R36_D51_the_least_points_win_the_game():
    for seed in range(3):
        outcome = play(GAME, seed).outcome
        assert outcome.places[outcome.scores.index(min(outcome.scores))] == 1
        assert outcome.reason == "rounds"


# ------------------------------------------------------------------------------------------------------------ the clock


def test_a_turn_that_runs_out_draws_and_says_next():
    table = ScriptedRound(SEVEN, SEVEN)
    table.expire("turn")
    assert len(table.hand(A)) == 8
    table.expire("next")
    assert table.state.turn == B
    strict = ScriptedRound(SEVEN, SEVEN, referee=STRICT)
    strict.expire("turn")
    assert strict.state.turn == B


def test_a_turn_that_runs_out_after_a_play_only_says_next():
    table = ScriptedRound("r3 b3 g3 v7 o7 y7 r1", SEVEN, referee=STRICT)
    table.do(A, Lay(cards("r3 b3 g3")))
    table.expire("turn")
    assert table.state.turn == B and len(table.hand(A)) == 4


def test_D3_a_view_shows_ones_own_hand_in_order_of_the_others_only_how_many_and_every_cell():
    table = ScriptedRound("w r1 d b1 s", "g1", "g2", cell={1: ["r2 b2 g2"]})
    for reader in (None, A, B):
        (meld,) = (meld for meld in table.view(reader).melds if meld.cell == B)
        assert [card.face for card in meld.played] == ["r2", "b2", "g2"]
    assert table.view(A).hand == ("r1", "b1", "w", "d", "s")
    assert table.view(B).hand == ("g1",) and table.view(None).hand == ()
    assert table.view(None).counts == (5, 1, 1)


def test_faces_are_42_numbers_and_three_more():
    assert len(FACES) == 45 and len(set(FACES)) == 45


def test_a_game_without_its_beginning_is_a_broken_record():
    with pytest.raises(BrokenRecord):
        GAME.fold([RoundBegun(1, A, ((), ()), (), BEGIN)])
    with pytest.raises(BrokenRecord):
        GAME.fold([*setup(2, 1), setup(2, 1)[0]])


@pytest.mark.parametrize("rounds", [0, 7])
def test_options_out_of_bounds_are_none(rounds: int):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"rounds": rounds}, BreakOutOptions)


def test_the_stamp_of_a_game_that_is_over_is_not_that_of_its_last_moment():
    before, over = play(GAME, 2, options=BreakOutOptions(rounds=1)).states[-2:]
    assert over.over and GAME.view(over, A).ui_version > GAME.view(before, A).ui_version


def test_the_newest_notes_are_kept():
    table = ScriptedRound(SEVEN, SEVEN, SEVEN, pile="v1 " * 15)
    for number in range(16):
        table.do(number % 3, Draw())
        table.pass_turn(number % 3)
    kinds = [note.kind for note in table.view(None).notes]
    assert len(kinds) == 30 and kinds == ["drew", "next"] * 15 and table.view(None).notes[-1].seat == 15 % 3


def test_a_window_says_of_whom_no_card_was_seen_to_be_played_or_drawn():
    seen = []
    for act in (None, Draw(), Lay(cards("r1 b1 g1"))):
        table = ScriptedRound("r1 b1 g1 v7", SEVEN, SEVEN)
        if act is not None:
            table.do(A, act)
        table.pass_turn(A)
        window = table.view(C).window
        assert window is not None
        seen.append((window.idle, window.played))
    assert seen == [(True, False), (False, False), (False, True)]


def test_nobody_acts_when_it_is_over():
    state = play(GAME, 2, options=BreakOutOptions(rounds=1)).states[-1]
    with pytest.raises(Refusal, match="over"):
        GAME.decide(state, A, Next(), Moment(BEGIN), Chance(seed_bytes(1), "t", 0))
