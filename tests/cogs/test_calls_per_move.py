"""Test that the number of Discord calls per move matches the goldens. `make goldens` regenerates them."""

import pytest

from cogs.registry import GAMES
from tools.goldens.calls import FOLDER, golden, golden_file

KEYS = [package.game.key for package in GAMES]


@pytest.mark.parametrize("key", KEYS)
async def test_moves_at_a_human_pace_cost_the_calls_that_the_golden_says(key: str):
    assert (await golden(key)).splitlines() == golden_file(key).read_text(encoding="utf-8").splitlines()


def test_no_golden_is_left_of_a_game_that_is_gone():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(KEYS)
