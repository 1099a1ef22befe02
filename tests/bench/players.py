"""How strong the wardens are: of a hundred games, how many they win against the rookie and each bench opponent."""

import time
from collections.abc import Iterator, Sequence

from engine.games import GAMES
from engine.players import Player
from engine.players.registry import PLAYERS
from tests.bench.opponents import OPPONENTS
from tests.bench.strength import MatchResult, play_match

MATCHES = 100
WANTED = 75
"""A warden should win so many of a hundred against each."""

THINK_S = 0.02
"""What a player may think about a move here; at a table it is forty times as long."""

ALONE = {"break_out": 4}
"""Games whose warden is also measured alone against others, at a table for so many."""


class Worked:
    """A budget of time in which this process worked, so that a busy machine measures the same as an idle one."""

    def __init__(self, seconds: float = THINK_S) -> None:
        self._end = time.process_time() + seconds

    def spent(self) -> bool:
        """Say whether the time is up."""
        return time.process_time() >= self._end


def opponents(key: str) -> Iterator[tuple[str, Player]]:
    """Yield whom the warden of a game meets, with their names."""
    yield "rookie", PLAYERS[key]["rookie"]
    yield from OPPONENTS.get(key, {}).items()


def rows(games: Sequence[str] = (), matches: int = MATCHES) -> Iterator[tuple[str, str]]:
    """Yield a line for each game (or of those named) and each opponent, and another where the warden sits alone."""
    for key in games or PLAYERS:
        for name, opponent in opponents(key):
            yield f"{key}: {name}", _measured(key, opponent, matches)
            if key in ALONE:
                yield f"{key}: {name}, alone", _alone(key, opponent, matches, ALONE[key])


def _measured(key: str, opponent: Player, matches: int) -> str:
    result = play_match(GAMES[key], PLAYERS[key]["warden"], opponent, matches, Worked, 1)
    short = "" if result.won * 100 >= WANTED * result.games else f" – fewer than {WANTED} of 100"
    return f"{_told(result)} of {GAMES[key].seats[0]}{short}"


def _alone(key: str, opponent: Player, matches: int, seats: int) -> str:
    result = play_match(GAMES[key], PLAYERS[key]["warden"], opponent, matches, Worked, 1, seats=seats, alone=True)
    return f"{_told(result)} alone among {seats}, where {result.games / seats:g} would be its part"


def _told(result: MatchResult) -> str:
    return f"the warden wins {result.won}, shares {result.shared} and loses {result.lost} games"
