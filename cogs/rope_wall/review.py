"""What a review says about pushes at the Rope Wall. May import `cogs.core`, `engine` and its own package."""

from typing import Any

from cogs.core.games.reviews import GameReview
from cogs.core.screen import TableInfo
from cogs.rope_wall.words import code
from engine.contract import Action, Seat
from engine.games.rope_wall import Opening, Push
from engine.review import Judged
from engine.review.rope_wall import REVIEWER


def _deed(view: Any, action: Action, info: TableInfo) -> str:
    assert isinstance(action, Push)
    return f"push into **{code(Opening(action.floor, action.side))}**"


def _because(view: Any, judged: Judged, info: TableInfo) -> str:
    rival = info.name(Seat(1 - judged.seat))
    pushes = judged.facts.get("pushes")
    match judged.why, pushes:
        case "links", 1:
            return "It links at once."
        case "links", _:
            return f"It forces a link within {pushes} pushes, whatever {rival} answers."
        case "allows", 0:
            return f"The push that was made finished {rival}'s link."
        case "allows", 1:
            return f"After the push that was made, {rival} links with the next one."
        case "allows", _:
            return f"After the push that was made, {rival} forces a link within {pushes} pushes."
        case _:
            return ""


REVIEW = GameReview(REVIEWER, _deed, _because)
