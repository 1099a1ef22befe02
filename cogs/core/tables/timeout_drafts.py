"""Submits a player's draft when the clock of their turn runs out.

It counts as their own move, not as a missed turn, since they pressed in this very turn. Drafts are stored with the
seat, so one counts even if its page is gone or shows something else.
"""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial

from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import GameUI
from cogs.core.tables import moves, seat_rules
from cogs.core.tables.draft_store import DraftStore
from cogs.core.tables.table import Table
from engine.contract import Action, Deadline, Moment, Refusal, Seat, View

log = logging.getLogger(__name__)


class DraftSubmitter:
    """Submits drafts in time. `game_uis`: the UI of each game, by key."""

    def __init__(self, drafts: DraftStore, game_uis: Mapping[str, GameUI]) -> None:
        self._drafts = drafts
        self._game_uis = game_uis

    async def __call__(self, table: Table, deadline: Deadline, at: Moment) -> bool:
        """Submit the drafts of the players whose turn's clock has run out; return True if any was submitted. A draft
        that the rules refuse is dropped. Raises `StoreError`.
        """
        if deadline.kind != "turn" or not self._game_uis[table.game.key].draft_actions:
            return False
        if table.ownership.shared:
            await table.catch_up()  # include what another process has answered, and may not have announced yet
        return any([await self._submit(table, seat, at) for seat in deadline.seats])

    async def _submit(self, table: Table, seat: Seat, at: Moment) -> bool:
        ui, row = self._game_uis[table.game.key], table.snapshot.seats[seat]
        draft = self._drafts.of(table).of(row.user) if row.user is not None and seat_rules.is_present(row) else None
        if draft is None:
            return False
        action = await asyncio.to_thread(_drafted, ui, table.snapshot.view(seat), draft)
        if action is None:
            return False
        try:
            return await table.act(moves.move, seat, action, at, partial(_fresh, ui, draft))
        except (Refusal, StaleControl, UserError) as error:
            log.info("table %s: the draft of seat %s was not submitted: %r", table.id, seat, error)
            return False


def _fresh(ui: GameUI, draft: ComponentPress, view: View) -> bool:
    return ui.fresh(view, draft)


def _drafted(ui: GameUI, view: View, draft: ComponentPress) -> Action | None:
    """Return the action that is drafted; None if the draft cannot be read: no clock waits for it."""
    try:
        return ui.draft(view, draft) if ui.fresh(view, draft) else None
    except Exception:
        log.exception("a draft could not be read")
        return None
