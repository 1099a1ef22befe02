"""Sessions of single shards: opened and closed while the bot runs, over the library's own inside."""

import asyncio
import inspect

import discord
from discord.shard import AutoShardedClient
from discord.state import AutoShardedConnectionState

from cogs.core.shards.gateway import TRIED_WITH
from sandbox import PATIENCE_S
from tests.cogs.core.shards.fleet import Fleet


def test_this_is_the_version_of_the_library_whose_inside_was_looked_at():
    """With another one, read what `gateway.py` leans on again, let these tests run, and say so in `TRIED_WITH`."""
    assert discord.__version__.startswith(TRIED_WITH)
    connect = inspect.getsource(AutoShardedClient.connect)
    assert "await self.launch_shards()" in connect and "await item.shard.reidentify" in connect
    ready = inspect.getsource(AutoShardedConnectionState.parse_ready)
    assert "len(self._ready_tasks) == len(self.shard_ids)" in ready
    assert list(inspect.signature(AutoShardedClient.launch_shard).parameters) == [
        "self",
        "gateway",
        "shard_id",
        "initial",
    ]


async def test_a_session_that_was_closed_does_not_come_back(fleet: Fleet):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    (session,) = [session for session in fleet.sandbox.sessions if session.shard == (1, 2)]
    await one.client.close_shard(1)
    await fleet.sandbox.until(lambda: session.connection is None, timeout=PATIENCE_S)
    assert one.client.sessions == {0} and one.client.get_guild(int(fleet.guilds[1].id)) is None
    info = one.client.get_shard(1)
    assert info is not None and info.is_closed()
    # What the library may have had in its queue by then: it is to connect again, and comes as far as the identify.
    before = len(fleet.sandbox.sessions)
    await asyncio.create_task(info.reconnect(), context=one.context)
    assert len(fleet.sandbox.sessions) == before
    await asyncio.create_task(one.client.open_shard(1), context=one.context)
    await fleet.sandbox.until(lambda: one.client.get_guild(int(fleet.guilds[1].id)) is not None, timeout=PATIENCE_S)


async def test_a_session_that_is_lost_comes_back_and_its_tables_with_it(fleet: Fleet):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    (session,) = [session for session in fleet.sandbox.sessions if session.shard == (1, 2)]
    await fleet.sandbox.disconnect(session=session)
    await fleet.sandbox.until(lambda: session.connection is not None, timeout=PATIENCE_S)
    assert (await fleet.ann.command(fleet.yards[1], "rope-wall start")).by == "one"
    assert one.serves == {0, 1}
