"""What somebody has put together on their page when the clock of their turn runs out: it is done for them.

It counts as their own move, not as a clock that ran out: they pressed in this very turn, so they are there. What they
have begun is kept with their seat, also where their page is gone or shows something else.
"""

import asyncio
import logging
from functools import partial

from cogs.core.ops.errors import Stale, UserError
from cogs.core.pages.custom_ids import Control
from cogs.core.pages.game_ui import Drafting, Screen
from cogs.core.tables import seat_rules
from cogs.core.tables.table_session import TableSession
from engine.contract import Action, Deadline, Moment, Refusal, Seat, View

log = logging.getLogger(__name__)


async def finish(session: TableSession, deadline: Deadline, at: Moment) -> bool:
    """Do what stands put together on the pages of those whose turn's clock has run out. Return whether anything was
    done. What the rules refuse is let be; raises `StoreError`.
    """
    if not isinstance(session.screen, Drafting) or deadline.kind != "turn":
        return False
    if session.table.store.shards.shared:
        await session.table.catch_up()  # what another process has answered, and may not have told yet
    return any([await _finish(session, seat, at) for seat in deadline.seats])


async def _finish(session: TableSession, seat: Seat, at: Moment) -> bool:
    table, screen = session.table, session.screen
    row = table.seats[seat]
    look = session.begun.of(row.user) if row.user is not None and seat_rules.attends(row) else None
    action = None if look is None else await asyncio.to_thread(_drafted, session, seat, look)
    if look is None or action is None:
        return False
    try:
        await table.act(seat, action, at, partial(_fresh, screen, look))
    except (Refusal, Stale, UserError) as error:
        log.info("table %s: what seat %s had put together is not done: %r", table.id, seat, error)
        return False
    return True


def _fresh(screen: Screen, look: Control, view: View) -> bool:
    return screen.fresh(view, look)


def _drafted(session: TableSession, seat: Seat, look: Control) -> Action | None:
    """Return what is put together on a page; nothing where that cannot be told: no clock waits for it."""
    assert isinstance(session.screen, Drafting)
    view = session.table.view(seat)
    try:
        return session.screen.draft(view, look) if session.screen.fresh(view, look) else None
    except Exception:
        log.exception("table %s: what stands on the page of seat %s cannot be told", session.table.id, seat)
        return None
