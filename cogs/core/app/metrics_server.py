"""Serves `/metrics` and `/healthz` over HTTP, without secrets and without anything that identifies people."""

import asyncio
import contextlib
import logging
import os
from collections import Counter
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from aiohttp import web

from cogs.core.app.client import Cellblock
from cogs.core.app.health_check import ALIVE_WITHIN_MS
from cogs.core.ops.config import Listen
from cogs.core.ops.errors import ConfigurationError
from cogs.core.ops.process_stats import watch_lag
from data.store import StoreError
from engine.contract import Moment

if TYPE_CHECKING:
    from cogs.core.ops.metrics import Metrics

log = logging.getLogger(__name__)

ANSWER_WITHIN_S = 2.0
"""A database that takes longer counts as one that does not answer."""

WELL = "ok"


async def check_health(client: Cellblock) -> dict[str, str]:
    """Return for the gateway, Discord's API, the database and the heartbeat "ok", or what is wrong with it."""
    shards = client.shards
    shut = any(shard not in shards or shards[shard].is_closed() for shard in client.sessions)
    alone = not client.sessions and not client.ownership.shared  # beside other processes, one may have no shards
    lost = bool(client.connections.lost)
    gateway = "not connected" if shut or lost or alone or not client.is_ready() else WELL
    api = WELL if client.tables.api.down_since is None else "not answering"
    database = WELL
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            await client.store.server_admin.last_backup()
    except (StoreError, TimeoutError):
        database = "not answering"
    beat = check_beat(client.tables.heartbeat.last, client.clock.now())
    return {"gateway": gateway, "api": api, "database": database, "beat": beat}


def check_beat(beat: Moment | None, now: Moment) -> str:
    """Return "ok" if the last heartbeat is recent, else what is wrong with it."""
    if beat is None:
        return "none yet"
    return WELL if now - beat <= ALIVE_WITHIN_MS else f"last one {(now - beat) // 1_000} s ago"


@contextlib.asynccontextmanager
async def serve_metrics(listen: Listen, client: Cellblock, metrics: "Metrics") -> AsyncIterator[None]:
    """Serve metrics and the health check at an address. Raises `ConfigurationError` for a port that is taken."""

    async def show_metrics(request: web.Request) -> web.Response:
        opened = None
        with contextlib.suppress(StoreError):  # /healthz reports it
            opened = await client.store.server_admin.open_games()
        awake_tables = client.tables.registry.awake()
        awake = Counter(table.game.key for table in awake_tables)
        paused = Counter[str](
            table.snapshot.row.paused_by or "server" for table in awake_tables if table.snapshot.paused
        )
        metrics.set_gauges(len(client.guilds), opened, awake, client.bot_workers.waiting)
        metrics.set_outages(client.tables.api.down_since is None, len(client.connections.lost), paused)
        body, kind = await metrics.render(request.headers.get("Accept", ""))
        return web.Response(body=body, headers={"Content-Type": kind})

    async def show_health(request: web.Request) -> web.Response:
        found = await check_health(client)
        ok = all(words == WELL for words in found.values())
        return web.json_response({"ok": ok, **found}, status=200 if ok else 503)

    app = web.Application()
    app.add_routes([web.get("/metrics", show_metrics), web.get("/healthz", show_health)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    lag = asyncio.create_task(watch_lag(metrics.lag.observe), name="event-loop-lag")
    try:
        try:
            await web.TCPSite(runner, *listen).start()
        except OSError as error:
            words = os.strerror(error.errno) if error.errno is not None and error.errno > 0 else error.strerror
            raise ConfigurationError(
                f"METRICS: port {listen.port} of {listen.host} can't be used ({words}). Choose another one."
            ) from error
        for bound in runner.addresses:
            log.info("figures at http://%s:%s/metrics", *bound[:2])
        yield
    finally:
        lag.cancel()
        await asyncio.gather(lag, return_exceptions=True)
        await runner.cleanup()
