"""Palettes and their bitmaps: unchanged backgrounds, and exact colours."""

from io import BytesIO

from PIL import Image

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.composition import Bitmap, PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.png import encode
from cogs.core.drawing.theme import ALARM, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, STONE, mix


def night_palette() -> Palette:
    ground = Canvas(120, 80, NIGHT)
    for step in range(10):
        ground.box(0, 8 * step, 120, 8 * step + 8, mix(NIGHT, STONE, step / 10))
    sample = Canvas(60, 40, NIGHT)
    sample.mark(SEAT_MARKS[0], 20, 20, 14)
    return Palette(ground.picture(), [sample.picture()], (LAMP, ALARM))


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def test_flat_colours_come_out_exactly():
    palette = night_palette()
    canvas = palette.canvas(20, 20, 40, 40)
    for number, colour in enumerate((LAMP, ALARM, INK, CHALK)):
        canvas.box(20 + 10 * number, 20, 30 + 10 * number, 60, colour)
    sheet = palette.composition()
    sheet.placed.append(PlacedBitmap(palette.bitmap(canvas), 20, 20))
    shown = opened(encode(sheet)).convert("RGB")
    assert [shown.getpixel((25 + 10 * number, 40)) for number in range(4)] == [LAMP, ALARM, INK, CHALK]


def test_an_untouched_sprite_leaves_no_trace_on_the_ground():
    palette = night_palette()
    sheet = palette.composition()
    sheet.placed.append(PlacedBitmap(palette.bitmap(palette.canvas(13, 17, 50, 40)), 13, 17))
    assert encode(sheet) == encode(palette.composition())


def test_a_sheet_is_a_copy_and_the_ground_stays_clean():
    palette = night_palette()
    before = encode(palette.composition())
    canvas = palette.canvas(0, 0, 30, 30)
    canvas.mark(SEAT_MARKS[1], 15, 15, 12)
    sheet = palette.composition()
    sheet.paste(palette.bitmap(canvas), (0, 0))
    assert encode(sheet) != before
    assert encode(palette.composition()) == before


def test_what_was_not_drawn_on_the_ground_fits_into_the_scene_too():
    palette = night_palette()
    sheet = palette.composition()
    sheet.placed.append(PlacedBitmap(Bitmap(palette.fitted(Image.new("RGB", (8, 8), LAMP))), 4, 4))
    assert sheet.image().convert("RGB").getpixel((6, 6)) == LAMP


def test_a_palette_may_have_fewer_colours():
    canvas = Canvas(200, 60, NIGHT)
    for number in range(200):
        canvas.box(number, 0, number + 1, 60, (number, 255 - number, 128))
    few = Palette(canvas.picture(), colours=16).composition().image().convert("RGB").getcolors(1 << 16)
    many = Palette(canvas.picture()).composition().image().convert("RGB").getcolors(1 << 16)
    assert few is not None and many is not None and len(few) <= 16 < len(many)
