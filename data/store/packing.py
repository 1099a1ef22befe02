"""The events of a game that is over, as one packed value: a row for each costs many times as much, and nothing is added
to them any more. What was written before there was this stays in rows, and is read the same.

May import msgspec, the standard library and its neighbours.
"""

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from data.store.errors import CorruptDatabase

EVENTS = (
    "SELECT -1 AS number, NULL AS body, body AS packed FROM packed_events WHERE table_id = {table}"
    " UNION ALL SELECT number, body, NULL FROM events WHERE table_id = {table} AND number >= {first} ORDER BY number"
)
"""The SQL for what `in_order` reads. It is one statement, for a game may end between two."""


def pack(bodies: Sequence[str]) -> bytes:
    """Return the bodies (JSON) of events as one value."""
    return zlib.compress(msgspec.json.encode(bodies))


def unpack(packed: bytes) -> list[str]:
    """Return the bodies that `pack` was given. Raises `CorruptDatabase`."""
    try:
        return msgspec.json.decode(zlib.decompress(packed), type=list[str])
    except (zlib.error, msgspec.DecodeError) as error:
        raise CorruptDatabase("The events of a finished game are damaged: restore a copy of the database.") from error


def in_order(rows: Iterable[tuple[int, str | None, bytes | None]], first: int = 0) -> list[str]:
    """Return the bodies of a table's events, from number `first` on, from the rows of `EVENTS`. Raises
    `CorruptDatabase`.
    """
    found: list[str] = []
    for _, body, packed in rows:
        if packed is not None:
            found += unpack(packed)[first:]
        elif body is not None:
            found.append(body)
    return found


def blanked(body: str, tag: str, words: Mapping[str, Iterable[str]]) -> str | None:
    """Return an action or event (JSON), whose kind stands in its field `tag`, with the fields in `words` left empty;
    None if it has none of them.
    """
    value = json.loads(body)
    if value.get(tag) not in words:
        return None
    value.update(dict.fromkeys(words[value[tag]], ""))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def without_words_of(
    packed: bytes, seat: int, decisions: Sequence[tuple[int, int | None]], words: Mapping[str, Iterable[str]]
) -> bytes:
    """Return packed events without what a seat wrote freely. `decisions` are the numbers of a table's, in order, and
    whose they were: an event belongs to the last one that is not later. Raises `CorruptDatabase`.
    """
    bodies = unpack(packed)
    ends = [number for number, _ in decisions[1:]] + [len(bodies)]
    for (start, whose), end in zip(decisions, ends, strict=True):
        if whose == seat:
            bodies[start:end] = [blanked(body, "event", words) or body for body in bodies[start:end]]
    return pack(bodies)
