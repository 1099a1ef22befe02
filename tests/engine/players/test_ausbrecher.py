"""The computer players of Ausbrecher AG: always a legal answer, a true model of the race, a stronger warden."""

import random

import pytest

from engine.contract import Seat
from engine.games.ausbrecher import COLOURS, GAME, Forecast, Resolve, Roll, landing, moved, prisoner
from engine.players import LEVELS, Level, Steps
from engine.players.ausbrecher import PLAYERS
from engine.players.ausbrecher.field import NUMBER, Field
from engine.players.registry import PLAYERS as REGISTERED
from tests.bench.strength import play_match
from tests.engine.games.races import A, B, after, colours, moment, race
from tests.engine.playouts import play


def test_both_levels_are_registered():
    assert REGISTERED["ausbrecher"] is PLAYERS
    assert tuple(PLAYERS) == LEVELS


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(6))
def test_the_answer_is_legal_in_every_position_whatever_the_budget(level: Level, seed: int):
    playout = play(GAME, seed)
    rng = random.Random(seed)
    for state in playout.running:
        for seat in GAME.view(state, None).waiting:
            legal = list(GAME.legal(state, seat))
            for budget in (0, 1, 60):
                intent = PLAYERS[level](GAME.view(state, seat), legal, Steps(budget), rng)
                assert intent is not None
                assert intent.action in legal
                assert 900 <= intent.after_ms <= 2_500


@pytest.mark.parametrize("level", LEVELS)
def test_who_is_not_awaited_lets_the_others_go_on(level: Level):
    """Its forecast given, a player would otherwise change it again and again."""
    state = GAME.fold([*play(GAME, 1, seats=2).setup])
    given = after(state, A, Forecast((1, 1, 2, 2, 3, 3, 4)))
    legal = list(GAME.legal(given, A))
    assert legal and PLAYERS[level](GAME.view(given, A), legal, Steps(9), random.Random(1)) is None
    assert PLAYERS[level](GAME.view(given, B), list(GAME.legal(given, B)), Steps(9), random.Random(1)) is not None


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_budget_and_draws_give_the_same_answer(level: Level):
    for state in play(GAME, 3).running[::9]:
        (seat, *_) = GAME.view(state, None).waiting
        legal = list(GAME.legal(state, seat))
        answers = {repr(PLAYERS[level](GAME.view(state, seat), legal, Steps(80), random.Random(4))) for _ in range(3)}
        assert len(answers) == 1


@pytest.mark.parametrize("seed", range(10))
def test_the_compact_race_moves_as_the_rules_do(seed: int):
    rng = random.Random(seed)
    for state in play(GAME, seed).running[::3]:
        real, field = state.race, Field.of(state.race)
        for _ in range(12):
            left = [colour for colour in COLOURS if prisoner(real, colour).boat is None]
            if len(left) < 3:  # with six aboard the model lets the seventh follow at once
                break
            colour, pips, back = rng.choice(left), rng.randint(1, 6), rng.random() < 0.4
            real = moved(real, colour, landing(real, colour, pips, back))
            field.move(NUMBER[colour], pips, back)
            assert field.key() == Field.of(real).key()


def test_the_warden_lets_nobody_take_the_place_in_the_boat_that_it_has_bet_on():
    """Blue and pink are one pip from the boats, boat 1 has one place left, and only pink is bet on it."""
    state = moment(race({18: "blue", 17: "pink"}, aboard="red"), forecasts=((1, 2, 2, 3, 3, 4, 1),) * 2)
    state = after(state, A, Roll(colours("blue pink green")), 1, 2, 2)  # green, blue and pink, in the dice's order
    view, legal = GAME.view(state, A), list(GAME.legal(state, A))
    intent = PLAYERS["warden"](view, legal, Steps(400), random.Random(2))
    assert intent is not None and intent.action != Resolve("blue")


def test_the_warden_beats_the_rookie():
    result = play_match(GAME, PLAYERS["warden"], PLAYERS["rookie"], 12, lambda: Steps(150), 7)
    assert result.won >= 9, result


def test_a_player_at_a_full_table_never_needs_another_seats_forecast():
    state = play(GAME, 5, seats=6).running[-1]
    seat: Seat = GAME.view(state, None).waiting[0]
    others = [bet for owner, bet in enumerate(GAME.view(state, seat).forecasts) if owner != seat]
    assert others == [None] * 5
