"""Pauses between rounds, the same in every game."""

import pytest

from cogs.core.pages.page import Button, Page, Row
from cogs.core.pages.player_page import seat_page, table_page
from cogs.registry import GAMES
from engine.chance import SEED_BYTES, Chance
from engine.contract import Moment, Seat
from engine.turns import Ready
from tools.harness.pages import seated
from tools.harness.playouts import play

UIS = [package.ui() for package in GAMES if hasattr(package.ui().game.options(), "interludes")]


def ready(page: Page) -> Button:
    (found,) = (
        one
        for block in page.blocks
        if isinstance(block, Row)
        for one in block.buttons
        if isinstance(one, Button) and one.verb == "ready"
    )
    return found


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_a_person_who_is_ready_finds_the_button_grey_on_their_own_page_and_nobody_else_does(ui):
    game, playouts = ui.game, (play(ui.game, seed, seats=ui.game.player_counts[0]) for seed in range(9))
    playout, pause, until = next(
        (one, at, shown.interlude.until)
        for one in playouts
        for at in one.running
        if (shown := game.view(at, None)).interlude is not None and not shown.interlude.ready
    )
    info = seated(playout.options, playout.seats)
    events = game.decide(pause, Seat(1), Ready(), Moment(until - 1), Chance(bytes(SEED_BYTES), "t", 0))
    one_ready = game.fold(events, pause)
    assert not ready(seat_page(ui, game.view(pause, Seat(1)), info)).disabled
    assert ready(seat_page(ui, game.view(one_ready, Seat(1)), info)).disabled
    assert not ready(seat_page(ui, game.view(one_ready, Seat(0)), info)).disabled
    assert not ready(table_page(ui, game.view(one_ready, None), info)).disabled
