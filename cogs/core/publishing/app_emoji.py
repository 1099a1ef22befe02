"""What stands on our pages as plain text, and as something better once Discord has it: commands as mentions to click,
cards, tiles and dice as emoji of our own application, usable in every server without a permission.

Emoji are uploaded in the background, found by name, and stand on controls and in texts once Discord has them; until
then, and where it takes none, plain text and Discord's own emoji do. A name ends with a hash of the picture: what is
drawn anew is uploaded anew, and the old one goes.
"""

import asyncio
import hashlib
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, cast

import discord
from discord import app_commands

from cogs.core.pages.page import Page, Text

log = logging.getLogger(__name__)

PAUSE_S = 0.5
"""Between two emoji that are made: nobody waits for them, and others do for the calls that Discord allows in a second.
"""

MARK = "cb_"
"""How the names of our emoji begin."""

_COMMAND = "`/"
"""How a command begins in a text."""

_WRITTEN = re.compile(r"`/([a-z][a-z0-9_-]*(?: [a-z][a-z0-9_-]*){0,2})`")


class CommandMentions:
    """The numbers of our commands by name; none until they have been uploaded."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def learn(self, commands: Iterable[app_commands.AppCommand]) -> None:
        """Take note of the numbers that Discord has given to commands."""
        self._numbers.update((name, command.id) for command in commands for name in _names(command))

    def command(self, name: str) -> str:
        """Return a command for a text ("rope-wall start"): a mention that can be clicked, or its name in code."""
        number = self._numbers.get(name)
        return f"`/{name}`" if number is None else f"</{name}:{number}>"

    def text(self, words: str) -> str:
        """Return a text in which every command that is known can be clicked."""
        return _WRITTEN.sub(lambda found: self.command(found[1]), words)


def _names(command: app_commands.AppCommand | app_commands.AppCommandGroup) -> Iterator[str]:
    """Yield the full names of what can be used: a command, or those of its groups."""
    groups = [option for option in command.options if isinstance(option, app_commands.AppCommandGroup)]
    if not groups:
        yield command.name
    for group in groups:
        yield from (f"{command.name} {name}" for name in _names(group))


class AppEmoji:
    """The emoji that our application has at Discord, by face: a short name such as `card_red_3`, in words that a
    screen reader can read. `known` are those that are there, as text for Discord.
    """

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    async def upload(self, client: discord.Client, wanted: Mapping[str, bytes], *, alone: bool = True) -> None:
        """Let Discord have these pictures and no older ones of ours. Raises what a call raises that fails; what is
        there by then is used, and the next call goes on from there. Who is not `alone` uses what there is, and leaves
        the rest to the process that is to see to it.
        """
        names = {f"{MARK}{face}_{hashlib.sha256(data).hexdigest()[:8]}": face for face, data in wanted.items()}
        found = {one.name: one for one in await client.fetch_application_emojis() if one.name.startswith(MARK)}
        for name, face in names.items():
            emoji = found.get(name)
            if emoji is None and not alone:
                continue
            if emoji is None:
                emoji = await client.create_application_emoji(name=name, image=wanted[face])
                await asyncio.sleep(PAUSE_S)
            self.known[face] = str(emoji)
        for name, emoji in found.items():
            if name not in names and alone:
                await emoji.delete()
        log.info("%s emoji are there", len(names))


class EmojiMarkup:
    """What our application has at Discord to write with."""

    def __init__(self) -> None:
        self.commands = CommandMentions()
        self.emoji = AppEmoji()

    def page(self, page: Page) -> Page:
        """Return a page with commands that can be clicked and our own emoji, as far as they are known."""
        if any(isinstance(block, Text) and _COMMAND in block.body for block in page.blocks):
            page = page.with_texts(self.commands.text)
        return page.with_emoji(self.emoji.known.get) if self.emoji.known else page


class _Host(Protocol):
    tree: Any


def markup_of(client: discord.Client) -> EmojiMarkup:
    """Return what a client of ours has to write with."""
    return cast(EmojiMarkup, cast(_Host, client).tree.markup)
