"""The drafts of players: actions that they have begun to put together on their private pages, in the channel or in
direct messages. A draft is stored with the seat, so it survives a restart; of several processes, the last one counts.
"""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.timers import Timer
from cogs.core.pages.custom_ids import ComponentPress, dump_press, load_press
from cogs.core.pages.game_ui import GameUI, is_draft
from cogs.core.tables import changes, moves, seat_rules
from cogs.core.tables.component import PerTable, TableComponent
from cogs.core.tables.table import Table
from cogs.core.tables.table_registry import TableRegistry
from data.store import SeatChange, StoreError
from engine.contract import Action, Deadline, Moment, Refusal, Seat, View

log = logging.getLogger(__name__)

SAVED_AFTER_MS = 1_000
"""A draft is stored this long after a change, so that several quick changes are written once."""


@dataclass(frozen=True)
class _Unsaved:
    """A draft that is not stored yet, and what was stored when it changed."""

    look: ComponentPress | None
    before: str | None


@dataclass(eq=False)
class TableDrafts:
    """The drafts at one table: for each player the control that opened the page of their draft."""

    table: Table
    ui: GameUI
    save_timer: Timer
    catch_up_timer: Timer
    database_status: DatabaseStatus
    _unsaved: dict[int, _Unsaved] = field(default_factory=dict, init=False)  # by user

    @property
    def busy(self) -> bool:
        """Whether a draft is not stored yet."""
        return bool(self._unsaved)

    def of(self, user: int) -> ComponentPress | None:
        """Return the control that opened the page of a user's draft; None if they have none."""
        return self._current(user)[0]

    async def note_page(self, user: int, look: ComponentPress | None) -> None:
        """Note which control opened the page that a user sees now. The page of a draft is their draft from now on; the
        game's own page (None) drops it; other pages do not affect it.
        """
        if look is not None and not is_draft(self.ui, look):
            return
        present, stored = self._current(user)
        if look == present:
            return
        self._unsaved[user] = _Unsaved(look, stored)
        if not self.table.elsewhere:
            self.save_timer.set_in(self.table.id, SAVED_AFTER_MS)
            return
        try:
            await self.save()  # the owner of the table must know it
        except StoreError as error:
            self.database_status.failed(error)

    async def save(self) -> None:
        """Store all drafts. Raises `StoreError`; then they are still known here."""
        table = self.table
        if self._unsaved and table.ownership.shared and await table.catch_up() and not table.elsewhere:
            self.catch_up_timer.set_in(table.id, 0)  # show what another process has done here
        for user, unsaved in list(self._unsaved.items()):
            text = dump_press(unsaved.look)
            if unsaved.before == self._current(user)[1] != text:
                await table.act(changes.change_seat_of, user, SeatChange(begun=text))
            later = self._unsaved.pop(user, None)
            if later is not None and later is not unsaved:  # it has changed while it was stored
                self._unsaved[user] = replace(later, before=self._current(user)[1])

    def _current(self, user: int) -> tuple[ComponentPress | None, str | None]:
        """Return the control that opened the page of a user's draft, and what is stored."""
        stored = next((row.begun for row in self.table.snapshot.seats if row.user == user), None)
        unsaved = self._unsaved.get(user)
        if unsaved is not None and unsaved.before == stored:
            return unsaved.look, stored
        look = load_press(stored)
        return (look if is_draft(self.ui, look) else None), stored

    async def submit(self, deadline: Deadline, at: Moment) -> bool:
        """Submit the drafts of the players whose turn's clock has run out, and return True if any was submitted.

        It counts as their own move, not as a missed turn, since they pressed in this very turn; it makes no difference
        which page they see. Raises `StoreError`.
        """
        if deadline.kind != "turn" or not self.ui.draft_actions:
            return False
        if self.table.ownership.shared:
            await self.table.catch_up()  # include what another process has answered, and may not have announced yet
        return any([await self._submit(seat, at) for seat in deadline.seats])

    async def _submit(self, seat: Seat, at: Moment) -> bool:
        table, ui, row = self.table, self.ui, self.table.snapshot.seats[seat]
        draft = self.of(row.user) if row.user is not None and seat_rules.is_present(row) else None
        if draft is None:
            return False
        action = await asyncio.to_thread(_drafted_action, ui, table.snapshot.view(seat), draft)
        if action is None:
            return False
        try:
            return await table.act(moves.move, seat, action, at, lambda view: ui.fresh(view, draft))
        except (Refusal, StaleControl, UserError) as error:
            log.info("table %s: the draft of seat %s was not submitted: %r", table.id, seat, error)
            return False


def _drafted_action(ui: GameUI, view: View, draft: ComponentPress) -> Action | None:
    """Return the action of a draft; None if it cannot be read, since no clock waits for it."""
    try:
        return ui.draft(view, draft) if ui.fresh(view, draft) else None
    except Exception:
        log.exception("a draft could not be read")
        return None


@dataclass(eq=False)
class DraftStore(TableComponent):
    """The drafts at all loaded tables."""

    game_uis: Mapping[str, GameUI]
    registry: TableRegistry
    database_status: DatabaseStatus
    _drafts: PerTable[TableDrafts] = field(default_factory=PerTable, init=False)

    def __post_init__(self) -> None:
        self._save_timer = self.registry.timer("drafts", self.store)

    async def store(self, table: Table) -> None:
        """Store the drafts at a table, unless it was unloaded. Raises `StoreError`."""
        if (drafts := self._drafts.get(table)) is not None:
            await drafts.save()

    def of(self, table: Table) -> TableDrafts:
        """Return the drafts at a loaded table."""
        return self._drafts[table]

    async def load(self, table: Table, *, new: bool) -> None:
        """Prepare for a table that is being loaded."""
        ui, catch_up_timer = self.game_uis[table.game.key], self.registry.catch_up_timer
        self._drafts[table] = TableDrafts(table, ui, self._save_timer, catch_up_timer, self.database_status)

    def busy(self, table: Table) -> bool:
        """Return True while a draft is not stored yet."""
        return self._drafts[table].busy

    def unload(self, table: Table) -> None:
        """Forget a table."""
        self._drafts.remove(table)

    async def close(self, table: Table) -> None:
        """Store the drafts, if the database accepts them."""
        drafts = self._drafts.remove(table)
        if drafts is not None:
            with contextlib.suppress(StoreError):  # the caller who stops the bot logs it
                await drafts.save()
