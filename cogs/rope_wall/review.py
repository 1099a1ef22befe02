"""Texts for reviews of pushes at the Rope Wall."""

from typing import Any

from cogs.core.pages.game_ui import GameReview, TableContext
from cogs.rope_wall.words import code
from engine.contract import Action, Seat
from engine.games.rope_wall import GAME, Opening, Push
from engine.review import JudgedDecision
from engine.review.rope_wall import REVIEWER


def _action_text(view: Any, action: Action, info: TableContext) -> str:
    return f"push into {_opening(action)}"


def _opening(action: Action) -> str:
    assert isinstance(action, Push)
    return f"**{code(Opening(action.floor, action.side))}**"


def _because(view: Any, judged: JudgedDecision, info: TableContext) -> str:
    rival, pushes = info.name(Seat(1 - judged.seat)), judged.facts.get("pushes")
    played, better = (_opening(GAME.read_action(one)) for one in (judged.action, judged.better or judged.action))
    match judged.why, pushes:
        case "links", 1:
            return f"{better} finishes a rope at once."
        case "links", _:
            return f"{better} forces a rope within {pushes} pushes, whatever {rival} answers."
        case "allows", 0:
            return f"{played} finished {rival}'s rope."
        case "allows", 1:
            return f"After {played} {rival} finishes a rope with the next push."
        case "allows", _:
            return f"After {played} {rival} forces a rope within {pushes} pushes."
        case _:
            return ""


REVIEW = GameReview(REVIEWER, _action_text, _because)
