"""How fast the rules are: decisions of random games a second, beside a baseline of the same run."""

import time
from collections.abc import Iterator

import msgspec

from engine.games import GAMES
from tests.engine.playouts import play

SECONDS = 2.0
"""How long each game is played at random."""


class _Point(msgspec.Struct, frozen=True):
    x: int
    y: tuple[int, ...]


def baseline() -> float:
    """Return how many small frozen structs this machine copies with a change in a second: what rules mostly do."""
    point, count, begin = _Point(0, (1, 2, 3)), 0, time.perf_counter()
    while time.perf_counter() - begin < 0.5:
        for _ in range(1_000):
            point = msgspec.structs.replace(point, x=point.x + 1)
        count += 1_000
    return count / (time.perf_counter() - begin)


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line for each registered game."""
    copies = baseline()
    yield "baseline: struct copies", f"{copies:,.0f} a second"
    for key, game in GAMES.items():
        games, steps, begin = 0, 0, time.perf_counter()
        while time.perf_counter() - begin < SECONDS:
            steps += len(play(game, games).steps)
            games += 1
        spent = time.perf_counter() - begin
        yield (
            key,
            (
                f"{steps / spent:,.0f} decisions a second ({copies / (steps / spent):.0f} copies each), "
                f"{games / spent:,.1f} games a second"
            ),
        )
