"""Texts of Ausbrecher AG's puzzles."""

from typing import Any

from cogs.ausbrecher.words import prisoner_name
from cogs.core.i18n.translation import N_, _
from cogs.core.ops.text_format import listed
from cogs.core.pages.game_ui import GamePuzzle
from engine.games.ausbrecher import Roll
from engine.puzzles import Answer, Proof, Puzzle
from engine.puzzles.ausbrecher import KIND, BestDice


def _question(position: BestDice) -> str:
    return _(
        "Which dice give **{prisoner}** the best chance of reaching boat {boat} this turn? You may use them in any "
        "order.",
        prisoner=prisoner_name(position.colour),
        boat=position.boat,
    )


def _result(answer: Answer, proof: Proof) -> str:
    chance = _percent(int(answer.facts["chance"]))
    if answer.verdict == "right":
        return _(
            "✓ Right: it works in {chance} of 100 rolls. The next best dice do it in {second}.",
            chance=chance,
            second=_percent(proof.second),
        )
    return _(
        "✗ Those do it in {chance} of 100 rolls, the best dice in {best}.", chance=chance, best=_percent(proof.best)
    )


def _percent(thousandths: int) -> int:
    return round(thousandths / 10)


def _because(puzzle: Puzzle, view: Any) -> str:
    (roll,) = puzzle.proof.line
    assert isinstance(roll, Roll)
    dice = listed(map(prisoner_name, roll.colours))
    return _("Roll {dice} with the white die.", dice=dice) if roll.white else _("Roll {dice}.", dice=dice)


PUZZLE = GamePuzzle(KIND, N_("The best dice"), _question, _result, _because, bare=True)
