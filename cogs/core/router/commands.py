"""What the slash commands of several games share: choices, completions that always answer, and the arguments of
`start`.

May import discord, `data`, `engine` and its neighbours.
"""

import asyncio
import functools
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

import discord
from discord import app_commands

from cogs.core.errors import UserError
from cogs.core.lobby import LEVEL_NAMES, LEVEL_WORDS, option_fields, value_words
from cogs.core.router import reply
from cogs.core.router.border import MOST_TYPED
from cogs.core.session.table_session import TableSession
from cogs.core.session.tables import Tables
from data.store import StoreError
from engine.contract import Action, BrokenRecord, Options, Seat
from engine.players import LEVELS

log = logging.getLogger(__name__)

MOST_CHOICES = 25
LONGEST = 100
"""Discord takes no more suggestions or choices, and none that is longer."""

T = TypeVar("T", str, int)

Work = Callable[[Any, discord.Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[T]]]]
"""A cog's method that suggests values for an option: the cog, who asks, and what they have typed so far."""

LEVEL_CHOICES = [
    app_commands.Choice(name=f"{LEVEL_NAMES[level]} – {LEVEL_WORDS[level]}", value=level) for level in LEVELS
]

CLOCK_CHOICES = [
    app_commands.Choice(name=value_words("clock", value), value=int(value))
    for value in next(entry.values for entry in option_fields(Options) if entry.name == "clock")
]


def suggestions(values: Iterable[tuple[str, T]], typed: str) -> list[app_commands.Choice[T]]:
    """Return what fits what was typed so far, as many and as long as Discord takes."""
    wanted = typed.strip().lower()
    fitting = [
        (name, value) for name, value in values if name and wanted in name.lower() and len(str(value)) <= LONGEST
    ]
    return [app_commands.Choice(name=name[:LONGEST], value=value) for name, value in fitting[:MOST_CHOICES]]


def completing(work: Work[T]) -> Work[T]:
    """Let this suggest what an option can be, and answer in time in any case: with nothing where nothing can be
    suggested.
    """

    @functools.wraps(work)
    async def answering(cog: Any, interaction: discord.Interaction, typed: str, /) -> list[app_commands.Choice[T]]:
        found: list[app_commands.Choice[T]] = []
        try:
            async with asyncio.timeout(reply.HOLD_AFTER_S):
                found = await work(cog, interaction, str(typed)[:MOST_TYPED])
        except (UserError, StoreError, BrokenRecord, TimeoutError) as error:
            log.debug("nothing can be suggested: %r", error)
        except Exception:
            log.exception("an option could not be completed")
        await reply.reply_to(interaction).suggest(found)
        return found

    return answering


async def seated(tables: Tables, interaction: discord.Interaction, game: str) -> tuple[TableSession, Seat]:
    """Return the table that a command under way means, and the asker's seat there. Raises `UserError`."""
    number = getattr(interaction.namespace, "table", None)
    session = await tables.of_user(interaction, game, number if isinstance(number, int) else None)
    seat = session.table.seat_of(interaction.user.id)
    if seat is None or not session.table.playing:
        raise UserError("You are not playing at that table.")
    return session, seat


async def legal_of(session: TableSession, seat: Seat) -> list[Action]:
    """Return the sound actions of a seat now. In some games there are thousands: they are found outside the loop."""
    return await asyncio.to_thread(session.table.legal, seat)


async def own_tables(
    tables: Tables, interaction: discord.Interaction, game: str, typed: str
) -> list[app_commands.Choice[int]]:
    """Suggest the numbers of the asker's open tables of a game on this server."""
    rows = await tables.store.tables_of(interaction.user.id, guild=interaction.guild_id)
    return suggestions([(f"table {row.id}", row.id) for row in rows if row.game == game], typed)
