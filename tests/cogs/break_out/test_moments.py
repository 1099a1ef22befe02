"""Headlines of Break-Out's great moments, worded for each reader, with a small picture."""

from dataclasses import replace

import pytest

from cogs.break_out import moments
from cogs.break_out.ui import BreakOutUI
from cogs.core.pages.game_ui import Highlight
from engine.contract import Seat
from engine.games.break_out import GAME, BreakOut, BreakOutOptions, Call, Draw, Give, Lay, Next
from engine.players import LEVELS
from tests.engine.games.break_out_positions import A, B, C, ScriptedRound, cards
from tools.harness.pages import opened, seated
from tools.harness.playouts import play

UI = BreakOutUI()
OPTIONS = BreakOutOptions(rounds=1, clock=60)


def headline(table: ScriptedRound, reader: Seat | None) -> str:
    found = UI.highlight(table.view(reader), seated(OPTIONS, table.state.seats))
    return "" if found is None else found.headline


def bad_meld(catcher: str = "o1 y3") -> ScriptedRound:
    """A round whose first player has laid a bad meld and said NEXT."""
    table = ScriptedRound("r1 b4 g6 v7", catcher, "o2 y4")
    table.do(A, Lay(cards("r1 b4 g6")), 500)
    table.pass_turn(A, 1_000)
    return table


def caught(catcher: str = "o1 y3") -> ScriptedRound:
    """The same round once the second player has called it."""
    table = bad_meld(catcher)
    table.do(B, Call("meld"), 1_500)
    table.expire("tie")
    return table


def test_a_catch_has_a_headline_for_who_was_caught_for_the_catcher_and_for_all():
    table = caught()
    assert headline(table, A) == "◆\xa0**Player 1** caught you!"
    assert headline(table, B) == "You caught ●\xa0**Player 0**!"
    assert headline(table, C) == headline(table, None) == "◆\xa0**Player 1** caught ●\xa0**Player 0**!"
    table.do(B, Give("o1"), 4_000)
    assert "caught" in headline(table, None), "also while the game goes on"


def test_nothing_is_shown_of_a_call_before_it_is_settled():
    table = bad_meld()
    before = headline(table, None)
    table.do(B, Call("meld"), 1_500)
    assert headline(table, None) == before == ""


def test_a_wrong_call_has_a_headline_until_something_else_happens():
    table = ScriptedRound("r1 b1 g1 v7", "o1 y3", "o2 y4")
    table.do(A, Draw(), 500)
    table.pass_turn(A, 1_000)
    table.do(B, Call("draw"), 1_500)
    assert headline(table, B) == "Your DRAW! was wrong"
    assert headline(table, C) == "◆\xa0**Player 1**'s DRAW! was wrong"
    table.do(B, Draw(), 7_000)
    assert headline(table, C) == ""


def test_a_break_out_has_a_headline_whether_or_not_its_meld_is_good():
    told = []
    for laid in ("r5 b5 g5", "r5 b5 g4"):
        table = ScriptedRound(f"{laid} v7", "o1 y3", "o2 y4")
        table.do(A, BreakOut(1, cards(laid)), 500)
        told.append([headline(table, reader) for reader in (A, B, None)])
    assert told[0] == told[1] == ["You broke out!", *["●\xa0**Player 0** broke out!"] * 2]


def test_a_break_out_after_a_catch_in_the_same_turn_has_the_headline():
    table = caught("o1 r5 b5 g5 y3")
    table.do(B, Give("o1"), 4_000)
    table.do(B, BreakOut(1, cards("r5 b5 g5")), 8_000)
    assert headline(table, A) == "◆\xa0**Player 1** broke out!"


def test_the_words_below_the_headline_of_a_catch_give_the_reason_and_do_not_repeat_who_caught_whom():
    table = caught()
    for reader in (A, B, C, None):
        told = UI.status(table.view(reader), seated(OPTIONS, 3))
        assert told.startswith("▶ **MELD!** – ") and "neither a set nor a run" in told and "caught" not in told


def test_a_won_round_and_the_escape_at_the_end_have_headlines():
    found = set()
    for seed in range(12):
        for state in play(GAME, seed, seats=3, options=BreakOutOptions(rounds=2, clock=60)).states:
            view = GAME.view(state, None)
            told = UI.highlight(view, seated(OPTIONS, 3))
            if view.phase == "over":
                assert isinstance(told, Highlight) and "escaped!" in told.headline and told.picture is not None
                found.add("escape")
            elif view.finished is not None and view.finished.winner is not None:
                assert isinstance(told, Highlight) and "won round 1!" in told.headline
                found.add("round")
    assert "escape" in found


def test_a_round_that_nobody_won_has_a_headline_too():
    for seed in range(60):
        for state in play(GAME, seed, seats=2, options=BreakOutOptions(rounds=2, clock=60)).running:
            view = GAME.view(state, None)
            if view.finished is not None and view.finished.winner is None:
                told = UI.highlight(view, seated(OPTIONS, 2))
                assert told is not None and told.headline == "No one won round 1" and told.picture is not None
                return
    raise AssertionError("somebody won every round")


@pytest.mark.parametrize("scene", ["out", "caught", "wrong", "won"])
def test_a_small_picture_is_square_small_and_differs_by_player(scene: moments.Scene):
    shown = [moments._drawn(scene, Seat(seat)) for seat in range(6)]
    assert len(set(shown)) == 6 and max(map(len, shown)) < 4_000
    assert opened(shown[0]).size == (moments.SIZE, moments.SIZE)


def test_a_hint_is_at_hand_for_ones_own_cards_and_never_where_it_could_accuse_a_person():
    table = ScriptedRound("r1 b4 g6 v7", "o1 y3", "o2 y4")
    people = seated(OPTIONS, 3)
    levels = (None, LEVELS[0], LEVELS[0])
    players = tuple(replace(one, level=level) for one, level in zip(people.seated_players, levels, strict=True))
    bots = replace(people, seated_players=players)
    at_hand = UI.hint_at_hand
    assert [at_hand(table.view(A), info) for info in (people, bots)] == [False, True]
    assert not at_hand(table.view(B), bots), "it is not their turn"
    table.do(A, Next(), 1_000)
    assert not at_hand(table.view(B), bots), "they could only call"
    giving = caught()
    assert at_hand(giving.view(B), people), "it is about the card to give away"
