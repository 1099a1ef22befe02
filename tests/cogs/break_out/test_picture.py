"""Break-Out's pictures: differences that do not rely on colour, melds that stay whole, names, and highlights."""

from itertools import combinations
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageChops

from cogs.break_out import picture, sprites
from cogs.break_out.board_layout import FULL_HEIGHT, lay_out
from cogs.break_out.cards import CARD, LARGE, NARROW, SMALL, draw_card, draw_emblem
from cogs.break_out.scenery import GOLD, Inmate, draw_cell
from cogs.core.drawing.canvas import Canvas, outline
from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, LAMP, SEAT_MARKS, WIDTH, Colour
from engine.contract import Moment, Seat
from engine.games.break_out import FACES, GAME, LETTERS, BreakOutOptions, BreakOutView, Card, CardView, MeldView
from engine.games.break_out.view import WindowView
from tools.harness.pages import opened
from tools.harness.playouts import begin, play

BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def started(seats: int = 4) -> BreakOutView:
    view = GAME.view(begin(GAME, 5, seats=seats, options=BreakOutOptions(rounds=1)), None)
    assert isinstance(view, BreakOutView)
    return view


def meld(name: int, words: str, cell: int | None = None, lit: bool = False) -> MeldView:
    cards = tuple(
        CardView(100 * name + place, *(word.split("=") if "=" in word else (word, None)))
        for place, word in enumerate(words.split())
    )
    return MeldView(name, None if cell is None else Seat(cell), cards, lit)


def colours_in(image: Image.Image) -> set[Colour]:
    found = image.getcolors(1 << 20)
    assert found is not None
    return {colour for _, colour in found}  # type: ignore[misc]


def silhouette(suit: str | None, shape: int = 0) -> Image.Image:
    canvas = Canvas(60, 60, BLACK)
    if suit is None:
        canvas.area(outline(SEAT_MARKS[shape].shape, 30, 30, 22), WHITE)
    else:
        draw_emblem(canvas, suit, 30, 30, 24, WHITE, BLACK)
    return canvas.picture().convert("L")


def alike(one: Image.Image, other: Image.Image) -> float:
    """Return the share of the two silhouettes that they have in common."""
    pairs = list(zip(one.tobytes(), other.tobytes(), strict=True))
    return sum(min(pair) for pair in pairs) / sum(max(pair) for pair in pairs)


@pytest.mark.parametrize("suit", LETTERS)
def test_no_suit_looks_like_a_seat(suit: str):
    assert max(alike(silhouette(suit), silhouette(None, shape)) for shape in range(len(SEAT_MARKS))) < 0.8


@pytest.mark.parametrize(("one", "other"), list(combinations(LETTERS, 2)))
def test_any_two_suits_can_be_distinguished_without_colours(one: str, other: str):
    assert alike(silhouette(one), silhouette(other)) < 0.72


def test_any_two_faces_can_be_distinguished_without_colours():
    drawn = set()
    for face in FACES:
        canvas = Canvas(*CARD, INK)
        draw_card(canvas, 0, 0, CARD, Card(face))
        ink = canvas.picture().convert("L").point(lambda level: 255 if level > 100 else 0)
        drawn.add(ink.tobytes())
    assert len(drawn) == len(FACES)


def test_a_wild_shows_the_number_and_the_suit_that_it_represents():
    images = {
        stands: sprites.card_sprite(Card("w", stands), CARD).image.tobytes() for stands in (None, "5", "r5", "b5", "r6")
    }
    assert len(set(images.values())) == 5


@pytest.mark.parametrize("words", ["r1 b1 g1", "r1 r2 r3 r4 w=r5 s=r6", " ".join(["r3"] * 19)])
def test_melds_wrap_as_wholes_and_never_leave_the_table(words: str):
    melds = [meld(number, words) for number in range(9)]
    flow = sprites.lay_out_melds(melds, 14, WIDTH - 14, 100)
    sheet = sprites.blank(flow.bottom + 20, (44, 48, 68))
    before = sheet.image()
    flow.paste(sheet, (44, 48, 68))
    changed = ImageChops.difference(before.convert("RGB"), sheet.image().convert("RGB")).getbbox()
    assert changed is not None and changed[0] >= 14 and changed[2] <= WIDTH - 14 and changed[3] <= flow.bottom
    tops = [one.top for one in flow.placed]
    assert tops == sorted(tops) and len(set(tops)) > 1  # in the order of their numbers, row below row


def test_a_crowded_yard_has_smaller_cards():
    def size(melds: int) -> tuple[int, int]:
        yard = tuple(meld(number, "r1 r2 r3 r4 r5 r6") for number in range(1, melds + 1))
        return lay_out(msgspec.structs.replace(started(2), melds=yard)).yard.size

    assert [size(melds) for melds in (2, 4, 6, 9)] == [CARD, CARD, NARROW, NARROW]


@pytest.mark.parametrize("seats", GAME.player_counts)
def test_a_table_is_never_taller_than_a_phone_shows_beside_hand_and_controls(seats: int):
    tallest = 0
    for seed in range(3):
        for state in play(GAME, seed, seats=seats).running[::9]:
            view = GAME.view(state, None)
            layout = lay_out(view)
            tallest = max(tallest, layout.height)
            assert layout.yard.bottom <= layout.height
            assert all(cell.top + cell.height <= layout.fence for cell in layout.cells)
            assert all(cell.left + cell.width < WIDTH for cell in layout.cells)
    assert tallest <= (FULL_HEIGHT if seats < 4 else FULL_HEIGHT + 130)


def test_the_lettering_of_a_full_table_can_be_read_on_a_phone(monkeypatch: pytest.MonkeyPatch):
    """At least nine pixels high when the picture is shown 390 pixels wide."""
    sizes: list[float] = []
    set_text = Canvas.text

    def noted(canvas: Canvas, x: float, y: float, words: str, size: float, *rest: Any, **more: Any) -> None:
        sizes.append(size)
        set_text(canvas, x, y, words, size, *rest, **more)

    monkeypatch.setattr(Canvas, "text", noted)
    for size in (NARROW, SMALL, CARD, LARGE):
        for face in FACES:
            for stands in (None, "5", "r5") if face in ("w", "s") else (None,):
                draw_card(Canvas(100, 140, BLACK), 0, 0, size, Card(face, stands))
    for seats in (2, 6):
        canvas = Canvas(WIDTH, 900, BLACK)
        for light in ("", "turn", "call"):
            draw_cell(canvas, 0, 0, 800 // seats, 92, Inmate(0, True, light))
    assert len(sizes) > 100 and min(sizes) * 390 / WIDTH >= 9


def test_names_are_beside_the_marks_as_far_as_the_font_has_their_letters():
    view = started()
    nobody = picture.draw(view)
    assert picture.draw(view, ["Анна", "日本", "🎉", "한국"]) == nobody
    assert picture.draw(view, ["Ann", "日本", "🎉", "한국"]) != nobody
    long = picture.draw(view, ["Bartholomew the Third, Earl of Somewhere"] * 4)
    assert opened(long).size == opened(nobody).size


def test_a_name_covers_nothing_of_the_figures_below_it_and_a_status_nothing_of_those_above():
    view = started(seats=6)

    def figures(view: BreakOutView, name: str) -> Image.Image:
        cell = lay_out(view).cells[4]
        right = cell.left + cell.width
        return opened(picture.draw(view, (name,) * 6)).crop((right - 130, cell.top + 40, right - 8, cell.top + 61))

    bare = figures(view, "")
    for name in ("Ag jp", "ÑÖ"):
        assert ImageChops.difference(bare, figures(view, name)).getbbox() is None
    holding = msgspec.structs.replace(view, melds=(*view.melds, meld(1, "r3 b3 g3", cell=4)))
    assert ImageChops.difference(bare, figures(holding, "")).getbbox() is None


def test_the_player_to_move_is_lit_and_one_who_can_be_called_is_alarmed():
    view = msgspec.structs.replace(started(), turn=Seat(0))
    cell = (8, 116, 396, 216)
    assert LAMP in colours_in(opened(picture.draw(view)).crop(cell))
    window = WindowView(1, Seat(0), Moment(0), None, (), True, False, ())
    called = opened(picture.draw(msgspec.structs.replace(view, turn=Seat(1), window=window))).crop(cell)
    assert ALARM in colours_in(called) and LAMP not in colours_in(called.crop((0, 0, 388, 20)))
    assert ALARM not in colours_in(opened(picture.draw(view)).crop(cell))
    assert "Ann can be challenged." in picture.alt(
        msgspec.structs.replace(view, turn=Seat(1), window=window), ["Ann", "Bob", "Cleo", "Dan"]
    )


def test_points_are_not_shown_in_gold_if_the_fewest_win():
    view = msgspec.structs.replace(started(), turn=Seat(1))
    calm = opened(picture.draw(view, ["Ann"] * 4)).crop((108, 122, 392, 162))
    assert not {GOLD, LAMP, (208, 144, 48)} & colours_in(calm)
    assert {CHALK, ASH} <= colours_in(calm), "the number, and its unit"


def test_a_cell_with_melds_grows_and_shows_them():
    view = started(2)
    plain = opened(picture.draw(view))
    more = opened(picture.draw(msgspec.structs.replace(view, melds=(*view.melds, meld(4, "g1 g2 g3", cell=1)))))
    assert more.height == plain.height + CARD[1] + 8


def test_chosen_cards_are_raised_and_the_drawn_one_is_named():
    hand = ("r1", "r5", "b2", "w")
    plain, chosen = opened(picture.draw_hand(hand)), opened(picture.draw_hand(hand, ["b2"]))
    changed = ImageChops.difference(plain, chosen).getbbox()
    assert changed is not None and changed[2] - changed[0] < LARGE[0] + 16 and LAMP in colours_in(chosen)
    named = ImageChops.difference(plain, opened(picture.draw_hand(hand, (), ["w"]))).getbbox()
    assert named is not None and named[0] > changed[2] - 16
    assert CHALK not in colours_in(opened(picture.draw_hand(())).crop((0, 0, 100, 100)))
