"""The health check: is the gateway connected, does the database answer, is the heartbeat recent?"""

import asyncio
from typing import NamedTuple

from cogs.core.cluster.gateway import ShardedBot
from cogs.core.inbound.table_service import TableService
from cogs.core.tables.timer_jobs import ALIVE_WITHIN_MS
from data.store import StoreError
from engine.contract import Moment

ANSWER_WITHIN_S = 2.0
"""A database that takes longer does not answer."""

WELL = "ok"


class HealthReport(NamedTuple):
    """Of each part that it is well ("ok"), or in a few words what ails it."""

    gateway: str
    database: str
    beat: str

    @property
    def ok(self) -> bool:
        """Whether everything is well."""
        return all(words == WELL for words in self)


def beating(beaten: Moment | None, now: Moment) -> str:
    """Return in words whether the last note that the bot is alive is young enough."""
    if beaten is None:
        return "none was noted yet"
    return WELL if now - beaten <= ALIVE_WITHIN_MS else f"the last one was noted {(now - beaten) // 1_000} s ago"


def connected(client: ShardedBot, shared: bool) -> str:
    """Return in words whether all our shards are connected to Discord's gateway; beside other processes we may have
    none.
    """
    there = client.shards
    shut = [shard for shard in client.sessions if shard not in there or there[shard].is_closed()]
    if not client.is_ready() or shut or not (client.sessions or shared):
        return "not connected"
    return WELL


async def _answers(tables: TableService) -> str:
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            await tables.store.server_admin.last_backup()
    except (StoreError, TimeoutError):
        return "does not answer"
    return WELL


async def check(client: ShardedBot, tables: TableService) -> HealthReport:
    """Return how the bot is."""
    beat = beating(tables.jobs.last_beat, tables.clock.now())
    return HealthReport(connected(client, tables.ownership.shared), await _answers(tables), beat)
