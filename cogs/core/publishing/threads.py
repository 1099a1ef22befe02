"""Threads of their own for tables, where a server has them so."""

import contextlib
import logging
from typing import Literal

import discord

from cogs.core.i18n.translation import _
from cogs.core.ops import discord_errors
from cogs.core.ops.text_format import listed
from cogs.core.pages import permissions
from cogs.core.pages.display_names import game_title
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Page, Text
from cogs.core.publishing import components_v2
from cogs.core.publishing.thread_header import NEEDED

log = logging.getLogger(__name__)

REST_MIN: Literal[1440] = 1440
"""Discord archives a thread after this many minutes without a message."""


class NoThread(Exception):
    """A table got no thread of its own; the sentence says why."""


async def create(interaction: discord.Interaction, ui: GameUI, line: str) -> discord.Thread | None:
    """Begin a thread for a table in the channel of an interaction, with the line that the channel keeps of it; None in
    a place that has no threads, such as a thread. Raises `NoThread`.
    """
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel):
        return None
    if lacking := permissions.missing(interaction.app_permissions, NEEDED):
        words = listed(lacking)
        raise NoThread(_("I can't start a thread here without {permissions}. Ask a server manager.", permissions=words))
    page = Page((Text(line),), ui.colour)
    try:
        message = await channel.send(view=components_v2.Layout(page, 0, 0), silent=True)
    except discord_errors.API_ERRORS as error:
        log.warning("a line for a thread could not be posted: %s", error)
        raise NoThread(_("Discord wouldn't let me start a thread just now.")) from error
    try:
        return await message.create_thread(name=game_title(ui.game), auto_archive_duration=REST_MIN)
    except discord_errors.API_ERRORS as error:
        log.warning("a thread could not be begun: %s", error)
        with contextlib.suppress(*discord_errors.API_ERRORS):
            await message.delete()
        raise NoThread(_("Discord wouldn't let me start a thread just now.")) from error


async def discard(thread: discord.Thread) -> None:
    """Delete a thread that will hold no table, and its header in the channel; a thread that the bot may not delete is
    archived. Raises `API_ERRORS`.
    """
    if isinstance(thread.parent, discord.TextChannel):
        with contextlib.suppress(*discord_errors.API_ERRORS):
            await thread.parent.get_partial_message(thread.id).delete()
    try:
        await thread.delete()
    except discord.Forbidden:
        await thread.edit(archived=True)


async def rename(thread: discord.Thread, name: str) -> None:
    """Give a thread its name. Raises what a call raises that fails."""
    await thread.edit(name=name)
