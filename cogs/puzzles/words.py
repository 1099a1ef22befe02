"""Texts for puzzles of every kind: signs, difficulty, days in a row."""

from collections.abc import Mapping

from cogs.core.ops.text_format import count
from cogs.core.pages.page import Style
from engine.contract import Moment
from engine.puzzles import HARDEST

SOLVED, FAILED, OPEN, UNTRIED = "🟩", "🟥", "🟨", "⬜"
"""The result of an attempt as shown to others, which reveals nothing of the answer."""

SIGNS: Mapping[str, str] = {SOLVED: "✓ solved", FAILED: "✗ failed", OPEN: "begun", UNTRIED: "not tried yet"}
"""The same in words, for the solver."""

BUTTONS: Mapping[str, tuple[str, Style]] = {
    SOLVED: ("✓ ", "success"),
    FAILED: ("✗ ", "secondary"),
    OPEN: ("", "primary"),
    UNTRIED: ("", "primary"),
}
"""The label and style of a puzzle's button: those that can still be answered are highlighted."""


ONE_TRY = "-# One try counts."
"""Shown with every puzzle before it is answered."""


def one_try(until: Moment | None) -> str:
    """Return the same with until when an answer counts for the puzzle's day; None if it is too late for that."""
    if until is None:
        return f"{ONE_TRY} This is a puzzle of an earlier day, so it counts for no streak."
    return f"{ONE_TRY} It counts for its day if you answer before <t:{until // 1_000}:t>."


def difficulty(level: int) -> str:
    """Return the difficulty of a puzzle as dots."""
    return f"difficulty {'●' * level}{'○' * (HARDEST - level)}"


def days(number: int) -> str:
    """Return a number of days in a row."""
    return f"{count(number, 'day')} in a row"
