"""Strength of the Masters: games won of a hundred against the Trainee and each bench opponent; and what hints are worth
to a Trainee.
"""

import time
import zlib
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from cogs.core.tables.bot_workers import HINT_STEPS, Question, answer
from engine.contract import Action, to_json
from engine.games import GAMES
from engine.players import Budget, Intent, Level, Player
from engine.players.registry import BOTS
from tools.bench.opponents import OPPONENTS
from tools.harness.matches import MatchResult, play_match

MATCHES = 100
WANTED = 75
"""Wins of a hundred that a master should have against each."""

WANTED_BY_HINTS = 80
"""Wins of a hundred that a trainee with hints should have against one without."""

THINK_S = 0.02
"""Time to think about a move; real tables give forty times as much."""

ALONE = {"break_out": 4}
"""Games whose Master also plays alone against others, with the number of seats."""


class Worked:
    """A budget in processor time of this process, so that a busy machine measures the same as an idle one."""

    def __init__(self, seconds: float = THINK_S) -> None:
        self._end = time.process_time() + seconds

    def spent(self) -> bool:
        """Return True when the time is up."""
        return time.process_time() >= self._end


def opponents(key: str) -> Iterator[tuple[str, Player]]:
    """Yield the master's opponents, with their names."""
    yield "rookie", BOTS[key].levels[Level.TRAINEE]
    yield from OPPONENTS.get(key, {}).items()


def rows(games: Sequence[str] = (), matches: int = MATCHES) -> Iterator[tuple[str, str]]:
    """Yield a line per game (or named game) and opponent, and another if the Master plays alone."""
    for key in games or BOTS:
        for name, opponent in opponents(key):
            yield f"{key}: {name}", _measured(key, opponent, matches)
            if key in ALONE:
                yield f"{key}: {name}, alone", _alone(key, opponent, matches, ALONE[key])


def hints(games: Sequence[str] = (), matches: int = MATCHES) -> Iterator[tuple[str, str]]:
    """Yield a line per game (or named game): how often a Trainee that follows hints beats one that does not."""
    for key in games or BOTS:
        result = play_match(GAMES[key], follower(key), BOTS[key].levels[Level.TRAINEE], matches, Worked, 1)
        short = "" if result.won * 100 >= WANTED_BY_HINTS * result.games else f" – fewer than {WANTED_BY_HINTS} of 100"
        yield f"{key}: hints", f"the follower wins {result.won}, shares {result.shared}, loses {result.lost}{short}"


def follower(key: str) -> Player:
    """Return a Trainee that asks for a hint in each of its turns, and follows it at its own pace."""
    game, trainee, master = GAMES[key], BOTS[key].levels[Level.TRAINEE], BOTS[key].levels[Level.MASTER]

    def play(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
        own = trainee(view, legal, budget, rng)
        if own is None or view.seat not in view.to_act:
            return own
        body = to_json(view)
        seed, plays = zlib.crc32(body.encode()), tuple(map(to_json, legal))
        question = Question(master, game.views, game.actions, None, body, plays, seed, HINT_STEPS, None)
        found = answer(question)
        return own if found is None else Intent(game.read_action(found.action), own.after_ms, own.earliest)

    return play


def _measured(key: str, opponent: Player, matches: int) -> str:
    result = play_match(GAMES[key], BOTS[key].levels[Level.MASTER], opponent, matches, Worked, 1)
    short = "" if result.won * 100 >= WANTED * result.games else f" – fewer than {WANTED} of 100"
    return f"{_describe(result)} of {GAMES[key].player_counts[0]}{short}"


def _alone(key: str, opponent: Player, matches: int, seats: int) -> str:
    result = play_match(
        GAMES[key], BOTS[key].levels[Level.MASTER], opponent, matches, Worked, 1, seats=seats, alone=True
    )
    return f"{_describe(result)} alone among {seats}, where {result.games / seats:g} would be its part"


def _describe(result: MatchResult) -> str:
    return f"the master wins {result.won}, shares {result.shared} and loses {result.lost} games"
