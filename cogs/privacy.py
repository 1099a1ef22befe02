"""Privacy: users export or delete their own data, or hide from leaderboards.

The commands apply to the user who runs them, on a server or in a direct message, and answer in private.
"""

import asyncio
import gzip
import io
import json
from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.ops.storage import Store
from cogs.core.pages.page import Button, Page, Row, Text
from cogs.core.publishing.responder import responder_for
from cogs.core.tables.leaving import Leaving

COLOUR = 0x8A8F98

FORGET, KEEP = "forget-me", "forget-not"

WARNING = N_(
    """### Delete everything stored about you?
- Your ratings and statistics are deleted, on every server.
- Your old games stay for the people you played with. There you become “someone”, and your notes are blank.
- You leave every lobby. In games that have started, a computer plays on for you, and you can't come back.
- In rated games that have started, you take the last place among the players still in.
- Messages already in Discord's channels stay as they are.

You can't undo this. `/privacy export` gives you a copy first."""
)

DONE = N_(
    """### Your data is deleted
Nothing stored here leads to you any more. If you play again, you start from scratch.
-# Older backups still contain your data until they are deleted."""
)


class Privacy(commands.GroupCog, group_name="privacy", group_description="See or delete what is stored about you."):
    """The commands about one's own data."""

    def __init__(self, store: Store, leaving: Leaving, router: ComponentRouter) -> None:
        self._store = store
        self._leaving = leaving
        router.add_handler(FORGET, self._forget)
        router.add_handler(KEEP, self._keep)
        super().__init__()

    @app_commands.command(description="Get everything stored about you, as a file that only you can see.")
    async def export(self, interaction: discord.Interaction) -> None:
        """Send the user the data stored about them."""
        kept = await self._store.user_data.export(interaction.user.id)
        data = await asyncio.to_thread(_as_json, kept)
        name = "cellblock.json"
        if len(data) > interaction.filesize_limit:
            data, name = await asyncio.to_thread(gzip.compress, data), "cellblock.json.gz"
        rows = sum(map(len, kept.values()))
        if rows:
            words = _("This is everything stored about you. Times are milliseconds since 1970 (UTC).")
        else:
            words = _("Nothing is stored about you.")
        await responder_for(interaction).send_private(words, discord.File(io.BytesIO(data), name))

    @app_commands.command(description="Delete everything stored about you. You'll be asked to confirm.")
    async def delete(self, interaction: discord.Interaction) -> None:
        """Ask for confirmation before deleting the user's data."""
        buttons = Row((Button(_("Delete it all"), FORGET, style="danger"), Button(_("Keep it"), KEEP)))
        await responder_for(interaction).show(Page((Text(_(WARNING)), buttons), COLOUR))

    @app_commands.command(description="Hide yourself from the leaderboards, or show yourself again.")
    @app_commands.describe(hidden="on: others don't see you there; off: they do")
    async def hide(self, interaction: discord.Interaction, hidden: Literal["on", "off"]) -> None:
        """Hide the user from leaderboards, or show them again."""
        await self._store.user_data.hide(interaction.user.id, hidden == "on")
        if hidden == "on":
            words = _("You no longer appear on leaderboards. You can still see your own statistics.")
        else:
            words = _("You're back on the leaderboards, with everything you've played.")
        await responder_for(interaction).send_private(words)

    async def _forget(self, request: Request) -> None:
        """Delete the data of the user who pressed the button, never of another."""
        await self._leaving.forget(request.user.id)
        await request.responder.show(Page((Text(_(DONE)),), COLOUR))

    async def _keep(self, request: Request) -> None:
        await request.responder.show(Page((Text(_("Nothing was deleted.")),), COLOUR))


def _as_json(kept: dict[str, list[dict[str, Any]]]) -> bytes:
    return json.dumps(kept, ensure_ascii=False, indent=1).encode()
