"""What the people at one table have begun to put together on their private pages, and not done yet.

There is one a person, wherever they began it: what was picked in the channel is there on the direct message, too. It is
kept with their seat, soon after it changes and not at every press, so that a restart takes nothing of it. Where several
processes play over one database, what was kept last counts: what one of them has not kept by then is past.
"""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.timers import Clock, Scheduler
from cogs.core.pages.custom_ids import ComponentPress, dump_press, load_press
from cogs.core.pages.game_ui import GameUI, is_draft
from cogs.core.tables import changes
from cogs.core.tables.component import PerTable, TableComponent
from cogs.core.tables.table import Table
from data.store import SeatChange, StoreError

KEPT_AFTER_MS = 1_000
"""So long after a change what was begun is kept: whoever picks one thing after the other writes once."""


@dataclass(frozen=True)
class _Unkept:
    """What somebody has begun that is not kept yet, and what was kept of them when they did."""

    look: ComponentPress | None
    before: str | None


class TableDrafts:
    """What the people at one table have begun: of each the control that led to the page on which it stands."""

    def __init__(
        self, table: Table, screen: GameUI, clock: Clock, scheduler: Scheduler, health: DatabaseStatus
    ) -> None:
        self._clock = clock
        self._scheduler = scheduler
        self._health = health
        self._screen = screen
        self._table = table
        self._unkept: dict[int, _Unkept] = {}  # by user: what the database does not know yet

    @property
    def busy(self) -> bool:
        """Whether anything is not kept yet."""
        return bool(self._unkept)

    def of(self, user: int) -> ComponentPress | None:
        """Return the control that led to what somebody has begun; None where that is nothing."""
        return self._known(user)[0]

    async def stands(self, user: int, look: ComponentPress | None) -> None:
        """Take note that a control led to the page that somebody sees now: to what they have put together there, or
        (None) to the game itself, where that is nothing. Any other page leaves it as it is.
        """
        if look is not None and not is_draft(self._screen, look):
            return
        present, text = self._known(user)
        if look == present:
            return
        self._unkept[user] = _Unkept(look, text)
        if not self._table.elsewhere:
            self._scheduler.set(self._table.id, "begun", self._clock.now() + KEPT_AFTER_MS)
            return
        try:
            await self.keep()  # whoever has the table must know
        except StoreError as error:
            self._health.failed(error)

    async def keep(self) -> None:
        """Write what is not kept yet. Raises `StoreError`; then it is known here all the same."""
        table = self._table
        if self._unkept and table.ownership.shared and await table.catch_up() and not table.elsewhere:
            self._scheduler.set(table.id, "news", self._clock.now())  # another process has acted here: it is to be seen
        for user, unkept in list(self._unkept.items()):
            text = dump_press(unkept.look)
            if unkept.before == self._known(user)[1] != text:
                await self._table.act(changes.change_seat_of, user, SeatChange(begun=text))
            later = self._unkept.pop(user, None)
            if later is not None and later is not unkept:  # they went on while it was written
                self._unkept[user] = replace(later, before=self._known(user)[1])

    def _known(self, user: int) -> tuple[ComponentPress | None, str | None]:
        """Return the control that led to what somebody has begun, and what is kept of that."""
        text, unkept = (
            next((row.begun for row in self._table.snapshot.seats if row.user == user), None),
            self._unkept.get(user),
        )
        if unkept is not None and unkept.before == text:
            return unkept.look, text
        if text is None:
            return None, None
        look = load_press(text)
        return (look if is_draft(self._screen, look) else None), text


class DraftStore(TableComponent):
    """The drafts at all loaded tables."""

    def __init__(
        self, screens: Mapping[str, GameUI], clock: Clock, scheduler: Scheduler, health: DatabaseStatus
    ) -> None:
        self._screens = screens
        self._clock = clock
        self._scheduler = scheduler
        self._health = health
        self._drafts = PerTable[TableDrafts]()

    async def store(self, table: Table) -> None:
        """Store what is not stored yet at a table. Raises `StoreError`."""
        await self._drafts[table].keep()

    def of(self, table: Table) -> TableDrafts:
        """Return the drafts at a loaded table."""
        return self._drafts[table]

    async def load(self, table: Table, *, new: bool) -> None:
        """Prepare for a table that is being loaded."""
        screen = self._screens[table.game.key]
        self._drafts[table] = TableDrafts(table, screen, self._clock, self._scheduler, self._health)

    def busy(self, table: Table) -> bool:
        """Return True while anything is not stored yet."""
        return self._drafts[table].busy

    def unload(self, table: Table) -> None:
        """Let go of a table."""
        self._drafts.remove(table)

    async def close(self, table: Table) -> None:
        """Store what is not stored yet, if the database takes it."""
        drafts = self._drafts.remove(table)
        if drafts is not None:
            with contextlib.suppress(StoreError):  # whoever stops the bot is told of it
                await drafts.keep()
