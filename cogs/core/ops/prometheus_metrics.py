"""What the bot counts of itself, as Prometheus reads it: in a registry of its own, and without telling people apart.

The one module that imports prometheus_client, which is loaded where METRICS is set.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping
from http import HTTPStatus

import discord
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder

from cogs.core.ops.metrics import Metrics
from cogs.core.ops.rest_routes import INTERACTION, kind_of

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Bounds for what should take milliseconds, in seconds."""

SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
"""Bounds for what people wait for."""

MOST_WAITING = 10_000
"""So many interactions without an answer are kept in mind; Discord itself gives each of them up after 3 s."""

SCOPES = ("user", "global", "shared")
"""Whose limit a 429 can tell of."""

KINDS = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "completion",
    discord.InteractionType.component: "control",
    discord.InteractionType.modal_submit: "form",
}


class PrometheusMetrics(Metrics):
    """All figures of one bot: what is counted as it happens, and what is looked up when somebody reads them."""

    def __init__(self, games: Iterable[str], version: str) -> None:
        registry = self.registry = CollectorRegistry()
        self._games = tuple(games)
        self._waiting: dict[int, tuple[str, float]] = {}  # by interaction: its kind, and when it came in

        def seconds(name: str, what: str, bounds: tuple[float, ...], labels: tuple[str, ...] = ()) -> Histogram:
            return Histogram(f"cellblock_{name}_seconds", what, labels, buckets=bounds, registry=registry)

        def counter(name: str, what: str, *labels: str) -> Counter:
            return Counter(f"cellblock_{name}", what, labels, registry=registry)

        def gauge(name: str, what: str, *labels: str) -> Gauge:
            return Gauge(f"cellblock_{name}", what, labels, registry=registry)

        ProcessCollector(registry=registry)
        gauge("build_info", "The version that runs; always 1.", "version").labels(version).set(1)
        gauge("start_time_seconds", "When the bot was started, in seconds since the Unix epoch.").set(time.time())
        self._servers = gauge("servers", "Servers that the bot is on.")
        self._open = gauge("open_tables", "Tables that gather or play, in the database.", "game")
        self._awake = gauge("awake_tables", "Tables in memory.", "game")
        self._queue = gauge("thinking_queue_length", "Questions to computer players that wait for a free worker.")
        self._moves = counter("moves", "Moves of people and computers that were committed.", "game")
        self._interactions = counter("interactions", "Interactions that came in.", "kind")
        self._calls = counter("rest_calls", "Calls to Discord, and the status of the answers.", "kind", "status")
        self._limited = counter("rest_rate_limited", "Calls that Discord has refused as too many (429).", "scope")
        self._acknowledged = seconds(
            "acknowledgement", "From an interaction's coming in to Discord's receipt of its answer.", SLOW, ("kind",)
        )
        self._committed = seconds("commit", "How long a table waits for what happened there to be on the disk.", QUICK)
        self._lag = seconds("event_loop_lag", "How much later than asked the event loop gets to its work.", QUICK)
        self._thought = seconds("thinking_wait", "How long a computer player waits for its turn to think.", SLOW)
        for game in self._games:
            self._moves.labels(game)
        for scope in SCOPES:
            self._limited.labels(scope)

    # As it happens

    def received(self, interaction: discord.Interaction) -> None:
        """Hear of an interaction that has just come in."""
        kind = KINDS.get(interaction.type)
        if kind is None:
            return
        self._interactions.labels(kind).inc()
        if len(self._waiting) >= MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
        self._waiting[interaction.id] = (kind, time.perf_counter())

    def called(self, method: str, path: str, status: int | None, scope: str | None) -> None:
        """Hear how Discord has answered a call of ours (None: not at all), and for a 429 whose limit it was."""
        if status == HTTPStatus.SWITCHING_PROTOCOLS:
            return  # the gateway's connection is no call
        self._calls.labels(kind_of(method, path), "none" if status is None else str(status)).inc()
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            self._limited.labels(scope if scope in SCOPES else "unknown").inc()
        answered = INTERACTION.search(path) if status is not None and status < 300 else None
        waited = None if answered is None else self._waiting.pop(int(answered[1]), None)
        if waited is not None:
            kind, since = waited
            self._acknowledged.labels(kind).observe(time.perf_counter() - since)

    def moved(self, game: str) -> None:
        """Hear of a move that is committed."""
        self._moves.labels(game).inc()

    def committed(self, seconds: float) -> None:
        """Hear how long a table has waited until what happened there was on the disk."""
        self._committed.observe(seconds)

    def thought(self, seconds: float) -> None:
        """Hear how long a computer player has waited for its turn to think."""
        self._thought.observe(seconds)

    def lagged(self, seconds: float) -> None:
        """Hear how much later than it had asked for somebody was called by the event loop."""
        self._lag.observe(seconds)

    # As it is read

    def standing(self, servers: int, opened: Mapping[str, int] | None, awake: Mapping[str, int], queue: int) -> None:
        """Take how it stands now. Open tables are None where the database does not say."""
        self._servers.set(servers)
        self._queue.set(queue)
        self._open.clear()
        for game in self._games:
            self._awake.labels(game).set(awake.get(game, 0))
            if opened is not None:
                self._open.labels(game).set(opened.get(game, 0))

    async def written(self, accept: str) -> tuple[bytes, str]:
        """Return all figures, in the format that suits a reader, and its name. Not on the event loop: it takes
        milliseconds.
        """
        write, kind = choose_encoder(accept)
        return await asyncio.to_thread(write, self.registry), kind
