"""The results of a server's members at the puzzles of a day, those who solved most first."""

from collections import defaultdict
from dataclasses import dataclass

from cogs.core.inbound.table_service import TableService
from cogs.puzzles import words
from cogs.puzzles.tally import Tally

MOST_NAMED = 10
"""The most people listed for a server's day."""


@dataclass(frozen=True)
class Solver:
    """A member who tried puzzles of a day: how many they tried and solved."""

    user: int
    solved: int
    tried: int


async def solvers(tables: TableService, guild: int, number: int) -> list[Solver]:
    """Return the members who tried puzzles of a day on that day, except those hidden from leaderboards."""
    hidden = await tables.store.records.hidden()
    people: dict[int, list[bool | None]] = defaultdict(list)
    for attempt in await tables.store.puzzle_attempts.on_server(guild, number):
        if attempt.user not in hidden:
            people[attempt.user].append(attempt.solved)
    found = (Solver(user, sum(one is True for one in tried), len(tried)) for user, tried in people.items())
    return sorted(found, key=lambda one: (-one.solved, one.tried, one.user))[:MOST_NAMED]


def line(one: Solver, puzzles: int, streak: int = 0) -> str:
    """Return the results of a member, and the number of days in a row on which they have solved a puzzle."""
    told = f"<@{one.user}> {one.solved} of {puzzles}"
    return f"{told} · {words.days(streak)}" if streak > 1 else told


async def streak_of(tables: TableService, user: int, today: int) -> int:
    """Return on how many days in a row a user has solved a puzzle."""
    return Tally(await tables.store.puzzle_attempts.of(user), today).days_in_a_row()
