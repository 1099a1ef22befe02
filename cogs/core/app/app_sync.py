"""Uploads the application's commands and emoji: one process does it, and the others fetch their ids."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping

import discord

from cogs.core.cluster.ownership import Ownership
from cogs.core.inbound.command_tree import CommandTree
from cogs.core.ops.discord_errors import API_ERRORS
from cogs.core.ops.timers import Scheduler
from data.background import BackgroundTasks

log = logging.getLogger("cellblock")

EMOJI_AGAIN_MS = 15 * 60_000
"""How long after a failure emoji are uploaded again: nobody waits for them."""

UPLOAD_WITHIN_S = 5.0
"""How long the start waits for the upload of the commands, which then continues in the background."""


class AppSync:
    """Uploads them, and retries what failed. With `own_emoji` there are emoji for cards, tiles and dice."""

    def __init__(
        self, tree: CommandTree, ownership: Ownership, scheduler: Scheduler, tasks: BackgroundTasks, *, own_emoji: bool
    ) -> None:
        self._tree = tree
        self._ownership = ownership
        self._tasks = tasks
        self._own_emoji = own_emoji
        self._tried = asyncio.Event()
        self._commands = scheduler.job("the upload of the commands", self._upload_commands)
        self._emoji = scheduler.job("the drawing of emoji", self._upload_emoji)
        tree.client.markup.emoji.lost = lambda: self._emoji.set_in(EMOJI_AGAIN_MS)

    async def sync_commands(self) -> None:
        """Upload the commands, and wait a while for it. A failed upload is retried in the background."""
        self._commands.set_in(0)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(UPLOAD_WITHIN_S):
                await self._tried.wait()

    def sync_emoji(self) -> None:
        """Upload emoji for cards, tiles and dice in the background: creating many takes minutes."""
        if self._own_emoji:
            self._emoji.set_in(0)

    def sync_again(self) -> None:
        """Upload both again, since this process may be the one that does it now."""
        self._commands.set_in(0)
        self.sync_emoji()

    async def _upload_commands(self) -> None:
        try:
            commands = await (self._tree.sync() if self._ownership.leads else self._tree.fetch_commands())
            self._tree.client.markup.commands.learn(commands)  # texts mention them by their ids
        finally:
            self._tried.set()

    async def _upload_emoji(self) -> None:
        wanted: dict[str, bytes] = {}
        for ui in self._tree.client.games.values():
            wanted |= await asyncio.to_thread(ui.faces)
        self._tasks.spawn(self._keep_emoji(wanted), "emoji")

    async def _keep_emoji(self, wanted: Mapping[str, bytes]) -> None:
        """Upload missing emoji. A failed upload is retried later; without permission the bot plays on without them."""
        try:
            await self._tree.client.markup.emoji.upload(self._tree.client, wanted, alone=self._ownership.leads)
        except discord.Forbidden as error:
            log.warning("there will be no emoji for cards, tiles and dice: %s", error)
        except API_ERRORS as error:
            log.warning("emoji for cards, tiles and dice are tried again later: %s", error)
            self._emoji.set_in(EMOJI_AGAIN_MS)
