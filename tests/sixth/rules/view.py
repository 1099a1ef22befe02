"""What is seen of Nim, and what may be done."""

from collections.abc import Iterator

from engine.contract import Outcome, Seat, View
from engine.turns import places
from tests.sixth.rules.judge import takes
from tests.sixth.rules.pieces import NimAction
from tests.sixth.rules.state import SEATS, State


class NimView(View, frozen=True):
    """The heaps, and whose turn it is. Nothing is hidden."""

    heaps: tuple[int, ...]
    most: int
    winner: Seat | None


def legal(state: State, seat: Seat) -> Iterator[NimAction]:
    """Yield what this seat may take."""
    if state.winner is None and state.turn == seat:
        yield from takes(state)


def view(state: State, seat: Seat | None) -> NimView:
    """Return what is on the table."""
    waiting = (state.turn,) if state.winner is None else ()
    return NimView(
        seat=seat, waiting=waiting, stamp=state.stamp, heaps=state.heaps, most=state.most, winner=state.winner
    )


def outcome(state: State) -> Outcome | None:
    """Return the places; a score is how many turns it took, and the fewest are the best."""
    if state.winner is None:
        return None
    return Outcome(places([int(seat != state.winner) for seat in SEATS]), state.turns, "last")
