"""The gateway sessions of this process, one a shard: how far each has come, from opening to closing for good."""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, Protocol

from data.background import BackgroundTasks
from engine.contract import Moment

log = logging.getLogger(__name__)

MAX_QUEUED = 200
"""The most interactions of a shard that are queued until it is ours."""


class ShardHost(Protocol):
    """The client: it opens and closes sessions, and serves shards."""

    async def open_shard(self, shard: int) -> None:
        """Open a session of a shard."""

    async def close_shard(self, shard: int) -> None:
        """Close the session of a shard for good."""

    async def serve_shard(self, shard: int) -> None:
        """Serve the servers of a shard that is ours and connected. Raises `StoreError`."""

    def release_shard(self, shard: int) -> None:
        """Start nothing more for the servers of a shard that another process serves."""

    async def unload_shard(self, shard: int) -> None:
        """Unload the servers of a shard that another process serves."""

    def handle_queued(self, data: Any) -> None:
        """Handle an interaction that was queued."""

    def process_stats(self) -> Mapping[str, Any]:
        """Return what the other processes are shown of this one."""


class ShardSession:
    """Our session of one shard. The task `opening` opens it; `connected_at` is the time of a clock in seconds.

    Interactions are queued until the shard is ours and `serving`. After a handover the session stays open for a while:
    another process answers what Discord receives from `handed_over_at` on; it is queued here in case that fails.
    """

    def __init__(self, opening: asyncio.Task[None]) -> None:
        self.opening = opening
        self.connected_at: float | None = None
        self.serving = False
        self.handed_over_at: Moment | None = None
        self.queued: list[tuple[Moment, Any]] = []

    @property
    def waiting(self) -> bool:
        """Whether the session is connected, while another process still answers until the shard is ours."""
        return self.connected_at is not None and not self.serving and self.handed_over_at is None

    def queue(self, at: Moment, data: Any) -> None:
        """Queue what Discord received at a moment; beyond `MAX_QUEUED` it is dropped."""
        if len(self.queued) < MAX_QUEUED:
            self.queued.append((at, data))

    def take_queued(self, since: Moment) -> list[Any]:
        """Empty the queue, and return what Discord received from a moment on."""
        queued, self.queued = self.queued, []
        return [data for at, data in queued if at >= since]


class ShardSessions:
    """All sessions, by the number of their shard."""

    def __init__(self, host: ShardHost) -> None:
        self._host = host
        self._sessions: dict[int, ShardSession] = {}
        self._closing = BackgroundTasks()

    def get(self, shard: int) -> ShardSession | None:
        """Return our session of a shard, if there is one."""
        return self._sessions.get(shard)

    @property
    def numbers(self) -> frozenset[int]:
        """The shards of which we have, or are opening, a session."""
        return frozenset(self._sessions)

    @property
    def connected(self) -> frozenset[int]:
        """The shards whose session is connected."""
        return frozenset(shard for shard, session in self._sessions.items() if session.connected_at is not None)

    @property
    def serving(self) -> frozenset[int]:
        """The shards whose servers we serve."""
        return frozenset(shard for shard, session in self._sessions.items() if session.serving)

    @property
    def waiting(self) -> frozenset[int]:
        """The connected shards that will be ours, while another process still answers."""
        return frozenset(shard for shard, session in self._sessions.items() if session.waiting)

    @property
    def handed_over(self) -> frozenset[int]:
        """The shards that were, or are being, handed over."""
        return frozenset(shard for shard, session in self._sessions.items() if session.handed_over_at is not None)

    def open(self, shard: int) -> None:
        """Open a session of a shard, unless there is one. After an unexpected failure, the next call opens another."""
        if shard not in self._sessions:
            opening = asyncio.create_task(self._host.open_shard(shard), name=f"open-shard-{shard}")
            self._sessions[shard] = session = ShardSession(opening)
            opening.add_done_callback(partial(self._opened, shard, session))

    def _opened(self, shard: int, session: ShardSession, opening: asyncio.Task[None]) -> None:
        error = None if opening.cancelled() else opening.exception()
        if error is not None:
            log.error("no session of shard %s could be opened", shard, exc_info=error)
            if self._sessions.get(shard) is session:
                del self._sessions[shard]

    async def serve(self, shard: int, since: Moment) -> None:
        """Serve a shard that is ours now, and handle what was queued if Discord received it from `since` on."""
        session = self._sessions.get(shard)
        if session is None:
            return
        for data in session.take_queued(since):  # first: people are waiting
            self._host.handle_queued(data)
        await self._host.serve_shard(shard)
        session.serving = True

    def cancel_handover(self, shard: int) -> None:
        """Go on with a shard whose handover failed, if it did, and handle what was queued meanwhile."""
        session = self._sessions.get(shard)
        if session is not None and session.handed_over_at is not None:
            session.handed_over_at = None
            for data in session.take_queued(Moment(0)):
                self._host.handle_queued(data)

    async def close(self, shard: int) -> None:
        """Unload everything of a shard, and close our session of it."""
        session = self._sessions.pop(shard, None)
        if session is not None:
            session.opening.cancel()
            await asyncio.gather(session.opening, return_exceptions=True)
        await self._host.unload_shard(shard)
        await self._host.close_shard(shard)

    def close_after(self, shard: int, wait_s: float) -> None:
        """Close our session of a shard after a while."""

        async def linger() -> None:
            await asyncio.sleep(wait_s)
            await self.close(shard)

        self._closing.spawn(linger(), f"linger-{shard}")

    async def wait_until_closed(self) -> None:
        """Return when no session waits to be closed."""
        await self._closing.settle()

    async def stop(self) -> None:
        """Open and close nothing more; the sessions stay as they are."""
        openings = [session.opening for session in self._sessions.values()]
        for opening in openings:
            opening.cancel()
        await self._closing.close()
        await asyncio.gather(*openings, return_exceptions=True)
