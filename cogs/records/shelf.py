"""The shelf: the books of the boards that were lately looked at, each brought up to date before it is read.

A book is made from the results and grows with them; it is never written down. May import `cogs.core` and `engine`.
"""

import asyncio
from collections import OrderedDict
from typing import NamedTuple

from cogs.core.errors import Told
from cogs.core.tables import Tables
from cogs.records.ratings import Book
from cogs.records.seasons import Period, Span, season_months, span
from engine.contract import Moment
from engine.endings import Board

BOOKS = 64
"""So many boards are kept in memory; others are added up anew."""

BATCH = 500
"""Games that are read and added at a time: other reads, and other threads, get their turn in between."""

PATIENCE_S = 2.0
"""Whoever asks is answered after this time in any case: Discord waits for 3 seconds."""


class _Key(NamedTuple):
    guild: int
    game: str
    board: Board
    since: Moment | None
    until: Moment | None


class Shelf:
    """Books by server, game, board and stretch of time."""

    def __init__(self, tables: Tables, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._records = tables.store.records
        self._clock = tables.clock
        self._books: OrderedDict[_Key, Book] = OrderedDict()
        self._reading: set[asyncio.Task[Book]] = set()
        self._amendments = 0
        self._lock = asyncio.Lock()

    async def span(self, guild: int, period: Period) -> Span:
        """Return the stretch of time that a period is on this server now."""
        months = season_months(await self._records.setting(guild, "season_months"))
        return span(period, months, self._clock.now())

    async def books(self, guild: int, game: str, *wanted: tuple[Board, Period]) -> list[Book]:
        """Return the books of these boards with every game that has ended.

        Raises `Told` if adding them up takes too long for an answer; it goes on meanwhile.
        """
        keys = [_Key(guild, game, board, *await self._window(guild, period)) for board, period in wanted]
        tasks = [self._read(key) for key in keys]
        _, slow = await asyncio.wait(tasks, timeout=self._patience_s)
        if slow:
            raise Told("So many games are being added up for the first time since I started. Ask again in a moment.")
        return [task.result() for task in tasks]

    async def close(self) -> None:
        """Put down the books that are being added up."""
        for task in self._reading:
            task.cancel()
        await asyncio.gather(*self._reading, return_exceptions=True)

    async def _window(self, guild: int, period: Period) -> tuple[Moment | None, Moment | None]:
        stretch = await self.span(guild, period)
        return stretch.since, stretch.until

    def _read(self, key: _Key) -> asyncio.Task[Book]:
        task = asyncio.create_task(self._brought_up_to_date(key), name=f"board-{key.game}")
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)
        return task

    async def _brought_up_to_date(self, key: _Key) -> Book:
        async with self._lock:
            amendments = await self._records.amendments()
            if amendments != self._amendments:  # results were changed: what was added up is no longer true
                self._books.clear()
                self._amendments = amendments
            # On the shelf only when it is whole: a book that was left halfway through a batch is thrown away.
            book = self._books.pop(key, None) or Book()
            await self._grow(book, key)
            self._books[key] = book
            if len(self._books) > BOOKS:
                self._books.popitem(last=False)
            return book

    async def _grow(self, book: Book, key: _Key) -> None:
        while True:
            games = await self._records.ended(
                key.guild, key.game, key.board, after=book.last, since=key.since, until=key.until, most=BATCH
            )
            if games:
                await asyncio.to_thread(book.add, games)
            if len(games) < BATCH:
                return
