"""Kill processes of the bot while people play all five games: `python -m tools.fleet [--kills 50] [--processes 2]`.

Each kill is followed by a new process. With several processes, each serves its own server and the others take over from
a killed one; some are also stopped gracefully, or frozen for a while. Prints the outages and all faults.
"""

import argparse
import asyncio
import contextlib
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tools.fleet.trials import Replaced, Scene, handed_over, killed, playing, scene_on, stood_still
from tools.postgres import Cluster, folder, programs

PLANNED = 3
"""Planned stops, and freezes, after all the kills."""

Say = Callable[[str], object]


async def run(
    cluster: Cluster, place: Path, kills: int, processes: int = 1, say: Say = lambda _: None
) -> tuple[list[Replaced], list[str]]:
    """Kill one process after the other, and `say` what follows. Return the replacements and the faults."""
    found = []
    async with scene_on(cluster.fresh("template1"), place, shards=processes) as scene:
        await scene.begin(processes)
        async with playing(scene):
            for number in range(kills):
                guild = scene.guilds[number % processes]
                await scene.shared()
                await scene.everybody_plays()
                found.append(await killed(scene, scene.owners[guild.id], guild))
                say(f"{number + 1:3}. answered after {found[-1].back_ms} ms\n")
            if processes > 1:
                await _planned(scene, say)
            await scene.shared()
            await scene.everybody_plays()
        await scene.shown()
        told = sum(click.fate == "taken" for click in scene.journal.clicks)
        say(f"{told} moves were acknowledged, {len(scene.journal.clicks) - told} were not.\n")
        return found, await scene.judged()


async def _planned(scene: Scene, say: Say) -> None:
    for number in range(PLANNED):
        guild = scene.guilds[number % len(scene.guilds)]
        await scene.shared()
        await handed_over(scene, scene.owners[guild.id])
        say(f"{number + 1:3}. was handed over\n")
        await stood_still(scene, scene.owners[guild.id], guild)
        say(f"{number + 1:3}. froze, and was taken over\n")


def words(found: list[Replaced]) -> str:
    """Describe the outages."""
    spent = sorted(each.back_ms / 1_000 for each in found)
    p95 = spent[min(len(spent) - 1, int(0.95 * len(spent)))]
    return f"answered again after p50 {statistics.median(spent):.1f} s, p95 {p95:.1f} s, at most {spent[-1]:.1f} s"


def _say(told: str) -> None:
    sys.stdout.write(told)
    sys.stdout.flush()


@contextlib.contextmanager
def cluster() -> Iterator[Cluster]:
    """Run a PostgreSQL cluster with default settings."""
    binaries = programs()
    if binaries is None:
        sys.exit("PostgreSQL is missing (apt-get install postgresql)")
    made = Cluster(folder(), binaries)
    try:
        made.make()
        yield made
    finally:
        made.remove()


def main() -> None:
    """Read the command line, and run."""
    parser = argparse.ArgumentParser(prog="python -m tools.fleet", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="how often (default 50)")
    parser.add_argument("--processes", type=int, default=2, help="how many processes there are (default 2)")
    asked = parser.parse_args()
    with cluster() as made, tempfile.TemporaryDirectory() as place:
        found, wrong = asyncio.run(run(made, Path(place), asked.kills, asked.processes, _say))
    sys.stdout.write(f"{len(found)} kills: {words(found)}\n")
    for line in wrong:
        sys.stdout.write(f"WRONG: {line}\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
