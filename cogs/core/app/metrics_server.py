"""Serves metrics and the health check over HTTP if METRICS is set; only then is prometheus_client imported."""

import contextlib
import os
from collections.abc import AsyncIterator, Iterable

from cogs.core.app.client import Cellblock
from cogs.core.ops.config import Config, version
from cogs.core.ops.errors import ConfigurationError
from cogs.core.ops.metrics import Metrics
from cogs.core.tables.bot_workers import BotWorkers


def metrics_of(config: Config, games: Iterable[str]) -> Metrics | None:
    """Return the metrics of this bot; None unless they are served."""
    if config.metrics is None:
        return None
    from cogs.core.ops.prometheus_metrics import PrometheusMetrics

    return PrometheusMetrics(games, version())


@contextlib.asynccontextmanager
async def serve_metrics(
    config: Config, client: Cellblock, bot_workers: BotWorkers, metrics: Metrics | None
) -> AsyncIterator[None]:
    """Serve metrics and the health check if the owner wants them. Raises `ConfigurationError` for a port that is
    taken.
    """
    if config.metrics is None:
        yield
        return
    from cogs.core.app.http_endpoints import HttpEndpoints, serve
    from cogs.core.ops.prometheus_metrics import PrometheusMetrics

    assert isinstance(metrics, PrometheusMetrics)
    host, port = config.metrics
    async with contextlib.AsyncExitStack() as stack:
        try:
            endpoints = HttpEndpoints(client, client.tables, bot_workers, metrics)
            await stack.enter_async_context(serve(endpoints, metrics, host, port))
        except OSError as error:
            words = os.strerror(error.errno) if error.errno is not None and error.errno > 0 else error.strerror
            raise ConfigurationError(
                f"METRICS: port {port} of {host} cannot be used ({words}): choose another."
            ) from error
        yield
