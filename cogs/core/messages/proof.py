"""How far a table is shown: what is wanted, what is on its way, and what the present message provably shows.

May import `data`, `engine.contract` and its neighbours.
"""

from collections.abc import Awaitable

from cogs.core.messages.page import RenderedPage
from cogs.core.messages.shown import Shown
from cogs.core.session.live import LiveTable
from cogs.core.session.timers import Clock
from engine.contract import Moment


class Proof:
    """What one table's message is known to show. Every wish to show how the table stands has a number, its goal."""

    def __init__(self, table: LiveTable, shown: Shown, clock: Clock) -> None:
        self._table = table
        self._shown = shown
        self._clock = clock
        self._wanted = 0
        self._done = 0
        self._at: Moment | None = None
        self._sight: tuple[int, int, str] | None = None  # the message, stamp and digest that are certainly in sight
        self._flying = 0
        self._crossed = False

    @property
    def goal(self) -> int:
        """The number of the newest wish."""
        return self._wanted

    @property
    def wanting(self) -> bool:
        """Whether a wish is open."""
        return self._done < self._wanted

    @property
    def behind(self) -> bool:
        """Whether the message is not known to show how the table stands."""
        return self._shown.behind(self._table.row)

    def want(self) -> None:
        """Wish that the message shows how the table stands."""
        self._wanted += 1

    def doubt(self) -> None:
        """Say that the message may show something else than it is known to."""
        self._sight = None

    def give_up(self) -> None:
        """Hear that there is nothing any more that could show how the table stands: no wish is open."""
        self._done = self._wanted
        self._shown.note(self._table.id, self._table.row.revision)

    def lost(self) -> None:
        """Hear that the message is gone."""
        self._shown.note(self._table.id, 0)

    def overtaken(self, goal: int) -> bool:
        """Say whether something newer has been shown than was wished for with that number."""
        return self._done > goal

    def within(self, time_ms: int) -> bool:
        """Say whether the message was proven to show the newest state so short a time ago."""
        return not self.behind and self._at is not None and self._clock.now() - self._at <= time_ms

    def stands(self, message: int | None, rendered: RenderedPage) -> bool:
        """Say whether a message certainly shows just this."""
        return message is not None and self._sight == (message, rendered.stamp, rendered.page.digest())

    def reached(self, goal: int, rendered: RenderedPage) -> None:
        """Take note that the message shows this page, which was made for that wish."""
        self._done = max(self._done, goal)
        self._shown.note(self._table.id, rendered.revision)

    async def by(self, call: Awaitable[int | None], goal: int, rendered: RenderedPage) -> bool:
        """Make a call that shows a page and returns the number of the message that certainly shows it, and say whether
        that proves anything: not if another was under way at the same time, for nobody knows which of the two came
        last. Then the newest state is to be drawn once more. Raises what the call raises.
        """
        self._flying += 1
        self._crossed |= self._flying > 1
        self._sight = None
        try:
            message = await call
        finally:
            self._flying -= 1
            crossed = self._crossed
            if self._flying == 0:
                self._crossed = False
        if message is None or crossed:
            return False
        self.reached(goal, rendered)
        self._at = self._clock.now()
        self._sight = message, rendered.stamp, rendered.page.digest()
        return True
