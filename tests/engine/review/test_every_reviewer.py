"""Properties of every game's reviewer, tested in random games with all kinds of options."""

import pickle
from collections.abc import Sequence

import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import Seat
from engine.games import GAMES
from engine.review import Decision, Evaluation, Reviewer, break_out, match_five, prison_break, rope_wall, share_lost
from engine.review import ausbrecher as ausbrecher_review
from engine.review.review_questions import answer, as_questions, assemble, noted, questions
from tools.harness.playouts import deeds, play

REVIEWERS: dict[str, Reviewer] = {
    "rope_wall": rope_wall.REVIEWER,
    "match_five": match_five.REVIEWER,
    "ausbrecher": ausbrecher_review.REVIEWER,
    "prison_break": prison_break.REVIEWER,
    "break_out": break_out.REVIEWER,
}

ASKED = 12
ASKED_OF_A_SEARCH = 3
"""The number of questions of each kind that are answered here."""


Asked = tuple[int, Seat, Decision | None]


def some(key: str, found: Sequence[Asked]) -> Sequence[Asked]:
    return found[:: max(1, len(found) // (ASKED_OF_A_SEARCH if key == "rope_wall" else ASKED))]


def test_every_game_has_a_reviewer_that_crosses_to_another_process():
    assert set(REVIEWERS) == set(GAMES)
    for reviewer in REVIEWERS.values():
        assert pickle.loads(pickle.dumps(reviewer)) == reviewer


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("key", REVIEWERS)
def test_chances_are_chances_and_the_best_is_no_worse_than_what_was_done(key: str, seed: int):
    chance = Chance(bytes(SEED_BYTES), "review", 0)
    game, reviewer, playout = GAMES[key], REVIEWERS[key], play(GAMES[key], seed)
    asked = questions(game, playout.states, deeds(playout))
    plain = [one for one in asked if one[2] is None]
    done = [one for one in asked if one[2] is not None]
    for one in as_questions(game, playout.states, [*some(key, plain), *some(key, done)]):
        found = answer(reviewer, one)
        assert found == answer(reviewer, one)
        if one.action is None:
            assert isinstance(found, float) and 0 <= found <= 1
        elif isinstance(found, Evaluation):
            assert 0 <= found.played <= found.best <= 1
            assert found.lot is not None and 0 <= found.lot <= found.best + 1e-9
            if found.better is not None and found.best > found.played:
                assert list(game.decide(playout.states[one.step - 1], one.seat, found.better, playout.begin, chance))


@pytest.mark.parametrize("key", REVIEWERS)
def test_what_is_noted_lies_within_the_game(key: str):
    playout = play(GAMES[key], 1)
    for note in noted(REVIEWERS[key], playout.states, deeds(playout)):
        assert 0 <= note.step < len(playout.states)
        assert note.seat in map(Seat, range(playout.seats))


@pytest.mark.parametrize("key", [key for key in REVIEWERS if key != "rope_wall"])
def test_a_random_player_loses_about_as_much_as_random_choices(key: str):
    """Even where dice decide much. The Rope Wall's search would be too slow here; docs/review.md has its figures."""
    found: list[float] = []
    for seed in range(2):
        playout = play(GAMES[key], 40 + seed, lapses=0.0)
        asked = [
            one for one in questions(GAMES[key], playout.states, deeds(playout)) if one[2] is not None or not one[0]
        ]
        put = as_questions(GAMES[key], playout.states, asked)
        review = assemble(GAMES[key], playout.states, put, [answer(REVIEWERS[key], one) for one in put], ())
        own = [[one for one in review.judged if one.seat == seat] for seat in range(playout.seats)]
        found += [share for share in map(share_lost, own) if share is not None]
    assert len(found) > 3 and sum(found) / len(found) > 0.7
