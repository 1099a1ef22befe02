"""A turn of Match Five on the private page: what fits where, a draft tile by tile, a swap, and who learns of it."""

import functools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import available_moves_text
from cogs.core.pages.page import BoardPlaceholder as BoardPlace
from cogs.core.pages.page import Button, Page, Row, Select
from cogs.core.pages.player_page import seat_page, table_page
from cogs.core.publishing import components_v2
from cogs.core.publishing.hint_page import hint_page
from cogs.core.tables.bots import Hint
from cogs.match_five import picture
from cogs.match_five.draft import (
    BEST_PLACES,
    MORE_PLACES,
    Draft,
    hand_of,
    judge_layings,
    pages_of_places,
    placements,
    points_of,
    stone_of,
    turn_in_progress,
)
from cogs.match_five.layout import BOARD, LEAST_CELL, part_of
from cogs.match_five.ui import MatchFiveUI
from cogs.match_five.words import dump_laying, ring, series_words
from engine.chance import SEED_BYTES, Chance
from engine.contract import Moment, Seat
from engine.games.match_five import (
    GAME,
    WILD,
    Board,
    Laying,
    Line,
    MatchFiveOptions,
    MatchFiveView,
    Pass,
    Places,
    Play,
    Spot,
    State,
    Stone,
    Swap,
    singles,
)
from engine.players import Reason
from sandbox.limits import Problems, check_message
from sandbox.limits.messages import MessageRules
from tools.harness.pages import PLAYERS, same_picture, seated, text_of
from tools.harness.playouts import play

UI = MatchFiveUI()


def turns(seed: int, every: int, seats: int = 2, **options: Any) -> Iterator[tuple[State, MatchFiveView]]:
    """Yield some turns of a random game, each as its player sees it."""
    for state in play(GAME, seed, seats=seats, options=MatchFiveOptions(**options)).running[::every]:
        view = GAME.view(state, GAME.view(state, None).to_act[0])
        assert isinstance(view, MatchFiveView)
        yield state, view


def buttons(page: Page, verb: str) -> list[Button]:
    found = [button for block in page.blocks if isinstance(block, Row) for button in block.buttons]
    return [button for button in found if isinstance(button, Button) and button.verb == verb and not button.disabled]


def pressed(view: MatchFiveView, verb: str, argument: str = "", *values: str) -> Page:
    page = UI.press(
        view, seated(GAME.options(), len(view.scores)), ComponentPress(3, view.ui_version, verb, argument, values)
    )
    assert isinstance(page, Page)
    return page


def test_the_places_of_a_tile_are_all_legal_the_best_first_and_their_points_are_those_of_the_play():
    seen = 0
    for state, view in turns(5, 7, copies=3):
        for tile, places in placements(view, (), hand_of(view)).items():
            assert [one.gain for one in places] == sorted((one.gain for one in places), reverse=True)
            assert len({(one.laying.x, one.laying.y) for one in places}) == len(places)
            for one in places[:3]:
                assert one.laying.tile == tile and one.gain == points_of(view, (one.laying,))
                events = GAME.decide(
                    state, view.turn, Play((one.laying,)), Moment(10**12), Chance(bytes(SEED_BYTES), "t", 0)
                )
                assert events[0].points == one.gain
                seen += 1
    assert seen > 20


@pytest.mark.parametrize("placement", ["free", "one_line"])
def test_what_is_cached_before_a_turn_yields_every_continuation_of_a_draft(placement: str):
    seen = 0
    for _, view in turns(3, 6, copies=3, placement=placement):
        hand = hand_of(view)
        layings: tuple[Laying, ...] = ()
        for tile in dict.fromkeys(hand):
            best = placements(view, layings, hand)[tile]
            board = Board(view.stones)
            for laying in layings:
                board.lay(stone_of(laying), view.bonus)
            open_spots = {one.layings[0] for one in singles(Places(board, view.bonus), [tile])}
            ways = {way for offer in best for way in offer.ways()}
            assert ways <= open_spots and (ways == open_spots or placement == "one_line")
            if not best:
                continue
            layings = (*layings, best[0].laying)
            seen += len(layings) > 1
    assert seen > (5 if placement == "free" else 0)


def test_the_gain_of_a_second_tile_is_shown_also_after_a_first_that_was_laid_alone():
    _, view = next(turns(1, 1000))
    hand = ("r3", "r4", "b1", "b2", "y5")
    view = msgspec.structs.replace(view, hands=tuple(hand if view.hands[seat] else None for seat in range(2)))
    first = placements(view, (), hand)["r3"][0]
    assert first.gain == 3
    second = placements(view, (first.laying,), hand)["r4"][0]
    assert second.gain == 4 and points_of(view, (first.laying, second.laying)) == 7


@pytest.mark.parametrize("placement", ["free", "one_line"])
def test_every_place_that_is_offered_for_a_further_tile_may_be_laid(placement: str):
    seen = 0
    for _, view in turns(3, 9, copies=3, placement=placement):
        draft = Draft()
        while (turn := turn_in_progress(view, draft)) is not None and not turn.stuck and any(turn.offers.values()):
            best = max((place for places in turn.offers.values() for place in places), key=lambda one: one.gain)
            for places in turn.offers.values():
                for place in places:
                    assert points_of(view, (*draft.layings, place.laying)) == turn.points + place.gain
                    seen += 1
            draft = Draft((*draft.layings, best.laying))
    assert seen > 30


def tiles_of(page: Page) -> list[Button]:
    """Return the tiles of the hand, as buttons."""
    hand, *_ = (  # below it there may be places of a Wild
        block.buttons
        for block in page.blocks
        if isinstance(block, Row)
        and all(isinstance(one, Button) and one.face and not one.label.startswith("①") for one in block.buttons)
    )
    return [button for button in hand if isinstance(button, Button)]


def test_what_fits_nowhere_is_grey_and_what_is_pressed_lies_where_it_scores_most():
    grey = many = 0
    for _, view in turns(2, 4, copies=3):
        shown = seat_page(UI, view, seated(GAME.options(), 2))
        if not buttons(shown, "draft"):
            continue
        found = placements(view, (), hand_of(view))
        dead = sum(not found[tile] for tile in hand_of(view))
        said = {0: "Press a tile", 1: "A faded tile fits nowhere now."}.get(dead, "Faded tiles fit nowhere now.")
        assert said in text_of(shown) and ("nowhere" in text_of(shown)) is bool(dead)
        for tile, button in zip(hand_of(view), tiles_of(shown), strict=True):
            assert button.label == tile.upper() and button.disabled == (not found[tile])
            grey += button.disabled
            if button.disabled:
                continue
            laid = pressed(view, button.verb, button.argument)
            (lay,) = buttons(laid, "lay")
            best = found[tile][0]
            assert lay.argument == Draft((best.laying,)).argument() and lay.label.startswith(
                f"Lay for {best.gain} point"
            )
            places = [one for one in buttons(laid, "draft") if " +" in one.label]
            assert len(places) == (0 if len(found[tile]) == 1 else min(len(found[tile]), BEST_PLACES))
            assert bool([one for one in buttons(laid, "draft") if one.label == "More places"]) == (
                len(found[tile]) > BEST_PLACES
            )
            many += len(places) > 1
    assert grey > 5 and many > 5


def test_every_tile_that_cannot_be_pressed_says_why_at_every_step_of_a_turn():
    told = {"nowhere now": 0, "One Wild a turn.": 0, "take it back": 0}
    for number, (state, view) in enumerate(turns(4, 3, copies=3)):
        if number % 2:
            assert view.seat is not None
            hands = list(state.hands)
            hands[view.seat] = ("w", "w", *hands[view.seat][:3])
            view = GAME.view(msgspec.structs.replace(state, hands=tuple(hands)), view.seat)
        page = seat_page(UI, view, seated(GAME.options(), 2))
        laid = 0
        while options := [one for one in tiles_of(page) if not one.disabled and one.style == "secondary"]:
            option = options[-1]
            if option.verb != "draft":
                break
            laid += 1
            page = pressed(view, option.verb, option.argument)
            assert isinstance(page, Page)
            grey = [one for one in tiles_of(page) if one.disabled]
            text = text_of(page)
            assert ("Press a laid tile to take it back." in text) is (laid > 1)
            assert ("nowhere now" in text or "One Wild a turn." in text) is bool(grey)
            for words in told:
                told[words] += words in text
    assert all(told.values()), told


def test_a_tile_can_be_moved_to_another_of_its_places_and_taken_back_by_pressing_it_again():
    moved = 0
    for _, view in turns(2, 4, copies=3):
        shown = seat_page(UI, view, seated(GAME.options(), 2))
        for tile in (one for one in tiles_of(shown) if not one.disabled) if buttons(shown, "draft") else ():
            laid = pressed(view, tile.verb, tile.argument)
            places = [one for one in buttons(laid, "draft") if " +" in one.label]
            assert [one.style for one in places] == ["primary", *["secondary"] * (len(places) - 1)][: len(places)]
            assert [one.label.partition(" ")[0] for one in places] == [ring(n) for n in range(1, len(places) + 1)]
            if len(places) < 2:
                continue
            other = pressed(view, "draft", places[-1].argument)
            assert [one.style == "primary" for one in buttons(other, "draft") if " +" in one.label][-1]
            assert buttons(other, "lay")[0].label.startswith(f"Lay for {places[-1].label.partition('+')[2]} point")
            assert f"-# **{places[-1].label}** · " in text_of(other)
            (again,) = (one for one in tiles_of(other) if one.style == "primary")
            assert again.verb == "hand"  # back to the game: there is no other draft
            moved += 1
    assert moved > 5


def test_a_tile_selected_on_a_page_of_an_earlier_version_is_refused_as_stale():
    _, view = next(turns(2, 1000))
    for argument in (";2;0", "r3@M12;1;0"):
        with pytest.raises(StaleControl):
            pressed(view, "draft", argument)


def test_what_lay_on_a_page_of_a_former_version_is_laid_when_the_clock_runs_out():
    _, view = next(turns(2, 1000))
    tile = next(tile for tile in hand_of(view) if tile != WILD)
    look = ComponentPress(3, view.ui_version, "draft", f"{tile}@M12;4;0")
    assert UI.draft(view, look) == Play((Laying(tile, 0, 0, 1),))
    assert UI.draft(view, ComponentPress(3, view.ui_version, "draft", ";4;0")) is None


def test_equal_tiles_have_a_button_each():
    _, view = next(turns(2, 1000))
    hand = ("r3", "r3", "r4", "r4", "b1")
    view = msgspec.structs.replace(view, hands=tuple(hand if view.hands[seat] else None for seat in range(2)))
    page = pressed(view, "draft", tiles_of(seat_page(UI, view, seated(GAME.options(), 2)))[0].argument)
    ids = [
        (one.verb, one.argument)
        for block in page.blocks
        if isinstance(block, Row)
        for one in block.buttons
        if isinstance(one, Button)
    ]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(("hand", "bag"), [(("b2", "b3", "g5", "o2", "y4"), 7), (("b2", "y4"), 0), ((), 0)])
def test_a_player_with_nothing_to_lay_reads_so_at_once_with_the_alternatives(hand: tuple[str, ...], bag: int):
    _, view = next(turns(2, 1000))
    hands = tuple(hand if seat == view.seat else None for seat in range(2))
    view = msgspec.structs.replace(view, stones=(Stone(0, 0, 1, "r1"),), hands=hands, bag=bag)
    shown = seat_page(UI, view, seated(GAME.options(), 2))
    assert "Nothing fits" in text_of(shown) and not buttons(shown, "draft")
    assert [len(buttons(shown, verb)) for verb in ("swap", "pass")] == ([len(hand) + 1, 0] if bag else [0, 1])
    assert not buttons(shown, "hand"), "there is nothing to go back to"
    if hand and bag:
        assert [one.label for one in buttons(pressed(view, "swap", "0"), "hand")] == ["◀ Back"]


def test_all_places_can_be_paged_through_and_every_face_of_a_wild_can_be_chosen():
    leafed = 0
    for _, view in turns(6, 3):
        if WILD not in hand_of(view):
            continue
        every = placements(view, (), hand_of(view))[WILD]
        if len(every) <= BEST_PLACES:
            continue
        page, offered = pressed(view, "draft", Draft((every[0].laying,)).argument()), list[str]()
        while True:
            places = [button for button in buttons(page, "draft") if " +" in button.label]
            assert len(places) <= (MORE_PLACES if offered else BEST_PLACES)
            told = [line for line in text_of(page).split("\n") if re.match(r"-# (\*\*)?[①-⑧] \+", line)]
            here = any(one.style == "primary" for one in places)
            assert len(told) == (len(places) if len(places) <= BEST_PLACES else here)
            offered += [button.argument.partition(";")[0] for button in places]
            (after,) = (one for one in buttons(page, "draft") if one.label in ("More places", "Best places"))
            page = pressed(view, "draft", after.argument)
            if after.label == "Best places":
                break
        assert sorted(offered) == sorted(dump_laying(one.laying) for one in every)
        assert offered[:BEST_PLACES] == [dump_laying(one.laying) for one in every[:BEST_PLACES]]
        leafed += 1
        many = max(every, key=lambda one: len(one.faces))
        laid = pressed(view, "draft", Draft((many.laying,)).argument())
        (faces,) = (block for block in laid.blocks if isinstance(block, Select))
        assert {choice.value for choice in faces.choices} == set(many.faces)
        chosen = pressed(view, faces.verb, faces.argument, faces.choices[-1].value)
        assert ("wild", faces.choices[-1].value) in [
            (one.verb, choice.value)
            for one in chosen.blocks
            if isinstance(one, Select)
            for choice in one.choices
            if choice.chosen
        ]
        with pytest.raises(UserError, match="can't be that tile"):
            pressed(view, faces.verb, faces.argument, "x")
    assert leafed


def test_every_page_of_places_but_the_first_fits_into_one_part_of_the_board():
    parts = 0
    for _, view in turns(6, 5):
        spots = [(one.x, one.y) for one in view.stones]
        for places in placements(view, (), hand_of(view)).values():
            pages = pages_of_places(view, places)
            assert sorted(place for page in pages for place in page) == list(range(len(places)))
            for page in pages[1:]:
                cells = [(places[place].laying.x, places[place].laying.y) for place in page]
                frame = part_of({*spots, *cells}, dict.fromkeys(cells, 1))
                assert all(frame.shows(*cell) for cell in cells)
                parts += 1
    assert parts > 20


def test_each_of_the_best_places_says_which_lines_the_tile_makes_there_and_why_they_are_series():
    told = 0
    for _, view in turns(8, 4, seats=4):
        for places in placements(view, (), hand_of(view)).values():
            if len(places) < 2:
                continue
            lines = text_of(pressed(view, "draft", Draft((places[0].laying,)).argument())).split("\n")
            for number, place in enumerate(places[:BEST_PLACES], 1):
                (line,) = (one for one in lines if one.lstrip("-#* ").startswith(f"{ring(number)} +{place.gain}"))
                verdict = judge_layings(view, (place.laying,))
                assert verdict is not None
                assert line.count(", all ") == len(verdict.lines) == line.count(" · ")
                assert line.startswith("-# **") == (number == 1)
                told += 1
    assert told > 50


def test_lines_say_the_colour_or_the_number_that_their_tiles_share():
    row = Line("x", tuple(Spot(x, 0, 1) for x in range(3)), 9)
    stack = Line("stack", tuple(Spot(0, 0, level) for level in range(1, 6)), 35, 10)
    assert series_words(row, [Stone(x, 0, 1, f"b{x + 1}") for x in range(3)]) == "row, all blue"
    fives = [Stone(0, 0, level, f"{colour}5", colour == "y") for level, colour in enumerate("rbygo", 1)]
    assert series_words(stack, fives) == "full stack, all 5s"


def test_any_laid_tile_is_taken_back_by_pressing_it_with_those_that_need_it():
    alone = together = 0
    for _, view in turns(2, 3, copies=3):
        page = seat_page(UI, view, seated(GAME.options(), 2))
        while options := [one for one in buttons(page, "draft") if one.style == "secondary" and ".t" in one.argument]:
            page = pressed(view, "draft", options[0].argument)
        laid = [one for one in tiles_of(page) if one.style == "primary"]
        lay = buttons(page, "lay")
        for tile in laid if len(laid) > 1 else ():
            before = lay[0].argument.partition(";")[0].split()
            after = tile.argument.partition(";")[0].split() if tile.verb == "draft" else []
            assert len(after) < len(before) and set(after) <= set(before)
            if tile.verb == "draft":
                pressed(view, "draft", tile.argument)
            alone += len(after) == len(before) - 1
            together += len(after) < len(before) - 1
    assert alone > 10 and together > 0


BY_HAND = seated(MatchFiveOptions(laying="by_hand"), 2)


def by_hand(view: MatchFiveView, verb: str, argument: str = "") -> Page:
    page = UI.press(view, BY_HAND, ComponentPress(3, view.ui_version, verb, argument))
    assert isinstance(page, Page)
    return page


def test_O3_laid_by_hand_a_pressed_tile_waits_until_its_place_is_chosen():
    held = 0
    for _, view in turns(2, 4, copies=3):
        shown = seat_page(UI, view, BY_HAND)
        for tile in [one for one in buttons(shown, "draft") if ".t" in one.argument]:
            page = by_hand(view, "draft", tile.argument)
            assert not buttons(page, "lay") and "Choose a place for" in text_of(page)
            places = [one for one in buttons(page, "draft") if " +" in one.label]
            assert places and {one.style for one in places} == {"secondary"}
            (again,) = (one for one in tiles_of(page) if one.style == "primary")
            assert again.verb == "hand"  # there is no other draft
            placed = by_hand(view, "draft", places[-1].argument)
            (lay,) = buttons(placed, "lay")
            assert lay.argument.partition(";")[0] == places[-1].argument.partition(";")[0]
            more = [one for one in buttons(placed, "draft") if ".t" in one.argument]
            if more:
                second = by_hand(view, "draft", more[0].argument)
                assert buttons(second, "lay")[0].argument == lay.argument
                look = ComponentPress(3, view.ui_version, "draft", more[0].argument)
                assert UI.draft(view, look) == UI.press(
                    view, BY_HAND, ComponentPress(3, view.ui_version, "lay", lay.argument)
                )
            held += 1
    assert held > 10


def test_a_tile_that_fits_in_one_place_only_has_its_button_too_when_it_is_laid_by_hand():
    _, view = next(turns(1, 1000))
    page = by_hand(view, "draft", ";0;0")  # on an empty board
    assert [one.label[:3] for one in buttons(page, "draft") if " +" in one.label] == ["① +"]


def page_of(page: Page) -> set[str]:
    """Return the places that have a button on a page, as controls carry them."""
    return {one.argument.partition(";")[0] for one in buttons(page, "draft") if " +" in one.label}


def labels(page: Page) -> list[str]:
    """Return the labels of a page's buttons."""
    found = [button for block in page.blocks if isinstance(block, Row) for button in block.buttons]
    return [button.label for button in found]


def test_a_person_who_can_still_lay_a_tile_is_asked_before_they_pass():
    _, view = next(turns(2, 1000))
    empty = msgspec.structs.replace(view, stones=(Stone(0, 0, 1, "r1"),), bag=0)
    hands = tuple(("r2", "y4") if seat == view.seat else None for seat in range(2))
    about = seated(GAME.options(), 2)
    fitting = seat_page(UI, msgspec.structs.replace(empty, hands=hands), about)
    (ask,) = buttons(fitting, "pass-ask")
    assert not buttons(fitting, "pass") and not buttons(fitting, "swap")
    asked = pressed(empty, ask.verb, ask.argument)
    (sure,) = buttons(asked, "pass")
    assert "Pass your turn?" in text_of(asked) and sure.style == "danger" and buttons(asked, "hand")
    assert UI.press(empty, about, ComponentPress(3, view.ui_version, sure.verb, sure.argument)) == Pass()
    full = seat_page(UI, msgspec.structs.replace(empty, hands=hands, bag=3), about)
    assert buttons(full, "swap") and not buttons(full, "pass-ask")


def test_the_whole_board_and_all_stacks_can_be_looked_at_from_everybodys_page():
    playout = play(GAME, 5, seats=2, options=MatchFiveOptions())
    about = seated(GAME.options(), 2)
    for state in (playout.start, playout.running[-1]):
        for reader in map(Seat, range(2)):
            assert len(buttons(seat_page(UI, GAME.view(state, reader), about), "look")) == 1
        assert len(buttons(table_page(UI, GAME.view(state, None), about), "look")) == 1
        page = UI.press(GAME.view(state, None), about, ComponentPress(3, 0, "look"))
        assert isinstance(page, Page) and len(buttons(page, "stacks")) == 1


def looked_around(view: MatchFiveView, argument: str = "") -> Page:
    page = UI.press(view, seated(GAME.options(), 2), ComponentPress(3, 0, "look", argument))
    assert isinstance(page, Page)
    return page


def test_the_part_of_the_board_can_be_moved_over_the_whole_and_no_further():
    playout = play(GAME, 5, seats=2, options=MatchFiveOptions())
    view = GAME.view(playout.running[-1], None)
    shown: set[tuple[int, int]] = set()
    for order in ("◀▲", "▶▼", "▲▶", "▼◀"):
        page, steps = looked_around(view), 0
        while moves := [one for sign in order for one in buttons(page, "look") if one.label == sign]:
            corner = moves[0].argument.partition(".")[0].split("/")
            shown.add((int(corner[0]), int(corner[1])))
            page = looked_around(view, moves[0].argument)
            assert len(next(iter(page.pictures())).data) <= 60_000
            steps += 1
        assert steps < 30
    spots = [(one.x, one.y) for one in view.stones]
    wide, high = BOARD.width // LEAST_CELL, BOARD.height // LEAST_CELL
    for low, high_end, firsts, many in (
        (min(x for x, _ in spots), max(x for x, _ in spots), [x for x, _ in shown], wide),
        (min(y for _, y in spots), max(y for _, y in spots), [y for _, y in shown], high),
    ):
        assert low - 1 == min(firsts) and max(firsts) + many - 1 == high_end + 1
    assert len(buttons(looked_around(view, "9999999/-9999999"), "look")) == 2


# ---------------------------------------------------------------------------------------------------------- a hint


def test_a_hint_shows_its_play_on_the_board_as_a_draft_does():
    seen = 0
    for state, view in turns(5, 9):
        assert view.turn is not None
        plays = [one for one in GAME.legal(state, view.turn) if isinstance(one, Play) and len(one.layings) > 1]
        for play_ in plays[:2]:
            page = hint_page(UI, view, seated(GAME.options(), 2), Hint(view, play_, ()))
            (shown,) = page.pictures()
            stones = [stone_of(laying) for laying in play_.layings]
            verdict = judge_layings(view, play_.layings)
            assert verdict is not None
            expected = picture.draw_places(view, stones, verdict.lines, (), PLAYERS[:2])
            assert same_picture(shown.data, expected) and shown.alt.startswith("The play: ")
            assert "Do it" in labels(page) and len(shown.data) <= 60_000
            seen += 1
    assert seen > 5


def test_a_hint_to_swap_or_to_pass_shows_the_board_as_it_is():
    _, view = next(turns(5, 9))
    for action in (Swap(hand_of(view)[:1]), Pass()):
        page = hint_page(UI, view, seated(GAME.options(), 2), Hint(view, action, ()))
        assert page.blocks[0] == BoardPlace()


@pytest.mark.parametrize(
    ("best", "sentence"),
    [
        (1, "It leaves the next player about 56 points; the next best play leaves 73."),
        (0, "It leaves the next player about 56 points; the other play leaves 73."),
    ],
)
def test_what_a_play_leaves_to_the_next_player_is_said_beside_what_the_other_does(best: int, sentence: str):
    state, view = list(turns(5, 5))[2]
    assert view.turn is not None
    scores = Reason("scores", {"points": 20, "most": 24, "best": best, "next": 19})
    leaves = Reason("leaves", {"mine": 56, "other": 73})
    told = UI.hint(view, seated(GAME.options(), 2), next(iter(GAME.legal(state, view.turn))), (scores, leaves))
    assert list(told)[-1] == sentence


def test_the_best_plays_are_named_best_first_but_never_in_ranked_games():
    state, view = list(turns(5, 5))[4]
    assert view.turn is not None
    legal = list(GAME.legal(state, view.turn))
    assert "points" not in available_moves_text(UI, view, replace(seated(GAME.options(), 2), ranked=True), legal)
    named = available_moves_text(UI, view, seated(GAME.options(), 2), legal)
    points = [int(number) for number in re.findall(r"for \*\*([0-9]+) point", named)]
    assert points == sorted(points, reverse=True)
    assert points[0] == max(points_of(view, one.layings) or 0 for one in legal if isinstance(one, Play))
    assert len(points) == len({len(one.layings) for one in legal if isinstance(one, Play)}) > 1


def test_tiles_to_swap_are_picked_one_by_one_or_all_and_no_more_than_the_bag_holds():
    _, view = next(turns(4, 1000))
    page = pressed(view, "swap")
    assert buttons(page, "swap-do") == []
    picked = pressed(view, "swap", buttons(page, "swap")[2].argument)
    (confirm,) = buttons(picked, "swap-do")
    assert confirm.label == "Swap 1 tile"
    swap = UI.press(view, seated(GAME.options(), 2), ComponentPress(3, view.ui_version, confirm.verb, confirm.argument))
    assert swap == Swap((hand_of(view)[2],))
    assert pressed(view, "swap", buttons(picked, "swap")[2].argument) == page
    low = msgspec.structs.replace(view, bag=2)
    assert buttons(pressed(low, "swap", "013"), "swap-do") == []
    every = next(button for button in buttons(pressed(low, "swap"), "swap") if button.label == "Pick all")
    assert buttons(pressed(low, "swap", every.argument), "swap-do")[0].label == "Swap 2 tiles"


def test_every_page_of_a_turn_is_a_message_that_discord_takes_and_leads_back():
    seen = 0
    for _, view in turns(8, 40, seats=4):
        todo, known = (
            [ComponentPress(3, view.ui_version, "swap"), ComponentPress(3, view.ui_version, "swap", "01234")],
            set[ComponentPress](),
        )
        hand = hand_of(view)
        first = placements(view, (), hand)
        todo += [
            ComponentPress(3, view.ui_version, "draft", Draft((first[tile][0].laying,)).argument())
            for tile in hand
            if first[tile]
        ]
        while todo and len(known) < 25:
            control = todo.pop()
            if control in known:
                continue
            known.add(control)
            try:
                look = UI.press(view, seated(GAME.options(), 4), control)
            except UserError:
                continue
            assert isinstance(look, Page)
            page = seat_page(UI, view, seated(GAME.options(), 4), opened=look)
            body = {"components": components_v2.Layout(page, 10**15, 10**6).to_components(), "flags": 1 << 15}
            problems = Problems()
            check_message(problems, body, MessageRules(lambda _: True, uploads=[one.name for one in page.pictures()]))
            assert not problems, problems.tree()
            assert all(len(one.data) <= 60_000 for one in page.pictures())
            assert buttons(page, "hand") and all(len(label) <= 34 for label in labels(page))
            seen += 1
            todo += [ComponentPress(3, view.ui_version, "draft", one.argument) for one in buttons(page, "draft")[::3]]
    assert seen > 30


def otherwise(state: State, reader: Seat | None) -> State:
    """Return the same view with other tiles in other hands, and another bag."""
    other = next(seat for seat in range(len(state.hands)) if seat != reader)
    hands, swapped = list(state.hands), tuple(reversed(state.bag))
    taken = min(len(hands[other]), len(swapped))
    hands[other], bag = (*swapped[:taken], *hands[other][taken:]), (*hands[other][:taken], *swapped[taken:])
    return msgspec.structs.replace(state, hands=tuple(hands), bag=bag)


def test_everything_that_is_rendered_stays_the_same_when_others_hold_other_tiles_and_the_bag_lies_otherwise():
    playout = play(GAME, 8, seats=3)
    about = seated(GAME.options(), 3)
    looks = 0
    for state in playout.running[::5]:
        for reader in (None, *map(Seat, range(3))):
            view, changed = GAME.view(state, reader), GAME.view(otherwise(state, reader), reader)
            renders = [
                lambda view: table_page(UI, view, about).digest(),
                lambda view: UI.text(view, about),
                lambda view: available_moves_text(UI, view, about, ()),
                lambda view: UI.press(view, about, ComponentPress(3, 0, "sheet")).digest(),
                lambda view: seat_page(UI, view, about).digest(),
            ]
            if reader is not None and view.turn == reader:
                drafts = [
                    Draft((places[0].laying,)).argument()
                    for places in placements(view, (), hand_of(view)).values()
                    if places
                ]
                for verb, argument in [("swap", "02"), *(("draft", one) for one in drafts)]:
                    renders.append(functools.partial(looked, verb=verb, argument=argument))
                    looks += 1
            for render in renders:
                assert render(view) == render(changed)
    assert looks >= 30


def looked(view: MatchFiveView, verb: str, argument: str) -> str:
    """Return the private page that a control opens, or why it opens none."""
    about = seated(GAME.options(), len(view.scores))
    try:
        page = UI.press(view, about, ComponentPress(3, view.ui_version, verb, argument))
    except UserError as told:
        return told.sentence
    assert isinstance(page, Page)
    return seat_page(UI, view, about, opened=page).digest()


@pytest.mark.parametrize("bag", [2, 40])
def test_no_more_tiles_can_be_picked_at_once_than_the_bag_has(bag: int):
    _, view = next(turns(2, 1000))
    view = msgspec.structs.replace(view, bag=bag)
    most = min(bag, len(hand_of(view)))
    (every,) = (one for one in buttons(pressed(view, "swap", ""), "swap") if one.label == "Pick all")
    page = pressed(view, "swap", every.argument)
    assert [one.label for one in buttons(page, "swap-do")] == [f"Swap {most} tiles"]
    assert not any(one.label == "Pick all" for one in buttons(page, "swap"))
