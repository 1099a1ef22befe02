"""Where computer players think: in processes of their own, so that no search ever holds up a click.

A request crosses the border as JSON and so does the answer; the worker knows the engine only. May import `engine` and
the standard library.
"""

import asyncio
import logging
import multiprocessing
import multiprocessing.connection
import os
import random
import signal
import threading
import time
import zlib
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

import msgspec

from engine.contract import Action, Moment, View, write
from engine.games import GAMES
from engine.players import Budget, Intent, Level, Steps
from engine.players.registry import PLAYERS

log = logging.getLogger(__name__)


class Seconds:
    """A budget of real time, read from a clock that never goes back."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter() + seconds

    def spent(self) -> bool:
        """Say whether the time is up."""
        return time.perf_counter() >= self._end


@dataclass(frozen=True)
class Question:
    """What a computer player is asked: all that its seat may know, as JSON, and nothing else."""

    game: str
    level: Level
    view: str
    legal: tuple[str, ...]
    seed: int
    seconds: float | None
    steps: int = 0


def answer(question: Question) -> tuple[str, int, Moment | None] | None:
    """Return the action (JSON) that the player chose and when (see `Intent`); None to wait for others."""
    game = GAMES[question.game]
    view = msgspec.json.decode(question.view, type=game.views)
    legal = [game.read_action(action) for action in question.legal]
    budget: Budget = Steps(question.steps) if question.seconds is None else Seconds(question.seconds)
    player = PLAYERS[question.game][question.level]
    intent: Intent | None = player(view, legal, budget, random.Random(question.seed))
    return None if intent is None else (write(intent.action), intent.after_ms, intent.earliest)


def _end_with_parent() -> None:
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


class Thinkers:
    """A small pool of processes in which players think.

    With 0 workers they think in a thread (for tests), counting steps.
    """

    def __init__(self, workers: int = 1, seconds: float = 0.8, steps: int = 200) -> None:
        self._workers = workers
        self._seconds = seconds if workers else None
        self._steps = steps
        self._pool: Executor | None = None

    def _executor(self) -> Executor:
        if self._pool is None:
            if self._workers:
                self._pool = ProcessPoolExecutor(
                    self._workers, multiprocessing.get_context("spawn"), initializer=_end_with_parent
                )
            else:
                self._pool = ThreadPoolExecutor(1, "thinking")
        return self._pool

    async def ask(self, game: str, level: Level, view: View, legal: list[Action]) -> Intent | None:
        """Return what the player means to do. A worker that dies is replaced and asked once more."""
        question = Question(
            game,
            level,
            write(view),
            tuple(write(action) for action in legal),
            random.SystemRandom().getrandbits(64) if self._workers else zlib.crc32(write(view).encode()),
            self._seconds,
            self._steps,
        )
        loop = asyncio.get_running_loop()
        for last in (False, True):
            pool = self._executor()
            try:
                chosen = await loop.run_in_executor(pool, answer, question)
            except BrokenProcessPool:
                log.warning("a computer player's process died; starting another")
                if self._pool is pool:
                    self._pool = None
                    pool.shutdown(wait=False, cancel_futures=True)
                if last:
                    raise
            else:
                if chosen is None:
                    return None
                action, after_ms, earliest = chosen
                return Intent(GAMES[game].read_action(action), after_ms, earliest)
        raise AssertionError("the loop above returns or raises")

    async def close(self) -> None:
        """End the workers; what they are thinking about is dropped."""
        pool, self._pool = self._pool, None
        if isinstance(pool, ProcessPoolExecutor):
            processes = list((pool._processes or {}).values())  # the pool has no call to stop a search that runs
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
        elif pool is not None:
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)
