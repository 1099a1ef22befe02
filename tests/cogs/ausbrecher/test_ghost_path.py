"""The path of a die before it is used: which spaces count, which are jumped, and how the picture shows both."""

import pytest

from cogs.ausbrecher import picture
from cogs.ausbrecher.boat_scenery import PAINTS
from cogs.ausbrecher.ghost_path import ghost_paths
from cogs.ausbrecher.scenery import BOX, SPACE, space_at
from engine.games.ausbrecher import GAME, AusbrecherView, Landing, Replace, Resolve, Roll, State
from tests.engine.games.ausbrecher_positions import A, B, after, colours, moment, race
from tools.harness.pages import opened


def rolled(board: dict[int, str], dice: str, *pips: int) -> AusbrecherView:
    return seen(after(moment(race(board)), A, Roll(colours(dice)), *pips))


def seen(state: State) -> AusbrecherView:
    view = GAME.view(state, None)
    assert isinstance(view, AusbrecherView)
    return view


@pytest.mark.parametrize(("board", "dice", "pips", "counted", "jumped"), [
    ({3: "red", 5: "green", 6: "violet", 8: "pink"}, "red orange yellow", (6, 1, 1), (4, 7, 9, 10, 11), (5, 6, 8)),
    ({1: "red", 2: "blue"}, "red orange yellow", (1, 1, 1), (), ()),
    ({4: "red", 5: "blue", 6: "pink"}, "red orange yellow", (2, 1, 1), (7,), (5, 6)),
    ({15: "red", 17: "blue"}, "red orange yellow", (6, 1, 1), (16, 18), (17,)),
    ({16: "red", 17: "blue", 18: "pink"}, "red orange yellow", (2, 1, 1), (), (17, 18)),
])  # fmt: skip
def test_only_empty_spaces_take_a_pip_and_the_taken_ones_between_them_are_jumped(
    board: dict[int, str], dice: str, pips: tuple[int, ...], counted: tuple[int, ...], jumped: tuple[int, ...]
):
    path = ghost_paths(rolled(board, dice, *pips))[0]
    assert (path.colour, path.counted, path.jumped, path.back) == ("red", counted, jumped, False)


def test_a_way_back_jumps_too():
    state = after(
        moment(race({7: "red", 6: "blue", 4: "pink"})), A, Roll(colours("red green orange"), True), 1, 1, 1, 4
    )
    path = ghost_paths(seen(after(state, A, Replace("red"))))[0]
    assert path.back and (path.counted, path.jumped) == ((5, 3, 2), (6, 4))


def test_every_path_agrees_with_where_its_die_leads():
    view = rolled({2: "red", 3: "blue", 6: "pink green"}, "red blue pink", 5, 3, 2)
    for path, result in zip(ghost_paths(view), (one for one in view.results if one.landing.trail), strict=True):
        there: Landing = result.landing
        assert (*path.counted, there.space) == there.trail
        assert all(view.race.spaces[space - 1] for space in path.jumped)
        assert not any(view.race.spaces[space - 1] for space in path.counted)


def test_the_steps_of_the_turn_before_make_way_for_the_paths():
    before = after(moment(race({9: "red", 3: "blue"})), A, Roll(colours("red blue green")), 2, 1, 1)
    for colour in ("red", "blue"):  # the last one moves automatically
        before = after(before, A, Resolve(colour))
    x, y = space_at(9)
    left = (x + 4, y + 40, x + 44, y + SPACE - 6)  # where a step that left this space is drawn
    chosen, going = (opened(picture.draw(seen(state))).crop(left) for state in (before, after(
        before, B, Roll(colours("pink violet orange")), 1, 1, 1
    )))  # fmt: skip
    assert PAINTS["red"] in [colour for _, colour in chosen.getcolors(1 << 12) or ()]
    assert PAINTS["red"] not in [colour for _, colour in going.getcolors(1 << 12) or ()]


def test_the_picture_counts_the_free_spaces_and_bows_over_the_taken_ones():
    board = {3: "red", 5: "green"}
    view = rolled(board, "red orange yellow", 3, 1, 1)
    still = opened(picture.draw(seen(moment(race(board)))))
    shown = opened(picture.draw(view))
    for space in (4, 5, 6):
        x, y = space_at(space)
        box = (x, y, x + BOX, y + SPACE)
        new, old = (image.crop(box).getcolors(1 << 16) or () for image in (shown, still))
        red = [sum(count for count, colour in found if colour == PAINTS["red"]) for found in (new, old)]
        assert red[0] > red[1] + 40, space
    alt = picture.alt(view, ("Ann", "Ben"))
    assert "Red counts 4 and 6, jumps 5." in alt
