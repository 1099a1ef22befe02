"""What becomes of an error on its way back to whoever asked.

    Told, BrokenRecord      expected: one sentence to the person, at most one line in the log
    StoreError              the same; however often it comes, one line a minute
    anything else           unexpected: an apology, and the whole error in the log with its table

May import discord, `data`, `engine` and its neighbours in `cogs.core`.
"""

import logging
from typing import Any, cast

import discord
from discord import app_commands

from cogs.core import wire
from cogs.core.errors import Told
from cogs.core.health import Health
from cogs.core.router.border import CHANGED
from cogs.core.router.reply import reply_to
from data.store import StoreError
from engine.contract import BrokenRecord

log = logging.getLogger(__name__)

SORRY = (
    "Something went wrong on my side, and nothing of the game is lost. Try "
    "again; if it stays so, tell who runs the bot."
)
NOT_KEPT = (
    "My database cannot take anything down at the moment, so nothing was done. Try again in a minute; if it stays "
    "so, tell who runs the bot."
)
UNREADABLE = "The record of that table cannot be read any more. A moderator can end it with `/admin end`."


async def answer_error(interaction: discord.Interaction, error: BaseException) -> None:
    """Answer whoever asked, in one sentence; what nobody expected is logged with its table."""
    where = called(interaction)
    if isinstance(error, Told):
        log.info("interaction %s (%s): told what is wrong", interaction.id, where)  # a refusal may name what they hold
        sentence = error.sentence
    elif isinstance(error, StoreError):
        _health(interaction).failed(error)
        sentence = NOT_KEPT
    elif isinstance(error, BrokenRecord):
        log.warning("interaction %s (%s): %s", interaction.id, where, error)
        sentence = UNREADABLE
    else:
        log.error("interaction %s (%s) failed", interaction.id, where, exc_info=error)
        sentence = SORRY
    try:
        await reply_to(interaction).say(sentence)
    except discord.HTTPException as refused:
        log.warning("interaction %s (%s): a sentence could not be told: %s", interaction.id, where, refused)


def _health(interaction: discord.Interaction) -> Health:
    """Return who keeps count of what the database refuses."""
    return cast(Health, cast(Any, interaction.client).tables.health)


async def answer_command_error(interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
    """Answer a command that failed."""
    await answer_error(interaction, _as_told(error))


async def make_sure(interaction: discord.Interaction) -> None:
    """Let nobody wait whose interaction has been served: a handler that told them nothing is a bug, and says so."""
    reply = reply_to(interaction)
    if not await reply.finish():
        log.error("interaction %s (%s) was left unanswered", interaction.id, called(interaction))
        await reply.say(SORRY)


def _as_told(error: app_commands.AppCommandError) -> Exception:
    """Return what a failed command comes to: a sentence, or what its own code raised."""
    match error:
        case app_commands.CommandInvokeError():
            return error.original
        case app_commands.TransformerError(value=discord.User()):
            return Told(f"{error.value.mention} is not on this server.")
        case app_commands.TransformerError():
            return Told(f"`{str(error.value)[:100]}` is not something this option can be. Pick one of the suggestions.")
        case app_commands.NoPrivateMessage():
            return Told("That command works in a server's channel only.")
        case app_commands.MissingPermissions():
            names = ", ".join(name.replace("_", " ").title() for name in error.missing_permissions)
            return Told(f"For that you need the permission {names} on this server.")
        case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
            return Told(CHANGED)
        case _:
            return error


def called(interaction: discord.Interaction) -> str:
    """Return what somebody used, for the log."""
    data = cast("dict[str, Any]", interaction.data or {})
    named = wire.read_custom_id(str(data.get("custom_id", "")))
    if named is not None:
        return f"table {named.table}, {named.verb}"
    return str(getattr(interaction.command, "qualified_name", "?"))
