"""The metrics that a running bot reports; `prometheus_metrics` implements them where METRICS is set.

No label identifies a person, a server or a table.
"""

import time
from typing import Protocol

import discord

from data.store import DecisionRow, ResultRow, TableRow
from data.store.games import Decided, Games


class Figures(Protocol):
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


class CountedGames(Games):
    """A store's games, of which each decision that is kept is counted and timed."""

    def __init__(self, games: Games, figures: Figures) -> None:
        super().__init__(lambda: None)  # the games themselves tell who waits for results
        self._games = games
        self._figures = figures

    async def append(self, table: int, decided: Decided) -> TableRow:
        """Keep a decision: see `Games.append`, which also says what is raised."""
        begun = time.perf_counter()
        row = await self._games.append(table, decided)
        self._figures.committed(time.perf_counter() - begun)
        if decided.seat is not None:
            self._figures.moved(row.game)
        return row

    async def events(self, table: int, first: int = 0) -> list[str]:
        """Return the bodies (JSON) of a table's events, from number `first` on."""
        return await self._games.events(table, first)

    async def decisions(self, table: int) -> list[DecisionRow]:
        """Return what led to a table's events, in order."""
        return await self._games.decisions(table)

    async def results(self, table: int) -> list[ResultRow]:
        """Return how a table's game ended, by seat; nothing before it has."""
        return await self._games.results(table)
