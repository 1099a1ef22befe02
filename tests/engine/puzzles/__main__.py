"""`python -m tests.engine.puzzles`: solve the puzzles of all days with the second solvers. Takes 15 minutes."""

import sys
from collections.abc import Callable
from typing import Any

from data.material import load_material
from data.puzzles import load_puzzles
from engine.contract import Seat
from engine.games import prison_break
from engine.puzzles import Puzzle
from engine.puzzles.registry import KINDS
from tests.engine.puzzles import solvers

DAYS = 378


def _dice(state: Any, puzzle: Puzzle) -> bool:
    wins = solvers.best_dice(state, puzzle.position)
    best, second = sorted(wins.values(), reverse=True)[:2]
    return wins[puzzle.proof.line[0]] == best > second


def _whereabouts(state: Any, puzzle: Puzzle) -> bool:
    sure = [spaces for rival in (1, 2) if len(spaces := solvers.where_they_may_be(state, Seat(rival))) == 1]
    return len(sure) == 1 and {prison_break.Guard(space) for space in sure[0]} == set(puzzle.proof.line)


CHECKS: dict[str, Callable[[Any, Puzzle], bool]] = {
    "rope_wall": lambda state, puzzle: solvers.links_in_two(state) == [puzzle.proof.line[0]],
    "prison_break": _whereabouts,
    "ausbrecher": _dice,
    "break_out": lambda state, puzzle: len(solvers.ways_out(state)) == 1,
    "match_five": lambda state, puzzle: solvers.best_play(state) == (puzzle.proof.best, 1, puzzle.proof.second),
}


def main() -> int:
    """Print for each kind how many were right; return 1 if any was not."""
    wrong = 0
    for key, check in CHECKS.items():
        kind, pack = KINDS[key], load_puzzles()[key]
        material = load_material(kind.game)
        puzzles = [pack.numbered(number) for number in range(1, DAYS + 1)]
        failed = [one.number for one in puzzles if not check(kind.state(one.position, material), one)]
        wrong += len(failed)
        sys.stdout.write(f"{key}: {DAYS - len(failed)} of {DAYS} have one best answer{failed or ''}\n")
        sys.stdout.flush()
    return min(1, wrong)


if __name__ == "__main__":
    sys.exit(main())
