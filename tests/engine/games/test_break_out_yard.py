"""Break-Out's rules: breaking out, the Yard, DRAW cards. Marks refer to docs/rules/break_out.md."""

from engine.games.break_out import (
    DRAW,
    GAME,
    START,
    SUPER,
    WILD,
    BreakOut,
    Card,
    Draw,
    Extend,
    Extract,
    Lay,
    Move,
    Next,
    PlayDraw,
    Played,
)
from tests.engine.games.break_out_positions import SEVEN, STRICT, A, B, C, ScriptedRound, cards

# --------------------------------------------------------------------------------------------------------- breaking out


def test_R15_route_1_is_a_meld_of_15_from_the_hand_and_all_cell_melds_move_at_once():
    table = ScriptedRound("r5 b5 g5 r1 b1 g1 d", SEVEN, cell={0: ["r2 b2 g2", "o1 v1 y1"]}, referee=STRICT)
    assert table.refused(A, BreakOut(1, cards("r1 b1 g1"))).facts["fault"] == "poor"
    table.do(A, BreakOut(1, cards("r5 b5 g5")))
    assert table.state.out[A] and {table.place(name) for name in (1, 2, 3)} == {"yard"}
    assert table.refused(A, BreakOut(1, cards("r1 b1 g1"))).code == "out-already"


def test_R16_D60_R20_route_2_is_a_cell_meld_and_a_hand_card_at_least_together_15_and_one_chooses_what_moves():
    table = ScriptedRound("o4 v4 b1 g1 d r7 b7", SEVEN, cell={0: ["r4 b4 g4", "o1 v1 y1"]}, referee=STRICT)
    assert table.refused(A, BreakOut(2, (), 1)).code == "no-hand-card"
    assert table.refused(A, BreakOut(2, cards("b1"), 2)).facts["fault"] == "poor"
    table.do(A, BreakOut(2, cards("o4"), 1))
    assert table.laid(1) == "r4 b4 g4 o4" and table.place(1) == "yard" and table.place(2) == A
    other = ScriptedRound("o4 v4 b1 g1 d r7 b7", SEVEN, cell={0: ["r4 b4 g4", "o1 v1 y1"]}, referee=STRICT)
    other.do(A, BreakOut(2, cards("o4 v4"), 1, (2,)))
    assert other.place(2) == "yard"


def test_R15_a_break_out_from_the_hand_borrows_no_points_of_a_cell_meld():
    table = ScriptedRound("r3 b3 g3 v7", SEVEN, cell={0: ["o3 v3 y3"]})
    assert table.refused(A, BreakOut(1, cards("r3 b3 g3"), 1)).code == "no-meld"
    (event,) = table.do(A, BreakOut(1, cards("r3 b3 g3")))
    assert event.fault == "poor"  # type: ignore[attr-defined]  # it is a Played


def test_R20_a_cell_meld_moves_once_in_a_break_out_and_is_not_the_one_that_opens_it():
    table = ScriptedRound("r5 b5 s", SEVEN, cell={0: ["o5 v5 y1 g4", "r2 b2 g2"]})
    assert table.refused(A, BreakOut(4, cards("s"), moves=(2, 2))).code == "no-meld"
    assert table.refused(A, BreakOut(2, cards("r5 b5"), 1, (1,))).code == "no-meld"
    assert table.refused(A, BreakOut(4, cards("s"), moves=(3,))).code == "no-meld"


def test_R21_no_card_leaves_a_cell_before_its_inmate_has_broken_out():
    table = ScriptedRound("r3 b3 v7", SEVEN, cell={0: ["o3 v3 y3 g3"]})
    three = table.state.melds[1].slots[0].id
    assert table.refused(A, Lay(cards("r3 b3"), (three,))).code == "not-out"
    assert table.refused(A, Extend(1, cards("r3"), (three,))).code == "not-out"


def test_D12_the_15_of_a_break_out_come_from_one_meld():
    table = ScriptedRound("r3 b3 g3 v7 o7 y1 d", SEVEN, cell={0: ["r4 b4 g4"]}, referee=STRICT)
    assert table.refused(A, BreakOut(1, cards("r3 b3 g3"), moves=(1,))).facts["fault"] == "poor"


def test_R17_D10_route_3_needs_nine_cards_when_the_turn_began_and_moves_at_least_one_meld():
    nine = {0: ["r2 b2 g2", "o1 v1 y1", "r3 b3 g3"]}
    table = ScriptedRound(SEVEN, SEVEN, cell=nine, full=True, referee=STRICT)
    assert table.refused(A, BreakOut(3)).code == "no-moves"
    table.do(A, BreakOut(3, moves=(2,)))
    assert table.state.out[A] and [table.place(name) for name in (1, 2, 3)] == [A, "yard", A]
    assert ScriptedRound(SEVEN, SEVEN, cell=nine, full=False).refused(A, BreakOut(3, moves=(1,))).code == "not-full"


def test_R17_a_cell_that_is_filled_in_a_turn_opens_only_in_the_next():
    table = ScriptedRound("r3 b3 g3 v7 o7 y7 r1", SEVEN, cell={0: ["r2 b2 g2", "o1 v1 y1"]}, referee=STRICT)
    table.do(A, Lay(cards("r3 b3 g3")))
    assert table.refused(A, BreakOut(3, moves=(1,))).code == "not-full"
    table.do(A, Next())
    table.do(B, Draw())
    table.do(B, Next())
    table.do(A, BreakOut(3, moves=(1,)))


def test_R18_D11_route_4_is_a_super_wild_alone_which_is_out_of_play_then():
    table = ScriptedRound("s r1 b1 g4 v7 o7 y7", SEVEN, cell={0: ["r2 b2 g2"]}, referee=STRICT)
    assert table.refused(A, BreakOut(4, cards("r1"))).code == "no-super"
    assert table.refused(A, BreakOut(4, cards("s r1"))).code == "no-super"
    table.do(A, BreakOut(4, cards("s"), moves=(1,)))
    assert table.state.aside == (SUPER,) and table.place(1) == "yard" and SUPER not in table.hand(A)


def test_D59_the_round_cards_meld_breaks_nobody_out_also_after_others_have_built_on_it():
    for referee in ("honour", STRICT):
        table = ScriptedRound("b1 g1 o7", "o1 v1 y1 b1 r7 g1 b7", "o1", out=[0], referee=referee)
        table.do(A, Extend(START, cards("b1 g1")))
        table.pass_turn(A, 1_000)
        play = BreakOut(1, cards("o1 v1 y1"), start=True)  # six ones: sound, and worth too little
        if referee == STRICT:
            assert table.refused(1, play, 6_000).facts["fault"] == "start"
        else:
            (event,) = table.do(1, play, 6_000)
            assert isinstance(event, Played) and event.fault == "start"


def test_R2_the_round_card_is_not_used_in_a_break_out():
    table = ScriptedRound("b1 g1 o1 v1 y1 w s", SEVEN, referee=STRICT)
    refusal = table.refused(A, BreakOut(1, cards("b1 g1 o1 v1 y1"), start=True))
    assert refusal.code == "bad" and refusal.facts["fault"] in ("start", "poor")
    honour = ScriptedRound("b1 g1 o1 v1 y1 w s", SEVEN)
    (event,) = honour.do(A, BreakOut(1, cards("b1 g1"), start=True))
    assert isinstance(event, Played) and event.fault is not None and honour.state.out[A]


def test_R21_once_out_also_later_in_the_same_turn_one_plays_in_the_yard():
    table = ScriptedRound("r5 b5 g5 r1 b1 g1 o5", SEVEN, referee=STRICT)
    table.do(A, BreakOut(1, cards("r5 b5 g5")))
    table.do(A, Lay(cards("r1 b1 g1")))
    table.do(A, Extend(1, cards("o5")))
    assert table.place(2) == "yard" and table.laid(1) == "r5 b5 g5 o5"


def test_R19_D13_R24_the_rest_of_the_cell_stays_mine_closed_and_may_be_moved_later():
    table = ScriptedRound("s g2 b1 v7 o7 y7 r1", SEVEN, cell={0: ["r2 b2 o2", "o3 v3 y3"]}, referee=STRICT)
    table.do(A, BreakOut(4, cards("s")))
    assert table.refused(A, Extend(1, cards("g2"))).code == "cell-closed"
    table.do(A, Move((2,)))
    table.do(A, Next())
    table.do(B, Draw())
    table.do(B, Next())
    table.do(A, Move((1,)))  # D17 moving counts as playing
    table.do(A, Next())
    assert table.place(1) == table.place(2) == "yard"


# ------------------------------------------------------------------------------------------------------------- the Yard


def test_R21_any_yard_meld_is_extended_from_the_hand_and_from_the_cell():
    table = ScriptedRound(
        "g6 v7 o7 y7 r1 r2 b1",
        SEVEN,
        yard=["r6 b6 o6"],
        cell={0: ["v3 v4 v5 v6"]},
        out=[0],
        referee=STRICT,
    )
    assert table.laid(1) == "v3 v4 v5 v6" and table.laid(2) == "r6 b6 o6"
    six = table.state.melds[1].slots[3].id
    table.do(A, Extend(2, cards("g6"), (six,)))
    assert table.laid(2) == "r6 b6 g6 o6 v6" and table.laid(1) == "v3 v4 v5"


def test_D17_single_cards_leave_a_cell_meld_only_if_what_stays_is_a_meld_or_nothing():
    table = ScriptedRound(SEVEN, SEVEN, yard=["r4 b4 o4"], cell={0: ["v3 v4 v5", "g3 g4 g5 g6"]}, out=[0])
    middle = table.state.melds[1].slots[1].id
    assert table.refused(A, Extend(3, (), (middle,))).code == "breaks-meld"
    inner = table.state.melds[2].slots[1].id
    assert table.refused(A, Extend(3, (), (inner,))).code == "breaks-meld"
    every = tuple(slot.id for slot in table.state.melds[1].slots)
    table.do(A, Lay((), every))
    assert table.laid(1) is None and table.laid(4) == "v3 v4 v5" and table.place(4) == "yard"


def test_D17_a_card_of_the_cell_is_played_once_however_often_it_is_named():
    table = ScriptedRound("b2 o2", SEVEN, SEVEN, cell={0: ["v2 v3 v4 v5"]}, out=[0])
    two = table.state.melds[1].slots[0].id
    assert table.refused(A, Lay(cards("b2"), (two, two))).code == "not-your-cell"  # it would pass as a set of three
    assert table.refused(A, Lay(cards("b2"), (99,))).code == "no-slot"


def test_D14_the_round_card_is_a_start_and_anyone_who_builds_on_it_leaves_a_meld_of_3_to_6():
    table = ScriptedRound("b1 g1 r2 r3 v7 o7 y7", SEVEN, out=[0], referee=STRICT)
    assert table.refused(A, Extend(START, cards("b1"))).facts["fault"] == "size"
    assert table.refused(A, Extend(START, cards("b1 r2"))).facts["fault"] == "kind"
    table.do(A, Extend(START, cards("b1 g1")))
    assert table.laid(START) == "r1 b1 g1"
    run = ScriptedRound("b1 g1 r2 r3 v7 o7 y7", SEVEN, out=[0], referee=STRICT)
    run.do(A, Extend(START, cards("r2 r3")))
    assert run.laid(START) == "r1 r2 r3"


def test_R22_R26_D15_a_wild_in_the_yard_is_taken_for_the_actual_card_and_may_be_played_again_this_turn():
    table = ScriptedRound("g5 r1 b1 v7 o7 y7 r2", SEVEN, yard=["r5 b5 w=5"], out=[0], referee=STRICT)
    wild = table.state.melds[1].slots[2].id
    table.do(A, Extract(wild, Card("g5")))
    assert table.laid(1) == "r5 b5 g5" and WILD in table.hand(A)
    table.do(A, Lay(cards("r1 b1 w=1")))


def test_R22_an_extraction_may_use_a_card_of_ones_own_cell_that_may_leave_it():
    table = ScriptedRound("o7 v7", SEVEN, out=[0], cell={0: ["b2 b3 b4 b5"]}, yard=["r5 g5 w=5"])
    five, wild = table.state.melds[1].slots[3].id, table.state.melds[2].slots[2].id
    sound = Extract(wild, Card("b5"), five)
    assert sound in list(GAME.legal(table.state, A))
    (event,) = table.do(A, sound)
    assert isinstance(event, Played) and event.fault is None
    assert table.laid(1) == "b2 b3 b4" and table.laid(2) == "r5 b5 g5" and table.hand(A) == ["o7", "v7", "w"]
    assert table.state.acts[0].touches == {1, 2}


def test_D15_the_cell_card_of_an_extraction_may_leave_only_if_what_stays_is_a_meld_or_nothing():
    table = ScriptedRound("o7", SEVEN, out=[0], cell={0: ["b3 b4 b5"], 1: ["g5 o5 y5 v5"]}, yard=["r5 g5 w=5"])
    wild = table.state.melds[3].slots[2].id
    assert table.refused(A, Extract(wild, Card("b5"), table.state.melds[1].slots[2].id)).code == "breaks-meld"
    assert table.refused(A, Extract(wild, Card("g5"), table.state.melds[2].slots[0].id)).code == "not-your-cell"
    assert table.refused(A, Extract(wild, Card("b5"), 99)).code == "no-slot"


def test_the_cell_card_of_an_extraction_is_the_one_that_is_named():
    table = ScriptedRound("r5", SEVEN, out=[0], cell={0: ["b2 b3 b4 b5"]}, yard=["r5 g5 w=5"])
    wild, two = table.state.melds[2].slots[2].id, table.state.melds[1].slots[0].id
    assert table.refused(A, Extract(wild, Card("r5"), two)).code == "other-card"
    (event,) = table.do(A, Extract(wild, Card("b2"), two))
    assert isinstance(event, Played) and event.fault == "swap"


def test_R27_D20_in_a_run_only_the_very_card_and_in_a_set_any_of_the_number():
    table = ScriptedRound("g5 o5 b1 v7 o7 y7 r2", SEVEN, yard=["o4 w=o5 o6"], out=[0], referee=STRICT)
    wild = table.state.melds[1].slots[1].id
    assert table.refused(A, Extract(wild, Card("g5"))).facts["fault"] == "swap"
    table.do(A, Extract(wild, Card("o5")))
    assert table.laid(1) == "o4 o5 o6"


def test_D20_in_a_set_any_card_of_the_number_fits_also_where_the_wild_was_given_a_colour():
    table = ScriptedRound("v5 o4 b1", SEVEN, yard=["r5 b5 w=o5"], out=[0], referee=STRICT)
    wild = next(slot.id for slot in table.state.melds[1].slots if slot.card.wild)
    assert table.refused(A, Extract(wild, Card("o4"))).facts["fault"] == "swap"
    table.do(A, Extract(wild, Card("v5")))
    assert table.laid(1) == "r5 b5 v5" and "w" in table.hand(A)


def test_D20_another_wild_is_never_the_actual_card():
    table = ScriptedRound("s o5 b1 v7 o7 y7 r2", SEVEN, yard=["o4 w=o5 o6"], out=[0], referee=STRICT)
    assert table.refused(A, Extract(table.state.melds[1].slots[1].id, Card(SUPER, "o5"))).facts["fault"] == "swap"


def test_R14_nothing_is_extracted_inside_a_cell():
    table = ScriptedRound("g5 o5 b1 v7 o7 y7 r2", SEVEN, cell={0: ["r2 b2 w=2"]}, out=[0])
    assert table.refused(A, Extract(table.state.melds[1].slots[2].id, Card("r2"))).code == "in-cell"
    assert table.refused(A, Extract(table.state.melds[1].slots[0].id, Card("r2"))).code == "in-cell"
    assert table.refused(A, Extract(999, Card("r2"))).code == "no-slot"


def test_only_a_wild_is_extracted():
    table = ScriptedRound("g5 o5 b1 v7 o7 y7 r2", SEVEN, yard=["r5 b5 y5"], out=[0])
    assert table.refused(A, Extract(table.state.melds[1].slots[0].id, Card("g5"))).code == "no-wild"


# ----------------------------------------------------------------------------------------------------------- DRAW cards


def test_R23_D16_a_DRAW_card_makes_every_other_inmate_draw_clockwise_and_is_out_of_play():
    table = ScriptedRound("d r1 b1 v7 o7 y7 r2", "g1", "g2", pile="v1 v2 v3", out=[0], referee=STRICT)
    table.do(A, PlayDraw())
    assert table.hand(B) == ["g1", "v1"] and table.hand(C) == ["g2", "v2"]
    assert table.state.aside == (DRAW,) and table.state.pile == ("v3",)
    table.do(A, Next())  # D16 it counts as having played a card


def test_R23_one_DRAW_card_a_turn_and_only_as_its_first_card():
    table = ScriptedRound("d d s r1 b1 g1 o7", SEVEN, out=[0])
    table.do(A, PlayDraw())
    assert table.refused(A, PlayDraw()).code == "draw-once"
    assert table.refused(A, PlayDraw(SUPER)).code == "draw-once"
    late = ScriptedRound("d d s r1 b1 g1 o7", SEVEN, out=[0])
    late.do(A, Lay(cards("r1 b1 g1")))
    assert late.refused(A, PlayDraw()).code == "draw-first"


def test_R23_a_super_wild_is_a_DRAW_card_too():
    table = ScriptedRound("s r1 b1 v7 o7 y7 r2", "g1", pile="v1", out=[0])
    table.do(A, PlayDraw(SUPER))
    assert table.hand(B) == ["g1", "v1"] and table.state.aside == (SUPER,)
    assert table.refused(A, PlayDraw(WILD)).code == "not-a-draw"


def test_D49_when_the_pile_is_empty_nothing_is_drawn_any_more():
    table = ScriptedRound("d r1 b1 v7 o7 y7 r2", "g1", "g2", pile="v1", out=[0])
    table.do(A, PlayDraw())
    assert table.hand(B) == ["g1", "v1"] and table.hand(C) == ["g2"]
