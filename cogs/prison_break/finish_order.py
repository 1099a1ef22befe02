"""The reasons for a final ranking: who came to EXIT, in which order and how, or who got furthest.

The first round that ends with somebody on EXIT ends the game, so everybody there came in the last round. The functions
take public views of finished games.
"""

from collections.abc import Sequence
from itertools import groupby

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import listed
from cogs.prison_break.words import Who, at
from engine.contract import Seat
from engine.games.prison_break import Position, PrisonBreakView, order

_SNEAKED = (
    N_("{where}, sneaked there first"),
    N_("{where}, sneaked there second"),
    N_("{where}, sneaked there third"),
    N_("{where}, sneaked there fourth"),
)
"""Where a player is who came to EXIT among others."""


def arrivals(view: PrisonBreakView) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats on EXIT at the end in order of arrival; those brought by one effect are grouped."""
    there = sorted(
        (_arrival_time(view, seat), seat)
        for seat, position in enumerate(view.positions)
        if position is not None and position > view.spaces
    )
    return tuple(tuple(Seat(seat) for _, seat in group) for _, group in groupby(there, key=lambda one: one[0]))


def _arrival_time(view: PrisonBreakView, seat: int) -> int:
    """Return the point of the last round at which a seat came to EXIT: sneaks start with the Warden, then comes
    the offer.
    """
    seats = len(view.prisoners)
    return seats if _came_by_offer(view, seat) else order(view.warden, seats).index(Seat(seat))


def _came_by_offer(view: PrisonBreakView, seat: int) -> bool:
    """Return whether a seat on EXIT was brought there by an offer."""
    path = view.paths[seat]
    before = next((n for n in range(len(path), 0, -1) if path[n - 1].position <= view.spaces), 0)
    return before < len(path) and path[before].cause == "offer"


def ranked(view: PrisonBreakView, places: Sequence[int]) -> list[Seat]:
    """Return the seats from the best place to the last, by `places` if some players had left the game."""
    turns = {seat: number for number, seats in enumerate(arrivals(view)) for seat in seats}

    def key(seat: Seat) -> tuple[Position, int, Seat]:
        return (places[seat] if places else -(view.positions[seat] or 0)), turns.get(seat, 0), seat

    return sorted(map(Seat, range(len(view.prisoners))), key=key)


def win_reason(view: PrisonBreakView, who: Who) -> str:
    """Return as a sentence why the winners won."""
    if view.reason is None:
        return _("A player who was ahead or level had left the game.")
    if view.reason == "rounds":
        return ngettext(
            "No one was on EXIT when round {round}, the last one, ended. The furthest pawn was {where}.",
            "No one was on EXIT when round {round}, the last one, ended. The furthest pawns were {where}, so they "
            "share the win.",
            len(view.winners),
            round=view.round,
            where=at(view.positions[view.winners[0]] or 0, view.spaces),
        )
    first, *later = arrivals(view)
    if len(first) > 1:
        return _("The same offer brought them to EXIT in round {round}, so they share the win.", round=view.round)
    if not later:
        return _("No one else was on EXIT when round {round} ended.", round=view.round)
    sneaked, offered = (
        listed([who(seat) for group in later for seat in group if _came_by_offer(view, seat) is by_offer])
        for by_offer in (False, True)
    )
    winner = who(first[0])
    if not offered:
        return _("The first on EXIT wins: {winner} sneaked there before {others} did.", winner=winner, others=sneaked)
    if not sneaked:
        return _(
            "The first on EXIT wins: {winner} sneaked there before the offer brought {others} there.",
            winner=winner,
            others=offered,
        )
    return _(
        "The first on EXIT wins: {winner} sneaked there before {sneaked} did, and before the offer brought {brought} "
        "there.",
        winner=winner,
        sneaked=sneaked,
        brought=offered,
    )


def short_win_reason(view: PrisonBreakView) -> str:
    """Return why the winners won, in short, for a picture."""
    if view.reason is None:
        return _("in round {round} · a player ahead or level had left", round=view.round)
    if view.reason == "rounds":
        where = at(view.positions[view.winners[0]] or 0, view.spaces)
        return _("{where} after round {round}, the last one", where=where, round=view.round)
    first, *later = arrivals(view)
    if len(first) > 1:
        return _("brought to EXIT by the same offer in round {round}", round=view.round)
    if not later:
        return _("alone on EXIT in round {round}", round=view.round)
    there = len(first) + sum(map(len, later))
    return ngettext(
        "first of {n} on EXIT in round {round}", "first of {n} on EXIT in round {round}", there, round=view.round
    )


def position_words(view: PrisonBreakView, seat: Seat) -> str:
    """Return where a seat is at the end; of several on EXIT also how it came there, and before or after whom."""
    where, groups = at(view.positions[seat] or 0, view.spaces), arrivals(view)
    number = next((number for number, group in enumerate(groups) if seat in group), None)
    if number is None or sum(map(len, groups)) == 1:
        return where
    if _came_by_offer(view, seat):
        return _("{where}, brought there by the offer", where=where)
    return _(_SNEAKED[number], where=where)
