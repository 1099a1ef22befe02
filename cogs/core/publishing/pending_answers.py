"""Lets answers to presses go before edits that nobody waits for."""

import asyncio
import contextlib

MAX_WAIT_S = 1.0
"""The longest that an edit waits for answers."""


class PendingAnswers:
    """The presses that have not been answered yet.

    While there are any, edits that nobody waits for are not composed: on a busy bot answers come sooner, and one edit
    shows several moves.
    """

    def __init__(self) -> None:
        self._presses: set[object] = set()
        self._none = asyncio.Event()
        self._none.set()

    def add(self, press: object) -> None:
        """Note a press that must be answered."""
        self._presses.add(press)
        self._none.clear()

    def remove(self, press: object) -> None:
        """Note that the answer to a press is on its way, or that none will come. May be called repeatedly."""
        self._presses.discard(press)
        if not self._presses:
            self._none.set()

    async def wait(self) -> None:
        """Return when every press is answered, or after a second."""
        if self._presses:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(MAX_WAIT_S):
                    await self._none.wait()
