"""Handlers for hints: what a strong player would do in somebody's place, and doing it.

Hints are computed by the bot workers from the player's own view. They are only given where nothing counts.
"""

import discord

from cogs.core.inbound.handlers import Handler, TableHandler
from cogs.core.inbound.player_actions import make_move, seat_at
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.timers import snowflake_time
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.publishing.hint_page import DO, HINT, hint_page, why_no_hints
from cogs.core.publishing.player_page_host import TAKEN
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables.bots import Hint
from engine.contract import Seat


class HintHandlers:
    """Gives hints."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables

    def handlers(self) -> tuple[Handler, ...]:
        """Return the handlers."""
        return (TableHandler(HINT, self._show, seated=True, slow=True), TableHandler(DO, self._do, seated=True))

    async def _show(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        """Show a hint. Raises `StaleControl` where the game goes on faster than it is thought of."""
        seat = seat_at(messages, interaction.user.id)
        hint = await self._hint(messages, seat)
        if messages.table.snapshot.view(seat) != hint.view:  # somebody has moved meanwhile
            hint = await self._hint(messages, seat)
        view, info = messages.table.snapshot.view(seat), messages.table.snapshot.info()
        if view != hint.view:
            raise StaleControl
        page = await self._tables.draw(hint_page, messages.ui, view, info, hint)
        await messages.player_pages(interaction).answer(interaction, control, shown=page)

    async def _do(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        """Do what a hint says. Raises `StaleControl` unless it is still the hint for what the asker sees."""
        seat = seat_at(messages, interaction.user.id)
        hint = await self._hint(messages, seat)
        if hint.action is None or hint.mark != control.argument:
            raise StaleControl
        await make_move(messages, seat, hint.action, snowflake_time(interaction.id), lambda view: view == hint.view)
        receipt = messages.ui.receipt(hint.action, lambda: messages.table.snapshot.view(seat))
        await messages.answer(interaction, "" if receipt is None else f"{TAKEN} {receipt}")

    async def _hint(self, messages: TableMessages, seat: Seat) -> Hint:
        """Return the hint for a seat. Raises `UserError` where none are given."""
        table = messages.table
        if not table.snapshot.playing:
            raise UserError("There is no game under way at this table.")
        if why_not := why_no_hints(table.snapshot.info()):
            raise UserError(why_not)
        if not table.snapshot.may_act(seat):
            raise UserError("There is nothing for you to do at present, so there is no hint.")
        return await self._tables.bots.of(messages.table).hint(seat)
