"""Texts of the Rope Wall's puzzles."""

from typing import Any

from cogs.core.i18n.translation import N_, _
from cogs.core.pages.game_ui import RIVALS, SOLVED, GamePuzzle, nothing_more
from engine.puzzles import Answer, Proof
from engine.puzzles.rope_wall import KIND


def _question(position: Any) -> str:
    return _("Find the push that lets your next one finish a rope, no matter how {rival} replies.", rival=RIVALS[0])


def _result(answer: Answer, proof: Proof) -> str:
    match answer.verdict:
        case "right":
            return _(SOLVED)
        case "go-on":
            return _("✓ Right so far. {rival} has answered: now finish the rope.", rival=RIVALS[0])
        case "wrong":
            if not answer.replies:
                return _("✗ That doesn't finish a rope.")
            return _("✗ {rival} answers, and now none of your pushes finishes a rope.", rival=RIVALS[0])


PUZZLE = GamePuzzle(KIND, N_("Rope in two"), _question, _result, nothing_more)
