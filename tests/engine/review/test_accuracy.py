"""Accuracy falls as more is lost, and ranks recorded games of players of known strength correctly."""

import json
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from engine.games import GAMES
from engine.review.calibration import MEASURED, Measured, percent
from tools.accuracy import PLAYERS, shares

RECORDED: dict[str, dict[str, list[list[float | None]]]] = json.loads(
    (Path(__file__).parent / "recorded_shares.json").read_text(encoding="utf-8")
)
"""The losses of each seat, by game and kind of player, one list per game, as `tools.accuracy` measured them."""

BANDS = {"random": (0, 35), "trainees": (50, 70), "masters": (85, 100)}
"""Where the median accuracy of these players belongs."""


def lost(key: str, players: str) -> list[float]:
    return [share for game in RECORDED[key][players] for share in game if share is not None]


def halves(key: str, players: str) -> tuple[list[float], list[float]]:
    """Return the shares of the first and of the second half of the games."""
    games = RECORDED[key][players]
    first, second = games[: len(games) // 2], games[len(games) // 2 :]
    one, other = ([share for game in half for share in game if share is not None] for half in (first, second))
    return one, other


@pytest.mark.parametrize("measured", [*MEASURED.values(), Measured(0.2, 0.5, 0.9)])
def test_losing_more_never_means_a_higher_accuracy(measured: Measured):
    found = [percent(number / 200, measured) for number in range(800)]
    assert found[0] == 100 and found == sorted(found, reverse=True) and 0 < found[-1] < 15
    assert all(one - other < 5 for one, other in pairwise(found)), "no jumps"


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("key", MEASURED)
def test_the_median_of_recorded_games_lies_where_its_players_belong(key: str, players: str):
    low, high = BANDS[players]
    assert low <= median(percent(share, MEASURED[key]) for share in lost(key, players)) <= high


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("key", MEASURED)
def test_either_half_of_the_recorded_games_has_its_median_there_too(key: str, players: str):
    """A calibration that fits only the games it was made from would not be valid for others."""
    low, high = BANDS[players]
    for half in halves(key, players):
        assert low <= median(percent(share, MEASURED[key]) for share in half) <= high


def test_games_whose_measure_does_not_separate_trainees_from_chance_show_no_accuracy():
    assert set(GAMES) - set(MEASURED) == {"ausbrecher", "rope_wall"}
    for key in set(GAMES) - set(MEASURED):
        medians = {players: median(lost(key, players)) for players in PLAYERS}
        measured = Measured(medians["masters"], medians["trainees"], medians["random"])
        found = [median(percent(share, measured) for share in half) for half in halves(key, "trainees")]
        apart = measured.random - measured.trainees
        assert apart < 0.03 or not all(50 <= one <= 70 for one in found)


@pytest.mark.parametrize(
    ("key", "players"),
    [("break_out", "masters"), ("break_out", "trainees"), ("match_five", "trainees"), ("ausbrecher", "random")],
)
def test_a_recorded_game_is_measured_the_same_again(key: str, players: str):
    again = shares(key, players, 0)
    assert again == [None if share is None else pytest.approx(share, abs=0.002) for share in RECORDED[key][players][0]]
