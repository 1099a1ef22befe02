"""What a review says of a turn of Match Five."""

import pytest

from cogs.match_five.review import REVIEW
from engine.contract import Fact, Seat
from engine.games.match_five import GAME
from engine.review import JudgedDecision
from tests.engine.games.match_five_positions import A, state
from tools.harness.pages import seated


@pytest.mark.parametrize(
    ("why", "points", "leaves", "sentence"),
    [
        ("points", 30, 50, "It scores 30 points instead of 20."),
        ("points", 30, 40, "It scores 30 points instead of 20, and leaves the next player about 40 instead of 50."),
        ("leaves", 18, 40, "It scores 18 points instead of 20, but leaves the next player about 40 instead of 50."),
    ],
)
def test_a_review_says_why_another_play_was_better(why: str, points: int, leaves: int, sentence: str):
    facts: dict[str, Fact] = {"points": points, "made": 20, "leaves": leaves, "left": 50}
    judged = JudgedDecision(1, Seat(0), "", 0.4, 0.5, why=why, facts=facts)
    assert REVIEW.because(GAME.view(state(), A), judged, seated(GAME.options(), 2)) == sentence
