"""Private markers: where a player believes each of the others to be.

The markers for one opponent are written as text ("1:3 4 11": for seat 1 on 3, on 4 and on EXIT), so that they are kept
and blanked like a player's own words. R5 in docs/rules/prison_break.md.
"""

from collections.abc import Collection, Iterable, Sequence

from engine.contract import Seat
from engine.games.prison_break.types import JAIL, Position

Markers = tuple[tuple[Position, ...], ...]
"""One player's markers: the marked spaces of each seat, in order."""


def markers_text(player: Seat, spaces: Iterable[Position]) -> str:
    """Return the markers for one opponent as text."""
    return f"{player}:{' '.join(map(str, sorted(set(spaces))))}"


def read_markers(text: str) -> tuple[Seat, tuple[Position, ...]] | None:
    """Return whom such a text is about, and the marked spaces; None for anything else, as after a deletion."""
    player, colon, rest = text.partition(":")
    words = (player, *rest.split(" ")) if rest else (player,)
    if not colon or not all(word.isascii() and word.isdecimal() and len(word) <= 2 for word in words):
        return None
    return Seat(int(player)), tuple(sorted({int(word) for word in words[1:]}))


def marked(markers: Sequence[Markers], owner: Seat, text: str, seats: int, spaces: int) -> tuple[Markers, ...]:
    """Return the markers of all players after their owner has set those of this text; unchanged if it is none."""
    found = read_markers(text)
    if found is None or not is_valid(found[0], found[1], owner, seats, spaces):
        return tuple(markers)
    player, chosen = found
    own = tuple(chosen if seat == player else now for seat, now in enumerate(markers[owner]))
    return tuple(own if seat == owner else now for seat, now in enumerate(markers))


def is_valid(player: Seat, chosen: Collection[Position], owner: Seat, seats: int, spaces: int) -> bool:
    """Return whether a player may mark these spaces for another one: any from JAIL to EXIT."""
    return 0 <= player < seats and player != owner and all(JAIL <= space <= spaces + 1 for space in chosen)
