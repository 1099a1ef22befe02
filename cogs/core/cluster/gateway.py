"""Gateway sessions of single shards, opened and closed while the bot runs. discord.py launches a fixed set of shards:
all that depends on its internals is in this file, and `tests/cogs/core/cluster/test_gateway.py` checks them.
"""

import asyncio
import logging
import time
from abc import abstractmethod
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import aiohttp
import discord
import yarl
from discord.ext import commands
from discord.state import AutoShardedConnectionState

from data.store.shards import SLOT_MS, steady_s

log = logging.getLogger(__name__)

TESTED_WITH = "2.7"
"""The version of discord.py whose internals this file knows."""

STARTS_RESERVED = 5
"""Session starts of a day that are never used, besides those just in use: one too many costs the bot its token."""

LIMIT_VALID_S = 5.0
"""Discord's answer about the session starts that are left is used for this long: in this time each slot serves once."""

ASK_EVERY_S = 60.0
"""How often Discord is asked again while too few starts are left."""

ASK_AGAIN_S = 5.0
"""How soon Discord is asked again if it did not answer."""

QUEUE_POLL_S = 0.05
"""How often a shard looks whether it is the next to identify."""

PING_LOOK_S = 0.02
"""How often it is looked whether a heartbeat was acknowledged."""


class SessionStartLimit(NamedTuple):
    """What Discord says about sessions: how many shards it recommends, where they connect, how many starts are left
    until when (in milliseconds from now), and how many identifies may take place at once.
    """

    shards: int
    url: str
    left: int
    for_ms: int
    at_once: int


class ShardedBot(commands.AutoShardedBot):
    """A client that can open and close sessions of single shards."""

    def __init__(self, **options: Any) -> None:
        super().__init__(command_prefix=commands.when_mentioned, **options)
        self._wanted: set[int] = set()
        self._url = yarl.URL()
        self._at_once = 1
        self._left = 0  # starts of the day, as far as we know
        self._asked_at = float("-inf")
        self._asking = asyncio.Lock()
        self._slots: dict[int, float] = {}  # until when each is taken
        self._identifying: set[int] = set()  # the shards that wait for one
        self._opening: set[int] = set()
        self._postponed: dict[int, float] = {}  # of those: how long some have to wait that were about to identify
        self._reopening: dict[int, asyncio.Task[None]] = {}

    # For subclasses

    @abstractmethod
    async def choose_shards(self, limit: SessionStartLimit) -> tuple[int, Collection[int] | None]:
        """Return how many shards there are, and which of them to open at once; None if they are opened one by one."""

    @abstractmethod
    def note_start_limit(self, limit: SessionStartLimit, *, enough: bool) -> None:
        """Note how many starts are left, whenever Discord was asked, and whether they are enough for another."""

    async def identify_slot(self, number: int) -> int:
        """Take a slot for an identify; return 0, or how many milliseconds to wait before asking again."""
        now = steady_s()
        until = self._slots.get(number, now)
        if until > now:
            return max(1, round((until - now) * 1_000))
        self._slots[number] = now + SLOT_MS / 1_000
        return 0

    def urgency(self, shard: int) -> float:
        """Return a number that is smallest for the shard that identifies first, of those that share a slot."""
        return 0

    @abstractmethod
    def should_handle(self, data: Any) -> bool:
        """Return True if an interaction, as it came in, is ours to answer now."""

    def _get_state(self, **options: Any) -> "ShardedState":
        self._state = ShardedState(
            self.should_handle,
            dispatch=self.dispatch,
            handlers=self._handlers,
            hooks=self._hooks,
            http=self.http,
            **options,
        )
        return self._state

    def handle_queued(self, data: Any) -> None:
        """Handle an interaction that was queued until it was ours."""
        self._state.handle(data)

    def interaction_of(self, data: Any) -> discord.Interaction[Any]:
        """Return an interaction that came in, without handling it."""
        return discord.Interaction(data=_without_components(data), state=self._state)

    # Sessions

    @property
    def sessions(self) -> Collection[int]:
        """The shards of which we have, or are about to open, a session."""
        return frozenset(self._wanted)

    async def launch_shards(self) -> None:
        """Open the first sessions. discord.py calls this when it connects."""
        if self.is_closed():
            return
        limit = await self._start_limit()
        self._url, self._at_once = yarl.URL(limit.url), limit.at_once
        count, chosen = await self.choose_shards(limit)
        self.shard_count = self._connection.shard_count = count
        # discord.py is ready when all of these are.
        self._connection.shard_ids = [] if chosen is None else [*chosen]
        if chosen is None:
            self._connection.call_handlers("ready")
            self.dispatch("ready")
        await asyncio.gather(*map(self.open_shard, chosen or ()))

    async def open_shard(self, shard: int) -> None:
        """Open a session of a shard, once enough starts are left. discord.py retries it until this is cancelled."""
        first = not self._wanted
        self._wanted.add(shard)
        self._opening.add(shard)
        try:
            wait_s = await self._try_launch(shard, first)
            while wait_s:
                await asyncio.sleep(wait_s)
                wait_s = await self._try_launch(shard, first)
        finally:
            self._opening.discard(shard)
            self._postponed.pop(shard, None)
        if shard not in self._wanted:
            await self._disconnect(shard)

    async def _try_launch(self, shard: int, first: bool) -> float:
        """Open a session of a shard if it is still wanted; return 0, or how many seconds to wait for starts. Those that
        share a slot connect one after the other, since a connection without a session does not last.
        """
        self._identifying.add(shard)
        try:
            while shard not in self._wanted or not self._is_next(shard):
                if shard not in self._wanted:
                    return 0
                await asyncio.sleep(QUEUE_POLL_S)
            if wait_s := await self._starts_wait():
                return wait_s
            await self.launch_shard(self._url, shard, initial=first)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if shard not in self._postponed or (task is not None and task.cancelling()):
                raise
            return self._postponed.pop(shard)
        finally:
            self._identifying.discard(shard)
        return 0

    def _is_next(self, shard: int) -> bool:
        """Return True if a shard identifies before all others that share its slot."""
        rivals = [each for each in self._identifying if (each - shard) % self._at_once == 0]
        return shard == min(rivals, key=lambda each: (self.urgency(each), each))

    async def close_shard(self, shard: int) -> None:
        """Close the session of a shard for good, and forget its servers."""
        self._wanted.discard(shard)
        if reopening := self._reopening.pop(shard, None):
            reopening.cancel()
        await self._disconnect(shard)
        for guild in [guild for guild in self.guilds if guild.shard_id == shard]:
            self._connection._remove_guild(guild)

    async def _disconnect(self, shard: int) -> None:
        info = self.get_shard(shard)
        if info is not None:
            await info.disconnect()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until this shard may identify. Raises `asyncio.CancelledError` for one that is closed, or that is opened
        again when more starts are left.
        """
        shard = shard_id or 0
        self._identifying.add(shard)
        try:
            wait_s = await self._wait_for_slot(shard)
        finally:
            self._identifying.discard(shard)
        if not wait_s:
            self._left -= 1
            return
        # Do not wait here: discord.py handles one shard after the other, and others may only have to resume.
        if shard in self._opening:
            self._postponed[shard] = wait_s
        else:
            self._reopening[shard] = asyncio.create_task(self._reopen(shard, wait_s), name=f"open-shard-{shard}")
        raise asyncio.CancelledError

    async def _wait_for_slot(self, shard: int) -> float:
        """Return 0 when a shard may identify right now. If too few starts are left, or a lost session has to wait for
        its slot, return after how many seconds to try again. Discord is asked about the starts first: the slot is taken
        last, since the pause until the next identify begins then.
        """
        number = shard % self._at_once
        while shard in self._wanted:
            if wait_s := await self._starts_wait():
                return wait_s
            wait_ms = await self.identify_slot(number) if self._is_next(shard) else QUEUE_POLL_S * 1_000
            if not wait_ms or shard not in self._opening:
                return wait_ms / 1_000
            await asyncio.sleep(wait_ms / 1_000)
        # discord.py, which was about to reconnect a closed shard, gives it up.
        raise asyncio.CancelledError

    # Signs of life

    def heard_ago_s(self, shard: int) -> float | None:
        """Return how many seconds ago something last came in on the connection of a shard; None without one."""
        info = self.get_shard(shard)
        alive = None if info is None or info.is_closed() else info._parent.ws._keep_alive
        return None if alive is None else time.perf_counter() - alive._last_recv

    def closed_by_discord(self, shard: int) -> bool:
        """Return True if the last connection of a shard was closed with a code of Discord's."""
        info = self.get_shard(shard)
        socket = None if info is None else info._parent.ws
        return socket is not None and socket._close_code is None and socket.socket.close_code not in (None, 1006)

    async def ping(self, shard: int, within_s: float) -> bool:
        """Send a heartbeat on the connection of a shard; return whether anything comes in within this time."""
        info = self.get_shard(shard)
        socket = None if info is None else info._parent.ws
        alive = None if socket is None else socket._keep_alive
        if socket is None or alive is None:
            return False
        since = alive._last_recv
        try:
            async with asyncio.timeout(within_s):
                await socket.send_heartbeat(alive.beat())
                while alive._last_recv == since:  # noqa: ASYNC110 (the library tells nobody of it)
                    await asyncio.sleep(PING_LOOK_S)
        except (TimeoutError, ConnectionError, discord.ConnectionClosed):
            return False
        return True

    async def _reopen(self, shard: int, wait_s: float) -> None:
        await asyncio.sleep(wait_s)
        await self.open_shard(shard)

    async def _starts_wait(self) -> float:
        """Return 0 if enough starts are left today to begin a session, or after how many seconds to ask again."""
        async with self._asking:
            if asyncio.get_running_loop().time() - self._asked_at >= LIMIT_VALID_S:
                try:
                    limit = await self._start_limit()
                except (discord.GatewayNotFound, aiohttp.ClientError, OSError) as error:
                    log.warning("Discord does not say how many sessions may be begun: %s", error)
                    return ASK_AGAIN_S
                self.note_start_limit(limit, enough=self._enough)
            return 0 if self._enough else ASK_EVERY_S

    @property
    def _enough(self) -> bool:
        return self._left >= STARTS_RESERVED + 2 * self._at_once

    async def _start_limit(self) -> SessionStartLimit:
        """Ask Discord how many sessions may be begun. Raises what a failed call raises."""
        shards, url, limits = await self.http.get_bot_gateway()
        self._asked_at, self._left = asyncio.get_running_loop().time(), limits["remaining"]
        at_once = max(1, limits["max_concurrency"])
        return SessionStartLimit(shards, url, limits["remaining"], limits["reset_after"], at_once)

    async def close(self) -> None:
        """Close all sessions."""
        for reopening in self._reopening.values():
            reopening.cancel()
        await asyncio.gather(*self._reopening.values(), return_exceptions=True)
        await super().close()

    async def on_shard_resumed(self, shard: int) -> None:
        """Close a session that was resumed although it had been closed."""
        if shard not in self._wanted:
            await self._disconnect(shard)


ShouldHandle = Callable[[Any], bool]
"""Returns True for an interaction, as it came in, that is ours to answer now."""


PRESSED_MESSAGE_FIELDS = ("id", "type", "flags", "channel_id")
"""What is read of a message on which a control was pressed."""


class ShardedState(AutoShardedConnectionState[Any]):
    """The library's state, which lets in only interactions that are ours to answer.

    Of messages that were pressed or edited the library builds every component, which nothing here reads: at the Rope
    Wall that takes a sixth of the time of a move.
    """

    def __init__(self, should_handle: ShouldHandle, **options: Any) -> None:
        super().__init__(**options)
        self._should_handle = should_handle

    def parse_message_update(self, data: Any) -> None:
        """Ignore the edit of a message: mostly it is our own."""

    def parse_guild_role_delete(self, data: Any) -> None:
        """Take a deleted role from the bot as well: Discord does not tell of that, and the library would go on counting
        what channels allow or deny the role.
        """
        guild, role = self._get_guild(int(data["guild_id"])), int(data["role_id"])
        if guild is not None and guild.me is not None and guild.me._roles.has(role):
            guild.me._roles.remove(role)
        super().parse_guild_role_delete(data)

    def parse_interaction_create(self, data: Any) -> None:
        """Handle an interaction that is ours."""
        if self._should_handle(data):
            self.handle(data)

    def handle(self, data: Any) -> None:
        """Handle an interaction that was queued until it was ours."""
        super().parse_interaction_create(_without_components(data))


def _without_components(data: Any) -> Any:
    """Return an interaction with only those parts of the pressed message that are read."""
    if (pressed := data.get("message")) is not None:
        kept = {name: pressed[name] for name in PRESSED_MESSAGE_FIELDS if name in pressed}
        data["message"] = kept | {"content": "", "components": []}
    return data
