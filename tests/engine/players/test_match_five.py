"""Match Five's computer players: always a legal answer, from their own view alone, and a stronger Master."""

import random
from typing import Any

import msgspec
import pytest

from engine.contract import Seat
from engine.games.match_five import (
    GAME,
    TILES,
    Board,
    MatchFiveOptions,
    Pass,
    Places,
    Play,
    Played,
    State,
    Step,
    Stone,
    Swap,
    beam,
    singles,
    spot_of,
)
from engine.players import LEVELS, Level, Steps
from engine.players.match_five import BOTS
from engine.players.match_five.foresight import FEAR, MOST_LEFT, Foresight
from tests.engine.games.match_five_positions import A, B, decide, state
from tools.bench.opponents import OPPONENTS
from tools.harness.matches import play_match
from tools.harness.playouts import play


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_that_can_lay_nothing_swaps_or_passes(level: Level):
    stuck = state("r3@0,0,1", ("b1 b2", "g1"))
    assert not [action for action in GAME.legal(stuck, A) if isinstance(action, Play)]
    intent = BOTS.levels[level](GAME.view(stuck, A), list(GAME.legal(stuck, A)), Steps(50), random.Random(1))
    assert intent is not None and isinstance(intent.action, Swap)
    empty = state("r3@0,0,1", ("b1 b2", "g1"), bag="")
    intent = BOTS.levels[level](GAME.view(empty, A), list(GAME.legal(empty, A)), Steps(50), random.Random(1))
    assert intent is not None and intent.action == Pass()


def test_the_master_takes_a_full_series_when_there_is_one():
    at = state("r3@0,0,1 r2@1,0,1 r1@2,0,1 r5@3,0,1", ("r4 b1 y1", "g1"))
    intent = BOTS.levels[Level.MASTER](GAME.view(at, A), list(GAME.legal(at, A)), Steps(60), random.Random(1))
    assert intent is not None and isinstance(intent.action, Play)
    assert "r4" in [laying.tile for laying in intent.action.layings]


def test_the_master_lays_anywhere_and_in_a_hurry_scores_as_much_as_any_play_that_is_listed():
    apart = 0
    for seed in range(2):
        playout = play(GAME, seed, seats=2, options=MatchFiveOptions(copies=4))
        for at in playout.running[3::6]:
            (seat,) = GAME.view(at, None).to_act
            legal = list(GAME.legal(at, seat))
            listed = [scored(at, seat, action) for action in legal if isinstance(action, Play)]
            intent = BOTS.levels[Level.MASTER](GAME.view(at, seat), legal, Steps(1), random.Random(1))
            if listed and at.bag:
                assert intent is not None and scored(at, seat, intent.action) >= max(listed)
                laid = intent.action.layings
                apart += not any(len({way(one) for one in laid}) == 1 for way in (lambda a: a.x, lambda a: a.y))
    assert apart > 5


def scored(at: State, seat: Seat, action: Any) -> int:
    """Return the score of a play."""
    played = decide(at, seat, action)[0]
    assert isinstance(played, Played)
    return played.points


def test_with_an_empty_bag_the_master_gets_rid_of_its_wild():
    at = state("r3@0,0,1", ("w g4", "b1"), bag="")
    intent = BOTS.levels[Level.MASTER](GAME.view(at, A), list(GAME.legal(at, A)), Steps(9), random.Random(1))
    assert intent is not None and "w" in [laying.tile for laying in intent.action.layings]


def test_the_master_beats_who_lays_in_one_line():
    result = play_match(GAME, BOTS.levels[Level.MASTER], OPPONENTS["match_five"]["liner"], 4, lambda: Steps(9), 7)
    assert result.won == 4, result


def test_the_master_beats_the_trainee():
    result = play_match(GAME, BOTS.levels[Level.MASTER], BOTS.levels[Level.TRAINEE], 4, lambda: Steps(14), 7)
    assert result.won >= 3, result


def foreseen(at: State, seat: Seat) -> tuple[Foresight, Step]:
    """Return the master's foresight, and the play with the most points."""
    view = GAME.view(at, seat)
    hand = view.hands[seat] or ()
    places = Places(Board(view.stones), view.bonus)
    steps = [step for level in beam(places, hand, 3, 20) for step in level]
    return Foresight(view, places, hand), max(steps, key=lambda step: step.points)


@pytest.mark.parametrize("seed", range(3))
def test_a_play_costs_what_the_unseen_tiles_could_score_one_by_one_on_the_board_that_it_leaves(seed: int):
    compared = 0
    for at in play(GAME, seed, seats=2, options=MatchFiveOptions(copies=3)).running[2::4]:
        (seat,) = GAME.view(at, None).to_act
        if not any(isinstance(action, Play) for action in GAME.legal(at, seat)) or at.last is not None:
            continue
        foresight, step = foreseen(at, seat)
        laid = [Stone(*spot_of(key), TILES[code % 32], code >= 32) for key, code in step.laid]
        places = Places(Board([*at.stones, *laid]), at.material.bonus)
        unseen = [*at.bag, *at.hands[1 - seat]]
        best = [max((found.points for found in singles(places, [tile])), default=0) for tile in unseen]
        mean = sum(best) / len(unseen) * len(at.hands[1 - seat])
        assert foresight.cost(step) == pytest.approx(FEAR * mean)
        compared += mean > 0
    assert compared > 1


def test_the_master_gives_up_a_point_rather_than_open_a_full_series_to_the_next_player():
    """Red 4 scores 16 in the row and 15 on green 4, but at the end of the row it would make room for orange 4."""
    at = state("g4@0,0,1 b4@1,0,1 y4@2,0,1 g3@0,1,1 r3@0,1,2", ("r4", "o4"), bag="")
    found = {}
    for steps in (1, 60):
        intent = BOTS.levels[Level.MASTER](GAME.view(at, A), list(GAME.legal(at, A)), Steps(steps), random.Random(1))
        assert intent is not None
        found[steps] = scored(at, A, intent.action)
    assert found == {1: 16, 60: 15}


def test_nothing_is_feared_of_who_will_not_move_again():
    at = state("r3@0,0,1", ("r1 r2", "r4"), bag="")
    last = msgspec.structs.replace(at, last=B)
    assert foreseen(at, A)[0].cost(foreseen(at, A)[1]) > 0
    assert foreseen(last, A)[0].cost(foreseen(last, A)[1]) == 0


def test_tiles_that_compete_for_one_place_count_up_to_a_limit():
    at = state("r4@0,0,1 g4@0,0,2 b4@0,0,3", ("b5 o4 w", "b1 b2 o4"), bag="")
    view = GAME.view(at, A)
    hand = view.hands[A] or ()
    places = Places(Board(view.stones), view.bonus)
    foresight = Foresight(view, places, hand)
    found = [foresight.left(step) for level in beam(places, hand, 3, 20) for step in level]
    assert max(found) == MOST_LEFT


def test_a_hint_speaks_of_another_play_that_scores_more_only_if_one_does():
    """With an empty bag, the play worth most may score less than the best one, and cost less in hand."""
    at = state("r4@0,0,1 g4@0,0,2 b4@0,0,3", ("r1 b5 w", "b1 b2 o4"), bag="")
    view, legal = GAME.view(at, A), list(GAME.legal(at, A))
    intent = BOTS.levels[Level.MASTER](view, legal, Steps(60), random.Random(1))
    assert intent is not None and BOTS.explain is not None
    scores = BOTS.explain(view, intent.action, legal, Steps(60), random.Random(1))[0]
    assert scores.number("points") > scores.number("most") and scores.number("best")
