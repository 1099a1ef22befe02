"""What stands on the pages of a table: its table message with the controls that every game has, and direct messages.

The game's screen draws what is the game's own, outside the event loop. May import discord, `engine` and its neighbours.
"""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import discord

from cogs.core import lobby
from cogs.core.messages import names
from cogs.core.messages.page import Block, Button, Page, Row, Text
from cogs.core.messages.table_message import RenderedPage
from cogs.core.screen import Screen
from cogs.core.session import away
from cogs.core.session.live import LiveTable
from cogs.core.session.table_session import TableSession
from engine.contract import Seat

T = TypeVar("T")


class Composer:
    """Composes the pages of all tables. `sessions`: those in memory, by number."""

    def __init__(
        self, client: discord.Client, screens: Mapping[str, Screen], sessions: Mapping[int, TableSession]
    ) -> None:
        self._client = client
        self._screens = screens
        self._sessions = sessions
        self._drawers = ThreadPoolExecutor(2, "drawing")

    async def draw(self, work: Callable[..., T], *args: Any) -> T:
        """Run what draws outside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._drawers, work, *args)

    def close(self) -> None:
        """Draw nothing more."""
        self._drawers.shutdown(wait=False, cancel_futures=True)

    async def table_page(self, table: LiveTable) -> RenderedPage:
        """Return what the table message shows."""
        screen, revision = self._screens[table.game.key], table.row.revision
        if table.in_lobby:
            return RenderedPage(lobby.lobby_page(screen, table, table.row.due), 0, revision)
        if table.row.status == "closed":
            return RenderedPage(lobby.closed_page(screen, table), 0, revision)
        view, info = table.view(None), table.info()
        page = await self.draw(screen.table, view, info)
        return RenderedPage(self._with_footer(page, table, screen), view.stamp, revision)

    def _with_footer(self, page: Page, table: LiveTable, screen: Screen) -> Page:
        """Add the controls that every game has."""
        buttons = [Button("Text view", "text"), Button("Rules", "rules", screen.game.key)]
        blocks: list[Block] = list(page.blocks)
        info = table.info()
        if table.row.status == "over":
            session = self._sessions.get(table.id)
            rematch = None if session is None else session.rematch
            again = Button("Rematch", "rematch", style="primary")
            blocks[:0] = away.places(table)
            blocks.append(Row((again, *buttons)))
            if rematch is not None:
                blocks.append(Text(f"-# Rematch: table {rematch}, further down."))
            blocks.append(Text(f"-# Fair chance: the seed was `{info.seed}`; its SHA-256 is `{info.commitment}`."))
        else:
            if screen.game.hides:
                buttons.insert(0, Button("My hand", "hand", style="primary"))
            buttons.insert(0, Button("What can I do?", "what"))
            blocks.append(Row((*buttons, Button("Leave", "leave"))))
            blocks += away.notes(table)
            if info.notice is not None:
                blocks.append(Text(f"-# {info.notice}"))
            blocks.append(Text(f"-# Fair chance: SHA-256 of the secret seed `{info.commitment}`"))
        return Page(tuple(blocks), page.colour)

    async def direct_message(self, table: LiveTable, seat: Seat) -> Page | None:
        """Return what the person on a seat gets as a direct message; None if nobody sits there."""
        screen = self._screens[table.game.key]
        if table.seats[seat].user is None:
            return None
        where = self._where(table)
        head = self._head(table, seat, where)
        if table.in_lobby:
            words = "You have a seat." + (" What only you may see will stand here." if screen.game.hides else "")
            return Page((head, Text(words)), screen.colour)
        if table.row.status == "closed":
            return Page((head, Text("This table is closed.")), None)
        view, info = table.view(seat), table.info()
        page = await self.draw(screen.private, view, info)
        if table.row.status == "over":
            ending = Text(f"The game is over. See {where} for the end of it.")
            blocks = page.without_controls().blocks if page is not None else ()
            return Page((head, ending, *blocks), screen.colour)
        if page is None:
            return Page(
                (head, Text("The game is on. Nothing in it is secret: all stands at the table.")), screen.colour
            )
        return Page((head, *page.blocks), screen.colour)

    def _where(self, table: LiveTable) -> str:
        session = self._sessions.get(table.id)
        link = None if session is None else session.message.link()
        return f"[the table]({link})" if link else "the channel"

    def _head(self, table: LiveTable, seat: Seat, where: str) -> Text:
        guild = self._client.get_guild(table.row.guild)
        server = names.shown(guild.name, names.LONGEST_SERVER) if guild is not None else "the server"
        return Text(
            f"### {table.game.title}\n-# {server} · table {table.id} · you are seat "
            f"{lobby.seat_number(seat)} · all play happens at {where}"
        )
