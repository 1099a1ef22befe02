"""Runs computer players in processes of their own, so that no search delays a click. A worker knows only the engine."""

import asyncio
import contextlib
import logging
import multiprocessing
import multiprocessing.connection
import os
import random
import signal
import threading
import time
import zlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from engine.contract import Action, AnyGame, Moment, View, to_json
from engine.players import Explain, Intent, Player, Reason, Steps

if TYPE_CHECKING:
    from cogs.core.ops.metrics import Metrics

log = logging.getLogger(__name__)

T = TypeVar("T")

TARGET_S = 1.5
"""A player answers within this time, however many tables wait: with the pause before a move, below three seconds."""

LEAST_S = 0.01
"""No player thinks for a shorter time than this, however many wait."""

HINT_STEPS = 2_500
"""A player may ask its budget this often about a hint: at most a third of a second."""

HINT_SECONDS = 0.6
"""The time limit for finding the move, and again for explaining it."""

NICE = 5
"""The niceness of players: the bot itself has clicks to answer."""

BACKGROUND_NICE = 15
"""The niceness of work that nobody waits for at a table."""

Situation = tuple[View, Iterable[Action] | None]
"""A seat's view and legal actions, which are listed in a thread (None: the worker finds them)."""

GetSituation = Callable[[], Situation | None]
"""Returns what to ask, or None. Called when a worker is free, so that nobody thinks about an old position."""


@dataclass
class _Place:
    """A place in the queue: by when its turn should be over, and a future that is set when it begins."""

    due: float
    started: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FairQueue:
    """A fair queue for a few workers: tables take turns, each for `usual` seconds, or for less while many wait, so that
    each turn is over `target` seconds after it was asked for.
    """

    def __init__(self, workers: int, usual: float, target: float, now: Callable[[], float] = time.monotonic) -> None:
        self._workers = workers
        self._usual = usual
        self._target = target
        self._now = now
        self._busy = 0
        self._requests: deque[float] = deque()  # the times of recent requests
        self._tables: dict[int, deque[_Place]] = {}  # the table with the next turn comes first

    @contextlib.asynccontextmanager
    async def turn(self, table: int) -> AsyncIterator[float]:
        """Wait for a worker, and yield the seconds for which it may be used; it is released at the end."""
        now = self._now()
        self._requests.append(now)
        while self._requests[0] < now - self._target:
            self._requests.popleft()
        place = _Place(now + self._target)
        self._tables.setdefault(table, deque()).append(place)
        self._start_next()
        try:
            await place.started
            yield self._seconds(place)
        finally:
            if not place.started.cancelled():  # nobody gave up before the turn began
                self._busy -= 1
                self._start_next()

    @property
    def waiting(self) -> int:
        """How many wait for a worker."""
        return sum(not place.started.done() for places in self._tables.values() for place in places)

    def _start_next(self) -> None:
        """Give each free worker to the table whose last turn is the longest ago."""
        while self._busy < self._workers and self._tables:
            table = next(iter(self._tables))
            places = self._tables.pop(table)
            place = places.popleft()
            if places:
                self._tables[table] = places
            if not place.started.done():
                self._busy += 1
                place.started.set_result(None)

    def _seconds(self, own: _Place) -> float:
        """Return how long this turn may be so that all who wait, and as many again as came lately, are in time."""
        now = self._now()
        waiting = (place.due for places in self._tables.values() for place in places if not place.started.done())
        dues = sorted([own.due, *waiting])
        shares = [self._share(due - now, count) for count, due in enumerate(dues, start=1)]
        return min(self._usual, max(LEAST_S, min(self._share(self._target, len(self._requests)), *shares)))

    def _share(self, seconds: float, turns: int) -> float:
        """Return the length of each turn if this many turns share these seconds."""
        return seconds * self._workers / max(turns, self._workers)


class SearchBudget:
    """A budget of steps, seconds, or both. With both, an answer is the same on any machine that is fast enough."""

    def __init__(self, *, steps: int | None = None, seconds: float | None = None) -> None:
        self._steps = None if steps is None else Steps(steps)
        self._end = None if seconds is None else time.perf_counter() + seconds

    def spent(self) -> bool:
        """Return True if it is used up."""
        if self._steps is not None and self._steps.spent():
            return True
        return self._end is not None and time.perf_counter() >= self._end


@dataclass(frozen=True)
class Question:
    """What a computer player is asked: all that its seat may know, as JSON, and nothing else.

    `views`, `actions` and `choices` are the game's, for decoding. `explain` is given if the reasons are asked for,
    and actions of the types `left_out` are not considered.
    These and the player are pickled by name.
    """

    player: Player
    views: type[View]
    actions: Any
    choices: Callable[[Any], Iterator[Action]] | None
    view: str
    legal: tuple[str, ...] | None
    seed: int
    steps: int | None
    seconds: float | None
    explain: Explain | None = None
    left_out: frozenset[type[Action]] = frozenset()


class Answer(NamedTuple):
    """The action (JSON) that a player chose, why, and when it is made (see `Intent`)."""

    action: str
    reasons: tuple[Reason, ...]
    after_ms: int
    earliest: Moment | None


def answer(question: Question) -> Answer | None:
    """Return the player's answer; None if it waits for others. Runs in a worker."""
    view = msgspec.json.decode(question.view, type=question.views)
    if question.legal is None:
        assert question.choices is not None
        legal = list(question.choices(view))
    else:
        decoder = msgspec.json.Decoder(question.actions)
        legal = [decoder.decode(action) for action in question.legal]
    legal = [action for action in legal if type(action) not in question.left_out]

    def budget() -> SearchBudget:
        return SearchBudget(steps=question.steps, seconds=question.seconds)

    intent = question.player(view, legal, budget(), random.Random(question.seed))
    if intent is None:
        return None
    reasons: tuple[Reason, ...] = ()
    if question.explain is not None:
        reasons = question.explain(view, intent.action, legal, budget(), random.Random(question.seed))
    return Answer(to_json(intent.action), reasons, intent.after_ms, intent.earliest)


def _begin_worker(nice: int) -> None:
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):  # systemd may forbid it
            os.nice(nice)
    # The bot handles Ctrl-C. A bot that is killed must leave no worker behind: the parent's sentinel becomes readable
    # when it is gone.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True, name="end-with-parent").start()


class BotWorkers:
    """A small pool of processes in which players think. With 0 workers (for tests) they think `steps` in a thread."""

    def __init__(self, workers: int = 1, seconds: float = 0.8, steps: int = 200, *, target: float = TARGET_S) -> None:
        self._workers = workers
        self._steps = steps
        self._queue = FairQueue(workers or 1, seconds, target)
        self._pool: Executor | None = None
        self._background_lock = asyncio.Lock()
        self.metrics: Metrics | None = None

    @property
    def waiting(self) -> int:
        """How many questions wait for a free worker."""
        return self._queue.waiting

    def _executor(self) -> Executor:
        if self._pool is None:
            if self._workers:
                self._pool = _processes(self._workers, NICE)
            else:
                self._pool = ThreadPoolExecutor(1, "thinking")
        return self._pool

    @contextlib.asynccontextmanager
    async def background_worker(self) -> AsyncIterator[Executor]:
        """Yield a worker of low priority for something that no table waits for: one at a time, ended with the work."""
        async with self._background_lock:
            pool: Executor = _processes(1, BACKGROUND_NICE) if self._workers else ThreadPoolExecutor(1, "aside")
            try:
                yield pool
            finally:
                await _stop(pool)

    async def ask(self, table: int, game: AnyGame, player: Player, get_situation: GetSituation) -> Intent | None:
        """Return what the player decides to do; None if it waits for others, or if there is nothing left to ask.

        Raises what the player raised, and `BrokenProcessPool` if its worker died twice.
        """
        asked = time.perf_counter()
        async with self._queue.turn(table) as seconds:
            if self.metrics is not None:
                self.metrics.bot_wait.observe(time.perf_counter() - asked)
            question = await self._question(game, player, get_situation())
            if question is None:
                return None
            if self._workers:
                question = replace(question, seed=random.SystemRandom().getrandbits(64), steps=None, seconds=seconds)
            found = await self._run(answer, question)
        return None if found is None else Intent(game.read_action(found.action), found.after_ms, found.earliest)

    async def hint(
        self,
        table: int,
        game: AnyGame,
        player: Player,
        explain: Explain | None,
        get_situation: GetSituation,
        left_out: frozenset[type[Action]] = frozenset(),
    ) -> tuple[Action, tuple[Reason, ...]] | None:
        """Return what the player would do and why, without actions of the types `left_out`: the same for the same view,
        unless the time runs out. See `ask`.
        """
        async with self._queue.turn(table):
            question = await self._question(game, player, get_situation())
            if question is None:
                return None
            question = replace(question, explain=explain, left_out=left_out)
            if self._workers:
                question = replace(question, steps=HINT_STEPS, seconds=HINT_SECONDS)
            found = await self._run(answer, question)
        return None if found is None else (game.read_action(found.action), found.reasons)

    async def _question(self, game: AnyGame, player: Player, situation: Situation | None) -> Question | None:
        """Return the question about a situation, limited by steps; its random seed depends on the view only."""
        if situation is None:
            return None
        view, legal = situation
        body, actions = to_json(view), None
        if legal is not None:
            actions = await asyncio.to_thread(lambda: tuple(map(to_json, legal)))
        seed = zlib.crc32(body.encode())
        return Question(
            player, game.views, game.actions, game.legal_from_view, body, actions, seed, self._steps, seconds=None
        )

    async def _run(self, work: Callable[..., T], *given: Any) -> T:
        """Run this in a worker. If the worker dies, it is replaced and asked once more."""
        loop = asyncio.get_running_loop()
        pool = self._executor()
        try:
            return await loop.run_in_executor(pool, work, *given)
        except BrokenProcessPool:
            log.warning("a computer player's process died; starting another")
            if self._pool is pool:
                self._pool = None
                pool.shutdown(wait=False, cancel_futures=True)
        return await loop.run_in_executor(self._executor(), work, *given)

    async def close(self) -> None:
        """End the workers, also while they think."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await _stop(pool)


def _processes(workers: int, nice: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, context, initializer=_begin_worker, initargs=(nice,))


async def _stop(pool: Executor) -> None:
    """End a pool, also while it works."""
    if isinstance(pool, ProcessPoolExecutor):
        processes = list((pool._processes or {}).values())  # the pool has no call to stop a search that runs
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
    else:
        await asyncio.to_thread(pool.shutdown, cancel_futures=True)
