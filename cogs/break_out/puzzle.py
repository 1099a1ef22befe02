"""Texts of Break-Out's puzzles."""

from typing import Any

from cogs.core.i18n.translation import N_, _
from cogs.core.pages.game_ui import SOLVED, GamePuzzle, nothing_more
from engine.puzzles import Answer, Proof
from engine.puzzles.break_out import KIND


def _question(position: Any) -> str:
    return _("Get rid of your whole hand this turn. There's one way, in two plays or more.")


def _result(answer: Answer, proof: Proof) -> str:
    match answer.verdict:
        case "right":
            return _(SOLVED)
        case "go-on":
            return _("✓ Right so far. Go on.")
        case "wrong":
            return _("✗ From here you can't empty your hand this turn any more.")


PUZZLE = GamePuzzle(KIND, N_("Go out"), _question, _result, nothing_more)
