"""Match Five's UI: names of places, plays in one line, drafts in controls, the score sheet, the end."""

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.translation import ENGLISH, speaking
from cogs.core.pages.custom_ids import ComponentPress, custom_id
from cogs.core.pages.page import Button, Page, Picture, Row
from cogs.core.pages.player_page import table_page
from cogs.match_five import picture
from cogs.match_five.alt_text import alt
from cogs.match_five.draft import Draft, read_draft
from cogs.match_five.ui import MatchFiveUI
from cogs.match_five.words import (
    column_letters,
    column_number,
    dump_laying,
    place_name,
    read_place,
    read_play,
    written,
)
from engine.contract import Seat
from engine.games.match_five import GAME, TILES, WILD, Laying, MatchFiveOptions, MatchFiveView, Stone
from tools.harness.pages import same_picture, seated, text_of
from tools.harness.playouts import begin, play

UI = MatchFiveUI()
FAR = st.integers(-130, 130)
"""The length of a chain of all tiles, in any direction."""

LAYINGS = st.builds(
    lambda tile, as_, x, y: Laying(tile, x, y, 1, as_ if tile == WILD else None),
    st.sampled_from((*TILES, WILD)),
    st.sampled_from(TILES),
    FAR,
    FAR,
)


@given(st.integers(-100_000, 100_000))
def test_a_columns_letters_are_read_back(x: int):
    assert column_number(column_letters(x)) == x


@given(FAR, FAR)
def test_a_places_name_is_read_back_in_any_case(x: int, y: int):
    letters = f"{column_letters(x)}{y + 12}"  # as an earlier version wrote it
    assert read_place(place_name(x, y)) == read_place(letters) == read_place(letters.lower()) == (x, y)
    assert not re.search("[A-Za-z]", place_name(x, y))


@given(st.lists(LAYINGS, max_size=5, unique_by=lambda one: (one.x, one.y)))
def test_a_play_is_read_back_from_what_is_written(layings: list[Laying]):
    assert read_play(" ".join(map(written, layings)), ()) == tuple(layings)
    assert read_play(" ".join(map(dump_laying, layings)), ()) == tuple(layings)


def test_a_tile_goes_on_top_of_what_lies_at_its_place_by_then():
    stones = (Stone(0, 0, 1, "r3"), Stone(0, 0, 2, "b3"))
    assert read_play("g3@12/12, Y3@M12 w=o3@13/12", stones) == (
        Laying("g3", 0, 0, 3),
        Laying("y3", 0, 0, 4),
        Laying(WILD, 1, 0, 1, "o3"),
    )


@pytest.mark.parametrize(
    "words",
    ["r3", "r3@", "@M12", "r9@M12", "r3@12M", "w=@M12", "r3@M12;", "r3@M12345678", "r3@12", "r3@12/", "r3@M/12"],
)
def test_other_words_are_no_play(words: str):
    assert read_play(words, ()) is None


@given(st.lists(LAYINGS, max_size=5, unique_by=lambda one: (one.x, one.y)), st.integers(0, 99))
def test_a_draft_fits_into_a_control_however_far_the_board_has_grown(layings: list[Laying], page: int):
    layings = [one for one in layings if abs(one.x) + abs(one.y) <= 130]
    wilds = [one for one in layings if one.tile == WILD]
    layings = [one for one in layings if one.tile != WILD] + wilds[:1]  # one per turn
    argument = Draft(tuple(layings), page).argument("t4")
    assert len(custom_id(10**9, 999, "draft", argument)) <= 100


def test_a_draft_of_something_else_is_none():
    view = GAME.view(begin(GAME, 1), Seat(0))
    assert isinstance(view, MatchFiveView)
    for argument in ("", ";", ";;", ";;-1", ";;1234", ";;²", "r9@M12;;0", "r1@M12;x;0", "r1@M12;r1;0;0"):
        assert read_draft(argument, view) is None


@pytest.mark.parametrize(
    ("argument", "draft"),
    [
        ("r3@M12 w=b3@N12;;2", Draft((Laying("r3", 0, 0, 1), Laying(WILD, 1, 0, 1, "b3")), 2)),
        ("r3@-A9;;0", Draft((Laying("r3", -13, -3, 1),))),
        ("r3@M12;4;1", Draft((Laying("r3", 0, 0, 1),), 1, held=4)),
    ],
)
def test_what_controls_of_former_versions_carry_still_means_the_same(argument: str, draft: Draft):
    view = GAME.view(begin(GAME, 1), Seat(0))
    assert isinstance(view, MatchFiveView)
    assert read_draft(argument, view) == draft
    assert draft.argument() == argument


def test_the_score_sheet_says_which_lines_scored_what_and_has_pages():
    playout = play(GAME, 1, seats=2, options=MatchFiveOptions(copies=3))
    view = GAME.view(playout.states[-1], None)
    last = UI.press(view, seated(GAME.options(), 2), ComponentPress(3, 0, "sheet"))
    first = UI.press(view, seated(GAME.options(), 2), ComponentPress(3, 0, "sheet", "0.up"))
    assert isinstance(last, Page) and isinstance(first, Page)
    told = text_of(first) + text_of(last)
    assert "@" not in told and re.search(r"\+\d+ (row|column|stack) of \d", told)
    assert not re.search(r"of \d+ \d", told), "how long a line is and what it scored are two numbers"
    leaf = [block for block in first.blocks if isinstance(block, Row)]
    labels = [button.label for button in leaf[0].buttons if isinstance(button, Button)]
    assert labels[0] == "◀ Previous" and labels[1].startswith("1 of ")


def test_pictures_are_small_deterministic_and_have_an_alt_text():
    for seed in range(3):
        for state in play(GAME, seed).states[::23]:
            view = GAME.view(state, None)
            assert isinstance(view, MatchFiveView)
            data = picture.draw(view)
            assert same_picture(data, picture.draw(view)) and len(data) <= 60_000
            assert 0 < len(alt(view, [f"Player {seat}" for seat in range(len(view.scores))])) <= 1_024


def test_the_end_says_what_was_left_in_hands_and_who_won():
    playout = play(GAME, 4, seats=3)
    page = table_page(UI, GAME.view(playout.states[-1], None), seated(GAME.options(), 3))
    text = text_of(page)
    assert "★" in text and all(f"**{score}**" in text for score in playout.outcome.scores)
    assert [block for block in page.blocks if isinstance(block, Picture)]


def test_the_tiles_left_in_a_hand_are_listed_after_the_colon_of_the_language():
    view = GAME.view(begin(GAME, 1, seats=2), None)
    ended = msgspec.structs.replace(view, turn=None, reason="idle", left=(1, 0), hands=(("r1",), ()))
    (french,) = [language for language in Languages.load().others if language.code == "fr"]
    for language, colon in ((ENGLISH, ":"), (french, "\u00a0:")):
        with speaking(language):
            assert f"(−1{colon} " in text_of(table_page(UI, ended, seated(GAME.options(), 2)))


def test_tiles_just_drawn_are_named_only_beside_others():
    dealt = GAME.view(begin(GAME, 1, seats=2), None)
    assert isinstance(dealt, MatchFiveView) and dealt.turn is not None
    view = GAME.view(begin(GAME, 1, seats=2), Seat(1 - dealt.turn))
    hand = view.hands[1 - dealt.turn]
    assert hand is not None
    for drawn, named in ((hand, False), (hand[:2], True), ((), False)):
        page = Page(tuple(UI.player_blocks(msgspec.structs.replace(view, drawn=drawn), seated(GAME.options(), 2))))
        assert ("You drew" in text_of(page)) is named


def test_a_player_in_the_last_round_reads_on_their_own_turn_that_it_is_their_last():
    playout = play(GAME, 3, lapses=0.0)
    info = seated(playout.options, playout.seats, ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn"))
    (state, *_) = [one for one in playout.running if GAME.view(one, None).last is not None]
    public = GAME.view(state, None)
    assert public.turn is not None and public.last is not None
    own, waits = (UI.status(GAME.view(state, seat), info) for seat in (public.turn, public.last))
    assert "**Your last turn:**" in own and "count against you" in own
    for others in (waits, UI.status(public, info)):
        assert "everyone else has one more turn" in others and "Your last turn" not in others
