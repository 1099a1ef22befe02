"""Leaderboards: standings that are kept, read page by page, and brought forward by whoever adds the games up.

What a game makes of a standing is not known here: `step` hands out the next games and the standings of those who played
them, and `keep` takes the new ones, each game once, whatever happens in between. May import `engine`, msgspec, the
standard library and its neighbours.
"""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from data.store.records import Records
from engine.standings import Chart, Listing, Place, Player, Standing, Step, Task

CLEARED = 500
"""So many standings of a leaderboard that is gone are cleared away at a time."""


class Leaderboards(ABC):
    """The leaderboards. A store has them, as `leaderboards`.

    `stirred` is set whenever there may be something to add up; whoever adds up waits for it.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self.stirred = asyncio.Event()
        self.stirred.set()

    # --------------------------------------------------------------------------------------------------------- reading

    @abstractmethod
    async def listing(self, chart: Chart, reader: int, first: int | None, most: int) -> Listing:
        """Return up to `most` people of a leaderboard from number `first` on, and the reader's own place.

        `first` None is the page of `most` on which the reader stands. Hidden people are left out.
        """

    @abstractmethod
    async def place(self, chart: Chart, user: int) -> tuple[Place | None, int]:
        """Return a user's place on a leaderboard, and how many are ranked there."""

    @abstractmethod
    async def whole(self, charts: Iterable[Chart]) -> bool:
        """Return whether every game that has ended is on these leaderboards."""

    # ------------------------------------------------------------------------------------------------------ bringing on

    @abstractmethod
    async def want(self, charts: Iterable[Chart]) -> None:
        """Begin the leaderboards among these that there are not yet; seasons that nobody asks for any more go."""

    @abstractmethod
    async def due(self) -> list[Task]:
        """Return the leaderboards on which there is something to do: games to add, corrections, old ones to clear."""

    async def step(self, task: Task, most: int) -> Step:
        """Return the next up to `most` games of a leaderboard, with the standings to which they are to be added."""
        games = await self._records.ended(task.chart, after=task.last, upto=task.top, most=most)
        players = {side.player for game in games for side in game.sides if side.player is not None}
        standings = {standing.player: standing for standing in await self._standings(task, players)}
        return Step(games, standings, games[-1].number if len(games) == most else task.top)

    @abstractmethod
    async def _standings(self, task: Task, players: Collection[Player]) -> list[Standing]:
        """Return the standings of these players on a leaderboard; not all of them have one."""

    @abstractmethod
    async def keep(self, task: Task, last: int, standings: Iterable[Standing]) -> bool:
        """Keep what the games up to the ending `last` have made of these standings; return whether that was done.

        It is not if somebody else has added them, or if results were corrected since the task was found.
        """

    @abstractmethod
    async def rebuild(self, task: Task) -> None:
        """Begin a leaderboard anew beside the one that is shown, in place of one that was being built."""

    @abstractmethod
    async def show(self, task: Task) -> None:
        """Let a leaderboard that was built take the place of the one that is shown."""

    @abstractmethod
    async def clear(self, task: Task) -> None:
        """Clear away a part of a leaderboard that is gone, and it itself when nothing of it is left."""


def task_of(row: Sequence[Any]) -> Task:
    """Return a row of `clauses.DUE` as a value."""
    number, *rest = row
    fields = len(Chart.__struct_fields__)
    return Task(number, Chart(*rest[:fields]), *rest[fields:])


def standing_of(row: Sequence[Any]) -> Standing:
    """Return a row of the fields of `Standing` as a value."""
    *values, trace = row
    return Standing(**dict(zip(Standing.__struct_fields__, (*values, tuple(json.loads(trace))), strict=True)))


def row_of(standing: Standing) -> tuple[Any, ...]:
    """Return a standing as the fields of its row."""
    *values, trace = msgspec.structs.astuple(standing)
    return (*values, json.dumps(trace))
