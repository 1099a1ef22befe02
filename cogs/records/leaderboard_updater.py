"""The updater of the leaderboards: it adds every finished game to those on which it counts, once, in the background.

The work to do is in the database, so a crash neither loses nor doubles anything.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import get_args

from cogs.core.ops.storage import Store
from cogs.core.ops.timers import Clock
from cogs.core.pages.game_catalog import GameCatalog
from cogs.records.ratings import Strengths, standings_after
from cogs.records.seasons import Period, Span, season_months, span
from engine.contract import Moment
from engine.results import Board
from engine.standings import ALWAYS, Leaderboard, Player, Standing, UpdateBatch, UpdateJob

log = logging.getLogger(__name__)

BATCH = 250
"""The games added at a time; clicks and other writes run between two batches."""

PAUSE_S = 0.01
"""The pause between two batches."""

RETRY_S = 5.0
"""The delay after a failure, such as a full disk."""

LOG_EVERY_MS = 60_000

PATIENCE_S = 0.15
"""How long a request right after the end of a game waits for it to be added, before it shows what is known."""


class LeaderboardUpdater:
    """A task that updates every leaderboard, from `start` to `close`."""

    def __init__(
        self, games: GameCatalog, store: Store, clock: Clock, strengths: Strengths = MappingProxyType({})
    ) -> None:
        self.patience_s = PATIENCE_S
        self._leaderboards = store.leaderboards
        self._records = store.records
        self._clock = clock
        self._fewest = frozenset(key for key, ui in games.items() if ui.game.lowest_wins)
        self._strengths = strengths
        self._task: asyncio.Task[None] | None = None
        self._moved = asyncio.Event()
        self._logged_at: Moment | None = None

    def start(self) -> None:
        """Start updating."""
        self._task = asyncio.create_task(self._run(), name="leaderboards")

    async def close(self) -> None:
        """Stop, even in the middle of a batch."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def spans(self, guild: int) -> dict[Period, Span]:
        """Return the current time span of each period on this server."""
        months = season_months(await self._records.setting(guild, "season_months"))
        now = self._clock.now()
        return {period: span(period, months, now) for period in get_args(Period)}

    async def charts(self, guild: int, game: str, *wanted: tuple[Board, Period]) -> list[Leaderboard]:
        """Return these leaderboards as of now, created on the first request."""
        spans, charts = await self.spans(guild), []
        for board, period in wanted:
            stretch = spans[period]
            charts.append(Leaderboard(guild, game, board, stretch.since or ALWAYS[0], stretch.until or ALWAYS[1]))
        await self._leaderboards.ensure(charts)
        await self._wait_until_updated(charts)
        return charts

    async def _wait_until_updated(self, charts: Sequence[Leaderboard]) -> None:
        """Wait briefly for these leaderboards to be complete."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self.patience_s
        while not await self._leaderboards.is_complete(charts):
            self._leaderboards.changed.set()
            moved, left = self._moved, until - loop.time()
            if left <= 0 or not await _set_within(moved, left):
                return

    async def _run(self) -> None:
        checked = False
        while True:
            self._leaderboards.changed.clear()
            try:
                if not checked:
                    await self._leaderboards.rate_anew()
                    checked = True
                busy = await self._round(await self._leaderboards.due())
            except Exception as error:
                self._log_failure(error)
                await asyncio.sleep(RETRY_S)
                continue
            self._moved.set()
            self._moved = asyncio.Event()
            if busy:
                await asyncio.sleep(PAUSE_S)
            else:
                await self._leaderboards.changed.wait()

    def _log_failure(self, error: Exception) -> None:
        """Log the delay, at most once a minute."""
        now = self._clock.now()
        if self._logged_at is None or now - self._logged_at >= LOG_EVERY_MS:
            self._logged_at = now
            log.warning("the leaderboards cannot be brought up to date now: %r", error)

    async def _round(self, tasks: Iterable[UpdateJob]) -> bool:
        """Do one batch of every job, and return whether there was any."""
        tasks = list(tasks)
        built = {task.chart for task in tasks if task.state == "building" and not task.outdated}
        busy = False
        for task in tasks:
            if task.state == "gone":
                await self._leaderboards.clear(task)
            elif not task.outdated:
                await self._add(task)
            elif task.chart not in built:
                built.add(task.chart)
                await self._leaderboards.rebuild(task)
            else:
                continue  # leaderboards that are being built come first
            busy = True
        return busy

    async def _add(self, task: UpdateJob) -> None:
        step = await self._leaderboards.next_batch(task, BATCH)
        after = await asyncio.to_thread(self._standings_after, step) if step.games else {}
        kept = await self._leaderboards.save(task, step.last, after.values())
        if kept and task.state == "building" and step.last >= task.top:
            await self._leaderboards.show(task)

    def _standings_after(self, step: UpdateBatch) -> dict[Player, Standing]:
        return standings_after(step.standings, step.games, self._fewest, self._strengths)


async def _set_within(event: asyncio.Event, within_s: float) -> bool:
    try:
        async with asyncio.timeout(within_s):
            await event.wait()
    except TimeoutError:
        return False
    return True
