"""Advice for a seat of Ausbrecher AG: its plays, best first, where advice is allowed; only the kinds of plays at a
rated table.

Plays are rated for the seat's forecast, from its own view.
"""

from collections.abc import Iterator, Sequence
from random import Random

from cogs.ausbrecher import dice_choice
from cogs.ausbrecher.words import capitalised, destination, prisoner_name, result_words
from cogs.core.i18n.translation import N_, _, ngettext, public_label
from cogs.core.ops.text_format import labelled, listed
from cogs.core.pages.game_ui import TableContext
from engine.contract import Action
from engine.games.ausbrecher import AusbrecherView, OpenResult, Prisoner, Replace, Resolve, Roll
from engine.players.ausbrecher.evaluation import ordered

MOST_PLAYS = 6
"""The most choices of dice listed."""
BEST_FIRST = N_("Best for your forecast first, as far as I can tell:")


def advice(view: AusbrecherView, info: TableContext, legal: Sequence[Action]) -> Iterator[str]:
    """Yield what the reader can do now, line by line, and why the rest is not possible."""
    if view.phase == "over":
        yield _("The game is over: *{rematch}* opens a new one.", rematch=public_label("Rematch"))
        return
    if view.phase == "forecast":
        yield from _forecast(view, info)
        return
    plays = legal if info.ranked else ordered(view, legal, Random(view.ui_version))
    if view.turn is not None and view.turn != view.seat:
        yield _("Wait: it's {name}'s turn.", name=info.name(view.turn))
    elif view.phase == "roll":
        yield from _roll(view, info, [play for play in plays if isinstance(play, Roll)])
    elif view.phase == "replace":
        yield from _replace(view, info, [play for play in plays if isinstance(play, Replace)])
    else:
        yield from _resolve(view, info, [play for play in plays if isinstance(play, Resolve)])
    if view.seat is not None and view.forecasts[view.seat] is not None:
        yield _("To see your forecast, press *{play}* or use `/ausbrecher forecast-show`.", play=public_label("Play"))


def _forecast(view: AusbrecherView, info: TableContext) -> Iterator[str]:
    if view.seat is not None and view.forecasts[view.seat] is None:
        yield _(
            "Forecast who escapes in which boat: press *{make}* or use `/ausbrecher forecast`.",
            make=public_label("Make my forecast"),
        )
        yield _(
            "At the start all prisoners are alike, so no forecast is better than another. A rare one is yours alone."
        )
        return
    yield _("Your forecast is in. You can change it until the last one is.")
    yield _("Waiting for {players}.", players=listed([info.name(seat) for seat in view.to_act]))


def _roll(view: AusbrecherView, info: TableContext, rolls: Sequence[Roll]) -> Iterator[str]:
    assert view.choice is not None
    yield dice_choice.prompt(view.choice, dice_choice.ChosenDice())
    yield _("You can also use `/ausbrecher roll`.")
    if info.ranked:
        yield from (f"- {labelled(capitalised(one.colour), _position(one, view))}" for one in _foremost(view))
    else:
        yield _(BEST_FIRST)
        yield from (f"- {rolled(roll)}" for roll in rolls[:MOST_PLAYS])
        if len(rolls) > MOST_PLAYS:
            yield ngettext("- and {n} more", "- and {n} more", len(rolls) - MOST_PLAYS)
    yield _("Covered prisoners can't move, so their die is lost. You may still choose it on purpose.")
    yield _("Prisoners aboard have no die any more.")
    if view.choice.with_white is None:
        yield _("The white die comes in on the game's second turn.")


def rolled(roll: Roll) -> str:
    """Return a choice of dice in words."""
    dice = listed(map(prisoner_name, roll.colours))
    if roll.second is not None:
        second = prisoner_name(roll.second)
        return _("**{dice}** and the white die, which sends {prisoner} back", dice=dice, prisoner=second)
    return _("**{dice}** and the white die", dice=dice) if roll.white else f"**{dice}**"


def _replace(view: AusbrecherView, info: TableContext, plays: Sequence[Replace]) -> Iterator[str]:
    yield _(
        "The white die shows {pips}. Choose which die it replaces: that prisoner goes back instead. Press the die, or "
        "use `/ausbrecher back`.",
        pips=view.white,
    )
    results: dict[str, OpenResult] = {one.colour: one for one in view.results}
    if not info.ranked and len(plays) > 1:
        yield _(BEST_FIRST)
    for play in plays:
        one = results[play.colour]
        yield _(
            "- {prisoner} {pips} back: {destination} (instead of {forward} forward)",
            prisoner=capitalised(one.colour),
            pips=view.white,
            destination=_("lost") if one.replaced is None else destination(one.replaced),
            forward=one.pips,
        )


def _resolve(view: AusbrecherView, info: TableContext, plays: Sequence[Resolve]) -> Iterator[str]:
    yield _("Use every die, in any order: press one, or use `/ausbrecher move`.")
    results: dict[str, OpenResult] = {one.colour: one for one in view.results}
    if not info.ranked and len(plays) > 1:
        yield _(BEST_FIRST)
    yield from (f"- {result_words(results[play.colour])}" for play in plays)


def _position(prisoner: Prisoner, view: AusbrecherView) -> str:
    if prisoner.space == 0:
        return _("in its cell")
    if prisoner.covered:
        return _("on space {space} of {length}, covered", space=prisoner.space, length=view.length)
    return _("on space {space} of {length}", space=prisoner.space, length=view.length)


def _foremost(view: AusbrecherView) -> list[Prisoner]:
    """Yield the prisoners on the way, the foremost first."""
    left = (prisoner for prisoner in view.prisoners if prisoner.boat is None)
    return sorted(left, key=lambda prisoner: -(prisoner.space or 0))
