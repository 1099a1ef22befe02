"""What a player is told about events: cards that they got unasked, until they act, and everything on request."""

import pytest

from cogs.break_out import log
from cogs.break_out.ui import BreakOutUI
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.emoji_markup import strip
from cogs.core.pages.page import Button, Page, Row
from cogs.core.pages.player_page import seat_page, table_page
from engine.contract import Fact, Seat
from engine.games.break_out import BreakOutOptions, Call, Draw, Give, Lay, Next, PlayDraw
from engine.review import Note as ReviewNote
from tests.cogs.break_out.test_moments import caught
from tests.engine.games.break_out_positions import A, B, C, ScriptedRound, cards
from tools.harness.pages import seated, text_of

UI = BreakOutUI()
OPTIONS = BreakOutOptions(rounds=1, clock=60)


def told(table: ScriptedRound, reader: Seat) -> list[str]:
    """Return the events of a seat, as its own page shows them."""
    return list(map(strip, log.reader_news(table.view(reader), seated(OPTIONS, table.state.seats))))


def own_page(table: ScriptedRound, reader: Seat | None) -> str:
    view, about = table.view(reader), seated(OPTIONS, table.state.seats)
    return strip(text_of((table_page if reader is None else seat_page)(UI, view, about)))


def log_lines(table: ScriptedRound, reader: Seat | None) -> list[str]:
    page = UI.press(table.view(reader), seated(OPTIONS, table.state.seats), ComponentPress(3, 0, "happened"))
    assert isinstance(page, Page)
    return strip(text_of(page)).splitlines()[2:]


def forced(face: str = "d") -> ScriptedRound:
    """Return a table where the first of three has made the others take a card, and has said NEXT."""
    table = ScriptedRound(f"{face} r1 b2", "o1 o3", "o2 y2", out=(0,), pile="v6 g7 v2")
    table.do(A, PlayDraw(face))
    table.pass_turn(A, 1_000)
    return table


@pytest.mark.parametrize(("face", "name"), [("d", "DRAW card"), ("s", "Super Wild")])
def test_only_a_player_who_has_to_take_a_card_reads_which_one_and_why(face: str, name: str):
    table = forced(face)
    for taker, card in ((B, "a violet 6"), (C, "a green 7")):
        (line,) = told(table, taker)
        assert line.endswith(f"**Player 0**'s {name}: you took **{card}**.")
    assert told(table, A) == []
    secret: list[tuple[Seat | None, tuple[str, ...]]] = [(B, ("green 7",)), (C, ("violet 6",))]
    for reader, others in [*secret, (None, ("violet 6", "green 7")), (A, ("violet 6", "green 7"))]:
        for shown in (own_page(table, reader), "\n".join(log_lines(table, reader))):
            assert not any(card in shown for card in others)


def test_a_player_reads_all_that_the_callable_turn_did_also_after_its_draw_card_gave_them_a_card():
    table = ScriptedRound("d r1 b1 g1 v7", "o1 o3", "o2 y2", out=(0,), pile="v6 g7 v2")
    table.do(A, PlayDraw("d"))
    table.do(A, Lay(cards("r1 b1 g1")))
    table.pass_turn(A, 1_000)
    for reader in (B, C):
        shown = own_page(table, reader)
        assert "you took" in shown and "laid red 1, blue 1, green 1 · said NEXT" in shown


def test_the_news_of_a_turn_has_three_acts_besides_next():
    table = ScriptedRound("d r1 b1 g1 r2 b2 g2 v7", "o1 o3", "o2 y2", out=(0,), yard=("r4 b4 g4",))
    table.do(A, PlayDraw("d"))
    table.do(A, Lay(cards("r1 b1 g1")))
    table.do(A, Lay(cards("r2 b2 g2")))
    table.pass_turn(A, 1_000)
    assert "laid red 1, blue 1, green 1 · laid red 2, blue 2, green 2 · said NEXT" in own_page(table, None)
    assert "a DRAW card: everyone else took a card · laid" in own_page(table, None)


def test_a_player_can_point_at_a_meld_from_their_own_page_on_their_turn_and_otherwise():
    table = ScriptedRound("r1 v7", "o1 o3", "o2 y2", yard=("r3 b3 g3",))
    for reader in (A, B):
        page = seat_page(UI, table.view(reader), seated(OPTIONS, table.state.seats))
        buttons = [button for row in page.blocks if isinstance(row, Row) for button in row.buttons]
        assert "point" in [button.verb for button in buttons if isinstance(button, Button)]


def test_a_card_that_came_is_new_until_its_owner_does_something():
    table = forced()
    assert log.new_cards(table.view(B)) == ("v6",) and log.new_cards(table.view(C)) == ("g7",)
    table.do(B, Draw())
    assert log.new_cards(table.view(B)) == ("y1",) and told(table, B) == ["You took **a yellow 1**."]
    assert log.new_cards(table.view(C)) == ("g7",), "it has done nothing yet"
    table.pass_turn(B, 7_000)
    assert log.new_cards(table.view(B)) == () and told(table, B) == []


def test_a_card_that_was_taken_is_shown_until_its_player_has_played():
    table = ScriptedRound("r1 b1 g1 v5", "o1", "o2", place="y4")
    table.do(A, Draw())
    assert told(table, A) == ["You took **a yellow 4**."]
    table.do(A, Lay(cards("r1 b1 g1")))
    assert told(table, A) == [] and log.new_cards(table.view(A)) == ()


def test_a_caught_player_reads_of_both_cards_in_at_most_two_lines_below_the_catch():
    table = ScriptedRound("r1 r2 b4 g6 v7", "o1", "w o2", place="y1")
    table.do(A, Next(), 1_000)
    table.expire("next")
    table.do(C, Call("draw"), 1_500)
    table.expire("tie")
    table.do(C, Give("w"), 4_000)
    lines = told(table, A)
    assert lines[0] == "You had to take **a yellow 1**." and lines[1].endswith("gave you **a Wild**.")
    assert len(lines) == 2 and "caught you with **DRAW!**" in own_page(table, A)
    assert log.new_cards(table.view(A)) == ("y1", "w")
    (line,) = told(table, C)
    assert line.startswith("You gave") and line.endswith("**a Wild**.")
    assert log.new_cards(table.view(C)) == ()


def test_cards_of_a_meld_that_is_undone_are_named_to_their_owner():
    table = caught("o1")
    assert "You got 3 cards back: red 1, blue 4, green 6." in told(table, A)
    assert log.new_cards(table.view(A)) == ("r1", "b4", "g6")
    assert not any("red 1" in line for line in told(table, B))


def test_what_the_clock_did_for_a_player_is_shown_as_the_clocks_doing():
    table = forced()
    table.expire("turn")
    lines = told(table, B)
    assert lines == ["Your time ran out: NEXT was said for you.", "You took **a yellow 1**."]
    assert log.new_cards(table.view(B)) == ("v6", "y1")


def test_the_log_has_all_that_happened_lately_the_newest_last():
    table = forced()
    table.do(B, Draw())
    table.pass_turn(B, 7_000)
    lines = log_lines(table, C)
    assert any("you took **a green 7**" in line for line in lines)
    assert lines[-1].endswith("**Player 1**: took a card · said NEXT"), "one line tells a turn"
    assert "happened" in UI.public_actions


@pytest.mark.parametrize(
    ("facts", "told_so"),
    [
        ({"times": 1, "calls": ("meld",), "cost": ()}, "once (MELD!)."),
        (
            {"times": 2, "calls": ("draw", "draw"), "cost": ("s", "r6")},
            "2 times (DRAW!, cost a Super Wild and a red 6).",
        ),
        ({"times": 3, "calls": ("draw", "meld", "draw"), "cost": ("r1",)}, "3 times (DRAW!, MELD!, cost a red 1)."),
    ],
)
def test_a_review_lists_catches_and_what_they_cost(facts: dict[str, Fact], told_so: str):
    assert UI.review.noted is not None
    words = strip(UI.review.noted(ReviewNote(0, "caught", B, facts), seated(OPTIONS, 3)))
    assert words.endswith(f"**Player 1** was caught {told_so}")
