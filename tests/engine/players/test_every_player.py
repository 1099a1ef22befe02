"""Properties of the computer players of every game, tested in seeded random games.

A new game's players are tested here as soon as they are registered; their specific properties have their own modules.
"""

import random
from typing import Any

import pytest

from engine.chance import Chance
from engine.contract import AnyGame, Moment, Seat
from engine.games import GAMES
from engine.players import LEVELS, Intent, Level, Steps
from engine.players.registry import BOTS
from engine.turns import Ready
from tools.harness.playouts import TABLE, played, seed_bytes

SEEDS = range(4)
POSITIONS = 24
"""The number of positions tested per game."""

EACH_PLAYER = pytest.mark.parametrize(
    ("game", "level"),
    [(game, level) for game in GAMES.values() for level in LEVELS],
    ids=lambda case: getattr(case, "key", case),
)
EACH_SEED = pytest.mark.parametrize("seed", SEEDS)


def positions(game: AnyGame, seed: int) -> list[tuple[Any, Moment, Seat]]:
    """Return positions of a game at which a seat may act, each with its moment and seat."""
    playout = played(game.key, seed)
    found = random.Random(seed).sample(playout.moments, min(POSITIONS, len(playout.moments)))
    seats = [Seat(seat) for seat in range(playout.seats)]
    return [(state, at, seat) for state, at in found for seat in seats if any(game.legal(state, seat))]


def asked(game: AnyGame, level: Level, state: Any, seat: Seat, steps: int, luck: int = 1) -> Intent | None:
    view, legal = game.view(state, seat), list(game.legal(state, seat))
    return BOTS[game.key].levels[level](view, legal, Steps(steps), random.Random(luck))


def test_every_game_has_a_player_of_each_level_and_one_says_why():
    assert {key: tuple(bots.levels) for key, bots in BOTS.items()} == dict.fromkeys(GAMES, LEVELS)
    assert all(bots.explain is not None for bots in BOTS.values())


@EACH_PLAYER
@EACH_SEED
def test_an_awaited_bot_answers_with_an_accepted_action_on_any_budget(game: AnyGame, level: Level, seed: int):
    for state, at, seat in positions(game, seed):
        for steps in (0, 1, 60):
            intent = asked(game, level, state, seat, steps, luck=seed)
            if intent is None:
                assert seat not in game.view(state, None).to_act
            else:
                assert game.decide(state, seat, intent.action, at, Chance(seed_bytes(seed), TABLE, 0))


@EACH_PLAYER
@EACH_SEED
def test_an_awaited_bot_takes_as_long_as_a_person_and_is_ready_at_once(game: AnyGame, level: Level, seed: int):
    for state, _, seat in positions(game, seed):
        intent = asked(game, level, state, seat, 0, luck=seed)
        if intent is not None and isinstance(intent.action, Ready):
            assert intent == Intent(Ready())
        elif intent is not None and seat in game.view(state, None).to_act:
            assert intent.earliest is not None or 900 <= intent.after_ms <= 4_000


@EACH_PLAYER
def test_a_bot_with_nothing_to_do_does_not_act(game: AnyGame, level: Level):
    state = played(game.key, 0).start
    for seat in map(Seat, range(played(game.key, 0).seats)):
        assert BOTS[game.key].levels[level](game.view(state, seat), [], Steps(9), random.Random(1)) is None


@EACH_PLAYER
def test_the_same_view_budget_and_draws_give_the_same_answer(game: AnyGame, level: Level):
    for state, _, seat in positions(game, 3):
        answers = [asked(game, level, state, seat, 60, luck=4) for _ in range(3)]
        assert answers[0] == answers[1] == answers[2]
