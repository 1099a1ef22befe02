"""The metrics that a running bot reports; `prometheus_metrics` implements them where METRICS is set.

No label identifies a person, a server or a table.
"""

import time
from typing import Protocol

import discord

from data.store import TableRow
from data.store.games import Games, NewDecision


class Metrics(Protocol):
    """What whoever counts is told as it happens. All times are seconds."""

    def received(self, interaction: discord.Interaction) -> None:
        """Hear of an interaction that has just come in."""

    def called(self, method: str, path: str, status: int | None, scope: str | None) -> None:
        """Hear how Discord has answered a call of ours (None: not at all), and for a 429 whose limit it was."""

    def moved(self, game: str) -> None:
        """Hear of a move that is committed."""

    def committed(self, seconds: float) -> None:
        """Hear how long a table has waited until what happened there was on the disk."""

    def thought(self, seconds: float) -> None:
        """Hear how long a computer player has waited for its turn to think."""


class MeteredGames(Games):
    """A store's games, of which each decision that is kept is counted and timed."""

    def __init__(self, games: Games, figures: Metrics) -> None:
        super().__init__(games.database, games.ended)
        self._games = games
        self._figures = figures

    async def append(self, table: int, decided: NewDecision) -> TableRow:
        """Keep a decision: see `Games.append`, which also says what is raised."""
        begun = time.perf_counter()
        row = await self._games.append(table, decided)
        self._figures.committed(time.perf_counter() - begun)
        if decided.seat is not None:
            self._figures.moved(row.game)
        return row
