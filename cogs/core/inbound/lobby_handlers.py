"""Handlers for joining, leaving, returning, and managing a table."""

from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from cogs.core.i18n.translation import _
from cogs.core.inbound.access import is_moderator
from cogs.core.inbound.command_validation import MAX_ID, number
from cogs.core.inbound.rematches import Rematches
from cogs.core.inbound.request import Handler, TableHandler, TableRequest
from cogs.core.inbound.spectators import Spectators
from cogs.core.inbound.table_opening import begin, call_host, invite
from cogs.core.ops.errors import UserError
from cogs.core.pages import display_names
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.page import Page, Text
from cogs.core.pages.player_page import TAKEN, back_row
from cogs.core.publishing import absence_pages
from cogs.core.publishing.end_of_game import after_practice
from cogs.core.publishing.lobby_pages import MODERATE, check_can_manage, others
from cogs.core.tables import absence, changes, lobby
from data.background import BackgroundTasks

MANAGE, OPTIONS, CLOSING, MODERATING = (
    ComponentPress(0, 0, "manage"),
    ComponentPress(0, 0, "options"),
    ComponentPress(0, 0, "cancel"),
    ComponentPress(0, 0, MODERATE),
)
"""The controls that open the pages of hosts and moderators."""


@dataclass(eq=False)
class LobbyHandlers:
    """Serves the controls of a lobby, and the seats of a game."""

    games: GameCatalog
    rematches: Rematches
    tasks: BackgroundTasks
    spectators: Spectators

    def handlers(self) -> tuple[Handler, ...]:
        """Return the handlers."""
        return (
            TableHandler("join", self.join),
            TableHandler("thread-join", partial(self.join, elsewhere=True)),
            TableHandler("leave", self.leave),
            TableHandler("leave-sure", self._leave_for_sure, seated=True),
            TableHandler("back", self._back, seated=True),
            TableHandler("decline-invite", self._decline),
            TableHandler("manage", self._manage),
            TableHandler("add", self._add),
            TableHandler("drop", self._drop),
            TableHandler("invite", self._invite),
            TableHandler("uninvite", self._uninvite),
            TableHandler("send-out", self._send_out),
            TableHandler("begin", self.start),
            TableHandler("options", self._options),
            TableHandler("option", self._option),
            TableHandler("heir", self._hand_over),
            TableHandler("take-over", self._take_over),
            TableHandler("cancel", self._cancel),
            TableHandler("cancel-sure", self._cancel_for_sure),
        )

    # Seats

    async def join(self, request: TableRequest, elsewhere: bool = False) -> None:
        """Seat the one who asks; the game begins where they were the one whom it waited for. They may
        be `elsewhere` than the table. Raises `UserError`.
        """
        table, user = request.table, request.user
        await self.rematches.check_may_join(table.snapshot.row, user.id)
        await table.act(lobby.join, user.id, user.display_name, request.at)
        if lobby.begins_by_itself(table.snapshot, user.id):
            await self._begin(request)
        await self.rematches.begin_if_complete(request.messages, request.at)
        if elsewhere:
            where = _("You're in. The game is in {channel}.", channel=f"<#{table.snapshot.row.channel}>")
            await request.show_player_page(line=f"{TAKEN} {where}")
        else:
            await request.answer()

    async def leave(self, request: TableRequest) -> None:
        """Give up the seat of the one who asks; in a game they are asked first. Raises `UserError`."""
        if request.snapshot.playing:
            seat = request.require_seat()
            if request.snapshot.seats[seat].caretaker:
                raise UserError(_(absence_pages.ALREADY_AWAY))
            asked = absence_pages.leave_page(request.ui, request.snapshot, seat)
            page = Page((*asked.blocks, back_row()), asked.colour)
            await request.show(page)
            return
        await request.table.act(lobby.leave, request.user.id, request.at)
        visible = request.responder.on_table  # there everybody sees who sits, and who does not
        left = _("You left table {table}.", table=request.table.id)
        await request.answer("" if visible else f"{TAKEN} {left}")

    async def _leave_for_sure(self, request: TableRequest) -> None:
        seat = request.require_seat()
        if request.snapshot.practice:
            await request.table.act(changes.close, lambda: _("You ended it."), request.at)
            page = Page(
                (Text(_("Game ended.")), *after_practice(request.snapshot, reviewed=False)),
                request.ui.colour,
            )
            await request.show(page)
            return
        if request.control.argument == absence_pages.END_GAME:
            if not request.snapshot.alone:
                raise UserError(_("Others are playing too. You can leave the game; it goes on without you."))
            name = display_names.bold(request.user.display_name)

            def why() -> str:
                return _("{name} played alone and ended it.", name=name)

            await request.table.act(changes.close, why, request.at)
            await request.show_player_page()
            return
        await request.table.act(absence.leave, seat, request.at)
        # Their page goes on showing the state of the table: a computer plays for them only until it closes.
        words = absence_pages.left_text(request.snapshot)
        await request.show_player_page(line=f"{TAKEN} {words}" if words else "")

    async def _back(self, request: TableRequest) -> None:
        seat = request.require_seat()
        await request.table.act(absence.back, seat, request.at)
        await request.answer()

    async def _decline(self, request: TableRequest) -> None:
        await request.table.act(lobby.decline, request.user.id, request.at)
        await request.answer()

    async def start(self, request: TableRequest) -> None:
        """Begin the game. A host who plays alone gets their own page if they need one: nothing else notifies them.
        Raises `UserError`.
        """
        lobby.check_opener(request.snapshot, request.user.id, lobby.STARTS_GAME)
        await self._begin(request)
        await request.answer()
        needed = request.snapshot.alone and request.table.game.has_hidden_info and request.responder.on_table
        if needed and request.user.id not in request.messages.pages.open:
            await request.pages.answer(request.responder, new_message=True)

    async def _begin(self, request: TableRequest) -> None:
        await begin(self.games, request.table, request.at)
        self.spectators.rematch_began(request.table)

    # The host's private page

    async def _manage(self, request: TableRequest) -> None:
        lobby.check_open(request.snapshot)
        moderates = is_moderator(request.interaction) and request.user.id != request.snapshot.row.opener
        if not moderates:
            check_can_manage(request.snapshot, request.user.id)
        await request.show_player_page(MODERATING if moderates else MANAGE)

    async def _add(self, request: TableRequest) -> None:
        await request.table.act(lobby.add_bot, request.user.id, request.control.argument, request.at)
        await request.show_player_page(MANAGE)

    async def _drop(self, request: TableRequest) -> None:
        await request.table.act(lobby.drop_bot, request.user.id, request.at)
        await request.show_player_page(MANAGE)

    async def _invite(self, request: TableRequest) -> None:
        whom, bot = _chosen(request)
        await request.table.act(lobby.invite, request.user.id, whom, bot, request.at, is_moderator(request.interaction))
        invited = _("You invited {player}.", player=f"<@{whom}>")
        await request.show_player_page(MANAGE, f"{TAKEN} {invited}")
        by = request.user.display_name
        self.tasks.spawn(invite(request.messages, whom, by), f"invite-{request.table.id}")

    async def _uninvite(self, request: TableRequest) -> None:
        whom = _person(request.control) if request.control.values else None
        await request.table.act(lobby.withdraw, request.user.id, whom, request.at)
        await request.show_player_page(MANAGE)

    async def _send_out(self, request: TableRequest) -> None:
        whom = _person(request.control)
        await request.table.act(lobby.kick, request.user.id, whom, request.at)
        kicked = _("You kicked {player}.", player=f"<@{whom}>")
        await request.show_player_page(MANAGE, f"{TAKEN} {kicked}")

    async def _options(self, request: TableRequest) -> None:
        lobby.check_opener(request.snapshot, request.user.id, lobby.CHANGES_OPTIONS)
        await request.show_player_page(OPTIONS)

    async def _option(self, request: TableRequest) -> None:
        value = request.control.values[0] if request.control.values else ""
        await request.table.act(lobby.set_option, request.user.id, request.control.argument, value, request.at)
        await request.show_player_page(OPTIONS)

    async def _hand_over(self, request: TableRequest) -> None:
        new_host = _person(request.control)
        await request.table.act(lobby.hand_over, request.user.id, new_host, request.at)
        handed = _("{player} is now the host.", player=f"<@{new_host}>")
        await request.show_player_page(MANAGE, f"{TAKEN} {handed}")

    async def _take_over(self, request: TableRequest) -> None:
        await request.table.act(lobby.take_over, request.user.id, request.at, is_moderator(request.interaction))
        if request.snapshot.row.opener == request.user.id:
            host = _("You're now the host.")
            await request.show_player_page(MANAGE, f"{TAKEN} {host}")
            return
        due = f"<t:{(request.snapshot.row.heir_due or request.at) // 1_000}:R>"
        # Translators: {when} is a time such as "in 2 minutes".
        line = _("You become the host {when}, unless the host responds first.", when=due)
        await request.show_player_page(line=f"{TAKEN} {line}")
        self.tasks.spawn(call_host(request.messages), f"call-host-{request.table.id}")

    async def _cancel(self, request: TableRequest) -> None:
        """Close the table; its host is asked first where others sit there."""
        table = request.table
        if table.snapshot.in_lobby and table.snapshot.row.opener == request.user.id and others(table.snapshot):
            await request.show_player_page(CLOSING)
        else:
            await self._cancel_for_sure(request)

    async def _cancel_for_sure(self, request: TableRequest) -> None:
        await request.table.act(lobby.cancel, request.user.id, request.at, is_moderator(request.interaction))
        await request.answer()


def _person(control: ComponentPress) -> int:
    """Return the number of the person that was chosen; 0 for what is none."""
    return next((number(value, MAX_ID) for value in control.values), None) or 0


def _chosen(request: TableRequest) -> tuple[int, bool]:
    """Return the chosen member of the server, and whether it is a bot. Raises `UserError` for a user about whom Discord
    sends no data, or who is no member.
    """
    whom = _person(request.control)
    resolved = cast("dict[str, Any]", request.interaction.data or {}).get("resolved") or {}
    found = (resolved.get("users") or {}).get(str(whom))
    if found is None or str(whom) not in (resolved.get("members") or {}):
        raise UserError(_("I don't know who you mean. Choose someone on this server from the list."))
    return whom, bool(found.get("bot"))
