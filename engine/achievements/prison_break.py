"""What can be achieved in Prison Break."""

from collections import Counter
from collections.abc import Sequence

from engine.achievements import Earned
from engine.contract import Event, Outcome, Seat
from engine.games.prison_break import GameEnded, GuardsSent, Offered, OfferSettled, Sneaked

HONEST, SILVER_TONGUE, DOUBLE_CATCH, TURNCOAT = "honest", "silver-tongue", "double-catch", "turncoat"
NAMES = (HONEST, SILVER_TONGUE, DOUBLE_CATCH, TURNCOAT)

SNEAKS = 3
"""How often an honest prisoner must have declared something."""

LIES = 4
"""How often a silver tongue must have lied."""

BETRAYALS = 2
"""How often a turncoat must have rejected what the other one accepted."""


def earned(events: Sequence[Event], outcome: Outcome) -> Earned:
    """Return who escaped without a lie, who escaped after four lies and was never caught by the guards, whose guards
    caught two others at once, and who escaped after rejecting twice what the other one accepted.
    """
    found: dict[str, set[Seat]] = {name: set() for name in NAMES}
    sneaks, lies, betrayals = Counter[Seat](), Counter[Seat](), Counter[Seat]()
    caught: set[Seat] = set()
    offered: Offered | None = None
    for event in events:
        match event:
            case Sneaked(seat=seat, declared=declared, moved=moved):
                sneaks[seat] += 1
                lies[seat] += declared != moved
            case GuardsSent(seat=seat):
                caught.update(event.caught)
                if len({*event.caught} - {seat}) > 1:
                    found[DOUBLE_CATCH].add(seat)
            case Offered():
                offered = event
            case OfferSettled(accepts=accepts) if offered is not None and accepts[0] != accepts[1]:
                betrayals[offered.second if accepts[0] else offered.first] += 1
            case GameEnded(reason="exit", winners=escaped):
                for seat in escaped:
                    if sneaks[seat] >= SNEAKS and not lies[seat]:
                        found[HONEST].add(seat)
                    if lies[seat] >= LIES and seat not in caught:
                        found[SILVER_TONGUE].add(seat)
                    if betrayals[seat] >= BETRAYALS:
                        found[TURNCOAT].add(seat)
            case _:
                pass
    return {name: frozenset(seats) for name, seats in found.items()}
