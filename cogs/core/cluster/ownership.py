"""Which servers this process serves, and how it tells the processes that serve the others what has changed.

A process can pause anywhere: its machine is suspended, or a call waits for Discord's rate limits. Another process may
serve its servers by the time it goes on. The database refuses what it writes late. Calls to Discord that nobody has
just asked for are made under `Ownership.guard`: `check_call` stops them right before they go out, by our own clock.
"""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextvars import ContextVar

import aiohttp

from data.store import NO_SERVER, Store
from data.store.cluster_notices import Hear, Notice, Notices
from data.store.shards import Shards

_owned: ContextVar[Callable[[], bool] | None] = ContextVar("owned", default=None)
"""Whether the server under guard is still ours; None if no call of this task is under guard."""


class NotOwner(aiohttp.ClientError):
    """A call did not go out, since another process may serve its server by now. The HTTP libraries do not retry it."""


def is_guarded() -> bool:
    """Return True if the call that is being made is under guard: nobody has just asked for it."""
    return _owned.get() is not None


def check_call() -> None:
    """Stop a call under guard whose server is no longer ours. Raises `NotOwner`."""
    owned = _owned.get()
    if owned is not None and not owned():
        raise NotOwner("Another process serves this server by now.")


class Ownership(ABC):
    """The servers that this process serves. `shared` says whether other processes may serve servers too."""

    shared: bool

    @property
    @abstractmethod
    def share(self) -> float:
        """The part of all shards that this process serves, and so its part of Discord's rate limits."""

    @property
    @abstractmethod
    def leads(self) -> bool:
        """Whether this process does what one process does for all."""

    @abstractmethod
    def holds(self, guild: int) -> bool:
        """Return True if this process serves a server (0: direct messages)."""

    @abstractmethod
    async def refresh(self) -> None:
        """Read again who serves what. Raises `StoreError`."""

    @abstractmethod
    def tell(self, notice: Notice) -> None:
        """Tell all other processes what was committed. Does not block, and never fails."""

    @abstractmethod
    def tell_owner(self, guild: int, notice: Notice) -> None:
        """Tell the process that serves a server what was committed. Does not block, and never fails."""

    @abstractmethod
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


class SingleProcess(Ownership):
    """The ownership of a single process: every server is ours, and there is nobody to tell."""

    shared = False
    share = 1.0
    leads = True

    def holds(self, guild: int) -> bool:
        """Return True."""
        return True

    async def refresh(self) -> None:
        """Nothing can have changed."""

    def tell(self, notice: Notice) -> None:
        """There is nobody to tell."""

    def tell_owner(self, guild: int, notice: Notice) -> None:
        """There is nobody to tell."""

    def listen(self, hear: Hear) -> None:
        """There is nobody to listen to."""


class SharedOwnership(Ownership):
    """The ownership of one of several processes: a server is ours while we hold the lease of its shard."""

    shared = True

    def __init__(self, shards: Shards, notices: Notices) -> None:
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
        """Send a notice to the process that serves a server; if that is this one, its listener is called at once."""
        self._notices.tell_owner(guild, notice)

    def listen(self, hear: Hear) -> None:
        """Listen to the others."""
        self._notices.listen(hear)


def ownership_of(store: Store) -> Ownership:
    """Return the ownership of the process that has opened this store."""
    if store.shards is None or store.notices is None:
        return SingleProcess()
    return SharedOwnership(store.shards, store.notices)
