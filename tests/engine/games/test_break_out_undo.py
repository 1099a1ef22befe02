"""Bad melds of every kind: laid, caught, undone and restored card for card; no card is ever lost."""

import random
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.contract import ClockAction, Expire, Moment, Seat, to_json
from engine.games.break_out import (
    GAME,
    START,
    BreakOut,
    BreakOutAction,
    BreakOutOptions,
    Call,
    Card,
    Draw,
    Extend,
    Extract,
    Give,
    Lay,
    Move,
    Next,
    PlayDraw,
    Played,
    Point,
)
from engine.games.break_out.state import is_bad
from tests.engine.games.break_out_positions import LONG_AGO, MATERIAL, A, B, C, ScriptedRound, cards, play_randomly
from tests.engine.games.break_out_random_play import play_at_random
from tools.harness.playouts import BEGIN, earliest, seed_bytes


def caught(table: ScriptedRound, gift: str | None = None) -> None:
    """Make A say NEXT and C catch it with MELD; C gives a card (the clock chooses without one)."""
    table.pass_turn(A, 1_000)
    (event,) = table.do(C, Call("meld"), 1_500)
    assert event.right  # type: ignore[attr-defined]  # it is a Called
    table.expire("tie")
    if gift is not None:
        table.do(C, Give(gift), 3_500)


def under_rules_3(table: ScriptedRound) -> ScriptedRound:
    """Return the table of a game that began when everything from the first bad meld on was undone."""
    table.state = msgspec.structs.replace(table.state, rules=3)
    return table


# --------------------------------------------------------------------------------------- each kind, laid and taken back

KIND_OF_FAULT = {
    "two cards": ("r1 r2 v1 v3 v5 v7 o7", [Lay(cards("r1 r2"))], "size"),
    "seven cards": ("r1 b1 g1 o1 v1 y1 w", [Lay(cards("r1 b1 g1 o1 v1 y1 w=1"))], "size"),
    "neither set nor run": ("r3 b4 g5 v3 v5 v7 o7", [Lay(cards("r3 b4 g5"))], "kind"),
    "no natural card": ("w w s v3 v5 v7 o7", [Lay(cards("w=2 w=2 s=2"))], "natural"),
    "a poor break-out": ("r4 b4 g4 v3 v5 v7 o7", [BreakOut(1, cards("r4 b4 g4"))], "poor"),
    "the round card in a break-out": (
        "b1 g1 o1 v1 y1 w s",
        [BreakOut(1, cards("r2 r3 r4 r5"), start=True)],
        "start",
    ),
    "too much for a cell": ("r5 b5 g5 v3 v2 v7 o7", [Lay(cards("r5 b5 g5"))], "rich"),
    "a crammed cell": (
        "r2 b2 g2 r3 b3 g3 r4 b4 g4 r1 b1",
        [Lay(cards("r2 b2 g2")), Lay(cards("r3 b3 g3")), Lay(cards("r4 b4 g4")), Extend(1, cards("r1 b1"))],
        "kind",
    ),
}


@pytest.mark.parametrize("name", [name for name in KIND_OF_FAULT if "round card" not in name])
def test_D22_D32_a_bad_meld_of_every_kind_is_taken_back_card_for_card(name: str):
    hand, acts, wrong = KIND_OF_FAULT[name]
    table = ScriptedRound(hand, "o1 o2", "v7 r7")
    before = table.state
    for act in acts[:-1]:
        table.do(A, act)
    kept = table.state.melds
    (event,) = table.do(A, acts[-1])
    assert isinstance(event, Played) and event.fault == wrong
    caught(table, "v7")
    assert table.state.melds == kept
    assert Counter(table.hand(A)) + Counter(card.face for meld in kept[1:] for card in meld.cards) == Counter(
        [*hand.split(), "v7"]
    )
    assert table.state.out[A] == before.out[A]


def test_the_round_card_used_in_a_break_out_goes_back_to_the_yard():
    table = ScriptedRound("r2 r3 r4 r5 v7", "o1", "v7 r7")
    (event,) = table.do(A, BreakOut(1, cards("r2 r3 r4 r5"), start=True))
    assert event.fault == "start"  # type: ignore[attr-defined]  # it is a Played
    assert table.state.out[A] and table.laid(START) == "r1 r2 r3 r4 r5"
    caught(table, "v7")
    assert table.laid(START) == "r1" and not table.state.out[A]
    assert table.hand(A) == ["r2", "r3", "r4", "r5", "v7", "v7"]


def test_a_tenth_card_crams_the_cell():
    nine = {0: ["r2 b2 g2", "r3 b3 g3", "o1 v1 y1"]}
    table = ScriptedRound("r1 b1 o7", "o1", "v7 r7", cell=nine)
    (event,) = table.do(A, Extend(3, cards("r1")))
    assert event.fault == "crammed"  # type: ignore[attr-defined]  # it is a Played
    caught(table, "v7")
    assert table.laid(3) == "y1 o1 v1" and Counter(table.hand(A)) == Counter(["r1", "b1", "o7", "v7"])


def test_an_extraction_with_a_wrong_card_is_exchanged_back():
    table = ScriptedRound("g4 o7", "o1", "v7 r7", out=[0], yard=["r5 b5 w=5"])
    wild = table.state.melds[1].slots[2].id
    (event,) = table.do(A, Extract(wild, Card("g4")))
    assert event.fault == "swap"  # type: ignore[attr-defined]  # it is a Played
    assert "w" in table.hand(A)
    caught(table, "v7")
    assert table.laid(1) == "r5 b5 w=5" and table.hand(A) == ["g4", "o7", "v7"]


# ------------------------------------------------------------------------------------------------------ how far it goes


def test_D31_a_sound_meld_stays_whether_it_was_laid_before_the_bad_one_or_after_it():
    table = ScriptedRound("r3 b3 g3 r1 b2 g6 o4 v4 y4", "o1", "v7 r7")
    table.do(A, Lay(cards("r3 b3 g3")))
    table.do(A, Lay(cards("r1 b2 g6")))  # bad
    table.do(A, Lay(cards("o4 v4 y4")))
    caught(table, "v7")
    assert (table.laid(1), table.laid(2), table.laid(3)) == ("r3 b3 g3", None, "y4 o4 v4")
    assert [note.count for note in table.state.notes if note.kind == "undone"] == [3]
    assert Counter(table.hand(A)) == Counter(["r1", "b2", "g6", "v7"])


def test_D31_two_bad_melds_of_one_turn_both_go_back_for_one_penalty():
    table = ScriptedRound("r3 b3 g3 r1 b2 g6 o4 v4", "o1", "v7 r7")
    table.do(A, Lay(cards("r1 b2 g6")))
    table.do(A, Lay(cards("r3 b3 g3")))
    table.do(A, Lay(cards("o4 v4")))
    caught(table, "v7")
    assert [meld.id for meld in table.state.melds] == [START, 2] and table.laid(2) == "r3 b3 g3"
    assert Counter(table.hand(A)) == Counter(["r1", "b2", "g6", "o4", "v4", "v7"]) and table.state.window is None


def test_D31_cards_added_to_a_bad_meld_go_back_with_it():
    table = ScriptedRound("r5 b5 g5 v5 o1 y1 v1", "o1", "v7 r7")
    table.do(A, Lay(cards("r5 b5 g5")))  # 15 points in a cell
    table.do(A, Extend(1, cards("v5")))
    table.do(A, Lay(cards("o1 y1 v1")))
    caught(table, "v7")
    assert table.laid(1) is None and table.laid(2) == "y1 o1 v1"
    assert Counter(table.hand(A)) == Counter(["r5", "b5", "g5", "v5", "v7"])


def test_D31_a_break_out_that_rested_on_it_is_undone_with_all_acts_that_needed_it():
    table = ScriptedRound(
        "r4 b4 g4 v6 o5 y5 g5 d", "o1", "v7 r7", cell={0: ["r2 b2 g2", "o3 v3 y3"]}, yard=["o6 b6 g6", "y4 v4 w=4"]
    )
    wild = table.state.melds[4].slots[2].id
    table.do(A, BreakOut(1, cards("r4 b4 g4")))  # 12 points
    table.do(A, Extend(3, cards("v6")))
    table.do(A, Lay(cards("o5 y5 g5")))  # 15 points: too much for a cell
    table.do(A, Extract(wild, Card("d")))  # bad as well
    assert table.place(1) == table.place(2) == "yard"
    caught(table, "v7")
    assert not table.state.out[A] and table.place(1) == table.place(2) == A
    assert table.laid(3) == "b6 g6 o6" and table.laid(4) == "y4 v4 w=4"
    assert Counter(table.hand(A)) == Counter(["r4", "b4", "g4", "v6", "o5", "y5", "g5", "d", "v7"])


def test_D57_a_meld_laid_in_the_yard_lies_in_the_cell_when_the_break_out_before_it_is_undone_if_it_may():
    table = ScriptedRound("r4 b4 g4 v1 o1 y1 v6", "b1 r1", "v7 r7", out=[1], cell={0: ["r2 b2 g2"]})
    table.do(A, BreakOut(1, cards("r4 b4 g4")))  # 12 points
    table.do(A, Lay(cards("v1 o1 y1")))
    table.pass_turn(A, 1_000)
    table.do(B, Extend(3, cards("b1")), 2_000)
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    assert not table.state.out[A] and table.place(1) == table.place(3) == A
    # The player who added to it in the Yard gets that back
    assert table.laid(3) == "y1 o1 v1" and "b1" in table.hand(B)
    assert Counter(table.hand(A)) == Counter(["r4", "b4", "g4", "v6"])


def test_D57_a_sound_break_out_after_a_bad_meld_stays_with_what_followed():
    table = ScriptedRound("r1 b2 g6 g5 o7 v1 o1 y1", "y5 o1", "v7 r7", out=[1], cell={0: ["r5 b5 w=5"]})
    table.do(A, Lay(cards("r1 b2 g6")))  # bad
    table.do(A, BreakOut(2, cards("g5"), 1, moves=(2,)))  # takes the bad one along
    table.do(A, Lay(cards("v1 o1 y1")))
    table.pass_turn(A, 1_000)
    table.do(B, Extend(1, cards("y5")), 2_000)
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    assert table.laid(1) == "r5 b5 y5 g5 w=5" and table.place(1) == "yard" and table.state.out[A]
    assert table.laid(2) is None and table.laid(3) == "y1 o1 v1"
    assert Counter(table.hand(A)) == Counter(["r1", "b2", "g6", "o7"]) and "y5" not in table.hand(B)


def test_D57_a_break_out_that_needed_the_bad_addition_is_undone():
    table = ScriptedRound("g5 v5 y5 o7", "o1", "v7 r7", cell={0: ["r1 r2 r3"]})
    table.do(A, Extend(1, cards("v5")))  # neither set nor run
    table.do(A, BreakOut(2, cards("g5"), 1))
    assert table.state.acts[1].bad
    caught(table, "v7")
    assert table.laid(1) == "r1 r2 r3" and table.place(1) == A and not table.state.out[A]


@pytest.mark.parametrize(("spare", "stays"), [("", False), ("w", True)])
def test_D31_an_act_with_a_wild_that_a_bad_swap_brought_goes_back_unless_another_wild_was_in_hand(
    spare: str, stays: bool
):
    table = ScriptedRound(f"g4 r2 b2 {spare}", "o1", "v7 r7", out=[0], yard=["r5 b5 w=5"])
    wild = table.state.melds[1].slots[2].id
    table.do(A, Extract(wild, Card("g4")))  # bad
    table.do(A, Lay(cards("r2 b2 w=2")))
    caught(table, "v7")
    assert table.laid(1) == "r5 b5 w=5"
    assert table.laid(2) == ("r2 b2 w=2" if stays else None)
    assert Counter(table.hand(A)) == Counter(["g4", "v7"] if stays else ["g4", "r2", "b2", "v7"])


def test_D57_only_the_bad_one_of_several_moved_melds_goes_back():
    table = ScriptedRound("r1 b2 g6 s o7", "o1", "v7 r7", cell={0: ["r2 b2 g2"]})
    table.do(A, Lay(cards("r1 b2 g6")))  # bad
    table.do(A, BreakOut(4, cards("s")))
    table.do(A, Move((1, 2)))
    caught(table, "v7")
    assert table.place(1) == "yard" and table.laid(2) is None and table.state.out[A]
    assert Counter(table.hand(A)) == Counter(["r1", "b2", "g6", "o7", "v7"])


def test_D57_a_full_cell_is_no_way_out_without_a_meld_left_to_move():
    table = ScriptedRound("r1 b2 g6 o7", "o1", "v7 r7", full=True)
    table.do(A, Lay(cards("r1 b2 g6")))  # bad
    table.do(A, BreakOut(3, moves=(1,)))
    caught(table, "v7")
    assert not table.state.out[A] and Counter(table.hand(A)) == Counter(["r1", "b2", "g6", "o7", "v7"])


def test_D31_a_game_that_began_under_rules_3_undoes_all_from_the_first_bad_meld_on():
    table = under_rules_3(ScriptedRound("r3 b3 g3 r1 b2 g6 o4 v4 y4", "o1", "v7 r7"))
    table.do(A, Lay(cards("r3 b3 g3")))
    table.do(A, Lay(cards("r1 b2 g6")))  # bad
    table.do(A, Lay(cards("o4 v4 y4")))
    caught(table, "v7")
    assert table.laid(1) == "r3 b3 g3" and len(table.state.melds) == 2
    assert Counter(table.hand(A)) == Counter(["r1", "b2", "g6", "o4", "v4", "y4", "v7"])


def test_D31_a_first_event_without_a_version_is_of_rules_3():
    started = msgspec.to_builtins(GAME.setup(2, BreakOutOptions(), MATERIAL, BEGIN, Chance(seed_bytes(1), "t", 0))[0])
    assert started.pop("rules") == GAME.rules_version == 5
    assert GAME.fold([GAME.read_event(msgspec.json.encode(started))]).rules == 3


def test_D31_a_sound_break_out_before_the_bad_meld_stays():
    table = ScriptedRound("r5 b5 g5 r1 b2 g6 v7", "o1", "v7 r7")
    table.do(A, BreakOut(1, cards("r5 b5 g5")))
    table.do(A, Lay(cards("r1 b2 g6")))
    caught(table, "v7")
    assert table.state.out[A] and table.laid(1) == "r5 b5 g5" and table.laid(2) is None


def test_under_rules_3_a_super_wild_that_bought_the_way_out_after_a_bad_meld_comes_back_from_out_of_play():
    table = under_rules_3(ScriptedRound("r1 b2 g6 s o7", "o1", "v7 r7"))
    table.do(A, Lay(cards("r1 b2 g6")))
    table.do(A, BreakOut(4, cards("s"), moves=(1,)))
    assert table.state.aside == ("s",)
    caught(table, "v7")
    assert table.state.aside == () and not table.state.out[A] and "s" in table.hand(A)


def test_D31_cards_drawn_stay_drawn():
    table = ScriptedRound("r1 b2 g6 o7", "o1", "v7 r7", place="y5")
    table.do(A, Draw())
    table.do(A, Lay(cards("r1 b2 g6")))
    caught(table, "v7")
    assert Counter(table.hand(A)) == Counter(["r1", "b2", "g6", "o7", "y5", "v7"])


def test_D31_cards_that_others_drew_by_a_DRAW_card_stay_with_them():
    table = ScriptedRound("d r1 b2 g6 o7", "o1", "v7 r7", out=[0], pile="v1 v2 v3")
    table.do(A, PlayDraw())
    table.do(A, Lay(cards("r1 b2 g6")))
    caught(table, "v7")
    assert "v1" in table.hand(B) and table.state.aside == ("d",)


def test_D32_cell_melds_that_were_moved_return_to_the_cell():
    table = ScriptedRound("r1 b2 g2 o7", "o1", "v7 r7", cell={0: ["r2 b2 g2", "o3 v3 y3"]})
    table.do(A, BreakOut(1, cards("r1 b2 g2")))  # neither 15 nor a meld
    assert table.place(1) == table.place(2) == "yard"
    caught(table, "v7")
    assert table.place(1) == table.place(2) == A


def test_single_cell_cards_go_back_to_the_meld_they_left():
    table = ScriptedRound("r1 b2 g6 o7", "o1", "v7 r7", out=[0], cell={0: ["v3 v4 v5 v6"]}, yard=["r5 b5 g5"])
    six = table.state.melds[1].slots[3].id
    table.do(A, Extend(2, (), (six,)))  # three fives and a six: bad
    assert table.laid(1) == "v3 v4 v5"
    caught(table, "v7")
    assert table.laid(1) == "v3 v4 v5 v6" and table.laid(2) == "r5 b5 g5"


def test_D35_a_cell_card_whose_meld_has_moved_by_a_sound_act_goes_to_it_or_if_it_no_longer_fits_to_the_hand():
    for mine, laid, hand in (("o1", "v3 v4 v5 v6", []), ("v6", "v3 v4 v5 v6", ["v6"])):
        table = ScriptedRound("o7 v7", f"{mine} o2", "v7 r7", out=[0, 1], cell={0: ["v3 v4 v5 v6"]}, yard=["r5 b5 g5"])
        table.do(A, Extend(2, (), (table.state.melds[1].slots[3].id,)))  # three fives and a six: bad
        table.do(A, Move((1,)))
        table.pass_turn(A, 1_000)
        if mine == "v6":
            table.do(B, Extend(1, cards("v6")), 2_000)
        table.do(C, Call("meld"), 3_000)
        table.expire("tie")
        assert table.laid(1) == laid and table.place(1) == "yard" and table.laid(2) == "r5 b5 g5"
        assert Counter(table.hand(A)) == Counter(["o7", "v7", *hand])


def test_a_cell_meld_that_was_used_up_is_restored():
    table = ScriptedRound("b2 o7", "o1", "v7 r7", out=[0], cell={0: ["v3 v4 v5"]})
    every = tuple(slot.id for slot in table.state.melds[1].slots)
    (event,) = table.do(A, Lay(cards("b2"), every))
    assert event.fault == "kind"  # type: ignore[attr-defined]  # it is a Played
    assert table.laid(1) is None
    caught(table, "v7")
    assert table.laid(1) == "v3 v4 v5" and table.place(1) == A and "b2" in table.hand(A)


# ------------------------------------------------------------------------------------------- when others have played on


def test_D32_D34_cards_that_others_put_on_what_is_undone_return_to_their_owners_who_still_count_as_having_played():
    table = ScriptedRound("r2 b2 v6", "g2 o2 b1 o1", "v7 r7", out=[0, 1])
    table.do(A, Lay(cards("r2 b2")))  # two cards: bad
    table.pass_turn(A, 1_000)
    table.do(B, Extend(1, cards("g2")), 2_000)  # now a sound meld; repairing it does not help A
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    table.do(C, Give("v7"), 5_500)
    assert Counter(table.hand(B)) == Counter(["b1", "g2", "o1", "o2"])
    assert Counter(table.hand(A)) == Counter(["r2", "b2", "v6", "v7"])
    table.pass_turn(B, 9_000)
    assert table.state.window is not None and not table.state.window.nothing


def test_D32_cell_cards_of_others_go_back_to_their_cell():
    table = ScriptedRound("r6 b6 v1", "g2 o2 b1 o1", "v7 r7", out=[0, 1], cell={1: ["v3 v4 v5 v6"]})
    before = table.state.melds[1]
    table.do(A, Lay(cards("r6 b6")))
    table.pass_turn(A, 1_000)
    table.do(B, Extend(2, (), (before.slots[3].id,)), 2_000)
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    assert table.laid(1) == "v3 v4 v5 v6" and table.place(1) == B
    assert table.state.melds[1].slots == before.slots  # with their old ids, and as old as they are


def test_D33_an_extracted_wild_stays_and_the_card_that_replaced_it_goes_back_with_the_meld():
    table = ScriptedRound("r5 w v6", "g5 o2", "v7 r7", out=[0, 1])
    table.do(A, Lay(cards("r5 w=5")))  # two cards: bad
    table.pass_turn(A, 1_000)
    wild = next(slot.id for slot in table.state.melds[1].slots if slot.card.face == "w")
    table.do(B, Extract(wild, Card("g5")), 2_000)
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    table.do(C, Give("v7"), 5_500)
    assert Counter(table.hand(B)) == Counter(["w", "o2"])
    assert Counter(table.hand(A)) == Counter(["r5", "g5", "v6", "v7"])


def test_D32_others_cards_on_a_moved_cell_meld_return_when_it_does():
    table = ScriptedRound("r1 b2 g6 o7", "y2 o1", "v7 r7", out=[1], cell={0: ["r2 b2 g2"]})
    table.do(A, BreakOut(1, cards("r1 b2 g6")))  # no meld
    table.pass_turn(A, 1_000)
    table.do(B, Extend(1, cards("y2")), 2_000)
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    assert table.laid(1) == "r2 b2 g2" and table.place(1) == A and "y2" in table.hand(B)


def test_the_round_card_stays_when_others_built_on_what_is_undone():
    table = ScriptedRound("r3 v6", "b1 g1 o1", "v7 r7", out=[0, 1])
    table.do(A, Extend(START, cards("r3")))  # two cards: bad
    table.pass_turn(A, 1_000)
    table.do(B, Extend(START, cards("b1 g1")), 2_000)  # adding to a meld that stays bad is bad itself
    assert table.state.acts[0].bad
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    assert table.laid(START) == "r1" and Counter(table.hand(B)) == Counter(["b1", "g1", "o1"])


def given_away(table: ScriptedRound, *acts: BreakOutAction, gift: str) -> None:
    """Let A act in their turn after C has said NEXT in vain, catch C, give a Wild away, and be caught by B."""
    table.state = msgspec.structs.replace(table.state, turn=C)
    table.do(C, Next(), 100)
    table.expire("next")
    for number, act in enumerate(acts):
        table.do(A, act, 1_000 + number)
    table.do(A, Call("draw"), 1_200)
    table.expire("tie")
    table.do(A, Give(gift), 4_000)
    total = table.count()
    table.do(A, Next(), 9_000)
    table.expire("next")
    table.do(B, Call("meld"), 9_600)
    table.expire("tie")
    assert table.count() == total and gift in table.hand(C)


def test_D64_an_extraction_stays_if_its_wild_was_given_away_and_the_bad_meld_can_be_pointed_at():
    table = ScriptedRound("g4 o7", "v7 r7", "o1", out=[0], yard=["r5 b5 w=5"])
    wild = table.state.melds[1].slots[2].id
    given_away(table, Extract(wild, Card("g4")), gift="w")
    assert table.laid(1) == "g4 r5 b5" and table.hand(A) == ["o7"] and is_bad(table.state, table.state.melds[1])
    table.do(B, Give("v7"), 12_000)
    table.pass_turn(B, 15_000)
    table.do(C, Draw(), 15_500)
    table.pass_turn(C, 21_000)
    assert table.do(B, Point(1), 27_000)[0].right  # type: ignore[attr-defined]  # it is a Pointed


def test_D64_a_wild_of_the_same_kind_takes_the_place_of_one_that_was_given_away():
    table = ScriptedRound("g4 o7 w", "v7 r7", "o1", out=[0], yard=["r5 b5 w=5"])
    wild = table.state.melds[1].slots[2].id
    given_away(table, Extract(wild, Card("g4")), gift="w")
    assert table.laid(1) == "r5 b5 w=5" and table.hand(A) == ["g4", "o7"]
    other = ScriptedRound("g4 o7 w", "v7 r7", "o1", out=[0], yard=["r5 b5 s=5"])
    wild = other.state.melds[1].slots[2].id
    given_away(other, Extract(wild, Card("g4")), gift="s")
    assert other.laid(1) == "g4 r5 b5" and other.hand(A) == ["o7", "w"], "a Wild is no Super Wild"


def test_D64_a_meld_that_stays_goes_to_the_cell_with_the_card_that_was_laid_for_a_wild_given_away():
    table = ScriptedRound("r1 b2 g6 s w g4 v2 o7", "v7 r7", "o1")
    bad, laid = BreakOut(1, cards("r1 b2 g6")), Lay(cards("s=g2 w=g3 g4"))
    place = table.state.names + 3  # after the three cards of the break-out: the first card laid
    given_away(table, bad, laid, Extract(place, Card("v2")), gift="s")
    assert not table.state.out[A] and table.place(2) == A
    assert Counter(str(table.laid(2)).split()) == Counter(["v2", "w=g3", "g4"])
    assert Counter(table.hand(A)) == Counter(["r1", "b2", "g6", "o7"])


def test_D32_under_rules_3_an_exchanged_wild_that_was_given_away_is_made_good_by_one_that_comes_back_to_hand():
    """A lays a Wild badly, extracts another, and gives that one away: the one that was laid replaces it."""
    table = under_rules_3(ScriptedRound("r2 w g5 o7", "v7 r7", "o1", out=[0], yard=["r5 b5 w=5"]))
    table.state = msgspec.structs.replace(table.state, turn=C)
    table.do(C, Next(), 100)
    table.expire("next")
    wild = table.state.melds[1].slots[2].id
    table.do(A, Lay(cards("r2 w=2")), 1_000)  # two cards: bad
    table.do(A, Extract(wild, Card("g5")), 1_100)
    table.do(A, Call("draw"), 1_200)
    table.expire("tie")
    table.do(A, Give("w"), 4_000)
    table.do(A, Next(), 9_000)
    table.expire("next")
    table.do(B, Call("meld"), 9_600)
    table.expire("tie")
    assert table.laid(1) == "r5 b5 w=5" and "w" in table.hand(C)
    assert Counter(table.hand(A)) == Counter(["r2", "g5", "o7"])


def test_D31_two_exchanges_in_one_place_are_both_undone_though_the_wild_between_them_was_given_away():
    """A lays a Wild for a Super Wild, takes it up again for a card of the cell, and gives it away as a catcher."""
    table = ScriptedRound("w o7", "v7 r7", "o1", out=[0], cell={0: ["r5 b5 g5 o5"]}, yard=["y5 v5 s=5"])
    table.state = msgspec.structs.replace(table.state, turn=C)
    table.do(C, Next(), 100)
    table.expire("next")
    place = next(slot.id for slot in table.state.melds[2].slots if slot.card.wild)
    five = next(slot.id for slot in table.state.melds[1].slots if slot.card.face == "o5")
    table.do(A, Extract(place, Card("w", "5")), 1_000)  # another Wild: bad
    table.do(A, Extract(place, Card("o5"), five), 1_100)
    table.do(A, Call("draw"), 1_200)
    table.expire("tie")
    table.do(A, Give("w"), 4_000)
    table.pass_turn(A, 9_000)
    table.do(B, Call("meld"), 9_600)
    table.expire("tie")
    assert Counter(str(table.laid(1)).split()) == Counter(["r5", "b5", "g5", "o5"])
    assert table.laid(2) == "y5 v5 s=5" and "w" in table.hand(C) and table.hand(A) == ["o7"]


# ------------------------------------------------------------------------------------------------- who cannot go home


def test_D35_a_cell_card_whose_meld_has_since_moved_to_the_yard_goes_to_its_owners_hand():
    table = ScriptedRound("r4 b4 v6", "o1 y1", "v7 r7", out=[0, 1], cell={1: ["v3 v4 v5 v6"]})
    total, six = table.count(), table.state.melds[1].slots[3].id
    table.do(A, Lay(cards("r4 b4")))  # two cards: bad
    table.pass_turn(A, 1_000)
    table.do(B, Extend(2, (), (six,)), 2_000)
    table.do(B, Move((1,)), 2_100)
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    assert table.count() == total
    assert table.laid(1) == "v3 v4 v5" and table.place(1) == "yard"
    assert Counter(table.hand(B)) == Counter(["o1", "y1", "v6"])


def test_D35_a_cell_card_that_its_meld_cannot_take_any_more_goes_to_its_owners_hand():
    """B took the last card of a run for A's bad meld, then the one before it for a sound one, which leaves a gap."""
    table = ScriptedRound("r7 b7 o2", "o1 y1", "v7 r7", out=[0, 1], cell={1: ["v2 v3 v4 v5 v6 v7"]}, yard=["r6 b6 g6"])
    names = [slot.id for slot in table.state.melds[1].slots]
    table.do(A, Lay(cards("r7 b7")))
    table.pass_turn(A, 1_000)
    table.do(B, Extend(3, (), (names[5],)), 2_000)
    table.do(B, Extend(2, (), (names[4],)), 2_100)
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    assert table.laid(1) == "v2 v3 v4 v5" and table.laid(2) == "r6 b6 g6 v6"
    assert Counter(table.hand(B)) == Counter(["o1", "y1", "v7"])


def test_D35_a_cell_card_that_its_meld_can_take_goes_home_though_another_has_left_that_meld_since():
    table = ScriptedRound("r7 b7 o2", "o1 y1", "v7 r7", out=[0, 1], cell={1: ["v2 v3 v4 v5 v6"]}, yard=["r2 b2 g2"])
    names = [slot.id for slot in table.state.melds[1].slots]
    table.do(A, Lay(cards("r7 b7")))  # two cards: bad
    table.pass_turn(A, 1_000)
    table.do(B, Extend(3, (), (names[4],)), 2_000)
    table.do(B, Extend(2, (), (names[0],)), 2_100)
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    assert table.laid(1) == "v3 v4 v5 v6" and table.laid(2) == "r2 b2 g2 v2"
    assert Counter(table.hand(B)) == Counter(["o1", "y1"])


def test_D35_a_whole_cell_meld_added_to_an_undone_meld_is_restored():
    table = ScriptedRound("r7 b7 o2", "o1 y1", "v7 r7", out=[0, 1], cell={1: ["v2 v3 v4"]})
    names = tuple(slot.id for slot in table.state.melds[1].slots)
    table.do(A, Lay(cards("r7 b7")))
    table.pass_turn(A, 1_000)
    table.do(B, Extend(2, (), names), 2_000)
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    assert table.laid(1) == "v2 v3 v4" and table.place(1) == B and len(table.hand(B)) == 2


def test_the_cell_card_of_an_extraction_that_is_undone_goes_back_to_its_cell_meld():
    table = ScriptedRound("o7 v7", "o1", "v7 r7", out=[0], cell={0: ["b2 b3 b4 b5"]}, yard=["r5 g5 w=5"])
    wild, two = table.state.melds[2].slots[2].id, table.state.melds[1].slots[0].id
    table.do(A, Extract(wild, Card("b2"), two))
    assert table.laid(1) == "b3 b4 b5" and table.laid(2) == "b2 r5 g5"
    caught(table, "v7")
    assert table.laid(1) == "b2 b3 b4 b5" and table.laid(2) == "r5 g5 w=5" and table.hand(A) == ["o7", "v7", "v7"]


def test_D56_a_wild_returns_to_the_cell_as_declared_there_and_its_meld_is_sound_again():
    table = ScriptedRound("o7 v7", "o1", "v7 r7", out=[0], cell={0: ["r1 r2 r3 w=r4"]}, yard=["b2 g2 w=2"])
    given = next(slot.id for slot in table.state.melds[1].slots if slot.card.wild)
    taken = next(slot.id for slot in table.state.melds[2].slots if slot.card.wild)
    (event,) = table.do(A, Extract(taken, Card("w", "2"), given))
    assert event.fault == "swap"  # type: ignore[attr-defined]  # it is a Played
    caught(table, "v7")
    assert table.laid(1) == "r1 r2 r3 w=r4" and table.laid(2) == "b2 g2 w=2"
    assert not is_bad(table.state, table.state.melds[1])


@pytest.mark.parametrize(
    ("card", "code"),
    [
        (Card("w", "zz"), "no-stand"),
        (Card("w", ""), "no-stand"),
        (Card("r3", "r3"), "not-a-wild"),
        (Card("zz"), "no-card"),
    ],
)
def test_D19_what_a_card_of_the_cell_is_said_to_be_in_a_swap_is_judged_like_that_of_the_hand(card: Card, code: str):
    table = ScriptedRound("o7 v7", "o1", "v7 r7", out=[0], cell={0: ["r1 r2 r3 w=r4"]}, yard=["b2 g2 w=2"])
    given = next(slot.id for slot in table.state.melds[1].slots if slot.card.wild == card.wild)
    taken = next(slot.id for slot in table.state.melds[2].slots if slot.card.wild)
    assert table.refused(A, Extract(taken, card, given)).code == code


def test_D19_a_stored_swap_with_an_impossible_declaration_is_still_read_and_undone():
    table = ScriptedRound("o7 v7", "o1", "v7 r7", out=[0], cell={0: ["r1 r2 r3 w=r4"]}, yard=["b2 g2 w=2"])
    given = next(slot.id for slot in table.state.melds[1].slots if slot.card.wild)
    taken = next(slot.id for slot in table.state.melds[2].slots if slot.card.wild)
    stored = to_json(Played(A, Extract(taken, Card("w", "zz"), given), "swap"))
    table.state = GAME.fold([GAME.read_event(stored)], table.state)
    caught(table, "v7")
    assert table.laid(1) == "r1 r2 r3 w=r4" and table.laid(2) == "b2 g2 w=2"


def test_D32_under_rules_3_a_hand_card_that_went_by_the_cell_to_the_yard_goes_back_to_the_hand():
    """All in one turn: added to a cell meld, out with a Super Wild, and on to the Yard as a cell card."""
    table = under_rules_3(ScriptedRound("r1 b2 g6 b4 s o7", "o1", "v7 r7", cell={0: ["r4 g4 o4"]}, yard=["b5 b6 b7"]))
    table.do(A, Lay(cards("r1 b2 g6")))  # bad
    table.do(A, Extend(1, cards("b4")))
    four = next(slot.id for slot in table.state.melds[1].slots if slot.card.face == "b4")
    table.do(A, BreakOut(4, cards("s")))
    table.do(A, Extend(2, (), (four,)))
    caught(table, "v7")
    assert table.laid(1) == "r4 g4 o4" and table.laid(2) == "b5 b6 b7" and not table.state.out[A]
    assert Counter(table.hand(A)) == Counter(["r1", "b2", "g6", "b4", "s", "o7", "v7"])


def test_an_exchange_is_not_undone_with_a_card_that_another_player_has_put_there_since():
    """B exchanges A's exchange; A is caught, and the Wild goes back; then B is caught, and it stays there."""
    table = ScriptedRound("w o7", "d o1", "v7 r7", out=[0, 1], yard=["r5 b5 s=5"])
    place = next(slot.id for slot in table.state.melds[1].slots if slot.card.face == "s")
    table.do(A, Extract(place, Card("w", "5")))  # another Wild: bad
    table.pass_turn(A, 1_000)
    table.do(B, Extract(place, Card("d")), 2_000)  # bad, too
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    table.do(C, Give("v7"), 5_000)
    assert table.laid(1) == "r5 b5 s=5" and "w" in table.hand(B) and "d" in table.hand(A)
    table.pass_turn(B, 9_000)
    table.do(C, Call("meld"), 9_500)
    table.expire("tie")
    assert table.laid(1) == "r5 b5 s=5" and "w" in table.hand(B) and "s" not in table.hand(B)


# ------------------------------------------------------------------------------------------ undoing the same meld twice


def both_caught(mine: str, *acts: BreakOutAction) -> ScriptedRound:
    """Return a table at which A put a card too many on the Yard meld 2, B acted on it, and both are caught, A first."""
    table = ScriptedRound("o7 v7", mine, "y7 g7 r1 b1", out=[0, 1, 2], cell={1: ["v2 v3 v4"]}, yard=["r5 b5 g5"])
    table.do(A, Extend(2, cards("o7")))  # three fives and a seven: bad
    table.pass_turn(A, 1_000)
    for number, act in enumerate(acts):
        table.do(B, act, 2_000 + number)
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    table.do(C, Give("y7"), 5_000)
    assert table.laid(2) == "r5 b5 g5" and table.hand(A) == ["y7", "o7", "v7"]
    table.pass_turn(B, 9_000)
    table.do(C, Call("meld"), 9_500)
    table.expire("tie")
    table.do(C, Give("g7"), 12_000)
    return table


def test_D34_undoing_the_same_meld_twice_leaves_it_as_it_was_before_both():
    table = both_caught("y5 o2", Extend(2, cards("y5")))
    assert table.laid(2) == "r5 b5 g5" and Counter(table.hand(B)) == Counter(["y5", "o2", "g7"])
    assert not is_bad(table.state, table.state.melds[2]) and table.state.melds[2].changed == LONG_AGO
    (event,) = table.do(C, Point(2), 13_000)
    assert not event.right  # type: ignore[attr-defined]  # it is a Pointed


def test_D34_a_second_undoing_sets_nothing_back_that_others_rightly_did():
    """B's bad addition is undone with A's; B's own cell meld, moved before it and sound, stays in the Yard."""
    table = both_caught("y5 o2", Move((1,)), Extend(2, cards("y5")))
    assert table.place(1) == "yard" and table.laid(1) == "v2 v3 v4"
    assert not is_bad(table.state, table.state.melds[1])


def test_D34_cell_melds_of_others_never_leave_their_cells_by_an_undoing():
    table = both_caught("y5 o2", Extend(2, cards("y5")))
    assert table.place(1) == B


def test_a_wild_that_the_next_inmate_exchanged_survives_their_own_undoing_when_it_was_sound():
    table = ScriptedRound("o7 v7", "b5 o2 r1 b1", "y7 g7", out=[0, 1, 2], yard=["r5 g5 w=5"])
    wild = table.state.melds[1].slots[2].id
    table.do(A, Extend(1, cards("o7")))
    table.pass_turn(A, 1_000)
    table.do(B, Extract(wild, Card("b5")), 2_000)  # A's seven is there: the meld is bad, the exchange is not
    table.do(B, Lay(cards("r1 b1")), 2_100)  # bad
    table.do(C, Call("meld"), 3_000)
    table.expire("tie")
    table.do(C, Give("y7"), 5_000)
    assert table.laid(1) == "r5 b5 g5" and "w" in table.hand(B)
    table.pass_turn(B, 9_000)
    table.do(C, Call("meld"), 9_500)
    table.expire("tie")
    assert table.laid(1) == "r5 b5 g5" and {"w", "r1", "b1"} <= set(table.hand(B))


# ------------------------------------------------------------------------------------------------------------- pointers


def test_D46_a_breach_of_the_cells_limits_counts_only_while_the_meld_lies_in_the_cell():
    table = ScriptedRound("r5 b5 g5 s o7", "o1", "v7 r7", cell={0: ["r2 b2 g2"]})
    table.do(A, Lay(cards("r5 b5 g5")))
    table.do(A, BreakOut(4, cards("s"), moves=(2,)))
    table.pass_turn(A, 1_000)
    table.do(B, Draw(), 2_000)
    table.pass_turn(B, 7_000)
    assert not table.do(C, Point(2), 8_000)[0].right  # type: ignore[attr-defined]  # it is a Pointed
    inside = ScriptedRound("r5 b5 g5 s o7", "o1", "v7 r7")
    inside.do(A, Lay(cards("r5 b5 g5")))
    inside.pass_turn(A, 1_000)
    inside.do(B, Draw(), 2_000)
    inside.pass_turn(B, 7_000)
    assert inside.do(C, Point(1), 8_000)[0].right  # type: ignore[attr-defined]  # it is a Pointed


@pytest.mark.parametrize(("added", "meld", "bad"), [("", 3, False), ("r1", 3, True), ("r1", 1, False)])
def test_D46_the_cards_beyond_the_ninth_make_the_meld_bad_on_which_they_lie_and_no_other(
    added: str, meld: int, bad: bool
):
    nine = {0: ["r2 b2 g2", "r3 b3 g3", "o1 v1 y1"]}
    table = ScriptedRound("r1 b5 o7", "o1", "v7 r7", cell=nine)
    if added:
        table.do(A, Extend(3, cards(added)))
    table.pass_turn(A, 1_000)
    table.do(B, Draw(), 2_000)
    table.pass_turn(B, 7_000)
    (event,) = table.do(C, Point(meld), 8_000)
    assert event.right == bad  # type: ignore[attr-defined]  # it is a Pointed


def test_D46_a_meld_that_was_repaired_is_no_longer_bad_for_pointers():
    table = ScriptedRound("r2 b2 v6 o7", "g2 o2 b1 o1", "v7 r7", out=[0, 1])
    table.do(A, Lay(cards("r2 b2")))
    table.pass_turn(A, 1_000)
    table.do(B, Extend(1, cards("g2")), 2_000)
    assert not table.state.acts[0].bad  # nor is adding to it
    table.pass_turn(B, 7_000)
    table.do(C, Draw(), 8_000)
    table.pass_turn(C, 13_000)
    (event,) = table.do(A, Point(1), 14_000)
    assert not event.right and table.laid(1) == "r2 b2 g2"  # type: ignore[attr-defined]  # it is a Pointed


def test_D23_the_play_that_was_bad_stays_catchable_in_its_window_when_the_next_inmate_has_repaired_it():
    table = ScriptedRound("r2 b2 v6 o7", "g2 o2 b1 o1", "v7 r7", out=[0, 1])
    table.do(A, Lay(cards("r2 b2")))
    table.pass_turn(A, 1_000)
    table.do(B, Extend(1, cards("g2")), 2_000)
    (event,) = table.do(C, Call("meld"), 3_000)
    assert event.right  # type: ignore[attr-defined]  # it is a Called


def test_R32_D44_a_break_out_by_a_meld_pointed_at_later_stays_and_all_cards_of_the_meld_leave():
    table = ScriptedRound("r4 b4 g5 o7", "o1 o5", "v7 r7", out=[1])
    table.do(A, BreakOut(1, cards("r4 b4 g5")))
    table.pass_turn(A, 1_000)
    table.do(B, Extend(1, cards("o5")), 2_000)
    table.pass_turn(B, 7_000)
    table.do(C, Draw(), 8_000)
    table.pass_turn(C, 13_000)
    table.do(B, Point(1), 14_000)
    assert table.state.out[A] and sorted(table.state.aside) == ["b4", "g5", "o5", "r4"]


# --------------------------------------------------------------------------------------------------------- conservation


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from((3, 4, 5)))
def test_D35_no_card_is_lost_or_doubled_however_people_cheat_call_and_catch(seed: int, rules: int):
    play_at_random(seed, 130, rules=rules)


def test_riots_bring_up_what_undoing_has_to_do_with():
    seen: Counter[str] = Counter()
    for seed in range(40):
        seen += play_at_random(seed, 130)
    for kind in ("size", "kind", "natural", "swap"):
        assert seen[f"Played {kind}"], kind
    for code in ("late-call", "not-open", "breaks-meld", "settling", "too-fresh"):
        assert seen[f"no {code}"], code
    assert seen["Caught meld"] > 60
    assert min(seen[name] for name in ("Caught draw", "Given", "Pointed", "WindowClosed", "WindowShut", "TimedOut")) > 5


def test_long_games_of_bad_play_end():
    seen: Counter[str] = Counter()
    for seed in range(2):
        seen += play_randomly(seed, 12_000)
    assert seen["over"] == 2


def test_random_games_of_two_to_six_end():
    """Random sound play, with the windows left to the clock."""
    for seed in range(25):
        rng, seats = random.Random(seed), 2 + seed % 5
        options = BreakOutOptions(rounds=1, clock=0, referee=rng.choice(("honour", "strict")))
        events = GAME.setup(seats, options, MATERIAL, BEGIN, Chance(seed_bytes(seed), "t", 0))
        state, at = GAME.fold(events), BEGIN
        seat: Seat | None
        action: BreakOutAction | ClockAction
        for _ in range(3_000):
            if state.over:
                break
            deadline = earliest(GAME, state)
            if deadline is not None:
                at = Moment(max(at, deadline.due))
                seat, action = None, Expire(deadline.id)
            else:
                seat = state.turn
                action = rng.choice(list(GAME.legal(state, seat)))
            state = GAME.fold(GAME.decide(state, seat, action, at, Chance(seed_bytes(seed), "t", 9)), state)
        assert state.over, seed
