"""Ratings: what a series of finished games says about each player. Nothing of it is kept; it follows from the results.

The strength is Plackett–Luce's of openskill (Weng and Lin, "A Bayesian Approximation Method for Online Ranking",
2011): games of any number of sides, with shared places. May import openskill and `engine`.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from openskill.models import PlackettLuce

from engine.contract import Moment
from engine.endings import Ended, Side
from engine.games import GAMES

PLACEMENT_GAMES = 5
"""A rating is ranked after so many games."""

TREND_GAMES = 5
"""The trend is the change over so many games."""

TRACE = 100
"""So many of a player's last ratings are kept to draw."""

BASE = 1_500
POINTS = 25
SURE = 3.0
"""The number that people see is BASE + POINTS × (μ − SURE × σ): who is new begins at 1500, and who beats others or
only becomes better known rises.
"""

Player = int | str
"""A user, or the computer players of a level, who are rated as one."""

_MODEL = PlackettLuce()


@dataclass(frozen=True)
class Standing:
    """What a player has achieved on one board.

    `mu` and `sigma` are openskill's. `streak` counts the games won in a row up to now, `longest` is the longest such
    row, `best` the best score; `trace` has the last ratings, each with when its game ended.
    """

    player: Player
    name: str
    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0
    wins: int = 0
    streak: int = 0
    longest: int = 0
    best: int | None = None
    trace: tuple[tuple[Moment, int], ...] = field(default=(), repr=False)

    @property
    def rating(self) -> int:
        """The number that people see."""
        return shown(self.mu, self.sigma)

    @property
    def margin(self) -> int:
        """How unsure the rating is: one standard deviation, in the same points."""
        return round(POINTS * self.sigma)

    @property
    def placing(self) -> bool:
        """Whether there are too few games to be ranked."""
        return self.games < PLACEMENT_GAMES

    @property
    def change(self) -> int:
        """By how many points the rating has changed over the last games."""
        before = self.trace[-TREND_GAMES - 1][1] if len(self.trace) > TREND_GAMES else BASE
        return self.rating - before


def shown(mu: float, sigma: float) -> int:
    """Return a strength as the number that people see."""
    return round(BASE + POINTS * (mu - SURE * sigma))


class Book:
    """The standings of one board, to which games are added in the order in which they ended."""

    def __init__(self) -> None:
        self.last = 0
        self._standings: dict[Player, Standing] = {}

    def add(self, games: Iterable[Ended]) -> None:
        """Add games. One that is not later than the last has been added already, and is passed over.

        May run beside readers in other threads: they see all of the games or none.
        """
        standings = dict(self._standings)
        for game in games:
            if game.number > self.last:
                _add(standings, game)
                self.last = game.number
        self._standings = standings

    def of(self, user: int) -> Standing | None:
        """Return a user's standing, if they have played."""
        return self._standings.get(user)

    def ranked(self, hidden: Collection[int] = ()) -> list[Standing]:
        """Return the people who are ranked, the best first, without those who are hidden."""
        return sorted((s for s in self._people(hidden) if not s.placing), key=_order)

    def placing(self, hidden: Collection[int] = ()) -> list[Standing]:
        """Return the people who have played too few games to be ranked, those with the most games first."""
        return sorted((s for s in self._people(hidden) if s.placing), key=lambda s: (-s.games, *_order(s)))

    def rank(self, standing: Standing, hidden: Collection[int] = ()) -> int:
        """Return the rank that this standing has among those who are shown: 1, and 1 more for each better rating."""
        shown = (other for other in self._people(hidden) if not other.placing)
        return 1 + sum(other.rating > standing.rating for other in shown)

    def _people(self, hidden: Collection[int]) -> Iterable[Standing]:
        return (s for s in self._standings.values() if isinstance(s.player, int) and s.player not in hidden)


def _add(standings: dict[Player, Standing], game: Ended) -> None:
    before = [_before(standings, side) for side in game.sides]
    strengths = [(standing.mu, standing.sigma) for standing in before]
    if len(before) > 1:  # alone there is nobody to be compared with
        teams = [[_MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in strengths]
        rated = _MODEL.rate(teams, ranks=[float(side.place) for side in game.sides])
        strengths = [(team[0].mu, team[0].sigma) for team in rated]
    # Computers of one level may hold several seats: they learn from the first of them.
    after: dict[Player, Standing] = {}
    for side, standing, strength in zip(game.sides, before, strengths, strict=True):
        if side.player is not None and side.player not in after:
            after[side.player] = _after(standing, game, side, *strength)
    standings.update(after)


def _before(standings: Mapping[Player, Standing], side: Side) -> Standing:
    if side.player is None:  # somebody who was forgotten: they count as a stranger each time
        return Standing(0, side.name)
    return standings.get(side.player) or Standing(side.player, side.name)


def _after(standing: Standing, game: Ended, side: Side, mu: float, sigma: float) -> Standing:
    won = game.won(side)
    streak = standing.streak + 1 if won else 0
    return replace(
        standing,
        name=side.name,
        mu=mu,
        sigma=sigma,
        games=standing.games + 1,
        wins=standing.wins + won,
        streak=streak,
        longest=max(standing.longest, streak),
        best=_better(game.game, standing.best, side.score),
        trace=(*standing.trace, (game.at, shown(mu, sigma)))[-TRACE:],
    )


def _better(game: str, best: int | None, score: int | None) -> int | None:
    """Return the better score; a game that is not played here any more counts as one of many points."""
    if best is None or score is None:
        return score if best is None else best
    known = GAMES.get(game)
    return min(best, score) if known is not None and known.fewest else max(best, score)


def _order(standing: Standing) -> tuple[int, int, str, str]:
    return -standing.rating, -standing.wins, standing.name, str(standing.player)
