"""`python -m tests.bench [engine pictures players clicks lasting]`: what Cellblock does in how long, on this machine.

Machines differ and are noisy: read the ratios to the baseline of the same run.
"""

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator

from bot import SCREENS
from cogs.core.thinking import Seconds
from engine.games import GAMES
from engine.players.registry import PLAYERS
from tests.bench import clicks, engine, lasting, pictures
from tests.bench.strength import play_match

MATCHES = 100
THINK_S = 0.02
"""What a player may think about a move here; at a table it is forty times as long."""


ALONE = {"break_out": 4}
"""Games whose warden is measured alone against rookies, at a table for so many."""


def players() -> Iterator[tuple[str, str]]:
    """Yield a line for each game: how many of its games the warden wins against the rookie."""
    for key, levels in PLAYERS.items():
        if key in ALONE:
            result = play_match(
                GAMES[key],
                levels["warden"],
                levels["rookie"],
                MATCHES,
                lambda: Seconds(THINK_S),
                1,
                seats=ALONE[key],
                alone=True,
            )
            rookies = f"{ALONE[key] - 1} rookies"
            yield key, f"of {result.games} games against {rookies} the warden has the best total in {result.won}"
            continue
        result = play_match(GAMES[key], levels["warden"], levels["rookie"], MATCHES, lambda: Seconds(THINK_S), 1)
        yield (
            key,
            (
                f"of {result.games} games of {GAMES[key].seats[0]} against the rookie the warden wins {result.won}, "
                f"shares {result.shared}, loses {result.lost}, thinking {THINK_S * 1_000:.0f} ms a move"
            ),
        )


PARTS: dict[str, Callable[[], Iterator[tuple[str, str]]]] = {
    "engine": engine.rows,
    "pictures": lambda: pictures.rows([screen() for screen in SCREENS]),
    "players": players,
    "clicks": clicks.rows,
    "lasting": lasting.rows,
}


def main() -> None:
    """Measure the parts that were asked for, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to measure (default: all)")
    wanted = parser.parse_args().parts or list(PARTS)
    out = sys.stdout
    python = f"{platform.python_implementation()} {platform.python_version()}"
    out.write(f"{python}, {os.cpu_count()} cores, {platform.machine()}\n")
    for part in wanted:
        out.write(f"\n{part}\n")
        for name, words in PARTS[part]():
            out.write(f"  {name:34} {words}\n")
            out.flush()


if __name__ == "__main__":
    main()
