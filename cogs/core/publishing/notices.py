"""Sentences that people at one table were told alone, each as a message of its own: why nothing was done.

Such a message goes as soon as its reader has a page or another sentence in its place, and when the game goes on, but
stays long enough to be read.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cogs.core.publishing.interaction_message import Landed
from engine.contract import Moment

READ_MS = 4_000
"""So long a sentence stays at least, however fast the game goes on."""

AT_MOST_MS = 13 * 60_000
"""So long it stays at most: then its token can still take it away."""


@dataclass
class Aside:
    """One sentence. `over`: the game has gone on since."""

    landed: Landed
    told_at: Moment
    over: bool = False

    @property
    def goes_at(self) -> Moment:
        """When it is to be taken away, as far as that is known."""
        return Moment(self.told_at + READ_MS if self.over else self.landed.at + AT_MOST_MS)


class Asides:
    """The sentences that are in sight, one a person: `told`, by user. What is returned is to be taken away."""

    def __init__(self) -> None:
        self.told: dict[int, Aside] = {}

    def stands(self, user: int, landed: Landed, now: Moment) -> Landed | None:
        """Take over a sentence that somebody has just been told. Return the one whose place it takes."""
        before = self.told.pop(user, None)
        self.told[user] = Aside(landed, now)
        return None if before is None else before.landed

    def gives_way(self, user: int, message: int) -> Landed | None:
        """Hear that somebody has a page in this message now, which may have been the sentence's."""
        before = self.told.pop(user, None)
        return None if before is None or before.landed.message == message else before.landed

    def gone_on(self) -> None:
        """Hear that the game has gone on."""
        for aside in self.told.values():
            aside.over = True

    def due(self, now: Moment) -> list[Landed]:
        """Return those whose time is over, once."""
        over = [user for user, aside in self.told.items() if aside.goes_at <= now]
        return [self.told.pop(user).landed for user in over]

    def all(self) -> list[Landed]:
        """Return all of them, once."""
        gone = [aside.landed for aside in self.told.values()]
        self.told.clear()
        return gone

    def moments(self) -> Iterator[Moment]:
        """When there is something to take away."""
        return (aside.goes_at for aside in self.told.values())
