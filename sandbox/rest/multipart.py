"""Reads multipart bodies at once. aiohttp's reader is made for streams and takes several milliseconds for a picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_DISPOSITION = re.compile(rb'^content-disposition:\s*form-data((?:;\s*\w+="(?:[^"\\]|\\.)*")*)\s*$', re.I | re.M)
_PARAMETER = re.compile(r';\s*(\w+)="((?:[^"\\]|\\.)*)"')


class Part(NamedTuple):
    """One part of a body. `filename` is None unless it is a file."""

    name: str
    filename: str | None
    body: bytes


def read_parts(raw: bytes, boundary: str) -> Iterator[Part]:
    """Yield the parts of a body. Raises ValueError if it is malformed."""
    _, *parts = (b"\r\n" + raw).split(b"\r\n--" + boundary.encode())
    if not parts or not parts.pop().startswith(b"--"):
        raise ValueError("a multipart body without an end")
    for part in parts:
        head, separator, body = part.partition(b"\r\n\r\n")
        found = _DISPOSITION.search(head.replace(b"\r\n", b"\n"))
        if not separator or found is None:
            raise ValueError("a part without a name")
        fields = {key: re.sub(r"\\(.)", r"\1", value) for key, value in _PARAMETER.findall(found[1].decode())}
        if "name" not in fields:
            raise ValueError("a part without a name")
        yield Part(fields["name"], fields.get("filename"), body)
