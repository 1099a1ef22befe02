"""Test that the golden playthroughs match the current rules. `make goldens` regenerates them."""

import pytest

from engine.contract import AnyGame
from engine.games import GAMES
from tools.goldens import FOLDER, golden, golden_file


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_game_plays_as_its_golden_says(game: AnyGame):
    assert golden(game).splitlines() == golden_file(game).read_text(encoding="utf-8").splitlines()


def test_no_golden_is_left_of_a_game_that_is_gone():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)
