"""Match Five's pictures: the whole board, stacks and scored lines, names, places, hands, the end."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import msgspec
import pytest
from PIL import Image, ImageChops

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.sprites import bitmaps
from cogs.core.drawing.theme import CHALK, INK, WIDTH, ink_on, light
from cogs.core.ops.text_format import figure
from cogs.match_five import review_picture, sprites, tile_scenery
from cogs.match_five.alt_text import Candidate, alt, hand_alt, places_alt
from cogs.match_five.end_picture import draw_end, end_alt
from cogs.match_five.layout import (
    BOARD,
    HEIGHT,
    LEAST_CELL,
    SLATE_AREA,
    badges,
    following_window,
    last_turn,
    piles,
    window,
    with_offers,
)
from cogs.match_five.picture import draw, draw_hand, draw_places
from cogs.match_five.scenery import NAME_LEFT, NAME_SIZE, NAME_TOP, STRIP, TRAY, Sign, draw_sign
from cogs.match_five.tile_scenery import Pile, PlaceMark, badge_size, corner_of, face_of
from engine.contract import Seat
from engine.games.match_five import COLOURS, GAME, Laying, Line, MatchFiveView, Play, Spot, Stone, Turn, scored
from tools.harness.pages import opened, seated
from tools.harness.playouts import play

NAMES = ("Ann", "Bartholomew the Great", "Дмитрий", "日本", "Eve 🎲", "")


def differs(one: Image.Image, other: Image.Image) -> tuple[int, int, int, int] | None:
    """Return the box of all that is not the same."""
    return ImageChops.difference(one, other).getbbox()


@cache
def over(seats: int) -> MatchFiveView:
    view = GAME.view(play(GAME, 1, seats=seats).states[-1], None)
    assert isinstance(view, MatchFiveView)
    return view


def mat(data: bytes) -> Image.Image:
    """Return a picture without the slate beside the mat, whose map shows everything too."""
    return opened(data).crop((0, 0, SLATE_AREA.left, HEIGHT))


def board(*stones: Stone, turns: tuple[Turn, ...] = ()) -> MatchFiveView:
    return msgspec.structs.replace(over(2), phase="play", turn=Seat(0), stones=stones, locked=(), turns=turns)


@pytest.mark.parametrize("words", ["Ann", "Peggy (Qj)", "j|g", "W"])
@pytest.mark.parametrize("turn", [True, False])
@pytest.mark.parametrize("seat", range(6))
def test_a_name_laid_over_a_sign_covers_nothing_but_its_ground(seat: int, turn: bool, words: str):
    palette = sprites.palette()
    whole = palette.canvas(100, 0, 200, STRIP - 10)
    draw_sign(whole, 100, 200, Sign(seat, True, 5, turn))
    laid, drawn = palette.composition(), palette.composition()
    laid.paste(palette.bitmap(whole), (100, 0))
    laid.paste(sprites.name(words, turn), (100 + NAME_LEFT, NAME_TOP))
    whole.text(147, 31, words, NAME_SIZE, CHALK, anchor="lm")
    drawn.paste(palette.bitmap(whole), (100, 0))
    assert differs(laid.image().convert("RGB"), drawn.image().convert("RGB")) is None


def pile(shown: Pile, cell: int = 100) -> Image.Image:
    sheet = sprites.palette().composition()
    for piece, at in sprites.pile(cell, shown):
        sheet.paste(piece, at)
    return sheet.image().crop((0, 0, cell, cell)).convert("RGB")


# ------------------------------------------------------------------------------------------------------------ the board


def test_a_board_is_shown_whole_as_long_as_its_letters_can_be_read_on_a_phone():
    eight = [(x, 0) for x in range(8)] + [(0, y) for y in range(7)]
    shown = window(eight, [])
    assert shown.whole and all(shown.shows(*at) for at in eight)
    assert 0.36 * face_of(shown.cell) * 390 / WIDTH >= 9
    assert not window([*eight, (8, 0)], [(8, 0)]).whole


def test_a_board_that_is_too_large_is_shown_around_the_last_play_with_a_map():
    row = [(x, 0) for x in range(60)]
    shown = window(row, [(41, 0)])
    assert not shown.whole and shown.cell >= LEAST_CELL and shown.shows(41, 0) and shown.shows(38, 0)
    stones = tuple(Stone(x, 0, 1, f"r{x % 5 + 1}") for x, _ in row)
    far, near = (
        opened(draw(board(*stones, turns=(Turn(Seat(0), "play", 3, (stones[x],)),)))) for x in (30, 31)
    )  # both show the same kinds of tiles, moved on by one; the frame on the map moves too
    assert differs(far, near) is not None


def test_plates_shrink_with_the_board():
    cells = [window([(0, 0), (reach, reach)], []).cell for reach in (0, 3, 4, 6)]
    assert cells == sorted(cells, reverse=True) and cells[0] > cells[-1] == LEAST_CELL


def test_every_cell_of_every_window_lies_on_the_mat():
    for reach in range(40):
        shown = window([(0, 0), (reach, -reach)], [])
        for at in shown.cells():
            left, top = shown.corner(*at)
            assert BOARD.left <= left and left + shown.cell <= BOARD.left + BOARD.width
            assert BOARD.top <= top and top + shown.cell <= BOARD.top + BOARD.height


def test_stacks_of_other_tiles_below_the_same_top_look_different():
    stacks = [("r3",), ("b3", "r3"), ("y3", "r3"), ("b3", "y3", "r3"), ("g3", "b3", "y3", "r3")]
    for size in (LEAST_CELL, 100):
        for one, other in combinations([pile(Pile(tiles), size) for tiles in stacks], 2):
            assert differs(one, other) is not None


def test_a_full_stack_is_clamped_and_a_lock_is_seen():
    full = ("r1", "r2", "r3", "r4", "r5")
    steel = [pile(Pile(full[:height])).getpixel((14, 6 * (5 - height) + 7)) for height in (5, 4)]
    assert steel[0] != steel[1]
    assert differs(pile(Pile(("r3",))), pile(Pile(("r3",), locked=True))) is not None


def test_letters_contrast_with_their_plates():
    for colour in COLOURS:
        paint = tile_scenery.PAINTS[colour]
        high, low = sorted((light(paint), light(ink_on(paint))), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 3.5


def test_a_locked_tile_is_only_marked_while_it_is_on_top():
    view = board(Stone(0, 0, 1, "r3"), Stone(0, 0, 2, "b3"), Stone(1, 0, 1, "r4"))
    view = msgspec.structs.replace(view, locked=(Spot(0, 0, 1), Spot(1, 0, 1)))
    assert [shown.locked for _, shown in sorted(piles(view).items())] == [False, True]


# -------------------------------------------------------------------------------------------------------- the last play


def test_the_last_play_is_lit_and_its_lines_are_linked():
    stones = tuple(Stone(x, 0, 1, f"r{x + 1}") for x in range(3))
    line = Line("x", tuple(stone.spot for stone in stones), 6)
    shown = piles(board(*stones, turns=(Turn(Seat(0), "play", 6, stones[2:], scored([line])),)))
    assert [shown[x, 0].look for x in range(3)] == ["plain", "plain", "new"]
    assert [shown[x, 0].links[:2] for x in range(3)] == [("", "seen"), ("seen", "seen"), ("seen", "")]


def test_a_column_is_linked_upward_where_it_goes_on_upward():
    stones = tuple(Stone(0, y, 1, f"r{y + 1}") for y in range(2))
    line = Line("y", tuple(stone.spot for stone in stones), 3)
    shown = piles(board(*stones, turns=(Turn(Seat(0), "play", 3, stones, scored([line])),)))
    assert shown[0, 0].links == ("", "", "seen", "") and shown[0, 1].links == ("", "", "", "seen")


def test_a_line_that_scored_under_other_tiles_is_distinguished_from_visible_ones():
    stones = tuple(Stone(x, 0, 1, f"r{x + 1}") for x in range(3))
    over, low = Stone(1, 0, 2, "b2"), Line("x", tuple(Spot(x, 0, 1) for x in range(3)), 6)
    stack = Line("stack", (Spot(1, 0, 1), Spot(1, 0, 2)), 4)
    for lying, covered, link in ((stones, False, "seen"), ((*stones, over), True, "covered")):
        shown = piles(board(*lying, turns=(Turn(Seat(0), "play", 10, lying[2:], scored([low, stack])),)))
        frame = window(shown.keys(), [])
        assert {one.words: one.covered for one in badges((low, stack), frame, shown)} == {"+6": covered, "+4": False}
        assert [shown[x, 0].links[1] for x in range(3)] == [link, link, ""]


def test_a_link_of_a_line_that_is_seen_hides_that_of_one_under_it():
    low, top = (Line("x", (Spot(0, 0, level), Spot(1, 0, level)), 3) for level in (1, 2))
    stones = tuple(Stone(x, 0, level, f"r{x + level}") for x in (0, 1) for level in (1, 2))
    for lines in ((low, top), (top, low)):
        shown = piles(board(*stones, turns=(Turn(Seat(0), "play", 6, stones[1:], scored(lines)),)))
        assert [shown[x, 0].links for x in (0, 1)] == [("", "seen", "", ""), ("seen", "", "", "")]


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_line_of_a_turn_has_a_badge_inside_the_picture(seats: int):
    for state in play(GAME, seats, seats=seats).states[::9]:
        view = GAME.view(state, None)
        assert isinstance(view, MatchFiveView)
        last = last_turn(view)
        if last is None:
            continue
        shown = piles(view)
        found = list(badges(last.lines, window(shown.keys(), [(one.x, one.y) for one in last.stones]), shown))
        assert sorted(badge.words for badge in found) == sorted(f"+{line.points}" for line in last.lines)
        for badge in found:
            width, height = badge_size(badge.words, badge.size, badge.covered)
            assert badge.left >= 0 and badge.left + width <= WIDTH
            assert badge.top >= STRIP and badge.top + height <= HEIGHT


def test_badges_of_a_row_keep_off_its_tiles_and_each_other():
    stones = tuple(Stone(x, y, 1, f"r{x + 1}") for x in range(3) for y in (0, 2))
    lines = [Line("x", tuple(Spot(x, y, 1) for x in range(3)), 6) for y in (0, 2)]
    taken = {(one.x, one.y): Pile((one.tile,)) for one in stones}
    shown = window(taken.keys(), [])
    boxes = [(one.left, one.top, *badge_size(one.words, one.size)) for one in badges(lines, shown, taken)]
    tiles = [(*shown.corner(*at), shown.cell, shown.cell) for at in taken]
    for one, other in [*combinations(boxes, 2), *((box, tile) for box in boxes for tile in tiles)]:
        across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
        down = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
        assert across <= 4 or down <= 4  # a badge may touch a cell's edge, never a plate


def test_a_badge_among_plates_hides_no_number():
    taken = {(x, y): Pile(("r1",)) for x in range(5) for y in range(3)}
    shown = window(taken.keys(), [])
    (badge,) = badges([Line("x", tuple(Spot(x, 1, 1) for x in range(1, 4)), 6)], shown, taken)
    width, height = badge_size(badge.words, badge.size)
    for at in taken:
        left, top = shown.corner(*at)
        middle = left + shown.cell / 2, top + shown.cell / 2
        across = max(badge.left - middle[0], middle[0] - badge.left - width)
        down = max(badge.top - middle[1], middle[1] - badge.top - height)
        assert max(across, down) > shown.cell / 5


# ------------------------------------------------------------------------------------------------------------ the seats


def test_names_are_on_the_plates_of_their_seats_only():
    view = over(6)
    without, named = opened(draw(view)), opened(draw(view, names=NAMES))
    box = differs(without, named)
    assert box is not None and box[3] <= STRIP
    width = (WIDTH - 8) // 6
    for seat, changed in enumerate((True, True, False, False, True, False)):  # the font lacks some letters
        part = (4 + width * seat, 0, 4 + width * (seat + 1), STRIP)
        assert (differs(without.crop(part), named.crop(part)) is not None) == changed


def test_the_seat_to_move_and_what_the_last_turn_brought_are_seen():
    turn = Turn(Seat(1), "play", 21)
    waiting = opened(draw(board(turns=(turn,))))
    assert differs(waiting, opened(draw(board(turns=(msgspec.structs.replace(turn, points=22),))))) is not None
    other = msgspec.structs.replace(board(turns=(turn,)), turn=Seat(1))
    assert differs(waiting, opened(draw(other))) is not None


def test_how_many_tiles_are_left_is_seen_on_every_sign_whatever_the_last_turn_brought():
    turns = tuple(Turn(Seat(seat), "play", 104) for seat in range(6))
    view = msgspec.structs.replace(
        over(6), phase="play", turn=Seat(0), bag=0, scores=(1_008,) * 6, turns=turns, counts=(3,) * 6
    )
    before = opened(draw(view))
    for seat in range(6):
        counts = tuple(2 if one == seat else 3 for one in range(6))
        box = differs(before, opened(draw(msgspec.structs.replace(view, counts=counts))))
        assert box is not None and box[3] <= STRIP


# ------------------------------------------------------------------------------------------------------------- choosing


def test_the_places_of_a_tile_glow_and_nothing_else_changes():
    corner = (0, 0), (1, 0), (0, 1)
    view = board(*(Stone(x, y, 1, "r3") for x, y in corner))
    dark = mat(draw_places(view, (), (), ()))
    lit = mat(draw_places(view, (), (), [Candidate(Laying("r5", 1, 1, 1), 1, 12)]))
    left, top = window(corner, []).corner(1, 1)
    shown = window(corner, [])
    box = differs(dark, lit)
    assert box is not None
    assert left <= box[0] and top <= box[1] and box[2] <= left + shown.cell and box[3] <= top + shown.cell


def test_the_best_place_glows_most_and_shows_its_points():
    offers = [PlaceMark(1, 12, True), PlaceMark(1, 12), PlaceMark(2, 12), PlaceMark(1, 9)]
    for below in ((), ("r3", "b3")):
        for one, other in combinations([pile(Pile(below, offer=offer), LEAST_CELL) for offer in offers], 2):
            assert differs(one, other) is not None


NINE = 9 * WIDTH / 358
"""The size in the picture of 9 pixels on a phone."""


@pytest.mark.parametrize("number", [1, 8])
def test_what_is_at_a_free_place_can_be_read_on_a_phone_and_nothing_covers_it(number: int):
    for cell in range(LEAST_CELL, 105):
        _, *laid = sprites.pile(cell, Pile((), offer=PlaceMark(number, 12)))
        points, disc = [(left, top, left + piece.width, top + piece.height) for piece, (left, top) in laid]
        assert 0.8 * (disc[2] - disc[0]) >= NINE and points[3] - points[1] >= NINE
        assert disc[3] - points[1] <= 0.12 * cell, cell
        for left, top, right, foot in (points, disc):
            assert left >= 0 and top >= 0 and right <= cell and foot <= cell


@pytest.mark.parametrize("below", [("r3",), ("b3", "r3"), ("b3", "y3", "g3", "r3")])
def test_what_lies_at_a_place_stays_as_large_as_it_was_and_its_figure_is_seen(below: tuple[str, ...]):
    for cell in range(LEAST_CELL, 105):
        plain, offered = sprites.pile(cell, Pile(below)), sprites.pile(cell, Pile(below, offer=PlaceMark(8, 12)))
        assert offered[1 : len(plain)] == plain[1:]  # the tile there, on its glowing background
        (note, (_, above)), (disc, (left, top)) = offered[len(plain) :]
        x, y = (edge + face_of(cell) / 2 for edge in corner_of(cell, len(below), len(below)))
        assert 0.8 * disc.width >= NINE and left + disc.width <= cell and top >= 0
        assert left + disc.width / 2 > x and top + disc.height / 2 < y
        assert note.height >= NINE and note.width <= 0.72 * cell and above > y + 0.1 * face_of(cell)


def test_the_number_of_a_place_lies_on_the_tile_that_was_drafted_there_and_covers_no_figure():
    for cell in range(LEAST_CELL, 105):
        (disc, (left, top)) = sprites.pile(cell, Pile(("b3", "r3"), look="last", number=2))[-1]
        x, y = corner_of(cell, 2, 2)
        middle = x + face_of(cell) / 2, y + face_of(cell) / 2
        assert left + disc.width == cell and top == 0 and 0.8 * disc.width >= NINE
        assert left > middle[0] and top + disc.height < middle[1] + 2


def test_the_number_of_a_tiles_place_looks_different_from_those_of_possible_places():
    for cell in (LEAST_CELL, 100):
        here, there = (
            pile(Pile(("r3",), look="last", number=1), cell),
            pile(Pile(("r3",), offer=PlaceMark(1, 9, True)), cell),
        )
        counts = [
            sum(n for n, shade in image.crop((cell // 2, 0, cell, cell // 3)).getcolors(9_999) or () if shade == CHALK)
            for image in (here, there)
        ]
        assert counts[1] > 4 * counts[0]


def test_the_height_of_a_stack_leaves_the_number_of_its_top_tile_free():
    def seen(tiles: tuple[str, ...], cell: int) -> int:
        """Return how much of the number, which is pale, is visible."""
        x, y = corner_of(cell, len(tiles), len(tiles))
        size = face_of(cell)
        part = pile(Pile(tiles), cell).crop((x + size * 3 // 10, y + size // 4, x + size * 8 // 10, y + size * 8 // 10))
        return sum(number for number, shade in part.getcolors(9_999) or () if shade == CHALK)

    for cell in (72, 88, 104):
        assert seen(("b4", "r4"), cell) >= 0.93 * seen(("r4",), cell)


def test_figures_on_tiles_are_as_large_as_a_pile_leaves_room_for():
    for cell in range(LEAST_CELL, 105):
        assert 0.76 <= face_of(cell) / cell <= 0.83
        for height in (1, 5):
            assert corner_of(cell, height, 1)[1] + face_of(cell) <= cell
            assert corner_of(cell, height, height)[1] >= 0


def test_a_tile_that_was_drafted_shows_the_number_of_its_place_and_its_lit_lines_what_they_score():
    view = board(Stone(0, 0, 1, "r3"))
    drafted, line = (Stone(1, 0, 1, "r4"),), Line("x", (Spot(0, 0, 1), Spot(1, 0, 1)), 7)
    ways = [Candidate(Laying("r4", 1, 0, 1), 1, 7), Candidate(Laying("r4", 0, 1, 1), 2, 7)]
    bare = opened(draw_places(view, drafted, (), ways))
    for places in (ways, ()):
        unlit, lit = (mat(draw_places(view, drafted, lines, places)) for lines in ((), (line,)))
        assert differs(unlit, lit) is not None
    assert differs(bare, opened(draw_places(view, drafted, (), [ways[1], ways[0]._replace(number=3)]))) is not None
    shown = with_offers(piles(view, drafted), {(1, 0): PlaceMark(1, 7, True), (0, 1): PlaceMark(2, 7)})
    assert shown[1, 0].tiles == ("r4",) and (shown[1, 0].number, shown[1, 0].offer) == (1, None)
    assert shown[0, 1].offer is not None and shown[0, 1].number == 0


def test_no_badge_covers_the_number_of_a_row_or_of_a_column():
    taken = {at: Pile(("r1",)) for at in [*((n, 0) for n in range(8)), *((0, n) for n in range(6))]}
    frame = window(taken.keys(), [])
    (left, top), foot = frame.origin, frame.origin[1] + frame.cell * frame.rows
    assert frame.left == 0 and frame.bottom == 0  # nothing free beside the first tile, nor below it
    for axis in ("x", "y"):
        spots = tuple(Spot(n, 0, 1) if axis == "x" else Spot(0, n, 1) for n in range(5))
        (badge,) = badges([Line(axis, spots, 15)], frame, taken)
        assert (
            badge.left >= left - 2
            and badge.top + badge_size(badge.words, badge.size)[1] <= foot + 2
            and badge.top >= top
        )


SQUARE = [(x, y) for x in range(-1, 2) for y in range(-1, 2)]


def test_the_board_does_not_move_while_a_play_inside_the_window_is_drafted():
    near, far = [(x, y) for x in range(5) for y in range(4)], [(x, 0) for x in range(12)]
    for spots in (near, far):
        before = window(spots, spots[:2])
        around = [(x, y) for x in range(-1, 6) for y in range(-1, 5) if before.shows(x, y)]
        assert following_window(before, [*spots, *around], dict.fromkeys(around, 1)) == before


@pytest.mark.parametrize("spot", [(-3, 0), (3, 1), (0, -3), (2, 3), (-3, -3)])
def test_a_window_that_opens_keeps_its_scale_and_moves_only_as_far_as_it_must(spot: tuple[int, int]):
    before = window(SQUARE, [])
    after = following_window(before, [*SQUARE, spot], dict.fromkeys([spot], 1))
    assert not before.shows(*spot) and after.whole and after.cell == before.cell
    assert after.shows(*spot) and all(after.shows(*at) for at in before.cells())
    moved = [abs(here - there) for here, there in zip(after.corner(0, 0), before.corner(0, 0), strict=True)]
    assert max(moved) <= before.cell  # no further than the mat's edge makes it
    for at in after.cells():
        left, top = after.corner(*at)
        assert BOARD.left <= left and left + after.cell <= BOARD.left + BOARD.width
        assert BOARD.top <= top and top + after.cell <= BOARD.top + BOARD.height


def test_a_window_without_room_for_what_is_drafted_shows_all_of_it_smaller():
    before = window(SQUARE, [])
    after = following_window(before, [*SQUARE, (0, 4)], dict.fromkeys([(0, 3), (0, 4)], 1))
    assert after.whole and LEAST_CELL <= after.cell < before.cell and after.at is None
    assert after.shows(0, 4) and all(after.shows(*at) for at in before.cells())


def test_a_window_that_shows_a_part_goes_along_with_what_is_drafted():
    row = [(x, 0) for x in range(60)]
    before = window(row, [(41, 0)])
    assert following_window(before, row, dict.fromkeys([(before.left, 0), (before.left + 3, 1)], 1)) == before
    after = following_window(before, row, dict.fromkeys([(before.left - 2, 0)], 1))
    assert after == replace(before, left=before.left - 2)
    wide = following_window(before, row, dict.fromkeys([(2, 0), (50, 0)], 1))
    assert not wide.whole and wide.cell == before.cell  # not all of it can be shown
    full = window([(x, 0) for x in range(8)], [(3, 0)])
    assert full.whole and not following_window(full, [(x, 0) for x in range(9)], dict.fromkeys([(8, 0)], 1)).whole


def test_a_window_that_shows_a_part_does_not_pass_for_the_whole_board_where_it_opens_upwards():
    row = [(x, 0) for x in range(60)]
    before = window(row, [(41, 0)])
    after = following_window(before, [*row, (41, before.rows)], dict.fromkeys([(41, before.bottom + before.rows)], 1))
    assert not before.whole and not after.whole and after.cell == before.cell


def test_the_picture_of_a_draft_shows_the_board_as_the_table_does():
    stones = tuple(Stone(x, y, 1, "r3") for x in range(0, 6, 2) for y in range(3))
    view = board(*stones)
    table = mat(draw(view))
    for drafted, places in (((Stone(1, 0, 1, "b3"),), (Laying("b3", 3, 0, 1), Laying("b3", 5, 2, 1))),):
        ways = [Candidate(laying, number, 9) for number, laying in enumerate(places, 2)]
        change = differs(table, mat(draw_places(view, drafted, (), ways)))
        assert change is not None
        frame = window([(one.x, one.y) for one in stones], [])
        (left, foot), (right, top) = frame.corner(1, 0), frame.corner(5, 2)
        assert (left, top) <= change[:2] and change[2] <= right + frame.cell and change[3] <= foot + frame.cell


def test_a_small_plate_shows_its_number_alone_as_large_as_it_can_and_the_smallest_none():
    def inked(size: int) -> int:
        canvas = Canvas(size, size, INK)
        tile_scenery.draw_plate(canvas, size / 2, size / 2, size, "r5")
        return sum(n for n, shade in canvas.picture().getcolors(99_999) or () if shade == CHALK)

    assert inked(18) == 0 and inked(30) > 0.7 * inked(40) * (30 / 40) ** 2


def test_figures_on_the_emoji_of_tiles_are_as_large_as_there_is_room_for():
    for name, data in sprites.faces().items():
        image = opened(data)
        ink = CHALK if any(colour in name for colour in ("red", "green")) else INK
        rows = [y for y in range(8, 120) if any(image.getpixel((x, y)) == ink for x in range(64, 120))]
        assert rows[-1] - rows[0] > (0.5 if name.endswith("wild") else 0.64) * image.height, name


def test_a_hand_is_shown_in_order_and_an_empty_one_as_an_empty_tray():
    assert draw_hand(("y1", "r3", "b5")) == draw_hand(("b5", "r3", "y1"))
    assert opened(draw_hand(())).size == opened(draw_hand(("r3",))).size


@pytest.mark.parametrize("many", [1, 5, 6, 8])
def test_a_cached_tile_of_a_hand_looks_the_same_as_one_drawn_in_place(many: int):
    hand, last = ["b1", "b5", "g1", "g5", "o2", "r3", "w", "y4"][-many:], many - 1
    shown = opened(draw_hand(hand))
    pitch = min(134, (WIDTH - 60) // many)
    size, x = min(112, pitch - 14), WIDTH // 2 + round((last - (many - 1) / 2) * pitch)
    canvas = sprites.palette().canvas(x - pitch // 2, HEIGHT, pitch, TRAY)
    tile_scenery.draw_tray_slot(canvas, x, HEIGHT, TRAY, size)
    tile_scenery.draw_plate(canvas, x, HEIGHT + tile_scenery.tray_middle(TRAY, size), size, hand[last])
    sheet = sprites.palette().composition()
    sheet.paste(sprites.palette().bitmap(canvas), (0, 0))
    drawn = sheet.image().crop((0, 0, pitch, TRAY)).convert("RGB")
    assert differs(shown.crop((x - pitch // 2, 0, x - pitch // 2 + pitch, TRAY)), drawn) is None


def test_the_content_of_a_cell_is_composed_once_and_again_after_it_left_the_cache():
    shown = Pile(("b3", "r4"), look="new")
    first = sprites.laid(64, shown, 100, 200)
    assert sprites.laid(64, Pile(("b3", "r4"), look="new"), 100, 200) is first
    bitmaps.clear()
    sprites.laid.cache_clear()
    other = sprites.laid(64, shown, 100, 200)
    assert [sprite.box for sprite in other] == [sprite.box for sprite in first]
    assert {sprite.name for sprite in other}.isdisjoint(sprite.name for sprite in first)
    assert [piece.image for piece, _ in sprites.pile(64, shown)] == [sprite.paint for sprite in other]


# -------------------------------------------------------------------------------------------------------------- the end


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_end_is_one_small_picture_the_same_every_time(seats: int):
    view = over(seats)
    data = draw_end(view, NAMES[:seats])
    assert data == draw_end(view, NAMES[:seats]) and len(data) <= 60_000
    assert opened(data).width == WIDTH


def test_the_end_in_words_names_the_winner_and_everybodys_points():
    view = over(3)
    words = end_alt(view, NAMES)
    best = max(range(3), key=lambda seat: view.scores[seat])
    assert words.startswith(f"{NAMES[best]} wins.")
    for seat, score in enumerate(view.scores):
        assert f"{NAMES[seat]}: {figure(score)} point" in words
    assert "−" not in words or any(view.left)


def test_a_shared_win_is_said_of_both():
    view = msgspec.structs.replace(over(2), scores=(50, 50))
    assert end_alt(view, NAMES).startswith("Ann and Bartholomew the Great share the win.")
    assert draw_end(view, NAMES) != draw_end(msgspec.structs.replace(view, scores=(50, 49)), NAMES)


@pytest.mark.parametrize("seats", [2, 6])
def test_pictures_of_whole_games_are_small(seats: int):
    for state in play(GAME, 7, seats=seats).states[::11]:
        view = GAME.view(state, None)
        assert isinstance(view, MatchFiveView)
        assert len(draw(view, names=NAMES[:seats])) <= 60_000


# ------------------------------------------------------------------------------------------------------------- in words


def test_the_alt_text_says_who_laid_what_for_which_lines_and_what_lies_below():
    stones = Stone(0, 0, 1, "r3"), Stone(1, 0, 1, "r4"), Stone(0, 0, 2, "b3")
    lines = Line("x", (Spot(0, 0, 1), Spot(1, 0, 1)), 7), Line("stack", (Spot(0, 0, 1), Spot(0, 0, 2)), 6)
    words = alt(board(*stones, turns=(Turn(Seat(1), "play", 13, stones[1:], scored(lines)),)), NAMES[:2])
    assert (
        "Last play, by Bartholomew the Great for 13 points: red 4 at 13/12 level 1, blue 3 at 12/12 level 2." in words
    )
    assert "It scored 7 for a row at 12/12, 6 for a stack at 12/12." in words
    assert "Top tiles, row by row from the top: row 12: at 12 b3 ×2, at 13 r4;" in words
    assert words.endswith("Below them: row 12: at 12 r3;")


def test_the_picture_of_a_draft_in_words_begins_with_it_and_its_places():
    view = board(Stone(0, 0, 1, "r3"))
    draft = (Stone(0, 1, 1, "r2"),)
    ways = Candidate(Laying("w", 0, 0, 2, "b3"), 1, 6), Candidate(Laying("w", 1, 0, 1, "r4"), 2, 1)
    words = places_alt(view, draft, ways, NAMES[:2])
    assert words.startswith(
        "The play: red 2 at 12/13. 2 places for a Wild: "
        "1: 12/12, on top of 1 tile, as blue 3, 6 points; 2: 13/12, as red 4, 1 point; It's Ann's turn."
    )


def test_a_hand_in_words_names_its_tiles_in_order():
    assert hand_alt(("w", "b5", "r3")) == "Your hand: blue 5, red 3, a Wild."
    assert hand_alt(()) == "Your hand: no tiles."


def test_a_review_has_no_points_on_the_board_that_the_frames_around_its_places_would_cut(
    monkeypatch: pytest.MonkeyPatch,
):
    playout = play(GAME, 1, seats=2)
    before, step = next(
        (before, step)
        for before, step in zip(playout.states, playout.steps, strict=False)
        if isinstance(step.action, Play) and step.seat is not None and len(step.action.layings) > 1
    )
    monkeypatch.setattr(sprites, "badge", lambda *_arguments: pytest.fail("a badge was drawn"))
    assert step.seat is not None
    view = GAME.view(before, step.seat)
    assert review_picture.drawn(view, step.action, None, seated(playout.options, 2)) is not None
