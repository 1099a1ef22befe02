"""Break-Out's rules: material, melds, turns and the cell.

Marks refer to docs/rules/break_out.md.
"""

from collections import Counter

import pytest

from engine.chance import Chance
from engine.games.break_out import (
    COLOURS,
    DRAW,
    GAME,
    NATURAL,
    START,
    SUPER,
    WILD,
    BreakOut,
    BreakOutOptions,
    Card,
    Draw,
    Extend,
    Extract,
    Lay,
    Move,
    Next,
    PlayDraw,
    fault,
    melds_of,
    points,
    shape,
)
from engine.games.break_out.state import piece_counts
from tests.engine.games.break_out_positions import MATERIAL, SEVEN, STRICT, A, B, C, ScriptedRound, cards, setup
from tools.harness.playouts import play, seed_bytes

# ------------------------------------------------------------------------------------------------------------- material


def test_D1_a_deck_has_56_cards_and_with_four_or_more_there_are_two():
    one = Counter(MATERIAL.deck(3))
    assert sum(one.values()) == 56
    assert all(one[face] == 1 for face in NATURAL) and len(NATURAL) == 42
    assert (one[WILD], one[DRAW], one[SUPER]) == (6, 6, 2)
    assert Counter(MATERIAL.deck(4)) == one + one


def test_R1_what_a_card_in_hand_counts():
    assert [MATERIAL.value(face) for face in ("r1", "v7", WILD, DRAW, SUPER)] == [1, 7, 8, 9, 10]


def test_D61_two_to_six_inmates_take_part():
    assert list(GAME.player_counts) == [2, 3, 4, 5, 6]
    for seats in (1, 7):
        with pytest.raises(ValueError, match="2 to 6 players"):
            setup(seats, 1)


@pytest.mark.parametrize("number", range(1, 7))
def test_R2_D2_in_each_round_a_card_with_its_number_lies_in_the_yard_and_one_copy_leaves_the_deck(number: int):
    assert MATERIAL.round_card(number)[1] == str(number)
    assert len({MATERIAL.round_card(other)[0] for other in range(1, 7)}) == len(COLOURS)
    for seats in (3, 4):
        playout = play(GAME, 5, seats=seats, options=BreakOutOptions(rounds=6))
        states = [state for state in playout.states if state.round == number]
        total = piece_counts(states[0])
        assert total == Counter(MATERIAL.deck(seats))
        assert states[0].melds[0].cards == (Card(MATERIAL.round_card(number)),)


def test_R3_R6_everybody_starts_a_round_with_an_open_cell_and_seven_cards_and_a_draw_card():
    _, first = setup(5, 3)
    state = GAME.fold(list(setup(5, 3)))
    assert [len(hand) for hand in first.hands] == [7] * 5
    assert state.out == (False,) * 5 and state.place == first.pile[0]
    assert len(first.pile) == 112 - 1 - 35


def test_R4_D4_the_lowest_card_drawn_plays_first_and_only_those_who_tied_draw_again():
    redraws = 0
    for seed in range(60):
        started, first = setup(4, seed)
        still = set(range(4))
        for lot in started.lots:
            assert {seat for seat, face in enumerate(lot) if face is not None} == still
            values = {seat: MATERIAL.value(face) for seat, face in enumerate(lot) if face is not None}
            still = {seat for seat in values if values[seat] == min(values.values())}
        assert still == {started.starter} == {first.starter}
        redraws += len(started.lots) > 1
    assert redraws > 5


@pytest.mark.parametrize("up", [False, True])
def test_O1_D6_the_draw_card_lies_face_down_or_up(up: bool):
    table = ScriptedRound(SEVEN, SEVEN, draw_card="face_up" if up else "face_down")
    assert table.view(B).open_place == ("y1" if up else None)
    assert table.view(B).place


# ---------------------------------------------------------------------------------------------------------------- melds


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("r5 b5 g5", "set"),
        ("r5 r5 b5", "set"),  # D18 colours free
        ("r5 b5 w=5", "set"),
        ("r5 w=r5 s=b5", "set"),
        ("y2 y3 y4", "run"),
        ("y4 y2 y3", "run"),
        ("o4 w=o5 o6", "run"),
        ("o4 s=o5 w=o6 o7", "run"),
        ("r1 r2 b3", None),
        ("r1 r2 r4", None),
        ("r1 r1 r3", None),  # from two decks
        ("r1 r2 w=3", None),  # D19 in a run a Wild represents number and colour
        ("r5 b6 g7", None),
        ("r5 b5 d", None),
    ],
)
def test_D18_a_set_is_one_number_and_a_run_consecutive_numbers_of_one_colour(words: str, kind: str | None):
    assert shape(cards(words)) == kind


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("r5 b5", "size"),
        ("r5", "size"),
        ("r1 b1 g1 o1 v1 y1", None),
        ("r1 b1 g1 o1 v1 y1 w=1", "size"),
        ("w=5 w=5 s=5", "natural"),
        ("r3 b4 g5", "kind"),
        ("r5 b5 w=5", None),
    ],
)
def test_R25_D18_a_meld_has_3_to_6_cards_and_at_least_one_natural(words: str, wrong: str | None):
    assert fault(cards(words)) == wrong


def test_D19_a_wild_counts_the_number_that_it_represents():
    assert points(cards("r5 w=5 s=b5")) == 15
    assert points(cards("r4 w=r5 r6 w=r7")) == 22


def test_every_meld_that_is_found_in_a_hand_is_sound_and_held():
    for seed in range(40):
        hand = Chance(seed_bytes(seed), "t", 0).shuffled(MATERIAL.deck(2))[:12]
        found = list(melds_of(hand))
        for meld in found:
            assert fault(meld) is None
            assert not Counter(card.face for card in meld) - Counter(hand)
        assert len(set(found)) == len(found)


# ------------------------------------------------------------------------------------------------------------- the turn


def test_R8_O2_you_play_or_draw_and_then_say_next_and_a_strict_referee_sees_to_it():
    table = ScriptedRound(SEVEN, SEVEN, referee=STRICT)
    assert table.refused(A, Next()).code == "must-play"
    table.do(A, Draw())
    table.do(A, Next())
    assert table.state.turn == B


def test_R8_anyone_who_plays_need_not_draw():
    table = ScriptedRound("r3 b3 g3 v7 o7 y7 r1", SEVEN, referee=STRICT)
    table.do(A, Lay(cards("r3 b3 g3")))
    table.do(A, Next())
    assert table.state.turn == B and table.hand(A) == ["r1", "y7", "o7", "v7"]


def test_D7_you_draw_once_a_turn_and_only_before_you_have_played():
    table = ScriptedRound("r3 b3 g3 v7 o7 y7 r1", SEVEN)
    table.do(A, Draw())
    assert table.refused(A, Draw()).code == "drew-already"
    table = ScriptedRound("r3 b3 g3 v7 o7 y7 r1", SEVEN)
    table.do(A, Lay(cards("r3 b3 g3")))
    assert table.refused(A, Draw()).code == "played-already"


def test_R9_after_drawing_you_may_play_on_with_the_drawn_card_too():
    table = ScriptedRound("r3 b3 v7 o7 y7 r1 r2", SEVEN, place="g3")
    table.do(A, Draw())
    table.do(A, Lay(cards("r3 b3 g3")))
    assert table.laid(1) == "r3 b3 g3"


def test_R9_a_drawn_DRAW_card_is_not_played_in_that_turn():
    table = ScriptedRound("r3 b3 g3 v7 o7 y7 r1", SEVEN, place=DRAW, out=[0])
    table.do(A, Draw())
    assert table.refused(A, PlayDraw()).code == "fresh-draw"
    assert table.refused(A, Lay(cards("r3 b3 d"))).code == "fresh-draw"
    older = ScriptedRound("r3 b3 g3 v7 o7 y7 d", SEVEN, place=DRAW, out=[0])
    older.do(A, Draw())
    older.do(A, PlayDraw())  # the older one


def test_D8_a_drawn_super_wild_is_a_wild_or_a_way_out_but_no_DRAW_card():
    table = ScriptedRound("r3 b3 g4 v7 o7 y7 r1", SEVEN, place=SUPER, out=[0])
    table.do(A, Draw())
    assert table.refused(A, PlayDraw(SUPER)).code == "fresh-super"
    table.do(A, Lay(cards("r3 b3 s=3")))
    inside = ScriptedRound("r3 b3 g4 v7 o7 y7 r1", SEVEN, place=SUPER)
    inside.do(A, Draw())
    inside.do(A, BreakOut(4, cards(SUPER)))
    assert inside.state.out[A]


def test_R10_R7_next_ends_the_turn_clockwise_and_the_draw_card_is_replaced_only_then():
    table = ScriptedRound(SEVEN, SEVEN, SEVEN, pile="v1 v2", referee=STRICT)
    table.do(A, Draw())
    assert table.state.place is None and table.state.pile == ("v1", "v2")
    table.do(A, Next())
    assert table.state.place == "v1" and table.state.pile == ("v2",) and table.state.turn == B
    for seat in (B, C):
        table.do(seat, Draw())
        table.do(seat, Next())
    assert table.state.turn == A and table.state.place is None


def test_D9_after_a_next_is_said_its_inmate_can_do_nothing_more_that_turn():
    table = ScriptedRound(SEVEN, SEVEN)
    table.do(A, Draw())
    table.do(A, Next())
    for action in (Draw(), Next(), Lay(cards("v7 o7 y7"))):
        assert table.refused(A, action).code == "next-said"


def test_D22_it_is_refused_to_act_out_of_turn_or_with_cards_one_does_not_hold():
    table = ScriptedRound(SEVEN, SEVEN)
    assert table.refused(B, Draw()).code == "not-your-turn"
    assert table.refused(A, Lay(cards("r3 b3 g3"))).code == "not-in-hand"
    assert table.refused(A, Lay(cards("v7 v7 o7"))).code == "not-in-hand"
    assert table.refused(A, Lay(())).code == "nothing"
    assert table.refused(A, Lay(cards("x9 r1 r2"))).code == "no-card"
    assert table.refused(A, Extend(55, cards("r1"))).code == "no-meld"


def test_D19_a_wild_is_declared_and_nothing_else_is():
    table = ScriptedRound("w s r5 b5 g5 v1 o1", SEVEN)
    assert table.refused(A, Lay(cards("r5 b5 w"))).code == "undeclared"
    assert table.refused(A, Lay(cards("r5 b5 w=9"))).code == "no-stand"
    assert table.refused(A, Lay(cards("r5 b5 w=rr"))).code == "no-stand"
    assert table.refused(A, Lay(cards("r5=5 b5 g5"))).code == "not-a-wild"


# ------------------------------------------------------------------------------------------------------------- the cell


def test_R11_R12_in_the_cell_a_meld_stays_below_15_and_the_cell_holds_nine():
    table = ScriptedRound("r5 b5 g5 r1 b1 g1 o1", SEVEN, cell={0: ["r2 b2 g2", "r3 b3 g3"]}, referee=STRICT)
    assert table.refused(A, Lay(cards("r5 b5 g5"))).facts["fault"] == "rich"
    assert table.refused(A, Lay(cards("r1 b1 g1 o1"))).facts["fault"] == "crammed"
    table.do(A, Lay(cards("r1 b1 g1")))
    assert table.place(3) == A


def test_R13_a_cell_meld_is_extended_with_hand_cards_still_below_15():
    table = ScriptedRound("o3 v3 y3 r6 r7 b1 b2", SEVEN, cell={0: ["r3 b3 g3", "r4 r5 r2 r3"]}, referee=STRICT)
    table.do(A, Extend(1, cards("o3")))
    assert table.laid(1) == "r3 b3 g3 o3"
    assert table.refused(A, Extend(1, cards("v3"))).facts["fault"] == "rich"


def test_R21_the_yard_is_closed_to_whom_has_not_broken_out():
    table = ScriptedRound("r5 b5 g5 r1 b1 g1 d", SEVEN, yard=["o5 v5 y5"], cell={0: ["r2 b2 g2"]})
    assert table.refused(A, Extend(2, cards("r5"))).code == "not-out"
    assert table.refused(A, Extend(START, cards("b1 g1"))).code == "round-start"
    assert table.refused(A, Move((1,))).code == "not-out"
    assert table.refused(A, PlayDraw()).code == "not-out"
    assert table.refused(A, Extract(1, Card("r5"))).code == "not-out"


def test_another_inmates_cell_is_not_mine():
    table = ScriptedRound("r2 b5 g5 r1 b1 g1 d", SEVEN, cell={1: ["r2 b2 g2"]}, out=[0])
    assert table.refused(A, Extend(1, cards("r2"))).code == "not-your-cell"
    assert table.refused(A, Move((1,))).code == "no-meld"
