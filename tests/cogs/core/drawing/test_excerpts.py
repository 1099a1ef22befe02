"""Parts of finished pictures."""

from io import BytesIO

from PIL import Image

from cogs.core.drawing.emblems import SIZE, Emblem, emblem
from cogs.core.drawing.excerpts import GAP, rows_of, side_by_side
from cogs.core.drawing.png import encode_image


def picture(width: int, *rows: tuple[int, int, int]) -> bytes:
    image = Image.new("RGB", (width, len(rows) * 10))
    for number, colour in enumerate(rows):
        image.paste(colour, (0, number * 10, width, number * 10 + 10))
    return encode_image(image.quantize(16))


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


RED, GREEN, BLUE = (200, 0, 0), (0, 200, 0), (0, 0, 200)


def test_rows_are_cut_out_and_put_below_each_other():
    found = opened(rows_of(picture(40, RED, GREEN, BLUE), (0, 10), (20, 30)))
    assert opened(rows_of(picture(40, RED), (0, 10), width=15)).size == (15, 10)
    assert found.size == (40, 20) and found.getpixel((5, 5)) == RED and found.getpixel((5, 15)) == BLUE


def test_two_pictures_are_put_beside_each_other():
    found = opened(side_by_side(picture(40, RED), picture(30, BLUE)))
    assert found.size == (70 + GAP, 10)
    assert found.getpixel((0, 0)) == RED and found.getpixel((69 + GAP, 9)) == BLUE


KINDS: tuple[Emblem, ...] = ("solved", "failed", "learned")


def test_the_emblems_are_small_squares_that_differ():
    drawn = {emblem(kind) for kind in KINDS}
    assert len(drawn) == 3 and all(opened(png).size == (SIZE, SIZE) and len(png) < 10_000 for png in drawn)
