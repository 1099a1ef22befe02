"""The clocks of tables: when a turn, a window, a lobby or a deserted table runs out, and when a table is unloaded."""

import logging
from collections.abc import Callable

from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.timers import Clock
from cogs.core.tables import absence, endings, lobby, moves
from cogs.core.tables.component import TableComponent
from cogs.core.tables.draft_store import DraftStore
from cogs.core.tables.snapshot import BLOCKED_CLOSES_MS, TableSnapshot
from cogs.core.tables.table import Table
from cogs.core.tables.table_registry import TableRegistry
from engine.contract import Moment, Refusal

log = logging.getLogger(__name__)


LOOK_AGAIN_MS = 1_000
"""A clock that runs out while it is not certain whether people can play runs out this much later."""


def next_due(table: TableSnapshot) -> Moment | None:
    """Return when a clock of a table runs out: of its game or lobby, while nobody plays, or while its channel is closed
    to the bot.
    """
    row = table.row
    moments: list[Moment | None] = []
    if table.paused:
        moments.append(table.pause_ends)
    elif table.in_lobby:
        moments += row.due, row.heir_due
    else:
        moments.append(table.earliest or (row.due if table.alone or table.asleep else None))
    moments.append(None if row.blocked_at is None else Moment(row.blocked_at + BLOCKED_CLOSES_MS))
    return None if table.ended else min((at for at in moments if at is not None), default=None)


class Clocks(TableComponent):
    """Sets and serves the clocks of all loaded tables; they stay set after a table is unloaded.

    `lobby_closed` is called with a table whose lobby the clock has closed.
    """

    def __init__(self, clock: Clock, registry: TableRegistry, drafts: DraftStore) -> None:
        self.deadline_timer = registry.timer("deadline", self._expire)
        self.lobby_closed: Callable[[Table], None] = lambda table: None
        self._clock = clock
        self._registry = registry
        self._drafts = drafts
        self._expiring = set[Table]()

    def changed(self, table: Table, visible: bool) -> None:
        """Set the clocks that run now, and when the table is unloaded if nobody uses it."""
        now = table.snapshot
        if table.elsewhere:
            return
        if now.out_of_reach:
            self._registry.clear_timers(table.id)
        else:
            self.deadline_timer.set(table.id, next_due(now))
        self._registry.unload_timer.set(table.id, self._clock.now() + now.unloads_after_ms)

    def busy(self, table: Table) -> bool:
        """Return True while a clock of the table runs out."""
        return table in self._expiring

    async def _expire(self, table: Table) -> None:
        """Do what follows as the clock of a game, a lobby or an empty table runs out, if people can play."""
        self._expiring.add(table)
        try:
            await self._expire_if_playable(table)
        finally:
            self._expiring.discard(table)

    async def _expire_if_playable(self, table: Table) -> None:
        due = next_due(table.snapshot)
        if due is None or due > self._clock.now():
            self.changed(table, False)
            return
        if not await self._registry.playable.prove(table):
            if table.snapshot.paused:
                self.changed(table, False)
            else:
                self.deadline_timer.set_in(table.id, LOOK_AGAIN_MS)
            return
        now, before = self._clock.now(), table.snapshot
        if before.in_lobby:
            if not await table.act(lobby.expire, now):
                self.changed(table, False)
            elif table.snapshot.ended:
                self.lobby_closed(table)
            return
        if before.asleep or (before.alone and before.earliest is None):
            if not await table.act(absence.give_up, now):
                self.changed(table, False)
            return
        for deadline in before.deadlines:
            if deadline.due <= now and not await self._drafts.of(table).submit(deadline, now):
                try:
                    await table.act(moves.expire, deadline.id, now)
                except (Refusal, StaleControl, UserError) as error:
                    log.info("table %s: deadline %s had passed already: %r", table.id, deadline.id, error)
        if table.snapshot.row.agreements is not None:
            await table.act(endings.settle, now)  # who has to agree may be away by now
        self.changed(table, False)
