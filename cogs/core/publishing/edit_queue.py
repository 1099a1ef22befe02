"""Lets answers to presses go before edits that nobody waits for.

A move is shown by the answer to the player, and then by edits of what others see. While presses wait for their answers,
those edits are not composed: answers come sooner on a busy bot, and one edit shows several moves. No edit is delayed
for long, and none while nobody waits for an answer.
"""

import asyncio
import bisect
from dataclasses import dataclass
from typing import Protocol

MAX_WAIT_S = 1.0
"""The longest that an edit waits for answers."""

RECENT_PRESS_S = 0.3
"""A press that has waited for longer waits for something else than the processor, such as a film: edits go on."""

MAX_COMPOSING = 2
"""How many edits are composed at the same time: a new press finds no more of them before it."""


@dataclass(eq=False)
class _Waiting:
    """An edit at a table that waits for its turn: for answers until a moment at the latest, on the clock of the event
    loop. One that was cancelled stays until its turn would come.

    No generator makes a context of it: one that is still waiting when the bot stops would be closed by the loop.
    """

    queue: "EditQueue"
    table: int
    until: float
    started: asyncio.Future[None]

    async def __aenter__(self) -> None:
        try:
            await self.started
        except asyncio.CancelledError:
            self.queue.release(self)
            raise

    async def __aexit__(self, *raised: object) -> None:
        self.queue.release(self)


class EditQueue:
    """The presses that have not been answered yet, and the edits that wait: those go first that may wait least."""

    def __init__(self) -> None:
        self._unanswered: dict[object, float] = {}  # since when, the youngest last
        self._waiting: list[_Waiting] = []  # in the order of their moments
        self._composing = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def unanswered(self) -> int:
        """How many presses have not been answered yet."""
        return len(self._unanswered)

    def press_received(self, press: object) -> None:
        """Note a press that must be answered."""
        self._unanswered[press] = asyncio.get_running_loop().time()

    def press_answered(self, press: object) -> None:
        """Note that the answer to a press is on its way, or that none will come. May be called repeatedly."""
        if self._unanswered.pop(press, None) is not None and self._waiting:
            self._start_due()

    def make_urgent(self, table: int) -> None:
        """Let waiting edits at a table wait no longer for answers, but only for edits that were urgent before."""
        now = asyncio.get_running_loop().time()
        for waiting in self._waiting:
            if waiting.table == table:
                waiting.until = min(waiting.until, now)
        self._waiting.sort(key=_until)
        self._start_due()

    def slot(self, table: int, *, urgent: bool = False) -> _Waiting:
        """Return a context that waits until an edit at a table may compose its page; leave it when the page is
        composed. An edit is `urgent` if somebody waits for it, or must act within seconds: see `make_urgent`.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + (0.0 if urgent else MAX_WAIT_S)
        waiting = _Waiting(self, table, until, loop.create_future())
        bisect.insort(self._waiting, waiting, key=_until)
        self._start_due()
        return waiting

    def release(self, waiting: _Waiting) -> None:
        """Note that an edit has composed its page, or was cancelled."""
        if not waiting.started.cancelled():
            self._composing -= 1
        self._start_due()

    def _start_due(self) -> None:
        """Start the edits that may be composed now, and set the timer for the next one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        loop = asyncio.get_running_loop()
        while self._waiting and self._composing < MAX_COMPOSING:
            first = self._waiting[0]
            if not first.started.cancelled():
                youngest = next(reversed(self._unanswered.values()), None)
                due = 0.0 if youngest is None else min(first.until, youngest + RECENT_PRESS_S)
                if due > loop.time():
                    self._timer = loop.call_at(due, self._start_due)
                    return
                self._composing += 1
                first.started.set_result(None)
            del self._waiting[0]


def _until(waiting: _Waiting) -> float:
    return waiting.until


class HasEditQueue(Protocol):
    """A client with an edit queue."""

    edit_queue: EditQueue
