"""Improves texts once Discord has the data: commands become clickable mentions, and cards, tiles and dice get emoji."""

import asyncio
import contextlib
import hashlib
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import discord
from discord import app_commands

from cogs.core.ops import discord_errors
from cogs.core.pages.page import Page, Text

log = logging.getLogger(__name__)

PAUSE_S = 0.5
"""The pause between two uploads, which leaves calls for what people wait for."""

MARK = "cb_"
"""How the names of our emoji begin; they end with a hash, so a changed picture is uploaded again."""

_COMMAND = "`/"
"""How a command begins in a text."""

_WRITTEN = re.compile(r"`/([a-z][a-z0-9_-]*(?: [a-z][a-z0-9_-]*){0,2})`")


class CommandMentions:
    """The ids of our commands by name; none until they have been uploaded."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def learn(self, commands: Iterable[app_commands.AppCommand]) -> None:
        """Record the ids that Discord has given to commands."""
        self._ids.update((name, command.id) for command in commands for name in _names(command))

    def command(self, name: str) -> str:
        """Return a command for a text ("rope-wall start"): a mention that can be clicked, or its name in code."""
        command_id = self._ids.get(name)
        return f"`/{name}`" if command_id is None else f"</{name}:{command_id}>"

    def text(self, text: str) -> str:
        """Return a text in which every known command can be clicked."""
        return _WRITTEN.sub(lambda found: self.command(found[1]), text)


def _names(command: app_commands.AppCommand | app_commands.AppCommandGroup) -> Iterator[str]:
    """Yield the full names of a command, or of those in its groups."""
    groups = [option for option in command.options if isinstance(option, app_commands.AppCommandGroup)]
    if not groups:
        yield command.name
    for group in groups:
        yield from (f"{command.name} {name}" for name in _names(group))


class AppEmoji:
    """The application's emoji. `known` holds those that exist, as text for Discord, by names such as `card_red_3`.
    `lost` is called when one of them turns out to be gone.
    """

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.lost: Callable[[], None] = lambda: None

    def refused(self, error: Exception) -> bool:
        """Return True if Discord has refused a page since an emoji is gone, which somebody may delete in its developer
        portal. From then on pages have words alone, until the emoji are uploaded again.
        """
        invalid = discord_errors.code_of(error) == discord_errors.INVALID_FORM and "Invalid emoji" in str(error)
        if not (invalid and self.known):
            return False
        log.warning("an emoji is gone: %s", error)
        self.known = {}
        self.lost()
        return True

    async def upload(self, client: discord.Client, wanted: Mapping[str, bytes], *, alone: bool = True) -> None:
        """Upload these pictures, and delete older ones. Raises `API_ERRORS`; the next call continues from there. If
        Discord refuses one, the others are used all the same. If not `alone`, use only what exists: another process
        uploads the rest.
        """
        names = {f"{MARK}{face}_{hashlib.sha256(data).hexdigest()[:8]}": face for face, data in wanted.items()}
        found = {one.name: one for one in await client.fetch_application_emojis() if one.name.startswith(MARK)}
        refused: discord.HTTPException | None = None
        for name, face in names.items():
            emoji = found.get(name)
            if emoji is None and not alone:
                continue
            if emoji is None:
                try:
                    emoji = await client.create_application_emoji(name=name, image=wanted[face])
                except discord.HTTPException as error:
                    if isinstance(error, discord.Forbidden) or discord_errors.is_transient(error):
                        raise
                    refused = error
                await asyncio.sleep(PAUSE_S)
            if emoji is not None:
                self.known[face] = str(emoji)
        for name, emoji in found.items():
            if name not in names and alone:
                with contextlib.suppress(discord.NotFound):  # somebody has deleted it
                    await emoji.delete()
        if refused is not None:
            raise refused
        log.info("%s emoji are there", len(names))


class EmojiMarkup:
    """The application's commands and emoji, for use in pages."""

    def __init__(self) -> None:
        self.commands = CommandMentions()
        self.emoji = AppEmoji()

    def page(self, page: Page) -> Page:
        """Return a page with clickable commands and our own emoji, as far as they are known."""
        if any(isinstance(block, Text) and _COMMAND in block.body for block in page.blocks):
            page = page.with_texts(self.commands.text)
        return page.with_emoji(self.emoji.known.get) if self.emoji.known else page
