"""Results at the puzzles: those of a user, and those of a server's members on a day."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from cogs.core.i18n.translation import _
from cogs.core.ops.storage import Store
from cogs.puzzles.words import FAILED, OPEN, SOLVED, UNTRIED, days
from engine.puzzles import Attempt, days_in_a_row

MOST_LISTED = 10
"""The most people listed for a server's day."""


class Tally:
    """A user's attempts, as of the puzzles of `today`."""

    def __init__(self, attempts: Iterable[Attempt], today: int) -> None:
        self._attempts = {(one.game, one.number): one for one in attempts}
        self._today = today

    def mark(self, game: str, number: int) -> str:
        """Return the sign of an attempt."""
        attempt = self._attempts.get((game, number))
        if attempt is None:
            return UNTRIED
        return {None: OPEN, True: SOLVED, False: FAILED}[attempt.solved]

    def tried(self, number: int) -> bool:
        """Return whether any puzzle of a day was tried."""
        return any(one == number for _game, one in self._attempts)

    def days_in_a_row(self, game: str | None = None) -> int:
        """Return on how many days in a row up to today a game's puzzle was solved on its day; without a game, any
        puzzle.
        """
        done = {
            one.number
            for one in self._attempts.values()
            if one.solved and one.timely and (game is None or one.game == game)
        }
        return days_in_a_row(done, self._today)


@dataclass(frozen=True)
class Solver:
    """A member who tried puzzles of a day: how many they tried and solved."""

    user: int
    solved: int
    tried: int


async def solvers(store: Store, guild: int, number: int) -> list[Solver]:
    """Return the members who tried puzzles of a day on that day, except those hidden from leaderboards."""
    hidden = await store.records.hidden()
    people: dict[int, list[bool | None]] = defaultdict(list)
    for attempt in await store.puzzle_attempts.on_server(guild, number):
        if attempt.user not in hidden:
            people[attempt.user].append(attempt.solved)
    found = (Solver(user, sum(one is True for one in tried), len(tried)) for user, tried in people.items())
    return sorted(found, key=lambda one: (-one.solved, one.tried, one.user))[:MOST_LISTED]


def result_line(one: Solver, puzzles: int, streak: int = 0) -> str:
    """Return the results of a member, and the number of days in a row on which they have solved a puzzle."""
    words = _("{player} {solved} of {total}", player=f"<@{one.user}>", solved=one.solved, total=puzzles)
    return f"{words} · {days(streak)}" if streak > 1 else words


async def streak_of(store: Store, user: int, today: int) -> int:
    """Return on how many days in a row a user has solved a puzzle."""
    return Tally(await store.puzzle_attempts.of(user), today).days_in_a_row()
