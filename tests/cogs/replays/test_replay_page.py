"""The pages of replays, at moments of random games: what is on them, and how they fit a phone."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Page, Picture, Select, Text
from cogs.core.pages.phone_height import FITS, height
from cogs.match_five.alt_text import hand_alt
from cogs.match_five.draft import hand_of
from cogs.match_five.ui import MatchFiveUI
from cogs.registry import GAMES
from cogs.replays.chapters import chapters
from cogs.replays.replay_page import replay_page
from cogs.replays.replay_position import ReplayPosition
from engine.contract import Seat
from tools.harness.pages import seated
from tools.harness.playouts import played

UIS = [package.ui() for package in GAMES]
USABLE = FITS * 1.1
"""The pixels that a phone shows, without the tenth to spare."""
MOMENTS = 6


def pages(ui: GameUI, seat: Seat | None) -> Iterator[tuple[Page, Any]]:
    """Yield the page of some moments of a random game, seen by a seat or with everything, and the seat's view."""
    playout = played(ui.game.key, 1)
    states, info = playout.states, context(ui)
    replay: Any = SimpleNamespace(states=states, row=SimpleNamespace(id=1))
    for step in range(0, len(states), max(1, len(states) // MOMENTS)):
        page = replay_page(ui, replay, info, ReplayPosition(step, seat), chapters(ui.game, states), "")
        yield page, ui.game.view(states[step], seat)


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_a_phone_shows_the_board_with_all_controls(ui: GameUI):
    for page, _view in pages(ui, None):
        board = next(place for place, block in enumerate(page.blocks) if isinstance(block, Picture))
        assert not any(isinstance(block, Text) for block in page.blocks[board:]), "it would move the controls"
        assert height(Page(page.blocks[board:])) <= USABLE


@pytest.mark.parametrize("ui", [ui for ui in UIS if ui.game.has_hidden_info], ids=lambda ui: ui.game.key)
def test_a_seats_view_has_what_it_knew_and_no_instructions(ui: GameUI):
    for page, view in pages(ui, Seat(1)):
        heading = next((place for place, block in enumerate(page.blocks) if is_heading(block)), None)
        if heading is None:
            assert not ui.known(view, context(ui)), "it knew something"
            continue
        end = next(place for place, block in enumerate(page.blocks) if isinstance(block, Select))
        known = page.blocks[heading + 1 : end]
        assert known and isinstance(page.blocks[heading - 1], Picture)
        assert {block.body for block in known if isinstance(block, Text)} <= {ui.secret_summary(view)}


def test_a_hand_is_shown_also_on_its_players_own_turn():
    turns = 0
    for page, view in pages(MatchFiveUI(), Seat(0)):
        if view.turn == 0:
            turns += 1
            assert [one.alt for one in page.pictures()][1:] == [hand_alt(hand_of(view))]
    assert turns


def is_heading(block: object) -> bool:
    return isinstance(block, Text) and "knew at this point" in block.body


def context(ui: GameUI) -> TableContext:
    playout = played(ui.game.key, 1)
    return seated(playout.options, playout.seats, still=True)
