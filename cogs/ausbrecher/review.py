"""Texts for reviews of Ausbrecher AG: steering the race, and the forecasts once everything is known."""

from typing import Any

from cogs.ausbrecher.advice import rolled
from cogs.ausbrecher.review_picture import drawn
from cogs.ausbrecher.words import capitalised, result_words
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import decimal, percent
from cogs.core.pages.game_ui import GameReview, TableContext
from engine.contract import Action, Fact, number
from engine.games.ausbrecher import COLOURS, Replace, Resolve, Roll
from engine.players.ausbrecher import BOTS
from engine.review import JudgedDecision, Note
from engine.review.ausbrecher import REVIEWER


def _action_text(view: Any, action: Action, info: TableContext) -> str:
    match action:
        case Roll():
            return _("roll {dice}", dice=rolled(action))
        case Replace(colour=colour):
            return _("replace **{prisoner}** with the white die", prisoner=_called(colour))
        case Resolve(colour=colour):
            result = next((one for one in view.results if one.colour == colour), None)
            return _("move **{result}**", result=_called(colour) if result is None else result_words(result))
        case _:
            return _("forecast")


def _called(colour: Fact) -> str:
    return capitalised(str(colour))


def _because(view: Any, judged: JudgedDecision, info: TableContext) -> str:
    if judged.why != "points":
        return ""
    return _(
        "Worth about {points} points more by this forecast.",
        points=decimal(number(judged.facts, "tenths") / 10, 1),
    )


def _note_text(note: Note, info: TableContext) -> str:
    facts = note.facts
    lines = [
        ngettext(
            "{player}: {right} of {total} forecasts right, {n} point",
            "{player}: {right} of {total} forecasts right, {n} points",
            number(facts, "points"),
            player=info.name(note.seat),
            right=facts["right"],
            total=len(COLOURS),
        )
    ]
    if "came" in facts:
        lines.append(
            _(
                "-# Against the odds: {prisoner} in boat {boat} ({odds} after turn {turn})",
                prisoner=_called(facts["came"]),
                boat=facts["came_boat"],
                odds=_odds(number(facts, "came_odds")),
                turn=facts["came_turn"],
            )
        )
    if "failed" in facts:
        lines.append(
            _(
                "-# Failed anyway: {prisoner} in boat {boat} ({odds} after turn {turn})",
                prisoner=_called(facts["failed"]),
                boat=facts["failed_boat"],
                odds=_odds(number(facts, "failed_odds")),
                turn=facts["failed_turn"],
            )
        )
    return "\n".join(lines)


def _odds(odds: int) -> str:
    """Return a rounded chance of what then came true or failed: it was neither impossible nor certain."""
    match odds:
        case 0:
            return _("less than 1%")
        case 100:
            return _("more than 99%")
        case _:
            return percent(odds)


REVIEW = GameReview(REVIEWER, _action_text, _because, _note_text, drawn, explain=BOTS.explain)
