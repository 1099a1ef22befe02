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

from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.ops.storage import Store
from cogs.core.pages.page import Button, Page, Row, Text
from cogs.core.publishing.responder import responder_for
from cogs.core.tables.leaving import Leaving

COLOUR = 0x8A8F98

FORGET, KEEP = "forget-me", "forget-not"

WARNING = """### Delete all that is kept about you?
- Your ratings and statistics are gone, on every server.
- Your old games stay for those you played with; there you are "somebody", and your notes are blank.
- You leave every table that is gathering. At the others a computer plays on for you, and you cannot come back.
- In ranked games that are under way you take the last place among those still in.
- Messages that already stand in Discord's channels stay as they are.

This cannot be undone. `/privacy export` gives you a copy first."""

DONE = """### It is done
Nothing that is kept here leads to you any more. If you play again, you begin anew.
-# Copies of the database that the owner made before keep what they hold until they are thrown away."""


class Privacy(commands.GroupCog, group_name="privacy", group_description="What is kept about you: see it, delete it."):
    """The commands about one's own data."""

    def __init__(self, store: Store, leaving: Leaving, router: ComponentRouter) -> None:
        self._store = store
        self._leaving = leaving
        router.add_handler(FORGET, self._forget)
        router.add_handler(KEEP, self._keep)
        super().__init__()

    @app_commands.command(description="All that is kept about you, as a file for you alone.")
    async def export(self, interaction: discord.Interaction) -> None:
        """Send the user the data stored about them."""
        kept = await self._store.user_data.export(interaction.user.id)
        data = await asyncio.to_thread(_as_json, kept)
        name = "cellblock.json"
        if len(data) > interaction.filesize_limit:
            data, name = await asyncio.to_thread(gzip.compress, data), "cellblock.json.gz"
        rows = sum(map(len, kept.values()))
        words = (
            "This is all that is kept about you. Times are milliseconds since 1970 (UTC)."
            if rows
            else "Nothing is kept about you."
        )
        await responder_for(interaction).send_private(words, discord.File(io.BytesIO(data), name))

    @app_commands.command(description="Delete all that is kept about you. You are asked once more.")
    async def delete(self, interaction: discord.Interaction) -> None:
        """Ask for confirmation before deleting the user's data."""
        buttons = Row((Button("Delete it all", FORGET, style="danger"), Button("Keep it", KEEP)))
        await responder_for(interaction).show(Page((Text(WARNING), buttons), COLOUR))

    @app_commands.command(description="Keep yourself off the leaderboards, or come back to them.")
    @app_commands.describe(hidden="on: others do not see you there; off: they do")
    async def hide(self, interaction: discord.Interaction, hidden: Literal["on", "off"]) -> None:
        """Hide the user from leaderboards, or show them again."""
        await self._store.user_data.hide(interaction.user.id, hidden == "on")
        words = (
            "You stand on no leaderboard any more. Your own statistics are still there, for you."
            if hidden == "on"
            else "You stand on the leaderboards again, with all that you have played."
        )
        await responder_for(interaction).send_private(words)

    async def _forget(self, request: Request) -> None:
        """Delete the data of the user who pressed the button, never of another."""
        await self._leaving.forget(request.user.id)
        await request.responder.show(Page((Text(DONE),), COLOUR))

    async def _keep(self, request: Request) -> None:
        await request.responder.show(Page((Text("Nothing was deleted."),), COLOUR))


def _as_json(kept: dict[str, list[dict[str, Any]]]) -> bytes:
    return json.dumps(kept, ensure_ascii=False, indent=1).encode()
