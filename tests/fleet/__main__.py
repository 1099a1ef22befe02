"""`python -m tests.fleet [--kills 50]`: kill the process that serves a server while people play all five
games there, start another one, and see whether anything was lost. Prints how long each took, and what is wrong.
"""

import argparse
import asyncio
import contextlib
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.fleet.trials import Replaced, playing, replaced, scene_on
from tests.postgres import Cluster, folder, programs


async def run(
    cluster: Cluster, place: Path, kills: int, say: Callable[[str], object] = lambda _: None
) -> tuple[list[Replaced], list[str]]:
    """Kill one process after the other, and `say` what has come of it; return how each was followed by the next, and
    what is wrong.
    """
    found = []
    async with scene_on(cluster.fresh("template1"), place) as scene:
        (guild,) = scene.guilds
        process = await scene.fleet.start()
        await scene.fleet.serving(process, guild)
        async with playing(scene.parties):
            for number in range(1, kills + 1):
                await scene.everybody_plays()
                found.append(await replaced(scene, process, guild))
                process = found[-1].successor
                say(f"{number:3}. answered after {found[-1].back_ms} ms\n")
            await scene.everybody_plays()
        told = sum(click.fate == "taken" for click in scene.journal.clicks)
        say(f"{told} moves were acknowledged, {len(scene.journal.clicks) - told} were not.\n")
        return found, await scene.judged()


def _say(words: str) -> None:
    sys.stdout.write(words)
    sys.stdout.flush()


def words(found: list[Replaced]) -> str:
    """Say how long nobody answered."""
    spent = sorted(each.back_ms / 1_000 for each in found)
    p95 = spent[min(len(spent) - 1, round(0.95 * len(spent)))]
    return f"answered again after p50 {statistics.median(spent):.1f} s, p95 {p95:.1f} s, at most {spent[-1]:.1f} s"


@contextlib.contextmanager
def cluster() -> Iterator[Cluster]:
    """Give a PostgreSQL with its usual settings, for as long as it is needed."""
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
    parser = argparse.ArgumentParser(prog="python -m tests.fleet", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="how often (default 50)")
    asked = parser.parse_args()
    with cluster() as made, tempfile.TemporaryDirectory() as place:
        found, wrong = asyncio.run(run(made, Path(place), asked.kills, _say))
    sys.stdout.write(f"{len(found)} kills: {words(found)}\n")
    for line in wrong:
        sys.stdout.write(f"WRONG: {line}\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
