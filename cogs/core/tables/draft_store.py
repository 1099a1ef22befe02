"""The actions that players have begun to put together on their private pages: one draft for each player.

A draft is shared by the channel and direct messages. It is stored with the seat soon after it changes, so that it
survives a restart. If several processes serve a table, the draft that was stored last counts.
"""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.timers import Timer
from cogs.core.pages.custom_ids import ComponentPress, dump_press, load_press
from cogs.core.pages.game_ui import GameUI, is_draft
from cogs.core.tables import changes
from cogs.core.tables.component import PerTable, TableComponent
from cogs.core.tables.table import Table
from cogs.core.tables.table_registry import TableRegistry
from data.store import SeatChange, StoreError

SAVED_AFTER_MS = 1_000
"""A draft is stored this long after a change, so that several quick changes are written once."""


@dataclass(frozen=True)
class _Unsaved:
    """A draft that is not stored yet, and what was stored when it changed."""

    look: ComponentPress | None
    before: str | None


class TableDrafts:
    """The drafts at one table: for each player the control that opened the page of their draft."""

    def __init__(
        self, table: Table, ui: GameUI, save_timer: Timer, catch_up_timer: Timer, database_status: DatabaseStatus
    ) -> None:
        self._save_timer = save_timer
        self._catch_up_timer = catch_up_timer
        self._database_status = database_status
        self._ui = ui
        self._table = table
        self._unsaved: dict[int, _Unsaved] = {}  # by user: what the database does not know yet

    @property
    def busy(self) -> bool:
        """Whether anything is not stored yet."""
        return bool(self._unsaved)

    def of(self, user: int) -> ComponentPress | None:
        """Return the control that led to what somebody has begun; None where that is nothing."""
        return self._current(user)[0]

    async def note_page(self, user: int, look: ComponentPress | None) -> None:
        """Take note that a control led to the page that somebody sees now: to what they have put together there, or
        (None) to the game itself, where that is nothing. Any other page leaves it as it is.
        """
        if look is not None and not is_draft(self._ui, look):
            return
        present, text = self._current(user)
        if look == present:
            return
        self._unsaved[user] = _Unsaved(look, text)
        if not self._table.elsewhere:
            self._save_timer.set_in(self._table.id, SAVED_AFTER_MS)
            return
        try:
            await self.save()  # the owner of the table must know it
        except StoreError as error:
            self._database_status.failed(error)

    async def save(self) -> None:
        """Write what is not kept yet. Raises `StoreError`; then it is known here all the same."""
        table = self._table
        if self._unsaved and table.ownership.shared and await table.catch_up() and not table.elsewhere:
            self._catch_up_timer.set_in(table.id, 0)  # show what another process has done here
        for user, unkept in list(self._unsaved.items()):
            text = dump_press(unkept.look)
            if unkept.before == self._current(user)[1] != text:
                await self._table.act(changes.change_seat_of, user, SeatChange(begun=text))
            later = self._unsaved.pop(user, None)
            if later is not None and later is not unkept:  # they went on while it was written
                self._unsaved[user] = replace(later, before=self._current(user)[1])

    def _current(self, user: int) -> tuple[ComponentPress | None, str | None]:
        """Return the control that led to what somebody has begun, and what is kept of that."""
        text, unkept = (
            next((row.begun for row in self._table.snapshot.seats if row.user == user), None),
            self._unsaved.get(user),
        )
        if unkept is not None and unkept.before == text:
            return unkept.look, text
        if text is None:
            return None, None
        look = load_press(text)
        return (look if is_draft(self._ui, look) else None), text


class DraftStore(TableComponent):
    """The drafts at all loaded tables."""

    def __init__(
        self, game_uis: Mapping[str, GameUI], registry: TableRegistry, database_status: DatabaseStatus
    ) -> None:
        self._game_uis = game_uis
        self._save_timer = registry.timer("drafts", self.store)
        self._catch_up_timer = registry.catch_up_timer
        self._database_status = database_status
        self._drafts = PerTable[TableDrafts]()

    async def store(self, table: Table) -> None:
        """Store what is not stored yet at a table. Raises `StoreError`."""
        await self._drafts[table].save()

    def of(self, table: Table) -> TableDrafts:
        """Return the drafts at a loaded table."""
        return self._drafts[table]

    async def load(self, table: Table, *, new: bool) -> None:
        """Prepare for a table that is being loaded."""
        ui = self._game_uis[table.game.key]
        self._drafts[table] = TableDrafts(table, ui, self._save_timer, self._catch_up_timer, self._database_status)

    def busy(self, table: Table) -> bool:
        """Return True while anything is not stored yet."""
        return self._drafts[table].busy

    def unload(self, table: Table) -> None:
        """Forget a table."""
        self._drafts.remove(table)

    async def close(self, table: Table) -> None:
        """Store what is not stored yet, if the database takes it."""
        drafts = self._drafts.remove(table)
        if drafts is not None:
            with contextlib.suppress(StoreError):  # the caller who stops the bot logs it
                await drafts.save()
