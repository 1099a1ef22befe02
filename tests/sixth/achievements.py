"""Nim's achievements: both the rules, which the bot's own games have in `engine`, and the texts, which they have in
`cogs`.
"""

from collections import Counter
from collections.abc import Sequence

from cogs.core.drawing.badges import Disc
from cogs.core.pages.achievements import Achievement, Achievements
from engine.achievements import Earned, winners
from engine.contract import Event, Outcome, Seat
from tests.sixth.game import Taken


def earned(events: Sequence[Event], outcome: Outcome) -> Earned:
    """Return who took the last object, and who never took more than one."""
    most = Counter[Seat]()
    for event in events:
        if isinstance(event, Taken):
            most[event.seat] = max(most[event.seat], event.count)
    return {
        "last-straw": winners(outcome),
        "modest": frozenset(seat for seat, count in most.items() if count == 1),
    }


ACHIEVEMENTS = Achievements(
    earned,
    (
        Achievement("last-straw", "Last Straw", "Take the last one.", (Disc(0, 0, 5),)),
        Achievement("modest", "Modest", "Never take more than one.", (Disc(0, 0, 2),)),
    ),
)
