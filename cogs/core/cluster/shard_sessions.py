"""The shards of which this process has a session, or is opening one: how far each has come, from when it is opened
until it is closed for good. Which it should have is the keeper's to say.
"""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, Protocol

from data.background import BackgroundTasks
from engine.contract import Moment

log = logging.getLogger(__name__)

KEPT = 200
"""So many clicks of a shard are kept at the most until it is ours."""


class Served(Protocol):
    """What is opened and closed, and shows others how it fares: the client."""

    async def open_shard(self, shard: int) -> None:
        """Open a session of a shard."""

    async def close_shard(self, shard: int) -> None:
        """Close it for good."""

    async def begin_with(self, shard: int) -> None:
        """Go on with all tables of a shard, which is ours now and connected."""

    def set_aside(self, shard: int) -> None:
        """Do nothing more by ourselves about a shard, which another process serves."""

    async def end_with(self, shard: int) -> None:
        """Let go of everything of a shard, without a word to anybody."""

    def serve(self, data: Any) -> None:
        """Serve an interaction that was kept."""

    def figures(self) -> Mapping[str, Any]:
        """Return what the other processes are to see of us."""


class OpenShard:
    """How our session of one shard stands.

    It is `opening` until it is connected, at `connected_at` by a clock in seconds. From `begun` on its tables are
    served, which are ours then; what comes in before is kept. Once it is given away, what Discord receives from
    `given_from` on is another process's to answer, while the session stands for a little longer; that is kept too, for
    as long as it may turn out that it was not given away after all.
    """

    def __init__(self, opening: asyncio.Task[None]) -> None:
        self.opening = opening
        self.connected_at: float | None = None
        self.begun = False
        self.given_from: Moment | None = None
        self._kept: list[tuple[Moment, Any]] = []

    @property
    def given(self) -> bool:
        """Whether it was given away, or is just being."""
        return self.given_from is not None

    @property
    def waiting(self) -> bool:
        """Whether the session stands and the shard is to be ours, while another process still answers."""
        return self.connected_at is not None and not self.begun and not self.given

    @property
    def keeps(self) -> bool:
        """Whether something came in that waits until the shard is ours."""
        return bool(self._kept)

    def keep(self, at: Moment, data: Any) -> None:
        """Keep what Discord received at a moment until the shard is ours; beyond `KEPT` it is dropped."""
        if len(self._kept) < KEPT:
            self._kept.append((at, data))

    def take_kept(self, since: Moment) -> list[Any]:
        """Return what was kept and received from a moment on; keep nothing any more."""
        kept, self._kept = self._kept, []
        return [data for at, data in kept if at >= since]


class OpenShards:
    """All of them, by number."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._open: dict[int, OpenShard] = {}
        self._lingering = BackgroundTasks()

    def get(self, shard: int) -> OpenShard | None:
        """Return how our session of a shard stands; None if there is none."""
        return self._open.get(shard)

    @property
    def numbers(self) -> frozenset[int]:
        """The shards of which we have, or are opening, a session."""
        return frozenset(self._open)

    @property
    def connected(self) -> frozenset[int]:
        """Those of them whose session stands."""
        return frozenset(shard for shard, opened in self._open.items() if opened.connected_at is not None)

    @property
    def begun(self) -> frozenset[int]:
        """Those whose tables we serve."""
        return frozenset(shard for shard, opened in self._open.items() if opened.begun)

    @property
    def waiting(self) -> frozenset[int]:
        """Those that are connected and to be ours, while another process still answers."""
        return frozenset(shard for shard, opened in self._open.items() if opened.waiting)

    @property
    def given(self) -> frozenset[int]:
        """Those that were given away, or are just being."""
        return frozenset(shard for shard, opened in self._open.items() if opened.given)

    @property
    def keeping(self) -> frozenset[int]:
        """Those of which something came in that waits until they are ours."""
        return frozenset(shard for shard, opened in self._open.items() if opened.keeps)

    def open(self, shard: int) -> None:
        """Open a session of a shard, unless there is one. If that fails for a reason that nobody has foreseen, there is
        none, and whoever asks again opens one anew.
        """
        if shard not in self._open:
            opening = asyncio.create_task(self._served.open_shard(shard), name=f"open-shard-{shard}")
            self._open[shard] = opened = OpenShard(opening)
            opening.add_done_callback(partial(self._hear, shard, opened))

    def _hear(self, shard: int, opened: OpenShard, opening: asyncio.Task[None]) -> None:
        error = None if opening.cancelled() else opening.exception()
        if error is not None:
            log.error("no session of shard %s could be opened", shard, exc_info=error)
            if self._open.get(shard) is opened:
                del self._open[shard]

    async def begin(self, shard: int, since: Moment) -> None:
        """Serve the tables of a shard, which is ours now, and what was kept if Discord received it from `since` on."""
        opened = self._open.get(shard)
        if opened is None:
            return
        for data in opened.take_kept(since):  # who pressed waits already
            self._served.serve(data)
        await self._served.begin_with(shard)
        opened.begun = True

    def keep_on(self, shard: int) -> None:
        """Go on with a shard that is ours after all, and serve what was kept while it was to be given away."""
        opened = self._open.get(shard)
        if opened is not None and opened.given:
            opened.given_from = None
            for data in opened.take_kept(Moment(0)):
                self._served.serve(data)

    async def close(self, shard: int) -> None:
        """Let go of everything of a shard, and close our session of it."""
        opened = self._open.pop(shard, None)
        if opened is not None:
            opened.opening.cancel()
            await asyncio.gather(opened.opening, return_exceptions=True)
        await self._served.end_with(shard)
        await self._served.close_shard(shard)

    def close_after(self, shard: int, wait_s: float) -> None:
        """Do so after a while, in which the session stands."""

        async def linger() -> None:
            await asyncio.sleep(wait_s)
            await self.close(shard)

        self._lingering.spawn(linger(), f"linger-{shard}")

    async def lingered(self) -> None:
        """Return when nothing is left that is to be closed after a while."""
        await self._lingering.settle()

    async def stop(self) -> None:
        """Open and close nothing more; the sessions stay as they are."""
        openings = [opened.opening for opened in self._open.values()]
        for opening in openings:
            opening.cancel()
        await self._lingering.close()
        await asyncio.gather(*openings, return_exceptions=True)
