"""What the message of each table is known to show: the one place that knows, also after a restart; and of one table
what is wanted, what is on its way, and what its message provably shows.

A revision counts every change of what a table shows. The revision that a message has provably shown is known here at
once and on disk with the next beat of the house: what is on disk may lag, which costs an edit after a crash, and never
leads, so whatever was committed is shown in the end.
"""

from collections.abc import Awaitable

from cogs.core.ops.timers import Clock
from cogs.core.pages.page import RenderedPage
from cogs.core.tables.table import Table
from data.store import Store, StoreError, TableRow
from engine.contract import Moment


class Shown:
    """Up to which revision each table is shown."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, int] = {}
        self._unwritten: set[int] = set()

    def of(self, row: TableRow) -> int:
        """Return the revision that the table's message is known to show; 0 if nothing is known of it."""
        return self._known.get(row.id, row.shown)

    def behind(self, row: TableRow) -> bool:
        """Say whether the table's message is not known to show how it stands."""
        return self.of(row) < row.revision

    def note(self, table: int, revision: int) -> None:
        """Take note of the revision that a message provably shows; 0 once it shows nothing any more."""
        self._known[table] = revision
        self._unwritten.add(table)

    async def write(self) -> None:
        """Keep what is known. Raises `StoreError`; then it is kept the next time."""
        writing, self._unwritten = {table: self._known[table] for table in self._unwritten}, set()
        if not writing:
            return
        try:
            await self._store.tables.set_shown(writing)
        except StoreError:
            self._unwritten |= writing.keys()
            self._known = writing | self._known  # some may have been forgotten meanwhile, others are known anew
            raise

    def forget(self, table: int) -> None:
        """Let go of a table that leaves the memory, once all about it is written."""
        if table not in self._unwritten:
            self._known.pop(table, None)


class Proof:
    """What one table's message is known to show. Every wish to show how the table stands has a number; `goal` is that
    of the newest, and whoever has one adds to it.

    `failures`: how many attempts to show it have failed in a row; `trouble`: why the last one did, in words.
    """

    def __init__(self, table: Table, shown: Shown, clock: Clock) -> None:
        self._table = table
        self._shown = shown
        self._clock = clock
        self.goal = 0
        self.failures = 0
        self.trouble: str | None = None
        self._done = 0
        self._at: Moment | None = None
        self._sight: tuple[int, int, str] | None = None  # the message, stamp and digest that are certainly in sight
        self._flying = 0
        self._crossed = False

    @property
    def wanting(self) -> bool:
        """Whether a wish is open."""
        return self._done < self.goal

    @property
    def behind(self) -> bool:
        """Whether the message is not known to show how the table stands."""
        return self._shown.behind(self._table.snapshot.row)

    def doubt(self) -> None:
        """Say that the message may show something else than it is known to."""
        self._sight = None

    def give_up(self) -> None:
        """Hear that there is nothing any more that could show how the table stands: no wish is open."""
        self._done, self.trouble = self.goal, None
        self._shown.note(self._table.id, self._table.snapshot.row.revision)

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
        """Take note that the message shows this page, which was made for that wish: all trouble is over."""
        self._done = max(self._done, goal)
        self.failures, self.trouble = 0, None
        self._shown.note(self._table.id, rendered.revision)

    async def by(self, call: Awaitable[int | None], goal: int, rendered: RenderedPage) -> bool:
        """Make a call that shows a page and returns the number of the message that certainly shows it, and take note of
        what that proves: nothing if another was under way at the same time, for nobody knows which of the two came
        last. Then the newest state is to be drawn once more. Return whether no wish is open then. Raises what the call
        raises.
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
        if message is not None and not crossed:
            self.reached(goal, rendered)
            self._at = self._clock.now()
            self._sight = message, rendered.stamp, rendered.page.digest()
        return self._done >= self.goal
