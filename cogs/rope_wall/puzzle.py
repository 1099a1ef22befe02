"""Texts of the Rope Wall's puzzles."""

from typing import Any

from cogs.core.pages.game_ui import RIVALS, SOLVED, GamePuzzle, nothing_more
from engine.puzzles import Answer, Proof
from engine.puzzles.rope_wall import KIND


def _question(position: Any) -> str:
    return f"Find the push after which your next one finishes a rope, whatever {RIVALS[0]} answers."


def _result(answer: Answer, proof: Proof) -> str:
    match answer.verdict:
        case "right":
            return SOLVED
        case "go-on":
            return f"✓ Right so far. {RIVALS[0]} has answered: now finish the rope."
        case "wrong":
            if not answer.replies:
                return "✗ That finishes no rope."
            return f"✗ {RIVALS[0]} answers, and no push of yours finishes a rope now."


PUZZLE = GamePuzzle(KIND, "Rope in two", _question, _result, nothing_more)
