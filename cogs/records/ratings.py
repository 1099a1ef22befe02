"""Ratings computed from finished games.

They use openskill's Plackett–Luce model (Weng and Lin, "A Bayesian Approximation Method for Online Ranking", 2011) for
games of any number of sides, with shared places.
"""

from collections import ChainMap
from collections.abc import Callable, Container, Iterable, Mapping, MutableMapping
from types import MappingProxyType

import msgspec
from openskill.models import PlackettLuce

from engine.players import Level
from engine.results import FinishedGame, PlayerResult
from engine.standings import BASE, POINTS, SURE, Player, Standing

TRACE = 100
"""The number of a player's last ratings that are stored for drawing."""

CHANGES = 20
"""The number of a player's last games of which it is stored by how much they changed the rating."""

COMPUTER_SIGMA = 1.0
"""How unsure the measured strength of a computer player is."""

Strengths = Mapping[str, Mapping[Level, float]]
"""The measured strength (μ) of each level of computer players, by game."""

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
    standings: Mapping[Player, Standing],
    games: Iterable[FinishedGame],
    fewest: Container[str] = (),
    strengths: Strengths = MappingProxyType({}),
) -> dict[Player, Standing]:
    """Return the standings of the players of these games after them, in the order in which they ended.

    `fewest` are the games (by key) in which the fewest points are best. Computers of known `strengths` keep them.
    """
    after: dict[Player, Standing] = {}
    now = ChainMap(after, dict(standings))
    for game in games:
        _add(now, game, min if game.game in fewest else max, strengths.get(game.game, {}))
    return after


def _add(
    standings: MutableMapping[Player, Standing], game: FinishedGame, better: Better, known: Mapping[Level, float]
) -> None:
    before = [_before(standings, side) for side in game.sides]
    fixed = [None if side.level is None else known.get(Level(side.level)) for side in game.sides]
    strengths = [
        (standing.mu, standing.sigma) if strength is None else (strength, COMPUTER_SIGMA)
        for standing, strength in zip(before, fixed, strict=True)
    ]
    if len(before) > 1:  # a single side cannot be rated
        teams = [[_MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in strengths]
        rated = _MODEL.rate(teams, ranks=[float(side.place) for side in game.sides])
        strengths = [
            (team[0].mu, team[0].sigma) if strength is None else own
            for team, strength, own in zip(rated, fixed, strengths, strict=True)
        ]
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
    games, moved = standing.games + 1, round(POINTS * (mu - standing.mu))
    return msgspec.structs.replace(
        standing,
        name=side.name,
        mu=mu,
        sigma=sigma,
        rating=rating,
        games=games,
        wins=standing.wins + won,
        streak=streak,
        longest=max(standing.longest, streak),
        best=_best(standing.best, side.score, better),
        trace=(*standing.trace, rating)[-TRACE:],
        changes=(*standing.changes, (game.table, moved, games))[-CHANGES:],
    )


def _best(best: int | None, score: int | None, better: Better) -> int | None:
    if best is None or score is None:
        return score if best is None else best
    return better(best, score)
