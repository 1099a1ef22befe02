"""What all rooms of the house share: the store, the clock, the scheduler, and what goes on by itself.

May import discord, `data`, `engine` and its neighbours.
"""

import asyncio
import logging
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Any

import discord

from cogs.core import codes
from cogs.core.drawing.covers import Covers
from cogs.core.messages.proof import Shown
from cogs.core.owner.health import Health
from cogs.core.owner.traffic import Traffic
from cogs.core.screen import Screen
from cogs.core.session.timers import Clock, Scheduler
from cogs.core.settings.people import Preferences
from cogs.core.settings.servers import ServerSettings
from data.store import Store, StoreError
from engine.players import Explain, Level, Player

log = logging.getLogger(__name__)


class Tasks:
    """What goes on by itself, until it ends or the house closes."""

    def __init__(self, health: Health) -> None:
        self._health = health
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def running(self) -> list[asyncio.Task[Any]]:
        """Those that have not ended yet."""
        return [task for task in self._tasks if not task.done()]

    def spawn(self, work: Awaitable[Any], name: str) -> None:
        """Let this go on by itself; an error is logged."""
        task = asyncio.create_task(self._guarded(work, name), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Awaitable[Any], name: str) -> None:
        try:
            await work
        except StoreError as error:
            self._health.failed(error)
        except codes.FAILED_CALL as error:
            log.warning("%s failed: %s", name, error)
        except Exception:
            log.exception("%s failed", name)

    async def close(self) -> None:
        """Stop all of it."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@dataclass(frozen=True)
class House:
    """What every room is given."""

    client: discord.Client
    store: Store
    clock: Clock
    scheduler: Scheduler
    screens: Mapping[str, Screen]
    players: Mapping[str, Mapping[Level, Player]]
    reasons: Mapping[str, Explain]
    settings: ServerSettings
    traffic: Traffic
    health: Health
    shown: Shown
    tasks: Tasks
    notify: Preferences
    covers: Covers
