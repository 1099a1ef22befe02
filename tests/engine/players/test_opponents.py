"""The opponents against which the benchmark measures the Masters: they play whole games by the rules."""

import pytest

from engine.games import GAMES
from engine.players import Level, Player, Steps
from engine.players.registry import BOTS
from tools.bench.opponents import OPPONENTS
from tools.harness.matches import play_match

EACH_OPPONENT = pytest.mark.parametrize(
    ("game", "opponent"),
    [(game, opponent) for game, found in OPPONENTS.items() for opponent in found.values()],
    ids=[f"{game}-{name}" for game, found in OPPONENTS.items() for name in found],
)


@EACH_OPPONENT
def test_an_opponent_of_the_bench_plays_a_whole_game_without_a_refusal(game: str, opponent: Player):
    result = play_match(GAMES[game], opponent, BOTS[game].levels[Level.TRAINEE], 1, lambda: Steps(4), 1)
    assert result.games == 1 and min(result.moves) > 0
