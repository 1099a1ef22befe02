"""Texts of Prison Break's puzzles: what the log says of a rival, and what follows from it."""

from collections.abc import Sequence
from typing import Any

from cogs.core.ops.text_format import signed
from cogs.core.pages.game_ui import RIVALS, GamePuzzle
from engine.games.prison_break import JAIL, Declares, GuardsGo, LogEntry, VotesShown
from engine.puzzles import SOLVER, Answer, Proof, Puzzle
from engine.puzzles.prison_break import KIND, Clue, certain


def _question(position: Any) -> str:
    return (
        "One of your rivals can only stand on one space, by all that has been seen and heard since the start. "
        "Send your guards there."
    )


def _result(answer: Answer, proof: Proof) -> str:
    if answer.verdict == "wrong":
        return "✗ Nobody has to stand there."
    return f"✓ Right: {RIVALS[int(answer.facts['rival']) - 1]} had to stand on space {answer.facts['space']}."


def _because(puzzle: Puzzle, view: Any) -> str:
    ((seat, found),) = certain(view.log[: _before(view.log)], view.spaces)
    name = RIVALS[seat - 1]
    return "\n".join(f"-# {_fact(clue, name)}: on {_spaces(clue)}" for clue in found)


def _before(log: Sequence[LogEntry]) -> int:
    """Return the length of the log before the solver's own check."""
    return max(place for place, entry in enumerate(log) if isinstance(entry, GuardsGo) and entry.seat == SOLVER)


def _fact(clue: Clue, name: str) -> str:
    match clue.entry:
        case Declares():
            return f"Round {clue.round}: {name} sneaks, by 0, 1 or 2"
        case VotesShown(effects=effects):
            return f"Round {clue.round}: the offer moves {name} by {signed(effects.steps[RIVALS.index(name) + 1])}"
        case GuardsGo(space=space):
            return f"Round {clue.round}: guards do not find {name} on {space}"
        case _:
            return f"Round {clue.round - 1} ended, and {name} had not escaped"


def _spaces(clue: Clue) -> str:
    return " or ".join("JAIL" if space == JAIL else str(space) for space in clue.spaces)


PUZZLE = GamePuzzle(KIND, "Where must they stand?", _question, _result, _because)
