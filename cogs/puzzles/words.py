"""What is said about puzzles of every kind: signs, difficulty, days in a row."""

from collections.abc import Mapping

from cogs.core.ops.text_format import count
from cogs.core.pages.page import Style
from engine.puzzles import HARDEST

SOLVED, FAILED, OPEN, UNTRIED = "🟩", "🟥", "🟨", "⬜"
"""How an attempt went, for those who are shown it: without a word about the answer."""

SIGNS: Mapping[str, str] = {SOLVED: "✓ solved", FAILED: "✗ failed", OPEN: "begun", UNTRIED: "not tried yet"}
"""The same in words, for the solver."""

BUTTONS: Mapping[str, tuple[str, Style]] = {
    SOLVED: ("✓ ", "success"),
    FAILED: ("✗ ", "secondary"),
    OPEN: ("", "primary"),
    UNTRIED: ("", "primary"),
}
"""How the button of a puzzle begins and looks: those that can still be answered stand out."""


ONE_TRY = "-# One try counts."
"""What is said of every puzzle before it is answered."""


def difficulty(level: int) -> str:
    """Return how hard a puzzle is, as dots."""
    return f"difficulty {'●' * level}{'○' * (HARDEST - level)}"


def days(number: int) -> str:
    """Return a number of days in a row."""
    return f"{count(number, 'day')} in a row"
