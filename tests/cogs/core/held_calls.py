"""Hold background calls back, as their queue would."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from cogs.core.cluster.call_queue import CallQueue
from engine.contract import Moment


def hold_calls(monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """Make every background call wait. Return an event that is set once one does, and one that releases them all."""
    waits, go_on = asyncio.Event(), asyncio.Event()

    @contextlib.asynccontextmanager
    async def turn(queue: CallQueue, channel: int, due: Moment | None = None) -> AsyncIterator[None]:
        waits.set()
        await go_on.wait()
        yield

    monkeypatch.setattr(CallQueue, "turn", turn)
    return waits, go_on
