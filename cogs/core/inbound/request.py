"""What somebody asks for by a control, a form or a command, how it is answered, and who serves it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import discord

from cogs.core.i18n.translation import _
from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.page import Page
from cogs.core.pages.player_page import REFUSED, TAKEN, PlayerPage
from cogs.core.publishing.player_page_host import PlayerPageHost
from cogs.core.publishing.responder import Responder
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import moves
from cogs.core.tables.snapshot import TableSnapshot
from engine.contract import Action, Refusal, Seat, View

COMMAND = ComponentPress(0, 0, "")
"""The control of a request that was made by a command."""


class Request:
    """What somebody asks for: the interaction, what it means (`control`), and its answer. `at` is when Discord received
    it.
    """

    def __init__(self, responder: Responder, control: ComponentPress = COMMAND) -> None:
        self.responder = responder
        self.control = control
        self.interaction: discord.Interaction = responder.interaction
        self.user = self.interaction.user
        self.at = responder.at

    def at_table(self, messages: TableMessages) -> "TableRequest":
        """Return this request as one about a table, which the person who asks may see."""
        return TableRequest(self.responder, messages, self.control)


class TableRequest(Request):
    """A request about a table, of somebody who may see it. `pages` is where they have their own page: in the channel,
    or in their direct messages with the bot.
    """

    def __init__(self, responder: Responder, messages: TableMessages, control: ComponentPress = COMMAND) -> None:
        super().__init__(responder, control)
        self.messages = messages
        self.table, self.ui = messages.table, messages.ui
        self.pages: PlayerPageHost[Any] = messages.direct_messages if responder.in_direct_messages else messages.pages

    @property
    def snapshot(self) -> TableSnapshot:
        """The table as it is now."""
        return self.table.snapshot

    @property
    def seat(self) -> Seat | None:
        """The seat of the person who asks; None if they have none."""
        return self.table.snapshot.seat_of(self.user.id)

    def require_seat(self) -> Seat:
        """Return the seat of the person who asks. Raises `UserError` if they have none."""
        seat = self.table.snapshot.seat_of(self.user.id)
        if seat is None:
            number, command = self.table.id, self.ui.command
            raise UserError(
                _(
                    "You have no seat at table {table}. Open your own with `/{command} start`.",
                    table=number,
                    command=command,
                )
            )
        return seat

    async def legal(self, seat: Seat) -> list[Action]:
        """Return the sound actions of a seat now. In some games there are thousands, found outside the loop."""
        return await asyncio.to_thread(self.table.snapshot.legal, seat)

    async def move(self, seat: Seat, action: Action, fresh: Callable[[View], bool] | None = None) -> str:
        """Make a move as the person in this seat; return a line about it for them, empty if the table shows it all.

        Raises `UserError` with the rule that refuses it, and `StaleControl` for a control that is no longer `fresh`.
        """
        try:
            await self.table.act(moves.move, seat, action, self.at, fresh)
        except Refusal as refusal:
            raise UserError(self.ui.refusal(refusal, self.table.snapshot.info())) from refusal
        receipt = self.ui.receipt(action, lambda: self.table.snapshot.view(seat))
        return "" if receipt is None else f"{TAKEN} {receipt}"

    # Answers

    async def answer(self, line: str = "") -> None:
        """Answer a request that was granted, with a private line if there is one: by the table message if it was
        pressed and shows everything, else by the asker's page.
        """
        if self.responder.on_table and not line:
            await self.messages.message.answer(self.responder)
        elif line and self._leave_line(line):
            await self.responder.defer()
        else:
            await self.pages.answer(self.responder, line=line)

    async def show_player_page(
        self, look: ComponentPress | None = None, line: str = "", shown: Page | None = None
    ) -> None:
        """Answer with the asker's own page: the game, or the page that a control opened (`shown`, if that is known)."""
        await self.pages.answer(self.responder, look, line, shown)

    async def show(self, page: Page) -> None:
        """Answer with a page that does not change with the game, in place of the asker's own."""
        stamp = self.table.snapshot.view(None).ui_version if self.table.snapshot.state is not None else 0
        await self.pages.show(self.responder, PlayerPage(page, stamp, still=True))

    async def refuse(self, sentence: str) -> None:
        """Explain to the asker why nothing was done."""
        if self._leave_line(f"{REFUSED} {sentence}"):
            await self.responder.defer()
        else:
            await self.pages.refuse(self.responder, sentence)

    async def refuse_stale(self, sentence: str) -> None:
        """Explain to the asker why nothing was done when the table message that they pressed shows most of the reason:
        it is updated, and the sentence is added to their page. If it is an old one, they are told where the table
        goes on.
        """
        old = self.responder.on_table and self.responder.pressed_message != self.messages.message.number
        if old or self._leave_line(f"{REFUSED} {sentence}"):
            await self.messages.message.answer(self.responder)
        else:
            await self.pages.refuse(self.responder, sentence)

    def _leave_line(self, line: str) -> bool:
        """Leave a line on the asker's page, if they pressed the table message and have the page in sight of it. The
        table message is not touched, since others must not notice the press.
        """
        pressed = self.responder.pressed_message
        if self.table.snapshot.in_lobby or pressed is None or pressed != self.messages.message.number:
            return False
        return self.messages.pages.leave_line(self.responder, line, below=pressed)


# Who serves them

GlobalCallback = Callable[[Request], Awaitable[None]]
"""Serves a control of no table of this moment. May raise `UserError`."""

TableCallback = Callable[[TableRequest], Awaitable[None]]
"""Serves a control of a table that is there, and of this server. May raise `UserError`."""


@dataclass(frozen=True)
class GlobalHandler:
    """Serves a verb that needs no table."""

    name: str
    serve: GlobalCallback


@dataclass(frozen=True)
class TableHandler:
    """Serves a verb about one table; `seated`: only for its players. While a `slow` one runs, the table message is
    updated as usual.
    """

    name: str
    serve: TableCallback
    seated: bool = False
    slow: bool = False


Handler = GlobalHandler | TableHandler
