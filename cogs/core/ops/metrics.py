"""The metrics that a running bot reports; `prometheus_metrics` implements them if METRICS is set. No label identifies a
person, a server or a table.
"""

import time
from typing import Protocol

import discord

from data.store import TableRow
from data.store.games import Games, NewDecision


class Metrics(Protocol):
    """Counts and measures events as they happen. All times are in seconds."""

    def count_interaction(self, interaction: discord.Interaction) -> None:
        """Count an interaction that has just arrived."""

    def count_call(self, method: str, path: str, status: int | None, scope: str | None) -> None:
        """Count a call to Discord by the status of the response (None: no response), and for a 429 by whose limit it
        was.
        """

    def count_move(self, game: str) -> None:
        """Count a move that was committed."""

    def observe_commit(self, seconds: float) -> None:
        """Record how long a table waited until a change was on disk."""

    def observe_bot_wait(self, seconds: float) -> None:
        """Record how long a computer player waited for its turn to think."""


class MeteredGames(Games):
    """A store's games, of which each decision that is kept is counted and timed."""

    def __init__(self, games: Games, metrics: Metrics) -> None:
        super().__init__(games.database, games.ended)
        self._games = games
        self._metrics = metrics

    async def append(self, table: int, decided: NewDecision) -> TableRow:
        """Keep a decision: see `Games.append`, which also says what is raised."""
        started = time.perf_counter()
        row = await self._games.append(table, decided)
        self._metrics.observe_commit(time.perf_counter() - started)
        if decided.seat is not None:
            self._metrics.count_move(row.game)
        return row
