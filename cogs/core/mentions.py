"""Commands in texts: written as `/name`, they go out as mentions to click, once Discord has told their numbers.

May import discord and its neighbours.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, cast

import discord
from discord import app_commands

from cogs.core.emoji import OwnEmoji
from cogs.core.messages.page import Page

_WRITTEN = re.compile(r"`/([a-z][a-z0-9_-]*(?: [a-z][a-z0-9_-]*){0,2})`")


class CommandMentions:
    """The numbers of our commands by name; none until they have been uploaded."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.emoji = OwnEmoji()

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

    def page(self, page: Page) -> Page:
        """Return a page with commands that can be clicked and our own emoji, as far as they are known."""
        return self.emoji.page(page.with_texts(self.text))


def _names(command: app_commands.AppCommand | app_commands.AppCommandGroup) -> Iterator[str]:
    """Yield the full names of what can be used: a command, or those of its groups."""
    groups = [option for option in command.options if isinstance(option, app_commands.AppCommandGroup)]
    if not groups:
        yield command.name
    for group in groups:
        yield from (f"{command.name} {name}" for name in _names(group))


class _Host(Protocol):
    tree: Any


def mentions_of(client: discord.Client) -> CommandMentions:
    """Return what a client of ours knows of its commands."""
    return cast(CommandMentions, cast(_Host, client).tree.mentions)
