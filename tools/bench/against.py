"""Processor time of a move compared with another checkout of the bot, such as one from before a change:
`python -m tools.bench against --checkout FOLDER`.

Both bots play the same game, each on a sandbox of its own, in turns of a second or so, so that a busy machine slows
both down alike. Work that a bot puts off is counted in its next turn.
"""

import asyncio
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tools.bench import judged
from tools.bench.rush import Counts, Crowd, crowd
from tools.harness.moves import OPTIONS

TABLES = 40
WARM, MOVES = 2_000, 150
"""Moves of each bot before measuring, so that what it draws once is drawn; and in a turn."""

PAIRS = 40
REST_S = 0.3
"""The time after a turn for what a bot still has to send."""

MOST = 1.08
"""Budget: the upper end of the interval of the ratio."""

SAMPLES = 2_000


def moves(number: int) -> Callable[[], bool]:
    """Return a function that is true this often."""
    left = iter(range(number))
    return lambda: next(left, None) is not None


async def _turn(bot: Crowd, steps: int) -> None:
    await bot.play(moves(steps))
    await asyncio.sleep(REST_S)


async def _measured(game: str, checkout: Path) -> list[tuple[Counts, Counts]]:
    """Return what was counted of our bot and of the other one, pair by pair."""
    async with crowd(game, TABLES) as ours, crowd(game, TABLES, checkout) as theirs:
        for bot in (ours, theirs):
            await _turn(bot, WARM)
        pairs, before = [], (ours.counted(), theirs.counted())
        for number in range(PAIRS):
            for bot in (ours, theirs) if number % 2 else (theirs, ours):
                await _turn(bot, MOVES)
            now = ours.counted(), theirs.counted()
            pairs.append((now[0].since(before[0]), now[1].since(before[1])))
            before = now
        return pairs


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of the median, by resampling."""
    dice = random.Random(1)
    medians = sorted(statistics.median(dice.choices(values, k=len(values))) for _ in range(SAMPLES))
    return medians[SAMPLES // 40], medians[-SAMPLES // 40]


def rows(games: Sequence[str], checkout: Path) -> Iterator[tuple[str, str]]:
    """Yield a line per game (or named game)."""
    for game in games or OPTIONS:
        pairs = asyncio.run(_measured(game, checkout))
        ours, theirs = ([one.processor_ms / one.moves for one in side] for side in zip(*pairs, strict=True))
        ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
        low, high = interval(ratios)
        calls = [sum(one.calls for one in side) / sum(one.moves for one in side) for side in zip(*pairs, strict=True)]
        ratio = f"{statistics.median(ratios):.2f} ({low:.2f} to {high:.2f}){judged(high <= MOST, str(MOST))}"
        spent = f"{statistics.median(ours):.2f} ms of processor a move against {statistics.median(theirs):.2f}"
        yield game, f"{ratio} of the other; {spent}; {calls[0]:.2f} calls against {calls[1]:.2f}"
