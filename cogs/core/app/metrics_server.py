"""Whether the bot is seen from outside: its figures and its pages, if METRICS says that they are served.

Only who serves figures needs what writes them, so that is loaded here, when it is wanted.
"""

import contextlib
import os
from collections.abc import AsyncIterator, Iterable

from cogs.core.app.client import Cellblock
from cogs.core.ops.config import Config, version
from cogs.core.ops.errors import ConfigurationError
from cogs.core.ops.metrics import Metrics
from cogs.core.tables.bot_workers import BotWorkers


def figures_of(config: Config, games: Iterable[str]) -> Metrics | None:
    """Return what counts; None unless figures are served."""
    if config.metrics is None:
        return None
    from cogs.core.ops.prometheus_metrics import PrometheusMetrics

    return PrometheusMetrics(games, version())


@contextlib.asynccontextmanager
async def seen(config: Config, client: Cellblock, thinkers: BotWorkers, figures: Metrics | None) -> AsyncIterator[None]:
    """Let the bot be seen from outside, if its owner wants it. Raises `ConfigurationError` for a port that is taken."""
    if config.metrics is None:
        yield
        return
    from cogs.core.app.http_endpoints import HttpEndpoints, served
    from cogs.core.ops.prometheus_metrics import PrometheusMetrics

    assert isinstance(figures, PrometheusMetrics)
    host, port = config.metrics
    async with contextlib.AsyncExitStack() as stack:
        try:
            pages = HttpEndpoints(client, client.tables, thinkers, figures)
            await stack.enter_async_context(served(pages, figures, host, port))
        except OSError as error:
            words = os.strerror(error.errno) if error.errno is not None and error.errno > 0 else error.strerror
            raise ConfigurationError(
                f"METRICS: port {port} of {host} cannot be used ({words}): choose another."
            ) from error
        yield
