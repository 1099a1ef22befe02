"""How fast the rules are: decisions of random games a second, beside a baseline of the same run; and how long it takes
to find all that a seat may do.
"""

import statistics
import time
from collections.abc import Iterator

import msgspec

from engine.contract import AnyGame
from engine.games import GAMES
from tests.engine.playouts import play

SECONDS = 2.0
"""How long each game is played at random."""

GAMES_LOOKED_AT = 6
"""In so many random games all that may be done is looked for at every moment."""


DECISIONS = {"rope_wall": 50_000, "match_five": 1_000}
DECISIONS_ELSE = 20_000
ENUMERATING_MS = {"match_five": 2.0, "break_out": 0.1}
"""Budgets: decisions of random games a second at least, and finding all that may be done, on average."""


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
        wanted = DECISIONS.get(key, DECISIONS_ELSE)
        judged = _missed(steps / spent < wanted, f"{wanted:,}")
        yield (
            key,
            (
                f"{steps / spent:,.0f} decisions a second{judged} ({copies / (steps / spent):.0f} copies each), "
                f"{games / spent:,.1f} games a second; {enumerating(game)}"
            ),
        )


def enumerating(game: AnyGame) -> str:
    """Return in words how much processor time it takes to find all that somebody may do, in random games."""
    spent: list[float] = []
    for seed in range(GAMES_LOOKED_AT):
        for state in play(game, seed).running:
            for seat in game.view(state, None).waiting:
                begin = time.process_time()
                list(game.legal(state, seat))
                spent.append((time.process_time() - begin) * 1_000)
    mean, most = statistics.mean(spent), ENUMERATING_MS.get(game.key)
    missed = "" if most is None else _missed(mean > most, f"{most} ms")
    return f"legal actions in {mean:.2f} ms{missed}, p99 {statistics.quantiles(spent, n=100)[98]:.2f} ms"


def _missed(missed: bool, budget: str) -> str:
    return f" [budget {budget}{': MISSED' if missed else ''}]"
