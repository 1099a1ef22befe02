"""The computer players of Prison Break: always a legal answer, and the warden is the stronger one."""

import random
from collections.abc import Sequence

import msgspec
import pytest

from engine.chance import Chance
from engine.contract import Action, Seat
from engine.games.prison_break import (
    GAME,
    JAIL,
    Card,
    Decline,
    Guard,
    Guarding,
    Pass,
    Prisoner,
    Sneak,
    Sneaking,
    State,
    Vote,
    Voting,
)
from engine.players import LEVELS, Level, Player, Steps
from engine.players.prison_break import PLAYERS
from engine.players.prison_break.belief import Belief, beliefs
from engine.players.registry import PLAYERS as REGISTERED
from tests.engine.games.prisons import (
    DARK,
    EXIT,
    LIT,
    A,
    B,
    after,
    guarding,
    moment,
    offering,
    passed,
    settled,
    sneaked,
)
from tests.engine.playouts import BEGIN, TABLE, material, play, seed_bytes


def test_both_levels_are_registered():
    assert REGISTERED["prison_break"] is PLAYERS
    assert tuple(PLAYERS) == LEVELS


# ----------------------------------------------------------------------------------------------------- always an answer


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(12))
def test_the_answer_is_legal_in_every_position_whatever_the_budget(level: Level, seed: int):
    playout = play(GAME, seed)
    rng = random.Random(seed)
    for state in playout.running:
        for seat in map(Seat, range(playout.seats)):
            legal = list(GAME.legal(state, seat))
            if not legal:
                continue
            for budget in (0, 1, 3, 1000):
                intent = PLAYERS[level](GAME.view(state, seat), legal, Steps(budget), rng)
                assert intent is not None
                assert intent.action in legal
                assert 900 <= intent.after_ms <= 2_500


@pytest.mark.parametrize("level", LEVELS)
def test_who_has_nothing_to_do_lets_the_others_go_first(level: Level):
    assert PLAYERS[level](GAME.view(moment(), B), [], Steps(9), random.Random(1)) is None


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_budget_and_draws_give_the_same_answer(level: Level):
    for state in play(GAME, 3).running[::7]:
        (seat, *_) = GAME.view(state, None).waiting
        legal = list(GAME.legal(state, seat))
        answers = {repr(PLAYERS[level](GAME.view(state, seat), legal, Steps(50), random.Random(4))) for _ in range(3)}
        assert len(answers) == 1


@pytest.mark.parametrize("level", LEVELS)
def test_players_manage_with_other_material(level: Level):
    """A server owner may lengthen the track, the sneaks, or take the tokens away."""
    strange = msgspec.convert(
        msgspec.to_builtins(material(GAME)) | {"spaces": 5, "longest_sneak": 3, "tokens": 0, "lights": []},
        GAME.material,
    )
    state = GAME.fold(GAME.setup(3, GAME.options(), strange, BEGIN, Chance(seed_bytes(1), TABLE, 0)))
    assert GAME.outcome(finished(state, [PLAYERS[level]] * 3, 1)) is not None


# --------------------------------------------------------------------------------------------------------------- belief


def odds(state: State, seat: Seat) -> list[float]:
    return beliefs(GAME.view(state, None))[seat].odds()


def test_a_belief_is_about_every_position_and_sums_to_one():
    for seed in range(8):
        playout = play(GAME, seed)
        for state in playout.running[::5]:
            for seat in map(Seat, range(playout.seats)):
                assert len(odds(state, seat)) == EXIT + 1
                assert sum(odds(state, seat)) == pytest.approx(1)
                assert min(odds(state, seat)) >= 0


def test_who_is_seen_is_believed_to_be_there():
    state = sneaked(moment((3, 8)), (0, 1), (2, 0), roll=LIT)
    assert odds(state, A)[4] == pytest.approx(1)
    assert odds(state, B)[8] == pytest.approx(1)


def test_a_position_is_where_the_truth_is_thought_possible():
    for seed in range(20):
        for state in play(GAME, seed, lapses=0.2).running:
            for seat, position in enumerate(state.positions):
                assert odds(state, Seat(seat))[position] > 0


def test_declarations_spread_a_belief_and_offers_shift_it():
    state = sneaked(moment((0, 0)), (2, 0), (0, 0))
    assert [odd > 0 for odd in odds(state, A)[:4]] == [True, True, True, False]
    assert odds(state, A)[2] > odds(state, B)[2]
    shifted = settled(state, "advance", "++")
    assert [odd > 0 for odd in odds(shifted, A)[:5]] == [False, False, True, True, True]


def test_a_check_that_misses_and_a_round_that_goes_on_rule_positions_out():
    state = after(sneaked(moment((0, 0)), (2, 0), (2, 2)), (A, Decline()))
    assert odds(after(state, (A, Guard(2))), A)[2] == 0
    belief = Belief(10, 2)
    belief.moved(10)
    belief.sneaked(2)
    assert belief.odds()[EXIT] > 0.5
    belief.absent(EXIT)
    assert belief.odds()[10] == pytest.approx(1)


def test_who_let_the_clock_run_out_or_may_not_move_has_not_moved():
    state = passed(settled(offering(0, 0), "lockdown", "+-"))
    state = sneaked(state, (1, 1), (2, 0))
    assert odds(state, A)[JAIL] == pytest.approx(1)


def test_being_shown_tells_whose_words_can_be_trusted():
    honest, liar = Belief(10, 2), Belief(10, 2)
    for _ in range(3):
        honest.sneaked(1)
        liar.sneaked(0)
    honest.shown(3)
    liar.shown(6)
    honest.sneaked(0)
    liar.sneaked(0)
    assert honest.odds()[3] > 0.5
    assert liar.odds()[6] < 0.25


def test_against_all_expectation_a_belief_begins_anew():
    belief = Belief(10, 2)
    belief.absent(JAIL)
    assert belief.odds()[JAIL] == 0
    assert sum(belief.odds()) == pytest.approx(1)
    belief = Belief(10, 2)
    belief.shown(7)
    assert belief.odds()[7] == pytest.approx(1)


# ------------------------------------------------------------------------------------------------------------ judgement


def chosen(state: State, seat: Seat, seed: int = 0) -> Action:
    intent = PLAYERS["warden"](GAME.view(state, seat), list(GAME.legal(state, seat)), Steps(500), random.Random(seed))
    assert intent is not None
    action = intent.action
    assert isinstance(action, Action)
    return action


def test_the_warden_sends_guards_to_who_is_seen_close_to_exit():
    state = after(sneaked(moment((2, 7)), (0, 0), (0, 2), roll=LIT), (A, Decline()))
    assert isinstance(state.phase, Guarding)
    assert chosen(state, A) == Guard(9)


def test_the_warden_keeps_its_token_when_nobody_is_far():
    state = after(sneaked(moment((2, 0)), (0, 0), (1, 1), roll=LIT), (A, Decline()))
    assert chosen(state, A) == Pass()


def test_the_warden_does_not_check_its_own_space():
    state = guarding(9, 4, prisoners=(Prisoner(3, seen=9), Prisoner(3)))
    assert chosen(state, A) != Guard(9)


@pytest.mark.parametrize("seed", range(5))
def test_the_warden_steps_out_when_it_can(seed: int):
    state = moment((9, 3))
    assert isinstance(state.phase, Sneaking)
    action = chosen(state, A, seed)
    assert isinstance(action, Sneak)
    assert action.move == 2


def test_the_warden_says_anything_whatever_it_does():
    said = {chosen(moment((0, 0)), A, seed) for seed in range(40)}
    assert len({action.declare for action in said if isinstance(action, Sneak)}) == 3


def test_the_warden_accepts_an_advance_when_that_wins_and_rejecting_would_pull_it_off_exit():
    state = after(sneaked(moment((9, 0)), (0, 2), (0, 0), roll=DARK), (A, Decline()))
    state = msgspec.structs.replace(state, phase=Voting(0, A, B), row=(Card("advance"), Card("lights")))
    assert chosen(state, A) == Vote(True)


# ------------------------------------------------------------------------------------------------------------- strength


def finished(state: State, players: Sequence[Player], seed: int) -> State:
    """The end of a game between these players."""
    rngs = [random.Random(f"{seed}/{seat}") for seat in range(len(players))]
    step = 1
    while GAME.outcome(state) is None:
        (seat, *_) = GAME.view(state, None).waiting
        intent = players[seat](GAME.view(state, seat), list(GAME.legal(state, seat)), Steps(500), rngs[seat])
        assert intent is not None
        events = GAME.decide(state, seat, intent.action, BEGIN, Chance(seed_bytes(seed), TABLE, step))
        step += len(events)
        state = GAME.fold(events, state)
    return state


def wins(seats: int, games: int) -> float:
    """The share of games that one warden wins among rookies, its seat changing from game to game."""
    won = 0.0
    for game in range(games):
        players = [PLAYERS["rookie"]] * seats
        players[game % seats] = PLAYERS["warden"]
        seed = 1000 + game // seats
        begun = GAME.setup(seats, GAME.options(), material(GAME), BEGIN, Chance(seed_bytes(seed), TABLE, 0))
        outcome = GAME.outcome(finished(GAME.fold(begun), players, seed))
        assert outcome is not None
        if outcome.places[game % seats] == 1:
            won += 1 / outcome.places.count(1)
    return won / games


@pytest.mark.parametrize(("seats", "games", "share"), [(2, 40, 0.85), (3, 42, 0.6), (4, 40, 0.45)])
def test_the_warden_beats_rookies(seats: int, games: int, share: float):
    assert wins(seats, games) >= share
