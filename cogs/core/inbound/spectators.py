"""People who watch a game without a seat: they are told privately how it ends, and of a rematch.

Nobody sees who watches: there are no messages for them in the channel, and none of their pages is updated.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import discord

from cogs.core.i18n.translation import Words, _, public_label
from cogs.core.inbound.access import find_readable, may_see
from cogs.core.inbound.request import Handler, TableHandler, TableRequest
from cogs.core.ops import discord_errors
from cogs.core.ops.errors import UserError
from cogs.core.pages.page import Block, Button, Page, RenderedPage, Row, Text
from cogs.core.publishing.lobby_pages import closed_words
from cogs.core.publishing.message_links import game_link
from cogs.core.publishing.publisher import Publisher
from cogs.core.tables.component import TableComponent
from cogs.core.tables.language_choice import LanguageChoice
from cogs.core.tables.moves import check_playing
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from data.store import Store, StoreError

log = logging.getLogger(__name__)

LOG = "log"
"""The verb of the button for games whose UI has a log."""


@dataclass(eq=False)
class Spectators(TableComponent):
    """Serves the pages of people who watch, and tells them what becomes of the game. `table_page` composes the public
    page.
    """

    client: discord.Client
    store: Store
    publisher: Publisher
    tasks: BackgroundTasks
    language_choice: LanguageChoice
    table_page: Callable[[TableSnapshot], Awaitable[RenderedPage]]
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    def handlers(self) -> tuple[Handler, ...]:
        """Return the handlers."""
        return TableHandler("watch", self._watch), TableHandler("watch-board", self._show_board)

    # Their pages

    async def show(self, request: TableRequest) -> None:
        """Show a person without a seat what they can do at a running game. Raises `UserError`."""
        await self._check(request)
        watches = request.user.id in await self.store.watchers.of(request.table.id)
        if watches:
            words = _("You're watching. I'll send you a DM when the game ends, and if there's a rematch.")
            toggle = Button(_("Stop watching"), "watch", "off")
        else:
            started = _("The game has started, so no one can join any more.")
            words = _("If you watch this game, I'll send you a DM when it ends, and if there's a rematch.")
            words = f"{started} {words}"
            # Translators: a button; the reader starts to follow a game of others.
            toggle = Button(_("Watch"), "watch", "on", "success")
        game, number = request.ui.title, request.table.id
        heading, unseen = _("### {game} · table {table}", game=game, table=number), _("No one sees who's watching.")
        key = request.table.game.key
        more = (Button(_("Log"), LOG),) if LOG in request.ui.public_actions else ()
        blocks: list[Block] = [
            Text(f"{heading}\n{words}\n-# {unseen}"),
            Row((toggle, Button(_("Show the board"), "watch-board"), Button(_("Text view"), "text"))),
            Row((*more, Button(_("Rules"), "rules", key), Button(_("Start your own game"), "play", key))),
        ]
        await request.show(Page(tuple(blocks), request.ui.colour))

    async def _watch(self, request: TableRequest) -> None:
        await self._check(request)
        if request.control.argument == "off":
            await self.store.watchers.remove(request.table.id, request.user.id)
        else:
            await self.store.watchers.add(request.table.id, request.user.id, request.at)
        await self.show(request)

    async def _show_board(self, request: TableRequest) -> None:
        """Show what everybody sees now. The page is not updated."""
        await self._check(request)
        shown = (await self.table_page(request.snapshot)).page.without_controls()
        back = Row((Button(_("Show it again"), "watch-board"), Button(_("◀ Back"), "hand")))
        await request.show(Page((*shown.blocks, back), shown.colour))

    async def _check(self, request: TableRequest) -> None:
        if request.seat is not None:
            raise UserError(
                _("You're playing at this table. *{play}* opens your private view.", play=public_label("Play"))
            )
        check_playing(request.snapshot)
        await find_readable(self.store, request.table.id, request.interaction)

    # What they are told

    def loaded(self, table: Table) -> None:
        """Tell people what they were not told before a restart. Does not block."""
        self.game_ended(table)

    def game_ended(self, table: Table) -> None:
        """Tell those who watch a table how its game has ended, if it has. Does not block."""
        if table.snapshot.ended and not table.silent:
            self._spawn(self._tell_end(table), table)

    def rematch_began(self, table: Table) -> None:
        """Tell those who watched the game before, if a game is a rematch. Does not block."""
        if table.snapshot.row.rematch_of is not None:
            self._spawn(self._tell_rematch(table, table.snapshot.row.rematch_of), table)

    def _spawn(self, work: Awaitable[None], table: Table) -> None:
        async def tell() -> None:
            try:
                async with self._lock:
                    await work
            except StoreError as error:
                log.warning("table %s: who watches it could not be read: %s", table.id, error)

        self.tasks.spawn(tell(), f"tell-watchers-{table.id}")

    async def _tell_end(self, table: Table) -> None:
        watchers = [user for user, told in (await self.store.watchers.of(table.id)).items() if not told]
        if not watchers:
            return
        messages = self.publisher.of(table)
        await messages.message.settle()
        now = table.snapshot

        def words() -> str:
            if now.row.status == "over":
                ending = messages.ui.status(now.view(None), now.info()).partition("\n")[0]
            else:
                ending = closed_words(now)
            over = _("The game you watched is over: {table}", table=game_link(now, messages.link()))
            return f"{over}\n{ending}"

        for user in watchers:
            if await self._tell(table, user, words, "e"):
                await self.store.watchers.set_told(table.id, user)

    async def _tell_rematch(self, table: Table, before: int) -> None:
        watchers = await self.store.watchers.of(before)
        if not watchers:
            return
        messages = self.publisher.of(table)
        await messages.message.settle()

        def words() -> str:
            where = game_link(table.snapshot, messages.link())
            return _("The rematch of a game you watched has started: {table}", table=where)

        for user in watchers:
            if table.snapshot.seat_of(user) is None:
                await self._tell(table, user, words, "r")
        await self.store.watchers.remove(before)

    async def _tell(self, table: Table, user: int, words: Words, kind: str) -> bool:
        """Send a person a direct message in their language, if they see the table's channel now. Return False to try
        again later.
        """
        row = table.snapshot.row
        with await self.language_choice.for_reader(user, row.guild):
            text = words()
        try:
            async with table.unasked_call(None, user):
                if not await may_see(self.client, row.guild, row.channel, user):
                    return True
            async with table.unasked_call(None, user):
                channel = await self.client.create_dm(discord.Object(user))
            async with table.unasked_call(None, user):
                await channel.send(text, nonce=f"{row.id}.w{kind}", suppress_embeds=True)
        except discord_errors.API_ERRORS as error:
            log.warning("table %s: somebody who watches could not be told: %s", row.id, error)
            return not discord_errors.is_transient(error)
        return True
