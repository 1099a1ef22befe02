"""custom_ids: what a control carries through Discord and back.

A custom_id names the table, the stamp of the view for which it was drawn, a verb and an argument; it holds no seat
and no secret, so the same control serves everyone who may press it. In a lesson the lesson and its step stand in the
table's place, in a puzzle its kind and number. It is untrusted: whoever reads one checks everything. May import the
standard library only.
"""

import re
from dataclasses import dataclass

CUSTOM_ID_LIMIT = 100
"""Characters that Discord takes."""

TEMPLATE = (
    r"cb:(?:(?P<table>[0-9]{1,18})|(?P<lesson>[a-z_-]{1,24}\.[0-9]{1,5})):"
    r"(?P<stamp>[0-9]{1,9}):(?P<verb>[a-z][a-z-]{0,23}):(?P<argument>.{0,60})"
)
"""What our custom_ids look like; the same for buttons, selects and modals."""

_PATTERN = re.compile(TEMPLATE)


@dataclass(frozen=True)
class Control:
    """What somebody pressed: a control of a table, drawn at a stamp, with the values of a select or form.

    A control of a lesson or puzzle names no table, but the `lesson` and its step, or the puzzle: "chess.3".
    """

    table: int
    stamp: int
    verb: str
    argument: str = ""
    values: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    lesson: str = ""


def custom_id(table: int | str, stamp: int, verb: str, argument: str = "") -> str:
    """Return the custom_id of a control of a table, or of a lesson at one of its steps. Raises ValueError for one that
    could not be read back.
    """
    name = f"cb:{table}:{stamp}:{verb}:{argument}"
    if len(name) > CUSTOM_ID_LIMIT or not _PATTERN.fullmatch(name):
        raise ValueError(f"{name!r} is no custom_id of ours")
    return name


def read_custom_id(name: str) -> Control | None:
    """Return the control that a custom_id names, or None if it is not one of ours."""
    match = _PATTERN.fullmatch(name)
    if match is None:
        return None
    table, lesson = int(match["table"] or 0), match["lesson"] or ""
    return Control(table, int(match["stamp"]), match["verb"], match["argument"], lesson=lesson)
