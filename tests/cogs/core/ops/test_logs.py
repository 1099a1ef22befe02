"""JSON logs: what a line contains, and what it never contains."""

import json
import logging
from typing import Any

import pytest

from cogs.core.ops.logs import JsonLines


def line(message: str, *arguments: object, error: Exception | None = None) -> dict[str, Any]:
    """Return the parsed line for a record of 2026-11-21 12:00:00.25 UTC."""
    info = None if error is None else (type(error), error, error.__traceback__)
    record = logging.LogRecord("cogs.core", logging.WARNING, "", 0, message, arguments, info)
    record.created = 1_795_262_400.25
    written = JsonLines().format(record)
    assert "\n" not in written
    found: dict[str, Any] = json.loads(written)
    return found


def test_a_log_line_has_time_level_logger_and_message():
    assert line("two\nlines of %s", "“words”") == {
        "time": "2026-11-21T12:00:00.250Z",
        "level": "WARNING",
        "logger": "cogs.core",
        "message": "two\nlines of “words”",
    }


@pytest.mark.parametrize(
    ("words", "table"),
    [
        ("table 7 cannot be read", 7),
        ("table 12: its clock", 12),
        ("the timetable 7", None),
        ("table of 7", None),
    ],
)
def test_the_table_that_a_record_names_is_a_field_of_its_own(words: str, table: int | None):
    assert line("%s", words).get("table") == table


def test_an_error_is_one_field_and_the_table_in_its_note_is_found():
    try:
        raise ValueError("no such card")
    except ValueError as error:
        error.add_note("table 9 (chess) at event 3")
        found = line("interaction 5 failed", error=error)
    assert found["message"] == "interaction 5 failed" and found["table"] == 9
    assert found["exception"].startswith("Traceback") and "ValueError: no such card" in found["exception"]
