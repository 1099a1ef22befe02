"""A user's results at the puzzles: the sign of each attempt, and days in a row."""

from collections.abc import Iterable

from cogs.puzzles.words import FAILED, OPEN, SOLVED, UNTRIED
from engine.puzzles import Attempt


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
        return any(one == number for _, one in self._attempts)

    def days_in_a_row(self, game: str | None = None) -> int:
        """Return on how many days in a row up to today a game's puzzle was solved on its day; without a game, any
        puzzle.

        Today counts once it is solved and breaks nothing until it is over.
        """
        done = {
            one.number
            for one in self._attempts.values()
            if one.solved and one.timely and (game is None or one.game == game)
        }
        number = self._today if self._today in done else self._today - 1
        count = 0
        while number - count in done:
            count += 1
        return count
