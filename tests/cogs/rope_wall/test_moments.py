"""The headlines of the Rope Wall's great moments."""

import io

import pytest
from PIL import Image

from cogs.rope_wall.ui import RopeWallUI
from engine.contract import Seat
from engine.games.rope_wall import GAME, RopeWallOptions
from engine.turns import Interludes
from tools.harness.pages import seated
from tools.harness.playouts import play

UI = RopeWallUI()


def test_a_rope_has_a_headline_with_its_players_name_until_the_next_push_and_nothing_else_has():
    told: set[str] = set()
    for seed in range(6):
        playout = play(GAME, seed)
        info = seated(playout.options, playout.seats, ("Ann", "Ben"))
        for state in playout.states:
            view = GAME.view(state, Seat(0))
            shown = UI.highlight(view, info)
            won = view.phase == "over" and view.reason == "prisoners"
            in_vain = view.last_wall is not None and bool(view.cancelled)
            assert (shown is not None) == (won or (view.phase != "over" and (bool(view.ropes) or in_vain)))
            if shown is None or not view.ropes:
                continue
            wall = view.last_wall or view.wall
            floor, column = view.ropes[0][0]
            owner = wall[floor - 1][column - 1]
            assert owner is not None
            assert info.name(owner) in shown.headline or (owner == 0 and shown.headline == "Your rope holds!")
            told.add(f"{view.phase}: {shown.headline.replace(info.name(owner), '…')}")
    assert "over: … empties the prison!" in told
    assert "push: … frees a prisoner!" in told


@pytest.mark.parametrize("pause", ["on", "off"])
def test_a_round_without_a_rope_has_a_headline_until_the_next_push(pause: Interludes):
    options = RopeWallOptions(interludes=pause, push_limit="80")
    for seed in range(40):
        playout = play(GAME, seed, options=options)
        info = seated(playout.options, playout.seats, ("Ann", "Ben"))
        ended = 1
        for state in playout.running:
            view = GAME.view(state, None)
            if view.cancelled and view.last_wall is not None:
                shown = UI.highlight(view, info)
                assert shown is not None and shown.picture is not None
                assert shown.headline == f"No one escapes in round {ended}"
                return
            ended = view.round
    raise AssertionError("no round was cancelled")


def test_the_winner_of_a_round_reads_that_their_rope_holds_and_others_whose_rope_it_is():
    for seed in range(40):
        playout = play(GAME, seed, options=RopeWallOptions())
        info = seated(playout.options, playout.seats, ("Ann", "Ben"))
        for state in playout.states:
            view = GAME.view(state, None)
            if view.phase == "choose":
                assert view.turn is not None
                own, public = UI.highlight(GAME.view(state, view.turn), info), UI.highlight(view, info)
                assert own is not None and own.headline == "Your rope holds!"
                assert public is not None and public.headline == f"{info.name(view.turn)}'s rope holds!"
                assert own.picture is not None and public.picture is not None
                assert own.picture.data == public.picture.data
                return
    raise AssertionError("nobody chose an exit")


def test_a_moments_picture_is_small_square_and_shows_as_many_prisoners_as_got_out():
    seen = set()
    for seed in range(6):
        playout = play(GAME, seed)
        info = seated(playout.options, playout.seats, ("Ann", "Ben"))
        for state in playout.states:
            shown = UI.highlight(GAME.view(state, None), info)
            if shown is not None and shown.picture is not None:
                seen.add(shown.picture.data)
    assert len(seen) >= 3
    for data in seen:
        with Image.open(io.BytesIO(data)) as image:
            assert image.width == image.height == 160
        assert len(data) < 10_000
