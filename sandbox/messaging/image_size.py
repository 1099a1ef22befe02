"""Media types of files and sizes of images, read from their first bytes."""

from __future__ import annotations

import mimetypes
import re
import struct
import zlib

_UNSAFE = re.compile(r"[^\w.\-]+")


def safe_name(filename: str) -> str:
    """Return the name under which Discord stores an upload: other than letters, digits, dots and dashes
    become ``_``.
    """
    return _UNSAFE.sub("_", filename).strip("_") or "unknown"


def content_type(filename: str, data: bytes) -> str:
    """Return the media type of a file: by its content for images, otherwise by its name."""
    return picture_type(data) or mimetypes.guess_type(filename)[0] or "application/octet-stream"


def picture_type(data: bytes) -> str | None:
    """Return the media type of an image in a format that Discord shows, or None."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return None


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height in pixels, or None if this is not a valid image."""
    try:
        match picture_type(data):
            case "image/png":
                width, height = struct.unpack_from(">II", data, 16)
            case "image/gif":
                width, height = struct.unpack_from("<HH", data, 6)
            case "image/jpeg":
                return _jpeg_size(data)
            case "image/webp":
                return _webp_size(data)
            case _:
                return None
    except (struct.error, IndexError):
        return None
    return int(width), int(height)


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):  # a start of frame, not a table
            height, width = struct.unpack_from(">HH", data, at + 5)
            return int(width), int(height)
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    match data[12:16]:
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", data, 26)
            return int(width) & 0x3FFF, int(height) & 0x3FFF
        case b"VP8L":
            packed = int.from_bytes(data[21:25], "little")
            return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
        case b"VP8X":
            return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    return None


def plain_png(colour: tuple[int, int, int], side: int = 64) -> bytes:
    """Return a square PNG of one colour, for default avatars."""
    rows = b"".join(b"\x00" + bytes(colour) * side for _ in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
