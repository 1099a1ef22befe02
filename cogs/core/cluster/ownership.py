"""Which servers this process serves, and the guard on its calls. A process may pause anywhere, and find that another
one serves its servers: the database refuses its late writes, and the guard stops its late calls to Discord.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from cachetools import LRUCache

from cogs.core.cluster.call_queue import CallQueue
from cogs.core.ops import discord_errors
from cogs.core.ops.api_status import ApiDown
from cogs.core.ops.rest_errors import RestErrors
from cogs.core.ops.timers import Clock
from data.store import NO_SERVER
from data.store.cluster_notices import Listener, Notice
from data.store.postgres.shards import Shards
from engine.contract import Moment

if TYPE_CHECKING:  # psycopg may be missing
    from data.store.postgres.cluster_notices import Notices

NOT_COUNTED = ("/webhooks/", "/interactions/")
"""In the paths of calls by an interaction's token, which Discord does not count."""

REMEMBERED = 10_000
"""Of how many channels it is remembered when a call last succeeded there."""

_owned: ContextVar[Callable[[], bool] | None] = ContextVar("owned", default=None)
"""Whether the server under guard is still ours; None if no call of this task is under guard."""

_turn_taken: ContextVar[bool] = ContextVar("turn_taken", default=False)
"""Whether the call of this task has had its turn."""


_before_call: ContextVar[dict[asyncio.Task[Any] | None, Callable[[], None]] | None] = ContextVar(
    "before_call", default=None
)
"""A task, and what is called right before each call that it makes. Emptied afterwards, since timers that were set
meanwhile keep their context.
"""


class NotOwner(aiohttp.ClientError):
    """A call did not go out, since another process may serve its server by now. The HTTP libraries do not retry it."""


class Superseded(aiohttp.ClientError):
    """A call did not go out, since a newer one about the same message has begun. The HTTP libraries do not retry it."""


@contextlib.contextmanager
def before_each_call(check: Callable[[], None]) -> Iterator[None]:
    """Call this when a call of this task is about to go out, and again when the library repeats it. It may raise
    `Superseded`, which stops the call. Calls of tasks that start meanwhile are not checked.
    """
    checks = {asyncio.current_task(): check}
    token = _before_call.set(checks)
    try:
        yield
    finally:
        _before_call.reset(token)
        checks.clear()


def check_before_call() -> None:
    """Check a call of this task that is about to go out: see `before_each_call`. Raises `Superseded`."""
    check = (_before_call.get() or {}).get(asyncio.current_task())
    if check is not None:
        check()


class ChannelProofs:
    """Notes how the bot's own calls in channels end. An answer to a press proves nothing about that.

    `refused`: the channels in which the last call was not allowed, with the moment of the last one that succeeded.
    `changed` is called with a channel that is refused, or open again.
    """

    def __init__(self, clock: Clock) -> None:
        self.refused: dict[int, Moment] = {}
        self.changed: Callable[[int], None] = lambda channel: None
        self._clock = clock
        self._proved = LRUCache[int, Moment](REMEMBERED)

    def note_success(self, channel: int) -> None:
        """Note a call that succeeded. Does not block."""
        self._proved[channel] = self._clock.now()
        if self.refused.pop(channel, None) is not None:
            self.changed(channel)

    def note_failure(self, channel: int, error: BaseException) -> None:
        """Note a call that failed. Does not block."""
        if discord_errors.code_of(error) in discord_errors.NOT_ALLOWED:
            self.shut(channel)

    def shut(self, channel: int) -> None:
        """Note that the bot may not write in a channel. Does not block."""
        if channel not in self.refused:
            self.refused[channel] = self._proved.get(channel) or self._clock.now()
            self.changed(channel)


class Ownership:
    """The servers that this process serves, and the way to the other processes, if several share the database: a server
    is ours while we hold the lease of its shard. A single process serves every server, and has nobody to tell. While
    `calls_wait`, no call goes out that nobody has just asked for; `calls` is their queue, and `channels` notes how they
    end.
    """

    def __init__(
        self,
        clock: Clock,
        shards: Shards | None = None,
        notices: "Notices | None" = None,
        calls_wait: Callable[[], bool] = lambda: False,
    ) -> None:
        self._shards = shards
        self._notices = notices
        self._calls_wait = calls_wait
        self.channels = ChannelProofs(clock)
        self.calls = CallQueue(clock, lambda: self.share)

    @property
    def shared(self) -> bool:
        """Whether there may be other processes."""
        return self._shards is not None

    @property
    def share(self) -> float:
        """Our part of all shards, and so of Discord's rate limits; at least that of one shard."""
        return 1.0 if self._shards is None else max(1, len(self._shards.held)) / max(1, self._shards.count)

    @property
    def leads(self) -> bool:
        """Whether we do what one process does for all: we hold the first shard, or nobody does."""
        return self._shards is None or self._shards.owner_of(NO_SERVER) in (None, self._shards.process)

    def holds(self, guild: int) -> bool:
        """Return True if this process serves a server (0: direct messages), as far as it knows and by its own clock."""
        return self._shards is None or self._shards.holds(guild)

    async def refresh(self) -> None:
        """Read again which process serves what. Raises `StoreError`."""
        if self._shards is not None:
            await self._shards.refresh()

    def tell(self, notice: Notice) -> None:
        """Tell all other processes what was committed. Does not block, and never fails."""
        if self._notices is not None:
            self._notices.tell(notice)

    def tell_owner(self, guild: int, notice: Notice) -> None:
        """Tell the process that serves a server; if it is this one, its listener is called at once. See `tell`."""
        if self._notices is not None:
            self._notices.tell_owner(guild, notice)

    def listen(self, listener: Listener) -> None:
        """Call this with every notice of the other processes from now on. Does not block."""
        if self._notices is not None:
            self._notices.listen(listener)

    @contextlib.contextmanager
    def guard(self, guild: int, wanted: Callable[[], bool] = lambda: True) -> Iterator[None]:
        """Guard calls that nobody has just asked for, in this task and those that it starts: each fails with `NotOwner`
        if the server is no longer ours when it is about to go out, or the call is not `wanted` any more; or with
        `ApiDown` while such calls wait.
        """
        token = _owned.set(lambda: self.holds(guild) and wanted())
        try:
            yield
        finally:
            _owned.reset(token)

    @contextlib.asynccontextmanager
    async def unasked_call(
        self,
        guild: int,
        channel: int,
        due: Moment | None = None,
        *,
        proves: bool = True,
        wanted: Callable[[], bool] = lambda: True,
    ) -> AsyncIterator[None]:
        """Wait for a turn to make one call in a channel that nobody has just asked for, and guard it: see `guard`.
        `due`: when people must have seen what it shows. `proves`: its success proves that the bot may write there.
        Raises `ApiDown` while such calls wait.
        """
        if self._calls_wait():
            raise ApiDown
        async with self.calls.turn(channel, due):
            token = _turn_taken.set(True)
            try:
                with self.guard(guild, wanted):
                    yield
            except discord.HTTPException as error:
                self.channels.note_failure(channel, error)
                raise
            else:
                if proves:
                    self.channels.note_success(channel)
            finally:
                _turn_taken.reset(token)

    async def check_call(
        self, session: aiohttp.ClientSession, context: object, call: aiohttp.TraceRequestHeadersSentParams
    ) -> None:
        """Raise `NotOwner` for a call under guard whose server is no longer ours, `ApiDown` for one that must wait, and
        `Superseded` for one that has waited for too long; count any other call in our rate.

        With `aiohttp.TraceConfig.on_request_headers_sent`, discord.py has waited for Discord's rate limits by then, and
        nothing was sent yet; aiohttp closes the connection if this raises.
        """
        owned = _owned.get()
        if owned is not None and not owned():
            raise NotOwner("Another process serves this server by now.")
        if owned is not None and self._calls_wait():
            raise ApiDown
        if _before_call.get():
            check_before_call()
        if not _turn_taken.get() and not any(part in call.url.path for part in NOT_COUNTED):
            self.calls.count()


def trace_calls(trace: aiohttp.TraceConfig, ownership: Ownership, rest_errors: RestErrors) -> None:
    """Check each call that `trace` traces right before it goes out, and count its answer."""

    async def failed(_: aiohttp.ClientSession, __: object, call: aiohttp.TraceRequestExceptionParams) -> None:
        if not isinstance(call.exception, NotOwner | Superseded | ApiDown):
            rest_errors.count_lost_call(call.method, call.url.path)

    trace.on_request_headers_sent.append(ownership.check_call)
    trace.on_request_end.append(rest_errors.count_answer)
    trace.on_request_exception.append(failed)
