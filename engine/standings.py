"""Standings: what a player has achieved on a leaderboard. Ratings are computed elsewhere."""

from typing import Literal

import msgspec

from engine.contract import Moment
from engine.results import Board, FinishedGame

PLACEMENT_GAMES = 5
"""The number of games after which a rating is ranked."""

TREND_GAMES = 5
"""The number of games over which the trend is computed."""

BASE = 1_500
POINTS = 25
SURE = 3.0
"""The displayed rating is BASE + POINTS × (μ − SURE × σ). A new player begins at 1500, and rises by beating others or
just by becoming better known.
"""

RATINGS_VERSION = 1
"""Grows when the ratings of computers change (`Bots.strengths`): casual leaderboards are then added up once more."""

ALWAYS = (Moment(0), Moment(2**62))
"""The time range of an all-time leaderboard: from, inclusive, and until, exclusive."""

Player = int | str
"""A user, or the level of the bots, which are rated as one player."""


class Leaderboard(msgspec.Struct, frozen=True):
    """Identifies a leaderboard: server, game, board, and the games that ended from `since`, inclusive, until `until`,
    exclusive.
    """

    guild: int
    game: str
    board: Board
    since: Moment = ALWAYS[0]
    until: Moment = ALWAYS[1]


class Standing(msgspec.Struct, frozen=True, gc=False):
    """What a player has achieved.

    `mu` and `sigma` belong to the rating model; `rating` is what people see. `streak` is the number of games won in a
    row up to now, `longest` the longest streak, `best` the best score, and `trace` the latest ratings, the newest last.
    `changes` has, for each of the last games, the table, by how many points it changed the best guess of the strength
    (μ), and how many games count by then.
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
    changes: tuple[tuple[int, int, int], ...] = ()

    @property
    def margin(self) -> int:
        """The uncertainty of the rating: one standard deviation, in the same points."""
        return round(POINTS * self.sigma)

    @property
    def placing(self) -> bool:
        """Whether there are too few games for a rank."""
        return self.games < PLACEMENT_GAMES

    def change_at(self, table: int) -> int | None:
        """By how many points the game at a table changed the best guess; None if that is no longer known."""
        return next((change for number, change, _ in self.changes if number == table), None)

    @property
    def course(self) -> tuple[int, ...]:
        """The ratings to draw, the newest last; including the initial one if the trace is known to be complete."""
        return (BASE, *self.trace) if 0 < len(self.trace) == self.games else self.trace

    @property
    def change(self) -> int:
        """By how many points the rating has changed over the last games."""
        before = self.trace[-TREND_GAMES - 1] if len(self.trace) > TREND_GAMES else BASE
        return self.rating - before


class Place(msgspec.Struct, frozen=True):
    """A standing and its rank: one more than the number of better ratings, or None if it is not ranked or hidden."""

    standing: Standing
    rank: int | None


class Listing(msgspec.Struct, frozen=True):
    """A section of a leaderboard: `places` from index `first` on, of `ranked` people and `placing` ones.

    `mine` is the reader's own place, and `number` its index in the list. It is not `whole` while recent games, or all
    games, are still being added.
    """

    places: tuple[Place, ...]
    first: int
    ranked: int
    placing: int
    mine: Place | None
    number: int | None
    whole: bool


class UpdateJob(msgspec.Struct, frozen=True):
    """A leaderboard that needs work: adding games, rebuilding it, or deleting an old one.

    `last` is the number of the last result that was added, `top` that of the newest one. `corrected` is the number of
    corrections when building began, `corrections` the present one. `version` is that of the computers' ratings.
    """

    id: int
    chart: Leaderboard
    state: Literal["shown", "building", "gone"]
    last: int
    corrected: int
    top: int
    corrections: int
    version: int = RATINGS_VERSION

    @property
    def outdated(self) -> bool:
        """Whether what was added up must be added up again."""
        rated_anew = self.chart.board == "casual" and self.last > 0 and self.version < RATINGS_VERSION
        return rated_anew or self.corrected != self.corrections


class UpdateBatch(msgspec.Struct, frozen=True):
    """The next games of a leaderboard, up to result number `last`, and the standings of those who played them."""

    games: list[FinishedGame]
    standings: dict[Player, Standing]
    last: int
