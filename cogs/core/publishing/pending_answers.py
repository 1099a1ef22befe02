"""Lets answers to presses go before edits that nobody waits for."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

MAX_WAIT_S = 1.0
"""The longest that an edit waits for answers."""

MAX_COMPOSING = 2
"""How many edits are composed at the same time."""


class PendingAnswers:
    """The presses that have not been answered yet.

    While there are any, edits that nobody waits for are not composed: on a busy bot answers come sooner, and one edit
    shows several moves.
    """

    def __init__(self) -> None:
        self._presses: set[object] = set()
        self._composing = asyncio.Semaphore(MAX_COMPOSING)
        self._none = asyncio.Event()
        self._none.set()

    @property
    def unanswered(self) -> int:
        """How many presses have not been answered yet."""
        return len(self._presses)

    def add(self, press: object) -> None:
        """Note a press that must be answered."""
        self._presses.add(press)
        self._none.clear()

    def remove(self, press: object) -> None:
        """Note that the answer to a press is on its way, or that none will come. May be called repeatedly."""
        self._presses.discard(press)
        if not self._presses:
            self._none.set()

    async def wait_until_none(self) -> None:
        """Return when every press is answered."""
        await self._none.wait()

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until an edit may be composed: when every press is answered, or after a second. Few are composed at the
        same time, so a new press finds few before it.
        """
        until = asyncio.get_running_loop().time() + MAX_WAIT_S
        async with self._composing:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(until):
                    await self._none.wait()
            yield
