"""`python -m data.puzzles [WEEKS]`: make the puzzles of this many weeks, each proved to have one best answer. Each week
has its own random numbers, so that more can be added.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from random import Random

import msgspec

from data.material import load_material
from data.puzzles import FOLDER, Line
from engine.contract import to_json
from engine.puzzles import make
from engine.puzzles.registry import KINDS

DAYS = 7


def week(game: str, number: int) -> list[bytes]:
    """Return a week's lines of one game, the easiest first."""
    kind = KINDS[game]
    material = load_material(kind.game)
    rng = Random(f"{kind.key}/{number}")
    made = sorted((make(kind, rng, material) for _ in range(DAYS)), key=lambda one: one[1].difficulty)
    return [
        msgspec.json.encode(
            Line(
                msgspec.Raw(msgspec.json.encode(position)),
                tuple(msgspec.Raw(to_json(action).encode()) for action in proof.line),
                proof.best,
                proof.second,
                proof.legal,
                proof.difficulty,
            )
        )
        for position, proof in made
    ]


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(prog="python -m data.puzzles", description=__doc__)
    parser.add_argument("weeks", nargs="?", type=int, default=54, help="how many (default: 54, more than a year)")
    parser.add_argument("--game", action="append", choices=list(KINDS), help="only this game's")
    asked = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        for game in asked.game or KINDS:
            weeks = pool.map(week, [game] * asked.weeks, range(asked.weeks))
            lines = [line for found in weeks for line in found]
            (FOLDER / f"{KINDS[game].key}.jsonl").write_bytes(b"\n".join(lines) + b"\n")
            sys.stdout.write(f"{game}: {len(lines)} puzzles\n")


if __name__ == "__main__":
    main()
