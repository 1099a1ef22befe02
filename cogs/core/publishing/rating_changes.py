"""The changes of ratings that are shown at the end of a game."""

from dataclasses import dataclass

from engine.contract import Seat


@dataclass(frozen=True)
class RatingChange:
    """By how many points a game has changed the best guess of a player's strength."""

    seat: Seat
    change: int

    @property
    def words(self) -> str:
        """The change with its sign."""
        if not self.change:
            return "±0"
        return f"{'+' if self.change > 0 else '−'}{abs(self.change)}"
