"""The gateway sessions of this process, one a shard: how far each has come, from opening to closing for good."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from data.background import BackgroundTasks
from engine.contract import Moment

log = logging.getLogger(__name__)

MAX_QUEUED = 200
"""The most interactions of a shard that are queued until it is ours."""

ANSWER_WITHIN_S = 1.8
"""An interaction that is still queued after this long is refused while the database is away: a process that answers has
done so or deferred it.
"""

LOOK_EVERY_S = 0.25
"""How often it is looked after that time whether the database is away."""


class ShardHost(ABC):
    """The client, as far as sessions need it: `ClusterClient` opens and closes them, and its subclass serves shards."""

    @abstractmethod
    async def open_shard(self, shard: int) -> None:
        """Open a session of a shard."""

    @abstractmethod
    async def close_shard(self, shard: int) -> None:
        """Close the session of a shard for good."""

    @abstractmethod
    async def serve_shard(self, shard: int) -> None:
        """Serve the servers of a shard that is ours and connected. Raises `StoreError`."""

    @abstractmethod
    def release_shard(self, shard: int) -> None:
        """Start nothing more for the servers of a shard that another process serves."""

    @abstractmethod
    async def unload_shard(self, shard: int) -> None:
        """Unload the servers of a shard that another process serves."""

    @abstractmethod
    def handle_queued(self, data: Any) -> None:
        """Handle an interaction that was queued."""

    @abstractmethod
    def refuse_queued(self, data: Any) -> None:
        """Tell the author of an interaction that nothing was done, unless another process has answered it."""

    @abstractmethod
    def process_stats(self) -> Mapping[str, Any]:
        """Return what the other processes are shown of this one."""


class ShardSession:
    """Our session of one shard. The task `opening` opens it; `connected_at` is the time of a clock in seconds.

    Interactions are queued until the shard is ours and `serving`. After a handover the session stays open for a while:
    another process answers what Discord receives from `handed_over_at` on; it is queued here in case that fails.
    The session is `suspended` while our lease has expired, and no other process is known to have the shard.
    `served_since`: when we began to serve the shard after nobody had; 0 if it was handed over to us.
    """

    def __init__(self, opening: asyncio.Task[None]) -> None:
        self.opening = opening
        self.connected_at: float | None = None
        self.serving = False
        self.served_since = Moment(0)
        self.suspended = False
        self.handed_over_at: Moment | None = None
        self.queued: list[tuple[Moment, Any]] = []

    @property
    def waiting(self) -> bool:
        """Whether the session is connected, while another process still answers until the shard is ours."""
        there = self.connected_at is not None and not self.serving
        return there and not self.suspended and self.handed_over_at is None


class ShardSessions:
    """All sessions, by the number of their shard. `is_unsure` returns True while the database does not say which
    process has which shard.
    """

    def __init__(self, host: ShardHost, is_unsure: Callable[[], bool]) -> None:
        self._host = host
        self._is_unsure = is_unsure
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
    def suspended(self) -> frozenset[int]:
        """The shards that we served until our lease expired, and that no other process is known to have."""
        return frozenset(shard for shard, session in self._sessions.items() if session.suspended)

    @property
    def handed_over(self) -> frozenset[int]:
        """The shards that were, or are being, handed over."""
        return frozenset(shard for shard, session in self._sessions.items() if session.handed_over_at is not None)

    def served_since(self) -> dict[int, Moment]:
        """Return since when we serve each shard: see `ShardSession`."""
        return {shard: session.served_since for shard, session in self._sessions.items() if session.serving}

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

    def should_handle(self, shard: int, since: Moment | None, at: Moment, data: Any) -> bool:
        """Return True if what Discord received `at` a moment is ours to answer now; if it may soon be, queue it.
        `since`: from when on the shard is ours; None if it is not.
        """
        session = self._sessions.get(shard)
        if session is not None and session.handed_over_at is not None:
            if at >= session.handed_over_at:
                self._queue(shard, at, data)
            return at < session.handed_over_at
        if since is not None and (session is None or not session.suspended):
            return at >= since
        self._queue(shard, at, data)
        return False

    def _queue(self, shard: int, at: Moment, data: Any) -> None:
        """Queue what Discord received at a moment, for `ANSWER_WITHIN_S`; beyond `MAX_QUEUED` it is dropped."""
        session = self._sessions.get(shard)
        if session is not None and len(session.queued) < MAX_QUEUED:
            session.queued.append((at, data))
            asyncio.get_running_loop().call_later(ANSWER_WITHIN_S, self._refuse_late, shard, session, (at, data))

    def _refuse_late(self, shard: int, session: ShardSession, queued: tuple[Moment, Any]) -> None:
        """Refuse an interaction that is still queued, if we cannot know which process must answer it. Otherwise that is
        known soon: refusing it could be wrong, since another process may be at it.
        """
        handed_over = session.handed_over_at is not None and not session.serving
        if self._sessions.get(shard) is not session or queued not in session.queued or handed_over:
            return
        if self._is_unsure():
            session.queued.remove(queued)
            self._host.refuse_queued(queued[1])
        else:
            asyncio.get_running_loop().call_later(LOOK_EVERY_S, self._refuse_late, shard, session, queued)

    def handle_queued(self, shard: int, since: Moment = Moment(0)) -> None:  # noqa: B008 (a number)
        """Handle what was queued, if Discord received it from `since` on."""
        session = self._sessions.get(shard)
        if session is not None:
            queued, session.queued = session.queued, []
            for at, data in queued:
                if at >= since:
                    self._host.handle_queued(data)

    async def serve(self, shard: int, since: Moment, now: Moment) -> None:
        """Serve a shard that is ours now, and handle what was queued if Discord received it from `since` on (0: nobody
        has served the shard meanwhile).
        """
        session = self._sessions.get(shard)
        if session is None:
            return
        session.suspended = False
        self.handle_queued(shard, since)  # first: people are waiting
        await self._host.serve_shard(shard)
        if not session.serving:
            session.served_since = Moment(0) if since else now
        session.serving = True

    async def suspend(self, shard: int) -> None:
        """Unload everything of a shard of which our lease has expired, and keep our session of it."""
        session = self._sessions.get(shard)
        if session is not None and not session.suspended:
            session.suspended, session.serving = True, False
            await self._host.unload_shard(shard)

    def cancel_handover(self, shard: int) -> None:
        """Go on with a shard whose handover failed, if it did, and handle what was queued meanwhile."""
        session = self._sessions.get(shard)
        if session is not None and session.handed_over_at is not None:
            session.handed_over_at = None
            self.handle_queued(shard)

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
        """Open, close and refuse nothing more; the sessions stay as they are."""
        for session in self._sessions.values():
            session.queued.clear()
        openings = [session.opening for session in self._sessions.values()]
        for opening in openings:
            opening.cancel()
        await self._closing.close()
        await asyncio.gather(*openings, return_exceptions=True)
