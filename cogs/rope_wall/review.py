"""Texts for reviews of pushes at the Rope Wall."""

from typing import Any

from cogs.core.i18n.translation import _, ngettext
from cogs.core.pages.game_ui import GameReview, TableContext
from cogs.rope_wall.review_picture import drawn
from cogs.rope_wall.words import code
from engine.contract import Action, Seat
from engine.games.rope_wall import GAME, Opening, Push
from engine.players.rope_wall import BOTS
from engine.review import JudgedDecision
from engine.review.rope_wall import REVIEWER


def _action_text(view: Any, action: Action, info: TableContext) -> str:
    # Translators: part of a list or of "Better: …".
    return _("push into {opening}", opening=_opening(action))


def _opening(action: Action) -> str:
    assert isinstance(action, Push)
    return f"**{code(Opening(action.floor, action.side))}**"


def _because(view: Any, judged: JudgedDecision, info: TableContext) -> str:
    rival, pushes = info.name(Seat(1 - judged.seat)), judged.facts.get("pushes")
    played, better = (_opening(GAME.read_action(one)) for one in (judged.action, judged.better or judged.action))
    match judged.why, pushes:
        case "links", 1:
            return _("{push} finishes a rope at once.", push=better)
        case "links", int():
            return ngettext(
                "{push} forces a rope within {n} push, no matter how {rival} replies.",
                "{push} forces a rope within {n} pushes, no matter how {rival} replies.",
                pushes,
                push=better,
                rival=rival,
            )
        case "allows", 0:
            return _("{push} finished {rival}'s rope.", push=played, rival=rival)
        case "allows", 1:
            return _("After {push}, {rival} finishes a rope with the next push.", push=played, rival=rival)
        case "allows", int():
            return ngettext(
                "After {push}, {rival} forces a rope within {n} push.",
                "After {push}, {rival} forces a rope within {n} pushes.",
                pushes,
                push=played,
                rival=rival,
            )
        case _:
            return ""


REVIEW = GameReview(REVIEWER, _action_text, _because, drawn=drawn, explain=BOTS.explain)
