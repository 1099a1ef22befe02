"""Moves by a command, or typed in the channel: what they ask for is plain, and no control can be old.

A move by a control takes the way of the router.
"""

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
        session = await self._tables.of_user(interaction, game, number, guess=not final)
        seat = seat_at(session, interaction.user.id)
        if not session.table.snapshot.playing:
            raise UserError("There is no game under way at this table.")
        cockpits = session.cockpits(interaction)
        with cockpits.answering(interaction.user.id):
            try:
                await make_move(session, seat, action, snowflake_time(interaction.id))
            except UserError as error:
                await cockpits.tell(interaction, error.sentence)
                return
            await cockpits.answer(interaction, line=f"{TAKEN} {done}")

    async def typed(self, message: discord.Message, game: str, action: Action) -> None:
        """Serve a move that somebody typed in the channel, if they play there at one table of this game."""
        assert message.guild is not None
        user, channel = message.author.id, message.channel.id
        try:
            rows = await self._tables.store.tables.of(user, guild=message.guild.id, channel=channel)
            playing = [row.id for row in rows if row.game == game and row.status == "playing"]
            session = await self._tables.find(playing[0]) if len(playing) == 1 else None
            seat = None if session is None else session.table.snapshot.seat_of(user)
            if session is not None and seat is not None:
                await self._tables.visit(session, user)
                await make_move(session, seat, action, snowflake_time(message.id))
        except Exception as error:
            await answer_typed(self._tables.client, message, error)
