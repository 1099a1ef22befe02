"""Handlers for joining, leaving, returning, and managing a table. The rules of a lobby are in
`cogs.core.tables.lobby`.
"""

from typing import Any, cast

import discord

from cogs.core.inbound.command_validation import MAX_ID, number
from cogs.core.inbound.handlers import Handler, TableHandler
from cogs.core.inbound.player_actions import seat_at
from cogs.core.inbound.table_opening import invite
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import UserError
from cogs.core.pages import display_names
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.page import Page, Text
from cogs.core.pages.player_page import BACK
from cogs.core.publishing import absence_pages
from cogs.core.publishing.lobby_pages import check_can_manage, others
from cogs.core.publishing.page_builder import after_practice
from cogs.core.publishing.player_page_host import TAKEN
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import absence, lobby

MANAGE, OPTIONS, CLOSING = (
    ComponentPress(0, 0, "manage"),
    ComponentPress(0, 0, "options"),
    ComponentPress(0, 0, "cancel"),
)
"""The controls that open the host's pages."""


class LobbyHandlers:
    """Serves the controls of a lobby, and the seats of a game."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables

    def handlers(self) -> tuple[Handler, ...]:
        """Return the handlers."""
        return (
            TableHandler("join", self._join),
            TableHandler("thread-join", self._join_thread),
            TableHandler("leave", self._leave),
            TableHandler("leave-sure", self._leave_for_sure, seated=True),
            TableHandler("back", self._back, seated=True),
            TableHandler("decline-invite", self._decline),
            TableHandler("manage", self._manage),
            TableHandler("add", self._add),
            TableHandler("drop", self._drop),
            TableHandler("invite", self._invite),
            TableHandler("uninvite", self._uninvite),
            TableHandler("send-out", self._send_out),
            TableHandler("begin", self._start),
            TableHandler("options", self._options),
            TableHandler("option", self._option),
            TableHandler("heir", self._hand_over),
            TableHandler("cancel", self._cancel),
            TableHandler("cancel-sure", self._cancel_for_sure),
        )

    # Seats

    async def _join(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        await self.join(interaction, messages)

    async def _join_thread(
        self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress
    ) -> None:
        await self.join(interaction, messages, elsewhere=True)

    async def join(self, interaction: discord.Interaction, messages: TableMessages, elsewhere: bool = False) -> None:
        """Seat the one who asks; the game begins where they were the one whom it waited for. They may
        be `elsewhere` than the table. Raises `UserError`.
        """
        table, user = messages.table, interaction.user
        await table.act(lobby.join, user.id, user.display_name, self._tables.clock.now())
        if user.id == table.snapshot.row.invited and len(table.snapshot.seats) == table.game.player_counts[-1]:
            await self._tables.begin(messages.table)
        await self._tables.begin_rematch(messages)
        if elsewhere:
            where = f"{TAKEN} You have a seat. It is played in <#{table.snapshot.row.channel}>."
            await messages.player_pages(interaction).answer(interaction, line=where)
        else:
            await messages.answer(interaction)
        self._tables.spawn(messages.cleanup.delete_all(), f"erase-{table.id}")

    async def _leave(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        if messages.table.snapshot.playing:
            seat = seat_at(messages, interaction.user.id)
            if messages.table.snapshot.seats[seat].caretaker:
                raise UserError(absence_pages.already_away_text(messages.table.snapshot))
            asked = absence_pages.leave_page(messages.ui, messages.table.snapshot, seat)
            page = Page((*asked.blocks, BACK), asked.colour)
            await messages.show(interaction, page)
            return
        await messages.table.act(lobby.leave, interaction.user.id, self._tables.clock.now())
        visible = responder_for(interaction).on_table  # there everybody sees who sits, and who does not
        await messages.answer(interaction, "" if visible else f"{TAKEN} You have left table {messages.table.id}.")

    async def _leave_for_sure(
        self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress
    ) -> None:
        seat = seat_at(messages, interaction.user.id)
        if messages.table.snapshot.practice:
            await self._tables.end(messages.table.id, "You have ended it.")
            page = Page(
                (Text("The game is ended."), *after_practice(messages.table.snapshot, reviewed=False)),
                messages.ui.colour,
            )
            await messages.show(interaction, page)
            return
        if control.argument == absence_pages.END_GAME:
            if not messages.table.snapshot.alone:
                raise UserError("Others play here, too: you can leave the game, and it goes on without you.")
            name = display_names.bold(interaction.user.display_name)
            await self._tables.end(messages.table.id, f"{name} played alone, and has ended it.")
            await messages.player_pages(interaction).answer(interaction)
            return
        await messages.table.act(absence.leave, seat, self._tables.clock.now())
        # Their page goes on showing the state of the table: a computer plays for them only until it closes.
        words = absence_pages.left_text(messages.table.snapshot, seat)
        await messages.player_pages(interaction).answer(interaction, line=f"{TAKEN} {words}" if words else "")

    async def _back(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        seat = seat_at(messages, interaction.user.id)
        await messages.table.act(absence.back, seat, self._tables.clock.now())
        await messages.answer(interaction)

    async def _decline(
        self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress
    ) -> None:
        await messages.table.act(lobby.decline, interaction.user.id, self._tables.clock.now())
        await messages.answer(interaction)
        self._tables.spawn(messages.cleanup.delete_all(), f"erase-{messages.table.id}")

    async def _start(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        lobby.check_opener(messages.table.snapshot, interaction.user.id, "start the game")
        await self._tables.begin(messages.table)
        await messages.answer(interaction)

    # The host's private page

    async def _manage(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        lobby.check_open(messages.table.snapshot)
        check_can_manage(messages.table.snapshot, interaction.user.id)
        await messages.player_pages(interaction).answer(interaction, MANAGE)

    async def _show_managing(self, interaction: discord.Interaction, messages: TableMessages, line: str = "") -> None:
        """Show the host the page on which they manage the table."""
        await messages.player_pages(interaction).answer(interaction, MANAGE, line)

    async def _add(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        await messages.table.act(lobby.add_bot, interaction.user.id, control.argument, self._tables.clock.now())
        await self._show_managing(interaction, messages)

    async def _drop(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        await messages.table.act(lobby.drop_bot, interaction.user.id, self._tables.clock.now())
        await self._show_managing(interaction, messages)

    async def _invite(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        whom, bot = _chosen(interaction, control)
        await messages.table.act(lobby.invite, interaction.user.id, whom, bot, self._tables.clock.now())
        await self._show_managing(interaction, messages, f"{TAKEN} <@{whom}> is invited.")
        self._tables.spawn(invite(messages), f"invite-{messages.table.id}")

    async def _uninvite(
        self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress
    ) -> None:
        await messages.table.act(lobby.withdraw, interaction.user.id, self._tables.clock.now())
        await self._show_managing(interaction, messages)
        self._tables.spawn(messages.cleanup.delete_all(), f"erase-{messages.table.id}")

    async def _send_out(
        self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress
    ) -> None:
        whom = _person(control)
        await messages.table.act(lobby.kick, interaction.user.id, whom, self._tables.clock.now())
        await self._show_managing(interaction, messages, f"{TAKEN} <@{whom}> has no seat here any more.")

    async def _options(
        self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress
    ) -> None:
        lobby.check_opener(messages.table.snapshot, interaction.user.id, "set the options")
        await messages.player_pages(interaction).answer(interaction, OPTIONS)

    async def _option(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        value = control.values[0] if control.values else ""
        await messages.table.act(
            lobby.set_option, interaction.user.id, control.argument, value, self._tables.clock.now()
        )
        await messages.player_pages(interaction).answer(interaction, OPTIONS)

    async def _hand_over(
        self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress
    ) -> None:
        new_host = _person(control)
        await messages.table.act(lobby.hand_over, interaction.user.id, new_host, self._tables.clock.now())
        await self._show_managing(interaction, messages, f"{TAKEN} <@{new_host}> is the host now.")

    async def _cancel(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        """Close the table; its host is asked first where others sit there."""
        table = messages.table
        if table.snapshot.in_lobby and table.snapshot.row.opener == interaction.user.id and others(table.snapshot):
            await messages.player_pages(interaction).answer(interaction, CLOSING)
        else:
            await self._cancel_for_sure(interaction, messages, control)

    async def _cancel_for_sure(
        self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress
    ) -> None:
        moderator = interaction.permissions.manage_guild or interaction.permissions.manage_messages
        await messages.table.act(lobby.cancel, interaction.user.id, self._tables.clock.now(), moderator)
        await messages.answer(interaction)


def _person(control: ComponentPress) -> int:
    """Return the number of the person that was chosen; 0 for what is none."""
    return next((number(value, MAX_ID) for value in control.values), None) or 0


def _chosen(interaction: discord.Interaction, control: ComponentPress) -> tuple[int, bool]:
    """Return the chosen member of the server, and whether it is a bot. Raises `UserError` for a user about whom Discord
    sends no data, or who is no member.
    """
    whom = _person(control)
    resolved = cast("dict[str, Any]", interaction.data or {}).get("resolved") or {}
    found = (resolved.get("users") or {}).get(str(whom))
    if found is None or str(whom) not in (resolved.get("members") or {}):
        raise UserError("I do not know whom you mean. Choose somebody on this server from the list.")
    return whom, bool(found.get("bot"))
