"""The judge of finished games: works out what was achieved in each, once, and tells it to those who achieved it."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass

from cogs.core.ops.storage import BackgroundTasks, Store
from cogs.core.pages.achievements import Badge, badge_of
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.publisher import Publisher
from cogs.core.tables.component import TableComponent
from cogs.core.tables.settings import ServerSettings
from cogs.core.tables.table import Table
from engine import achievements
from engine.contract import BrokenRecord

log = logging.getLogger(__name__)

AT_ONCE = 10
"""How many earlier games are judged before somebody's achievements are shown; the rest follow afterwards."""


@dataclass(eq=False)
class Judge(TableComponent):
    """Judges each counted game when it has ended, and earlier ones when somebody asks for their achievements.

    Which games were judged is stored, so that a game gives what it gives once, whichever process judges it how often.
    """

    games: GameCatalog
    store: Store
    settings: ServerSettings
    publisher: Publisher
    tasks: BackgroundTasks
    drawing: DrawingThreads

    def __post_init__(self) -> None:
        self._progress = self.store.progress
        self._ended: set[Table] = set()

    async def load(self, table: Table, *, new: bool) -> None:
        """Find what users were not told yet of a game that has ended, and judge it if the bot was stopped before."""
        if table.snapshot.row.status != "over" or table.snapshot.practice or await self._progress.is_due(table.id):
            return
        self._ended.add(table)
        achieved, told = await self._achieved(table), await self._progress.told_at(table.id)
        # What a page in the channel told is read; a direct message is still there, and goes on telling it.
        news = {user: badges for user, badges in achieved.items() if told.get(user) != "page"}
        self.publisher.of(table).news.bring(news, told)

    def changed(self, table: Table, visible: bool) -> None:
        """Judge the game if it has ended."""
        game = table.snapshot
        if game.ended and game.results and table not in self._ended and not table.silent:
            self._ended.add(table)
            if table.game.key in self.games.achievements:
                self.tasks.spawn(self._judge_and_tell(table), f"achievements-{table.id}")

    def unload(self, table: Table) -> None:
        """Forget a table."""
        self._ended.discard(table)

    async def close(self, table: Table) -> None:
        """Forget a table."""
        self._ended.discard(table)

    async def _judge_and_tell(self, table: Table) -> None:
        if not (await self.settings.of(table.snapshot.row.guild)).achievements:
            return
        await self._judge(table.id, table.game.key)
        achieved = await self._achieved(table)
        if achieved and table in self._ended:
            self.publisher.of(table).tell_achieved(achieved)

    async def _achieved(self, table: Table) -> Mapping[int, tuple[Badge, ...]]:
        """Return what users have first achieved at a table, as far as this version knows it, without those who do not
        want to be told.
        """
        known = self.games.achievements.get(table.game.key)
        if known is None or not (await self.settings.of(table.snapshot.row.guild)).achievements:
            return {}
        found = await self._progress.earned_at(table.id)
        colour = self.games[table.game.key].colour

        def work() -> dict[int, tuple[Badge, ...]]:
            listed = {user: [known.find(name) for name in names] for user, names in found.items()}
            return {user: tuple(badge_of(one, colour) for one in those if one) for user, those in listed.items()}

        return await self.drawing.run(work) if found else {}

    async def catch_up(self, user: int, guild: int) -> bool:
        """Judge the first of a user's games on a server that were not judged yet, and the others in the background.
        Return whether there are any.
        """
        if await self._judge_first(user, guild):
            self.tasks.spawn(self._judge_rest(user, guild), f"achievements-of-{user}")
            return True
        return False

    async def _judge_rest(self, user: int, guild: int) -> None:
        while await self._judge_first(user, guild):
            pass

    async def _judge_first(self, user: int, guild: int) -> bool:
        """Judge a few games; return whether there are more."""
        due = await self._progress.unjudged(user, guild, most=AT_ONCE + 1)
        for table, game in due[:AT_ONCE]:
            await self._judge(table, game)
        return len(due) > AT_ONCE

    async def _judge(self, table: int, game: str) -> None:
        """Work out what was achieved in a finished game, and save it."""
        bodies = await self.store.games.events(table)
        known, ui = self.games.achievements.get(game), self.games.get(game)
        earned: Mapping[int, tuple[str, ...]] = {}
        if known is not None and ui is not None:
            try:
                found = await asyncio.to_thread(achievements.by_seat, ui.game, known.rule, bodies)
                earned = {int(seat): names for seat, names in found.items()}
            except BrokenRecord as error:
                log.warning("table %s: its record cannot be judged: %s", table, error)
        await self._progress.judge(table, earned)
