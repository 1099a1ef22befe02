"""Submits what people have drafted when the clock of their turn runs out.

It counts as their own move, not as a clock that ran out: they pressed in this very turn, so they are there. A draft is
stored with its seat, so it counts even if its page is gone or shows something else.
"""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial

from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import GameUI, SubmitsDraftOnTimeout
from cogs.core.tables import moves, seat_rules
from cogs.core.tables.draft_store import DraftStore
from cogs.core.tables.table import Table
from engine.contract import Action, Deadline, Moment, Refusal, Seat, View

log = logging.getLogger(__name__)


class DraftSubmitter:
    """Makes drafted moves in time. `screens`: what each game shows, by key."""

    def __init__(self, drafts: DraftStore, screens: Mapping[str, GameUI]) -> None:
        self._drafts = drafts
        self._screens = screens

    async def __call__(self, table: Table, deadline: Deadline, at: Moment) -> bool:
        """Make the drafted moves of those whose turn's clock has run out; return True if any was made. What the rules
        refuse is dropped. Raises `StoreError`.
        """
        if not isinstance(self._screens[table.game.key], SubmitsDraftOnTimeout) or deadline.kind != "turn":
            return False
        if table.ownership.shared:
            await table.catch_up()  # what another process has answered, and may not have told yet
        return any([await self._submit(table, seat, at) for seat in deadline.seats])

    async def _submit(self, table: Table, seat: Seat, at: Moment) -> bool:
        screen, row = self._screens[table.game.key], table.snapshot.seats[seat]
        draft = self._drafts.of(table).of(row.user) if row.user is not None and seat_rules.attends(row) else None
        if draft is None:
            return False
        action = await asyncio.to_thread(_drafted, screen, table.snapshot.view(seat), draft)
        if action is None:
            return False
        try:
            return await table.act(moves.move, seat, action, at, partial(_fresh, screen, draft))
        except (Refusal, StaleControl, UserError) as error:
            log.info("table %s: the draft of seat %s was not submitted: %r", table.id, seat, error)
            return False


def _fresh(screen: GameUI, draft: ComponentPress, view: View) -> bool:
    return screen.fresh(view, draft)


def _drafted(screen: GameUI, view: View, draft: ComponentPress) -> Action | None:
    """Return the action that is drafted; None if the draft cannot be read: no clock waits for it."""
    assert isinstance(screen, SubmitsDraftOnTimeout)
    try:
        return screen.draft(view, draft) if screen.fresh(view, draft) else None
    except Exception:
        log.exception("a draft could not be read")
        return None
