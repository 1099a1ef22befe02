"""What the slash commands of several games share: choices, completions that always answer, and the arguments of
`start`.

May import discord, `engine` and its neighbours.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

import discord
from discord import app_commands

from cogs.core.errors import Told
from cogs.core.lobby import LEVEL_NAMES, LEVEL_WORDS, option_fields, value_words
from cogs.core.tables import Desk, Tables
from engine.contract import Options, Seat
from engine.players import LEVELS

log = logging.getLogger(__name__)

MOST_CHOICES = 25
"""Discord takes no more suggestions or choices."""

T = TypeVar("T", str, int)

LEVEL_CHOICES = [
    app_commands.Choice(name=f"{LEVEL_NAMES[level]} – {LEVEL_WORDS[level]}", value=level) for level in LEVELS
]

CLOCK_CHOICES = [
    app_commands.Choice(name=value_words("clock", value), value=int(value))
    for value in next(entry.values for entry in option_fields(Options) if entry.name == "clock")
]


def suggestions(values: Iterable[tuple[str, T]], typed: str) -> list[app_commands.Choice[T]]:
    """Return what fits what was typed so far, as many as Discord takes."""
    wanted = typed.strip().lower()
    fitting = [(name, value) for name, value in values if wanted in name.lower()]
    return [app_commands.Choice(name=name[:100], value=value) for name, value in fitting[:MOST_CHOICES]]


async def complete(work: Callable[[], Awaitable[list[app_commands.Choice[T]]]]) -> list[app_commands.Choice[T]]:
    """Return what `work` suggests; nothing where nothing can be suggested, so that a completion is never left
    unanswered.
    """
    try:
        return await work()
    except Told:
        return []
    except Exception:
        log.exception("an option could not be completed")
        return []


async def seated(tables: Tables, interaction: discord.Interaction, game: str) -> tuple[Desk, Seat]:
    """Return the table that a command under way means, and the asker's seat there. Raises `Told`."""
    number = getattr(interaction.namespace, "table", None)
    desk = await tables.of_user(interaction, game, number if isinstance(number, int) else None)
    seat = desk.table.seat_of(interaction.user.id)
    if seat is None or not desk.table.playing:
        raise Told("You are not playing at that table.")
    return desk, seat


async def complete_table(
    tables: Tables, interaction: discord.Interaction, game: str, typed: object
) -> list[app_commands.Choice[int]]:
    """Suggest the numbers of the asker's open tables of a game on this server."""

    async def work() -> list[app_commands.Choice[int]]:
        rows = await tables.store.tables_of(interaction.user.id, guild=interaction.guild_id)
        return suggestions([(f"table {row.id}", row.id) for row in rows if row.game == game], str(typed))

    return await complete(work)
