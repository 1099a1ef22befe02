"""Whoever has pressed is answered before anything is edited that nobody waits for.

A move is told by the answer to whoever made it, and then by edits of what others see. While presses wait to be
answered, the pages of those edits are not composed: on a busy bot answers come sooner, and one edit shows several
moves, where it would have been made anew for each. No edit is held back for long, and none while nobody waits for an
answer.
"""

import asyncio
import bisect
from dataclasses import dataclass
from typing import Protocol

AT_MOST_S = 1.0
"""So long an edit waits for answers at the most."""

YOUNG_S = 0.3
"""A press that has waited for longer waits for something else than the processor, such as a film: edits go on."""

AT_ONCE = 2
"""So many edits are composed at once: a press that comes in finds no more of them before it."""


@dataclass(eq=False)
class _Waiting:
    """An edit at a table that waits for its turn: for answers until a moment at the latest, on the clock of the event
    loop. One that was cancelled stays until its turn would come.

    No generator makes a context of it: one that is still waiting when the bot stops would be closed by the loop.
    """

    answers: "AnswersFirst"
    table: int
    until: float
    turn: asyncio.Future[None]

    async def __aenter__(self) -> None:
        try:
            await self.turn
        except asyncio.CancelledError:
            self.answers.composed(self)
            raise

    async def __aexit__(self, *raised: object) -> None:
        self.answers.composed(self)


class AnswersFirst:
    """The presses that have not been answered yet, and the edits that wait: those go first that may wait least."""

    def __init__(self) -> None:
        self._unanswered: dict[object, float] = {}  # since when, the youngest last
        self._waiting: list[_Waiting] = []  # in the order of their moments
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
        if self._unanswered.pop(press, None) is not None and self._waiting:
            self._look()

    def hurry(self, table: int) -> None:
        """Let the edits at a table, as far as they are waiting, wait for no answer, and only for those other edits that
        may have waited for none before them.
        """
        now = asyncio.get_running_loop().time()
        for waiting in self._waiting:
            if waiting.table == table:
                waiting.until = min(waiting.until, now)
        self._waiting.sort(key=_until)
        self._look()

    def turn(self, table: int, *, urgent: bool = False) -> _Waiting:
        """Let an edit at a table wait until it is its turn: a context, to be entered at once and left as soon as its
        page is composed. One is `urgent` that somebody waits for, or that shows what people must answer within seconds:
        see `hurry`.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + (0.0 if urgent else AT_MOST_S)
        waiting = _Waiting(self, table, until, loop.create_future())
        bisect.insort(self._waiting, waiting, key=_until)
        self._look()
        return waiting

    def composed(self, waiting: _Waiting) -> None:
        """Hear that an edit has composed its page, or wants no turn any more."""
        if not waiting.turn.cancelled():
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
            if not first.turn.cancelled():
                youngest = next(reversed(self._unanswered.values()), None)
                due = 0.0 if youngest is None else min(first.until, youngest + YOUNG_S)
                if due > loop.time():
                    self._looks = loop.call_at(due, self._look)
                    return
                self._composing += 1
                first.turn.set_result(None)
            del self._waiting[0]


def _until(waiting: _Waiting) -> float:
    return waiting.until


class Answering(Protocol):
    """A client of ours."""

    answers: AnswersFirst
