"""What the end of a game at the Rope Wall says where the board does not show it: a resignation, or cancelled rounds."""

import pytest

from cogs.core.pages.game_ui import TableContext
from cogs.rope_wall import picture
from cogs.rope_wall.status import with_winner
from cogs.rope_wall.ui import RopeWallUI
from engine.contract import Seat
from engine.games.rope_wall import GAME, Resign, RopeWallView
from tests.engine.games.rope_wall_positions import A, B, decide, push, state
from tools.harness.pages import seated

UI = RopeWallUI()


def info(places: tuple[int, ...] = ()) -> TableContext:
    return seated(GAME.options(), 2, ("Ann", "Ben"), places=places)


def resigned(by: Seat) -> RopeWallView:
    before = push(state(), 1, "left")[1]
    return GAME.view(GAME.fold(decide(before, by, Resign()), before), None)


@pytest.mark.parametrize(("by", "name"), [(A, "● **Ann**"), (B, "◆ **Ben**")])
def test_the_picture_says_who_resigned(by: Seat, name: str):
    view = resigned(by)
    assert UI.news(view, info()).replace("\u00a0", " ").endswith(f"{name} resigned.")
    won = picture.draw(view, ("Ann", "Ben"))
    assert won != picture.draw(GAME.view(push(state(), 1, "left")[1], None), ("Ann", "Ben"))


def test_a_picture_with_other_places_than_the_board_does_not_mention_resigning():
    view = resigned(B)
    assert with_winner(view, info()).reason == "resigned"
    assert (with_winner(view, info((2, 1))).winner, with_winner(view, info((2, 1))).reason) == (B, None)


def test_the_picture_says_that_rounds_were_cancelled():
    _, over = push(state(pushes=119, cancelled=2), 1, "left")
    assert "3 rounds in a row were cancelled, which ends the game." in UI.news(GAME.view(over, None), info())
    assert "cancelled, which" not in UI.news(resigned(A), info())
