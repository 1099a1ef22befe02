"""Texts of Prison Break's puzzles: what the log says of a rival, and what follows from it."""

from collections.abc import Sequence
from typing import Any

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.text_format import either, signed
from cogs.core.pages.game_ui import RIVALS, GamePuzzle
from engine.games.prison_break import JAIL, Declares, GuardsGo, LogEntry, VotesShown
from engine.puzzles import SOLVER, Answer, Proof, Puzzle
from engine.puzzles.prison_break import KIND, Clue, certain


def _question(position: Any) -> str:
    return _("Going by everything seen and heard, one of your rivals can only be on one space. Send your guards there.")


def _result(answer: Answer, proof: Proof) -> str:
    if answer.verdict == "wrong":
        return _("✗ No one has to be there.")
    rival = RIVALS[int(answer.facts["rival"]) - 1]
    return _("✓ Right: {name} had to be on space {space}.", name=rival, space=answer.facts["space"])


def _because(puzzle: Puzzle, view: Any) -> str:
    ((seat, found),) = certain(view.log[: _before(view.log)], view.spaces)
    name = RIVALS[seat - 1]
    return "\n".join(f"-# {_fact(clue, name)}" for clue in found)


def _before(log: Sequence[LogEntry]) -> int:
    """Return the length of the log before the solver's own check."""
    return max(place for place, entry in enumerate(log) if isinstance(entry, GuardsGo) and entry.seat == SOLVER)


def _fact(clue: Clue, name: str) -> str:
    spaces = either(_("JAIL") if space == JAIL else str(space) for space in clue.spaces)
    facts = {"round": clue.round, "name": name, "spaces": spaces}
    match clue.entry:
        case Declares():
            return _("Round {round}: {name} sneaks 0, 1 or 2 → on {spaces}", **facts)
        case VotesShown(effects=effects):
            steps = signed(effects.steps[RIVALS.index(name) + 1])
            return _("Round {round}: the offer moves {name} {steps} → on {spaces}", **facts, steps=steps)
        case GuardsGo(space=space):
            return _("Round {round}: guards don't find {name} on {space} → on {spaces}", **facts, space=space)
        case _:
            facts["round"] = clue.round - 1
            return _("Round {round} ended, and {name} had not escaped → on {spaces}", **facts)


PUZZLE = GamePuzzle(KIND, N_("Where must they be?"), _question, _result, _because, bare=True)
