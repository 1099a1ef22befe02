"""Sitting down, getting up, coming back, and what the opener of a table decides before its game begins.

The rules of a lobby are in `cogs.core.tables.lobby`.
"""

from typing import Any, cast

import discord

from cogs.core.inbound.command_validation import MOST_ID, number
from cogs.core.inbound.component_router import seat_at
from cogs.core.inbound.handlers import TableVerb, Verb
from cogs.core.inbound.table_opening import invite
from cogs.core.ops.errors import UserError
from cogs.core.pages import display_names
from cogs.core.pages.custom_ids import Control
from cogs.core.pages.page import Page, Text
from cogs.core.pages.player_page import BACK
from cogs.core.publishing import absence_pages
from cogs.core.publishing.lobby_pages import manageable, others
from cogs.core.publishing.page_builder import again
from cogs.core.publishing.player_page_host import TAKEN
from cogs.core.publishing.responder import reply_to
from cogs.core.tables import lobby
from cogs.core.tables.table_service import Tables
from cogs.core.tables.table_session import TableSession

MANAGE, OPTIONS, CLOSING = Control(0, 0, "manage"), Control(0, 0, "options"), Control(0, 0, "cancel")
"""What leads to the opener's pages."""


class LobbyVerbs:
    """Serves the controls of a lobby, and the seats of a game."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def verbs(self) -> tuple[Verb, ...]:
        """Return the verbs that are served here."""
        return (
            TableVerb("join", self._join),
            TableVerb("thread-join", self._join_thread),
            TableVerb("leave", self._leave),
            TableVerb("leave-sure", self._leave_for_sure, seated=True),
            TableVerb("back", self._back, seated=True),
            TableVerb("decline-invite", self._decline),
            TableVerb("manage", self._manage),
            TableVerb("add", self._add),
            TableVerb("drop", self._drop),
            TableVerb("invite", self._invite),
            TableVerb("uninvite", self._uninvite),
            TableVerb("send-out", self._send_out),
            TableVerb("begin", self._start),
            TableVerb("options", self._options),
            TableVerb("option", self._option),
            TableVerb("heir", self._heir),
            TableVerb("cancel", self._cancel),
            TableVerb("cancel-sure", self._cancel_for_sure),
        )

    # Seats

    async def _join(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await self.join(interaction, session)

    async def _join_thread(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await self.join(interaction, session, elsewhere=True)

    async def join(self, interaction: discord.Interaction, session: TableSession, elsewhere: bool = False) -> None:
        """Seat the one who asks; the game begins where they were the one whom it waited for. They may
        be `elsewhere` than the table. Raises `UserError`.
        """
        table, user = session.table, interaction.user
        await lobby.join(table, user.id, user.display_name, self._tables.clock.now())
        if user.id == table.row.invited and len(table.seats) == table.game.seats[-1]:
            await self._tables.begin(session)
        await self._tables.begin_rematch(session)
        self._tables.follow_up(session)
        if elsewhere:
            session.message.refresh()
            where = f"{TAKEN} You have a seat. It is played in <#{table.row.channel}>."
            await session.cockpits(interaction).answer(interaction, line=where)
        else:
            await session.answer(interaction)
        self._tables.spawn(session.leftovers.sweep(), f"erase-{table.id}")

    async def _leave(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        if session.table.playing:
            seat = seat_at(session, interaction.user.id)
            if session.table.seats[seat].caretaker:
                raise UserError(absence_pages.gone(session.table))
            asked = absence_pages.asked(session.screen, session.table, seat)
            page = Page((*asked.blocks, BACK), asked.colour)
            await session.show(interaction, page)
            return
        await lobby.leave(session.table, interaction.user.id, self._tables.clock.now())
        self._tables.follow_up(session)
        told = reply_to(interaction).on_table  # there everybody sees who sits, and who does not
        await session.answer(interaction, "" if told else f"{TAKEN} You have left table {session.table.id}.")

    async def _leave_for_sure(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        seat = seat_at(session, interaction.user.id)
        if session.table.practice:
            await self._tables.end(session.table.id, "You have ended it.")
            page = Page((Text("The game is ended."), *again(session.table, reviewed=False)), session.screen.colour)
            await session.show(interaction, page)
            return
        if control.argument == absence_pages.END:
            if not session.table.alone:
                raise UserError("Others play here, too: you can leave the game, and it goes on without you.")
            name = display_names.bold(interaction.user.display_name)
            await self._tables.end(session.table.id, f"{name} played alone, and has ended it.")
            await session.cockpits(interaction).answer(interaction)
            return
        await self._tables.departures.leave(session, seat)
        # How the table stands goes on being told there: a computer plays for them only until it closes.
        words = absence_pages.answered(session.table, seat)
        await session.cockpits(interaction).answer(interaction, line=f"{TAKEN} {words}" if words else "")

    async def _back(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        seat = seat_at(session, interaction.user.id)
        await self._tables.departures.back(session, seat)
        await session.answer(interaction)

    async def _decline(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await lobby.decline(session.table, interaction.user.id, self._tables.clock.now())
        self._tables.follow_up(session)
        await session.answer(interaction)
        self._tables.spawn(session.leftovers.sweep(), f"erase-{session.table.id}")

    async def _start(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        lobby.check_opener(session.table, interaction.user.id, "start the game")
        await self._tables.begin(session)
        self._tables.follow_up(session)
        await session.answer(interaction)

    # What the opener decides, on their private page

    async def _manage(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        lobby.check_open(session.table)
        manageable(session.table, interaction.user.id)
        await session.cockpits(interaction).answer(interaction, MANAGE)

    async def _done(self, interaction: discord.Interaction, session: TableSession, line: str = "") -> None:
        """Show all what the opener has changed, and the opener how the table stands."""
        self._tables.follow_up(session)
        session.message.changed()
        await session.cockpits(interaction).answer(interaction, MANAGE, line)

    async def _add(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await lobby.add_computer(session.table, interaction.user.id, control.argument, self._tables.clock.now())
        await self._done(interaction, session)

    async def _drop(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await lobby.drop_computer(session.table, interaction.user.id, self._tables.clock.now())
        await self._done(interaction, session)

    async def _invite(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        whom, bot = _chosen(interaction, control)
        await lobby.invite(session.table, interaction.user.id, whom, bot, self._tables.clock.now())
        await self._done(interaction, session, f"{TAKEN} <@{whom}> is invited.")
        self._tables.spawn(invite(session), f"invite-{session.table.id}")

    async def _uninvite(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await lobby.withdraw(session.table, interaction.user.id, self._tables.clock.now())
        await self._done(interaction, session)
        self._tables.spawn(session.leftovers.sweep(), f"erase-{session.table.id}")

    async def _send_out(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        whom = _person(control)
        await lobby.send_out(session.table, interaction.user.id, whom, self._tables.clock.now())
        await self._done(interaction, session, f"{TAKEN} <@{whom}> has no seat here any more.")

    async def _options(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        lobby.check_opener(session.table, interaction.user.id, "set the options")
        await session.cockpits(interaction).answer(interaction, OPTIONS)

    async def _option(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        value = control.values[0] if control.values else ""
        await lobby.set_option(session.table, interaction.user.id, control.argument, value, self._tables.clock.now())
        self._tables.follow_up(session)
        session.message.changed()
        await session.cockpits(interaction).answer(interaction, OPTIONS)

    async def _heir(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        heir = _person(control)
        await lobby.hand_over(session.table, interaction.user.id, heir, self._tables.clock.now())
        await self._done(interaction, session, f"{TAKEN} <@{heir}> is the host now.")

    async def _cancel(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        """Close the table; its host is asked first where others sit there."""
        table = session.table
        if table.in_lobby and table.row.opener == interaction.user.id and others(table):
            await session.cockpits(interaction).answer(interaction, CLOSING)
        else:
            await self._cancel_for_sure(interaction, session, control)

    async def _cancel_for_sure(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        moderator = interaction.permissions.manage_guild or interaction.permissions.manage_messages
        await lobby.cancel(session.table, interaction.user.id, self._tables.clock.now(), moderator)
        self._tables.follow_up(session)
        await session.answer(interaction)


def _person(control: Control) -> int:
    """Return the number of the person that was chosen; 0 for what is none."""
    return next((number(value, MOST_ID) for value in control.values), None) or 0


def _chosen(interaction: discord.Interaction, control: Control) -> tuple[int, bool]:
    """Return the member that was chosen of all the server's, and whether it is a bot. Raises `UserError` for somebody
    of whom Discord tells nothing, or who is no member.
    """
    whom = _person(control)
    resolved = cast("dict[str, Any]", interaction.data or {}).get("resolved") or {}
    found = (resolved.get("users") or {}).get(str(whom))
    if found is None or str(whom) not in (resolved.get("members") or {}):
        raise UserError("I do not know whom you mean. Choose somebody on this server from the list.")
    return whom, bool(found.get("bot"))
