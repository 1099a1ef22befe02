"""The HTTP endpoints of a running bot: `/metrics` and `/healthz`. They contain no secrets and nothing that identifies
people.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator

from aiohttp import web

from cogs.core.app.healthcheck import check
from cogs.core.cluster.gateway import ShardedBot
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.process_stats import watch_lag
from cogs.core.ops.prometheus_metrics import PrometheusMetrics
from cogs.core.tables.bot_workers import BotWorkers
from data.store import StoreError

log = logging.getLogger(__name__)


class HttpEndpoints:
    """Answers the requests."""

    def __init__(
        self, client: ShardedBot, tables: TableService, bot_workers: BotWorkers, metrics: PrometheusMetrics
    ) -> None:
        self._client = client
        self._tables = tables
        self._bot_workers = bot_workers
        self._metrics = metrics

    async def metrics(self, request: web.Request) -> web.Response:
        """Answer with all metrics."""
        opened = None
        with contextlib.suppress(StoreError):  # /healthz says so
            opened = await self._tables.store.server_admin.open_games()
        awake = Counter(table.game.key for table in self._tables.registry.awake())
        self._metrics.set_gauges(len(self._client.guilds), opened, awake, self._bot_workers.waiting)
        body, kind = await self._metrics.render(request.headers.get("Accept", ""))
        return web.Response(body=body, headers={"Content-Type": kind})

    async def healthz(self, request: web.Request) -> web.Response:
        """Answer whether the bot is well, and if not, what ails it: 200 or 503."""
        found = await check(self._client, self._tables)
        return web.json_response({"ok": found.ok, **found._asdict()}, status=200 if found.ok else 503)


@contextlib.asynccontextmanager
async def serve(endpoints: HttpEndpoints, metrics: PrometheusMetrics, host: str, port: int) -> AsyncIterator[None]:
    """Answer at this address until the end. Raises OSError where it cannot be used."""
    app = web.Application()
    app.add_routes([web.get("/metrics", endpoints.metrics), web.get("/healthz", endpoints.healthz)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    lag = asyncio.create_task(watch_lag(metrics.observe_lag), name="event-loop-lag")
    try:
        await web.TCPSite(runner, host, port).start()
        for bound in runner.addresses:
            log.info("figures at http://%s:%s/metrics", *bound[:2])
        yield
    finally:
        lag.cancel()
        await asyncio.gather(lag, return_exceptions=True)
        await runner.cleanup()
