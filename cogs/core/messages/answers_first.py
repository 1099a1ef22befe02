"""Whoever has pressed is answered before anything is edited that nobody pressed.

A move is told by the answer to whoever made it, and then by edits of what others see. While presses wait to be
answered, the pages of those edits are not composed: on a busy bot answers come sooner, and one edit shows several
moves, where it would have been made anew for each. No edit waits for long, and none while nobody waits for an answer.
May import the standard library only.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from typing import NamedTuple, Protocol

AT_MOST_S = 1.0
"""So long an edit waits for answers at the most."""

YOUNG_S = 0.3
"""A press that has waited for longer waits for something else than the processor, such as a film: edits go on."""

AT_ONCE = 2
"""So many edits are composed at once: a press that comes in finds no more of them before it."""


class _Waiting(NamedTuple):
    """An edit at a table that waits for its turn: for answers until a moment at the latest, on the clock of the event
    loop.
    """

    table: int
    until: float
    turn: asyncio.Future[None]


class AnswersFirst:
    """The presses that have not been answered yet, and the edits that wait for that, the oldest first."""

    def __init__(self) -> None:
        self._unanswered: dict[object, float] = {}  # since when, the youngest last
        self._waiting: deque[_Waiting] = deque()
        self._composing = 0
        self._looks: asyncio.TimerHandle | None = None

    @property
    def awaited(self) -> int:
        """How many presses have not been answered yet."""
        return len(self._unanswered)

    def asked(self, press: object) -> None:
        """Hear of a press that is to be answered."""
        self._unanswered[press] = asyncio.get_running_loop().time()

    def answered(self, press: object) -> None:
        """Hear that the answer to a press is on its way, or that none will come. May be told more than once."""
        if self._unanswered.pop(press, None) is not None and not self._unanswered and self._waiting:
            self._look()

    def hurry(self, table: int) -> None:
        """Let the edits at a table, as far as they are waiting, wait for no answer, and for no other edit that is not
        being composed yet.
        """
        found = [waiting for waiting in self._waiting if waiting.table == table]
        for waiting in reversed(found):
            self._waiting.remove(waiting)
            self._waiting.appendleft(waiting._replace(until=0.0))
        if found:
            self._look()

    @contextlib.asynccontextmanager
    async def turn(self, table: int, *, urgent: bool = False) -> AsyncIterator[None]:
        """Wait until it is the turn of an edit at a table. To be left as soon as its page is composed. One is `urgent`
        that shows what people must answer within seconds: see `hurry`.
        """
        loop = asyncio.get_running_loop()
        waiting = _Waiting(table, loop.time() + AT_MOST_S, loop.create_future())
        self._waiting.append(waiting)
        if urgent:
            self.hurry(table)
        else:
            self._look()
        try:
            await waiting.turn
            yield
        finally:
            if waiting.turn.done() and not waiting.turn.cancelled():
                self._composing -= 1
            self._look()

    def _look(self) -> None:
        """Let those edits go on that may, and look again when the next one may whatever happens."""
        if self._looks is not None:
            self._looks.cancel()
            self._looks = None
        loop = asyncio.get_running_loop()
        while self._waiting and self._composing < AT_ONCE:
            first = self._waiting[0]
            if not first.turn.done():  # else it was cancelled
                youngest = next(reversed(self._unanswered.values()), None)
                due = 0.0 if youngest is None else min(first.until, youngest + YOUNG_S)
                if due > loop.time():
                    self._looks = loop.call_at(due, self._look)
                    return
                self._composing += 1
                first.turn.set_result(None)
            self._waiting.popleft()


class Answering(Protocol):
    """A client of ours."""

    answers: AnswersFirst
