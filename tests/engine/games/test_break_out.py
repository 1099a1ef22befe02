"""Break-Out's rules: material, turns, cell and Yard, routes, extraction, DRAW cards, rounds.

Marks are those of docs/rules/break_out.md.
"""

from collections import Counter

import msgspec
import pytest

from engine.chance import Chance
from engine.contract import BrokenRecord, Moment, Refusal, Seat
from engine.games.break_out import (
    COLOURS,
    DRAW,
    FACES,
    GAME,
    NATURAL,
    START,
    SUPER,
    WILD,
    BreakOut,
    BreakOutOptions,
    Call,
    Card,
    Draw,
    Extend,
    Extract,
    GameBegun,
    Give,
    Lay,
    Move,
    Next,
    PlayDraw,
    Played,
    RoundBegun,
    RoundEnded,
    fault,
    melds_of,
    points,
    shape,
)
from engine.games.break_out.decide import _next_starter
from engine.games.break_out.state import census
from tests.engine.games.cellblocks import MATERIAL, A, B, C, Cells, cards
from tests.engine.playouts import BEGIN, play, seed_bytes

STRICT = "strict"
SEVEN = "r1 r2 b4 g6 v7 o7 y7"


def setup(seats: int, seed: int, **options: object) -> tuple[GameBegun, RoundBegun]:
    begun, first = GAME.setup(
        seats,
        BreakOutOptions(**options),  # type: ignore[arg-type]  # a test names its fields
        MATERIAL,
        BEGIN,
        Chance(seed_bytes(seed), "t", 0),
    )
    assert isinstance(begun, GameBegun) and isinstance(first, RoundBegun)
    return begun, first


# ------------------------------------------------------------------------------------------------------------- material


def test_D1_a_deck_has_56_cards_and_with_four_or_more_there_are_two():
    one = Counter(MATERIAL.deck(3))
    assert sum(one.values()) == 56
    assert all(one[face] == 1 for face in NATURAL) and len(NATURAL) == 42
    assert (one[WILD], one[DRAW], one[SUPER]) == (6, 6, 2)
    assert Counter(MATERIAL.deck(4)) == one + one


def test_R1_what_a_card_in_hand_counts():
    assert [MATERIAL.value(face) for face in ("r1", "v7", WILD, DRAW, SUPER)] == [1, 7, 8, 9, 10]


@pytest.mark.parametrize("number", range(1, 7))
def test_R2_D2_in_each_round_a_card_with_its_number_lies_in_the_yard_and_one_copy_leaves_the_deck(number: int):
    assert MATERIAL.round_card(number)[1] == str(number)
    assert len({MATERIAL.round_card(other)[0] for other in range(1, 7)}) == len(COLOURS)
    for seats in (3, 4):
        playout = play(GAME, 5, seats=seats, options=BreakOutOptions(rounds=6))
        states = [state for state in playout.states if state.round == number]
        total = census(states[0])
        assert total == Counter(MATERIAL.deck(seats))
        assert states[0].melds[0].cards == (Card(MATERIAL.round_card(number)),)


def test_R3_R6_everybody_starts_a_round_with_an_open_cell_and_seven_cards_and_a_draw_card():
    _, first = setup(5, 3)
    state = GAME.fold(list(setup(5, 3)))
    assert [len(hand) for hand in first.hands] == [7] * 5
    assert state.out == (False,) * 5 and state.place == first.pile[0]
    assert len(first.pile) == 112 - 1 - 35


def test_R4_D4_the_lowest_lot_plays_first_and_only_those_who_tied_draw_again():
    redraws = 0
    for seed in range(60):
        begun, first = setup(4, seed)
        still = set(range(4))
        for lot in begun.lots:
            assert {seat for seat, face in enumerate(lot) if face is not None} == still
            values = {seat: MATERIAL.value(face) for seat, face in enumerate(lot) if face is not None}
            still = {seat for seat in values if values[seat] == min(values.values())}
        assert still == {begun.starter} == {first.starter}
        redraws += len(begun.lots) > 1
    assert redraws > 5


@pytest.mark.parametrize("up", [False, True])
def test_O1_D6_the_draw_card_lies_face_down_or_up(up: bool):
    table = Cells(SEVEN, SEVEN, draw_card="face_up" if up else "face_down")
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
        ("r1 r1 r3", None),  # of two decks
        ("r1 r2 w=3", None),  # D19 in a run a Wild stands for number and colour
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


def test_D19_a_wild_counts_the_number_that_it_stands_for():
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
    table = Cells(SEVEN, SEVEN, referee=STRICT)
    assert table.refused(A, Next()).code == "must-play"
    table.do(A, Draw())
    table.do(A, Next())
    assert table.state.turn == B


def test_R8_whoever_plays_need_not_draw():
    table = Cells("r3 b3 g3 v7 o7 y7 r1", SEVEN, referee=STRICT)
    table.do(A, Lay(cards("r3 b3 g3")))
    table.do(A, Next())
    assert table.state.turn == B and table.hand(A) == ["r1", "y7", "o7", "v7"]


def test_D7_you_draw_once_a_turn_and_only_before_you_have_played():
    table = Cells("r3 b3 g3 v7 o7 y7 r1", SEVEN)
    table.do(A, Draw())
    assert table.refused(A, Draw()).code == "drew-already"
    table = Cells("r3 b3 g3 v7 o7 y7 r1", SEVEN)
    table.do(A, Lay(cards("r3 b3 g3")))
    assert table.refused(A, Draw()).code == "played-already"


def test_R9_after_drawing_you_may_play_on_with_the_drawn_card_too():
    table = Cells("r3 b3 v7 o7 y7 r1 r2", SEVEN, place="g3")
    table.do(A, Draw())
    table.do(A, Lay(cards("r3 b3 g3")))
    assert table.laid(1) == "r3 b3 g3"


def test_R9_a_drawn_DRAW_card_is_not_played_in_that_turn():
    table = Cells("r3 b3 g3 v7 o7 y7 r1", SEVEN, place=DRAW, out=[0])
    table.do(A, Draw())
    assert table.refused(A, PlayDraw()).code == "fresh-draw"
    assert table.refused(A, Lay(cards("r3 b3 d"))).code == "fresh-draw"
    older = Cells("r3 b3 g3 v7 o7 y7 d", SEVEN, place=DRAW, out=[0])
    older.do(A, Draw())
    older.do(A, PlayDraw())  # the older one


def test_D8_a_drawn_super_wild_is_a_wild_or_a_way_out_but_no_DRAW_card():
    table = Cells("r3 b3 g4 v7 o7 y7 r1", SEVEN, place=SUPER, out=[0])
    table.do(A, Draw())
    assert table.refused(A, PlayDraw(SUPER)).code == "fresh-super"
    table.do(A, Lay(cards("r3 b3 s=3")))
    inside = Cells("r3 b3 g4 v7 o7 y7 r1", SEVEN, place=SUPER)
    inside.do(A, Draw())
    inside.do(A, BreakOut(4, cards(SUPER)))
    assert inside.state.out[A]


def test_R10_R7_next_ends_the_turn_clockwise_and_the_draw_card_is_replaced_only_then():
    table = Cells(SEVEN, SEVEN, SEVEN, pile="v1 v2", referee=STRICT)
    table.do(A, Draw())
    assert table.state.place is None and table.state.pile == ("v1", "v2")
    table.do(A, Next())
    assert table.state.place == "v1" and table.state.pile == ("v2",) and table.state.turn == B
    for seat in (B, C):
        table.do(seat, Draw())
        table.do(seat, Next())
    assert table.state.turn == A and table.state.place is None


def test_D9_after_a_next_is_said_its_inmate_can_do_nothing_more_that_turn():
    table = Cells(SEVEN, SEVEN)
    table.do(A, Draw())
    table.do(A, Next())
    for action in (Draw(), Next(), Lay(cards("v7 o7 y7"))):
        assert table.refused(A, action).code == "next-said"


def test_D22_it_is_refused_to_act_out_of_turn_or_with_cards_one_does_not_hold():
    table = Cells(SEVEN, SEVEN)
    assert table.refused(B, Draw()).code == "not-your-turn"
    assert table.refused(A, Lay(cards("r3 b3 g3"))).code == "not-in-hand"
    assert table.refused(A, Lay(cards("v7 v7 o7"))).code == "not-in-hand"
    assert table.refused(A, Lay(())).code == "nothing"
    assert table.refused(A, Lay(cards("x9 r1 r2"))).code == "no-card"
    assert table.refused(A, Extend(55, cards("r1"))).code == "no-meld"


def test_D19_a_wild_is_declared_and_nothing_else_is():
    table = Cells("w s r5 b5 g5 v1 o1", SEVEN)
    assert table.refused(A, Lay(cards("r5 b5 w"))).code == "undeclared"
    assert table.refused(A, Lay(cards("r5 b5 w=9"))).code == "no-stand"
    assert table.refused(A, Lay(cards("r5 b5 w=rr"))).code == "no-stand"
    assert table.refused(A, Lay(cards("r5=5 b5 g5"))).code == "not-a-wild"


# ------------------------------------------------------------------------------------------------------------- the cell


def test_R11_R12_in_the_cell_a_meld_stays_below_15_and_the_cell_holds_nine():
    table = Cells("r5 b5 g5 r1 b1 g1 o1", SEVEN, cell={0: ["r2 b2 g2", "r3 b3 g3"]}, referee=STRICT)
    assert table.refused(A, Lay(cards("r5 b5 g5"))).facts["fault"] == "rich"
    assert table.refused(A, Lay(cards("r1 b1 g1 o1"))).facts["fault"] == "crammed"
    table.do(A, Lay(cards("r1 b1 g1")))
    assert table.place(3) == A


def test_R13_a_cell_meld_is_extended_with_hand_cards_still_below_15():
    table = Cells("o3 v3 y3 r6 r7 b1 b2", SEVEN, cell={0: ["r3 b3 g3", "r4 r5 r2 r3"]}, referee=STRICT)
    table.do(A, Extend(1, cards("o3")))
    assert table.laid(1) == "r3 b3 g3 o3"
    assert table.refused(A, Extend(1, cards("v3"))).facts["fault"] == "rich"


def test_R21_the_yard_is_closed_to_whom_has_not_broken_out():
    table = Cells("r5 b5 g5 r1 b1 g1 d", SEVEN, yard=["o5 v5 y5"], cell={0: ["r2 b2 g2"]})
    assert table.refused(A, Extend(2, cards("r5"))).code == "not-out"
    assert table.refused(A, Extend(START, cards("b1 g1"))).code == "round-start"
    assert table.refused(A, Move((1,))).code == "not-out"
    assert table.refused(A, PlayDraw()).code == "not-out"
    assert table.refused(A, Extract(1, Card("r5"))).code == "not-out"


def test_another_inmates_cell_is_not_mine():
    table = Cells("r2 b5 g5 r1 b1 g1 d", SEVEN, cell={1: ["r2 b2 g2"]}, out=[0])
    assert table.refused(A, Extend(1, cards("r2"))).code == "not-your-cell"
    assert table.refused(A, Move((1,))).code == "no-meld"


# --------------------------------------------------------------------------------------------------------- breaking out


def test_R15_route_1_is_a_meld_of_15_from_the_hand_and_all_cell_melds_move_at_once():
    table = Cells("r5 b5 g5 r1 b1 g1 d", SEVEN, cell={0: ["r2 b2 g2", "o1 v1 y1"]}, referee=STRICT)
    assert table.refused(A, BreakOut(1, cards("r1 b1 g1"))).facts["fault"] == "poor"
    table.do(A, BreakOut(1, cards("r5 b5 g5")))
    assert table.state.out[A] and {table.place(name) for name in (1, 2, 3)} == {"yard"}
    assert table.refused(A, BreakOut(1, cards("r1 b1 g1"))).code == "out-already"


def test_R16_R20_route_2_is_a_cell_meld_and_at_least_one_hand_card_together_15_and_one_chooses_what_else_moves():
    table = Cells("o4 v4 b1 g1 d r7 b7", SEVEN, cell={0: ["r4 b4 g4", "o1 v1 y1"]}, referee=STRICT)
    assert table.refused(A, BreakOut(2, (), 1)).code == "no-hand-card"
    assert table.refused(A, BreakOut(2, cards("b1"), 2)).facts["fault"] == "poor"
    table.do(A, BreakOut(2, cards("o4"), 1))
    assert table.laid(1) == "r4 b4 g4 o4" and table.place(1) == "yard" and table.place(2) == A
    other = Cells("o4 v4 b1 g1 d r7 b7", SEVEN, cell={0: ["r4 b4 g4", "o1 v1 y1"]}, referee=STRICT)
    other.do(A, BreakOut(2, cards("o4"), 1, (2,)))
    assert other.place(2) == "yard"


def test_R15_a_break_out_from_the_hand_borrows_no_points_of_a_cell_meld():
    table = Cells("r3 b3 g3 v7", SEVEN, cell={0: ["o3 v3 y3"]})
    assert table.refused(A, BreakOut(1, cards("r3 b3 g3"), 1)).code == "no-meld"
    (event,) = table.do(A, BreakOut(1, cards("r3 b3 g3")))
    assert event.fault == "poor"  # type: ignore[attr-defined]  # it is a Played


def test_R20_a_cell_meld_moves_once_in_a_break_out_and_is_not_the_one_that_opens_it():
    table = Cells("r5 b5 s", SEVEN, cell={0: ["o5 v5 y1 g4", "r2 b2 g2"]})
    assert table.refused(A, BreakOut(4, cards("s"), moves=(2, 2))).code == "no-meld"
    assert table.refused(A, BreakOut(2, cards("r5 b5"), 1, (1,))).code == "no-meld"
    assert table.refused(A, BreakOut(4, cards("s"), moves=(3,))).code == "no-meld"


def test_R21_no_card_leaves_a_cell_before_its_inmate_has_broken_out():
    table = Cells("r3 b3 v7", SEVEN, cell={0: ["o3 v3 y3 g3"]})
    three = table.state.melds[1].slots[0].id
    assert table.refused(A, Lay(cards("r3 b3"), (three,))).code == "not-out"
    assert table.refused(A, Extend(1, cards("r3"), (three,))).code == "not-out"


def test_D12_the_15_of_a_break_out_come_from_one_meld():
    table = Cells("r3 b3 g3 v7 o7 y1 d", SEVEN, cell={0: ["r4 b4 g4"]}, referee=STRICT)
    assert table.refused(A, BreakOut(1, cards("r3 b3 g3"), moves=(1,))).facts["fault"] == "poor"


def test_R17_D10_route_3_needs_nine_cards_when_the_turn_began_and_moves_at_least_one_meld():
    nine = {0: ["r2 b2 g2", "o1 v1 y1", "r3 b3 g3"]}
    table = Cells(SEVEN, SEVEN, cell=nine, full=True, referee=STRICT)
    assert table.refused(A, BreakOut(3)).code == "no-moves"
    table.do(A, BreakOut(3, moves=(2,)))
    assert table.state.out[A] and [table.place(name) for name in (1, 2, 3)] == [A, "yard", A]
    assert Cells(SEVEN, SEVEN, cell=nine, full=False).refused(A, BreakOut(3, moves=(1,))).code == "not-full"


def test_R17_a_cell_that_is_filled_in_a_turn_opens_only_in_the_next():
    table = Cells("r3 b3 g3 v7 o7 y7 r1", SEVEN, cell={0: ["r2 b2 g2", "o1 v1 y1"]}, referee=STRICT)
    table.do(A, Lay(cards("r3 b3 g3")))
    assert table.refused(A, BreakOut(3, moves=(1,))).code == "not-full"
    table.do(A, Next())
    table.do(B, Draw())
    table.do(B, Next())
    table.do(A, BreakOut(3, moves=(1,)))


def test_R18_D11_route_4_is_a_super_wild_alone_which_is_out_of_play_then():
    table = Cells("s r1 b1 g4 v7 o7 y7", SEVEN, cell={0: ["r2 b2 g2"]}, referee=STRICT)
    assert table.refused(A, BreakOut(4, cards("r1"))).code == "no-super"
    assert table.refused(A, BreakOut(4, cards("s r1"))).code == "no-super"
    table.do(A, BreakOut(4, cards("s"), moves=(1,)))
    assert table.state.aside == (SUPER,) and table.place(1) == "yard" and SUPER not in table.hand(A)


def test_R2_the_round_card_is_not_used_in_a_break_out():
    table = Cells("b1 g1 o1 v1 y1 w s", SEVEN, referee=STRICT)
    refusal = table.refused(A, BreakOut(1, cards("b1 g1 o1 v1 y1"), start=True))
    assert refusal.code == "bad" and refusal.facts["fault"] in ("start", "poor")
    honour = Cells("b1 g1 o1 v1 y1 w s", SEVEN)
    (event,) = honour.do(A, BreakOut(1, cards("b1 g1"), start=True))
    assert isinstance(event, Played) and event.fault is not None and honour.state.out[A]


def test_R21_once_out_also_later_in_the_same_turn_one_plays_in_the_yard():
    table = Cells("r5 b5 g5 r1 b1 g1 o5", SEVEN, referee=STRICT)
    table.do(A, BreakOut(1, cards("r5 b5 g5")))
    table.do(A, Lay(cards("r1 b1 g1")))
    table.do(A, Extend(1, cards("o5")))
    assert table.place(2) == "yard" and table.laid(1) == "r5 b5 g5 o5"


def test_R19_D13_R24_the_rest_of_the_cell_stays_mine_closed_and_may_be_moved_later():
    table = Cells("s g2 b1 v7 o7 y7 r1", SEVEN, cell={0: ["r2 b2 o2", "o3 v3 y3"]}, referee=STRICT)
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
    table = Cells(
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
    table = Cells(SEVEN, SEVEN, yard=["r4 b4 o4"], cell={0: ["v3 v4 v5", "g3 g4 g5 g6"]}, out=[0])
    middle = table.state.melds[1].slots[1].id
    assert table.refused(A, Extend(3, (), (middle,))).code == "breaks-meld"
    inner = table.state.melds[2].slots[1].id
    assert table.refused(A, Extend(3, (), (inner,))).code == "breaks-meld"
    every = tuple(slot.id for slot in table.state.melds[1].slots)
    table.do(A, Lay((), every))
    assert table.laid(1) is None and table.laid(4) == "v3 v4 v5" and table.place(4) == "yard"


def test_D17_a_card_of_the_cell_is_played_once_however_often_it_is_named():
    table = Cells("b2 o2", SEVEN, SEVEN, cell={0: ["v2 v3 v4 v5"]}, out=[0])
    two = table.state.melds[1].slots[0].id
    assert table.refused(A, Lay(cards("b2"), (two, two))).code == "not-your-cell"  # it would pass for a set of three
    assert table.refused(A, Lay(cards("b2"), (99,))).code == "no-slot"


def test_D14_the_round_card_is_a_start_and_whoever_builds_on_it_leaves_a_meld_of_3_to_6():
    table = Cells("b1 g1 r2 r3 v7 o7 y7", SEVEN, out=[0], referee=STRICT)
    assert table.refused(A, Extend(START, cards("b1"))).facts["fault"] == "size"
    assert table.refused(A, Extend(START, cards("b1 r2"))).facts["fault"] == "kind"
    table.do(A, Extend(START, cards("b1 g1")))
    assert table.laid(START) == "r1 b1 g1"
    run = Cells("b1 g1 r2 r3 v7 o7 y7", SEVEN, out=[0], referee=STRICT)
    run.do(A, Extend(START, cards("r2 r3")))
    assert run.laid(START) == "r1 r2 r3"


def test_R22_R26_D15_a_wild_in_the_yard_is_taken_for_the_actual_card_and_may_be_played_again_this_turn():
    table = Cells("g5 r1 b1 v7 o7 y7 r2", SEVEN, yard=["r5 b5 w=5"], out=[0], referee=STRICT)
    wild = table.state.melds[1].slots[2].id
    table.do(A, Extract(wild, Card("g5")))
    assert table.laid(1) == "r5 b5 g5" and WILD in table.hand(A)
    table.do(A, Lay(cards("r1 b1 w=1")))


def test_R22_an_extraction_may_use_a_card_of_ones_own_cell_that_may_leave_it():
    table = Cells("o7 v7", SEVEN, out=[0], cell={0: ["b2 b3 b4 b5"]}, yard=["r5 g5 w=5"])
    five, wild = table.state.melds[1].slots[3].id, table.state.melds[2].slots[2].id
    sound = Extract(wild, Card("b5"), five)
    assert sound in list(GAME.legal(table.state, A))
    (event,) = table.do(A, sound)
    assert isinstance(event, Played) and event.fault is None
    assert table.laid(1) == "b2 b3 b4" and table.laid(2) == "r5 b5 g5" and table.hand(A) == ["o7", "v7", "w"]
    assert table.state.acts[0].touches == {1, 2}


def test_D15_the_cell_card_of_an_extraction_may_leave_only_if_what_stays_is_a_meld_or_nothing():
    table = Cells("o7", SEVEN, out=[0], cell={0: ["b3 b4 b5"], 1: ["g5 o5 y5 v5"]}, yard=["r5 g5 w=5"])
    wild = table.state.melds[3].slots[2].id
    assert table.refused(A, Extract(wild, Card("b5"), table.state.melds[1].slots[2].id)).code == "breaks-meld"
    assert table.refused(A, Extract(wild, Card("g5"), table.state.melds[2].slots[0].id)).code == "not-your-cell"
    assert table.refused(A, Extract(wild, Card("b5"), 99)).code == "no-slot"


def test_the_cell_card_of_an_extraction_is_the_one_that_is_named():
    table = Cells("r5", SEVEN, out=[0], cell={0: ["b2 b3 b4 b5"]}, yard=["r5 g5 w=5"])
    wild, two = table.state.melds[2].slots[2].id, table.state.melds[1].slots[0].id
    assert table.refused(A, Extract(wild, Card("r5"), two)).code == "other-card"
    (event,) = table.do(A, Extract(wild, Card("b2"), two))
    assert isinstance(event, Played) and event.fault == "swap"


def test_R27_D20_in_a_run_only_the_very_card_and_in_a_set_any_of_the_number():
    table = Cells("g5 o5 b1 v7 o7 y7 r2", SEVEN, yard=["o4 w=o5 o6"], out=[0], referee=STRICT)
    wild = table.state.melds[1].slots[1].id
    assert table.refused(A, Extract(wild, Card("g5"))).facts["fault"] == "swap"
    table.do(A, Extract(wild, Card("o5")))
    assert table.laid(1) == "o4 o5 o6"


def test_D20_in_a_set_any_card_of_the_number_fits_also_where_the_wild_was_given_a_colour():
    table = Cells("v5 o4 b1", SEVEN, yard=["r5 b5 w=o5"], out=[0], referee=STRICT)
    wild = next(slot.id for slot in table.state.melds[1].slots if slot.card.wild)
    assert table.refused(A, Extract(wild, Card("o4"))).facts["fault"] == "swap"
    table.do(A, Extract(wild, Card("v5")))
    assert table.laid(1) == "r5 b5 v5" and "w" in table.hand(A)


def test_D20_another_wild_is_never_the_actual_card():
    table = Cells("s o5 b1 v7 o7 y7 r2", SEVEN, yard=["o4 w=o5 o6"], out=[0], referee=STRICT)
    assert table.refused(A, Extract(table.state.melds[1].slots[1].id, Card(SUPER, "o5"))).facts["fault"] == "swap"


def test_R14_nothing_is_extracted_inside_a_cell():
    table = Cells("g5 o5 b1 v7 o7 y7 r2", SEVEN, cell={0: ["r2 b2 w=2"]}, out=[0])
    assert table.refused(A, Extract(table.state.melds[1].slots[2].id, Card("r2"))).code == "in-cell"
    assert table.refused(A, Extract(table.state.melds[1].slots[0].id, Card("r2"))).code == "in-cell"
    assert table.refused(A, Extract(999, Card("r2"))).code == "no-slot"


def test_only_a_wild_is_extracted():
    table = Cells("g5 o5 b1 v7 o7 y7 r2", SEVEN, yard=["r5 b5 y5"], out=[0])
    assert table.refused(A, Extract(table.state.melds[1].slots[0].id, Card("g5"))).code == "no-wild"


# ----------------------------------------------------------------------------------------------------------- DRAW cards


def test_R23_D16_a_DRAW_card_makes_every_other_inmate_draw_clockwise_and_is_out_of_play():
    table = Cells("d r1 b1 v7 o7 y7 r2", "g1", "g2", pile="v1 v2 v3", out=[0], referee=STRICT)
    table.do(A, PlayDraw())
    assert table.hand(B) == ["g1", "v1"] and table.hand(C) == ["g2", "v2"]
    assert table.state.aside == (DRAW,) and table.state.pile == ("v3",)
    table.do(A, Next())  # D16 it counts as having played a card


def test_R23_one_DRAW_card_a_turn_and_only_as_its_first_card():
    table = Cells("d d s r1 b1 g1 o7", SEVEN, out=[0])
    table.do(A, PlayDraw())
    assert table.refused(A, PlayDraw()).code == "draw-once"
    assert table.refused(A, PlayDraw(SUPER)).code == "draw-once"
    late = Cells("d d s r1 b1 g1 o7", SEVEN, out=[0])
    late.do(A, Lay(cards("r1 b1 g1")))
    assert late.refused(A, PlayDraw()).code == "draw-first"


def test_R23_a_super_wild_is_a_DRAW_card_too():
    table = Cells("s r1 b1 v7 o7 y7 r2", "g1", pile="v1", out=[0])
    table.do(A, PlayDraw(SUPER))
    assert table.hand(B) == ["g1", "v1"] and table.state.aside == (SUPER,)
    assert table.refused(A, PlayDraw(WILD)).code == "not-a-draw"


def test_D49_when_the_pile_is_empty_nothing_is_drawn_any_more():
    table = Cells("d r1 b1 v7 o7 y7 r2", "g1", "g2", pile="v1", out=[0])
    table.do(A, PlayDraw())
    assert table.hand(B) == ["g1", "v1"] and table.hand(C) == ["g2"]


# ------------------------------------------------------------------------------------------------------ ends and scores


def test_R33_R34_D48_who_plays_the_last_card_wins_the_round_minus_5_times_its_number_and_the_others_add_their_hands():
    table = Cells("r5 b5 g5", "w d", "s v7", cell={1: ["r2 b2 g2"]}, referee=STRICT, rounds=1)
    table.do(A, BreakOut(1, cards("r5 b5 g5")))
    table.do(A, Next())
    assert table.state.over and table.state.scores == (-5, 17, 17)  # D48 cell cards never count
    outcome = GAME.outcome(table.state)
    assert outcome is not None and outcome.places == (1, 2, 2)  # D51 ties share the place


def test_D47_going_out_counts_cards_in_the_cell_as_played():
    table = Cells("r1 b1 g1", SEVEN, referee=STRICT, rounds=1)
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


def test_R6_the_next_round_is_dealt_anew_with_all_cards():
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
                assert min(event.points) >= 0  # R35 without bonus


@pytest.mark.parametrize("rounds", [1, 3])
def test_O4_the_game_has_as_many_rounds_as_wanted(rounds: int):
    playout = play(GAME, 3, options=BreakOutOptions(rounds=rounds))
    assert sum(isinstance(event, RoundEnded) for event in playout.events) == rounds


def test_D49_R35_with_an_empty_pile_a_full_circuit_without_a_card_played_ends_the_round_without_bonus():
    table = Cells("r1 b3", "g1", "g2", pile="", place="y1", referee=STRICT, rounds=1)
    table.do(A, Draw())
    table.do(A, Next())  # drew the last card, but played none
    table.do(B, Next())  # D25 with an empty draw place saying NEXT is a pass
    assert not table.state.over
    table.do(C, Next())
    assert table.state.over and table.state.sheet[0].winner is None
    assert table.state.scores == (5, 1, 2)


def idle_circuit(**options: object) -> Cells:
    """Nobody has played or drawn for a full circuit, C the last."""
    table = Cells(SEVEN, SEVEN, SEVEN, **{"rounds": 1, **options})  # type: ignore[arg-type]  # a test names its fields
    for seat in (A, B, C):
        assert not table.state.over
        table.pass_on(seat)
    return table


def test_D50_R35_a_full_circuit_in_which_nobody_played_or_drew_ends_the_round_too_when_its_last_window_is_over():
    table = idle_circuit()
    assert table.view(None).phase == "last" and table.view(None).waiting == ()
    refusal = table.refused(A, Draw())
    assert refusal.code == "not-your-turn" and refusal.facts["last"] == C
    table.strike("last")
    assert table.state.over and table.state.sheet[0].winner is None
    assert all(note.kind != "out" for note in table.state.notes)


def test_D50_the_last_inmate_of_an_idle_circuit_can_be_called_and_a_right_call_puts_the_round_back_on():
    table = idle_circuit()
    assert table.clock().due == table.state.last_next + 10_000 + 400
    table.do(A, Call("draw"), 12_000)
    table.strike("tie")
    table.strike("gift")
    assert table.view(None).waiting == (A,) and len(table.hand(C)) == 9
    table.pass_on(A, 90_000)
    table.pass_on(B, 96_000)
    assert not table.state.suspended  # the circuit has begun anew
    table.pass_on(C, 102_000)
    assert table.state.suspended


def test_D50_the_last_inmate_of_a_circuit_without_a_play_can_be_called_when_the_pile_is_empty_but_not_the_draw_place():
    table = Cells("r1 b3", "g1", "g2", pile="", place="y1", rounds=1)
    for seat in (A, B, C):
        table.pass_on(seat)
    table.do(B, Call("draw"))
    table.strike("tie")
    table.do(B, Give("g1"))
    assert sorted(table.hand(C)) == ["g1", "g2", "y1"]
    assert table.view(None).waiting == (A,) and not table.state.over
    table.pass_on(A)
    assert not table.state.suspended  # the circuit has begun anew


def test_D50_a_card_played_begins_the_circuit_anew():
    table = Cells("r1 b1 g1 v7", SEVEN, SEVEN, rounds=1)
    table.pass_on(A)
    table.pass_on(B)
    table.do(C, Draw())
    table.pass_on(C)
    assert not table.state.suspended
    table.do(A, Lay(cards("r1 b1 g1")))
    table.pass_on(A)
    table.pass_on(B)
    table.pass_on(C)
    assert not table.state.suspended
    table.pass_on(A)
    assert table.state.suspended  # nobody has played or drawn since A


def test_R36_D51_the_least_points_win_the_game():
    for seed in range(3):
        outcome = play(GAME, seed).outcome
        assert outcome.places[outcome.scores.index(min(outcome.scores))] == 1
        assert outcome.reason == "rounds"


# ------------------------------------------------------------------------------------------------------------ the clock


def test_a_turn_that_runs_out_draws_and_says_next():
    table = Cells(SEVEN, SEVEN)
    table.strike("turn")
    assert len(table.hand(A)) == 8
    table.strike("next")
    assert table.state.turn == B
    strict = Cells(SEVEN, SEVEN, referee=STRICT)
    strict.strike("turn")
    assert strict.state.turn == B


def test_a_turn_that_runs_out_after_a_play_only_says_next():
    table = Cells("r3 b3 g3 v7 o7 y7 r1", SEVEN, referee=STRICT)
    table.do(A, Lay(cards("r3 b3 g3")))
    table.strike("turn")
    assert table.state.turn == B and len(table.hand(A)) == 4


def test_D3_a_view_shows_ones_own_hand_in_order_of_the_others_only_how_many_and_every_cell():
    table = Cells("w r1 d b1 s", "g1", "g2", cell={1: ["r2 b2 g2"]})
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
    assert over.over and GAME.view(over, A).stamp > GAME.view(before, A).stamp


def test_the_newest_notes_are_kept():
    table = Cells(SEVEN, SEVEN, SEVEN)
    for number in range(8):
        table.do(number % 3, Draw())
        table.pass_on(number % 3)
    kinds = [note.kind for note in table.view(None).notes]
    assert len(kinds) == 14 and kinds == ["drew", "next"] * 7 and table.view(None).notes[-1].seat == 7 % 3


def test_a_window_says_of_whom_no_card_was_seen_to_be_played_or_drawn():
    seen = []
    for act in (None, Draw(), Lay(cards("r1 b1 g1"))):
        table = Cells("r1 b1 g1 v7", SEVEN, SEVEN)
        if act is not None:
            table.do(A, act)
        table.pass_on(A)
        window = table.view(C).window
        assert window is not None
        seen.append((window.idle, window.played))
    assert seen == [(True, False), (False, False), (False, True)]


def test_nobody_acts_when_it_is_over():
    state = play(GAME, 2, options=BreakOutOptions(rounds=1)).states[-1]
    with pytest.raises(Refusal, match="over"):
        GAME.decide(state, A, Next(), Moment(BEGIN), Chance(seed_bytes(1), "t", 0))
