"""Advice for a seat of Ausbrecher AG: its plays, best first, where advice is allowed; only the kinds of plays at a
ranked table.

Plays are rated for the seat's forecast, from its own view.
"""

from collections.abc import Iterator, Sequence
from random import Random

from cogs.ausbrecher import dice_choice
from cogs.ausbrecher.words import capitalised, destination, result_words
from cogs.core.ops.text_format import listed
from cogs.core.pages.game_ui import TableContext
from engine.contract import Action
from engine.games.ausbrecher import AusbrecherView, OpenResult, Prisoner, Replace, Resolve, Roll
from engine.players.ausbrecher.evaluation import ordered

MOST_PLAYS = 6
"""The most choices of dice listed."""
BEST_FIRST = "The best for your forecast first, as far as I can tell:"


def advice(view: AusbrecherView, info: TableContext, legal: Sequence[Action]) -> Iterator[str]:
    """Yield what the reader can do now, line by line, and why the rest is not possible."""
    if view.phase == "over":
        yield "The game is over: *Rematch* opens a new one."
        return
    if view.phase == "forecast":
        yield from _forecast(view, info)
        return
    plays = legal if info.ranked else ordered(view, legal, Random(view.ui_version))
    if view.turn is not None and view.turn != view.seat:
        yield f"Wait: it is {info.name(view.turn)}'s turn."
    elif view.phase == "roll":
        yield from _roll(view, info, [play for play in plays if isinstance(play, Roll)])
    elif view.phase == "replace":
        yield from _replace(view, info, [play for play in plays if isinstance(play, Replace)])
    else:
        yield from _resolve(view, info, [play for play in plays if isinstance(play, Resolve)])
    if view.seat is not None and view.forecasts[view.seat] is not None:
        yield "Your forecast: *Play*, or `/ausbrecher forecast-show`."


def _forecast(view: AusbrecherView, info: TableContext) -> Iterator[str]:
    if view.seat is not None and view.forecasts[view.seat] is None:
        yield "Forecast in which boat each prisoner flees: *Make my forecast*, or `/ausbrecher forecast`."
        yield "At the start all prisoners are alike, so no forecast is better than another; a rare one is yours alone."
        return
    yield "Your forecast is in; you may change it until the last one is."
    yield f"Waiting for {listed([info.name(seat) for seat in view.to_act])}."


def _roll(view: AusbrecherView, info: TableContext, rolls: Sequence[Roll]) -> Iterator[str]:
    assert view.choice is not None
    yield f"{dice_choice.prompt(view.choice, dice_choice.ChosenDice())} Or `/ausbrecher roll`."
    if info.ranked:
        yield from (f"- {capitalised(one.colour)}: {_position(one, view)}" for one in _foremost(view))
    else:
        yield BEST_FIRST
        yield from (f"- {rolled(roll)}" for roll in rolls[:MOST_PLAYS])
        if len(rolls) > MOST_PLAYS:
            yield f"- and {len(rolls) - MOST_PLAYS} more"
    yield (
        "Whoever is covered cannot move: their result is lost, but their die may be chosen on purpose. Those aboard "
        "have no die any more."
    )
    if view.choice.with_white is None:
        yield "The white die comes into play with the game's second turn."


def rolled(roll: Roll) -> str:
    """Return a choice of dice in words."""
    if roll.second is not None:
        return f"**{listed(roll.colours)}** and the white die, by which {roll.second} goes back"
    return f"**{listed(roll.colours)}**" + (" and the white die" if roll.white else "")


def _replace(view: AusbrecherView, info: TableContext, plays: Sequence[Replace]) -> Iterator[str]:
    yield (
        f"The white die shows {view.white}. Say which result it replaces: that prisoner goes back by it instead. Press "
        "it, or `/ausbrecher back`."
    )
    results: dict[str, OpenResult] = {one.colour: one for one in view.results}
    if not info.ranked and len(plays) > 1:
        yield BEST_FIRST
    for play in plays:
        one = results[play.colour]
        gone = "lost" if one.replaced is None else destination(one.replaced)
        yield f"- {capitalised(one.colour)} {view.white} back: {gone} (instead of {one.pips} forward)"


def _resolve(view: AusbrecherView, info: TableContext, plays: Sequence[Resolve]) -> Iterator[str]:
    yield "Each result must be carried out, in any order: press one, or `/ausbrecher move`."
    results: dict[str, OpenResult] = {one.colour: one for one in view.results}
    if not info.ranked and len(plays) > 1:
        yield BEST_FIRST
    yield from (f"- {result_words(results[play.colour])}" for play in plays)


def _position(prisoner: Prisoner, view: AusbrecherView) -> str:
    where = "in its cell" if prisoner.space == 0 else f"on space {prisoner.space} of {view.length}"
    return f"{where}, covered" if prisoner.covered else where


def _foremost(view: AusbrecherView) -> list[Prisoner]:
    """Yield the prisoners on the way, the foremost first."""
    left = (prisoner for prisoner in view.prisoners if prisoner.boat is None)
    return sorted(left, key=lambda prisoner: -(prisoner.space or 0))
