"""Encoded pictures: of one byte a pixel, small, and the same bytes for the same sheet."""

import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from PIL import Image, ImageChops

from cogs.core.drawing import encoding
from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.encoding import Bands, encode, encode_image
from cogs.core.drawing.sheets import Piece, Sheet, cuts
from cogs.core.drawing.sprites import Scene
from cogs.core.drawing.theme import CHALK, NIGHT, SEAT_MARKS
from tests.cogs.core.drawing.test_sprites import night_scene, opened


def test_pictures_are_png_of_one_byte_a_pixel():
    picture = opened(encode(night_scene().sheet()))
    assert (picture.format, picture.mode, picture.size) == ("PNG", "P", (120, 80))


def test_the_same_scene_made_anew_shows_the_same_in_every_thread():
    def made(_: int) -> bytes:
        scene = night_scene()
        canvas = scene.canvas(40, 20, 40, 40)
        canvas.mark(SEAT_MARKS[0], 60, 40, 15)
        sheet = scene.sheet()
        sheet.paste(scene.sprite(canvas), (40, 20))
        return opened(encode(sheet)).convert("RGB").tobytes()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(made, range(12)))) == 1


def crowded() -> Canvas:
    """Something of which the thorough way makes far less than the quick one."""
    canvas = Canvas(300, 300, NIGHT)
    for number in range(120):
        canvas.text(20 + 29 * (number % 10), 20 + 24 * (number // 10), str(number), 15, CHALK)
    return canvas


def test_a_sheet_that_is_too_large_is_packed_the_thorough_way_and_shows_the_same(monkeypatch: pytest.MonkeyPatch):
    scene = Scene(crowded().picture())
    plain = encode(scene.sheet())
    monkeypatch.setattr(encoding, "_LARGE", len(plain) - 1)
    small = encode(scene.sheet())
    assert len(small) < len(plain)
    shown = [opened(data).convert("RGB") for data in (plain, small)]
    assert ImageChops.difference(*shown).getbbox() is None


def test_no_more_of_a_sheet_is_packed_thoroughly_than_it_takes_whatever_is_known(monkeypatch: pytest.MonkeyPatch):
    sheet = Scene(crowded().picture()).sheet()
    plain = encode(sheet)
    monkeypatch.setattr(encoding, "_LARGE", len(plain) - 1)
    packed = encode(sheet)
    bands = [[body for kind, body in chunks(data) if kind == b"IDAT"] for data in (plain, packed)]
    changed = [one for one, other in zip(*bands, strict=True) if len(one) > len(other)]
    assert changed == [max(bands[0], key=len)]
    monkeypatch.setattr(encoding, "_bands", Bands(1 << 20))
    assert encode(sheet) == packed == encode(sheet)


def chequered() -> Image.Image:
    """A picture in which every row differs from every other one."""
    image = Image.new("P", (90, 301))
    image.putpalette([channel for number in range(256) for channel in (number, 255 - number, number // 2)])
    image.putdata([(x * y + y) % 256 for y in range(301) for x in range(90)])
    return image


def sheet_of(image: Image.Image, *edges: int) -> Sheet:
    return Sheet(Piece(image), image.width, (0, *edges, image.height), bytes(image.getpalette("RGB") or ()))


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """The chunks of a PNG, whose checks are right."""
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
    stream = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))  # which looks at the check
    lines = [stream[at : at + 91] for at in range(0, len(stream), 91)]
    assert [line[0] for line in lines] == [0] * 301
    assert b"".join(line[1:] for line in lines) == image.tobytes()
    assert opened(encode_image(image)).convert("RGB").tobytes() == image.convert("RGB").tobytes()


def test_only_bands_in_which_something_else_lies_are_packed_anew(monkeypatch: pytest.MonkeyPatch):
    packed: list[int] = []
    real = encoding._band

    def counted(rows: bytearray | memoryview, begin: Callable[[], Any]) -> Any:
        packed.append(len(rows) // 91)
        return real(rows, begin)

    monkeypatch.setattr(encoding, "_band", counted)
    ground, spot = Piece(chequered()), Piece(Image.new("P", (8, 8), 3))

    def shown(*at: tuple[int, int]) -> bytes:
        packed.clear()
        sheet = Sheet(ground, 90, (0, 50, 100, 180, 301), bytes(range(256)) * 3)
        for place in at:
            sheet.paste(spot, place)
        return encode(sheet)

    empty = shown()
    assert packed == [50, 50, 80, 121]
    assert shown((10, 60)) != empty and packed == [50]
    assert shown((10, 96)) != empty and packed == [50, 80]  # it lies across two of them
    assert shown((10, 60), (10, 200)) != empty and packed == [121]
    assert shown() == empty and packed == []


def test_what_was_encoded_before_changes_no_byte(monkeypatch: pytest.MonkeyPatch):
    ground, spot = Piece(chequered()), Piece(Image.new("P", (8, 30), 3))

    def shown(top: int) -> bytes:
        sheet = Sheet(ground, 90, cuts(301), bytes(range(256)) * 3)
        sheet.paste(spot, (20, top))
        return encode(sheet)

    after_others = [shown(top) for top in (0, 50, 100, 270, 50)]
    for top, data in zip((0, 50, 100, 270, 50), after_others, strict=True):
        monkeypatch.setattr(encoding, "_bands", Bands(1 << 20))
        assert shown(top) == data


def test_bands_are_let_go_of_by_their_bytes_the_longest_unasked_first():
    def one(size: int) -> Any:
        return encoding._band(bytearray(size), encoding._quick)

    kept = Bands(400)
    band = one(90)
    room = 400 // (len(band.chunk) + 1)
    for number in range(room):
        kept.keep(bytes([number]), band)
    assert kept.held <= 400 and all(kept.known([bytes([number]) for number in range(room)]))
    assert kept.known([b"\x00"]) == [band]
    kept.keep(b"new", band)
    assert kept.held <= 400
    assert kept.known([b"\x00", b"\x01", b"new"]) == [band, None, band]
    kept.keep(b"new", one(10))
    assert kept.known([b"new"]) == [band]  # two threads made the same one


def test_bands_that_are_asked_for_in_many_threads_stay_within_their_room():
    kept, band = Bands(2_000), encoding._band(bytearray(90), encoding._quick)

    def work(first: int) -> None:
        for number in range(first + 3, first + 300):
            kept.keep(number.to_bytes(4), band)
            kept.known([(number - 3).to_bytes(4), number.to_bytes(4)])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(0, 800, 100)))
    assert 0 < kept.held <= 2_000
