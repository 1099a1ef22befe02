"""Standings: what a player has achieved on a leaderboard. What their ratings follow from is the records' business.

May import msgspec and `engine`.
"""

from typing import Literal

import msgspec

from engine.contract import Moment
from engine.endings import Board, Ended

PLACEMENT_GAMES = 5
"""A rating is ranked after so many games."""

TREND_GAMES = 5
"""The trend is the change over so many games."""

BASE = 1_500
POINTS = 25
SURE = 3.0
"""The number that people see is BASE + POINTS × (μ − SURE × σ): who is new begins at 1500, and who beats others or
only becomes better known rises.
"""

ALWAYS = (Moment(0), Moment(2**62))
"""From when to before when a leaderboard of all time has games."""

Player = int | str
"""A user, or the computer players of a level, who are rated as one."""


class Chart(msgspec.Struct, frozen=True):
    """Which leaderboard: a server's, of a game, of a board, with the games that ended `since` to before `until`."""

    guild: int
    game: str
    board: Board
    since: Moment = ALWAYS[0]
    until: Moment = ALWAYS[1]


class Standing(msgspec.Struct, frozen=True, gc=False):
    """What a player has achieved.

    `mu` and `sigma` are the rating model's, `rating` the number that people see. `streak` counts the games won in a row
    up to now, `longest` is the longest such row, `best` the best score; `trace` has the last ratings, the newest last.
    """

    player: Player
    name: str
    mu: float
    sigma: float
    rating: int = BASE
    games: int = 0
    wins: int = 0
    streak: int = 0
    longest: int = 0
    best: int | None = None
    trace: tuple[int, ...] = ()

    @property
    def margin(self) -> int:
        """How unsure the rating is: one standard deviation, in the same points."""
        return round(POINTS * self.sigma)

    @property
    def placing(self) -> bool:
        """Whether there are too few games to be ranked."""
        return self.games < PLACEMENT_GAMES

    @property
    def course(self) -> tuple[int, ...]:
        """The ratings as they are drawn, the newest last: from before the first game on, if that is known to be it."""
        return (BASE, *self.trace) if 0 < len(self.trace) == self.games else self.trace

    @property
    def change(self) -> int:
        """By how many points the rating has changed over the last games."""
        before = self.trace[-TREND_GAMES - 1] if len(self.trace) > TREND_GAMES else BASE
        return self.rating - before


class Place(msgspec.Struct, frozen=True):
    """A standing and its rank: 1, and 1 more for each better rating; None while it is not ranked, or is hidden."""

    standing: Standing
    rank: int | None


class Listing(msgspec.Struct, frozen=True):
    """A stretch of a leaderboard: `places` from number `first` (from 0) on, of `ranked` people and `placing` ones.

    `mine` is the reader's own place, and `number` where it stands in the list. While the games of the last moments, or
    all of them, are still being added, it is not `whole`.
    """

    places: tuple[Place, ...]
    first: int
    ranked: int
    placing: int
    mine: Place | None
    number: int | None
    whole: bool


class Task(msgspec.Struct, frozen=True):
    """A leaderboard on which there is something to do: games to add, or all of them anew, or an old one to clear away.

    `last` is the number of the last ending that was added, `top` that of the last there is; `corrected` are the
    corrections of results at its beginning, `corrections` those there are.
    """

    id: int
    chart: Chart
    state: Literal["shown", "building", "gone"]
    last: int
    corrected: int
    top: int
    corrections: int


class Step(msgspec.Struct, frozen=True):
    """The next games of a leaderboard, up to the ending `last`, and the standings of those who played them."""

    games: list[Ended]
    standings: dict[Player, Standing]
    last: int
