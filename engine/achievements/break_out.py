"""What can be achieved in Break-Out."""

from collections import Counter
from collections.abc import Sequence

from engine.achievements import Earned
from engine.contract import Event, Outcome, Seat
from engine.games.break_out import BreakOut, Caught, Played, RoundBegun, RoundEnded

SHARP_EYES, FORGED_PAPERS, FULL_CELL, LONE_ESCAPE = "sharp-eyes", "forged-papers", "full-cell", "lone-escape"
NAMES = (SHARP_EYES, FORGED_PAPERS, FULL_CELL, LONE_ESCAPE)

CATCHES = 3
"""How many bluffs a player has to catch in one round."""

WITH_FULL_CELL = 3
"""The route of a break-out with a full cell."""


def earned(events: Sequence[Event], outcome: Outcome) -> Earned:
    """Return who caught three bluffs in one round, who won a round in which they bluffed and were not caught, who broke
    out with a full cell, and who won a round before anybody else had broken out.
    """
    found: dict[str, set[Seat]] = {name: set() for name in NAMES}
    catches, bluffers, exposed, out = Counter[Seat](), set[Seat](), set[Seat](), set[Seat]()
    for event in events:
        match event:
            case RoundBegun():
                catches.clear()
                for seats in (bluffers, exposed, out):
                    seats.clear()
            case Played(seat=seat, play=play, fault=fault):
                if fault is not None:
                    bluffers.add(seat)
                if isinstance(play, BreakOut):
                    out.add(seat)
                    if play.route == WITH_FULL_CELL and fault is None:
                        found[FULL_CELL].add(seat)
            case Caught(kind="meld", catcher=catcher, caught=seat, undone=undone):
                exposed.add(seat)
                catches[catcher] += 1
                if catches[catcher] == CATCHES:
                    found[SHARP_EYES].add(catcher)
                if undone is not None:
                    out = {Seat(number) for number, is_out in enumerate(undone.out) if is_out}
            case RoundEnded(winner=winner) if winner is not None:
                if winner in bluffers - exposed:
                    found[FORGED_PAPERS].add(winner)
                if not out - {winner}:
                    found[LONE_ESCAPE].add(winner)
            case _:
                pass
    return {name: frozenset(seats) for name, seats in found.items()}
