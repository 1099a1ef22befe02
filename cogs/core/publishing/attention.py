"""Who is looking at a table, as far as their presses show."""

from cogs.core.ops.timers import Clock
from engine.contract import Moment

LIVELY_MS = 60_000
"""A person who has pressed something at the table within this time is looking."""

OPEN_MS = 180_000
"""A person who has a page open counts as looking for this long: it shows them that it is their move."""


class Attention:
    """Who has pressed something at one table, and who has their page open there."""

    def __init__(self, clock: Clock) -> None:
        self.has_page: set[int] = set()  # the users who have a page in the channel that can still be edited
        self.has_game_page: set[int] = set()  # those of them whose page changes with the game
        self._clock = clock
        self._pressed: dict[int, Moment] = {}

    def pressed(self, user: int) -> Moment:
        """Note that a person has just asked for something at the table, and return when."""
        now = self._pressed[user] = self._clock.now()
        return now

    def lively_until(self, user: int) -> Moment | None:
        """Return until when a person counts as looking who has pressed something lately; None if they do not."""
        return self._within(user, LIVELY_MS)

    def watching_until(self, user: int) -> Moment | None:
        """Return until when a person needs no mention, since they have pressed something lately, or a while ago but
        have the game open; None if they need one.
        """
        return self._within(user, OPEN_MS if user in self.has_game_page else LIVELY_MS)

    def _within(self, user: int, time_ms: int) -> Moment | None:
        pressed = self._pressed.get(user)
        if pressed is None or self._clock.now() - pressed >= time_ms:
            return None
        return Moment(pressed + time_ms)
