"""Finished games, packed: the events as one value, the decisions as another. Older ones may still be in rows."""

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from data.store.errors import CorruptDatabase
from data.store.rows import DecisionRow
from engine.contract import Moment

T = TypeVar("T")
OwnWords = Mapping[str, Iterable[str]]
"""The fields with a person's own words, by the kind of action or event."""

EVENTS = (
    "SELECT -1 AS number, NULL AS body, body AS packed FROM packed_events WHERE table_id = :table"
    " UNION ALL SELECT number, body, NULL FROM events WHERE table_id = :table AND number >= :first ORDER BY number"
)
"""The SQL for what `read_events` reads: one statement, since a game may end between two."""

DECISIONS = (
    "SELECT -1 AS number, NULL AS seat, NULL AS at, NULL AS action, body AS packed FROM packed_decisions"
    " WHERE table_id = :table UNION ALL"
    " SELECT number, seat, at, action, NULL FROM decisions WHERE table_id = :table ORDER BY number"
)
"""The SQL for what `read_decisions` reads, also in one statement."""


def pack(bodies: Sequence[str]) -> bytes:
    """Return the bodies (JSON) of events as one value."""
    return zlib.compress(msgspec.json.encode(bodies))


def unpack(packed: bytes) -> list[str]:
    """Return the bodies that `pack` was given. Raises `CorruptDatabase`."""
    return _unpacked(packed, list[str])


def pack_decisions(decisions: Sequence[DecisionRow]) -> bytes:
    """Return decisions as one value: column by column, since the values of a column are alike."""
    columns = [[getattr(one, name) for one in decisions] for name in DecisionRow.__struct_fields__]
    return zlib.compress(msgspec.json.encode(columns))


def unpack_decisions(packed: bytes) -> list[DecisionRow]:
    """Return the decisions that `pack_decisions` was given. Raises `CorruptDatabase`."""
    columns = _unpacked(packed, tuple[list[int], list[int | None], list[Moment], list[str | None]])
    return [DecisionRow(*row) for row in zip(*columns, strict=True)]


def _unpacked(packed: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(zlib.decompress(packed), type=kind)
    except (zlib.error, msgspec.DecodeError) as error:
        raise CorruptDatabase("The record of a finished game is damaged: restore a copy of the database.") from error


def read_events(rows: Iterable[tuple[int, str | None, bytes | None]], first: int = 0) -> list[str]:
    """Return a table's events, from number `first` on, from the rows of `EVENTS`. Raises `CorruptDatabase`."""
    found: list[str] = []
    for _, body, packed in rows:
        if packed is not None:
            found += unpack(packed)[first:]
        elif body is not None:
            found.append(body)
    return found


def read_decisions(rows: Iterable[tuple[int, int | None, Moment, str | None, bytes | None]]) -> list[DecisionRow]:
    """Return a table's decisions, from the rows of `DECISIONS`. Raises `CorruptDatabase`."""
    found: list[DecisionRow] = []
    for number, seat, at, action, packed in rows:
        if packed is not None:
            found += unpack_decisions(packed)
        else:
            found.append(DecisionRow(number, seat, at, action))
    return found


def blank_words(body: str, tag: str, words: OwnWords) -> str | None:
    """Return an action or event (JSON), whose kind is in its field `tag`, with the fields in `words` left empty, if it
    has any.
    """
    if not any(kind in body for kind in words):  # most are of a kind without words, and are not even read
        return None
    value = json.loads(body)
    if value.get(tag) not in words:
        return None
    value.update(dict.fromkeys(words[value[tag]], ""))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def blank_packed_events(
    packed: bytes, seat: int, decisions: Sequence[tuple[int, int | None]], words: OwnWords
) -> bytes:
    """Return packed events without a seat's own words. `decisions` are the numbers and seats of a table's decisions: an
    event belongs to the last one that is not later. Raises `CorruptDatabase`.
    """
    bodies = unpack(packed)
    ends = [number for number, _ in decisions[1:]] + [len(bodies)]
    for (start, whose), end in zip(decisions, ends, strict=True):
        if whose == seat:
            bodies[start:end] = [blank_words(body, "event", words) or body for body in bodies[start:end]]
    return pack(bodies)


def blank_packed(
    decisions: bytes, events: bytes, seat: int, of_actions: OwnWords, of_events: OwnWords
) -> tuple[bytes, bytes] | None:
    """Return a game's packed decisions and events without a seat's own words, if there are any. Raises
    `CorruptDatabase`.
    """
    found = unpack_decisions(decisions)
    cleaned = [_without_words(one, of_actions) if one.seat == seat else one for one in found]
    if all(one is before for one, before in zip(cleaned, found, strict=True)):
        return None
    whose = [(one.number, one.seat) for one in cleaned]
    return pack_decisions(cleaned), blank_packed_events(events, seat, whose, of_events)


def _without_words(decision: DecisionRow, words: OwnWords) -> DecisionRow:
    if decision.action is None:
        return decision
    clean = blank_words(decision.action, "do", words)
    return decision if clean is None else msgspec.structs.replace(decision, action=clean)
