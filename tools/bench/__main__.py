"""Run benchmarks: `python -m tools.bench [engine pictures players hints waiting clicks rush pace private_pages calls
loop commits lasting keeping memory gateway records fleet against]`.

`python -m tools.bench players --game match_five --matches 20` measures one game's players in fewer matches. Machines
differ and are noisy: compare with the baseline of the same run.
"""

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.players.registry import BOTS
from tools.bench import (
    against,
    calls,
    clicks,
    commits,
    engine,
    fleet,
    gateway,
    keeping,
    lasting,
    loop,
    memory,
    pace,
    pictures,
    players,
    private_pages,
    records,
    rush,
    waiting,
)

PARTS: dict[str, Callable[[argparse.Namespace], Iterator[tuple[str, str]]]] = {
    "engine": lambda _: engine.rows(),
    "pictures": lambda _: pictures.rows(),
    "players": lambda asked: players.rows(asked.game, asked.matches),
    "hints": lambda asked: players.hints(asked.game, asked.matches),
    "waiting": lambda asked: waiting.rows(asked.game),
    "clicks": lambda _: clicks.rows(),
    "rush": lambda asked: rush.rows(asked.game),
    "pace": lambda asked: pace.rows(asked.game),
    "private_pages": lambda _: private_pages.rows(),
    "calls": lambda _: calls.rows(),
    "loop": lambda _: loop.rows(),
    "commits": lambda _: commits.rows(),
    "lasting": lambda _: lasting.rows(),
    "keeping": lambda _: keeping.rows(),
    "memory": lambda asked: memory.rows(asked.minutes),
    "gateway": lambda _: gateway.rows(),
    "records": lambda _: records.rows(),
    "fleet": lambda _: fleet.rows(),
    "against": lambda asked: against.rows(asked.game, asked.checkout),
}


def main() -> None:
    """Measure the requested parts, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to measure (default: all)")
    parser.add_argument(
        "--game",
        action="append",
        default=[],
        choices=list(BOTS),
        help="players, hints, waiting, rush, pace, against: which game's",
    )
    parser.add_argument(
        "--matches", type=int, default=players.MATCHES, help="players, hints: games against each opponent"
    )
    parser.add_argument("--minutes", type=int, default=2, help="memory: for how long people click")
    parser.add_argument("--checkout", type=Path, help="against: the folder of the other bot")
    asked = parser.parse_args()
    if "against" in asked.parts and asked.checkout is None:
        parser.error("against needs --checkout")
    wanted = asked.parts or [part for part in PARTS if part != "against" or asked.checkout is not None]
    out = sys.stdout
    python = f"{platform.python_implementation()} {platform.python_version()}"
    out.write(f"{python}, {os.cpu_count()} cores, {platform.machine()}\n")
    for part in wanted:
        out.write(f"\n{part}\n")
        for name, words in PARTS[part](asked):
            out.write(f"  {name:34} {words}\n")
            out.flush()


if __name__ == "__main__":
    main()
