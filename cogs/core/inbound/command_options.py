"""Shared parts of slash commands: choices, completions that always answer, and the options `table` and `game`."""

import asyncio
import functools
import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, Literal, TypeVar

import discord
from discord import app_commands

from cogs.core.i18n.translation import _
from cogs.core.inbound.access import off_server, visible_channels
from cogs.core.inbound.command_tree import client_of
from cogs.core.inbound.command_validation import MAX_TYPED, SAFE_INTEGER
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import cut
from cogs.core.publishing import responder
from cogs.core.tables.lobby import LEVEL_NAMES, LEVEL_WORDS
from cogs.core.tables.options import option_fields, value_words
from data.store import StoreError
from engine.contract import BrokenRecord, Options
from engine.players import LEVELS

log = logging.getLogger(__name__)

MAX_CHOICES = 25
MAX_LENGTH = 100
"""Discord takes no more suggestions or choices, and none that is longer."""

C = TypeVar("C")
T = TypeVar("T", str, int)

Suggest = Callable[[Any, discord.Interaction, Any], Coroutine[Any, Any, list[app_commands.Choice[T]]]]
"""A cog's method that suggests values for an option: the cog, who asks, and what they have typed so far."""

LEVEL_CHOICES = [
    app_commands.Choice(name=f"{LEVEL_NAMES[level]} – {LEVEL_WORDS[level]}", value=level) for level in LEVELS
]

CLOCK_CHOICES = [
    app_commands.Choice(name=value_words("clock", value), value=int(value))
    for value in next(entry.values for entry in option_fields(Options) if entry.name == "clock")
]


def anywhere(command: C) -> C:
    """Allow a command inside and outside servers, including for users who installed the bot only for themselves."""
    with_contexts: C = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(command)
    return app_commands.allowed_installs(guilds=True, users=True)(with_contexts)


def suggestions(values: Iterable[tuple[str, T]], typed: str) -> list[app_commands.Choice[T]]:
    """Return what fits what was typed so far, as many and as long as Discord takes."""
    wanted = typed.strip().lower()
    fitting = [
        (name, value) for name, value in values if name and wanted in name.lower() and len(str(value)) <= MAX_LENGTH
    ]
    return [app_commands.Choice(name=cut(name, MAX_LENGTH), value=value) for name, value in fitting[:MAX_CHOICES]]


def completion(work: Suggest[T]) -> Suggest[T]:
    """Decorate a method that suggests values for an option so that it always answers in time, if need be with
    nothing.
    """

    @functools.wraps(work)
    async def answering(cog: Any, interaction: discord.Interaction, typed: Any, /) -> list[app_commands.Choice[T]]:
        found: list[app_commands.Choice[T]] = []
        try:
            async with asyncio.timeout(responder.DEFER_AFTER_S):
                found = await work(cog, interaction, str(typed)[:MAX_TYPED])
        except (UserError, StoreError, BrokenRecord, TimeoutError) as error:
            log.debug("nothing can be suggested: %r", error)
        except Exception:
            log.exception("an option could not be completed")
        await responder.responder_for(interaction).autocomplete(found)
        return found

    return answering


# The option `table`

WHICH_TABLE = "Only needed if you play at several tables"
"""The description of the option if it is optional."""

ANY_TABLE = "Only needed if there are several tables here, or if the game is over"
"""The description of the option if any table of the game may be meant."""

MAX_TABLES = 200
"""How many of a server's newest tables are searched for a completion."""

MAX_NAMED = 8
"""How many tables are named to somebody who asked for one that does not exist."""

Numbers = Callable[[discord.Interaction], Coroutine[Any, Any, list[tuple[str, int]]]]
"""Which tables an option may mean: what each is called, and its number."""


class TableNumber(app_commands.Transformer):
    """The option `table` of a command: the number of a table, completed from those that it may mean."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers

    @property
    def type(self) -> discord.AppCommandOptionType:
        """Return the type of a whole number."""
        return discord.AppCommandOptionType.integer

    async def transform(self, interaction: discord.Interaction, value: object, /) -> int:
        """Return the number: whether there is such a table is the command's to say. Raises `UserError` if there cannot
        be one.
        """
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= SAFE_INTEGER:
            return value
        names = [name for name, _number in await self._numbers(interaction)]
        raise UserError(no_such_table(names))

    @completion
    async def autocomplete(self, interaction: discord.Interaction, typed: Any, /) -> list[app_commands.Choice[Any]]:
        """Suggest the tables that it may mean."""
        return suggestions(await self._numbers(interaction), typed)


def no_such_table(names: Sequence[str]) -> str:
    """Return the sentence that there is no such table, with those that there are."""
    if not names:
        return _("There's no such table, and no other to choose from here.")
    tables = ", ".join(names[:MAX_NAMED])
    if len(names) > MAX_NAMED:
        return _("There's no such table. Choose one of: {tables} and more.", tables=tables)
    return _("There's no such table. Choose one of: {tables}.", tables=tables)


def _game_of(interaction: discord.Interaction) -> str:
    """Return the key of the game to whose commands the present one belongs."""
    command = interaction.command
    assert isinstance(command, app_commands.Command) and command.binding is not None
    return str(command.binding.game.key)


async def _own(interaction: discord.Interaction) -> list[tuple[str, int]]:
    rows = await client_of(interaction).store.tables.of(interaction.user.id, guild=interaction.guild_id)
    game = _game_of(interaction)
    return [(_("table {table}", table=row.id), row.id) for row in rows if row.game == game]


def _any_of_server(*status: Literal["lobby", "playing", "over"]) -> Numbers:
    async def numbers(interaction: discord.Interaction) -> list[tuple[str, int]]:
        client = client_of(interaction)
        found = await client.store.server_admin.numbers(interaction.guild_id or 0, status, most=MAX_TABLES)
        titles = client.games.titles
        return [(_("table {table} · {game}", table=n, game=titles.get(game, game)), n) for n, game in found]

    return numbers


_over = _any_of_server("over")


async def _in_sight(interaction: discord.Interaction, named: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return those of these tables whose channel the asker sees."""
    channels = await client_of(interaction).store.server_admin.channels_of([number for _name, number in named])
    seen = visible_channels(interaction, channels.values())
    return [(name, number) for name, number in named if channels.get(number) in seen.open]


async def _begun(interaction: discord.Interaction) -> list[tuple[str, int]]:
    admin, game = client_of(interaction).store.server_admin, _game_of(interaction)
    found = await admin.numbers(interaction.guild_id or 0, ("playing", "over"), most=MAX_TABLES)
    return await _in_sight(interaction, [(_("table {table}", table=n), n) for n, key in found if key == game])


async def _visible_over(interaction: discord.Interaction) -> list[tuple[str, int]]:
    if not off_server(interaction):
        return await _in_sight(interaction, await _over(interaction))
    client = client_of(interaction)
    own = await client.store.records.practice_of(interaction.user.id, most=MAX_TABLES)
    known = ((number, client.games.get(game)) for number, game, _at in own)
    return [(_("practice {table} · {game}", table=n, game=ui.title), n) for n, ui in known if ui is not None]


OwnTable = app_commands.Transform[int, TableNumber(_own)]
AnyTable = app_commands.Transform[int, TableNumber(_begun)]
"""In the commands of a game: one of the asker's open tables of it on this server; any table of it that has begun, in a
channel that the asker sees.
"""

OpenTable = app_commands.Transform[int, TableNumber(_any_of_server("lobby", "playing"))]
OverTable = app_commands.Transform[int, TableNumber(_over)]
TableInSight = app_commands.Transform[int, TableNumber(_visible_over)]
"""Any open table of the server; any finished one; any finished one whose channel the user can see, or outside of
servers one of their practice games.
"""


# The option `game`


class GameName(app_commands.Transformer):
    """The option `game` of a command: the key or title of a game, completed by the titles."""

    async def transform(self, interaction: discord.Interaction, value: str, /) -> str:
        """Return the key of the game. Raises `UserError` if there is no such game."""
        return client_of(interaction).games.key_of(value)

    @completion
    async def autocomplete(self, interaction: discord.Interaction, typed: Any, /) -> list[app_commands.Choice[Any]]:
        """Suggest the games of the bot."""
        return suggestions([(title, key) for key, title in client_of(interaction).games.titles.items()], typed)


AnyGame = app_commands.Transform[str, GameName]


def kind_of(interaction: discord.Interaction, group: str) -> str:
    """Return the sentence that says what kind of game a group of commands is for: its description."""
    command = client_of(interaction).tree.get_command(group)
    assert isinstance(command, app_commands.Group)
    return _(command.description)
