"""The custom_id of a button, select or modal: the table, the stamp of the view, a verb and an argument. It holds no
secret. What comes back is untrusted: its form is checked here, its meaning by the handler.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import msgspec

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.errors import UserError

CUSTOM_ID_LIMIT = 100
"""Characters that Discord allows."""

TEMPLATE = (
    r"cb:(?:(?P<table>[0-9]{1,18})|(?P<lesson>[a-z_-]{1,24}\.[0-9]{1,5})):"
    r"(?P<stamp>[0-9]{1,9}):(?P<verb>[a-z][a-z-]{0,23}):(?P<argument>.{0,60})"
)
"""The form of every custom_id, for buttons, selects and modals."""

FRESH = 10_000_000
"""Multiples of this are added to the stamp of a select to change its custom_id, and mean nothing. A client keeps what
was chosen in a select as long as its custom_id is the same, and sends nothing if it is chosen again.
"""

MAX_VALUES = 25
VALUE_LIMIT = 100
MAX_FIELDS = 5
FIELD_LIMIT = 4_000
"""Discord's limits for selects and modals."""

USER_DIGITS = 19
"""The most digits of a user's number at Discord."""

UNKNOWN_BUTTON = N_("This button no longer works. Use `/tables` to see your tables.")

_PATTERN = re.compile(TEMPLATE)


@dataclass(frozen=True)
class ComponentPress:
    """A press on a control that was drawn at a stamp, with the values of a select or modal. Instead of a table, it may
    name a `lesson` with its step, or a puzzle with its number: "chess.3".
    """

    table: int
    stamp: int
    verb: str
    argument: str = ""
    values: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    lesson: str = ""


def custom_id(table: int | str, stamp: int, verb: str, argument: str = "") -> str:
    """Return the custom_id of a control of a table or lesson. Raises ValueError for one that could not be read back."""
    name = f"cb:{table}:{stamp}:{verb}:{argument}"
    if len(name) > CUSTOM_ID_LIMIT or not _PATTERN.fullmatch(name):
        raise ValueError(f"{name!r} is not a custom_id of this bot")
    return name


def parse_press(data: Mapping[str, Any]) -> ComponentPress:
    """Return the press from the data of a component or modal interaction. Raises `UserError` if it is malformed."""
    named, values = _PATTERN.fullmatch(str(data.get("custom_id", ""))), data.get("values")
    chosen = tuple(map(str, values)) if isinstance(values, list) else ()  # in a select
    written = tuple(  # into the fields of a form
        (str(part["custom_id"]), str(part["value"]))
        for row in data.get("components") or ()
        for part in ([row["component"]] if "component" in row else row.get("components") or ())
        if "custom_id" in part and "value" in part
    )
    if (
        named is None
        or len(chosen) > MAX_VALUES
        or len(written) > MAX_FIELDS
        or any(len(value) > VALUE_LIMIT for value in chosen)
        or any(len(name) > VALUE_LIMIT or len(text) > FIELD_LIMIT for name, text in written)
    ):
        raise UserError(_(UNKNOWN_BUTTON))
    try:
        "".join((named.group(), *chosen, *chain.from_iterable(written))).encode()
    except UnicodeEncodeError as error:  # half of a surrogate pair, which JSON can write: it could not be stored
        raise UserError(_(UNKNOWN_BUTTON)) from error
    table, stamp, verb, argument, lesson = named.group("table", "stamp", "verb", "argument", "lesson")
    return ComponentPress(int(table or 0), int(stamp) % FRESH, verb, argument, chosen, written, lesson or "")


def is_number(word: str, digits: int = 7) -> bool:
    """Return True if a word of a control is a whole number of at most so many digits."""
    return word.isascii() and word.isdecimal() and len(word) <= digits


def next_fresh(data: Mapping[str, Any]) -> int:
    """Return what to add to the stamps of the selects that follow a press: 0 unless it was one on a select."""
    named = _PATTERN.fullmatch(str(data.get("custom_id", "")))
    return (int(named.group("stamp")) // FRESH % 9 + 1) * FRESH if named is not None and data.get("values") else 0


def dump_press(control: ComponentPress | None) -> str | None:
    """Return a press as JSON."""
    return None if control is None else msgspec.json.encode(control).decode()


def load_press(text: str | None) -> ComponentPress | None:
    """Return a press from JSON; None if another version has written it in another form."""
    try:
        return None if text is None else msgspec.json.decode(text, type=ComponentPress)
    except msgspec.DecodeError:
        return None
