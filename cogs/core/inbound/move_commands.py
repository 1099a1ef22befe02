"""Moves by a slash command, or typed in the channel. Moves by a control go through the router."""

import discord

from cogs.core.inbound.error_handler import answer_typed
from cogs.core.inbound.player_actions import make_move, seat_at
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import UserError
from cogs.core.ops.timers import snowflake_time
from cogs.core.publishing.player_page_host import TAKEN
from engine.contract import Action


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
        messages = await self._tables.of_user(interaction, game, number, guess=not final)
        seat = seat_at(messages, interaction.user.id)
        if not messages.table.snapshot.playing:
            raise UserError("There is no game under way at this table.")
        pages = messages.player_pages(interaction)
        with pages.answering(interaction.user.id):
            try:
                await make_move(messages, seat, action, snowflake_time(interaction.id))
            except UserError as error:
                await pages.refuse(interaction, error.sentence)
                return
            await pages.answer(interaction, line=f"{TAKEN} {done}")

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
                await make_move(messages, seat, action, snowflake_time(message.id))
        except Exception as error:
            await answer_typed(self._tables.client, message, error)
