"""Handlers for hints: what a strong player would do in somebody's place, and doing it.

Hints are computed by the bot workers from the player's own view. They are only given where nothing counts.
"""

from cogs.core.inbound.request import Handler, TableHandler, TableRequest
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.publishing.hint_page import DO, HINT, hint_page, why_no_hints
from cogs.core.tables.bots import Hint
from engine.contract import Seat


class HintHandlers:
    """Gives hints."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables

    def handlers(self) -> tuple[Handler, ...]:
        """Return the handlers."""
        return (TableHandler(HINT, self._show, seated=True, slow=True), TableHandler(DO, self._do, seated=True))

    async def _show(self, request: TableRequest) -> None:
        """Show a hint. Raises `StaleControl` where the game goes on faster than it is thought of."""
        seat = request.require_seat()
        hint = await self._hint(request, seat)
        if request.snapshot.view(seat) != hint.view:  # somebody has moved meanwhile
            hint = await self._hint(request, seat)
        view, info = request.snapshot.view(seat), request.snapshot.info()
        if view != hint.view:
            raise StaleControl
        page = await self._tables.draw(hint_page, request.ui, view, info, hint)
        await request.show_player_page(request.control, shown=page)

    async def _do(self, request: TableRequest) -> None:
        """Do what a hint says. Raises `StaleControl` unless it is still the hint for what the asker sees."""
        seat = request.require_seat()
        hint = await self._hint(request, seat)
        if hint.action is None or hint.mark != request.control.argument:
            raise StaleControl
        await request.answer(await request.move(seat, hint.action, lambda view: view == hint.view))

    async def _hint(self, request: TableRequest, seat: Seat) -> Hint:
        """Return the hint for a seat. Raises `UserError` where none are given."""
        if not request.snapshot.playing:
            raise UserError("There is no game under way at this table.")
        if why_not := why_no_hints(request.snapshot.info()):
            raise UserError(why_not)
        if not request.snapshot.may_act(seat):
            raise UserError("There is nothing for you to do at present, so there is no hint.")
        return await self._tables.bots.of(request.table).hint(seat)
