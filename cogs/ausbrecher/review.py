"""Texts for reviews of Ausbrecher AG: steering the race, and the forecasts once everything is known."""

from typing import Any

from cogs.ausbrecher.advice import rolled
from cogs.ausbrecher.words import capitalised, result_words
from cogs.core.ops.text_format import count
from cogs.core.pages.game_ui import GameReview, TableContext
from engine.contract import Action, Fact, number
from engine.games.ausbrecher import COLOURS, Replace, Resolve, Roll
from engine.review import JudgedDecision, Note
from engine.review.ausbrecher import REVIEWER


def _action_text(view: Any, action: Action, info: TableContext) -> str:
    match action:
        case Roll():
            return f"roll {rolled(action)}"
        case Replace(colour=colour):
            return f"replace **{_called(colour)}** by the white die"
        case Resolve(colour=colour):
            result = next((one for one in view.results if one.colour == colour), None)
            return f"carry out **{_called(colour) if result is None else result_words(result)}**"
        case _:
            return "forecast"


def _called(colour: Fact) -> str:
    return capitalised(next(one for one in COLOURS if one == colour))


def _because(view: Any, judged: JudgedDecision, info: TableContext) -> str:
    if judged.why != "points":
        return ""
    tenths = number(judged.facts, "tenths")
    more = f"The better choice was worth about {tenths / 10:.1f} points more"
    return f"{more}, going by their own forecast and by the others' dice so far."


def _note_text(note: Note, info: TableContext) -> str:
    facts = note.facts
    points = count(number(facts, "points"), "point")
    lines = [f"{info.name(note.seat)}: {facts['right']} of {len(COLOURS)} forecasts right, {points}"]
    if "came" in facts:
        odds = _odds(number(facts, "came_odds"))
        bet = f"{_called(facts['came'])} in boat {facts['came_boat']}"
        lines.append(f"-# Against the odds: {bet}, which had {odds} after turn {facts['came_turn']}")
    if "failed" in facts:
        bet, odds = f"{_called(facts['failed'])} in boat {facts['failed_boat']}", _odds(number(facts, "failed_odds"))
        lines.append(f"-# Failed all the same: {bet}, which had {odds} after turn {facts['failed_turn']}")
    return "\n".join(lines)


def _odds(percent: int) -> str:
    """Return a rounded chance of what then came true or failed: it was neither impossible nor certain."""
    return {0: "less than 1%", 100: "more than 99%"}.get(percent, f"{percent}%")


REVIEW = GameReview(REVIEWER, _action_text, _because, _note_text)
