"""The changes of ratings that are shown at the end of a game."""

from dataclasses import dataclass

from engine.contract import Seat
from engine.standings import PLACEMENT_GAMES

MOVES_MOST = f"Ratings move most in the first {PLACEMENT_GAMES} games; what some gain need not be what others lose."
"""Why the first ratings do not go up and down alike, see `engine.standings.SURE`."""


@dataclass(frozen=True)
class RatingChange:
    """A player's rating before and after a game, in the points that people see, and how many games count by now."""

    seat: Seat
    before: int
    after: int
    games: int

    @property
    def words(self) -> str:
        """The change, and how many games a player has who has no place on a leaderboard yet."""
        first = f" (placement game {self.games} of {PLACEMENT_GAMES})" if self.games < PLACEMENT_GAMES else ""
        return f"{self.before} → **{self.after}**{first}"
