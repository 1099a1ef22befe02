"""Why a game of Prison Break ended as it did: who came to EXIT, in which order and by what, or who got furthest.

Whoever is on EXIT at the end came there in the last round, for the first round that ends with somebody there ends the
game. Public views of finished games in, words out.
"""

from collections.abc import Sequence
from itertools import groupby

from cogs.core.ops.text_format import listed
from cogs.prison_break.words import Who, at
from engine.contract import Seat
from engine.games.prison_break import Position, PrisonBreakView, order

PLACES = ("first", "second", "third", "fourth")


def arrived(view: PrisonBreakView) -> tuple[tuple[Seat, ...], ...]:
    """Return who is on EXIT at the end, the first to come there before the others; whom one effect brought stand
    together.
    """
    there = sorted(
        (_turn(view, seat), seat)
        for seat, position in enumerate(view.positions)
        if position is not None and position > view.spaces
    )
    return tuple(tuple(Seat(seat) for _, seat in group) for _, group in groupby(there, key=lambda one: one[0]))


def _turn(view: PrisonBreakView, seat: int) -> int:
    """Return at which point of the last round a seat came to EXIT: sneaks come from the Warden on, then the offer."""
    seats = len(view.prisoners)
    return seats if _offered(view, seat) else order(view.warden, seats).index(Seat(seat))


def _offered(view: PrisonBreakView, seat: int) -> bool:
    """Say whether a seat that is on EXIT was brought there by an offer, and did not sneak there."""
    path = view.paths[seat]
    before = next((n for n in range(len(path), 0, -1) if path[n - 1].position <= view.spaces), 0)
    return before < len(path) and path[before].cause == "offer"


def ranked(view: PrisonBreakView, places: Sequence[int]) -> list[Seat]:
    """Return the seats from the best place to the last; `places` are there where some had left the game."""
    turns = {seat: number for number, seats in enumerate(arrived(view)) for seat in seats}

    def key(seat: Seat) -> tuple[Position, int, Seat]:
        return (places[seat] if places else -(view.positions[seat] or 0)), turns.get(seat, 0), seat

    return sorted(map(Seat, range(len(view.prisoners))), key=key)


def why(view: PrisonBreakView, who: Who) -> str:
    """Return as a sentence why those won who did."""
    if view.reason is None:
        return "A player who was ahead or level had left the game."
    if view.reason == "rounds":
        far = at(view.positions[view.winners[0]] or 0, view.spaces)
        last = f"Nobody was on EXIT when round {view.round}, the last one, ended"
        if len(view.winners) == 1:
            return f"{last}. The furthest pawn was {far}."
        return f"{last}. The furthest pawns were {far}, so they share the win."
    first, *later = arrived(view)
    if len(first) > 1:
        return f"The same offer brought them to EXIT in round {view.round}, so they share the win."
    if not later:
        return f"Nobody else was on EXIT when round {view.round} ended."
    sneaked, offered = (
        listed([who(seat) for group in later for seat in group if _offered(view, seat) is by_offer])
        for by_offer in (False, True)
    )
    ways = [f"before {sneaked} did"] * bool(sneaked) + [f"before the offer brought {offered} there"] * bool(offered)
    return f"Of those on EXIT the first to come there wins: {who(first[0])} sneaked there {', and '.join(ways)}."


def why_in_short(view: PrisonBreakView) -> str:
    """Return for a picture why those won who did."""
    if view.reason is None:
        return f"in round {view.round} · a player ahead or level had left"
    if view.reason == "rounds":
        return f"{at(view.positions[view.winners[0]] or 0, view.spaces)} after round {view.round}, the last one"
    first, *later = arrived(view)
    if len(first) > 1:
        return f"brought to EXIT by the same offer in round {view.round}"
    there = len(first) + sum(map(len, later))
    return f"{f'first of {there}' if later else 'alone'} on EXIT in round {view.round}"


def stands(view: PrisonBreakView, seat: Seat) -> str:
    """Return where a seat is at the end; of several on EXIT also how it came there, and before or after whom."""
    where, groups = at(view.positions[seat] or 0, view.spaces), arrived(view)
    number = next((number for number, group in enumerate(groups) if seat in group), None)
    if number is None or sum(map(len, groups)) == 1:
        return where
    return f"{where}, {'brought there by the offer' if _offered(view, seat) else f'sneaked there {PLACES[number]}'}"
