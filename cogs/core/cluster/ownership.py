"""Which servers this process serves, and how it tells the processes that serve the others what has changed.

A process can pause anywhere: its machine is suspended, or a call waits for Discord's rate limits. Another process may
serve its servers by the time it goes on. The database refuses what it writes late. Calls to Discord that nobody has
just asked for are made under `Ownership.guard`: `check_call` stops them right before they go out, by our own clock.
Those that Discord counts are made under `Ownership.unasked_call`, which waits for a turn first.
"""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextvars import ContextVar

import aiohttp

from cogs.core.cluster.call_queue import CallQueue
from cogs.core.ops.rest_errors import RestErrors
from cogs.core.ops.timers import Clock
from data.store import NO_SERVER, Store
from data.store.cluster_notices import Hear, Notice, Notices
from data.store.shards import Shards
from engine.contract import Moment

_owned: ContextVar[Callable[[], bool] | None] = ContextVar("owned", default=None)
"""Whether the server under guard is still ours; None if no call of this task is under guard."""

_turn_taken: ContextVar[bool] = ContextVar("turn_taken", default=False)
"""Whether the call of this task has had its turn."""

NOT_COUNTED = ("/webhooks/", "/interactions/")
"""In the paths of calls by an interaction's token, which Discord does not count."""


class NotOwner(aiohttp.ClientError):
    """A call did not go out, since another process may serve its server by now. The HTTP libraries do not retry it."""


class Ownership:
    """The servers that this process serves, and the way to the other processes.

    This is the form of a single process, which serves every server and has nobody to tell; `SharedOwnership` is the
    other one. `shared` says whether there may be other processes.
    """

    shared = False

    def __init__(self, clock: Clock) -> None:
        self.calls = CallQueue(clock, lambda: self.share)

    @property
    def share(self) -> float:
        """The part of all shards that this process serves, and so its part of Discord's rate limits."""
        return 1.0

    @property
    def leads(self) -> bool:
        """Whether this process does what one process does for all."""
        return True

    def holds(self, guild: int) -> bool:
        """Return True if this process serves a server (0: direct messages)."""
        return True

    async def refresh(self) -> None:
        """Read again who serves what. Raises `StoreError`."""

    def tell(self, notice: Notice) -> None:
        """Tell all other processes what was committed. Does not block, and never fails."""

    def tell_owner(self, guild: int, notice: Notice) -> None:
        """Tell the process that serves a server what was committed; if that is this one by now, its listener is called
        at once. Does not block, and never fails.
        """

    def listen(self, hear: Hear) -> None:
        """Call this with every notice of the other processes from now on. Does not block."""

    @contextlib.contextmanager
    def guard(self, guild: int) -> Iterator[None]:
        """Guard calls about a server that nobody has just asked for, in this task and those that it starts: each fails
        with `NotOwner` if the server is no longer ours when it is about to go out.
        """
        token = _owned.set(lambda: self.holds(guild))
        try:
            yield
        finally:
            _owned.reset(token)

    @contextlib.asynccontextmanager
    async def unasked_call(self, guild: int, channel: int, due: Moment | None = None) -> AsyncIterator[None]:
        """Wait for a turn to make one call in a channel that nobody has just asked for, and guard it. `due`: when
        people must have seen what it shows.
        """
        async with self.calls.turn(channel, due):
            token = _turn_taken.set(True)
            try:
                with self.guard(guild):
                    yield
            finally:
                _turn_taken.reset(token)

    async def check_call(
        self, session: aiohttp.ClientSession, context: object, call: aiohttp.TraceRequestHeadersSentParams
    ) -> None:
        """Stop a call that is about to go out if it is under guard and its server is no longer ours; otherwise count it
        in our rate. Raises `NotOwner`.

        This is for `aiohttp.TraceConfig.on_request_headers_sent`: there is a connection, and nothing was written yet;
        discord.py has waited for Discord's rate limits. If this raises, aiohttp closes the connection.
        """
        owned = _owned.get()
        if owned is not None and not owned():
            raise NotOwner("Another process serves this server by now.")
        if not _turn_taken.get() and not any(part in call.url.path for part in NOT_COUNTED):
            self.calls.count()


class SharedOwnership(Ownership):
    """The ownership of one of several processes: a server is ours while we hold the lease of its shard."""

    shared = True

    def __init__(self, shards: Shards, notices: Notices, clock: Clock) -> None:
        super().__init__(clock)
        self._shards = shards
        self._notices = notices

    @property
    def share(self) -> float:
        """Our part of all shards; at least one, for what a process calls that serves none."""
        return max(1, len(self._shards.held)) / max(1, self._shards.count)

    @property
    def leads(self) -> bool:
        """Whether we hold the first shard, or nobody does."""
        return self._shards.owner_of(NO_SERVER) in (None, self._shards.process)

    def holds(self, guild: int) -> bool:
        """Return True if we hold a server's shard, as far as we know and by our own clock."""
        return self._shards.holds(guild)

    async def refresh(self) -> None:
        """Read the leases again."""
        await self._shards.refresh()

    def tell(self, notice: Notice) -> None:
        """Send a notice to all other processes."""
        self._notices.tell(notice)

    def tell_owner(self, guild: int, notice: Notice) -> None:
        """Send a notice to the process that serves a server."""
        self._notices.tell_owner(guild, notice)

    def listen(self, hear: Hear) -> None:
        """Listen to the others."""
        self._notices.listen(hear)


def ownership_of(store: Store, clock: Clock) -> Ownership:
    """Return the ownership of the process that has opened this store."""
    if store.shards is None or store.notices is None:
        return Ownership(clock)
    return SharedOwnership(store.shards, store.notices, clock)


def trace_calls(trace: aiohttp.TraceConfig, ownership: Ownership, rest_errors: RestErrors) -> None:
    """Check each call that `trace` traces right before it goes out, and count its answer."""

    async def failed(_: aiohttp.ClientSession, __: object, call: aiohttp.TraceRequestExceptionParams) -> None:
        if not isinstance(call.exception, NotOwner):
            rest_errors.broken(call.method, call.url.path)

    trace.on_request_headers_sent.append(ownership.check_call)
    trace.on_request_end.append(rest_errors.answered)
    trace.on_request_exception.append(failed)
