"""When a connection counts as lost, and when as there again: the rules alone, with a client that says what it heard."""

import asyncio
from typing import Any

from cogs.core.app.shard_connections import FRESH_S, GRACE_MS, LOOK_MS, ShardConnections
from cogs.core.ops.timers import Scheduler
from cogs.core.tables.playable import Obstacle
from engine.contract import Moment
from tests.cogs.core.ops.test_api_status import NOON, Time


class Line:
    """A client with shard 0, which hears nothing since `ago_s`, and the bot's view of its connection."""

    def __init__(self) -> None:
        self.ago_s = 0.0
        self.time = Time()
        self.told: list[tuple[int, bool]] = []
        self._scheduler = Scheduler(self.time)
        client: Any = self
        changed = self.told.append
        self.status = ShardConnections(client, self.time, self._scheduler, lambda shard, on: changed((shard, on)))
        self.status.connected(0)
        self._scheduler.start()

    def heard_ago_s(self, shard: int) -> float:
        return self.ago_s

    async def ping(self, shard: int, within_s: float) -> bool:
        return False

    async def pass_time(self, ms: int) -> None:
        for _ in range(ms // LOOK_MS):
            self.time.at += LOOK_MS
            self.time.moved.set()
            self.time.moved = asyncio.Event()
            for _ in range(5):
                await asyncio.sleep(0)
                await self._scheduler.idle()

    async def fall_silent(self, ms: int) -> None:
        """Receive nothing for a while, and notice that."""
        self.ago_s = ms / 1_000
        self.time.at += ms
        await self.status.prove(0)

    async def close(self) -> None:
        await self._scheduler.close()


async def test_a_silent_connection_counts_as_lost_since_something_last_came_in():
    line = Line()
    await line.fall_silent(60_000)
    assert line.status.obstacle(0) == Obstacle("connection", Moment(NOON), False) and line.told == []
    await line.pass_time(GRACE_MS)
    assert line.status.obstacle(0) == Obstacle("connection", Moment(NOON)) and line.told == [(0, False)]
    await line.close()


async def test_nothing_is_asked_on_a_connection_on_which_something_came_in_lately():
    line = Line()
    await line.fall_silent(int(FRESH_S * 1_000))
    assert line.status.obstacle(0) is None
    await line.close()


async def test_a_silent_connection_that_was_only_late_goes_on():
    line = Line()
    await line.fall_silent(60_000)
    await line.pass_time(GRACE_MS)
    line.ago_s = 0.0
    await line.pass_time(LOOK_MS)
    assert line.status.obstacle(0) is None and line.told == [(0, False), (0, True)]
    await line.close()


async def test_a_silent_connection_that_was_closed_is_back_only_once_it_is_resumed():
    line = Line()
    await line.fall_silent(60_000)
    line.status.disconnected(0, by_discord=False)
    line.ago_s = 0.0  # on the next connection, on which no press arrives before the session is resumed
    await line.pass_time(2 * GRACE_MS)
    assert line.status.obstacle(0) is not None and line.told == [(0, False)]
    line.status.connected(0)
    assert line.status.obstacle(0) is None and line.told == [(0, False), (0, True)]
    await line.close()


async def test_a_connection_that_discord_closes_was_alive_until_then_and_any_other_until_something_last_came_in():
    for by_discord, since in ((True, NOON + 30_000), (False, NOON + 10_000)):
        line = Line()
        line.time.at = NOON + 10_000
        await line.status.note_all_heard()
        line.time.at = NOON + 30_000
        line.status.disconnected(0, by_discord=by_discord)
        assert line.status.lost == {0: since}
        await line.close()


async def test_a_connection_that_is_resumed_in_time_pauses_nothing():
    line = Line()
    line.status.disconnected(0, by_discord=True)
    await line.pass_time(GRACE_MS - LOOK_MS)
    line.status.connected(0)
    await line.pass_time(2 * GRACE_MS)
    assert line.told == [] and line.status.obstacle(0) is None
    await line.close()
