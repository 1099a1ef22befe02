"""Which tables can be played now: presses arrive, and the bot can show what happens. While one cannot, its clocks are
stopped: those of turns, windows, lobbies and empty tables.
"""

from typing import NamedTuple, Protocol

from cogs.core.ops.timers import Clock
from cogs.core.tables import absence, moves
from cogs.core.tables.snapshot import BLOCKED_FOR_MS, CHANNEL_CAUSES, TableSnapshot
from cogs.core.tables.table import Table
from data.store import OpenTable, Store, TableRow
from data.store.rows import Cause
from engine.contract import Moment


class Obstacle(NamedTuple):
    """Why a table cannot be played, and the last moment at which it certainly could be. If it is not `sure`, the table
    may be playable again before anybody notices: its clocks only wait.
    """

    cause: Cause
    since: Moment
    sure: bool = True


class Conditions(Protocol):
    """What the outside knows: the connection to Discord, its API, and what the bot may do in a channel."""

    def obstacle(self, guild: int, channel: int) -> Obstacle | None:
        """Return what keeps people from playing in a channel now, if anything does."""

    async def prove(self, guild: int) -> None:
        """Find out whether presses on a server arrive, if there was no proof lately."""

    def served_from(self, guild: int) -> Moment | None:
        """Return from when on presses on a server arrived in this run; None if they do not yet."""


class Playable:
    """Pauses tables that cannot be played, and lets them go on when they can.

    A pause is stored at each table (`paused_at`), for the time in which the bot did not run as a gap between two runs.
    Lost time counts from the last proof that the table could be played.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self.conditions: Conditions | None = None  # of Discord, once there is a client
        self._store = store
        self._clock = clock

    def obstacle(self, row: TableRow | OpenTable) -> Obstacle | None:
        """Return what keeps people from playing at a table now, if anything does."""
        return None if self.conditions is None else self.conditions.obstacle(row.guild, row.channel)

    def lost_ms(self, row: TableRow | OpenTable, acted_at: Moment | None = None) -> int:
        """Return for how long a table could not be played that is not known to be paused, because the bot did not run,
        or had no connection yet. A table that was changed in the present run has lost nothing. `acted_at`: when the
        last action there was taken, if that is known.
        """
        runs, began = self._store.runs, self._store.runs.began(row.guild)
        if self.conditions is None or began is None or row.run == runs.present(row.guild):
            return 0
        served = self.conditions.served_from(row.guild) or self._clock.now()
        # It began by the machine's own clock, which may have been ahead: Discord has put it right since.
        return max(0, runs.downtime(row.run, row.guild, acted_at) + served - began)

    def can_go_on(self, table: TableSnapshot) -> bool:
        """Return True if clocks may run out and computers move at a table now."""
        if table.paused:
            return False
        obstacle = self.obstacle(table.row)
        return obstacle is None or _is_spent(table, obstacle, self._clock.now())

    async def prove(self, table: Table) -> bool:
        """Return True if a clock of a table may run out now: it can be played, which was proved lately. Raises
        `StoreError`.
        """
        if self.conditions is not None:
            await self.conditions.prove(table.snapshot.row.guild)
        await self.update(table)
        return self.can_go_on(table.snapshot)

    async def update(self, table: Table) -> None:
        """Pause a table or let it go on, as it can be played now or not; close it if its channel has been closed to the
        bot for too long. Raises `StoreError`.
        """
        row, now = table.snapshot.row, self._clock.now()
        obstacle = None if table.elsewhere else self.obstacle(row)
        if table.snapshot.ended or (obstacle is not None and not obstacle.sure):
            return
        away_ms = self.lost_ms(row, table.snapshot.position.at) if row.paused_at is None else now - row.paused_at
        if obstacle is not None:
            if obstacle.cause in CHANNEL_CAUSES and await table.act(absence.close_blocked, now):
                return
            if not _is_spent(table.snapshot, obstacle, now):
                since = min(obstacle.since, now - away_ms) if row.paused_at is None and away_ms else obstacle.since
                await table.act(moves.pause, Moment(since), obstacle.cause, now)
                return
        if table.elsewhere and row.paused_at is not None:
            return
        if not table.elsewhere:
            await table.act(moves.note_block, None if obstacle is None else obstacle.since, now)
        since_then = row.run, row.paused_at
        await table.act(moves.make_up_for, away_ms, since_then, now)
        if row.paused_at is None:
            await table.act(moves.postpone, away_ms, since_then)
        else:
            await table.act(moves.unpause, away_ms)


def _is_spent(table: TableSnapshot, obstacle: Obstacle, now: Moment) -> bool:
    """Return True if an obstacle no longer pauses a table: its channel has been closed to the bot for a day in all."""
    return obstacle.cause in CHANNEL_CAUSES and moves.blocked_ms(table, now) >= BLOCKED_FOR_MS
