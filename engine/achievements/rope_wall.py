"""What can be achieved on the Rope Wall."""

from collections.abc import Sequence

from engine.achievements import Earned
from engine.contract import Event, Outcome, Seat
from engine.games.rope_wall import Escaped, GameEnded, Pushed, RoundBegun, RoundWon

TWO_EXITS, FAST_CLIMB, CLEAN_BREAK, FROM_THE_HOLE = "two-exits", "fast-climb", "clean-break", "from-the-hole"
NAMES = (TWO_EXITS, FAST_CLIMB, CLEAN_BREAK, FROM_THE_HOLE)

FAST = 10
"""With how many pushes of their own a fast climber wins a round."""

DEEP = 2
"""How many prisoners behind a player must have been who wins after all."""


def earned(events: Sequence[Event], outcome: Outcome) -> Earned:
    """Return who freed two prisoners at once, who won a round with few pushes, who won before the rival freed anybody,
    and who won after being two prisoners behind.
    """
    found: dict[str, set[Seat]] = {name: set() for name in NAMES}
    freed, behind, pushes = [0, 0], [0, 0], [0, 0]
    for event in events:
        match event:
            case RoundBegun():
                pushes = [0, 0]
            case Pushed(seat=seat):
                pushes[seat] += 1
            case RoundWon(seat=seat) if pushes[seat] <= FAST:
                found[FAST_CLIMB].add(seat)
            case Escaped(seat=seat, columns=columns):
                rival = _rival(seat)
                freed[seat] += len(columns)
                behind[rival] = max(behind[rival], freed[seat] - freed[rival])
                if len(columns) > 1:
                    found[TWO_EXITS].add(seat)
            case GameEnded(reason="prisoners", winner=winner) if winner is not None:
                if not freed[_rival(winner)]:
                    found[CLEAN_BREAK].add(winner)
                if behind[winner] >= DEEP:
                    found[FROM_THE_HOLE].add(winner)
            case _:
                pass
    return {name: frozenset(seats) for name, seats in found.items()}


def _rival(seat: Seat) -> Seat:
    return Seat(1 - seat)
