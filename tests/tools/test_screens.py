"""A sample of `make screens`: the board and all that can be pressed are visible together on a phone."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.core.pages.page import Button, Page, Row, Text
from cogs.registry import GAMES
from tools.screens.phone import Phone, chromium
from tools.screens.states import State, lesson_states, player_states, puzzle_states
from tools.screenshots import CHROMIUM

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


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
def test_a_player_sees_the_board_and_all_controls_of_the_moment_on_one_screen(browser: Any, package: GamePackage):
    phone = Phone(browser, "dark")
    sample = (
        *islice(player_states(package, (SEED,), MOMENTS), PAGES),
        *islice(lesson_states(package), 3),
        *islice(puzzle_states(package), 1),
    )
    assert len(sample) > MOMENTS
    too_tall = [
        f"{state.name}: {measured.height:.0f} px, {measured.whole:.0f} px with all texts"
        for state in sample
        if not (measured := phone.show(state)).fits(whole=state.asks_above)
    ]
    assert not too_tall


def test_what_does_not_fit_is_found(browser: Any):
    rows = tuple(Row((Button(f"Button {number}", "press", str(number)),)) for number in range(16))
    tall = State.of("tall", Page((Text("Read me."), *rows)))
    measured = Phone(browser, "light").show(tall)
    assert measured.controls == 16
    assert not measured.fits(whole=False)
    assert 16 * 42 <= measured.height < measured.whole
