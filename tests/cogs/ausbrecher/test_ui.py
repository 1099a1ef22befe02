"""Ausbrecher AG's UI: it hides others' forecasts, shows where every result leads, and draws legible pictures."""

import random
from dataclasses import replace
from gettext import NullTranslations
from io import BytesIO
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageChops

from cogs.ausbrecher import forecast_page, picture, read_colours
from cogs.ausbrecher.advice import BEST_FIRST
from cogs.ausbrecher.end_picture import draw_end
from cogs.ausbrecher.review import REVIEW
from cogs.ausbrecher.scenery import BOX, SPACE, space_at
from cogs.ausbrecher.ui import AusbrecherUI
from cogs.core.i18n.translation import Language, speaking
from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.emoji_markup import faced, strip
from cogs.core.pages.game_ui import SeatedPlayer, TableContext, available_moves_text, interpret
from cogs.core.pages.page import BoardPlaceholder, Button, Page, Picture, Row, Select, Text
from cogs.core.pages.player_page import seat_page, table_page
from engine.contract import Fact, Moment, Seat
from engine.games.ausbrecher import COLOURS, GAME, Forecast, Replace, Resolve, Roll, State, landing
from engine.players import Level
from engine.players.ausbrecher.evaluation import ordered
from engine.review import Note
from tests.engine.games.ausbrecher_positions import A, after, colours, moment, race
from tools.harness.pages import same_picture, seated, text_of
from tools.harness.playouts import begin, play

UI = AusbrecherUI()
PLAIN = (1, 1, 2, 2, 3, 3, 4)


def test_the_page_says_who_begins_and_why_until_the_dice_are_rolled():
    playout = play(GAME, 3, seats=2)
    about, told = seated(playout.options, 2), dict[str, set[bool]]()
    for view in (GAME.view(state, None) for state in playout.states):
        if view.turn_number == 1:
            told.setdefault(view.phase, set()).add("highest roll" in UI.status(view, about))
    assert told.pop("roll") == {True} and told and all(one == {False} for one in told.values())


def test_the_page_says_whose_turn_is_next_if_there_are_several_others():
    for seats in (2, 4):
        playout = play(GAME, 5, seats=seats)
        state = next(one for one in playout.running if GAME.view(one, None).turn_number == 2)
        turn, about = GAME.view(state, None).turn, seated(playout.options, seats)
        assert turn is not None
        follows, other = Seat((turn + 1) % seats), Seat((turn + 2) % seats)
        told = [UI.status(GAME.view(state, reader), about) for reader in (None, follows, other)]
        ends = [f" · then {about.name(follows)}", " · then you", f" · then {about.name(follows)}"]
        assert [one.endswith(end) for one, end in zip(told, ends, strict=True)] == [seats > 2] * 3


def shown(state: State, reader: Seat | None) -> bytes:
    """Return everything that this reader would see."""
    seats = len(state.forecasts)
    view = GAME.view(state, reader)
    pages = [table_page(UI, GAME.view(state, None), seated(GAME.options(), seats))]
    if reader is not None and (private := seat_page(UI, view, seated(GAME.options(), seats))) is not None:
        pages.append(private)
    words = [UI.text(view, seated(GAME.options(), seats))]
    if reader is not None:
        words.append(available_moves_text(UI, view, seated(GAME.options(), seats), list(GAME.legal(state, reader))))
        for verb, argument in (("panel", ""), ("bet", "1102000"), ("dice", "RO"), ("dice", "ROY"), ("move", "red")):
            try:
                words.append(
                    repr(
                        UI.press(
                            view, seated(GAME.options(), seats), ComponentPress(3, view.ui_version, verb, argument)
                        )
                    )
                )
            except UserError as told:
                words.append(told.sentence)
    files = [p.data + p.alt.encode() + p.name.encode() for page in pages for p in page.pictures()]
    return repr((pages, words)).encode() + b"".join(files)


@pytest.mark.parametrize("seed", range(6))
def test_exchanging_the_bets_of_others_changes_no_byte_that_a_reader_is_shown(seed: int):
    rng = random.Random(seed)
    playout = play(GAME, seed)
    for state in [playout.start, *rng.sample(playout.running, 6)]:
        for reader in (None, *map(Seat, range(playout.seats))):
            twin = msgspec.structs.replace(
                state,
                forecasts=tuple(
                    bet if bet is None or owner == reader else tuple(rng.sample(PLAIN, 7))
                    for owner, bet in enumerate(state.forecasts)
                ),
            )
            assert shown(state, reader) == shown(twin, reader)


def test_a_forecast_is_drafted_once_it_is_whole_and_never_in_the_place_of_one_that_was_given():
    start = begin(GAME, 1)
    given = after(start, A, Forecast(PLAIN))
    for state, argument, drafted in (
        (start, "1122334.6", Forecast(PLAIN)),
        (start, "1122330.5", None),
        (start, "1122333.5", None),
        (given, "1123324.5", None),
    ):
        view = GAME.view(state, A)
        assert UI.draft(view, ComponentPress(7, view.ui_version, "bet", argument)) == drafted


def test_the_results_say_where_they_lead_and_the_picture_shows_it():
    state = moment(race({9: "pink", 11: "blue"}))
    state = after(state, A, Roll(colours("blue pink green")), 2, 1, 4)
    page = table_page(UI, GAME.view(state, None), seated(GAME.options(), 2))
    labels = [b.label for block in page.blocks if isinstance(block, Row) for b in block.buttons]
    for result in GAME.view(state, None).results:
        there = landing(state.race, result.colour, result.pips, False)
        assert any(label.startswith(f"{result.colour.capitalize()} +{result.pips} → {there.space}") for label in labels)
    before = moment(race({9: "pink", 11: "blue"}))
    one, other = (Image.open(BytesIO(picture.draw(GAME.view(at, None)))).convert("RGB") for at in (before, state))
    for result in GAME.view(state, None).results:
        x, y = space_at(result.landing.space or 0)
        box = (x, y, x + BOX, y + SPACE)
        assert ImageChops.difference(one.crop(box), other.crop(box)).getbbox() is not None


def dice_of(state: State) -> dict[str, Button]:
    """Return the dice as buttons on the private page of the player to act."""
    page = seat_page(UI, GAME.view(state, A), seated(GAME.options(), 2))
    return {
        b.label: b for block in page.blocks if isinstance(block, Row) for b in block.buttons if isinstance(b, Button)
    }


def pressed(state: State, argument: str) -> object:
    view = GAME.view(state, A)
    return interpret(UI, view, seated(GAME.options(), 2), ComponentPress(3, view.ui_version, "dice", argument))


def test_every_die_keeps_its_place_and_who_is_aboard_has_none_to_choose():
    start, later = dice_of(moment(race())), dice_of(moment(race({3: "pink"}, aboard="red blue")))
    assert list(start) == list(later) == ["Red", "Orange", "Yellow", "Green", "Blue", "Violet", "Pink", "White"]
    assert {label for label, button in later.items() if button.disabled} == {"Red", "Blue"}


def test_the_table_leads_to_the_dice_and_has_none_itself():
    page = table_page(UI, GAME.view(moment(race()), None), seated(GAME.options(), 2))
    (way,) = [b for block in page.blocks if isinstance(block, Row) for b in block.buttons if isinstance(b, Button)]
    assert (way.label, way.verb, way.argument, way.disabled) == ("Choose dice", "hand", "dice", False)


def test_ways_to_the_forecast_and_to_the_dice_that_earlier_versions_drew_still_lead_there():
    start, race_on = GAME.view(begin(GAME, 1, seats=2), A), GAME.view(moment(race()), A)
    for view, verb, words in ((start, "panel", "Who escapes in **boat 1**?"), (race_on, "dice", "Press 3 dice")):
        page = UI.press(view, seated(GAME.options(), 2), ComponentPress(3, view.ui_version, verb, ""))
        assert isinstance(page, Page) and any(words in block.body for block in page.blocks if isinstance(block, Text))


def test_a_choice_of_dice_is_started_again_where_the_way_to_everything_else_is_before_it():
    started = dice_of(moment(race()))
    assert "Start over" not in started
    page = pressed(moment(race()), "RO")
    assert isinstance(page, Page)
    rows = [block for block in page.blocks if isinstance(block, Row)]
    assert [b.label for b in rows[-1].buttons if isinstance(b, Button)][-1] == "Start over"
    alone = pressed(moment(race()), "R")
    assert isinstance(alone, Page)
    given_back = next(b for row in alone.blocks if isinstance(row, Row) for b in row.buttons if b.label == "Red")
    assert (given_back.verb, given_back.argument) == ("hand", "anew.dice")


def test_where_the_dice_are_known_as_emoji_they_take_the_place_of_the_names():
    faces = UI.faces()
    page = seat_page(UI, GAME.view(moment(race()), A), seated(GAME.options(), 2))
    shown = page.with_emoji({name: f"<:cb_{name}_12345678:1>" for name in faces}.get)
    dice = [b for block in shown.blocks if isinstance(block, Row) for b in block.buttons if b.verb == "dice"]
    assert [b.label for b in dice] == [""] * 8
    assert [str(b.emoji).split("_")[2] for b in dice] == [*COLOURS, "white"]
    panel = forecast_page.page(GAME.view(begin(GAME, 1), A), (1, 0, 2, 0, 0, 0, 0))
    shown = panel.with_emoji({name: f"<:cb_{name}_12345678:1>" for name in faces}.get)
    prisoners = [b for block in shown.blocks if isinstance(block, Row) for b in block.buttons if b.verb == "bet"]
    assert [b.label for b in prisoners] == ["1", "", "2", "", "", "", ""]


def test_a_button_shows_the_colour_of_its_prisoner_without_the_bots_own_emoji():
    choice = seat_page(UI, GAME.view(moment(race()), A), seated(GAME.options(), 2))
    forecast = forecast_page.page(GAME.view(begin(GAME, 1), A), PLAIN)
    state = after(moment(race({9: "pink", 11: "blue"})), A, Roll(colours("blue pink green")), 2, 1, 4)
    results = table_page(UI, GAME.view(state, None), seated(GAME.options(), 2))
    signs: dict[str, set[str | None]] = {}
    for page in (choice, forecast, results):
        for button in (one for row in page.blocks if isinstance(row, Row) for one in row.buttons):
            if isinstance(button, Button) and button.verb in ("dice", "bet", "move"):
                signs.setdefault(button.label.partition(" ")[0], set()).add(button.emoji)
    assert len(signs) == 8 and all(len(one) == 1 for one in signs.values())
    assert len(set().union(*signs.values())) == 8 and signs["Red"] == {"🟥"}


def test_every_die_that_cannot_be_chosen_says_why():
    told = {"in a boat": 0, "white die comes in": 0}
    for seed in range(6):
        for state in play(GAME, seed, seats=2).running:
            view = GAME.view(state, GAME.view(state, None).turn)
            if view.phase != "roll":
                continue
            page = seat_page(UI, view, seated(GAME.options(), 2))
            text = text_of(page)
            buttons = [b for block in page.blocks if isinstance(block, Row) for b in block.buttons]
            dice = [one for one in buttons if isinstance(one, Button) and one.face is not None]
            grey = {one.label for one in dice if one.disabled and one.verb in ("dice", "hand")}
            assert ("white die comes in" in text) is ("White" in grey)
            assert ("in a boat" in text) is bool(grey - {"White"})
            for words in told:
                told[words] += words in text
    assert all(told.values()), told


def test_a_result_says_beside_its_die_how_far_it_leads():
    after_roll = next(at for at in play(GAME, 1, seats=2).running if GAME.view(at, None).phase == "resolve")
    page = table_page(UI, GAME.view(after_roll, None), seated(GAME.options(), 2))
    moves = [b for block in page.blocks if isinstance(block, Row) for b in block.buttons if b.verb == "move"]
    assert moves
    for button in moves:
        assert button.face == f"die_{button.argument}" and button.beside is not None
        assert button.label == f"{button.argument.capitalize()} {button.beside}" and button.beside[0] in "+−"


def told(state: State, *, seat: Seat | None = None) -> str:
    """Return the news as text without dice faces."""
    words = UI.news(GAME.view(state, seat), seated(GAME.options(), 2))
    return strip(words).removeprefix("-# ").partition(" rolled ")[2]


def test_the_news_say_which_result_the_white_die_replaced():
    state = after(moment(race({9: "pink", 5: "red"})), A, Roll(colours("red blue pink"), True), 1, 2, 3, 4)
    assert told(state) == "red 1, blue 2, pink 3 and white 4"
    state = after(state, A, Replace("pink"))
    assert told(state) == "red 1, blue 2, pink 3 and white 4; white replaced pink's 3"
    state = after(state, A, Resolve("pink"))
    assert "; white replaced pink's 3; pink back to space 5 on top of red; red's 1 is lost" in told(state)
    late = moment(race({9: "violet", 12: "pink"}, aboard="red orange yellow green"), late_white="second")
    state = after(late, A, Roll(("pink",), True, "violet"), 2, 3)
    assert told(state) == "pink 2 and white 3 for violet"


def test_lost_and_covered_are_the_words_on_buttons_in_news_and_in_the_picture():
    state = after(moment(race({5: "red blue", 9: "green pink"})), A, Roll(colours("red blue green")), 4, 2, 1)
    assert told(state) == "red 4, green 2 and blue 1; green's 2 is lost (covered)"
    page = table_page(UI, GAME.view(state, None), seated(GAME.options(), 2))
    moves = [b.label for block in page.blocks if isinstance(block, Row) for b in block.buttons]
    assert moves == ["Red +4 lost: covered", "Blue +1 → 6"]
    assert any("2 moves to make · red is covered by blue" in b.body for b in page.blocks if isinstance(b, Text))
    words = picture.alt(GAME.view(state, None), ["Ann", "Ben"])
    assert "red +4: lost (covered)" in words and "green's 2 is lost (covered)" in words
    nobody = moment(race({4: "red blue orange green"}))
    state = after(nobody, A, Roll(colours("red blue orange")), 5, 3, 2)
    assert told(state).endswith("; red's 5, orange's 3 and blue's 2 are lost (covered)")
    assert "stuck" not in repr(table_page(UI, GAME.view(state, None), seated(GAME.options(), 2)))


def test_where_the_white_die_does_the_same_for_two_it_is_said():
    state = after(moment(race({5: "red blue orange"})), A, Roll(colours("red blue pink"), True), 1, 2, 3, 4)
    page = table_page(UI, GAME.view(state, None), seated(GAME.options(), 2))
    assert "Red and Blue are covered, so it makes no difference which of them" in repr(page)
    labels = [b.label for block in page.blocks if isinstance(block, Row) for b in block.buttons]
    assert labels == ["Red lost: covered", "Blue lost: covered", "Pink lost: in its cell"]
    state = after(moment(race({5: "red orange"})), A, Roll(colours("red blue pink"), True), 1, 2, 3, 4)
    assert "no difference" not in repr(table_page(UI, GAME.view(state, None), seated(GAME.options(), 2)))


def test_a_roll_is_described_with_the_faces_of_all_dice_including_the_white_one():
    states = play(GAME, 2, seats=2).states
    rolled = next(at for at in states if any(t.white is not None for t in GAME.view(at, None).turns))
    news = UI.news(GAME.view(rolled, None), seated(GAME.options(), 2))
    assert faced(["die_white"], "white ") in news and news.count(faced(["die_"])[:5]) > 3


@pytest.mark.parametrize(("presses", "taken"), [("R", {"Red"}), ("OW", {"Orange", "White"})])
def test_a_die_that_is_taken_is_green_and_no_other(presses: str, taken: set[str]):
    page = pressed(moment(race()), presses)
    assert isinstance(page, Page)
    dice = [b for block in page.blocks if isinstance(block, Row) for b in block.buttons if b.label != "Start over"]
    assert {b.label for b in dice if b.style == "success"} == taken
    assert {b.style for b in dice if b.label not in taken} == {"secondary"}


def test_before_the_second_turn_there_is_no_white_die():
    assert dice_of(moment(race(), turn=1))["White"].disabled
    assert not dice_of(moment(race(), turn=2))["White"].disabled


def test_the_last_die_rolls_and_the_white_one_comes_before_it():
    state = moment(race())
    assert pressed(state, "ROY") == Roll(("red", "orange", "yellow"))
    assert pressed(state, "ROYW") == Roll(("red", "orange", "yellow"), True)
    for code in ("R", "RO", "ROW", "W"):
        assert isinstance(pressed(state, code), Page)
    two = moment(race({9: "violet"}, aboard="red orange"))  # boat 1 is full
    assert pressed(two, "VB") == Roll(("violet", "blue"))
    late = moment(race({9: "violet", 12: "pink"}, aboard="red orange yellow green"))  # boat 2 is full
    assert pressed(late, "VW") == Roll(("violet",), True)
    assert pressed(late, "VB") == Roll(("violet", "blue"))


@pytest.mark.parametrize("presses", ["", "R", "RO", "W", "ROW"])
def test_the_own_forecast_is_in_sight_while_dice_are_chosen(presses: str):
    state = moment(race())
    page = pressed(state, presses) if presses else seat_page(UI, GAME.view(state, A), seated(state.options, 2))
    assert isinstance(page, Page)
    kinds = [type(block) for block in page.blocks]
    bets = next(block for block in page.blocks if isinstance(block, Picture) and block.name.startswith("forecast"))
    assert bets.alt.startswith("Your forecast. Boat 1:") and bets.alt.endswith(" 0 points so far.")
    place = page.blocks.index(bets)
    assert kinds[place - 1] in (Picture, BoardPlaceholder), "the forecast is below the boats"
    assert kinds[place + 1 :] in ([Text, Row, Row], [Text, Row, Row, Row]), "and nothing but what is asked follows"


def test_what_happened_last_is_above_the_race_on_a_players_own_page():
    rolled = after(moment(race({5: "blue"})), A, Roll(colours("green blue pink")), 1, 2, 4)
    blocks = seat_page(UI, GAME.view(rolled, A), seated(GAME.options(), 2)).blocks
    told = next(place for place, block in enumerate(blocks) if isinstance(block, Text) and "rolled" in block.body)
    assert told < next(place for place, block in enumerate(blocks) if isinstance(block, Picture))
    public = table_page(UI, GAME.view(rolled, None), seated(GAME.options(), 2)).blocks
    assert [type(block) for block in public[:3]] == [Text, Picture, Text]


def test_jumping_is_explained_where_a_prisoner_jumps_and_nowhere_else():
    board = race({3: "red", 5: "orange green", 8: "pink"})
    rolled = after(moment(board), A, Roll(colours("red pink blue")), 6, 2, 1)
    page = text_of(seat_page(UI, GAME.view(rolled, A), seated(GAME.options(), 2)))
    assert "Taken spaces are jumped and don't count." in page
    jumped = after(rolled, A, Resolve("red"))
    assert "Taken spaces" not in text_of(seat_page(UI, GAME.view(jumped, A), seated(GAME.options(), 2)))


@pytest.mark.parametrize(("odds", "said"), [(0, "less than 1%"), (1, "1%"), (99, "99%"), (100, "more than 99%")])
def test_what_came_or_failed_was_never_impossible_nor_certain(odds: int, said: str):
    came: dict[str, Fact] = {"came": "red", "came_boat": 1, "came_odds": odds, "came_turn": 2}
    failed: dict[str, Fact] = {"failed": "pink", "failed_boat": 2, "failed_odds": odds, "failed_turn": 3}
    note = Note(0, "bets", A, {"right": 1, "points": 1, **came, **failed})
    assert REVIEW.noted is not None
    lines = REVIEW.noted(note, seated(GAME.options(), 2)).splitlines()
    assert lines[1].endswith(f"({said} after turn 2)")
    assert lines[2].endswith(f"({said} after turn 3)")


def test_with_the_late_second_the_one_who_goes_back_is_pressed_before_the_roll():
    late = moment(race({9: "violet", 12: "pink"}, aboard="red orange yellow green"), late_white="second")
    asked = pressed(late, "PW")
    assert isinstance(asked, Page)
    assert any("**Pink** goes forward" in block.body for block in asked.blocks if isinstance(block, Text))
    assert pressed(late, "PVW") == Roll(("pink",), True, "violet")


@pytest.mark.parametrize(
    ("presses", "left"),
    [("R", "Press 2 more dice to roll."), ("RO", "Press 1 more die to roll."), ("OW", "Press 2 more dice to roll.")],
)
def test_what_is_still_to_be_pressed_is_called_dice_from_the_first_to_the_last(presses: str, left: str):
    page = pressed(moment(race()), presses)
    assert isinstance(page, Page)
    assert any(left in block.body for block in page.blocks if isinstance(block, Text))


def test_a_prisoner_who_goes_back_by_the_white_die_is_asked_for_apart_from_the_dice():
    asked = pressed(moment(race({9: "violet", 12: "pink"}, aboard="red orange yellow green"), late_white="second"), "W")
    assert isinstance(asked, Page)
    words = "Press 1 more die, then who goes back by the white one. The last press rolls."
    assert any(words in block.body for block in asked.blocks if isinstance(block, Text))


@pytest.mark.parametrize("argument", ["RR", "X", "RWO", "WW", "red", "🔴"])
def test_a_forged_choice_of_dice_is_refused(argument: str):
    with pytest.raises(UserError):
        pressed(moment(race()), argument)


def test_the_controls_of_results_come_to_actions():
    view = GAME.view(moment(race()), A)
    about = seated(GAME.options(), 2)
    assert UI.press(view, about, ComponentPress(3, 0, "move", "red")) == Resolve("red")
    assert UI.press(view, about, ComponentPress(3, 0, "replace", "red")) == Replace("red")


def test_the_forecast_panel_fills_the_boats_in_the_order_of_the_presses():
    holds = (2, 2, 2, 1)
    step: tuple[int, ...] = (0,) * 7
    for place in (0, 4, 3, 6, 1):
        step = forecast_page.after_press(step, place, holds)
    assert step == (1, 3, 0, 2, 1, 0, 2)
    step = forecast_page.after_press(step, 4, holds)  # removed again, and pink comes first now
    assert step == (1, 3, 0, 2, 0, 0, 2)
    step = forecast_page.after_press(forecast_page.after_press(step, 5, holds), 4, holds)
    assert step == (1, 3, 4, 2, 3, 1, 2)  # yellow is left for boat 4
    assert forecast_page.is_complete(step, holds)
    assert forecast_page.after_press(step, 0, holds) == (0, 3, 4, 2, 3, 1, 2)


def forecast_buttons(argument: str) -> dict[str, Button]:
    """Return the buttons of the forecast panel to which a prisoner's button with this argument leads, by prisoner."""
    view = GAME.view(begin(GAME, 1, seats=2), A)
    page = UI.press(view, seated(GAME.options(), 2), ComponentPress(3, view.ui_version, "bet", argument))
    assert isinstance(page, Page)
    rows = [b for block in page.blocks if isinstance(block, Row) for b in block.buttons if isinstance(b, Button)]
    return {button.label.partition(" ")[0]: button for button in rows if button.verb in ("bet", "give")}


def test_a_person_who_presses_all_seven_in_their_order_keeps_the_forecast_that_the_sixth_press_made():
    argument = "0000000"
    for colour in COLOURS[:6]:
        argument = forecast_buttons(argument)[colour.capitalize()].argument
    assert forecast_page.load_forecast(argument) == (1, 1, 2, 2, 3, 3, 4) and forecast_page.load_filled(argument) == 6
    seventh = forecast_buttons(argument)["Pink"].argument
    assert forecast_page.load_forecast(seventh) == (1, 1, 2, 2, 3, 3, 4)
    assert forecast_page.load_forecast(forecast_buttons(seventh)["Pink"].argument) == (1, 1, 2, 2, 3, 3, 4)
    assert not forecast_buttons(seventh)["Submit"].disabled


def test_two_prisoners_of_a_whole_forecast_change_places_by_two_presses():
    whole = "1122334.5.6"
    picked = forecast_buttons(whole)["Red"].argument
    assert forecast_page.load_forecast(picked) == (0, 1, 2, 2, 3, 3, 4)
    assert [b.style for b in forecast_buttons(picked).values()].count("success") == 2  # red, and the way to submit it
    for other, then in (("Pink", (4, 1, 2, 2, 3, 3, 1)), ("Orange", (1, 1, 2, 2, 3, 3, 4)), ("Red", PLAIN)):
        assert forecast_page.load_forecast(forecast_buttons(picked)[other].argument) == then


def test_buttons_of_the_forecast_that_earlier_versions_drew_lead_to_what_they_say():
    for argument in ("1122334", "1122334.5", "1122334.5.6"):
        assert forecast_page.load_forecast(argument) == PLAIN
    assert (
        forecast_page.load_filled("1122334.5")
        is forecast_page.load_filled("1122334")
        is forecast_page.load_filled("1122334.5.x")
        is None
    )
    old = forecast_buttons("1122334.5")["Pink"].argument
    assert forecast_page.load_forecast(old) == (1, 1, 2, 2, 3, 3, 0)


def test_no_two_buttons_of_the_forecast_panel_are_the_same_though_either_leads_to_the_same():
    view = GAME.view(begin(GAME, 1, seats=2), A)
    both_of_boat_two_are_out = (1, 1, 0, 0, 3, 3, 4)
    page = forecast_page.page(view, both_of_boat_two_are_out)
    found = [b for block in page.blocks if isinstance(block, Row) for b in block.buttons if isinstance(b, Button)]
    assert (
        forecast_page.load_forecast(found[2].argument)
        == forecast_page.load_forecast(found[3].argument)
        == (1, 1, 2, 2, 3, 3, 4)
    )
    assert len({(button.verb, button.argument) for button in found}) == len(found) == 9


@pytest.mark.parametrize("argument", ["", ".1", "00x0000", "000000", "9999999", "00000000"])
def test_a_forged_forecast_argument_is_nothing(argument: str):
    assert forecast_page.load_forecast(argument) is None


def test_colours_are_read_as_people_write_them():
    assert read_colours("red, blue green") == ("red", "blue", "green")
    assert read_colours("rbg") == ("red", "blue", "green")
    assert read_colours("Vio pi") == ("violet", "pink")
    assert read_colours("mauve") == ("mauve",)
    assert read_colours("") == ()


class Colours(NullTranslations):
    """A language with its own colours, two of which start alike."""

    def gettext(self, message: str) -> str:
        return {"red": "Rot", "pink": "Rosa", "green": "Grün"}.get(message, message)


def test_colours_are_read_in_english_and_in_the_readers_language():
    with speaking(Language("de", Colours())):
        assert read_colours("rot, grün Blue") == ("red", "green", "blue")
        assert read_colours("Rosa pi grü r") == ("pink", "pink", "green", "red")
        assert read_colours("rob") == ("red", "orange", "blue") and read_colours("ro w") == ("ro", "w")


def test_the_end_is_one_picture_with_every_forecast_and_one_line_of_points_the_best_first():
    playout = play(GAME, 4, seats=3)
    end = playout.states[-1]
    page = table_page(UI, GAME.view(end, None), seated(GAME.options(), 3))
    (head, *_) = (block.body for block in page.blocks if isinstance(block, Text))
    line = head.splitlines()[3]
    assert [int(score.rsplit(" ", 1)[1]) for score in line.split(" · ")] == sorted(playout.outcome.scores, reverse=True)
    (_boat, shown) = page.pictures()
    assert shown.data == draw_end(GAME.view(end, None), [f"Player {seat}" for seat in range(3)])
    assert not [block for block in page.blocks if isinstance(block, Select | Row)]
    for seat in range(3):
        own = seat_page(UI, GAME.view(end, Seat(seat)), seated(GAME.options(), 3))
        assert len([block for block in own.blocks if isinstance(block, Picture)]) == 1


def test_no_clock_is_shown_for_a_computer_or_in_a_replay():
    state = moment(race())
    view = GAME.view(state, None)
    assert view.turn == A
    person = msgspec.structs.replace(view)
    sitters = seated(GAME.options(), 2).seated_players
    soon, cases = Moment(5_000), list[tuple[Level | None, Moment | None, bool]]()
    cases += [(None, soon, True), (Level.TRAINEE, soon, False), (None, None, False)]
    for level, due, told in cases:
        about = TableContext(3, (SeatedPlayer(A, "Ann", 1, level), sitters[1]), GAME.options(), due=due)
        assert ("time runs out <t:5:R>" in UI.status(person, about)) is told


def test_pictures_are_small_deterministic_and_have_an_alt_text():
    for seed in range(3):
        for state in play(GAME, seed).states[::23]:
            view = GAME.view(state, None)
            data = picture.draw(view)
            assert same_picture(data, picture.draw(view)) and len(data) <= 60_000
            words = picture.alt(view, [f"Player {seat}" for seat in range(len(state.forecasts))])
            assert 0 < len(words) <= 1_024
            assert max(map(len, picture.table_text(view).splitlines())) <= 40


def test_advice_lists_the_plays_themselves_the_best_first_but_not_at_a_ranked_table():
    seen = set()
    for state in play(GAME, 2, seats=3).running[::3]:
        (seat, *_) = GAME.view(state, None).to_act
        view, legal = GAME.view(state, seat), list(GAME.legal(state, seat))
        if len(legal) < 2 or isinstance(legal[0], Forecast):
            continue
        told = available_moves_text(UI, view, seated(GAME.options(), 3), legal).split("\n")
        best: Any = ordered(view, legal, random.Random(view.ui_version))[0]
        first = told[told.index(BEST_FIRST) + 1].lower()
        names = best.colours if isinstance(best, Roll) else (best.colour,)
        assert first.startswith("- ") and all(name in first for name in names)
        assert BEST_FIRST not in available_moves_text(UI, view, replace(seated(GAME.options(), 3), ranked=True), legal)
        seen.add(type(best))
    assert len(seen) == 3
