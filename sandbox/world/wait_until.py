"""Waiting until something becomes true, without busy polling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_ECHO_S = 0.02
_RARELY_S = 0.5


class Waiters:
    """Everything that waits for a change of the state."""

    def __init__(self) -> None:
        self._waiters: set[asyncio.Future[None]] = set()

    def wake(self) -> None:
        """Wake all waiters."""
        if self._waiters:
            waiters, self._waiters = self._waiters, set()
            for waiter in waiters:
                if not waiter.done():
                    waiter.set_result(None)

    async def until(self, question: Callable[[], T], seconds: float, last_seen: Callable[[], str]) -> T:
        """Return the first true value of a question, asked again after every change.

        It is also asked while nothing changes here, at growing intervals, since it may depend on the bot's own state. A
        question that raises LookupError or TypeError (the last of no messages, an item of None) counts as not yet true.
        Raises TimeoutError after ``seconds``, with what was seen last.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        pause = _ECHO_S
        while True:
            trouble = ""
            try:
                answer = question()
            except (LookupError, TypeError) as error:
                trouble = f"; asking raised {error!r}"
            else:
                if answer:
                    return answer
                trouble = f"; the answer was {answer!r}"
            waiter: asyncio.Future[None] = loop.create_future()
            self._waiters.add(waiter)
            try:
                async with asyncio.timeout_at(min(end, loop.time() + pause)):
                    await waiter
                pause = _ECHO_S
            except TimeoutError:
                self._waiters.discard(waiter)
                pause = min(2 * pause, _RARELY_S)
                if loop.time() >= end:
                    raise TimeoutError(f"nothing came in {seconds:g} s{trouble}\n{last_seen()}") from None
