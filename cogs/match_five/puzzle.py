"""Texts of Match Five's puzzles."""

from typing import Any

from cogs.core.pages.game_ui import GamePuzzle, nothing_more
from engine.puzzles import Answer, Proof
from engine.puzzles.match_five import KIND


def _question(position: Any) -> str:
    return "Lay your tiles for the most points. One play scores more than all others."


def _result(answer: Answer, proof: Proof) -> str:
    points = answer.facts["points"]
    if answer.verdict == "right":
        return f"✓ Right: {points} points. The next best play scores {proof.second}."
    return f"✗ That scores {points} points. The best play scores {proof.best}."


PUZZLE = GamePuzzle(KIND, "The best play", _question, _result, nothing_more)
