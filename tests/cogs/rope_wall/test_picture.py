"""The Rope Wall's picture: each fact of the position changes its own part and no other, in pixels and in text."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from io import BytesIO

import msgspec
import pytest
from PIL import Image, ImageChops

from cogs.core.drawing.sprites import bitmaps
from cogs.core.drawing.theme import ALARM, LAMP, SEAT_MARKS, WIDTH, Colour
from cogs.core.pages.page import ALT_LIMIT
from cogs.rope_wall import picture, sprites
from cogs.rope_wall.rule_pictures import RULE_PICTURES
from cogs.rope_wall.scenery import FOOT, HEIGHT, NICHE, TOWER, Grid
from cogs.rope_wall.words import alt, table_text
from engine.contract import Seat
from engine.games.rope_wall import GAME, ChooseExits, Material, Opening, Push, Pushed, RopeWallView, State, Wall
from engine.games.rope_wall.wall import shoved
from tests.cogs.core.drawing.test_theme import contrast
from tests.engine.games.rope_wall_positions import NOW, A, B, decide, drawn, push, state, walked
from tools.harness.pages import same_picture
from tools.harness.playouts import play

LARGEST = 60_000
NAMES = ("Ann", "Ben")
GRID = Grid(5, 5)

Box = tuple[int, int, int, int]
ROOM = {A: (0, 50, TOWER, 170), B: (WIDTH - TOWER, 50, WIDTH, 170)}
SKY: Box = (TOWER - 16, 0, WIDTH - TOWER + 16, 90)
LINE: Box = (0, FOOT + 8, WIDTH, HEIGHT)

SOME = """
    . . B A .
    . A . B A
    B . . B .
    A B A B .
    . B A . B
"""
FULL_FLOOR = SOME.replace("A B A B .", "A B A B A")
NEARLY_FULL = """
    A B A B B
    B A B A A
    A B B A B
    B A A B A
    A B A B .
"""


def seen(game: State) -> RopeWallView:
    return GAME.view(game, None)


def changed(view: RopeWallView, **facts: object) -> RopeWallView:
    return msgspec.structs.replace(view, **facts)


@cache
def pixels(view: RopeWallView) -> Image.Image:
    return Image.open(BytesIO(picture.draw(view))).convert("RGB")


def changes(before: RopeWallView, after: RopeWallView) -> Image.Image:
    """Return where two pictures differ: white on black."""
    return ImageChops.difference(pixels(before), pixels(after)).convert("L").point(lambda value: 255 * (value > 0))


def cell(floor: int, column: int, margin: int = 0) -> Box:
    x, y = GRID.centre(floor, column)
    half = GRID.cell // 2 + margin
    return x - half, y - half, x + half, y + half


def sign(code: str) -> Box:
    x, y = GRID.opening(Opening(int(code[1]), "left" if code[0] == "L" else "right"))
    return x - 88, y - 30, x + 88, y + 30


def exit_(column: int) -> Box:
    x = GRID.centre(1, column)[0]
    return x - 40, GRID.top - 84, x + 40, GRID.top


def only_in(difference: Image.Image, *boxes: Box) -> bool:
    """Return True if pixels have changed in each of these boxes, and nowhere else."""
    rest = difference.copy()
    for box in boxes:
        rest.paste(0, box)
    return rest.getbbox() is None and all(difference.crop(box).getbbox() for box in boxes)


def share(view: RopeWallView, box: Box, colour: Colour) -> float:
    """Return how much of a box has exactly this colour."""
    return share_in(pixels(view).crop(box), colour)


def share_of(data: bytes, colour: Colour) -> float:
    return share_in(Image.open(BytesIO(data)).convert("RGB"), colour)


def share_in(part: Image.Image, colour: Colour) -> float:
    counted = {shade: number for number, shade in part.getcolors(part.width * part.height) or []}
    return counted.get(colour, 0) / (part.width * part.height)


def with_knot(wall: Wall, floor: int, column: int, seat: Seat | None) -> Wall:
    row = wall[floor - 1]
    return (*wall[: floor - 1], (*row[: column - 1], seat, *row[column:]), *wall[floor:])


@cache
def moments(seed: int) -> tuple[RopeWallView, ...]:
    """Views from all over a random game, the last one among them."""
    states = play(GAME, seed).states
    return tuple(seen(each) for each in (*states[:: max(1, len(states) // 12)], states[-1]))


# -------------------------------------------------------------------------------------- each fact changes its own place


@pytest.mark.parametrize("floor", range(1, 6))
@pytest.mark.parametrize("column", range(1, 6))
def test_a_lone_knot_changes_its_own_niche_only(floor: int, column: int):
    empty = seen(state())
    one, other = (changed(empty, wall=with_knot(empty.wall, floor, column, seat)) for seat in (A, B))
    assert only_in(changes(empty, one), cell(floor, column))
    assert only_in(changes(one, other), cell(floor, column))


def test_all_niches_look_the_same_so_that_a_knot_looks_the_same_everywhere():
    empty = seen(state())
    niches = {pixels(empty).crop(cell(floor, column)).tobytes() for floor in range(1, 6) for column in range(1, 6)}
    assert len(niches) == 1


def test_neighbours_of_one_colour_hang_together_and_others_do_not():
    view = seen(state())
    left = changed(view, wall=with_knot(view.wall, 3, 3, A))
    for floor, column in ((3, 2), (3, 4), (4, 3), (2, 3)):
        same, unlike = (changed(left, wall=with_knot(left.wall, floor, column, seat)) for seat in (A, B))
        assert only_in(changes(left, same), cell(3, 3), cell(floor, column))
        assert only_in(changes(left, unlike), cell(floor, column))
    corner = changed(left, wall=with_knot(left.wall, 4, 4, A))
    assert only_in(changes(left, corner), cell(4, 4))


def test_the_turn_is_shown_by_both_towers_the_beam_and_the_line_below():
    view = seen(state(SOME))
    assert only_in(changes(view, changed(view, turn=B)), ROOM[A], ROOM[B], SKY, LINE)
    for turn, waiting in ((A, B), (B, A)):
        shown = pixels(changed(view, turn=turn)).convert("L")
        lit, dark = (
            shown.crop(ROOM[seat]).resize((1, 1), Image.Resampling.BOX).getpixel((0, 0)) for seat in (turn, waiting)
        )
        assert lit > 1.5 * dark


@pytest.mark.parametrize("seat", [A, B])
def test_knots_in_hand_and_prisoners_out_are_counted_in_the_own_tower(seat: Seat):
    view = seen(state(SOME))
    hands = tuple(hand - (owner == seat) for owner, hand in enumerate(view.hands))
    freed = tuple(int(owner == seat) for owner in (A, B))
    assert only_in(changes(view, changed(view, hands=hands)), ROOM[seat])
    assert only_in(changes(view, changed(view, freed=freed)), ROOM[seat])
    stars = [share(changed(view, turn=1 - seat, freed=(number, number)), ROOM[seat], LAMP) for number in range(4)]
    assert stars == sorted(set(stars))


@pytest.mark.parametrize("column", range(1, 6))
def test_a_prisoner_closes_the_exit_of_their_column(column: int):
    view = seen(state(SOME))
    guests = [
        changed(view, exits=tuple(seat if number == column else None for number in range(1, 6))) for seat in (A, B)
    ]
    for guest in guests:
        assert only_in(changes(view, guest), exit_(column))
    assert only_in(changes(*guests), exit_(column))


@pytest.mark.parametrize("code", ["L1", "L4", "R2", "R5"])
def test_a_barred_opening_is_crossed_out_for_the_player_to_push(code: str):
    view = seen(state(SOME))
    opening = Opening(int(code[1]), "left" if code[0] == "L" else "right")
    barred = changed(view, barred=((opening,), ()))
    assert only_in(changes(view, barred), sign(code))
    assert share(barred, sign(code), ALARM) > 0.02 > share(view, sign(code), ALARM)
    assert not changes(view, changed(view, barred=((), (opening,)))).getbbox()


@pytest.mark.parametrize(("floor", "side", "column", "code"), [(5, "left", 1, "L5"), (3, "right", 5, "R3")])
def test_the_last_push_is_marked_at_its_opening_and_on_its_knot(floor, side, column, code):
    _, after = push(state(SOME), floor, side)
    unmarked = changed(seen(after), recent=(), last_push=None)
    assert only_in(changes(unmarked, seen(after)), sign(code), cell(floor, column, 12))
    assert share(seen(after), sign(code), LAMP) > 0.2 > share(unmarked, sign(code), LAMP)
    assert changes(unmarked, seen(after)).crop(cell(floor, column, -14)).getbbox()
    border = GRID.left if side == "left" else GRID.left + 5 * GRID.cell
    y = GRID.centre(floor, column)[1]
    for corner in ((border - 10, y - 20), (border + 9, y - 20), (border - 10, y + 19), (border + 9, y + 19)):
        assert pixels(unmarked).getpixel(corner) == pixels(seen(after)).getpixel(corner)


@pytest.mark.parametrize(("side", "out"), [("left", "R2"), ("right", "L2")])
def test_a_push_through_a_full_floor_shows_its_whole_way_and_what_fell_out(side, out):
    _, after = push(state(FULL_FLOOR), 2, side)
    view = seen(after)
    assert view.recent[-1].fell is not None
    unmarked = changed(view, recent=(), last_push=None, ejected=None)
    marks = changes(unmarked, view)
    assert marks.crop(sign(out)).getbbox()
    for column in range(1, 5):  # a chevron between each two neighbours
        x, y = GRID.left + GRID.cell * column, GRID.centre(2, 1)[1]
        assert share(view, (x - 10, y - 16, x + 10, y + 16), LAMP) > 0.1
    other = changed(view, recent=(msgspec.structs.replace(view.recent[-1], fell=1 - view.recent[-1].fell),))
    assert only_in(changes(view, other), sign(out))


def test_an_opening_where_one_fell_out_can_be_barred_at_the_same_time():
    _, after = push(state(FULL_FLOOR.replace("A B A B A", "A B A B B")), 2, "left")
    view = seen(after)
    assert view.turn == B and view.barred[B] == (Opening(2, "right"),)
    bars = changes(view, changed(view, barred=((), ())))
    assert only_in(bars, sign("R2"))
    assert share(view, sign("R2"), ALARM) > 0.02
    assert share(view, sign("R2"), SEAT_MARKS[B].colour) > 0.02


def joined() -> State:
    """Return a state in which A has just finished a rope with a choice of exits."""
    wall = """
        . A A . .
        . A . B .
        . A B B .
        . A B . .
        A A . B .
    """
    return push(state(wall, exits=". . . B ."), 5, "left")[1]


def test_the_winner_sees_the_rope_and_the_exits_to_choose_from():
    view = seen(joined())
    assert view.phase == "choose" and view.choices == ((1,), (2,), (3,))
    assert only_in(changes(view, changed(view, choices=())), *(exit_(column) for column in (1, 2, 3)))
    dark = changed(view, ropes=())
    cells = {cell for rope in view.ropes for cell in rope}
    for floor in range(1, 6):
        for column in range(1, 6):
            differs = changes(view, dark).crop(cell(floor, column, -8)).getbbox() is not None
            assert differs == ((floor, column) in cells)
            if differs:
                assert share(view, cell(floor, column), LAMP) > 0.03


def test_the_rope_hangs_from_its_exit():
    view = seen(joined())
    for column in range(1, 6):
        x = GRID.centre(1, column)[0]
        above = x - 5, GRID.top - 6, x + 5, GRID.top
        below = x - 5, GRID.top, x + 5, GRID.top + 12
        hangs = column in (1, 2, 3)
        assert all((share(view, part, LAMP) > 0.3) == hangs for part in (above, below))


def test_after_a_won_round_the_rope_still_shines_on_the_wall_that_is_gone():
    view = seen(GAME.fold(decide(joined(), A, ChooseExits((2,))), joined()))
    assert view.round == 2 and view.last_wall is not None and not any(map(any_knot, view.wall))
    assert view.exits[1] == A
    faint = 4, 4
    assert all(share(view, cell(*knot), LAMP) > 0.03 for rope in view.ropes for knot in rope)
    assert share(view, cell(*faint), SEAT_MARKS[B].colour) == 0  # it is gone from there
    assert share(seen(joined()), cell(*faint), SEAT_MARKS[B].colour) > 0.1
    words = alt(view, NAMES)
    assert described_wall(words) == view.last_wall and "Round 2 starts with an empty wall" in words
    _, on = push(GAME.fold(decide(joined(), A, ChooseExits((2,))), joined()), 1, "left")
    assert share(seen(on), cell(5, 2), LAMP) == 0 and described_wall(alt(seen(on), NAMES)) == on.wall


def test_the_line_below_warns_before_a_round_is_cancelled():
    view = seen(state(SOME))
    calm = share(view, LINE, ALARM)
    full = [changed(view, full_turns_left=left) for left in (10, 9, 1)]
    few = [changed(view, pushes_left=left) for left in (10, 1)]
    for warned in (*full, *few):
        assert only_in(changes(view, warned), LINE)
        assert share(warned, LINE, ALARM) > 0.02 > calm
    assert len({picture.draw(each) for each in (*full, *few)}) == 5


def test_the_picture_of_the_end_shows_who_has_won():
    view = changed(seen(state(SOME)), phase="over", turn=None)
    views = [changed(view, winner=winner) for winner in (A, B, None)]
    assert len({picture.draw(each) for each in views}) == 3


def named(view: RopeWallView, *names: str) -> Image.Image:
    return Image.open(BytesIO(picture.draw(view, names))).convert("RGB")


def test_the_names_are_on_the_towers_and_below_and_a_name_that_the_font_lacks_leaves_the_mark_alone():
    view = seen(state(SOME))
    assert view.turn == A
    plain = pixels(view)
    for seat, names, below in ((A, ("Ann", ""), (LINE,)), (B, ("", "Ben"), ())):
        roof = (ROOM[seat][0], 0, ROOM[seat][2], 54)
        assert only_in(ImageChops.difference(plain, named(view, *names)), roof, ROOM[seat], *below)
    assert picture.draw(view, ("\u4e2d", "\u4e2d")) == picture.draw(view)


def test_players_have_names_instead_of_letters_except_in_the_rules():
    """Without a name, the mark in the tower and in the line below has the letter; nothing else has."""
    view = changed(seen(state(SOME)), exits=(A, B, None, None, None))
    for seat, names in ((A, ("Ann", "Ben")), (B, ("Ann", "Ben"))):
        mark = (ROOM[seat][0] + 22, 66, ROOM[seat][0] + 62, 108)
        assert share_in(named(view, *names).crop(mark), SEAT_MARKS[seat].colour) > share_in(
            named(view, "", "").crop(mark), SEAT_MARKS[seat].colour
        )
    bare, lettered = sprites_of(view, letters=False), sprites_of(view, letters=True)
    assert len(bare) == len(lettered) and bare != lettered
    assert all(knot.letter for knot in lettered) and not any(knot.letter for knot in bare)


def sprites_of(view: RopeWallView, letters: bool) -> list[sprites.Knot]:
    """Return the knots of a view, as they are drawn in a table's picture or in the rules."""
    shown = picture._WallDisplay(view.wall, letters=letters)
    cells = [(floor, column) for floor in range(1, view.floors + 1) for column in range(1, view.columns + 1)]
    return [knot for cell in cells if (knot := picture._shown_knot(shown, cell)) is not None]


def test_the_line_below_has_room_for_the_longest_names_and_words():
    view = seen(state(SOME))
    assert view.turn is not None
    lines = (view, changed(view, full_turns_left=10), changed(view, pushes_left=10))
    over = changed(view, phase="interlude", turn=None, begins=B, round=88)
    for each in (*lines, over, changed(over, cancelled=1)):
        found = ImageChops.difference(named(each, "W" * 32, "M" * 32), named(each, "", "")).crop(LINE).getbbox()
        assert found is not None and found[0] >= 20 and found[2] <= WIDTH - 20


def test_the_line_below_says_in_a_pause_who_begins_next_and_then_that_they_do():
    view = changed(seen(state(SOME)), begins=None)
    over = [changed(view, phase="interlude", turn=None, begins=begins) for begins in (A, B)]
    pictures = [view, *over, changed(over[0], cancelled=1), changed(view, begins=A)]
    assert len({named(each, "Ann", "Ben").crop(LINE).tobytes() for each in pictures}) == len(pictures)
    assert "Ben (B) starts the next one when both players are ready." in alt(over[1], NAMES)
    assert "Ann (A) starts the next one" in alt(over[0], NAMES)
    assert "round 1 over, B starts the next" in table_text(over[1])


def test_the_end_shows_the_rope_of_every_round_that_was_won_and_of_no_other():
    (end,) = (view for view in moments(0) if view.phase == "over")
    won = [one for one in end.finished if one.winner is not None]
    assert len(won) >= 3
    shown = Image.open(BytesIO(picture.draw(end, NAMES)))
    assert shown.width == WIDTH and shown.height < HEIGHT + 10
    for one in won:
        fewer = tuple(other for other in end.finished if other.number != one.number)
        assert picture.draw(changed(end, finished=fewer), NAMES) != picture.draw(end, NAMES)
    cancelled = msgspec.structs.replace(won[0], winner=None, ropes=())
    more = changed(end, finished=(*end.finished, cancelled))
    assert picture.draw(more, NAMES) == picture.draw(end, NAMES)
    words = alt(end, NAMES)
    assert all(f"{NAMES[one.winner]} in round {one.number}" in words for one in won)


def test_knots_contrast_with_their_niche():
    view = seen(state(SOME))
    for floor, row in enumerate(view.wall, start=1):
        for column, seat in enumerate(row, start=1):
            if seat is not None:
                assert share(view, cell(floor, column), SEAT_MARKS[seat].colour) > 0.1
                assert share(view, cell(floor, column), SEAT_MARKS[1 - seat].colour) == 0
    assert all(contrast(mark.colour, NICHE) >= 6 for mark in SEAT_MARKS[:2])


def test_knots_can_be_distinguished_without_colour_and_at_half_the_size():
    view = seen(state())
    knots = []
    for seat in (A, B):
        shown = pixels(changed(view, wall=with_knot(view.wall, 3, 3, seat)))
        half = shown.convert("L").resize((WIDTH // 2, HEIGHT // 2), Image.Resampling.BOX)
        left, top, right, bottom = cell(3, 3)
        knots.append(half.crop((left // 2, top // 2, right // 2, bottom // 2)))
    # Shape and letter: even with equal brightness, many pixels differ.
    means = [sum(i * n for i, n in enumerate(knot.histogram())) / (knot.width * knot.height) for knot in knots]
    evened = knots[1].point(lambda value: min(255, int(value * means[0] / means[1])))
    assert sum(ImageChops.difference(knots[0], evened).histogram()[48:]) > 0.08 * knots[0].width * knots[0].height


# ------------------------------------------------------------------------------------------------------ bytes and sizes


@pytest.mark.parametrize("seed", range(4))
def test_pictures_are_small_of_one_size_and_the_same_each_time(seed: int):
    for view in moments(seed):
        data = picture.draw(view)
        assert len(data) <= LARGEST
        assert same_picture(data, picture.draw(view))
        if view.phase != "over":
            assert Image.open(BytesIO(data)).size == (WIDTH, HEIGHT)


def test_pictures_show_the_same_in_every_thread_however_the_caches_were_filled(nothing_drawn: None):
    views = moments(5)
    expected = [pixels(view).tobytes() for view in views]
    sprites.background.cache_clear()
    bitmaps.clear()
    with ThreadPoolExecutor(4) as pool:
        assert [shown.tobytes() for shown in pool.map(pixels, views)] == expected
        assert [shown.tobytes() for shown in pool.map(pixels, views[::-1])] == expected[::-1]
    assert [pixels(view).tobytes() for view in views] == expected


@pytest.mark.parametrize(("floors", "columns", "knots"), [(3, 3, 5), (6, 6, 24), (6, 3, 10), (3, 6, 10)])
def test_walls_of_every_size_are_drawn(floors: int, columns: int, knots: int):
    sizes = Material(floors, columns, knots, min(3, (columns + 1) // 2), 10, 80, 3)
    wall = "\n".join([". " * columns] * floors)
    game = state(wall, material=sizes, exits=". " * columns)
    for turn in range(floors * columns):
        _, game = push(game, 1 + turn * 2 % floors, "left" if turn % 3 else "right")
        data = picture.draw(seen(game))
        assert len(data) <= LARGEST
        assert Image.open(BytesIO(data)).size == (WIDTH, HEIGHT)
        assert all(len(line) <= 34 for line in table_text(seen(game)).split("\n"))
        if game.ropes:
            break


# ---------------------------------------------------------------------------------------------------------------- words


def described_wall(words: str) -> Wall:
    """Return the wall that an alt text describes."""
    floors = re.findall(r"floor \d: ([AB.](?: [AB.])*)", words)
    return drawn("\n".join(floors))


def everything(seed: int) -> Iterator[tuple[RopeWallView, str]]:
    for view in moments(seed):
        yield view, alt(view, NAMES)


@pytest.mark.parametrize("seed", range(4))
def test_the_alt_text_describes_the_whole_position(seed: int):
    for view, words in everything(seed):
        if view.phase == "push" and view.turn is not None:
            assert words.startswith(f"It's {NAMES[view.turn]} ({'AB'[view.turn]})'s turn to push.")
        assert f"Ann (A) {view.freed[0]}, Ben (B) {view.freed[1]}." in words
        assert f"Knots in hand: Ann {view.hands[0]}, Ben {view.hands[1]}." in words
        shown = view.wall if view.last_wall is None else view.last_wall
        assert described_wall(words) == shown if any(map(any_knot, shown)) else "The wall is empty." in words
        for column, guest in enumerate(view.exits, start=1):
            assert (f"{column} ({'AB'[guest]})" in words) if guest is not None else (f"{column} (" not in words)
        for seat, openings in enumerate(view.barred):
            assert (f"Barred for {NAMES[seat]}: " in words) == bool(openings)
            assert all(f"{opening.side[0].upper()}{opening.floor}" in words for opening in openings)
        if view.full_turns_left is not None and view.phase == "push":
            turns = "turn" if view.full_turns_left == 1 else "turns"
            assert f"The wall is full: {view.full_turns_left} {turns} until round" in words


def any_knot(row: tuple[Seat | None, ...]) -> bool:
    return any(seat is not None for seat in row)


def test_the_alt_text_describes_the_last_push_and_what_fell():
    _, after = push(state(FULL_FLOOR), 2, "left")
    assert "Last push: Ann into L2; Ann's knot fell out at R2." in alt(seen(after), NAMES)
    _, after = push(after, 5, "right")
    assert "Last push: Ben into R5." in alt(seen(after), NAMES)
    assert "Barred for Ann: R2." in alt(seen(after), NAMES)


def test_the_alt_text_describes_the_choice_and_the_end():
    words = alt(seen(joined()), NAMES)
    assert words.startswith("Ann (A) won the round and chooses the exit: 1, 2, or 3.")
    assert "Rope (floor-column): 1-2, 2-2, 3-2, 4-2, 5-2, 5-3." in words
    pairs = alt(changed(seen(joined()), choices=((1, 4), (2, 5))), NAMES)
    assert "the exit: 1 and 4, or 2 and 5." in pairs
    over = changed(seen(state(SOME)), phase="over", turn=None, winner=B)
    assert alt(over, NAMES).startswith("Ben (B) won the game.")
    assert alt(changed(over, winner=None), NAMES).startswith("The game is over: a shared win.")


def test_the_alt_text_of_the_fullest_position_fits_with_the_longest_names():
    names = ("W" * 80, "M" * 80)
    wall = "\n".join(["A B A B A B"] * 6)
    sizes = Material(6, 6, 24, 3, 10, 80, 3)
    openings = (Opening(1, "left"), Opening(6, "right"))
    view = changed(
        seen(state(wall, material=sizes, exits="A B A . B .", full_turns_left=10)),
        barred=(openings, openings),
        last_push=Opening(3, "left"),
        recent=(Pushed(B, 3, "left", A, NOW),),
    )
    words = alt(view, names)
    assert len(words) <= ALT_LIMIT
    assert f"Knots in hand: {'W' * 23}… 6, {'M' * 23}… 6." in words and described_wall(words) == view.wall
    ropes = tuple(tuple((floor, column) for floor in range(1, 7)) for column in range(1, 7)) * 4
    assert len(alt(changed(view, ropes=ropes), names)) <= ALT_LIMIT


def test_the_text_shows_the_wall_with_its_openings_in_line():
    _, after = push(state(FULL_FLOOR.replace("A B A B A", "A B A B B"), exits=". B . . ."), 2, "left")
    assert table_text(seen(after)) == (
        "       1 B 3 4 5  exits\n"
        "L5   [ . . B A . ]   R5\n"
        "L4   [ . A . B A ]   R4\n"
        "L3   [ B . . B . ]   R3\n"
        "L2 > [ A A B A B ] x R2\n"
        "L1   [ . B A . B ]   R1\n"
        "\n"
        "prisoners out  A 0  B 1  of 3\n"
        "knots in hand  A 6  B 5\n"
        "round 1, B to push"
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_text_view_is_narrow_and_shows_every_knot(seed: int):
    for view in moments(seed):
        lines = table_text(view).split("\n")
        assert all(len(line) <= 34 for line in lines)
        assert drawn("\n".join(line[7:16] for line in lines[1:6])) == view.wall
        assert lines[0].split()[:-1] == [
            str(column) if guest is None else "AB"[guest] for column, guest in enumerate(view.exits, start=1)
        ]


def test_the_text_lists_the_exits_to_choose_and_names_the_winner():
    assert table_text(seen(joined())).endswith("A won round 1; exits to choose:\n  1\n  2\n  3")
    over = changed(seen(state(SOME)), phase="over", turn=None, winner=B)
    assert table_text(over).endswith("B won")
    assert table_text(changed(over, winner=None)).endswith("shared win")
    assert "turns left: 10" in table_text(seen(push(state(NEARLY_FULL), 1, "right")[1]))


# ---------------------------------------------------------------------------------------------------------------- rules


def test_what_the_rules_show_keeps_the_rules():
    walls = {lesson.name: lesson for lesson in RULE_PICTURES}
    for name in ("push", "eject"):
        lesson = walls[name]
        assert lesson.push is not None
        row = lesson.wall[lesson.push.floor - 1]
        moved = row[1 : 1 + lesson.moved]  # undo one step: the push must lead to the drawn state
        floor = (*moved, lesson.push.fell, *row[1 + lesson.moved :])
        before = (*lesson.wall[: lesson.push.floor - 1], floor, *lesson.wall[lesson.push.floor :])
        wall, fell = shoved(before, Push(lesson.push.floor, lesson.push.side), lesson.push.seat)
        assert (wall, fell) == (lesson.wall, lesson.push.fell)
    rope = [(floor - 1, column - 1) for floor, column in walls["rope"].rope]
    assert rope in walked(walls["rope"].wall, A) and rope[-1][1] + 1 == walls["rope"].prisoner
    assert not walked(walls["straight"].wall, A) and not walked(walls["straight"].wall, B)


def test_the_pictures_of_the_rules_are_small_and_have_words():
    lessons = {drawing.name: (data, drawing.alt) for drawing, data in picture.draw_rules()}
    assert list(lessons) == ["push", "rope", "straight", "eject"]
    assert share_of(lessons["straight"][0], ALARM) > 0.0005 > share_of(lessons["rope"][0], ALARM)
    assert share_of(lessons["rope"][0], LAMP) > 0.01 > share_of(lessons["straight"][0], LAMP)
    for data, told in lessons.values():
        assert len(data) <= LARGEST and 0 < len(told) <= ALT_LIMIT
        assert Image.open(BytesIO(data)).format == "PNG"
    assert [data for data, _ in lessons.values()] == [data for _, data in picture.draw_rules()]
