"""Calls per move that count towards Discord's 50 per second, while people play each game at a human pace.

One person plays on the table message, one on a private page and one by direct message; each takes 5 to 20 seconds per
move. Answers to interactions and edits by their tokens are not counted.
"""

import asyncio
import contextlib
import random
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from cogs.core.ops.config import point_at
from sandbox import Sandbox
from tools.bench import judged
from tools.goldens.calls import KINDS, UNCOUNTED, kinds, move
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers import DRIVERS
from tools.harness.environment import overridden

MOVES = 40
WANTED = 1.2


@contextlib.asynccontextmanager
async def bot_on_sandbox() -> AsyncIterator[BotHarness]:
    """Run the bot in this process, on a sandbox without rate limits."""
    with tempfile.TemporaryDirectory() as folder, overridden(patient=False):
        async with Sandbox(answer_within_ms=20_000, reaction_ms=0) as sandbox:
            sandbox.limits_on = False
            point_at(sandbox.api, sandbox.gateway)
            at = BotHarness(sandbox, Path(folder) / "bench.db")
            try:
                await at.start()
                yield at
                await at.settle()
            finally:
                await at.stop()


async def measured(
    key: str, watching: contextlib.AbstractContextManager[object] | None = None
) -> tuple[int, Counter[str]]:
    """Play at one table, inside the context manager `watching` once the game runs. Return the number of moves and the
    counted calls since the game started.
    """
    async with bot_on_sandbox() as at:
        dice, driver = random.Random(1), DRIVERS[key]
        package = next(package for package in at.games if package.game.key == key)
        guests = (at.ben, at.cleo)[: min(package.game.player_counts[-1], 3) - 1]
        await at.begin(package.ui().command, *guests, clock=180, **driver.options)
        started, moves = len(at.sandbox.calls), 0
        with watching or contextlib.nullcontext():
            for _ in range(3 * MOVES):
                live = at.messages().table
                if moves == MOVES or not live.snapshot.playing:
                    break
                await at.advance(dice.randrange(5_000, 20_000))
                if live.snapshot.view(None).to_act:
                    await move(at, key, at.awaited(), dice)
                    moves += 1
        counted = kinds(at, started)
        for kind, _, _ in KINDS[:UNCOUNTED]:
            del counted[kind]
        return moves, counted


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line per game."""
    for key in DRIVERS:
        moves, counted = asyncio.run(measured(key))
        each = counted.total() / moves
        kinds = ", ".join(f"{number} {kind}" for kind, number in counted.most_common())
        yield key, f"{each:.2f} a move{judged(each <= WANTED, str(WANTED))} ({moves} moves: {kinds})"
