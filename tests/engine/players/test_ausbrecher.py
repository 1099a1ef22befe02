"""Ausbrecher AG's computer players: always a legal answer, an accurate model of the race, a stronger Master."""

import random
from collections.abc import Iterator

import pytest

from engine.chance import Chance
from engine.contract import Seat
from engine.games.ausbrecher import (
    COLOURS,
    GAME,
    AusbrecherOptions,
    Colour,
    Forecast,
    PastTurn,
    Resolve,
    Roll,
    State,
    landing,
    moved,
    prisoner,
)
from engine.games.ausbrecher.state import turn_limit
from engine.players import LEVELS, Level, Steps
from engine.players.ausbrecher import BOTS
from engine.players.ausbrecher.evaluation import choose, ordered
from engine.players.ausbrecher.field import NUMBER, Field
from engine.players.ausbrecher.prospects import PARAMETERS, Chances
from engine.players.ausbrecher.rivals import belief, worth
from tests.engine.games.ausbrecher_positions import BEGAN, A, B, after, colours, moment, race
from tools.harness.matches import play_match
from tools.harness.playouts import play


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_that_is_not_awaited_does_not_act(level: Level):
    """Otherwise a player would change its forecast endlessly."""
    state = GAME.fold([*play(GAME, 1, seats=2).setup])
    given = after(state, A, Forecast((1, 1, 2, 2, 3, 3, 4)))
    legal = list(GAME.legal(given, A))
    assert legal and BOTS.levels[level](GAME.view(given, A), legal, Steps(9), random.Random(1)) is None
    assert BOTS.levels[level](GAME.view(given, B), list(GAME.legal(given, B)), Steps(9), random.Random(1)) is not None


@pytest.mark.parametrize("seed", range(10))
def test_the_compact_race_moves_as_the_rules_do(seed: int):
    rng = random.Random(seed)
    for state in play(GAME, seed).running[::3]:
        real, field = state.race, Field.of(state.race)
        for _ in range(12):
            left = [colour for colour in COLOURS if prisoner(real, colour).boat is None]
            if len(left) < 3:  # with six aboard the model boards the seventh at once
                break
            colour, pips, back = rng.choice(left), rng.randint(1, 6), rng.random() < 0.4
            real = moved(real, colour, landing(real, colour, pips, back))
            field.move(NUMBER[colour], pips, back)
            assert field.key() == Field.of(real).key() == Field.like(field.key(), len(real.spaces)).key()
            assert field.above() == Field.like(field.key(), len(real.spaces)).above()


def test_the_master_lets_no_other_prisoner_take_the_place_that_it_has_bet_on():
    """Blue and pink are one pip from the boats, boat 1 has one place left, and only pink is bet on it."""
    state = moment(race({18: "blue", 17: "pink"}, aboard="red"), forecasts=((1, 2, 2, 3, 3, 4, 1),) * 2)
    state = after(state, A, Roll(colours("blue pink green")), 1, 2, 2)  # green, blue and pink, in the dice's order
    view, legal = GAME.view(state, A), list(GAME.legal(state, A))
    intent = BOTS.levels[Level.MASTER](view, legal, Steps(400), random.Random(2))
    assert intent is not None and intent.action != Resolve("blue")


HOLDS = (2, 2, 2, 1)


def believed(*turns: PastTurn, seat: Seat = B) -> Chances:
    return belief(turns, seat, HOLDS, 18, 50, PARAMETERS)


def test_rolling_for_the_same_prisoners_suggests_bets_on_early_boats_for_them():
    turns = [PastTurn(B, (("red", 3), ("blue", 4), ("pink", 2))), PastTurn(B, (("red", 5), ("blue", 1), ("green", 2)))]
    sure = believed(*turns)
    red, violet = NUMBER["red"], NUMBER["violet"]
    assert sure[red][0] > 2 / 7 > sure[violet][0]
    assert sure[violet][3] > 1 / 7 > sure[red][3]
    for row in sure:
        assert sum(row) == pytest.approx(1)


def test_sending_a_prisoner_back_speaks_against_an_early_boat():
    started = PastTurn(A, (("red", 6), ("blue", 3), ("pink", 1)))
    onward = believed(started, PastTurn(B, (("red", 4), ("green", 4), ("violet", 4))))
    back = believed(started, PastTurn(B, (("red", -4), ("green", 4), ("violet", 4))))
    red = NUMBER["red"]
    assert back[red][0] < believed(started)[red][0] < onward[red][0]


def test_neither_others_dice_nor_those_that_the_clock_chose_speak_for_a_bet():
    nothing = believed()
    moves: tuple[tuple[Colour, int], ...] = (("red", 3), ("blue", -4), ("pink", 2))
    assert believed(PastTurn(A, moves), PastTurn(B, moves, lapsed=True)) == nothing
    assert believed(PastTurn(B, moves)) != nothing
    assert nothing[0] == pytest.approx((2 / 7, 2 / 7, 2 / 7, 1 / 7))


def test_a_rivals_bets_count_against_ones_own_and_the_leaders_most():
    now = believed()
    bets = (1, 1, 2, 2, 3, 3, 4)
    alike, other = (
        tuple(tuple(float(bet == boat) for boat in (1, 2, 3, 4)) for bet in its) for its in (bets, bets[::-1])
    )
    assert all(value == 0 for row in worth(bets, [alike], now, 0.3) for value in row)
    against = worth(bets, [other], now, 0.3)
    assert against[0] == (1.0, 0.0, 0.0, -4.0)
    ahead = ((1.0, 0.0, 0.0, 0.0), *now[1:])  # red is aboard boat 1, as only the first rival has bet
    both = worth((4, 1, 1, 2, 2, 3, 3), [alike, other], ahead, 0.3)
    assert -1.0 < both[0][0] < -0.5


def wardens(seed: int, seats: int) -> Iterator[State]:
    """Yield the states of a game between masters that choose by their first evaluation."""
    rng, chances = random.Random(seed), 0
    state = GAME.fold([*play(GAME, seed, seats=seats, options=AusbrecherOptions(clock=0)).setup])
    while GAME.outcome(state) is None:
        yield state
        seat = GAME.view(state, None).to_act[0]
        intent = BOTS.levels[Level.MASTER](GAME.view(state, seat), list(GAME.legal(state, seat)), Steps(0), rng)
        assert intent is not None
        chances += 1
        state = GAME.fold(
            GAME.decide(state, seat, intent.action, BEGAN, Chance(bytes([seed] * 32), "t", chances)), state
        )
    yield state


@pytest.mark.parametrize("seats", [2, 3])
def test_wardens_guess_what_each_other_has_bet(seats: int):
    right = []
    for seed in range(4):
        *_, last = wardens(seed, seats)
        view = GAME.view(last, None)
        for seat, bets in enumerate(view.forecasts):
            assert bets is not None
            sure = belief(view.history, Seat(seat), HOLDS, view.length, turn_limit(last), PARAMETERS)
            right += [row[bet - 1] for row, bet in zip(sure, bets, strict=True)]
    assert sum(right) / len(right) > 0.5  # by chance it would be 0.27


def test_two_masters_do_not_hold_each_other_up_until_the_turn_limit():
    reasons = [outcome.reason for seed in range(12) if (outcome := GAME.outcome([*wardens(seed, 2)][-1])) is not None]
    assert reasons.count("boats") >= 11, reasons


def test_the_master_beats_the_trainee():
    result = play_match(GAME, BOTS.levels[Level.MASTER], BOTS.levels[Level.TRAINEE], 12, lambda: Steps(150), 7)
    assert result.won >= 9, result


def test_a_player_at_a_full_table_never_needs_another_seats_forecast():
    state = play(GAME, 5, seats=6).running[-1]
    seat: Seat = GAME.view(state, None).to_act[0]
    others = [bet for owner, bet in enumerate(GAME.view(state, seat).forecasts) if owner != seat]
    assert others == [None] * 5


def test_all_legal_actions_are_put_in_order_and_results_as_the_master_would_take_them():
    resolved = 0
    for state in play(GAME, 5, seats=3).running[::4]:
        (seat, *_) = GAME.view(state, None).to_act
        view, legal = GAME.view(state, seat), list(GAME.legal(state, seat))
        found = ordered(view, legal, random.Random(1))
        assert len(found) == len(legal) and all(action in found for action in legal)
        if isinstance(legal[0], Resolve) and len(legal) > 1:
            assert found[0] == choose(view, legal, Steps(9), random.Random(2))
            resolved += 1
    assert resolved
