"""Room that is kept for what is drawn: lent to one canvas at a time, and never seen in two pictures."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from PIL import Image

from cogs.core.drawing import surfaces
from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.encoding import encode
from cogs.core.drawing.sheets import Piece, Sheet, cuts
from cogs.core.drawing.surfaces import ROOM, ROOMS, surface
from cogs.core.drawing.theme import CHALK, INK, LAMP, Colour

PALETTE = bytes(range(256)) * 3


@pytest.fixture(autouse=True)
def free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms of this test's own: another one's picture may still be there, held by what it failed of."""
    monkeypatch.setattr(surfaces, "_rooms", surfaces._Rooms())


def disc(canvas: Canvas, colour: Colour = CHALK) -> bytes:
    """Draw something, and return the finished picture's pixels."""
    canvas.disc(canvas.width / 2, canvas.height / 2, canvas.height / 3, colour)
    canvas.disc(canvas.width / 3, canvas.height / 2, canvas.height / 4, LAMP, alpha=90)
    canvas.text(canvas.width / 2, canvas.height / 2, "7", canvas.height / 2, INK)
    return canvas.picture().tobytes()


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """What `disc` draws where no room is kept, as Pillow makes pictures by itself."""
    with monkeypatch.context() as patched:
        patched.setattr(surfaces, "ROOM", 0)
        return disc(Canvas(60, 40, INK))


def test_room_that_was_used_before_shows_nothing_of_it(fresh: bytes):
    disc(Canvas(60, 40, CHALK), LAMP)
    disc(Canvas(31, 90, LAMP))
    assert disc(Canvas(60, 40, INK)) == fresh


def test_a_canvas_that_is_begun_within_another_has_room_of_its_own(fresh: bytes):
    outer = Canvas(60, 40, INK)
    outer.disc(30, 20, 40 / 3, CHALK)
    disc(Canvas(60, 40, LAMP))
    outer.disc(20, 20, 10, LAMP, alpha=90)
    outer.text(30, 20, "7", 20, INK)
    assert outer.picture().tobytes() == fresh


def test_a_room_is_lent_to_one_canvas_at_a_time_and_to_the_next_when_that_is_gone():
    held = [Canvas(60, 40, INK) for _ in range(ROOMS + 1)]
    assert surfaces._rooms.lent == ROOMS and surfaces._rooms.take() is None
    del held[0]
    assert surfaces._rooms.lent == ROOMS - 1
    held.append(Canvas(20, 10, INK))
    assert surfaces._rooms.lent == ROOMS
    held.clear()
    assert surfaces._rooms.lent == 0


def test_the_room_that_came_back_last_is_lent_first():
    first, second = Canvas(60, 40, INK), Canvas(60, 40, INK)
    room = next(room for reference, room in surfaces._rooms._lent.values() if reference() is first._image)
    del second
    del first
    assert surfaces._rooms.take() is room


@pytest.mark.parametrize("more", [0, 1])
def test_what_is_too_large_for_the_room_has_pixels_of_its_own(more: int):
    image = surface(ROOM // 4, 1 + more)
    image.paste((1, 2, 3), (0, 0, *image.size))
    assert image.getpixel((0, more)) == (1, 2, 3)
    assert surfaces._rooms.lent == (not more)


def test_a_ground_that_is_a_picture_comes_back_as_it_was_where_nothing_is_drawn():
    ground = Image.effect_noise((50, 30), 90).convert("RGB").quantize(64)
    assert Canvas(50, 30, ground).picture().tobytes() == ground.convert("RGB").tobytes()


def test_threads_that_draw_at_once_have_room_each(fresh: bytes):
    together = Barrier(4)

    def draw(_: int) -> bytes:
        canvas = Canvas(60, 40, INK)
        together.wait(20)  # all have theirs now, and one more than there are rooms
        return disc(canvas)

    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(draw, range(40)))
    assert set(drawn) == {fresh}


def test_rows_of_one_sheet_leave_nothing_in_those_of_the_next():
    def whole(index: int, height: int) -> bytes:
        sheet = Sheet(index, 41, cuts(height, (7, 20)), PALETTE)
        sheet.paste(Piece(Image.new("P", (12, 9), 200 + index)), (3 * index, 5))
        return encode(sheet)

    once = [whole(index, height) for index, height in ((1, 64), (2, 31), (3, 90))]
    alone = []
    for index, height in ((1, 64), (2, 31), (3, 90)):
        with ThreadPoolExecutor(1) as pool:  # a thread that has packed nothing yet
            alone.append(pool.submit(whole, index, height).result())
    assert once == alone


def test_a_room_is_not_lost_where_no_picture_came_of_it():
    for _ in range(ROOMS + 1):
        with pytest.raises((ValueError, MemoryError)):
            surface(4, -4)
    held = [Canvas(60, 40, INK) for _ in range(ROOMS)]
    assert surfaces._rooms.lent == ROOMS == len(held)
