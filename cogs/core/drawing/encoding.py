"""A finished sheet as the bytes of a PNG, small and soon. May import Pillow, isal, zlib-ng and the standard library."""

import struct
import zlib

from isal import isal_zlib
from PIL import Image
from zlib_ng import zlib_ng

_QUICK = 1  # of isal: a quarter of zlib's time at level 3 for a twentieth more bytes (make bench pictures)
_THOROUGH = 5  # of zlib-ng: half of zlib's time for the same bytes, a quarter fewer than the quick way
_LARGE = 59_500  # bytes, from which a picture is worth the thorough way: the budget is 60 KB


def encode(sheet: Image.Image, *, crowded: bool = False) -> bytes:
    """Return a sheet as PNG. The same sheet gives the same bytes.

    A `crowded` one, which the quick way would leave too large, is packed the thorough way at once.
    """
    rows = _rows(sheet)
    if not crowded:
        data = _png(sheet, isal_zlib.compress(rows, _QUICK))
        if len(data) <= _LARGE:
            return data
    return _png(sheet, zlib_ng.compress(rows, _THOROUGH))


def _rows(sheet: Image.Image) -> bytes:
    """Return the rows of a sheet as PNG wants them, each after a byte that says it is not filtered."""
    padded = Image.new("P", (sheet.width + 1, sheet.height), 0)
    padded.paste(sheet, (1, 0))
    return padded.tobytes()


def _png(sheet: Image.Image, packed: bytes) -> bytes:
    """Return the packed rows of a sheet of one byte a pixel as a file.

    See the PNG specification (W3C, third edition), sections 5 and 11.
    """
    header = struct.pack(">IIBBBBB", sheet.width, sheet.height, 8, 3, 0, 0, 0)  # 8 bits, by palette
    palette = bytes(sheet.getpalette("RGB") or ())
    parts = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in parts)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(body, zlib.crc32(kind)))
