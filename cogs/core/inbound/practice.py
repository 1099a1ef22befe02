"""Practice games: private tables of one person and computers, on no server, of which nothing counts. They are played in
direct messages, or on an ephemeral page where the bot may not write to the person.
"""

from dataclasses import dataclass

import msgspec

from cogs.core.i18n.translation import _
from cogs.core.inbound.access import off_server
from cogs.core.inbound.request import Request, TableRequest
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.inbound.table_opening import TableOpener, begin
from cogs.core.ops.errors import UserError
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.page import Link, Page, Row, Text
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import lobby
from data.store import NO_SERVER, NewTable, Store
from engine.contract import Moment
from engine.players import LEVELS


@dataclass(eq=False)
class Practice:
    """Opens practice games, and leads back to them."""

    games: GameCatalog
    store: Store
    finder: TableFinder
    opener: TableOpener

    async def open(self, request: Request, game: str, level: str) -> None:
        """Open a practice game against as few computers of a level as the game takes. Raises `UserError` for an unknown
        level, and for a person with too many games in progress.
        """
        levels = [known for known in LEVELS if known == level]
        if not levels:
            raise UserError(_("There's no such computer. `/play` shows the games again."))
        user, now, rules = request.user, request.at, self.games.require(game).game
        options = msgspec.structs.replace(rules.options(), clock=0)
        seats = lobby.initial_seats(user.id, user.display_name, levels * (rules.player_counts[0] - 1))
        messages = await self.opener.open(
            NewTable(
                game=game,
                guild=NO_SERVER,
                channel=request.interaction.channel_id or 0,
                opener=user.id,
                options=msgspec.json.encode(options).decode(),
                created_at=now,
                due=Moment(now + lobby.CLOSES_AFTER_MS),
            ),
            seats,
        )
        await begin(self.games, messages.table, now)
        await self._show(request.at_table(messages))

    async def under_way(self, user: int) -> list[TableMessages]:
        """Return somebody's practice games that are not over yet."""
        found, _broken = await self.finder.readable(await self.store.tables.of(user, guild=NO_SERVER))
        return [messages for messages in found if messages.table.snapshot.playing]

    async def go_on(self, request: Request, number: int | None) -> None:
        """Show a person one of their practice games again. Raises `UserError` if there is none with this number."""
        found = await self.under_way(request.user.id)
        messages = next((one for one in found if one.table.id == number), None)
        if messages is None:
            raise UserError(_("That game is over. `/play` starts a new one."))
        await self._show(request.at_table(messages))

    async def _show(self, request: TableRequest) -> None:
        messages, user = request.messages, request.user.id
        await self.finder.visit(messages, user)
        if off_server(request.interaction):
            await request.pages.resume(request.responder)
            return
        messages.direct_messages.renew(user)  # on a server it is played where nobody else sees that it is
        await messages.direct_messages.settle()
        row = request.snapshot.seats[request.seat or 0]
        if row.dm_message is None:
            await request.pages.resume(request.responder)
            return
        there = _("Your practice game is in our DMs.")
        words = Text(f"### {messages.ui.title}\n{there}")
        link = Link(_("Go to the game"), f"https://discord.com/channels/@me/{row.dm_channel}/{row.dm_message}")
        await request.responder.show(Page((words, Row((link,))), messages.ui.colour))
