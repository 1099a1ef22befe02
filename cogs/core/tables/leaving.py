"""People who leave a server, or ask to be forgotten, at every table that it concerns."""

import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.errors import UserError
from cogs.core.ops.timers import Clock
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.tables import absence, lobby
from cogs.core.tables.language_choice import LanguageChoice
from cogs.core.tables.settings import Preferences
from cogs.core.tables.table import Table
from cogs.core.tables.table_registry import TableRegistry
from data.store import Store
from data.store.cluster_notices import Forgotten
from engine.contract import BrokenRecord

log = logging.getLogger(__name__)


@dataclass(eq=False)
class Leaving:
    """Removes people from tables and caches. `caches` are called to drop what a cog keeps in memory of people."""

    games: GameCatalog
    store: Store
    ownership: Ownership
    clock: Clock
    registry: TableRegistry
    preferences: Preferences
    language_choice: LanguageChoice
    caches: list[Callable[[], None]] = field(default_factory=list, init=False)

    async def leave_server(self, user: int, guild: int) -> None:
        """Remove a person who is no longer on the server from all their tables there, and free the seats that are
        reserved for them.
        """
        for row in await self.store.tables.of(user, guild=guild):
            table = await self.registry.find(row.id)
            if table is None:
                continue
            with contextlib.suppress(UserError):  # the game began, or the table closed, this very moment
                seat = table.snapshot.seat_of(user)
                if table.snapshot.in_lobby:
                    await table.act(lobby.leave, user, self.clock.now())
                elif seat is not None:
                    await table.act(absence.leave, seat, self.clock.now())
        for row in await self.store.tables.inviting(user, guild):
            table = await self.registry.find(row.id)
            if table is not None:
                await table.act(lobby.forget_guest, user)

    async def forget(self, user: int) -> None:
        """Delete a user's identity everywhere: they leave every lobby and every game, and computers play on for them.
        Raises `StoreError`.
        """
        visited = list[Table]()
        for row in await self.store.tables.of(user):
            try:
                table = await self.registry.find(row.id)
            except BrokenRecord:
                log.exception("table %s cannot be read", row.id)
                continue
            if table is not None and table.snapshot.in_lobby:
                with contextlib.suppress(UserError):  # the game began, or the table closed, this very moment
                    await table.act(lobby.leave, user, self.clock.now())
            if table is not None and table.elsewhere:
                visited.append(table)
        await self._forget_at(user, [*self.registry.awake(), *visited])
        await self.store.user_data.forget(user, [ui.game for ui in self.games.values()])
        self.ownership.tell(Forgotten(user))
        self.forget_in_memory(user)
        # Tables that were being loaded meanwhile may still know the user.
        await self.registry.loaded()
        await self._forget_at(user, self.registry.awake())

    async def _forget_at(self, user: int, tables: Sequence[Table]) -> None:
        for table in tables:
            if table.snapshot.knows(user):
                await absence.forget(table, user, self.clock.now())

    def forget_in_memory(self, user: int | None = None) -> None:
        """Drop what is in memory of a user (None: of everybody), apart from the tables of this process."""
        self.preferences.forget(user)
        self.language_choice.forget(user)
        self.registry.forget_remote()
        for drop in self.caches:
            drop()
