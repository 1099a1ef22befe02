"""How the master plays its turn: it looks for the plays after which its position is worth most (`worth`), and draws a
card first if they gain little.
"""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

import msgspec

from engine.contract import Action, Seat
from engine.games.break_out import DRAW, SUPER, WILD, BreakOutView, Draw, Give, Next
from engine.games.break_out.search import sound_plays
from engine.players import Budget
from engine.players.break_out.turns import after, position, way_out
from engine.players.break_out.worth import GONE, UNKNOWN, worth

POSITIONS = 30
"""In how many positions of a turn all plays are tried, the most promising positions first."""

GAIN = 4.0
"""What drawing a card first is worth; a turn that gains less is not begun before."""


class Turn(NamedTuple):
    """A whole turn: its plays, the view after them, and what that position is worth.

    `continued` is False if the search did not get to the plays that could follow the first.
    """

    worth: float
    end: BreakOutView
    plays: tuple[Action, ...] = ()
    continued: bool = True


def choose(view: BreakOutView, budget: Budget) -> Action:
    """Return the best action of the seat's own turn."""
    found = turns_of(view, budget)
    return max(found, key=lambda action: found[action].worth)


def turns_of(view: BreakOutView, budget: Budget) -> dict[Action, Turn]:
    """Return all sound actions of the seat's own turn, each with the best turn found that begins with it."""
    seat = view.seat
    assert seat is not None
    found: dict[Action, Turn] = {}
    if view.acted or view.drew or not view.place:
        found[Next()] = Turn(worth(view, seat), view)
    found.update(_plays(view, seat, budget))
    if way := way_out(view, budget):
        end = view
        for play in way:
            end = after(end, seat, play)
        found[way[0]] = Turn(GONE, end, way)
    if view.place and not view.acted and not view.drew:
        found[Draw()] = _drawing(view, seat, found.values())
    return found


def _drawing(view: BreakOutView, seat: Seat, others: Iterable[Turn]) -> Turn:
    """Return the turn that begins by drawing: nothing is played, or the same as without the card."""
    idle = Turn(worth(view, seat) + GAIN, _with_unknown(view))
    best = max(others, key=lambda turn: turn.worth, default=None)
    if best is None:
        return idle
    end = _with_unknown(best.end)
    return max(idle, Turn(worth(end, seat), end, best.plays), key=lambda turn: turn.worth)


def _with_unknown(view: BreakOutView) -> BreakOutView:
    return msgspec.structs.replace(view, hand=(*view.hand, UNKNOWN))


def gift(view: BreakOutView, legal: Sequence[Action]) -> Action:
    """Return the card for the caught player without which one's own hand is worth most; of equal ones the dearest."""
    special = dict(zip((WILD, DRAW, SUPER), view.values, strict=True))

    def left(action: Give) -> tuple[float, int]:
        assert view.seat is not None
        return worth(after(view, view.seat, action), view.seat), special.get(action.face) or int(action.face[-1])

    return max([action for action in legal if isinstance(action, Give)], key=left)


class _Position:
    """A position within a turn, with the positions that follow from it."""

    def __init__(self, view: BreakOutView, worth: float) -> None:
        self.view = view
        self.worth = worth
        self.tried = not view.hand
        self.next: dict[Action, _Position] = {}
        self._best: Turn | None = None

    def best(self) -> Turn:
        """Return the best way to end the turn from here."""
        if self._best is None:
            found = Turn(self.worth, self.view)
            for play, there in self.next.items():
                if (on := there.best()).worth > found.worth:
                    found = Turn(on.worth, on.end, (play, *on.plays))
            self._best = found
        return self._best


def _plays(view: BreakOutView, seat: Seat, budget: Budget) -> dict[Action, Turn]:
    """Return the sound plays, each with the best turn found that begins with it."""
    start = _Position(view, float("-inf"))
    known = {position(view, seat): start}
    waiting: list[tuple[float, int, _Position]] = [(0.0, 0, start)]
    for _ in range(POSITIONS):
        if not waiting:
            break
        here = heappop(waiting)[2]
        here.tried = True
        for play in sound_plays(here.view, seat):
            there = after(here.view, seat, play)
            key = position(there, seat)
            if key not in known:
                known[key] = _Position(there, worth(there, seat))
                if there.hand:
                    heappush(waiting, (-known[key].worth, len(known), known[key]))
            here.next[play] = known[key]
        if budget.spent():
            break
    found = {play: (there.best(), there.tried) for play, there in start.next.items()}
    return {play: Turn(on.worth, on.end, (play, *on.plays), tried) for play, (on, tried) in found.items()}
