"""How the people of a server did at the puzzles of a day: those who solved most first."""

from collections import defaultdict
from dataclasses import dataclass

from cogs.core.inbound.table_service import TableService
from cogs.puzzles import words
from cogs.puzzles.tally import Tally

MOST_NAMED = 10
"""So many people stand in a server's day, the best first."""


@dataclass(frozen=True)
class Solver:
    """Somebody who tried puzzles of a day on a server: how many they solved, of how many tried."""

    user: int
    solved: int
    tried: int


async def solvers(tables: TableService, guild: int, number: int) -> list[Solver]:
    """Return who tried puzzles of a day on a server on that day, but for those who hide from leaderboards."""
    hidden = await tables.store.records.hidden()
    people: dict[int, list[bool | None]] = defaultdict(list)
    for attempt in await tables.store.puzzle_attempts.on_server(guild, number):
        if attempt.user not in hidden:
            people[attempt.user].append(attempt.solved)
    found = (Solver(user, sum(one is True for one in tried), len(tried)) for user, tried in people.items())
    return sorted(found, key=lambda one: (-one.solved, one.tried, one.user))[:MOST_NAMED]


def line(one: Solver, puzzles: int, streak: int = 0) -> str:
    """Return how somebody did, and for how many days in a row they have solved one."""
    told = f"<@{one.user}> {one.solved} of {puzzles}"
    return f"{told} · {words.days(streak)}" if streak > 1 else told


async def streak_of(tables: TableService, user: int, today: int) -> int:
    """Return on how many days in a row somebody has solved a puzzle."""
    return Tally(await tables.store.puzzle_attempts.of(user), today).days_in_a_row()
