"""Commands in texts: written as `/name`, they go out as mentions to click, once Discord has told their numbers.

May import discord.
"""

import re
from collections.abc import Iterable, Iterator

from discord import app_commands

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
