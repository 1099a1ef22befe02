"""Multipart bodies are read as the client library writes them."""

import aiohttp
import pytest
from aiohttp.helpers import parse_mimetype

from sandbox.rest.multipart import read_parts

PICTURE = b"\x89PNG\r\n\x1a\n--\r\n\r\n--x" + bytes(range(256))


class Sink:
    """Collects written bytes."""

    def __init__(self) -> None:
        self.raw = b""

    async def write(self, chunk: bytes) -> None:
        self.raw += chunk


async def body_of(text: str, **files: bytes) -> tuple[bytes, str]:
    """Return the body that the client sends for a text and files, and its boundary."""
    form = aiohttp.FormData(quote_fields=False, default_to_multipart=True)
    form.add_field("payload_json", text)
    for number, (filename, value) in enumerate(files.items()):
        form.add_field(f"files[{number}]", value, filename=filename, content_type="application/octet-stream")
    payload, sink = form(), Sink()
    await payload.write(sink)  # type: ignore[arg-type]
    return sink.raw, parse_mimetype(payload.content_type).parameters["boundary"]


async def test_names_files_and_any_bytes_are_read():
    text = '{"content": "café"}'
    raw, boundary = await body_of(text, **{'a "b" \\ü;.png': PICTURE, "empty": b""})
    assert list(read_parts(raw, boundary)) == [
        ("payload_json", None, text.encode()),
        ("files[0]", 'a "b" \\ü;.png', PICTURE),
        ("files[1]", "empty", b""),
    ]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
        b"--b\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--\r\n",
        b"--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--\r\n",
        b'--b\r\nContent-Disposition: form-data; name="a"\r\n--b--\r\n',
        b'--c\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--c--\r\n',
    ],
)
def test_a_malformed_body_is_refused(raw: bytes):
    with pytest.raises(ValueError, match=r"a multipart body|a part"):
        list(read_parts(raw, "b"))
