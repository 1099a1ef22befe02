"""Practice: a game with computers alone and in private, on no server. It is a table like any other, but nobody else
ever sees it, and nothing of it counts.

It is played in the direct messages with the bot. Where the bot may write nobody, or somebody who has installed it for
themselves asks for it elsewhere, it is played on a private panel, by answers to what is pressed alone.
"""

import discord
import msgspec

from cogs.core.inbound.access import off_server
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import UserError
from cogs.core.pages.page import Link, Page, Row, Text
from cogs.core.publishing.responder import reply_to
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import lobby
from data.store import NO_SERVER, NewTable
from engine.contract import Moment
from engine.players import LEVELS


class Practice:
    """Opens practice games, and leads back to them."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables

    async def open(self, interaction: discord.Interaction, game: str, level: str) -> None:
        """Open a practice game against computers of a level, as few of them as the game takes. Raises `UserError` for a
        level that there is not, and for somebody who has too many under way.
        """
        levels = [known for known in LEVELS if known == level]
        if not levels:
            raise UserError("There is no such computer player. `/play` shows the games anew.")
        user, now, rules = interaction.user, self._tables.clock.now(), self._tables.played(game)
        options = msgspec.structs.replace(rules.options(), clock=0)
        seats = lobby.first_seat(user.id, user.display_name, levels * (rules.player_counts[0] - 1))
        session = await self._tables.open(
            NewTable(
                game=game,
                guild=NO_SERVER,
                channel=interaction.channel_id or 0,
                opener=user.id,
                options=msgspec.json.encode(options).decode(),
                created_at=now,
                due=Moment(now + lobby.CLOSES_AFTER_MS),
            ),
            seats,
        )
        await self._tables.begin(session.table)
        await self._show(interaction, session)

    async def under_way(self, user: int) -> list[TableMessages]:
        """Return somebody's practice games that are not over yet."""
        found, _ = await self._tables.readable(await self._tables.store.tables.of(user, guild=NO_SERVER))
        return [session for session in found if session.table.snapshot.playing]

    async def go_on(self, interaction: discord.Interaction, number: int | None) -> None:
        """Show somebody a practice game of theirs again. Raises `UserError` where there is none of this number."""
        found = await self.under_way(interaction.user.id)
        session = next((one for one in found if one.table.id == number), None)
        if session is None:
            raise UserError("That game is over. `/play` begins another.")
        await self._show(interaction, session)

    async def _show(self, interaction: discord.Interaction, session: TableMessages) -> None:
        user = interaction.user.id
        await self._tables.visit(session, user)
        if off_server(interaction):
            await session.cockpits(interaction).answer(interaction)
            return
        session.direct_messages.renew(user)  # on a server it is played where nobody else sees that it is
        await session.direct_messages.settle()
        row = session.table.snapshot.seats[session.table.snapshot.seat_of(user) or 0]
        if row.dm_message is None:
            await session.cockpits(interaction).answer(interaction)
            return
        words = Text(f"### {session.table.game.title}\nYour practice game stands in our direct messages.")
        there = Link("Go there", f"https://discord.com/channels/@me/{row.dm_channel}/{row.dm_message}")
        await reply_to(interaction).show(Page((words, Row((there,))), session.screen.colour))
