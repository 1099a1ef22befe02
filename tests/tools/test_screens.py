"""A sample of `make screens`: the board and all controls are visible together on a phone."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.core.i18n.translation import Language, speaking
from cogs.core.pages.page import Button, Page, Row, Select, SelectOption, Text
from cogs.registry import GAMES
from tools.harness.environment import shipped
from tools.screens.bot_states import parted_states
from tools.screens.phone import Phone, chromium
from tools.screens.states import State, lesson_states, player_states, puzzle_states
from tools.screenshots import CHROMIUM, PHONE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine: apt-get install chromium"),
]

SEED = 5
MOMENTS, PAGES = 4, 16


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def too_large(browser: Any, states: Iterable[State]) -> list[str]:
    """Return what does not fit a phone's screen, and the labels that need two lines."""
    phone = Phone(browser, "dark")
    return [
        f"{state.name}: {measured.height:.0f} px, {measured.whole:.0f} px with all texts, cut: {measured.cut}"
        for state in states
        if not (measured := phone.show(state)).fits(whole=state.asks_above)
    ]


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
def test_a_player_sees_the_board_and_all_controls_of_the_moment_on_one_screen(browser: Any, package: GamePackage):
    sample = (
        *islice(player_states(package, (SEED,), MOMENTS), PAGES),
        *islice(lesson_states(package), 3),
        *islice(puzzle_states(package), 1),
    )
    assert len(sample) > MOMENTS
    assert too_large(browser, sample) == []


@pytest.mark.parametrize("language", shipped().others, ids=lambda language: language.code)
@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
def test_pages_fit_one_screen_in_every_language(browser: Any, package: GamePackage, language: Language):
    with speaking(language):
        sample = (
            *islice(player_states(package, (SEED + 1,), MOMENTS), PAGES // 4),
            *islice(lesson_states(package), 3, 5),
        )
        assert len(sample) > MOMENTS
    assert too_large(browser, sample) == []


AUTHOR = 60
"""The pixels of the line that names a message's author."""


def test_with_an_open_proposal_and_after_a_game_that_a_player_left_a_message_is_no_taller_than_a_phone(browser: Any):
    phone = Phone(browser, "dark")
    (package,) = (package for package in GAMES if package.game.key == "prison_break")
    heights = {state.name: phone.show(state).whole + AUTHOR for state in parted_states(package)}
    assert len(heights) == 3 and max(heights.values()) <= PHONE[1], heights


def test_labels_that_need_two_lines_are_found(browser: Any):
    short, long = "Passing the round card", "Passing the round card to whoever asks for it first"
    rows = (
        Row((Button(short, "press", "1"), Button(long, "press", "2"))),
        Select("pick", (SelectOption("One", "1"),), long),
    )
    measured = Phone(browser, "dark").show(State.of("words", Page((Text("Read me."), *rows))))
    assert measured.cut == [long, long] and not measured.fits(whole=True)


def test_what_does_not_fit_is_found(browser: Any):
    rows = tuple(Row((Button(f"Button {number}", "press", str(number)),)) for number in range(16))
    tall = State.of("tall", Page((Text("Read me."), *rows)))
    measured = Phone(browser, "light").show(tall)
    assert measured.controls == 16
    assert not measured.fits(whole=False)
    assert 16 * 42 <= measured.height < measured.whole
