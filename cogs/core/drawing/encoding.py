"""A finished sheet as the bytes of a PNG, small and soon.

The pixels of a PNG are one deflated stream. It is made of bands here, each packed without looking at the one before it,
so that those which were packed for an earlier picture, of whatever table, are taken as they are: after a move only
what it has changed is put together and packed.
"""

import itertools
import struct
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from isal import isal_zlib
from PIL import Image
from zlib_ng import zlib_ng

from cogs.core.drawing.sheets import Piece, Sheet

_QUICK = 1  # of isal: a quarter of zlib's time at level 3 for a twentieth more bytes (make bench pictures)
_THOROUGH = 5  # of zlib-ng: half of zlib's time for the same bytes, a quarter fewer than the quick way
_LARGE = 59_500  # bytes, above which as much of a picture as it takes is packed thoroughly: the budget is 60 KB

ROOM = 8 << 20
"""Bytes of packed bands, with their names, that are kept: those of 150 tables, of which many are the same."""

_ADLER = 65_521  # the modulus of the check that ends a deflated stream (RFC 1950)


class _Packed(NamedTuple):
    """A band's part of a file, which is a whole chunk; the check of its pixels, and how many bytes they were."""

    chunk: bytes
    check: int
    size: int


class Bands:
    """The bands that were packed last, as many as `room` bytes hold. They may be asked for in several threads."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._free = room
        self._kept: OrderedDict[bytes, _Packed] = OrderedDict()
        self._turn = threading.Lock()

    @property
    def held(self) -> int:
        """How many bytes are kept."""
        return self._room - self._free

    def known(self, names: Sequence[bytes]) -> list[_Packed | None]:
        """Return the bands of these names, None for each that is not kept."""
        with self._turn:
            found = [self._kept.get(name) for name in names]
            for name, band in zip(names, found, strict=True):
                if band is not None:
                    self._kept.move_to_end(name)
        return found

    def keep(self, name: bytes, band: _Packed) -> None:
        """Keep a band, and let go of those that were asked for longest ago if there is no room for it."""
        with self._turn:
            if name in self._kept:
                return
            self._kept[name] = band
            self._free -= len(name) + len(band.chunk)
            while self._free < 0:
                gone, old = self._kept.popitem(last=False)
                self._free += len(gone) + len(old.chunk)


_bands = Bands(ROOM)

_Pack = Callable[[], Any]
"""Begins to deflate a band. A type of each library's own comes of it, with `compress` and `flush`."""


def _quick() -> Any:
    return isal_zlib.compressobj(_QUICK, zlib.DEFLATED, -zlib.MAX_WBITS)


def _thorough() -> Any:
    return zlib_ng.compressobj(_THOROUGH, zlib.DEFLATED, -zlib.MAX_WBITS)


def encode(sheet: Sheet) -> bytes:
    """Return a sheet as PNG. The same sheet shows the same, whatever was encoded before it; its bytes may differ
    by a few on a busy machine, in bands of more than 64 KiB.
    """
    names = dict(enumerate(sheet.bands()))
    bands = _packed(sheet, names, _quick)
    data = _png(sheet, bands)
    return data if len(data) <= _LARGE else _png(sheet, _smaller(sheet, names, bands, len(data) - _LARGE))


def encode_image(image: Image.Image) -> bytes:
    """Return a picture by palette as PNG, for what is drawn once. The same picture gives the same bytes."""
    sheet = Sheet(Piece(image), image.width, (0, image.height), bytes(image.getpalette("RGB") or ()))
    rows = sheet.rows(0, image.height)
    data = _png(sheet, {0: _band(rows, _quick)})
    return data if len(data) <= _LARGE else _png(sheet, {0: _band(rows, _thorough)})


def _packed(sheet: Sheet, names: Mapping[int, bytes], begin: _Pack) -> dict[int, _Packed]:
    """Return bands of a sheet by their numbers; those that nobody knows by these names are put together and packed."""
    found = dict(zip(names, _bands.known(list(names.values())), strict=True))
    edges, line = sheet.edges, sheet.width + 1
    missing = [number for number, band in found.items() if band is None]
    for _, run in itertools.groupby(enumerate(missing), lambda one: one[1] - one[0]):  # those in a row, as one
        numbers = [number for _, number in run]
        top = edges[numbers[0]]
        rows = sheet.rows(top, edges[numbers[-1] + 1])
        for number in numbers:
            made = _band(rows[(edges[number] - top) * line : (edges[number + 1] - top) * line], begin)
            _bands.keep(names[number], made)
            found[number] = made
    return {number: band for number, band in found.items() if band is not None}


def _smaller(sheet: Sheet, names: Mapping[int, bytes], bands: dict[int, _Packed], over: int) -> dict[int, _Packed]:
    """Return the bands of a sheet with the largest of them packed the thorough way, as many as it takes to save so many
    bytes: the same ones, whichever of them were known.
    """
    found = dict(bands)
    for number in sorted(bands, key=lambda one: -len(bands[one].chunk)):
        if over <= 0:
            break
        found |= _packed(sheet, {number: b"t" + names[number]}, _thorough)
        over -= len(bands[number].chunk) - len(found[number].chunk)
    return found


def _band(rows: bytearray | memoryview, begin: _Pack) -> _Packed:
    """Pack rows so that they may stand after any others, and others after them."""
    deflate = begin()
    packed = deflate.compress(rows) + deflate.flush(zlib.Z_FULL_FLUSH)
    return _Packed(_chunk(b"IDAT", packed), isal_zlib.adler32(rows), len(rows))


def _png(sheet: Sheet, bands: Mapping[int, _Packed]) -> bytes:
    """Return the packed rows of a sheet of one byte a pixel as a file.

    See the PNG specification (W3C, third edition), sections 5, 10 and 11, and RFC 1950 and 1951 for the stream.
    """
    header = struct.pack(">IIBBBBB", sheet.width, sheet.height, 8, 3, 0, 0, 0)  # 8 bits, by palette
    check = 1
    for band in bands.values():
        check = _joined(check, band.check, band.size)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", sheet.palette),
            _BEGIN,
            *(band.chunk for band in bands.values()),
            _chunk(b"IDAT", b"\x03\x00" + check.to_bytes(4)),  # an empty last block, and the check
            _END,
        )
    )


def _joined(one: int, other: int, size: int) -> int:
    """Return the Adler-32 of two pieces of data from theirs and the size of the other one."""
    low, high = one & 0xFFFF, one >> 16
    high = (high + (other >> 16) + size * (low - 1)) % _ADLER
    return high << 16 | (low + (other & 0xFFFF) - 1) % _ADLER


def _chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4) + kind + body + zlib.crc32(body, zlib.crc32(kind)).to_bytes(4)


_BEGIN = _chunk(b"IDAT", b"\x78\x01")  # a deflated stream with a window of 32 KB
_END = _chunk(b"IEND", b"")
