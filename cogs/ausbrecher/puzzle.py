"""Texts of Ausbrecher AG's puzzles."""

from typing import Any

from cogs.core.pages.game_ui import GamePuzzle
from engine.games.ausbrecher import Roll
from engine.puzzles import Answer, Proof, Puzzle
from engine.puzzles.ausbrecher import KIND, BestDice


def _question(position: BestDice) -> str:
    return (
        f"Which dice bring **{position.colour}** into boat {position.boat} in this turn most likely? "
        "You may carry them out in the order that suits you."
    )


def _result(answer: Answer, proof: Proof) -> str:
    chance = _throws(int(answer.facts["chance"]))
    if answer.verdict == "right":
        return f"✓ Right: {chance}. The next best dice come to {_throws(proof.second)}."
    return f"✗ They do it in {chance}, the best dice in {_throws(proof.best)}."


def _throws(thousandths: int) -> str:
    return f"{round(thousandths / 10)} of 100 throws"


def _because(puzzle: Puzzle, view: Any) -> str:
    (roll,) = puzzle.proof.line
    assert isinstance(roll, Roll)
    return f"Roll {' and '.join(roll.colours)}{' with the white die' if roll.white else ''}."


PUZZLE = GamePuzzle(KIND, "The best dice", _question, _result, _because)
