"""Sitting down, getting up, coming back, and what the opener of a table decides before its game begins.

The rules of a lobby are in `cogs.core.lobby`. May import discord, `engine` and its neighbours.
"""

from dataclasses import replace

import discord

from cogs.core import lobby
from cogs.core.errors import UserError
from cogs.core.messages.page import Page, Text
from cogs.core.router.border import MOST_ID, number
from cogs.core.router.custom_ids import Control
from cogs.core.router.pages import Pages
from cogs.core.router.router import seat_at
from cogs.core.router.verbs import TableVerb, Verb
from cogs.core.session import away
from cogs.core.session.table_session import TableSession
from cogs.core.session.tables import Tables


class LobbyVerbs:
    """Serves the controls of a lobby, and the seats of a game."""

    def __init__(self, tables: Tables, pages: Pages) -> None:
        self._tables = tables
        self._pages = pages

    def verbs(self) -> tuple[Verb, ...]:
        """Return the verbs that are served here."""
        return (
            TableVerb("join", self._join),
            TableVerb("leave", self._leave),
            TableVerb("leave-sure", self._leave_for_sure, seated=True),
            TableVerb("back", self._back, seated=True),
            TableVerb("add", self._add),
            TableVerb("drop", self._drop),
            TableVerb("uninvite", self._uninvite),
            TableVerb("begin", self._start),
            TableVerb("options", self._options),
            TableVerb("option", self._option),
            TableVerb("hand-over", self._hand_over),
            TableVerb("heir", self._heir),
            TableVerb("cancel", self._cancel),
        )

    # Seats

    async def _join(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        table, user = session.table, interaction.user
        await lobby.join(table, user.id, user.display_name, self._tables.clock.now())
        if user.id == table.row.invited and len(table.seats) == table.game.seats[-1]:
            await self._tables.begin(session)
        if self._tables.rematch_complete(session):
            await self._tables.begin(session)
        self._tables.follow_up(session)
        await self._pages.answer(interaction, session)
        self._tables.spawn(session.leftovers.sweep(), f"erase-{table.id}")

    async def _leave(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        if session.table.playing:
            seat = seat_at(session, interaction.user.id)
            if session.table.seats[seat].caretaker:
                raise UserError("A computer is already playing for you. Press *I am back* to take over again.")
            await self._pages.show_privately(interaction, session, away.asked(session.screen, session.table, seat))
            return
        await lobby.leave(session.table, interaction.user.id, self._tables.clock.now())
        self._tables.follow_up(session)
        await self._pages.answer(interaction, session)

    async def _leave_for_sure(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        seat = seat_at(session, interaction.user.id)
        await self._tables.departures.leave(session, seat)
        await self._pages.show_privately(interaction, session, away.answered(session.screen, session.table, seat))

    async def _back(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        seat = seat_at(session, interaction.user.id)
        await self._tables.departures.back(session, seat)
        await self._pages.answer(interaction, session)

    # What the opener decides

    async def _add(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await lobby.add_computer(session.table, interaction.user.id, control.argument, self._tables.clock.now())
        self._tables.follow_up(session)
        await self._pages.answer(interaction, session)

    async def _drop(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await lobby.drop_computer(session.table, interaction.user.id, self._tables.clock.now())
        self._tables.follow_up(session)
        await self._pages.answer(interaction, session)

    async def _uninvite(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await lobby.withdraw(session.table, interaction.user.id, self._tables.clock.now())
        self._tables.follow_up(session)
        await self._pages.answer(interaction, session)
        self._tables.spawn(session.leftovers.sweep(), f"erase-{session.table.id}")

    async def _start(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        lobby.check_opener(session.table, interaction.user.id, "start the game")
        await self._tables.begin(session)
        self._tables.follow_up(session)
        await self._pages.answer(interaction, session)

    async def _options(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        lobby.check_opener(session.table, interaction.user.id, "set the options")
        await self._pages.cockpit(interaction, session, replace(control, verb="options"))

    async def _option(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        value = control.values[0] if control.values else ""
        await lobby.set_option(session.table, interaction.user.id, control.argument, value, self._tables.clock.now())
        self._tables.follow_up(session)
        session.message.changed()
        await self._pages.cockpit(interaction, session, replace(control, verb="options"))

    async def _hand_over(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        lobby.check_opener(session.table, interaction.user.id, "hand it over")
        await self._pages.cockpit(interaction, session, control)

    async def _heir(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        heir = next((number(value, MOST_ID) for value in control.values), None) or 0
        await lobby.hand_over(session.table, interaction.user.id, heir, self._tables.clock.now())
        self._tables.follow_up(session)
        session.message.changed()
        await self._pages.show_privately(
            interaction, session, Page((Text(f"<@{heir}> runs table {session.table.id} now."),), session.screen.colour)
        )

    async def _cancel(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        moderator = interaction.permissions.manage_guild or interaction.permissions.manage_messages
        await lobby.cancel(session.table, interaction.user.id, self._tables.clock.now(), moderator)
        self._tables.follow_up(session)
        await self._pages.answer(interaction, session)
