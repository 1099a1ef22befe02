"""Moves by a slash command, or typed in the channel. Moves by a control go through the router."""

import discord

from cogs.core.inbound.error_handler import answer_typed
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import UserError
from cogs.core.ops.timers import snowflake_time
from cogs.core.publishing.player_page_host import TAKEN
from cogs.core.tables import moves
from engine.contract import Action, Refusal


class MoveCommands:
    """Lets people move."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables

    async def command(
        self,
        interaction: discord.Interaction,
        game: str,
        number: int | None,
        action: Action,
        done: str,
        *,
        final: bool = False,
    ) -> None:
        """Serve a slash command that moves: answered privately, while the table message shows it to all.

        Which of several tables is meant is never guessed for a move that is `final`.
        """
        request = await self._tables.of_user(interaction, game, number, guess=not final)
        seat = request.require_seat()
        if not request.snapshot.playing:
            raise UserError("There is no game under way at this table.")
        with request.pages.answering(request.user.id):
            try:
                await request.move(seat, action)
            except UserError as error:
                await request.pages.refuse(request.responder, error.sentence)
                return
            await request.show_player_page(line=f"{TAKEN} {done}")

    async def typed(self, message: discord.Message, game: str, action: Action) -> None:
        """Serve a move that somebody typed in the channel, if they play there at one table of this game."""
        assert message.guild is not None
        user, channel = message.author.id, message.channel.id
        try:
            rows = await self._tables.store.tables.of(user, guild=message.guild.id, channel=channel)
            playing = [row.id for row in rows if row.game == game and row.status == "playing"]
            messages = await self._tables.find(playing[0]) if len(playing) == 1 else None
            seat = None if messages is None else messages.table.snapshot.seat_of(user)
            if messages is not None and seat is not None:
                await self._tables.visit(messages, user)
                try:
                    await messages.table.act(moves.move, seat, action, snowflake_time(message.id))
                except Refusal as refusal:
                    raise UserError(messages.ui.refusal(refusal, messages.table.snapshot.info())) from refusal
        except Exception as error:
            await answer_typed(self._tables.client, message, error)
