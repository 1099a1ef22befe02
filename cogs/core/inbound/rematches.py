"""Tables that follow others: the rematch of a finished game, and a closed lobby that is opened again."""

import asyncio
from dataclasses import dataclass, field

from cogs.core.i18n.translation import _, public_label
from cogs.core.inbound.access import is_moderator
from cogs.core.inbound.request import Handler, TableHandler, TableRequest
from cogs.core.inbound.spectators import Spectators
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.inbound.table_opening import TableOpener, begin
from cogs.core.ops.errors import UserError
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.game_ui import marked
from cogs.core.publishing.end_of_game import only_for_players
from cogs.core.publishing.message_links import game_link, table_link
from cogs.core.publishing.publisher import Publisher
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import lobby
from cogs.core.tables.snapshot import TableSnapshot
from data.background import BackgroundTasks
from data.store import NewTable, Store, TableRow, user_list, users_in
from engine.contract import Moment


@dataclass(eq=False)
class Rematches:
    """Serves rematches: tables that gather the people of a finished game, and begin once all of them sit there."""

    games: GameCatalog
    store: Store
    publisher: Publisher
    finder: TableFinder
    opener: TableOpener
    tasks: BackgroundTasks
    spectators: Spectators
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    def handlers(self) -> tuple[Handler, ...]:
        """Return the handlers."""
        return (
            TableHandler("rematch", self._rematch),
            TableHandler("rematch-open", self._let_others_join),
            TableHandler("reopen", self._reopen),
        )

    async def _reopen(self, request: TableRequest) -> None:
        """Open a lobby again that was closed, if as many tables may be open now."""
        await self.opener.check_channel(request.interaction)
        if lobby.can_reopen(request.snapshot):
            await self.opener.check_limits(request.snapshot)
        await request.table.act(lobby.reopen, request.user.id, request.at, is_moderator(request.interaction))
        await request.answer()

    async def is_open_to(self, row: TableRow, user: int) -> bool:
        """Return False for a rematch that gathers those who played before as long as it was not opened to others, and a
        user who is none of them.
        """
        before = lobby.hidden_rematch_of(row)
        if before is None or user in users_in(row.invited):
            return True
        return any(seat.user == user for seat in await self.store.seats.of(before))

    async def check_may_join(self, row: TableRow, user: int) -> None:
        """Raise `UserError` for a rematch that is not open to a user."""
        if row.rematch_of is not None and not await self.is_open_to(row, user):
            raise UserError(only_for_players(row.rematch_of))

    async def begin_if_complete(self, messages: TableMessages, at: Moment) -> None:
        """Begin a rematch if all people who played before sit there."""
        table, now = messages.table, messages.table.snapshot
        if now.row.rematch_of is None or not now.in_lobby:
            return
        before = await self.store.seats.of(now.row.rematch_of)
        wanted = {row.user for row in before if row.user is not None}
        if not wanted <= {row.user for row in now.seats} or len(now.seats) not in table.game.player_counts:
            return
        await table.act(lobby.sit_as_before, before)
        await begin(self.games, table, at)
        self.spectators.rematch_began(table)
        self.tasks.spawn(self._call(messages), f"rematch-{table.id}")

    async def _call(self, messages: TableMessages) -> None:
        """Show a rematch that has begun, mention its players once, and link to it from the game before. A person who
        plays alone has just pressed, and is not mentioned.
        """
        messages.message.invalidate()
        await messages.message.settle()
        table = messages.table.snapshot
        if table.row.rematch_of is not None:
            await self.publisher.show_rematch(table.row.rematch_of)
        if not table.alone:
            await messages.reminder.call(lambda: _("the rematch starts"))

    async def _rematch(self, request: TableRequest) -> None:
        table, user = request.table, request.user
        if table.snapshot.row.status != "over":
            raise UserError(_("This game isn't over yet."))
        request.require_seat()
        if table.snapshot.practice:
            raise UserError(_("*Play again* starts another practice game."))
        await self.opener.check_channel(request.interaction)
        async with self._lock:  # two who press at once mean the same rematch
            following = await self._gathering(table.id)
            if following is None:
                following = await self._open(table.snapshot, request)
                self.tasks.spawn(_call_players(following, request), f"call-players-{following.table.id}")
            elif following.table.snapshot.seat_of(user.id) is not None:
                raise UserError(
                    _(
                        "You're in already. The rematch starts when everyone has pressed *{rematch}*. "
                        "*{others}* opens its table, where you can also leave.",
                        rematch=public_label("Rematch"),
                        others=public_label("Let others join"),
                    )
                )
            else:
                await following.table.act(lobby.join, user.id, user.display_name, request.at)
            await self.begin_if_complete(following, request.at)
        await self.publisher.show_rematch(table.id)
        responder, rematch = request.responder, following.table
        await request.messages.message.answer(responder)
        if rematch.snapshot.playing and rematch.snapshot.alone and rematch.game.has_hidden_info and responder.on_table:
            await following.message.settle()  # what comes later is further down
            await following.pages.answer(responder, new_message=True)

    async def _let_others_join(self, request: TableRequest) -> None:
        request.require_seat()
        following = await self._gathering(request.table.id)
        if following is None or following.table.snapshot.seat_of(request.user.id) is None:
            raise UserError(
                _("Press *{rematch}* first. Then you can let others join.", rematch=public_label("Rematch"))
            )
        await following.open_rematch()
        await self.publisher.show_rematch(request.table.id)
        await request.messages.message.answer(request.responder)

    async def _gathering(self, table: int) -> TableMessages | None:
        """Return the rematch that gathers, if one does. Raises `UserError` if it has begun."""
        row = await self.store.tables.rematch_of(table)
        following = None if row is None else await self.finder.find(row.id)
        if following is None or following.table.snapshot.in_lobby:
            return following
        if following.table.snapshot.playing:
            where = table_link(following.table.id, following.link())
            raise UserError(_("The rematch has already started: {table}.", table=where))
        return None

    async def _open(self, table: TableSnapshot, request: TableRequest) -> TableMessages:
        row = table.row
        levels = [seat.level for seat in table.seats if seat.level is not None]
        lapsed = await self.store.tables.rematch_of(row.id)
        kicked = users_in(row.kicked if lapsed is None else lapsed.kicked)
        new = NewTable(
            game=row.game,
            guild=row.guild,
            channel=row.channel,
            opener=request.user.id,
            options=row.options,
            created_at=request.at,
            due=lobby.closes_at(table.begin_options, request.at),
            rematch_of=row.id,
            parent=row.parent,
            kicked=user_list(user for user in kicked if user != request.user.id),
        )
        return await self.opener.open(new, lobby.initial_seats(request.user.id, request.user.display_name, levels))


async def _call_players(rematch: TableMessages, request: TableRequest) -> None:
    """Mention the others who played, once somebody wants a rematch; not if the rematch has begun meanwhile."""
    played, table = request.snapshot, rematch.table.snapshot
    missing = [row.user for row in played.seats if row.user is not None and table.seat_of(row.user) is None]
    seat = request.require_seat()
    name = marked(seat, played.seats[seat].name)

    def words() -> str:
        where = game_link(table, request.messages.link(), played.id)
        return _(
            "{name} wants a rematch · press *{rematch}* at {where}",
            name=name,
            rematch=public_label("Rematch"),
            where=where,
        )

    if table.in_lobby:
        await rematch.lobby_mentions.call_players(missing, words)
