"""The clocks of tables: when a turn, a window, a lobby or a deserted table runs out, and when a table is unloaded."""

import logging
from collections.abc import Awaitable, Callable

from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.timers import Clock
from cogs.core.tables import absence, lobby, moves
from cogs.core.tables.component import TableComponent
from cogs.core.tables.table import Table
from cogs.core.tables.table_registry import TableRegistry
from engine.contract import Deadline, Moment, Refusal

log = logging.getLogger(__name__)

SubmitDrafts = Callable[[Table, Deadline, Moment], Awaitable[bool]]
"""Makes the moves that people have drafted whose turn's clock has run out; returns True if any was made."""


class Clocks(TableComponent):
    """Sets and serves the clocks of all loaded tables; they stay set after a table is unloaded."""

    def __init__(self, clock: Clock, registry: TableRegistry, submit_drafts: SubmitDrafts) -> None:
        self.deadline_timer = registry.timer("deadline", self._expire)
        self._clock = clock
        self._registry = registry
        self._submit_drafts = submit_drafts

    def changed(self, table: Table, visible: bool) -> None:
        """Set the clocks that run now, and when the table is unloaded if nobody uses it."""
        now = table.snapshot
        if table.elsewhere:
            return
        if now.paused:
            self._registry.clear_timers(table.id)
        elif now.in_lobby or now.asleep:
            self.deadline_timer.set(table.id, now.row.due)
        else:
            self.deadline_timer.set(table.id, now.earliest or (now.row.due if now.alone else None))
        self._registry.unload_timer.set_in(table.id, now.unloads_after_ms)

    async def _expire(self, table: Table) -> None:
        """Let what is due pass: the clocks of a game, the time of a lobby, or of a table that sleeps."""
        now, table_then = self._clock.now(), table.snapshot
        if table_then.in_lobby:
            if table_then.row.due is not None and table_then.row.due > now:
                self.deadline_timer.set(table.id, table_then.row.due)
            else:
                await table.act(lobby.expire, now)
            return
        if table_then.asleep or (table_then.alone and table_then.earliest is None):
            if not await table.act(absence.wind_up if table_then.asleep else absence.give_up, now):
                self.changed(table, False)
            return
        for deadline in table_then.deadlines:
            if deadline.due <= now and not await self._submit_drafts(table, deadline, now):
                try:
                    await table.act(moves.expire, deadline.id, now)
                except (Refusal, StaleControl, UserError) as error:
                    log.info("table %s: deadline %s had passed already: %r", table.id, deadline.id, error)
        self.changed(table, False)
