"""Texts of Match Five's puzzles."""

from typing import Any

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.pages.game_ui import GamePuzzle, nothing_more
from engine.contract import number
from engine.puzzles import Answer, Proof
from engine.puzzles.match_five import KIND


def _question(position: Any) -> str:
    return _("Lay your tiles for the most points. One play scores more than all others.")


def _result(answer: Answer, proof: Proof) -> str:
    points = number(answer.facts, "points")
    if answer.verdict == "right":
        return ngettext(
            "✓ Right: {n} point. The next best play scores {second}.",
            "✓ Right: {n} points. The next best play scores {second}.",
            points,
            second=proof.second,
        )
    return ngettext(
        "✗ That scores {n} point. The best play scores {best}.",
        "✗ That scores {n} points. The best play scores {best}.",
        points,
        best=proof.best,
    )


PUZZLE = GamePuzzle(KIND, N_("The best play"), _question, _result, nothing_more)
