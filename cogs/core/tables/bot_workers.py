"""Runs computer players in processes of their own, so that no search delays a click.

Questions and answers are sent as JSON, and a worker knows only the engine. Tables take turns, and think for a shorter
time while many wait (`worker_queue`).
"""

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
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from cogs.core.tables.worker_queue import FairQueue
from engine.contract import Action, AnyGame, Moment, View, to_json
from engine.players import Budget, Explain, Intent, Player, Reason, Steps

if TYPE_CHECKING:
    from cogs.core.ops.metrics import Metrics

log = logging.getLogger(__name__)

T = TypeVar("T")

HINT_STEPS = 2_500
"""A player may ask its budget this often about a hint: at most a third of a second."""

HINT_SECONDS = 0.6
"""The time limit for finding the move, and again for explaining it."""

TARGET_S = 1.5
"""A player should answer within this time, however many tables wait: with the pause that imitates a person it stays
below three seconds.
"""

NICE = 5
"""The niceness of players: the bot itself has clicks to answer."""

BACKGROUND_NICE = 15
"""And so far what nobody waits for at a table."""

GetSituation = Callable[[], tuple[View, Iterable[Action] | None] | None]
"""How to see what a seat is asked: its view and legal actions, to be gone through in a thread (None: they are found
where the player thinks), or nothing, if nothing is left to ask. Called when a worker is free, so that nobody thinks
about what has passed.
"""


class Seconds:
    """A budget of real time, read from a clock that never goes back."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter() + seconds

    def spent(self) -> bool:
        """Return True if the time is up."""
        return time.perf_counter() >= self._end


class StepAndTimeBudget:
    """A budget of steps within a time limit, so that the answer is the same on any machine that is fast enough."""

    def __init__(self, steps: int, seconds: float | None) -> None:
        self._steps = Steps(steps)
        self._seconds = None if seconds is None else Seconds(seconds)

    def spent(self) -> bool:
        """Return True if either is used up."""
        return self._steps.spent() or (self._seconds is not None and self._seconds.spent())


@dataclass(frozen=True)
class Question:
    """What a computer player is asked: all that its seat may know, as JSON, and nothing else.

    `views`, `actions` and `choices` are the game's, for decoding. Like the player, they are pickled by name.
    """

    player: Player
    views: type[View]
    actions: Any
    choices: Callable[[Any], Iterator[Action]] | None
    view: str
    legal: tuple[str, ...] | None
    seed: int
    seconds: float | None
    steps: int = 0


def answer(question: Question) -> tuple[str, int, Moment | None] | None:
    """Return the action (JSON) that the player chose and when (see `Intent`); None to wait for others."""
    view, legal = _read(question)
    budget: Budget = Steps(question.steps) if question.seconds is None else Seconds(question.seconds)
    intent: Intent | None = question.player(view, legal, budget, random.Random(question.seed))
    return None if intent is None else (to_json(intent.action), intent.after_ms, intent.earliest)


def answer_hint(question: Question, explain: Explain | None) -> tuple[str, tuple[Reason, ...]] | None:
    """Return the action (JSON) that the player would choose, and why; None to wait for others. The same question has
    the same answer, unless the time was up.
    """
    view, legal = _read(question)
    budget = StepAndTimeBudget(question.steps, question.seconds)
    intent = question.player(view, legal, budget, random.Random(question.seed))
    if intent is None:
        return None
    if explain is None:
        return to_json(intent.action), ()
    budget = StepAndTimeBudget(question.steps, question.seconds)
    return to_json(intent.action), explain(view, intent.action, legal, budget, random.Random(question.seed))


def _read(question: Question) -> tuple[View, list[Action]]:
    """Return the view that a question is about, and the legal actions."""
    view = msgspec.json.decode(question.view, type=question.views)
    if question.legal is None:
        assert question.choices is not None
        return view, list(question.choices(view))
    read = msgspec.json.Decoder(question.actions)
    return view, [read.decode(action) for action in question.legal]


def _written(legal: Iterable[Action]) -> tuple[str, ...]:
    return tuple(map(to_json, legal))


def _begin_worker(nice: int) -> None:
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):  # a service of systemd may be forbidden to: they think all the same
            os.nice(nice)
    # Ctrl-C is the bot's to handle; and a killed bot must not leave players behind: the parent's sentinel becomes
    # readable when it is gone.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True, name="end-with-parent").start()


class BotWorkers:
    """A small pool of processes in which players think.

    With 0 workers they think in a thread (for tests), counting steps.
    """

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
        """Give a place to work something out for which no table waits: one process behind all players, for one at a
        time, that ends with the work.
        """
        async with self._background_lock:
            pool: Executor = _processes(1, BACKGROUND_NICE) if self._workers else ThreadPoolExecutor(1, "aside")
            try:
                yield pool
            finally:
                await _stop(pool)

    async def ask(self, table: int, game: AnyGame, player: Player, get_situation: GetSituation) -> Intent | None:
        """Return what the player means to do; None to wait for others, or if nothing is left to ask.

        Raises what the player raised, and `BrokenProcessPool` if the worker died twice; once it is replaced.
        """
        asked = time.perf_counter()
        async with self._queue.turn(table) as seconds:
            if self.metrics is not None:
                self.metrics.bot_wait.observe(time.perf_counter() - asked)
            situation = get_situation()
            if situation is None:
                return None
            question = await self._question(game, player, situation, seconds, self._steps)
            if self._workers:
                question = replace(question, seed=random.SystemRandom().getrandbits(64))
            chosen = await self._run(answer, question)
        if chosen is None:
            return None
        action, after_ms, earliest = chosen
        return Intent(game.read_action(action), after_ms, earliest)

    async def hint(
        self, table: int, game: AnyGame, player: Player, explain: Explain | None, get_situation: GetSituation
    ) -> tuple[Action, tuple[Reason, ...]] | None:
        """Return what the player would do and why; None if it would wait for others, or if nothing is left to ask.

        The same view has the same answer, unless the time was up. Raises what `ask` raises.
        """
        async with self._queue.turn(table):
            situation = get_situation()
            if situation is None:
                return None
            steps = HINT_STEPS if self._workers else self._steps
            question = await self._question(game, player, situation, HINT_SECONDS, steps)
            chosen = await self._run(answer_hint, question, explain)
        return None if chosen is None else (game.read_action(chosen[0]), chosen[1])

    async def _question(
        self,
        game: AnyGame,
        player: Player,
        situation: tuple[View, Iterable[Action] | None],
        seconds: float,
        steps: int,
    ) -> Question:
        """Return what a player is asked of what was seen; its luck follows from the view."""
        view, legal = situation
        body = to_json(view)
        return Question(
            player,
            game.views,
            game.actions,
            game.legal_from_view,
            body,
            None if legal is None else await asyncio.to_thread(_written, legal),
            zlib.crc32(body.encode()),
            seconds if self._workers else None,
            steps,
        )

    async def _run(self, work: Callable[..., T], *given: Any) -> T:
        """Run this in a worker. If the worker dies, replace it and try once more."""
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
        """End the workers; what they are thinking about is dropped."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await _stop(pool)


def _processes(workers: int, nice: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, context, initializer=_begin_worker, initargs=(nice,))


async def _stop(pool: Executor) -> None:
    """End a pool; what is being worked out there is dropped."""
    if isinstance(pool, ProcessPoolExecutor):
        processes = list((pool._processes or {}).values())  # the pool has no call to stop a search that runs
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
    else:
        await asyncio.to_thread(pool.shutdown, cancel_futures=True)
