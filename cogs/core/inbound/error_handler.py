"""Turns exceptions into answers: what is expected into one sentence, the rest into an apology and a traceback."""

import logging

import discord
from discord import app_commands

from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.command_validation import CHANGED
from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.discord_errors import API_ERRORS, CANNOT_REPLY, is_transient
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import cut, listed
from cogs.core.pages.permissions import permission_name
from cogs.core.publishing.responder import REFUSED_SENTENCE, SORRY, Responder, describe_interaction
from data.store import StoreError
from engine.contract import BrokenRecord

log = logging.getLogger(__name__)

NOT_SAVED = N_("I can't save anything right now, so nothing was done. Try again in a minute, or tell the bot's owner.")
UNREADABLE = N_("That table's record can't be read. A moderator can end the table with `/admin end`.")

TYPED_FOR_S = 10
"""A reply to a typed message is deleted after this long."""


class ErrorHandler:
    """Answers what failed in one sentence; what was unexpected is logged with its table."""

    def __init__(self, database_status: DatabaseStatus) -> None:
        self._database_status = database_status

    async def answer(self, responder: Responder, error: Exception) -> None:
        """Answer an interaction that failed."""
        where = f"interaction {responder.interaction.id} ({describe_interaction(responder.interaction)})"
        if isinstance(error, app_commands.AppCommandError):
            error = _to_user_error(error)
        try:
            await responder.send_private(self._sentence(where, error))
        except discord.HTTPException as refused:
            log.warning("%s: a sentence could not be told: %s", where, refused)

    async def refuse(self, responder: Responder, error: Exception) -> None:
        """Answer an interaction that failed before any handler, which then needs no other answer."""
        if responder.interaction.type is discord.InteractionType.autocomplete:
            await responder.autocomplete([])
        else:
            await self.answer(responder, error)
            await responder.finish()

    async def answer_typed(self, message: discord.Message, error: Exception) -> None:
        """Reply to a typed message that failed, also if it was deleted or replies are not allowed; the reply is deleted
        after a while.
        """
        where, channel = f"message {message.id}", message.channel
        sentence, reference = self._sentence(where, error), message.to_reference(fail_if_not_exists=False)
        try:
            try:
                await channel.send(sentence, reference=reference, mention_author=False, delete_after=TYPED_FOR_S)
            except discord.HTTPException as refused:
                if refused.code != CANNOT_REPLY:
                    raise
                await channel.send(f"{message.author.mention} {sentence}", delete_after=TYPED_FOR_S)
        except API_ERRORS as refused:
            log.warning("%s: a sentence could not be told: %s", where, refused)

    def _sentence(self, where: str, error: Exception) -> str:
        """Return the sentence for an error, and log it."""
        if isinstance(error, UserError):
            log.info("%s: told what is wrong", where)  # not what: a refusal may name what they hold
            return error.sentence
        if isinstance(error, StoreError):
            self._database_status.failed(error)
            return _(NOT_SAVED)
        if isinstance(error, BrokenRecord):
            log.warning("%s: %s", where, error)
            return _(UNREADABLE)
        if isinstance(error, discord.HTTPException) and not is_transient(error):
            log.warning("%s: Discord refused the answer: %s", where, error)
            return _(REFUSED_SENTENCE)
        log.error("%s failed", where, exc_info=error)
        return _(SORRY)


def _to_user_error(error: app_commands.AppCommandError) -> Exception:
    """Return what a failed command comes to: a sentence, or what its own code raised."""
    match error:
        case app_commands.CommandInvokeError():
            return error.original
        case app_commands.TransformerError(__cause__=UserError() as cause):
            return cause
        case app_commands.TransformerError(value=discord.User()):
            return UserError(_("{player} isn't on this server.", player=error.value.mention))
        case app_commands.TransformerError():
            value = cut(str(error.value), 100)
            return UserError(_("`{value}` isn't a choice here. Pick one of the suggestions.", value=value))
        case app_commands.NoPrivateMessage():
            return UserError(_("That command only works in a server's channel."))
        case app_commands.MissingPermissions():
            names = listed(map(permission_name, error.missing_permissions))
            return UserError(_("You need the permission {permissions} on this server.", permissions=names))
        case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
            return UserError(_(CHANGED))
        case _:
            return error
