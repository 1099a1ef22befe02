"""What is shown to one person alone: their hand, what they can do, the board as text, the rules.

May import discord, `engine` and its neighbours.
"""

import asyncio

import discord

from cogs.core.errors import UserError
from cogs.core.messages.page import Button, Page, Row, Text
from cogs.core.router.border import number
from cogs.core.router.custom_ids import Control
from cogs.core.router.reply import reply_to
from cogs.core.router.router import seat_at
from cogs.core.router.verbs import GeneralVerb, TableVerb, Verb
from cogs.core.screen import Screen
from cogs.core.session.table_session import TableSession
from cogs.core.session.tables import Tables


class Pages:
    """Shows pages privately."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def verbs(self) -> tuple[Verb, ...]:
        """Return the verbs that are served here."""
        return (
            GeneralVerb("rules", self._rules),
            GeneralVerb("repost", self._repost),
            TableVerb("hand", self._hand, seated=True),
            TableVerb("what", self._what, seated=True),
            TableVerb("text", self._text),
        )

    async def show_privately(self, interaction: discord.Interaction, session: TableSession, page: Page) -> None:
        """Show a page to the one who asked: on the panel they pressed, or on a fresh one."""
        table = session.table
        await self.show(interaction, page, table.id, table.view(None).stamp if table.state is not None else 0)

    async def show(self, interaction: discord.Interaction, page: Page, table: int = 0, stamp: int = 0) -> None:
        """Show a page privately; table 0 is none."""
        await reply_to(interaction).show(page, table, stamp)

    # Of a table

    async def _hand(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await self.show_hand(interaction, session)

    async def show_hand(self, interaction: discord.Interaction, session: TableSession) -> None:
        """Show to the one who asked what only they may see of this table."""
        seat = seat_at(session, interaction.user.id)
        if session.table.state is None:
            raise UserError("The game has not begun.")
        page = await self._tables.draw(session.screen.private, session.table.view(seat), session.table.info())
        if page is None:
            raise UserError("You have nothing in this game that the others do not see.")
        await self.show_privately(interaction, session, page)

    async def _what(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        seat = seat_at(session, interaction.user.id)
        if not session.table.playing:
            raise UserError("There is no game under way at this table.")
        view, info = session.table.view(seat), session.table.info()
        words = await asyncio.to_thread(lambda: session.screen.advice(view, info, session.table.legal(seat)))
        await reply_to(interaction).say(words)

    async def _text(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await self.text_view(interaction, session)

    async def text_view(self, interaction: discord.Interaction, session: TableSession) -> None:
        """Show the board as text to the one who asked: their own view if they sit here, else the public one."""
        if session.table.state is None:
            raise UserError("The game has not begun.")
        view = session.table.view(session.table.seat_of(interaction.user.id))
        body = session.screen.text(view, session.table.info())
        await reply_to(interaction).say(f"```\n{body}\n```")

    async def _repost(self, interaction: discord.Interaction, control: Control) -> None:
        table = number(control.argument)
        session = None if table is None else await self._tables.session(table)
        if session is None or session.table.row.guild != interaction.guild_id:
            raise UserError("That table is gone.")
        seat_at(session, interaction.user.id)
        await self._tables.visit(session, interaction.user.id)
        session.message.move_down()
        await self.show(
            interaction, Page((Text(f"Table {session.table.id} is posted anew below."),), session.screen.colour)
        )

    # Of a game

    async def _rules(self, interaction: discord.Interaction, control: Control) -> None:
        game, _, page_number = control.argument.partition(".")
        if game not in self._tables.screens:
            raise UserError("There are no rules of that name. `/rules` lists the games.")
        page = await self.rules_page(self._tables.screens[game], number(page_number.partition(".")[0]) or 0)
        await self.show(interaction, page, control.table)

    async def rules_page(self, screen: Screen, number: int) -> Page:
        """Return a page of a game's rules with buttons to leaf through them."""
        pages = await self._tables.draw(screen.rules)
        number = min(max(number, 0), len(pages) - 1)
        page, key = pages[number], screen.game.key
        if len(pages) == 1:
            return page
        leaf = Row(
            (
                Button("◀ Back", "rules", f"{key}.{max(number - 1, 0)}", disabled=number == 0),
                Button(f"{number + 1} of {len(pages)}", "rules", f"{key}.{number}.here", disabled=True),
                Button(
                    "Next ▶",
                    "rules",
                    f"{key}.{number + 1}",
                    style="primary",
                    disabled=number == len(pages) - 1,
                ),
            )
        )
        return Page((*page.blocks, leaf), page.colour)
