"""Texts for reviews of Match Five's turns."""

from typing import Any

from cogs.core.ops.text_format import count
from cogs.core.pages.game_ui import GameReview, TableContext
from cogs.match_five.draft import stone_of
from cogs.match_five.words import pictured_play
from engine.contract import Action, number
from engine.games.match_five import Play, Swap
from engine.review import JudgedDecision
from engine.review.match_five import REVIEWER


def _action_text(view: Any, action: Action, info: TableContext) -> str:
    match action:
        case Play(layings=layings):
            return f"lay {pictured_play([stone_of(laying) for laying in layings])}"
        case Swap(tiles=tiles):
            return f"swap {count(len(tiles), 'tile')}"
        case _:
            return "pass"


def _because(view: Any, judged: JudgedDecision, info: TableContext) -> str:
    if judged.why not in ("points", "leaves"):
        return ""
    points, made, leaves, left = (number(judged.facts, name) for name in ("points", "made", "leaves", "left"))
    less = f"leaves the next player about {count(leaves, 'point')} instead of {left}"
    if judged.why == "leaves":
        return f"It scores {count(points, 'point')}, what was done {made}; but it {less}."
    return f"It scores {count(points, 'point')}, what was done {made}{f', and {less}' if leaves < left else ''}."


REVIEW = GameReview(REVIEWER, _action_text, _because)
