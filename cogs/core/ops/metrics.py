"""The bot's metrics for Prometheus. No label identifies a person, a server or a table. Without METRICS nobody imports
this module except for its type, since prometheus_client may be missing.
"""

import asyncio
import re
import time
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import get_args

import discord
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder

from data.store import TableRow
from data.store.games import Games, NewDecision
from data.store.rows import Cause

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Bounds for what should take milliseconds, in seconds."""

SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
"""Bounds for what people wait for."""

MAX_UNANSWERED = 10_000
"""How many unanswered interactions are remembered; Discord itself gives up on each after 3 s."""

SCOPES = ("user", "global", "shared")
"""Whose limit a 429 can name."""

INTERACTION_KINDS = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "completion",
    discord.InteractionType.component: "control",
    discord.InteractionType.modal_submit: "form",
}

_ROUTES: tuple[tuple[str, str, str], ...] = (
    ("answer", "POST", r"/interactions/\d+/[^/]+/callback"),
    ("answer_edit", "PATCH|GET|DELETE", r"/webhooks/\d+/[^/]+/messages/[^/]+"),
    ("follow_up", "POST", r"/webhooks/\d+/[^/]+"),
    ("message", "POST", r"/channels/\d+/messages"),
    ("message_edit", "PATCH", r"/channels/\d+/messages/\d+"),
    ("message_delete", "DELETE", r"/channels/\d+/messages/\d+"),
    ("thread", "POST", r"/channels/\d+(?:/messages/\d+)?/threads"),
    ("channel", "GET|PATCH", r"/channels/\d+"),
    ("direct_message_channel", "POST", r"/users/@me/channels"),
    ("commands", "GET|PUT|POST", r"/applications/\d+/(?:guilds/\d+/)?commands"),
    ("emoji", "GET|POST|DELETE", r"/applications/\d+/emojis(?:/\d+)?"),
)
_PATTERNS = tuple((kind, re.compile(f"(?:{methods}) .*{path}")) for kind, methods, path in _ROUTES)
_INTERACTION = re.compile(r"/interactions/(\d+)/[^/]+/callback$")


def kind_of(method: str, path: str) -> str:
    """Return the kind of a call, independent of the base path of the API: paths contain ids and tokens."""
    line = f"{method} {path}"
    return next((kind for kind, pattern in _PATTERNS if pattern.fullmatch(line)), "other")


class Metrics:
    """All metrics of one bot, with times in seconds. Gauges are set when the metrics are read."""

    def __init__(self, games: Iterable[str], version: str) -> None:
        registry = self.registry = CollectorRegistry()
        self._games = tuple(games)
        self._unanswered: dict[int, tuple[str, float]] = {}  # by interaction: its kind, and when it came in

        def seconds(name: str, what: str, bounds: tuple[float, ...], labels: tuple[str, ...] = ()) -> Histogram:
            return Histogram(f"cellblock_{name}_seconds", what, labels, buckets=bounds, registry=registry)

        def counter(name: str, what: str, *labels: str) -> Counter:
            return Counter(f"cellblock_{name}", what, labels, registry=registry)

        def gauge(name: str, what: str, *labels: str) -> Gauge:
            return Gauge(f"cellblock_{name}", what, labels, registry=registry)

        ProcessCollector(registry=registry)
        gauge("build_info", "The version that is running; always 1.", "version").labels(version).set(1)
        gauge("start_time_seconds", "When the bot was started, in seconds since the Unix epoch.").set(time.time())
        self._servers = gauge("servers", "Servers that the bot is on.")
        self._open = gauge("open_tables", "Tables in the database that are in their lobby or in a game.", "game")
        self._awake = gauge("awake_tables", "Tables in memory.", "game")
        self._api = gauge("discord_api_up", "Whether Discord's API answers: 1, or 0.")
        self._lost = gauge("lost_connections", "Shards whose connection to Discord is lost.")
        self._paused = gauge("paused_tables", "Tables in memory whose clocks are paused, and why.", "cause")
        self._queue = gauge("thinking_queue_length", "Requests to computer players that wait for a free worker.")
        self.moves = counter("moves", "Moves of people and computers that were committed.", "game")
        self._interactions = counter("interactions", "Interactions received.", "kind")
        self._calls = counter("rest_calls", "Calls to Discord, by the status of the answer.", "kind", "status")
        self._rate_limited = counter("rest_rate_limited", "Calls that Discord rate-limited (429).", "scope")
        self._acknowledged = seconds(
            "acknowledgement", "Time from an interaction's arrival until Discord has its answer.", SLOW, ("kind",)
        )
        self.commit = seconds("commit", "How long a table waits for the database to commit.", QUICK)
        self.lag = seconds("event_loop_lag", "How late the event loop runs what is due.", QUICK)
        self.bot_wait = seconds("thinking_wait", "How long a computer player waits for a free worker.", SLOW)
        for game in self._games:
            self.moves.labels(game)
        for scope in SCOPES:
            self._rate_limited.labels(scope)

    def count_interaction(self, interaction: discord.Interaction) -> None:
        """Count an interaction that has just arrived."""
        kind = INTERACTION_KINDS.get(interaction.type)
        if kind is None:
            return
        self._interactions.labels(kind).inc()
        if len(self._unanswered) >= MAX_UNANSWERED:
            del self._unanswered[next(iter(self._unanswered))]
        self._unanswered[interaction.id] = (kind, time.perf_counter())

    def count_call(self, method: str, path: str, status: int | None, scope: str | None) -> None:
        """Count a call to Discord by its status (None: no response). `scope` is whose limit a 429 names."""
        if status == HTTPStatus.SWITCHING_PROTOCOLS:
            return  # the gateway's connection is no call
        self._calls.labels(kind_of(method, path), "none" if status is None else str(status)).inc()
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            self._rate_limited.labels(scope if scope in SCOPES else "unknown").inc()
        answered = _INTERACTION.search(path) if status is not None and status < 300 else None
        waited = None if answered is None else self._unanswered.pop(int(answered[1]), None)
        if waited is not None:
            kind, since = waited
            self._acknowledged.labels(kind).observe(time.perf_counter() - since)

    def set_gauges(self, servers: int, opened: Mapping[str, int] | None, awake: Mapping[str, int], queue: int) -> None:
        """Set the gauges to their present values. Open tables are None if the database does not answer."""
        self._servers.set(servers)
        self._queue.set(queue)
        self._open.clear()
        for game in self._games:
            self._awake.labels(game).set(awake.get(game, 0))
            if opened is not None:
                self._open.labels(game).set(opened.get(game, 0))

    def set_outages(self, api: bool, lost: int, paused: Mapping[str, int]) -> None:
        """Set whether Discord's API answers, how many connections are lost, and how many tables each cause pauses."""
        self._api.set(api)
        self._lost.set(lost)
        for cause in get_args(Cause):
            self._paused.labels(cause).set(paused.get(cause, 0))

    def metered(self, games: Games) -> Games:
        """Return a store's games, of which each decision that is saved is counted and timed."""
        return _MeteredGames(games, self)

    async def render(self, accept: str) -> tuple[bytes, str]:
        """Return all metrics in the format that suits the reader, and its content type."""
        write, kind = choose_encoder(accept)
        return await asyncio.to_thread(write, self.registry), kind


class _MeteredGames(Games):
    def __init__(self, games: Games, metrics: Metrics) -> None:
        super().__init__(games.database, games.ended)
        self._games = games
        self._metrics = metrics

    async def append(self, table: int, decided: NewDecision) -> TableRow:
        started = time.perf_counter()
        row = await self._games.append(table, decided)
        self._metrics.commit.observe(time.perf_counter() - started)
        if decided.seat is not None:
            self._metrics.moves.labels(row.game).inc()
        return row
