"""A game's puzzle as people see it: the engine's kind of puzzle, and the texts about it. Each game's cog has one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.puzzles import Answer, AnyKind, Proof, Puzzle

RIVALS = ("Cora", "Dan")
"""The players beside the solver."""

SOLVED = "✓ Solved."


@dataclass(frozen=True)
class GamePuzzle:
    """One game's puzzle.

    - `asked`: what a position asks for.
    - `came_of`: what came of an answer, without giving away more than the answer itself has.
    - `because`: what a solution's picture does not say by itself, from the public view after it; empty if nothing.
    """

    kind: AnyKind
    title: str
    asked: Callable[[Any], str]
    came_of: Callable[[Answer, Proof], str]
    because: Callable[[Puzzle, Any], str]


def nothing_more(puzzle: Puzzle, view: Any) -> str:
    """Return that the picture says it all."""
    return ""
