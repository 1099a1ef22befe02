"""Hands the shards of a process that is about to stop over to the others, as far as they take them."""

import asyncio
import logging
from collections.abc import Callable

from cogs.core.cluster.shard_assignment import can_stop
from cogs.core.cluster.shard_sessions import ShardSessions
from data.store import StoreError
from data.store.postgres.shards import Shards

log = logging.getLogger(__name__)

STEP_S = 0.25
"""How long a step waits for the next during a handover, and before a failed renewal is tried again."""

STUCK_S = 20.0
"""A stopping process waits no longer if no other process has taken a shard of it for this long."""


async def drain(
    shards: Shards, sessions: ShardSessions, count: int, steady: Callable[[], float], stop: Callable[[], None]
) -> None:
    """Tell the others that we are about to stop, and wait until they have taken what they can of our `count` shards.
    `stop` is called when they know, and again and again meanwhile. `steady`: a clock in seconds.
    """

    def is_over() -> bool:
        return not sessions.serving or can_stop(shards.process, count, shards.leases, shards.processes)

    if await _announce_stop(shards, steady, stop, is_over):
        held, since = len(sessions.serving), steady()
        while not is_over() and steady() - since < STUCK_S:
            stop()
            await asyncio.sleep(STEP_S)
            if len(sessions.serving) != held:
                held, since = len(sessions.serving), steady()
    await sessions.wait_until_closed()


async def _announce_stop(
    shards: Shards, steady: Callable[[], float], stop: Callable[[], None], is_over: Callable[[], bool]
) -> bool:
    """Tell the others that we are about to stop; return whether they know. If the database is unreachable, try again as
    long as we serve anything that others could take.
    """
    since = steady()
    while True:
        try:
            await shards.stop()
            stop()
            await shards.refresh()
        except StoreError as error:
            log.warning("nobody can be told that this process is about to stop: %s", error)
            if is_over() or steady() - since >= STUCK_S:
                return False
        else:
            return True
        await asyncio.sleep(STEP_S)
