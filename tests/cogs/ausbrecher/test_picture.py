"""Ausbrecher AG's pictures: visible numbers, empty seats, the last steps, sails, and the end."""

import msgspec
import pytest
from PIL import Image, ImageChops

from cogs.ausbrecher import picture, space_sprites, strip_sprites
from cogs.ausbrecher.boat_scenery import BOAT, PAINTS, SAIL
from cogs.ausbrecher.end_picture import draw_end, draw_forecast
from cogs.ausbrecher.picture import SpaceContent
from cogs.ausbrecher.scenery import BOX, DIE, HEAD, SPACE, Die, Way, die_at, draw_die, harbour, space_at
from cogs.ausbrecher.space_sprites import draw_arrival, draw_step
from cogs.ausbrecher.words import die_lettering
from cogs.core.drawing.people import SKIN
from cogs.core.drawing.theme import LAMP, WIDTH, Colour
from engine.games.ausbrecher import COLOURS, GAME, AusbrecherView, Resolve, Roll, State
from tests.engine.games.ausbrecher_positions import A, after, colours, moment, race
from tools.harness.pages import opened
from tools.harness.playouts import play

NAMES = ("Ann", "Bartholomew the Third", "Анна", "Dan", "Eve", "Fay")


def seen(state: State) -> AusbrecherView:
    view = GAME.view(state, None)
    assert isinstance(view, AusbrecherView)
    return view


def count_of(image: Image.Image, colour: Colour) -> int:
    return sum(number for number, found in image.getcolors(1 << 20) or () if found == colour)


def boats(state: State) -> Image.Image:
    top = harbour(len(state.race.spaces))
    return opened(picture.draw(seen(state))).crop((0, top + 10, WIDTH, top + BOAT))


def finished(seats: int) -> AusbrecherView:
    return seen(play(GAME, 7, seats=seats).states[-1])


def test_empty_seats_of_the_boats_have_no_faces():
    assert count_of(boats(moment(race())), SKIN) == 0
    assert count_of(boats(moment(race(aboard="red"))), SKIN) > 100


def test_a_full_boat_sets_sail():
    waiting, full = boats(moment(race(aboard="red"))), boats(moment(race(aboard="red blue")))
    below_the_yard = (0, 60, WIDTH, BOAT - 60)
    assert count_of(waiting.crop(below_the_yard), SAIL) < 5  # an edge of a letter may have its colour
    assert count_of(full.crop(below_the_yard), SAIL) > 100


@pytest.mark.parametrize("crew", ["red", "red blue", "red blue green", "red orange yellow green blue violet pink"])
def test_no_stack_hides_the_number_of_its_space(crew: str):
    x, y = space_at(9)
    plaque = (x + 7, y + 8, x + 43, y + 36)
    empty = opened(picture.draw(seen(moment(race())))).crop(plaque)
    stacked = opened(picture.draw(seen(moment(race({9: crew}))))).crop(plaque)
    assert ImageChops.difference(empty, stacked).getbbox() is None


@pytest.mark.parametrize("crew", ["red blue", "red blue green", "red orange yellow green blue violet pink"])
def test_every_one_of_a_stack_is_shown(crew: str):
    x, y = space_at(9)
    tile = opened(picture.draw(seen(moment(race({9: crew}))))).crop((x, y, x + BOX, y + SPACE))
    for colour in colours(crew):
        assert count_of(tile, PAINTS[colour]) > 60


def test_the_order_of_a_stack_is_shown():
    drawn = {
        picture.draw(seen(moment(race({9: words}))))
        for words in ("red blue green pink", "blue red green pink", "red green blue pink", "red blue pink green")
    }
    assert len(drawn) == 4


def test_the_last_steps_are_shown_with_where_they_led():
    rolled = after(moment(race({5: "blue", 9: "pink"})), A, Roll(colours("green blue pink")), 1, 2, 4)
    moved = after(rolled, A, Resolve("blue"))
    assert picture._steps(picture._last_moves(seen(moved))) == {5: [("blue", "right")], 6: [("blue", "down")]}
    assert picture._last_moves(seen(rolled)) == ()
    x, y = space_at(7)
    assert count_of(opened(picture.draw(seen(moved))).crop((x + 7, y + 8, x + 43, y + 36)), LAMP) > 100
    x, y = space_at(6)
    box = (x, y, x + BOX, y + SPACE)
    before, later = (opened(picture.draw(seen(state))).crop(box) for state in (rolled, moved))
    assert ImageChops.difference(before, later).getbbox() is not None
    assert "Last moves: blue to space 7." in picture.alt(seen(moved), NAMES[:2])


WAYS: tuple[Way, ...] = ("right", "left", "down", "up")


@pytest.mark.parametrize("stand", [
    SpaceContent(("red",)),
    SpaceContent(("red", "orange", "yellow", "green", "blue", "violet", "pink")),
    SpaceContent(("red", "green")),
    SpaceContent((), ("blue", "pink", "yellow")),
    SpaceContent((), (), (("orange", "right"), ("violet", "left"))),
    *(SpaceContent((), (), (("red", way), ("pink", way), ("green", way))) for way in WAYS),
])  # fmt: skip
def test_what_lies_on_a_space_looks_the_same_on_every_one(stand: SpaceContent):
    palette, length = picture._palette(18), 18
    for number in range(1, length + 1):
        x, y = space_at(number)
        whole = palette.canvas(x, y, BOX, SPACE)
        for place, step in enumerate(stand.steps):
            draw_step(whole, number, place, len(stand.steps), step)
        for layer, crew in enumerate(space_sprites._layers(stand.crew)):
            space_sprites._draw_layer(whole, number, len(stand.crew) - 1, layer, crew)
        for place, ghost in enumerate(stand.ghosts):
            draw_arrival(whole, number, place, ghost)
        laid, drawn = palette.composition(), palette.composition()
        for sprite in picture._space_sprites(length, number, stand, False):
            laid.placed.append(sprite)
        drawn.paste(palette.bitmap(whole), (x, y))
        changed = ImageChops.difference(laid.image().convert("RGB"), drawn.image().convert("RGB"))
        for corner in ((0, 0), (BOX - 12, 0), (0, SPACE - 12), (BOX - 12, SPACE - 12)):  # lamps shine on them
            changed.paste(0, (x + corner[0], y + corner[1], x + corner[0] + 12, y + corner[1] + 12))
        if number == length:
            changed.paste(0, (x, y + SPACE - 10, x + BOX, y + SPACE))  # the pier starts there
        # A quarter of a pixel's edge may fall to either side, depending on where it is drawn. Where two things cross, a
        # few pixels of their edges are mixed with the floor.
        crossing = 30 if len(stand.steps) > 1 or len(stand.ghosts) > 2 else 0
        assert sum(changed.convert("L").histogram()[25:]) <= crossing, number


@pytest.mark.parametrize("die", [
    ("red", 5, False, False, False),
    ("violet", 6, True, True, False),
    ("yellow", 1, False, True, True),
    (None, 4, False, False, False),
])  # fmt: skip
def test_a_die_looks_the_same_at_each_of_its_places(die: Die):
    palette = picture._palette(18)
    for place in range(4):
        x = die_at(place)
        whole = palette.canvas(x - 36, 10, 72, HEAD - 14)
        draw_die(whole, x, DIE, die, die_lettering(die[0], lost=die[-1]))
        laid, drawn = palette.composition(), palette.composition()
        laid.placed.append(strip_sprites._die_sprite(palette, place, die))
        drawn.paste(palette.bitmap(whole), (x - 36, 10))
        changed = ImageChops.difference(laid.image().convert("RGB"), drawn.image().convert("RGB")).convert("L")
        assert sum(changed.histogram()[41:]) <= 3, place  # a star may be behind it


def test_a_prisoner_on_the_last_space_leaves_the_pier_beside_them():
    bare, taken = (opened(picture.draw(seen(moment(race(there))))) for there in ({}, {18: "blue"}))
    x, y = space_at(18)
    pier = (x + 28, y + SPACE - 10, x + 38, y + SPACE)
    assert ImageChops.difference(bare.crop(pier), taken.crop(pier)).getbbox() is None


def test_a_step_into_a_boat_leads_down_from_the_last_space():
    rolled = after(moment(race({17: "blue"})), A, Roll(colours("green blue pink")), 1, 2, 4)
    moved = after(rolled, A, Resolve("blue"))
    assert picture._steps(picture._last_moves(seen(moved))) == {17: [("blue", "right")], 18: [("blue", "down")]}


def test_the_player_on_turn_is_named_as_far_as_the_font_has_its_letters():
    view = seen(moment(race()))
    assert picture.draw(view, ("Ann", "Bob")) != picture.draw(view)
    assert picture.draw(view, ("Анна", "Bob")) == picture.draw(view)


@pytest.mark.parametrize("seats", range(GAME.player_counts[0], GAME.player_counts[-1] + 1))
def test_the_end_is_one_small_picture_of_boats_and_forecasts(seats: int):
    view = finished(seats)
    data = picture.draw(view, NAMES[:seats])
    assert data == draw_end(view, NAMES[:seats]) and len(data) <= 60_000
    words = picture.alt(view, NAMES[:seats])
    assert words.startswith("The race is over: ") and len(words) <= 1_024
    assert all(f"Boat {number}: " in words for number, crew in enumerate(view.race.boats, start=1) if crew)


def test_the_end_changes_with_every_forecast_and_point():
    view = finished(3)
    first = draw_end(view, NAMES[:3])
    bets = view.forecasts[0]
    assert bets is not None
    other = msgspec.structs.replace(view, forecasts=(bets[::-1], *view.forecasts[1:]))
    assert bets == bets[::-1] or draw_end(other, NAMES[:3]) != first
    points = view.points[0]
    ticked = tuple(boat if not scored else 0 for boat, scored in zip(bets, points, strict=True))
    assert draw_end(msgspec.structs.replace(view, points=(ticked, *view.points[1:])), NAMES[:3]) != first


def test_a_forecast_is_ticked_and_crossed_once_that_is_known():
    bets = (1, 1, 2, 2, 3, 3, 4)
    unknown = draw_forecast(bets, (None,) * len(COLOURS))
    right = draw_forecast(bets, (1, *(None,) * 6))
    wrong = draw_forecast(bets, (0, *(None,) * 6))
    assert len({unknown, right, wrong}) == 3
    assert draw_forecast((0,) * 7, (None,) * 7) != unknown
