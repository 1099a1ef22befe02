"""Texts for reviews of Match Five's turns."""

from typing import Any

from cogs.core.i18n.translation import _, ngettext
from cogs.core.pages.game_ui import GameReview, TableContext
from cogs.match_five.draft import stone_of
from cogs.match_five.review_picture import drawn
from cogs.match_five.words import pictured_play
from engine.contract import Action, number
from engine.games.match_five import Play, Swap
from engine.players.match_five import BOTS
from engine.review import JudgedDecision
from engine.review.match_five import REVIEWER


def _action_text(view: Any, action: Action, info: TableContext) -> str:
    match action:
        case Play(layings=layings):
            return _("lay {tiles}", tiles=pictured_play([stone_of(laying) for laying in layings]))
        case Swap(tiles=tiles):
            return ngettext("swap {n} tile", "swap {n} tiles", len(tiles))
        case _:
            return _("pass")


def _because(view: Any, judged: JudgedDecision, info: TableContext) -> str:
    if judged.why not in ("points", "leaves"):
        return ""
    points, made, leaves, left = (number(judged.facts, name) for name in ("points", "made", "leaves", "left"))
    if judged.why == "leaves":
        return ngettext(
            "It scores {n} point instead of {made}, but leaves the next player about {leaves} instead of {left}.",
            "It scores {n} points instead of {made}, but leaves the next player about {leaves} instead of {left}.",
            points,
            made=made,
            leaves=leaves,
            left=left,
        )
    if leaves < left:
        return ngettext(
            "It scores {n} point instead of {made}, and leaves the next player about {leaves} instead of {left}.",
            "It scores {n} points instead of {made}, and leaves the next player about {leaves} instead of {left}.",
            points,
            made=made,
            leaves=leaves,
            left=left,
        )
    return ngettext(
        "It scores {n} point instead of {made}.", "It scores {n} points instead of {made}.", points, made=made
    )


REVIEW = GameReview(REVIEWER, _action_text, _because, drawn=drawn, explain=BOTS.explain)
