"""Encoded pictures: one byte per pixel, small, and the same bytes for the same composition."""

import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from cachetools import LRUCache
from PIL import Image, ImageChops

from cogs.core.drawing import png
from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.composition import Bitmap, Composition, band_edges
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.png import encode, encode_image
from cogs.core.drawing.theme import CHALK, NIGHT, SEAT_MARKS
from tests.cogs.core.drawing.test_palette import night_palette, opened


def test_pictures_are_png_of_one_byte_a_pixel():
    picture = opened(encode(night_palette().composition()))
    assert (picture.format, picture.mode, picture.size) == ("PNG", "P", (120, 80))


def test_the_same_scene_drawn_again_shows_the_same_in_every_thread():
    def made(_: int) -> bytes:
        palette = night_palette()
        canvas = palette.canvas(40, 20, 40, 40)
        canvas.mark(SEAT_MARKS[0], 60, 40, 15)
        sheet = palette.composition()
        sheet.paste(palette.bitmap(canvas), (40, 20))
        return opened(encode(sheet)).convert("RGB").tobytes()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(made, range(12)))) == 1


def crowded() -> Canvas:
    """Return a picture that the thorough encoder compresses far better than the quick one."""
    canvas = Canvas(300, 300, NIGHT)
    for number in range(120):
        canvas.text(20 + 29 * (number % 10), 20 + 24 * (number // 10), str(number), 15, CHALK)
    return canvas


def test_a_composition_that_is_too_large_is_packed_thoroughly_and_shows_the_same(monkeypatch: pytest.MonkeyPatch):
    palette = Palette(crowded().picture())
    plain = encode(palette.composition())
    monkeypatch.setattr(png, "LARGE", len(plain) - 1)
    small = encode(palette.composition())
    assert len(small) < len(plain)
    shown = [opened(data).convert("RGB") for data in (plain, small)]
    assert ImageChops.difference(*shown).getbbox() is None


def test_only_the_necessary_part_of_a_composition_is_packed_thoroughly(monkeypatch: pytest.MonkeyPatch):
    sheet = Palette(crowded().picture()).composition()
    plain = encode(sheet)
    monkeypatch.setattr(png, "LARGE", len(plain) - 1)
    packed = encode(sheet)
    bands = [[body for kind, body in chunks(data) if kind == b"IDAT"] for data in (plain, packed)]
    changed = [one for one, other in zip(*bands, strict=True) if len(one) > len(other)]
    assert changed == [max(bands[0], key=len)]
    png._bands.clear()
    assert encode(sheet) == packed == encode(sheet)


def chequered() -> Image.Image:
    """Return a picture in which every row differs from every other one."""
    image = Image.new("P", (90, 301))
    image.putpalette([channel for number in range(256) for channel in (number, 255 - number, number // 2)])
    image.putdata([(x * y + y) % 256 for y in range(301) for x in range(90)])
    return image


def sheet_of(image: Image.Image, *edges: int) -> Composition:
    return Composition(Bitmap(image), image.width, (0, *edges, image.height), bytes(image.getpalette("RGB") or ()))


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """Return the chunks of a PNG, after checking their checksums."""
    found, at = [], 8
    while at < len(data):
        size = int.from_bytes(data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        assert zlib.crc32(kind + body) == int.from_bytes(data[at + 8 + size : at + 12 + size])
        found.append((kind, body))
        at += 12 + size
    return found


@pytest.mark.parametrize("edges", [(), (1,), (300,), (64, 128, 192, 256), tuple(range(7, 301, 7))])
def test_a_file_in_bands_is_one_sound_stream_of_all_rows(edges: tuple[int, ...]):
    image = chequered()
    parts = chunks(encode(sheet_of(image, *edges)))
    assert [kind for kind, _ in parts if kind != b"IDAT"] == [b"IHDR", b"PLTE", b"IEND"]
    stream = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))  # which verifies the checksums
    lines = [stream[at : at + 91] for at in range(0, len(stream), 91)]
    assert [line[0] for line in lines] == [0] * 301
    assert b"".join(line[1:] for line in lines) == image.tobytes()
    assert opened(encode_image(image)).convert("RGB").tobytes() == image.convert("RGB").tobytes()


def test_only_bands_in_which_something_else_lies_are_packed_again(monkeypatch: pytest.MonkeyPatch):
    packed: list[int] = []
    real = png._pack

    def counted(name: bytes, rows: bytes, thorough: bool) -> Any:
        packed.append(len(rows) // 91)
        return real(name, rows, thorough)

    monkeypatch.setattr(png, "_pack", counted)
    ground, spot = Bitmap(chequered()), Bitmap(Image.new("P", (8, 8), 3))

    def shown(*at: tuple[int, int]) -> bytes:
        packed.clear()
        sheet = Composition(ground, 90, (0, 50, 100, 180, 301), bytes(range(256)) * 3)
        for place in at:
            sheet.paste(spot, place)
        return encode(sheet)

    empty = shown()
    assert packed == [50, 50, 80, 121]
    assert shown((10, 60)) != empty and packed == [50]
    assert shown((10, 96)) != empty and packed == [50, 80]  # it extends across two of them
    assert shown((10, 60), (10, 200)) != empty and packed == [121]
    assert shown() == empty and packed == []


def test_what_was_encoded_before_changes_no_byte(monkeypatch: pytest.MonkeyPatch):
    ground, spot = Bitmap(chequered()), Bitmap(Image.new("P", (8, 30), 3))

    def shown(top: int) -> bytes:
        sheet = Composition(ground, 90, band_edges(301), bytes(range(256)) * 3)
        sheet.paste(spot, (20, top))
        return encode(sheet)

    after_others = [shown(top) for top in (0, 50, 100, 270, 50)]
    for top, data in zip((0, 50, 100, 270, 50), after_others, strict=True):
        png._bands.clear()
        assert shown(top) == data


def test_packed_bands_are_kept_up_to_a_number_of_bytes_in_many_threads(monkeypatch: pytest.MonkeyPatch):
    room = 20_000
    kept = LRUCache[Any, Any](room, getsizeof=png._bands.getsizeof)
    monkeypatch.setattr(png, "_bands", kept)
    ground, spot = Bitmap(chequered()), Bitmap(Image.new("P", (8, 8), 3))

    def shown(top: int) -> bytes:
        sheet = Composition(ground, 90, band_edges(301), bytes(range(256)) * 3)
        sheet.paste(spot, (10, top))
        return encode(sheet)

    with ThreadPoolExecutor(4) as pool:
        first, again = list(pool.map(shown, range(250))), list(pool.map(shown, range(250)))
    assert first == again
    assert 0 < sum(len(band.name) + len(band.chunk) for band in kept.values()) <= room
