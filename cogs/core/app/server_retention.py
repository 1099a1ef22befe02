"""What servers have set is kept for a while after they removed the bot, and deleted then."""

from dataclasses import dataclass

import discord

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.timers import Clock, Scheduler
from cogs.core.tables.settings import ServerSettings
from data.store import Store

KEPT_FOR_MS = 30 * 86_400_000
"""How long the settings of a server are kept without the bot."""

LOOKS_EVERY_MS = 6 * 3_600_000

REMOVED_AT = "removed_at"
"""The name under which it is stored since when a server is known to be without the bot."""


@dataclass(eq=False)
class ServerRetention:
    """Notes which servers are without the bot, and deletes their settings after a while. Whether the bot was removed is
    looked up now and then: Discord may report a removal during an outage that is none.
    """

    client: discord.Client
    store: Store
    settings: ServerSettings
    ownership: Ownership
    clock: Clock
    scheduler: Scheduler

    def __post_init__(self) -> None:
        self._job = self.scheduler.job("the settings of servers without the bot", self._look)

    def start(self) -> None:
        """Look now and then from now on."""
        self._job.set_in(LOOKS_EVERY_MS)

    async def _look(self) -> None:
        """Look at all servers with settings. Raises `StoreError`."""
        self._job.set_in(LOOKS_EVERY_MS)
        if not self.client.is_ready():
            return
        now = self.clock.now()
        for guild, removed_at in (await self.store.server_admin.with_settings(REMOVED_AT)).items():
            if not self.ownership.holds(guild):
                continue
            if self.client.get_guild(guild) is not None:
                if removed_at is not None:
                    await self.settings.change(guild, REMOVED_AT, None)
            elif removed_at is None:
                await self.settings.change(guild, REMOVED_AT, str(now))
            elif now - int(removed_at) >= KEPT_FOR_MS:
                await self.settings.delete(guild)
