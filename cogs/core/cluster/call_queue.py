"""The queue of calls that nobody waits for: the most urgent goes first, at a rate that all processes share.

Discord takes 50 calls a second from a bot, apart from those by an interaction's token. A start or a takeover wakes many
tables, each with calls of its own. They wait here, before discord.py queues them, so an urgent one can still pass the
others, and no answer waits behind them.
"""

import asyncio
import contextlib
import heapq
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from cogs.core.ops.timers import Clock
from engine.contract import Moment

CALLS_A_SECOND = 45
"""The number of calls a second, of all processes."""

AT_ONCE = 5
"""The number of calls at once after a while without any, of all processes; each process may make at least one."""

PATIENCE_MS = 60_000
"""A call without a deadline is as urgent as one whose deadline comes this long after it was queued."""


@dataclass(order=True)
class _Waiting:
    """A call that waits for its turn."""

    due: Moment
    order: int
    channel: int = field(compare=False)
    turn: asyncio.Future[None] = field(compare=False)


class CallQueue:
    """The calls of one process, which may make its `share` of all calls.

    Calls wait in the order of their deadlines, and one call at a time is made in a channel: discord.py keeps the order
    in which a channel's calls reach it, so none may reach it too early. As every call has a deadline, none waits for
    ever.
    """

    def __init__(self, clock: Clock, share: Callable[[], float]) -> None:
        self._clock = clock
        self._share = share
        self._next = 0.0  # the moment of the next call if none were ever made early
        self._count = 0
        self._waiting: list[_Waiting] = []  # a heap
        self._calling: set[int] = set()  # the channels in which a call is being made
        self._behind = defaultdict[int, list[_Waiting]](list)  # what waits for one of these
        self._pacer: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def turn(self, channel: int, due: Moment | None = None) -> AsyncIterator[None]:
        """Wait for a turn to make a call in a channel. `due`: when people must have seen what it shows, if that is
        known.
        """
        self._count += 1
        patience = Moment(self._clock.now() + PATIENCE_MS)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        call = _Waiting(patience if due is None else min(due, patience), self._count, channel, turn)
        heapq.heappush(self._waiting, call)
        self._start_due()
        try:
            await turn
            yield
        finally:
            if not turn.cancelled():
                self._calling.discard(channel)
                for other in self._behind.pop(channel, ()):
                    heapq.heappush(self._waiting, other)
                self._start_due()

    def hurry(self, channel: int, due: Moment) -> None:
        """Make calls that wait in a channel due at this moment or earlier."""
        if self._waiting:
            for call in (*self._waiting, *self._behind.get(channel, ())):
                if call.channel == channel:
                    call.due = min(call.due, due)
            heapq.heapify(self._waiting)
            self._start_due()

    def count(self) -> None:
        """Count a call that somebody waits for, and that was made at once."""
        self._next = max(self._next, float(self._clock.now())) + self._apart_ms

    @property
    def _apart_ms(self) -> float:
        return 1_000 / CALLS_A_SECOND / self._share()

    def _next_turn(self) -> Moment:
        early_ms = self._apart_ms * max(0.0, AT_ONCE * self._share() - 1)
        return Moment(round(max(self._next, float(self._clock.now())) - early_ms))

    def _start_due(self) -> None:
        """Start the calls whose turn has come."""
        while self._waiting:
            call = self._waiting[0]
            if not call.turn.cancelled() and call.channel not in self._calling:
                if self._next_turn() > self._clock.now():
                    if self._pacer is None:
                        self._pacer = asyncio.create_task(self._pace(), name="call-queue")
                    return
                self.count()
                self._calling.add(call.channel)
                call.turn.set_result(None)
            elif not call.turn.cancelled():
                self._behind[call.channel].append(call)
            heapq.heappop(self._waiting)

    async def _pace(self) -> None:
        """Start calls at the rate, while any wait for that."""
        try:
            while self._waiting:
                await self._clock.wait(self._next_turn(), asyncio.Event())
                self._start_due()
        finally:
            self._pacer = None
