"""Sitting down, getting up, coming back, and what the opener of a table decides before its game begins.

The rules of a lobby are in `cogs.core.tables.lobby`.
"""

from typing import Any, cast

import discord

from cogs.core.inbound.command_validation import MOST_ID, number
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
from cogs.core.publishing.lobby_pages import manageable, others
from cogs.core.publishing.page_builder import again
from cogs.core.publishing.player_page_host import TAKEN
from cogs.core.publishing.responder import reply_to
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import absence, lobby

MANAGE, OPTIONS, CLOSING = (
    ComponentPress(0, 0, "manage"),
    ComponentPress(0, 0, "options"),
    ComponentPress(0, 0, "cancel"),
)
"""What leads to the opener's pages."""


class LobbyHandlers:
    """Serves the controls of a lobby, and the seats of a game."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables

    def verbs(self) -> tuple[Handler, ...]:
        """Return the verbs that are served here."""
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
            TableHandler("heir", self._heir),
            TableHandler("cancel", self._cancel),
            TableHandler("cancel-sure", self._cancel_for_sure),
        )

    # Seats

    async def _join(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        await self.join(interaction, session)

    async def _join_thread(
        self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress
    ) -> None:
        await self.join(interaction, session, elsewhere=True)

    async def join(self, interaction: discord.Interaction, session: TableMessages, elsewhere: bool = False) -> None:
        """Seat the one who asks; the game begins where they were the one whom it waited for. They may
        be `elsewhere` than the table. Raises `UserError`.
        """
        table, user = session.table, interaction.user
        await table.act(lobby.join, user.id, user.display_name, self._tables.clock.now())
        if user.id == table.snapshot.row.invited and len(table.snapshot.seats) == table.game.player_counts[-1]:
            await self._tables.begin(session.table)
        await self._tables.begin_rematch(session)
        if elsewhere:
            where = f"{TAKEN} You have a seat. It is played in <#{table.snapshot.row.channel}>."
            await session.cockpits(interaction).answer(interaction, line=where)
        else:
            await session.answer(interaction)
        self._tables.spawn(session.cleanup.delete_all(), f"erase-{table.id}")

    async def _leave(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        if session.table.snapshot.playing:
            seat = seat_at(session, interaction.user.id)
            if session.table.snapshot.seats[seat].caretaker:
                raise UserError(absence_pages.gone(session.table.snapshot))
            asked = absence_pages.asked(session.screen, session.table.snapshot, seat)
            page = Page((*asked.blocks, BACK), asked.colour)
            await session.show(interaction, page)
            return
        await session.table.act(lobby.leave, interaction.user.id, self._tables.clock.now())
        told = reply_to(interaction).on_table  # there everybody sees who sits, and who does not
        await session.answer(interaction, "" if told else f"{TAKEN} You have left table {session.table.id}.")

    async def _leave_for_sure(
        self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress
    ) -> None:
        seat = seat_at(session, interaction.user.id)
        if session.table.snapshot.practice:
            await self._tables.end(session.table.id, "You have ended it.")
            page = Page(
                (Text("The game is ended."), *again(session.table.snapshot, reviewed=False)), session.screen.colour
            )
            await session.show(interaction, page)
            return
        if control.argument == absence_pages.END:
            if not session.table.snapshot.alone:
                raise UserError("Others play here, too: you can leave the game, and it goes on without you.")
            name = display_names.bold(interaction.user.display_name)
            await self._tables.end(session.table.id, f"{name} played alone, and has ended it.")
            await session.cockpits(interaction).answer(interaction)
            return
        await session.table.act(absence.leave, seat, self._tables.clock.now())
        # How the table stands goes on being told there: a computer plays for them only until it closes.
        words = absence_pages.answered(session.table.snapshot, seat)
        await session.cockpits(interaction).answer(interaction, line=f"{TAKEN} {words}" if words else "")

    async def _back(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        seat = seat_at(session, interaction.user.id)
        await session.table.act(absence.back, seat, self._tables.clock.now())
        await session.answer(interaction)

    async def _decline(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        await session.table.act(lobby.decline, interaction.user.id, self._tables.clock.now())
        await session.answer(interaction)
        self._tables.spawn(session.cleanup.delete_all(), f"erase-{session.table.id}")

    async def _start(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        lobby.check_opener(session.table.snapshot, interaction.user.id, "start the game")
        await self._tables.begin(session.table)
        await session.answer(interaction)

    # What the opener decides, on their private page

    async def _manage(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        lobby.check_open(session.table.snapshot)
        manageable(session.table.snapshot, interaction.user.id)
        await session.cockpits(interaction).answer(interaction, MANAGE)

    async def _done(self, interaction: discord.Interaction, session: TableMessages, line: str = "") -> None:
        """Show all what the opener has changed, and the opener how the table stands."""
        await session.cockpits(interaction).answer(interaction, MANAGE, line)

    async def _add(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        await session.table.act(lobby.add_computer, interaction.user.id, control.argument, self._tables.clock.now())
        await self._done(interaction, session)

    async def _drop(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        await session.table.act(lobby.drop_computer, interaction.user.id, self._tables.clock.now())
        await self._done(interaction, session)

    async def _invite(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        whom, bot = _chosen(interaction, control)
        await session.table.act(lobby.invite, interaction.user.id, whom, bot, self._tables.clock.now())
        await self._done(interaction, session, f"{TAKEN} <@{whom}> is invited.")
        self._tables.spawn(invite(session), f"invite-{session.table.id}")

    async def _uninvite(
        self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress
    ) -> None:
        await session.table.act(lobby.withdraw, interaction.user.id, self._tables.clock.now())
        await self._done(interaction, session)
        self._tables.spawn(session.cleanup.delete_all(), f"erase-{session.table.id}")

    async def _send_out(
        self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress
    ) -> None:
        whom = _person(control)
        await session.table.act(lobby.kick, interaction.user.id, whom, self._tables.clock.now())
        await self._done(interaction, session, f"{TAKEN} <@{whom}> has no seat here any more.")

    async def _options(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        lobby.check_opener(session.table.snapshot, interaction.user.id, "set the options")
        await session.cockpits(interaction).answer(interaction, OPTIONS)

    async def _option(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        value = control.values[0] if control.values else ""
        await session.table.act(
            lobby.set_option, interaction.user.id, control.argument, value, self._tables.clock.now()
        )
        await session.cockpits(interaction).answer(interaction, OPTIONS)

    async def _heir(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        heir = _person(control)
        await session.table.act(lobby.hand_over, interaction.user.id, heir, self._tables.clock.now())
        await self._done(interaction, session, f"{TAKEN} <@{heir}> is the host now.")

    async def _cancel(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        """Close the table; its host is asked first where others sit there."""
        table = session.table
        if table.snapshot.in_lobby and table.snapshot.row.opener == interaction.user.id and others(table.snapshot):
            await session.cockpits(interaction).answer(interaction, CLOSING)
        else:
            await self._cancel_for_sure(interaction, session, control)

    async def _cancel_for_sure(
        self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress
    ) -> None:
        moderator = interaction.permissions.manage_guild or interaction.permissions.manage_messages
        await session.table.act(lobby.cancel, interaction.user.id, self._tables.clock.now(), moderator)
        await session.answer(interaction)


def _person(control: ComponentPress) -> int:
    """Return the number of the person that was chosen; 0 for what is none."""
    return next((number(value, MOST_ID) for value in control.values), None) or 0


def _chosen(interaction: discord.Interaction, control: ComponentPress) -> tuple[int, bool]:
    """Return the member that was chosen of all the server's, and whether it is a bot. Raises `UserError` for somebody
    of whom Discord tells nothing, or who is no member.
    """
    whom = _person(control)
    resolved = cast("dict[str, Any]", interaction.data or {}).get("resolved") or {}
    found = (resolved.get("users") or {}).get(str(whom))
    if found is None or str(whom) not in (resolved.get("members") or {}):
        raise UserError("I do not know whom you mean. Choose somebody on this server from the list.")
    return whom, bool(found.get("bot"))
