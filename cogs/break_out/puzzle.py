"""Texts of Break-Out's puzzles."""

from typing import Any

from cogs.core.pages.game_ui import SOLVED, GamePuzzle, nothing_more
from engine.puzzles import Answer, Proof
from engine.puzzles.break_out import KIND


def _question(position: Any) -> str:
    return "Get rid of your whole hand in this turn. There is one way, by two plays or more."


def _result(answer: Answer, proof: Proof) -> str:
    match answer.verdict:
        case "right":
            return SOLVED
        case "go-on":
            return "✓ Right so far. Go on."
        case "wrong":
            return "✗ From here the hand cannot be emptied in this turn any more."


PUZZLE = GamePuzzle(KIND, "Go out", _question, _result, nothing_more)
