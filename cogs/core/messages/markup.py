"""What stands on our pages as plain text, and as something better once Discord has it: commands as mentions to click,
cards and tiles as emoji.

May import discord and its neighbours.
"""

from typing import Any, Protocol, cast

import discord

from cogs.core.messages.emoji import OwnEmoji
from cogs.core.messages.mentions import CommandMentions
from cogs.core.messages.page import Page


class Markup:
    """What our application has at Discord to write with."""

    def __init__(self) -> None:
        self.commands = CommandMentions()
        self.emoji = OwnEmoji()

    def text(self, words: str) -> str:
        """Return a sentence in which every command that is known can be clicked."""
        return self.commands.text(words)

    def page(self, page: Page) -> Page:
        """Return a page with commands that can be clicked and our own emoji, as far as they are known."""
        return self.emoji.page(page.with_texts(self.text))


class _Host(Protocol):
    tree: Any


def markup_of(client: discord.Client) -> Markup:
    """Return what a client of ours has to write with."""
    return cast(Markup, cast(_Host, client).tree.markup)
