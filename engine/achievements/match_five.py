"""What can be achieved in Match Five."""

from collections.abc import Sequence

from engine.achievements import Earned, winners
from engine.contract import Event, Outcome, Seat
from engine.games.match_five import LastRoundBegun, Played

WILD_FIVE, TWO_FIVES, BIG_HAUL, LAST_TILE = "wild-five", "two-fives", "big-haul", "last-tile"
NAMES = (WILD_FIVE, TWO_FIVES, BIG_HAUL, LAST_TILE)

HAUL = 70
"""The points of a turn that is a big haul."""


def earned(events: Sequence[Event], outcome: Outcome) -> Earned:
    """Return who completed a five with a Wild, or two fives in one turn, who scored much in one turn, and who won after
    laying their last tile first.
    """
    found: dict[str, set[Seat]] = {name: set() for name in NAMES}
    for event in events:
        match event:
            case Played(seat=seat):
                fives = [line for line in event.lines if line.bonus]
                wilds = {stone.spot for stone in event.stones if stone.wild}
                if any(wilds.intersection(line.spots) for line in fives):
                    found[WILD_FIVE].add(seat)
                if len(fives) > 1:
                    found[TWO_FIVES].add(seat)
                if event.points >= HAUL:
                    found[BIG_HAUL].add(seat)
            case LastRoundBegun(seat=seat):
                if seat in winners(outcome):
                    found[LAST_TILE].add(seat)
            case _:
                pass
    return {name: frozenset(seats) for name, seats in found.items()}
