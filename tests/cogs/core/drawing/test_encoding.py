"""Encoded pictures: of one byte a pixel, small, and the same bytes for the same sheet."""

from concurrent.futures import ThreadPoolExecutor

from PIL import ImageChops

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.encoding import encode
from cogs.core.drawing.sprites import Scene
from cogs.core.drawing.theme import CHALK, NIGHT, SEAT_MARKS
from tests.cogs.core.drawing.test_sprites import night_scene, opened


def test_pictures_are_png_of_one_byte_a_pixel():
    picture = opened(encode(night_scene().sheet()))
    assert (picture.format, picture.mode, picture.size) == ("PNG", "P", (120, 80))


def test_the_same_scene_made_anew_gives_the_same_bytes_in_every_thread():
    def made(_: int) -> bytes:
        scene = night_scene()
        canvas = scene.canvas(40, 20, 40, 40)
        canvas.mark(SEAT_MARKS[0], 60, 40, 15)
        sheet = scene.sheet()
        sheet.paste(scene.sprite(canvas), (40, 20))
        return encode(sheet)

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(made, range(12)))) == 1


def test_a_crowded_sheet_is_made_smaller_at_once_and_shows_the_same():
    canvas = Canvas(300, 300, NIGHT)
    for number in range(120):
        canvas.text(20 + 29 * (number % 10), 20 + 24 * (number // 10), str(number), 15, CHALK)
    scene = Scene(canvas.picture())
    plain, crowded = encode(scene.sheet()), encode(scene.sheet(), crowded=True)
    assert len(crowded) < len(plain)
    shown = [opened(data).convert("RGB") for data in (plain, crowded)]
    assert ImageChops.difference(*shown).getbbox() is None
