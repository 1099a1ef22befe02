"""Encodes PNG files. A composition is deflated in independent bands, which are reused for later pictures."""

import struct
import threading
import zlib
from collections.abc import Sequence
from io import BytesIO
from typing import NamedTuple

from cachetools import LRUCache
from isal import isal_zlib
from PIL import Image
from zlib_ng import zlib_ng

from cogs.core.drawing.composition import Composition

QUICK = 1  # level of isal: a quarter of zlib's time at level 3 for a twentieth more bytes (make bench pictures)
THOROUGH = 5  # level of zlib-ng, for the largest bands of a picture that would be too large: a quarter fewer bytes
LARGE = 59_500
"""Bytes above which the largest bands of a picture are packed more thoroughly; the budget is 60 KB."""

MAX_BYTES = 8 << 20
"""Bytes of packed bands, with their names, that are cached: those of some 150 tables."""

_ADLER = 65_521  # the modulus of the checksum that ends a deflated stream (RFC 1950)


class _Band(NamedTuple):
    """A packed band: its name, its chunk of the file, and the checksum and number of the bytes packed."""

    name: bytes
    chunk: bytes
    checksum: int
    size: int


_bands = LRUCache[tuple[bytes, bool], _Band](MAX_BYTES, getsizeof=lambda band: len(band.name) + len(band.chunk))
_lock = threading.Lock()


def encode(composition: Composition) -> bytes:
    """Return a composition as PNG: the same always gives the same bytes."""
    names = composition.bands()
    bands = [_packed(composition, number, name) for number, name in enumerate(names)]
    data = _png(composition, bands)
    over = len(data) - LARGE
    if over <= 0:
        return data
    for number in sorted(range(len(bands)), key=lambda one: -len(bands[one].chunk)):
        if over <= 0:
            break
        smaller = _packed(composition, number, names[number], thorough=True)
        over -= len(bands[number].chunk) - len(smaller.chunk)
        bands[number] = smaller
    return _png(composition, bands)


def encode_image(image: Image.Image, colours: int = 256) -> bytes:
    """Return an image as PNG, for what is drawn only once: with its palette, or one of at most this many colours."""
    if image.mode != "P":
        image = image.quantize(colours, Image.Quantize.FASTOCTREE)
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _packed(composition: Composition, number: int, name: bytes, *, thorough: bool = False) -> _Band:
    """Return a band of a composition; it is packed only if none of this name is cached."""
    with _lock:
        band = _bands.get((name, thorough))
    if band is None:
        top, bottom = composition.edges[number : number + 2]
        band = _pack(name, composition.rows(top, bottom), thorough)
        with _lock:
            _bands[name, thorough] = band
    return band


def _pack(name: bytes, rows: bytes, thorough: bool) -> _Band:
    """Pack rows so that they can follow any others."""
    library, level = (zlib_ng, THOROUGH) if thorough else (isal_zlib, QUICK)
    deflate = library.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = deflate.compress(rows) + deflate.flush(zlib.Z_FULL_FLUSH)
    return _Band(name, _chunk(b"IDAT", packed), isal_zlib.adler32(rows), len(rows))


def _png(composition: Composition, bands: Sequence[_Band]) -> bytes:
    """Return a file of packed bands: see the PNG specification (third edition), sections 5, 10 and 11, and RFC 1950."""
    header = struct.pack(">IIBBBBB", composition.width, composition.height, 8, 3, 0, 0, 0)  # 8 bits, by palette
    checksum = 1
    for band in bands:
        checksum = _combined(checksum, band.checksum, band.size)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", composition.palette),
            _BEGIN,
            *(band.chunk for band in bands),
            _chunk(b"IDAT", b"\x03\x00" + checksum.to_bytes(4)),  # an empty last block, and the checksum
            _END,
        )
    )


def _combined(one: int, other: int, size: int) -> int:
    """Return the Adler-32 of two pieces of data from those of each and the size of the second."""
    low, high = one & 0xFFFF, one >> 16
    high = (high + (other >> 16) + size * (low - 1)) % _ADLER
    return high << 16 | (low + (other & 0xFFFF) - 1) % _ADLER


def _chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4) + kind + body + zlib.crc32(body, zlib.crc32(kind)).to_bytes(4)


_BEGIN = _chunk(b"IDAT", b"\x78\x01")  # a deflated stream with a window of 32 KB
_END = _chunk(b"IEND", b"")
