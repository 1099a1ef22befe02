"""Sessions of single shards, opened and closed while the bot runs.

The library launches a fixed set of shards when it connects. Here it launches what it is told to, by its own
`launch_shard`, and is kept from coming back to what was closed. All that leans on its inside is in this file:
`tests/cogs/core/shards/test_gateway.py` says with which version that was tried. May import discord.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import yarl
from discord.ext import commands
from discord.state import AutoShardedConnectionState

TRIED_WITH = "2.7"
"""The version of the library whose inside this knows."""


class Starts(NamedTuple):
    """What Discord says of sessions: how many shards it thinks right, where they connect, how many identifies are left
    until when (in milliseconds from now), and how many may take place at once.
    """

    shards: int
    url: str
    left: int
    for_ms: int
    at_once: int


class ShardedBot(commands.AutoShardedBot):
    """A client whose shards come and go."""

    def __init__(self, **options: Any) -> None:
        super().__init__(command_prefix=commands.when_mentioned, **options)
        self._wanted: set[int] = set()
        self._address = yarl.URL()
        self._at_once = 1

    # What whoever uses it says

    @abstractmethod
    async def choose_shards(self, starts: Starts) -> tuple[int, Collection[int] | None]:
        """Return how many shards there are, and which of them to open at once; None if they come one by one, later."""

    @abstractmethod
    async def identify_slot(self, number: int) -> int:
        """Take a slot for an identify; return 0, or how many milliseconds to wait before asking again."""

    # Sessions

    def serves_shard(self, shard: int) -> bool:
        """Say whether we have, or are about to open, a session of a shard."""
        return shard in self._wanted

    @property
    def sessions(self) -> Collection[int]:
        """The shards of which we have, or are about to open, a session."""
        return frozenset(self._wanted)

    async def launch_shards(self) -> None:
        """Open the first sessions. The library calls this once it is to connect."""
        if self.is_closed():
            return
        shards, url, limits = await self.http.get_bot_gateway()
        self._address, self._at_once = yarl.URL(url), max(1, limits["max_concurrency"])
        starts = Starts(shards, url, limits["remaining"], limits["reset_after"], self._at_once)
        count, chosen = await self.choose_shards(starts)
        self.shard_count = self._connection.shard_count = count
        # The library says that it is ready when all of these have been heard of.
        self._connection.shard_ids = [] if chosen is None else [*chosen]
        if chosen is None:
            self._connection.call_handlers("ready")
            self.dispatch("ready")
        for shard in chosen or ():
            await self.open_shard(shard)

    async def open_shard(self, shard: int) -> None:
        """Open a session of a shard. What fails is tried again by the library, until it succeeds or is cancelled."""
        first = not self._wanted
        self._wanted.add(shard)
        await self.launch_shard(self._address, shard, initial=first)
        if shard not in self._wanted:
            await self._hang_up(shard)

    async def close_shard(self, shard: int) -> None:
        """Close the session of a shard for good, and forget its servers."""
        self._wanted.discard(shard)
        await self._hang_up(shard)
        for guild in [guild for guild in self.guilds if guild.shard_id == shard]:
            self._connection._remove_guild(guild)

    async def _hang_up(self, shard: int) -> None:
        info = self.get_shard(shard)
        if info is not None:
            await info.disconnect()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until this shard may identify. Raises `asyncio.CancelledError` for one that is closed."""
        shard = shard_id or 0
        while True:
            if shard not in self._wanted:
                # The library, which is about to come back to what was closed, takes this as its own end.
                raise asyncio.CancelledError
            wait_ms = await self.identify_slot(shard % self._at_once)
            if not wait_ms:
                return
            await asyncio.sleep(wait_ms / 1_000)

    async def on_shard_resumed(self, shard: int) -> None:
        """Close what came back although it was closed."""
        if shard not in self._wanted:
            await self._hang_up(shard)


Admits = Callable[[Any], bool]
"""Says of an interaction, as it came in, whether it is ours to serve now."""


class ShardedState(AutoShardedConnectionState[Any]):
    """The library's state, which lets in only what is ours to serve. `admits` is given to it by the client."""

    admits: Admits

    def parse_interaction_create(self, data: Any) -> None:
        """Serve an interaction that is ours."""
        if self.admits(data):
            super().parse_interaction_create(data)

    def serve(self, data: Any) -> None:
        """Serve an interaction that was kept until it was ours."""
        super().parse_interaction_create(data)
