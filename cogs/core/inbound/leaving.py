"""People who leave a server, or ask to be forgotten, at every table that it concerns."""

import contextlib
import logging
from collections.abc import Sequence

from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import UserError
from cogs.core.tables import absence, lobby
from cogs.core.tables.table import Table
from data.store.cluster_notices import Forgotten
from engine.contract import BrokenRecord

log = logging.getLogger(__name__)


async def leave_server(tables: TableService, user: int, guild: int) -> None:
    """Remove a person who is no longer on the server from all their tables there."""
    for row in await tables.store.tables.of(user, guild=guild):
        table = await tables.registry.find(row.id)
        if table is None:
            continue
        with contextlib.suppress(UserError):  # the game began, or the table closed, this very moment
            seat = table.snapshot.seat_of(user)
            if table.snapshot.in_lobby:
                await table.act(lobby.leave, user, tables.clock.now())
            elif seat is not None:
                await table.act(absence.leave, seat, tables.clock.now())


async def forget(tables: TableService, user: int) -> None:
    """Delete a user's identity everywhere: they leave every lobby and every game, and computers play on for them.
    Raises `StoreError`.
    """
    visited = list[Table]()
    for row in await tables.store.tables.of(user):
        try:
            table = await tables.registry.find(row.id)
        except BrokenRecord:
            log.exception("table %s cannot be read", row.id)
            continue
        if table is not None and table.snapshot.in_lobby:
            with contextlib.suppress(UserError):  # the game began, or the table closed, this very moment
                await table.act(lobby.leave, user, tables.clock.now())
        if table is not None and table.elsewhere:
            visited.append(table)
    await _forget_at(tables, user, [*tables.registry.awake(), *visited])
    await tables.store.user_data.forget(user, [ui.game for ui in tables.game_uis.values()])
    tables.ownership.tell(Forgotten(user))
    tables.forget_in_memory(user)
    # Tables that were being loaded meanwhile may still know the user.
    await tables.registry.loaded()
    await _forget_at(tables, user, tables.registry.awake())


async def _forget_at(tables: TableService, user: int, where: Sequence[Table]) -> None:
    for table in where:
        if table.snapshot.knows(user):
            await absence.forget(table, user, tables.clock.now())
