"""Ratings computed from finished games.

They use openskill's Plackett–Luce model (Weng and Lin, "A Bayesian Approximation Method for Online Ranking", 2011) for
games of any number of sides, with shared places.
"""

from collections import ChainMap
from collections.abc import Callable, Container, Iterable, Mapping, MutableMapping

import msgspec
from openskill.models import PlackettLuce

from engine.results import FinishedGame, PlayerResult
from engine.standings import BASE, POINTS, SURE, Player, Standing

TRACE = 100
"""The number of a player's last ratings that are stored for drawing."""

_MODEL = PlackettLuce()

Better = Callable[[int, int], int]
"""Returns the better of two scores of a game."""


def displayed(mu: float, sigma: float) -> int:
    """Return a strength as the number that people see."""
    return round(BASE + POINTS * (mu - SURE * sigma))


def new_standing(player: Player, name: str) -> Standing:
    """Return the standing of a new player."""
    return Standing(player, name, _MODEL.mu, _MODEL.sigma)


def standings_after(
    standings: Mapping[Player, Standing], games: Iterable[FinishedGame], fewest: Container[str] = ()
) -> dict[Player, Standing]:
    """Return the standings of the players of these games after them, in the order in which they ended.

    `fewest` are the games (by key) in which the fewest points are best.
    """
    after: dict[Player, Standing] = {}
    now = ChainMap(after, dict(standings))
    for game in games:
        _add(now, game, min if game.game in fewest else max)
    return after


def _add(standings: MutableMapping[Player, Standing], game: FinishedGame, better: Better) -> None:
    before = [_before(standings, side) for side in game.sides]
    strengths = [(standing.mu, standing.sigma) for standing in before]
    if len(before) > 1:  # a single side cannot be rated
        teams = [[_MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in strengths]
        rated = _MODEL.rate(teams, ranks=[float(side.place) for side in game.sides])
        strengths = [(team[0].mu, team[0].sigma) for team in rated]
    # Computers of one level may hold several seats: the first of them is rated.
    after: dict[Player, Standing] = {}
    for side, standing, strength in zip(game.sides, before, strengths, strict=True):
        if side.player is not None and side.player not in after and not side.void:
            after[side.player] = _after(standing, game, side, *strength, better)
    standings.update(after)


def _before(standings: Mapping[Player, Standing], side: PlayerResult) -> Standing:
    if side.player is None:  # a forgotten player counts as a stranger each time
        return new_standing(0, side.name)
    return standings.get(side.player) or new_standing(side.player, side.name)


def _after(
    standing: Standing, game: FinishedGame, side: PlayerResult, mu: float, sigma: float, better: Better
) -> Standing:
    won = game.won(side)
    streak = standing.streak + 1 if won else 0
    rating = displayed(mu, sigma)
    return msgspec.structs.replace(
        standing,
        name=side.name,
        mu=mu,
        sigma=sigma,
        rating=rating,
        games=standing.games + 1,
        wins=standing.wins + won,
        streak=streak,
        longest=max(standing.longest, streak),
        best=_best(standing.best, side.score, better),
        trace=(*standing.trace, rating)[-TRACE:],
    )


def _best(best: int | None, score: int | None, better: Better) -> int | None:
    if best is None or score is None:
        return score if best is None else best
    return better(best, score)
