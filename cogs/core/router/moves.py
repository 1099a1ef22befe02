"""Moves: by a control of a game's own screen, by a command, or typed in the channel.

Every control is untrusted: who sits where, is the game on, is the control still fresh. Then the table moves, and the
one who asked is answered. May import discord, `engine` and its neighbours.
"""

import asyncio

import discord

from cogs.core.errors import Stale, UserError
from cogs.core.messages.cockpit import BACK
from cogs.core.messages.page import Form, Page
from cogs.core.router.border import moment_of
from cogs.core.router.custom_ids import Control
from cogs.core.router.errors import answer_typed
from cogs.core.router.pages import TAKEN, Pages
from cogs.core.router.reply import reply_to
from cogs.core.router.router import seat_at
from cogs.core.screen import freshness, pressed
from cogs.core.session.table_session import TableSession
from cogs.core.session.tables import Tables
from engine.contract import Action

EARLIER = "That button belongs to an earlier moment of the game; nothing was done. This is how it stands now."


class Moves:
    """Lets people move."""

    def __init__(self, tables: Tables, pages: Pages) -> None:
        self._tables = tables
        self._pages = pages

    async def press(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        """Serve a control of a game's own screen.

        Whether it is fresh is asked twice, of two views: here, since what the screen makes of an old control means
        nothing, and under the lock, since the game may have gone on while the screen was asked, outside it. Both end
        in `Stale`, and that here.
        """
        try:
            if control.verb in session.screen.open_verbs and session.table.state is not None:
                await self._look(interaction, session, control)
            else:
                await self._serve(interaction, session, control)
        except Stale:
            session.message.doubted()
            await self._pages.tell_aside(interaction, session, EARLIER)

    async def _look(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        """Show what anybody may ask to see."""
        table = session.table
        view = table.view(table.seat_of(interaction.user.id))
        shown = await asyncio.to_thread(pressed, session.screen, view, table.info(), control)
        assert isinstance(shown, Page), f"{control.verb} is open to all and may only show something"
        if view.seat is not None:
            shown = Page((*shown.blocks, BACK), shown.colour)
        await self._pages.show_privately(interaction, session, shown)

    async def _serve(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        table, screen = session.table, session.screen
        seat = seat_at(session, interaction.user.id)
        if table.in_lobby:
            raise UserError("The game has not begun.")
        if table.row.status == "closed":
            raise UserError(f"This table is closed. Open another one with `/{screen.command} start`.")
        if not table.playing:
            raise UserError("This game is over. Press Rematch to play again.")
        view = table.view(seat)
        if control.verb in screen.plain_verbs:
            wanted = pressed(screen, view, table.info(), control)
        else:
            wanted = await asyncio.to_thread(pressed, screen, view, table.info(), control)
        if isinstance(wanted, Page):
            await self._pages.cockpit(interaction, session, control, shown=wanted)
        elif isinstance(wanted, Form):
            await reply_to(interaction).ask(wanted, table.id, view.stamp)
        else:
            await self._tables.act(session, seat, wanted, moment_of(interaction), freshness(screen, control))
            receipt = screen.receipt(wanted)
            await self._pages.answer(interaction, session, "" if receipt is None else f"{TAKEN} {receipt}")

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
        if not session.table.playing:
            raise UserError("There is no game under way at this table.")
        try:
            await self._tables.act(session, seat, action, moment_of(interaction))
        except UserError as error:
            await self._pages.tell(interaction, session, error.sentence)
            return
        session.message.refresh()
        await self._pages.cockpit(interaction, session, line=f"{TAKEN} {done}")

    async def typed(self, message: discord.Message, game: str, action: Action) -> None:
        """Serve a move that somebody typed in the channel, if they play there at one table of this game."""
        assert message.guild is not None
        user, channel = message.author.id, message.channel.id
        try:
            rows = await self._tables.store.tables.of(user, guild=message.guild.id, channel=channel)
            playing = [row.id for row in rows if row.game == game and row.status == "playing"]
            session = await self._tables.session(playing[0]) if len(playing) == 1 else None
            seat = None if session is None else session.table.seat_of(user)
            if session is not None and seat is not None:
                await self._tables.act(session, seat, action, moment_of(message))
                session.message.refresh()
        except Exception as error:
            await answer_typed(self._tables.client, message, error)
