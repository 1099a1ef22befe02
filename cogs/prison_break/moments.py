"""The great moments of Prison Break, from the public log alone: a catch, a lie, a betrayal, Lock Down, an escape; and
that a round begins, if nothing greater has just been.
"""

from collections.abc import Sequence

from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import listed
from cogs.core.pages.game_ui import Highlight, TableContext
from cogs.core.pages.page import Picture
from cogs.prison_break import moment_picture
from cogs.prison_break.log_words import declared_positions
from cogs.prison_break.moment_picture import Scene
from engine.contract import Seat
from engine.games.prison_break import (
    GameOver,
    GuardsGo,
    LightsThrown,
    LogEntry,
    PrisonBreakView,
    RoundStarts,
    RowTurned,
    TimeRanOut,
    VotesShown,
)

_BY_ITSELF = (RoundStarts, RowTurned, TimeRanOut)
"""Entries that nobody made: what was before them is still the latest news."""


def highlight(view: PrisonBreakView, info: TableContext) -> Highlight | None:
    """Return the latest entry of the log as a headline for the reader of this view, if it is a great moment, or else
    that a round begins.
    """
    begins: Highlight | None = None
    for place in reversed(range(len(view.log))):
        entry = view.log[place]
        if isinstance(entry, RoundStarts):
            begins = begins or _round(view, entry)
        dark = isinstance(entry, LightsThrown) and entry.positions is None
        if not dark and not isinstance(entry, _BY_ITSELF):
            return _moment(view, info, entry, place) or begins
    return None


def _round(view: PrisonBreakView, entry: RoundStarts) -> Highlight:
    if entry.round == view.round_limit:
        words = _("The last round begins")
    else:
        words = _("Round {number} begins", number=entry.round)
    data = moment_picture.draw_round(entry.round)
    return Highlight(words, Picture(data, "moment-round.png", _("The prison by night.")))


def _moment(view: PrisonBreakView, info: TableContext, entry: LogEntry, place: int) -> Highlight | None:
    match entry:
        case GameOver():
            return _end(info, info.winners(entry.winners), view.seat, by_exit=entry.reason == "exit")
        case GuardsGo(caught=caught) if caught:
            return _shown(_caught(info, entry, view.seat), "caught", caught)
        case LightsThrown(positions=positions) if positions is not None:
            return _lights(view, info, positions, place)
        case VotesShown():
            return _votes(view, info, entry, place)
        case _:
            return None


def _caught(info: TableContext, entry: GuardsGo, reader: Seat | None) -> str:
    """Return in words whom the guards caught."""
    others = [seat for seat in entry.caught if seat != reader]
    names = _names(info, others)
    if len(others) == len(entry.caught):
        return ngettext(
            "The guards catch {names} on {space}!",
            "The guards catch {names} on {space}!",
            len(others),
            names=names,
            space=entry.space,
        )
    if others:
        return _("The guards catch you on {space}, with {names}!", names=names, space=entry.space)
    return _("The guards catch you on {space}!", space=entry.space)


def _end(info: TableContext, winners: Sequence[Seat], reader: Seat | None, *, by_exit: bool) -> Highlight:
    names = _names(info, winners)
    if winners == [reader]:
        words = _("You're over the wall!") if by_exit else _("You got furthest!")
    elif by_exit:
        words = ngettext("{names} is over the wall!", "{names} are over the wall!", len(winners), names=names)
    else:
        words = ngettext("{names} got furthest!", "{names} got furthest!", len(winners), names=names)
    return _shown(words, "free", winners)


def _lights(view: PrisonBreakView, info: TableContext, positions: Sequence[int | None], place: int) -> Highlight:
    """Return that the lights were on, and whom they caught lying: who is not where their words had led them."""
    said = declared_positions(view, place)
    liars = [
        Seat(seat)
        for seat, position in enumerate(positions)
        if position is not None and said[seat].said and position != said[seat].at
    ]
    if liars:
        # Translators: the reader, in a list of names: "last seen here: you and Ann".
        own = [_("you")] if view.seat in liars else []
        names = listed([*own, *(info.name(seat) for seat in liars if seat != view.seat)])
        return _shown(_("Caught lying: {names}!", names=names), "lights", liars)
    return _shown(_("Lights on: no one lied!"), "lights", ())


def _votes(view: PrisonBreakView, info: TableContext, entry: VotesShown, place: int) -> Highlight | None:
    if all(position is not None for position in entry.positions):
        return _lights(view, info, entry.positions, place)
    if entry.accepts[0] != entry.accepts[1]:
        pair = (entry.first, entry.second)
        true, false = pair if entry.accepts[0] else pair[::-1]
        if view.seat == false:
            words = _("You betray {name}!", name=info.name(true))
        elif view.seat == true:
            words = _("{name} betrays you!", name=info.name(false))
        else:
            words = _("{name} betrays {other}!", name=info.name(false), other=info.name(true))
        return _shown(words, "betrayal", (true, false))
    if entry.effects.no_sneak:
        return _shown(_("Lock Down: no one sneaks next round!"), "lockdown", ())
    if entry.effects.no_guards:
        return _shown(_("The guards are bribed: no checks!"), "bribe", (entry.first, entry.second))
    return None


def _names(info: TableContext, seats: Sequence[Seat]) -> str:
    return listed([info.name(seat) for seat in seats])


def _shown(words: str, scene: Scene, seats: Sequence[Seat]) -> Highlight:
    data = moment_picture.draw(scene, tuple(seats[: moment_picture.MOST]))
    return Highlight(words, Picture(data, f"moment-{scene}.png", moment_picture.alt(scene)))
