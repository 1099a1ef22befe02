"""How strong the wardens are: of a hundred games, how many they win against the rookie and each bench opponent."""

from collections.abc import Iterator, Sequence

from cogs.core.session.thinking import Seconds
from engine.games import GAMES
from engine.players import Player
from engine.players.registry import PLAYERS
from tests.bench.opponents import OPPONENTS
from tests.bench.strength import play_match

MATCHES = 100
WANTED = 75
"""A warden should win so many of a hundred against each."""

THINK_S = 0.02
"""What a player may think about a move here; at a table it is forty times as long."""

ALONE = {"break_out": 4}
"""Games whose warden is measured alone against others, at a table for so many."""


def opponents(key: str) -> Iterator[tuple[str, Player]]:
    """Yield whom the warden of a game meets, with their names."""
    yield "rookie", PLAYERS[key]["rookie"]
    yield from OPPONENTS.get(key, {}).items()


def rows(games: Sequence[str] = (), matches: int = MATCHES) -> Iterator[tuple[str, str]]:
    """Yield a line for each game (or of those named) and each opponent."""
    for key in games or PLAYERS:
        for name, opponent in opponents(key):
            yield f"{key}: {name}", _measured(key, opponent, matches)


def _measured(key: str, opponent: Player, matches: int) -> str:
    warden, alone = PLAYERS[key]["warden"], ALONE.get(key)
    result = play_match(
        GAMES[key], warden, opponent, matches, lambda: Seconds(THINK_S), 1, seats=alone, alone=alone is not None
    )
    at_table = f"alone among {alone}" if alone is not None else f"of {GAMES[key].seats[0]}"
    short = "" if result.won * 100 >= WANTED * result.games else f" – fewer than {WANTED} of 100"
    return (
        f"the warden wins {result.won} of {result.games} games {at_table}, "
        f"shares {result.shared}, loses {result.lost}{short}"
    )
