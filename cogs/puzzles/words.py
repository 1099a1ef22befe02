"""Texts for puzzles of every kind: signs, difficulty, days in a row."""

from collections.abc import Mapping

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.pages.page import Style
from engine.contract import Moment
from engine.puzzles import HARDEST

SOLVED, FAILED, OPEN, UNTRIED = "🟩", "🟥", "🟨", "⬜"
"""The result of an attempt as shown to others, which reveals nothing of the answer."""

SIGNS: Mapping[str, str] = {
    SOLVED: N_("✓ solved"),
    FAILED: N_("✗ failed"),
    OPEN: N_("started"),
    UNTRIED: N_("not tried yet"),
}
"""The same in words, for the solver."""

BUTTONS: Mapping[str, tuple[str, Style]] = {
    SOLVED: ("✓ ", "success"),
    FAILED: ("✗ ", "secondary"),
    OPEN: ("", "primary"),
    UNTRIED: ("", "primary"),
}
"""The label and style of a puzzle's button: those that can still be answered are highlighted."""


def one_try(until: Moment | None, *, begun: bool) -> str:
    """Return that there is one try, and before it has `begun` until when an answer counts for the puzzle's day; None
    if it is too late.
    """
    if begun:
        return _("one try")
    if until is None:
        return _("one try, no streak for an earlier day")
    return _("one try, counts until {time}", time=f"<t:{until // 1_000}:t>")


def difficulty(level: int) -> str:
    """Return the difficulty of a puzzle as dots."""
    return _("difficulty {dots}", dots="●" * level + "○" * (HARDEST - level))


def days(number: int) -> str:
    """Return a number of days in a row."""
    return ngettext("{n} day in a row", "{n} days in a row", number)
