"""Match Five on screen: names of places, plays in one line, the panel's drafts, secrecy of all that is rendered."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.core.messages.cockpit import cockpit_page, table_page
from cogs.core.messages.page import Button, Page, Picture, Row, Select, Text
from cogs.core.router import custom_ids
from cogs.core.router.custom_ids import Control
from cogs.core.screen import Sitter, TableInfo
from cogs.match_five import MatchFiveScreen, picture
from cogs.match_five.laying import PAGE, Draft, left_of, panel, points_of, read_draft, spots
from cogs.match_five.words import (
    column_name,
    column_number,
    place_name,
    read_place,
    read_play,
    written,
)
from engine.chance import SEED_BYTES, Chance
from engine.contract import Moment, Seat
from engine.games.match_five import GAME, TILES, WILD, Laying, MatchFiveOptions, MatchFiveView, Play, Stone
from tests.engine.playouts import play

SCREEN = MatchFiveScreen()
FAR = st.integers(-130, 130)
"""A chain of all tiles reaches so far, left, right, up and down together."""

LAYINGS = st.builds(
    lambda tile, as_, x, y: Laying(tile, x, y, 1, as_ if tile == WILD else None),
    st.sampled_from((*TILES, WILD)),
    st.sampled_from(TILES),
    FAR,
    FAR,
)


def card(seats: int) -> TableInfo:
    sitters = tuple(Sitter(Seat(seat), f"Player {seat}", 100 + seat) for seat in range(seats))
    return TableInfo(3, sitters, GAME.options(), due=None, commitment="c" * 64)


def text_of(page: Page) -> str:
    return "\n".join(block.body for block in page.blocks if isinstance(block, Text))


@given(st.integers(-100_000, 100_000))
def test_a_columns_name_is_read_back(x: int):
    assert column_number(column_name(x)) == x


@given(FAR, FAR)
def test_a_places_name_is_read_back_in_any_case(x: int, y: int):
    assert read_place(place_name(x, y)) == read_place(place_name(x, y).lower()) == (x, y)


@given(st.lists(LAYINGS, max_size=5, unique_by=lambda one: (one.x, one.y)))
def test_a_play_is_read_back_from_what_is_written(layings: list[Laying]):
    assert read_play(" ".join(map(written, layings)), ()) == tuple(layings)


def test_a_tile_goes_on_top_of_what_lies_at_its_place_by_then():
    stones = (Stone(0, 0, 1, "r3"), Stone(0, 0, 2, "b3"))
    assert read_play("g3@M12, Y3@m12 w=o3@N12", stones) == (
        Laying("g3", 0, 0, 3),
        Laying("y3", 0, 0, 4),
        Laying(WILD, 1, 0, 1, "o3"),
    )


@pytest.mark.parametrize("words", ["r3", "r3@", "@M12", "r9@M12", "r3@12M", "w=@M12", "r3@M12;", "r3@M12345678"])
def test_other_words_are_no_play(words: str):
    assert read_play(words, ()) is None


@given(st.lists(LAYINGS, max_size=5, unique_by=lambda one: (one.x, one.y)), st.integers(0, 99))
def test_a_draft_fits_into_a_control_however_far_the_board_has_grown(layings: list[Laying], page: int):
    layings = [one for one in layings if abs(one.x) + abs(one.y) <= 130]
    wilds = [one for one in layings if one.tile == WILD]
    layings = [one for one in layings if one.tile != WILD] + wilds[:1]  # one a turn
    argument = Draft(tuple(layings), "r5", page).argument() + ";down"
    assert len(custom_ids.custom_id(10**9, 999, "draft", argument)) <= 100


def test_the_places_of_a_tile_are_all_legal_the_best_first_and_their_points_are_those_of_the_play():
    playout = play(GAME, 5, seats=2, options=MatchFiveOptions(copies=3))
    seen = 0
    for state in playout.running[::7]:
        view = GAME.view(state, GAME.view(state, None).waiting[0])
        assert isinstance(view, MatchFiveView)
        for tile in left_of(view, Draft()):
            found = spots(view, Draft((), tile))
            assert [points for points, _ in found] == sorted((points for points, _ in found), reverse=True)
            for points, laying in found[:3]:
                assert points == points_of(view, (laying,))
                events = GAME.decide(
                    state, view.turn, Play((laying,)), Moment(10**12), Chance(bytes(SEED_BYTES), "t", 0)
                )
                assert events[0].points == points
                seen += 1
    assert seen > 20


def test_the_panel_offers_every_place_page_by_page():
    playout = play(GAME, 6, seats=2)
    state = next(state for state in reversed(playout.running) if WILD in state.hands[GAME.view(state, None).waiting[0]])
    view = GAME.view(state, GAME.view(state, None).waiting[0])
    assert isinstance(view, MatchFiveView)
    every = [written(laying) for _, laying in spots(view, Draft((), WILD))]
    offered: list[str] = []
    for number in range(-(-len(every) // PAGE)):
        shown = panel(view, Draft((), WILD, number), 0)
        (menu,) = (block for block in shown.blocks if isinstance(block, Select) and block.verb == "place")
        offered += [choice.value for choice in menu.choices]
    assert offered == every and len(every) > PAGE


def test_a_draft_of_something_else_is_none():
    view = GAME.view(play(GAME, 1).start, Seat(0))
    assert isinstance(view, MatchFiveView)
    for argument in ("", ";", ";;", ";;-1", ";;1234", ";;²", "r9@M12;;0", "r1@M12;x;0", "r1@M12;r1;0;0"):
        assert read_draft(argument, view) is None


def test_everything_that_is_rendered_stays_the_same_when_others_hold_other_tiles_and_the_bag_lies_otherwise():
    playout = play(GAME, 8, seats=3)
    about = card(3)
    for state in playout.running[::9]:
        for reader in (None, *map(Seat, range(3))):
            other = next(seat for seat in range(3) if seat != reader)
            hands = list(state.hands)
            swapped = tuple(reversed(state.bag))
            taken = min(len(hands[other]), len(swapped))
            hands[other], bag = (
                (*swapped[:taken], *hands[other][taken:]),
                (*hands[other][:taken], *swapped[taken:]),
            )
            changed = msgspec.structs.replace(state, hands=tuple(hands), bag=bag)
            for render in (
                lambda view: table_page(SCREEN, view, about).digest(),
                lambda view: SCREEN.text(view, about),
                lambda view: SCREEN.advice(view, about, ()),
                lambda view: cockpit_page(SCREEN, view, about).digest(),
                lambda view: SCREEN.press(view, about, Control(3, 0, "sheet")).digest(),
            ):
                assert render(GAME.view(state, reader)) == render(GAME.view(changed, reader))


def test_the_score_sheet_tells_which_lines_scored_what_and_can_be_leafed_through():
    playout = play(GAME, 1, seats=2, options=MatchFiveOptions(copies=3))
    view = GAME.view(playout.states[-1], None)
    last = SCREEN.press(view, card(2), Control(3, 0, "sheet"))
    first = SCREEN.press(view, card(2), Control(3, 0, "sheet", "0.up"))
    assert isinstance(last, Page) and isinstance(first, Page)
    assert "row " in text_of(first) + text_of(last)
    leaf = [block for block in first.blocks if isinstance(block, Row)]
    labels = [button.label for button in leaf[0].buttons if isinstance(button, Button)]
    assert labels[0] == "◀ Earlier" and labels[1].startswith("1 of ")


def test_pictures_are_small_the_same_every_time_and_told_in_words():
    for seed in range(3):
        for state in play(GAME, seed).states[::23]:
            view = GAME.view(state, None)
            assert isinstance(view, MatchFiveView)
            data = picture.draw(view)
            assert data == picture.draw(view) and len(data) <= 60_000
            assert 0 < len(picture.alt(view, [f"Player {seat}" for seat in range(len(view.scores))])) <= 1_024
            assert max(map(len, picture.as_text(view).splitlines())) <= 60


def test_the_end_says_what_was_left_in_hands_and_who_won():
    playout = play(GAME, 4, seats=3)
    page = table_page(SCREEN, GAME.view(playout.states[-1], None), card(3))
    text = text_of(page)
    assert "★" in text and all(f"**{score}**" in text for score in playout.outcome.scores)
    assert [block for block in page.blocks if isinstance(block, Picture)]
