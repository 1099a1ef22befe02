"""What Ausbrecher AG's screen shows: nothing of others' bets, every result with where it leads, legible pictures."""

import random
from io import BytesIO

import msgspec
import pytest
from PIL import Image, ImageChops

from cogs.ausbrecher import AusbrecherScreen, bets, picture, read_colours
from cogs.ausbrecher.scenery import BOX, SPACE, space_at
from cogs.ausbrecher.words import LETTERS
from cogs.core.errors import UserError
from cogs.core.messages.cockpit import cockpit_page, table_page
from cogs.core.messages.page import Button, Page, Picture, Row, Select, Text
from cogs.core.router.custom_ids import Control
from cogs.core.screen import Sitter, TableInfo
from engine.contract import Seat
from engine.games.ausbrecher import COLOURS, GAME, Replace, Resolve, Roll, State, landing
from tests.engine.games.races import A, after, colours, moment, race
from tests.engine.playouts import play

SCREEN = AusbrecherScreen()
PLAIN = (1, 1, 2, 2, 3, 3, 4)


def card(seats: int) -> TableInfo:
    return TableInfo(
        3, tuple(Sitter(Seat(seat), f"Player {seat}", 100 + seat) for seat in range(seats)), GAME.options()
    )


def shown(state: State, reader: Seat | None) -> bytes:
    """Every byte that this reader would see."""
    seats = len(state.forecasts)
    view = GAME.view(state, reader)
    pages = [table_page(SCREEN, GAME.view(state, None), card(seats))]
    if reader is not None and (private := cockpit_page(SCREEN, view, card(seats))) is not None:
        pages.append(private)
    words = [SCREEN.text(view, card(seats))]
    if reader is not None:
        words.append(SCREEN.advice(view, card(seats), list(GAME.legal(state, reader))))
        for verb in ("panel", "bet", "roll", "move"):
            try:
                words.append(repr(SCREEN.press(view, card(seats), Control(3, view.stamp, verb, "red", ("red",)))))
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


def test_the_results_say_where_they_lead_and_the_picture_shows_it():
    state = moment(race({9: "pink", 11: "blue"}))
    state = after(state, A, Roll(colours("blue pink green")), 2, 1, 4)
    page = table_page(SCREEN, GAME.view(state, None), card(2))
    labels = [b.label for block in page.blocks if isinstance(block, Row) for b in block.buttons]
    for result in GAME.view(state, None).results:
        there = landing(state.race, result.colour, result.pips, False)
        assert any(label.startswith(f"{LETTERS[result.colour]} +{result.pips}: {there.space}") for label in labels)
    before = moment(race({9: "pink", 11: "blue"}))
    one, other = (Image.open(BytesIO(picture.draw(GAME.view(at, None)))).convert("RGB") for at in (before, state))
    for result in GAME.view(state, None).results:
        x, y = space_at(result.landing.space or 0)
        box = (x, y, x + BOX, y + SPACE)
        assert ImageChops.difference(one.crop(box), other.crop(box)).getbbox() is not None


def test_who_is_aboard_has_no_die_to_choose():
    page = table_page(SCREEN, GAME.view(moment(race({3: "pink"}, aboard="red blue")), None), card(2))
    for select in (block for block in page.blocks if isinstance(block, Select)):
        assert {choice.value for choice in select.choices} == set(COLOURS) - {"red", "blue"}
        assert select.least == select.most == 2  # boat 1 is full


def test_before_the_second_turn_there_is_no_white_die():
    verbs = [
        b.argument
        for b in table_page(SCREEN, GAME.view(moment(race(), turn=1), None), card(2)).blocks
        if isinstance(b, Select)
    ]
    assert verbs == [""]
    verbs = [
        b.argument
        for b in table_page(SCREEN, GAME.view(moment(race(), turn=2), None), card(2)).blocks
        if isinstance(b, Select)
    ]
    assert verbs == ["", "white"]


def test_with_the_late_second_the_one_who_goes_back_is_asked_for_before_the_roll():
    late = moment(race({9: "violet", 12: "pink"}, aboard="red orange yellow green"), late_white="second")
    view = GAME.view(late, A)
    asked = SCREEN.press(view, card(2), Control(3, view.stamp, "roll", "white", ("pink",)))
    assert isinstance(asked, Page)
    (select,) = (block for block in asked.blocks if isinstance(block, Select))
    assert {choice.value for choice in select.choices} == {"blue", "violet"}
    rolled = SCREEN.press(view, card(2), Control(3, view.stamp, select.verb, select.argument, ("violet",)))
    assert rolled == Roll(("pink",), True, "violet")


def test_the_controls_of_a_turn_come_to_actions():
    view = GAME.view(moment(race()), A)
    about = card(2)
    assert SCREEN.press(view, about, Control(3, 0, "roll", "", ("red", "blue", "pink"))) == Roll(
        ("red", "blue", "pink")
    )
    assert SCREEN.press(view, about, Control(3, 0, "move", "red")) == Resolve("red")
    assert SCREEN.press(view, about, Control(3, 0, "replace", "red")) == Replace("red")


def test_the_forecast_panel_moves_prisoners_between_boats_and_fills_the_last():
    holds = (2, 2, 2, 1)
    step = bets.chosen(Control(3, 0, "bet", "0000000.1", ("red", "blue")), holds)
    assert step == (1, 0, 0, 0, 1, 0, 0)
    step = bets.chosen(Control(3, 0, "bet", bets.written(step) + ".2", ("blue", "green")), holds)
    assert step == (1, 0, 0, 2, 2, 0, 0)  # blue has left boat 1
    step = bets.chosen(Control(3, 0, "bet", bets.written(step) + ".1", ("red", "pink")), holds)
    assert step == (1, 0, 0, 2, 2, 0, 1)
    step = bets.chosen(Control(3, 0, "bet", bets.written(step) + ".3", ("orange", "violet")), holds)
    assert step == (1, 3, 4, 2, 2, 3, 1)  # yellow is left for boat 4
    assert bets.complete(step, holds)


@pytest.mark.parametrize("argument", ["", ".1", "0000000", "0000000.5", "00000x0.1", "000000.1", "9999999.1"])
def test_a_forged_forecast_argument_is_nothing(argument: str):
    assert bets.chosen(Control(3, 0, "bet", argument, ("red",)), (2, 2, 2, 1)) is None


def test_more_than_a_boat_holds_is_nothing():
    assert bets.chosen(Control(3, 0, "bet", "0000000.4", ("red", "blue")), (2, 2, 2, 1)) is None


def test_colours_are_read_as_people_write_them():
    assert read_colours("red, blue green") == ("red", "blue", "green")
    assert read_colours("rbg") == ("red", "blue", "green")
    assert read_colours("Vio pi") == ("violet", "pink")
    assert read_colours("mauve") == ("mauve",)
    assert read_colours("") == ()


def test_the_end_shows_every_forecast_with_its_points_the_best_first():
    playout = play(GAME, 4, seats=3)
    end = playout.states[-1]
    page = table_page(SCREEN, GAME.view(end, None), card(3))
    text = "\n".join(block.body for block in page.blocks if isinstance(block, Text))
    scores = [line for line in text.splitlines() if line.startswith("**") and "Player" in line]
    points = [int(line.split("**")[1]) for line in scores]
    assert points == sorted(playout.outcome.scores, reverse=True)
    assert not [block for block in page.blocks if isinstance(block, Select)]
    for seat in range(3):
        private = cockpit_page(SCREEN, GAME.view(end, Seat(seat)), card(3))
        assert private is not None and [block for block in private.blocks if isinstance(block, Picture)]
    assert not [b for block in page.blocks if isinstance(block, Row) for b in block.buttons if isinstance(b, Button)]


def test_pictures_are_small_the_same_every_time_and_told_in_words():
    for seed in range(3):
        for state in play(GAME, seed).states[::23]:
            view = GAME.view(state, None)
            data = picture.draw(view)
            assert data == picture.draw(view) and len(data) <= 60_000
            words = picture.alt(view, [f"Player {seat}" for seat in range(len(state.forecasts))])
            assert 0 < len(words) <= 1_024
            assert max(map(len, picture.as_text(view).splitlines())) <= 40
