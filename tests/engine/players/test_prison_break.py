"""Prison Break's computer players: always a legal answer, and a stronger Master."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

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
    GuardsGo,
    LightsThrown,
    Note,
    Offer,
    Offering,
    Pass,
    Prisoner,
    RoundStarts,
    Sneak,
    Sneaking,
    State,
    Vote,
    VotesShown,
    Voting,
)
from engine.players import LEVELS, Level, Player, Steps
from engine.players.prison_break import BOTS
from engine.players.prison_break.bargaining import Voters, agreed
from engine.players.prison_break.belief import Belief, Record
from engine.players.prison_break.evaluation import ordered
from engine.players.prison_break.hiding import Stakes, mixed_moves
from engine.players.prison_break.hunting import THEORIES, Decision, Hunter
from engine.players.prison_break.race import Race, foreseen
from engine.players.prison_break.situation import Situation
from tests.engine.games.prison_break_positions import (
    DARK,
    EXIT,
    LIT,
    A,
    B,
    C,
    after,
    guarding,
    moment,
    offered,
    offering,
    passed,
    settled,
    sneaked,
)
from tools.bench import race
from tools.bench.opponents.prison_break import OPPONENTS
from tools.harness.playouts import BEGIN, TABLE, material, play, seed_bytes

# ----------------------------------------------------------------------------------------------------- always an answer


@pytest.mark.parametrize("level", LEVELS)
def test_players_manage_with_other_material(level: Level):
    """A server owner may lengthen the track or the sneaks, or remove the tokens."""
    strange = msgspec.convert(
        msgspec.to_builtins(material(GAME)) | {"spaces": 5, "longest_sneak": 3, "tokens": 0, "lights": []},
        GAME.material,
    )
    state = GAME.fold(GAME.setup(3, GAME.options(), strange, BEGIN, Chance(seed_bytes(1), TABLE, 0)))
    assert GAME.outcome(finished(state, [BOTS.levels[level]] * 3, 1)) is not None


# --------------------------------------------------------------------------------------------------------------- belief


def odds(state: State, seat: Seat) -> list[float]:
    return everybodys_odds(state)[seat]


def everybodys_odds(state: State) -> list[list[float]]:
    return [belief.odds() for belief in Record(GAME.view(state, None)).beliefs]


def test_a_belief_is_about_every_position_and_sums_to_one():
    for seed in range(8):
        playout = play(GAME, seed)
        for state in playout.running[::5]:
            beliefs = everybodys_odds(state)
            assert len(beliefs) == playout.seats
            for belief in beliefs:
                assert len(belief) == EXIT + 1
                assert sum(belief) == pytest.approx(1)
                assert min(belief) >= 0


def test_a_player_is_believed_to_be_where_they_were_seen():
    state = sneaked(moment((3, 8)), (0, 1), (2, 0), roll=LIT)
    assert odds(state, A)[4] == pytest.approx(1)
    assert odds(state, B)[8] == pytest.approx(1)


def test_a_position_is_where_the_truth_is_thought_possible():
    for seed in range(8):
        for state in play(GAME, seed, lapses=0.2).running:
            for belief, position in zip(everybodys_odds(state), state.positions, strict=True):
                assert belief[position] > 0


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


def test_a_player_whose_time_ran_out_or_who_may_not_move_is_believed_not_to_have_moved():
    state = passed(settled(offering(0, 0), "lockdown", "+-"))
    state = sneaked(state, (1, 1), (2, 0))
    assert odds(state, A)[JAIL] == pytest.approx(1)


def test_a_position_that_is_shown_reveals_whose_declarations_can_be_trusted():
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


def test_against_all_expectation_a_belief_starts_again():
    belief = Belief(10, 2)
    belief.absent(JAIL)
    assert belief.odds()[JAIL] == 0
    assert sum(belief.odds()) == pytest.approx(1)
    belief = Belief(10, 2)
    belief.shown(7)
    assert belief.odds()[7] == pytest.approx(1)


# ------------------------------------------------------------------------------------------------------------ judgement


def chosen(state: State, seat: Seat, seed: int = 0, steps: int = 500) -> Action:
    view, legal = GAME.view(state, seat), list(GAME.legal(state, seat))
    intent = BOTS.levels[Level.MASTER](view, legal, Steps(steps), random.Random(seed))
    assert intent is not None
    action = intent.action
    assert isinstance(action, Action)
    return action


def test_the_master_sends_guards_to_who_is_seen_close_to_exit():
    state = after(sneaked(moment((2, 7)), (0, 0), (0, 2), roll=LIT), (A, Decline()))
    assert isinstance(state.phase, Guarding)
    assert chosen(state, A) == Guard(9)


def test_the_master_keeps_its_token_when_nobody_is_far():
    state = after(sneaked(moment((2, 0)), (0, 0), (1, 1), roll=LIT), (A, Decline()))
    assert chosen(state, A) == Pass()


def test_the_master_does_not_check_its_own_space():
    state = guarding(9, 4, prisoners=(Prisoner(3, seen=9), Prisoner(3)))
    assert chosen(state, A) != Guard(9)


@pytest.mark.parametrize("seed", range(5))
def test_the_master_steps_out_when_it_can(seed: int):
    state = moment((9, 3))
    assert isinstance(state.phase, Sneaking)
    action = chosen(state, A, seed)
    assert isinstance(action, Sneak)
    assert action.move == 2


def test_the_masters_declaration_does_not_reveal_its_move():
    said = {chosen(moment((0, 0)), A, seed) for seed in range(40)}
    assert len({action.declare for action in said if isinstance(action, Sneak)}) == 3


def test_the_master_accepts_an_advance_when_that_wins_and_rejecting_would_pull_it_off_exit():
    state = after(sneaked(moment((9, 0)), (0, 2), (0, 0), roll=DARK), (A, Decline()))
    state = msgspec.structs.replace(state, phase=Voting(0, A, B), row=(Card("advance"), Card("lights")))
    assert chosen(state, A) == Vote(True)


def in_sight(*positions: int, tokens: int = 3) -> State:
    """Return a new round with A as the Warden, after a round in which all were last seen on these positions."""
    before = moment(tuple(max(0, at - 1) for at in positions), warden=B, tokens=tokens, round=2)
    lit = sneaked(before, *((1, min(1, at)) for at in (positions[1], positions[0])), roll=LIT)
    state = passed(after(lit, (B, Decline())))
    assert state.positions == positions and isinstance(state.phase, Sneaking) and state.warden == A
    return state


def sneaks(state: State, seat: Seat, times: int = 40, steps: int = 60) -> list[Sneak]:
    found = [chosen(state, seat, seed, steps) for seed in range(times)]
    return [action for action in found if isinstance(action, Sneak)]


def test_a_pawn_that_everyone_has_seen_far_along_cannot_be_foreseen():
    moves = Counter(action.move for action in sneaks(in_sight(6, 2), A))
    assert max(moves.values()) <= 0.75 * moves.total()


def test_a_pawn_that_nobody_can_send_back_runs():
    assert {action.move for action in sneaks(in_sight(4, 2, tokens=0), A, 10)} == {2}


def checked(times: int, theory: str) -> list[Decision]:
    """Return B's checks in the dark, each at a position where only this theory puts A."""
    found = []
    for number in range(times):
        guesses = {name: 6 + place for place, name in enumerate(THEORIES)}
        guesses |= {theory: 9}
        found.append(Decision(B, 9 if number % 4 else None, (guesses,)))
    return found


@pytest.mark.parametrize("theory", THEORIES)
def test_a_rival_is_known_by_where_it_has_looked(theory: str):
    hunter = Hunter(B, checked(12, theory), EXIT / 2)
    looks = hunter.looks({name: 7 + (name == theory) for name in THEORIES})
    assert looks[8] > 0.6 and looks.get(7, 0.0) < 0.1
    assert hunter.weight > 0.8
    assert Hunter(A, checked(12, theory), EXIT / 2).weight == 0


def test_a_rival_that_never_looks_in_the_dark_is_not_feared():
    idle = [Decision(B, None, (dict.fromkeys(THEORIES, 8),))] * 20
    assert sum(Hunter(B, idle, EXIT / 2).looks(dict.fromkeys(THEORIES, 8)).values()) < 0.05


STAKES = Stakes(
    alone=[place / EXIT for place in range(EXIT + 1)],
    missed=[place / EXIT + 0.1 for place in range(EXIT + 1)],
    caught=[0.1] * (EXIT + 1),
    lit=[0.2] * (EXIT + 1),
    light=1 / 3,
    share=1.0,
)


def test_a_pawn_steps_aside_of_where_it_is_looked_for():
    odds = [float(place == 6) for place in range(EXIT + 1)]
    sought = mixed_moves(STAKES, odds, (0, 1, 2), [{8: 0.9}, {}, {}, {}], 0.9, Steps(60))[6]
    unsought = mixed_moves(STAKES, odds, (0, 1, 2), [{}, {}, {}, {}], 0.9, Steps(60))[6]
    assert sought[2] < 0.15 < 0.45 < unsought[2]


def test_a_plan_made_in_a_hurry_runs():
    moves = Counter(action.move for action in sneaks(in_sight(2, 2), A, steps=1))
    assert moves[2] > 0.5 * moves.total()


def test_the_master_declares_something_else_to_a_player_who_believes_declarations():
    """B has repeatedly looked for A where A's declarations put it; now A tends to declare something else for the same
    move.
    """
    state = in_sight(6, 2)
    view = GAME.view(state, A)
    table = Situation(view, A, random.Random(1))
    believer = [Decision(B, 9, ({"claimed": 9, "fastest": 7, "likeliest": 7},))] * 12
    looks = Hunter(B, believer, EXIT / 2).looks(table.record.guesses(A, 2))
    assert looks[8] > 2 * sum(odds for space, odds in looks.items() if space != 8)


def test_both_reject_if_rejecting_is_better_against_either_vote():
    prisoners = ((0.5, 0.3), (0.7, 0.4))
    deal = agreed(prisoners, prisoners)
    assert deal.mine < 0.1 and deal.theirs < 0.1


def test_votes_are_mixed_where_either_could_be_foreseen():
    even, odd = ((1.0, 0.0), (0.0, 1.0)), ((0.0, 1.0), (1.0, 0.0))
    deal = agreed(even, odd)
    assert 0.4 < deal.mine < 0.6 and 0.4 < deal.theirs < 0.6


def test_the_master_accepts_the_lights_where_all_is_seen_already_and_rejecting_could_cost_a_step():
    lit = sneaked(moment((7, 0), tokens=0), (0, 1), (0, 0), roll=LIT)
    assert chosen(offered(lit, "lights"), A) == Vote(True)


def test_the_master_makes_no_offer_that_it_would_vote_against_for_nothing():
    """The position is even, so no offer gains anything: it makes none, or one that it accepts."""
    for seed in range(12):
        lit = sneaked(moment((4, 4)), (0, 1), (0, 1), roll=LIT)
        action = chosen(lit, A, seed)
        if isinstance(action, Offer):
            assert chosen(after(lit, (A, action)), A, seed) == Vote(True)


@pytest.mark.parametrize("steps", [0, 500])
def test_the_master_threatens_who_is_far_ahead_and_rejects_however_little_time_it_has(steps: int):
    """A player in JAIL has nothing to lose: if both reject, only the other is set back."""
    lit = sneaked(moment((0, 4), row=("lockdown", "bribe"), tokens=0), (2, 0), (2, 2), roll=LIT)
    action = chosen(lit, A)
    assert action in (Offer(0, A, B), Offer(0, B, A))
    assert isinstance(action, Offer) and chosen(after(lit, (A, action)), A, steps=steps) == Vote(False)


@pytest.mark.parametrize("seats", [2, 3])
def test_wardens_mostly_accept_what_they_have_offered(seats: int):
    votes = Counter[bool]()
    for seed in range(4):
        started = GAME.setup(seats, GAME.options(), material(GAME), BEGIN, Chance(seed_bytes(seed), TABLE, 0))
        warden = None
        for entry in finished(GAME.fold(started), [BOTS.levels[Level.MASTER]] * seats, seed).log:
            match entry:
                case RoundStarts():
                    warden = entry.warden
                case VotesShown() if warden in (entry.first, entry.second):
                    votes[entry.accepts[entry.second == warden]] += 1
                case _:
                    pass
    assert votes.total() > 3 and votes[True] >= votes[False]


def test_the_master_risks_an_offer_rather_with_who_has_been_seen_to_accept():
    """If both accept Extra Patrols nothing happens; but rejecting alone gains three spaces on the accepter."""
    made = {}
    for accepts in ("++", "--"):
        started = state = offering(JAIL, JAIL, row=("lights", "lights"))
        for _ in range(6):
            state = msgspec.structs.replace(started, log=settled(state, "lights", accepts).log)
        state = msgspec.structs.replace(state, row=(Card("patrols"),))
        made[accepts] = {type(chosen(state, A, seed)) for seed in range(3)}
    assert made == {"++": {Offer}, "--": {Decline}}


def test_how_everyone_votes_is_learnt():
    state = offering(3, 3, 3)
    for _ in range(4):
        state = settled(msgspec.structs.replace(state, phase=Offering()), "bribe", "+-")
        state = msgspec.structs.replace(state, row=tuple(Card(card.kind) for card in state.row))
    voters = Voters(GAME.view(state, C))
    assert voters.accepts(A, "bribe", 0.2) > 0.6 > 0.4 > voters.accepts(B, "bribe", 0.8)
    assert voters.accepts(C, "bribe", 0.3) == pytest.approx(0.3)


# ----------------------------------------------------------------------------------------------------------- the table


def test_the_table_of_the_race_is_what_the_rules_of_the_bare_race_make_of_it():
    """One more iteration changes nothing, so it is solved, and the module has exactly these values."""
    table = {(a, b, k, m): foreseen(a, b, k, m) for a, b, k, m in race.ALL}
    again = race.swept(table)
    assert max(abs(again[at] - table[at]) for at in race.ALL) < 0.004


def test_the_race_is_even_for_equal_players_and_better_when_ahead_or_with_more_tokens():
    seen = Race(GAME.view(moment((4, 4)), A))
    even = seen.shares((4, 4), (3, 3))
    assert sum(even) == pytest.approx(1) and even[0] == pytest.approx(0.5, abs=0.03)
    assert seen.shares((6, 4), (3, 3))[0] > even[0] + 0.03
    assert seen.shares((4, 4), (3, 2))[0] > even[0] + 0.03
    assert seen.shares((4, EXIT), (3, 3)) == [0.0, 1.0]
    four = Race(GAME.view(moment((2, 2, 2, 2)), A))
    assert four.shares((2, 2, 2, 2), (3, 3, 3, 3)) == pytest.approx([0.25] * 4)
    assert four.shares((6, 2, 2, 2), (3, 3, 3, 3))[0] > 0.4


def test_in_the_last_round_only_the_furthest_pawn_counts():
    last = Race(GAME.view(moment((4, 4), round=30), A))
    assert last.shares((5, 4), (0, 3)) == [1.0, 0.0]
    assert last.shares((5, 5), (0, 3)) == [0.5, 0.5]


def test_the_race_assumes_that_guards_come_for_a_pawn_that_is_shown():
    seen = Race(GAME.view(moment((2, 8)), A))
    assert seen.guarded((2, 8), (3, 3), [B])[0] > seen.guarded((2, 8), (3, 3), [])[0] + 0.1
    assert seen.guarded((2, 8), (0, 3), [B]) == seen.shares((2, 8), (0, 3))


# ------------------------------------------------------------------------------------------------------------- strength


def finished(state: State, players: Sequence[Player], seed: int) -> State:
    """Return the final state of a game between these players."""
    rngs = [random.Random(f"{seed}/{seat}") for seat in range(len(players))]
    step = 1
    while GAME.outcome(state) is None:
        view = GAME.view(state, None)
        seat = view.to_act[0] if view.interlude is None else Seat(len(view.interlude.ready))
        intent = players[seat](GAME.view(state, seat), list(GAME.legal(state, seat)), Steps(30), rngs[seat])
        assert intent is not None
        events = GAME.decide(state, seat, intent.action, BEGIN, Chance(seed_bytes(seed), TABLE, step))
        step += len(events)
        state = GAME.fold(events, state)
    return state


def wins(seats: int, games: int, rival: Player) -> float:
    """Return the share of games that one master wins against these rivals, changing its seat from game to game."""
    won = 0.0
    for game in range(games):
        players = [rival] * seats
        players[game % seats] = BOTS.levels[Level.MASTER]
        seed = 1000 + game // seats
        started = GAME.setup(seats, GAME.options(), material(GAME), BEGIN, Chance(seed_bytes(seed), TABLE, 0))
        outcome = GAME.outcome(finished(GAME.fold(started), players, seed))
        assert outcome is not None
        if outcome.places[game % seats] == 1:
            won += 1 / outcome.places.count(1)
    return won / games


@pytest.mark.parametrize(("seats", "games", "share"), [(2, 8, 0.85), (3, 9, 0.6), (4, 24, 0.4)])
def test_the_master_beats_trainees(seats: int, games: int, share: float):
    assert wins(seats, games, BOTS.levels[Level.TRAINEE]) >= share


@pytest.mark.parametrize("rival", OPPONENTS)
def test_the_master_beats_every_opponent_of_the_bench(rival: str):
    assert wins(2, 8, OPPONENTS[rival]) >= 0.6


def dark_checks(state: State, hunter: Seat, prey: Seat) -> Iterator[bool]:
    """Yield each check by the hunter in a round in which the prey did not learn whether it was found."""
    shown = False
    for entry in state.log:
        match entry:
            case RoundStarts():
                shown = False
            case LightsThrown(positions=tuple()):
                shown = True
            case VotesShown(positions=positions):
                shown = shown or positions[prey] is not None
            case GuardsGo(seat=seat, caught=caught) if seat == hunter and not shown:
                yield prey in caught


def test_a_hunter_of_those_who_always_run_finds_the_master_in_fewer_than_half_of_its_dark_checks():
    found = Counter[bool]()
    for seed in range(10):
        started = GAME.setup(2, GAME.options(), material(GAME), BEGIN, Chance(seed_bytes(seed), TABLE, 0))
        found.update(
            dark_checks(finished(GAME.fold(started), [BOTS.levels[Level.MASTER], OPPONENTS["hunter"]], seed), B, A)
        )
    assert found.total() > 8
    assert found[True] < 0.5 * found.total()


def weighed(state: State, seat: Seat) -> list[Action]:
    legal = [action for action in GAME.legal(state, seat) if not isinstance(action, Note)]
    found = ordered(GAME.view(state, seat), legal, random.Random(1))
    assert len(found) == len(legal) and all(action in found for action in legal)
    return found


def test_actions_are_put_in_order_by_what_they_are_worth():
    out = weighed(moment((9, 3)), A)
    assert {action.move for action in out[:3] if isinstance(action, Sneak)} == {2}
    assert isinstance(out[-1], Sneak) and out[-1].move < 2
    shown = after(sneaked(moment((2, 8)), (0, 0), (0, 1), roll=LIT), (A, Decline()))
    assert weighed(shown, A)[0] == Guard(9)
    nowhere = weighed(guarding(0, 0), A)
    assert nowhere[0] == Pass()
    started = after(sneaked(moment((9, 0)), (0, 2), (0, 0), roll=DARK), (A, Decline()))
    voting = msgspec.structs.replace(started, phase=Voting(0, A, B), row=(Card("advance"), Card("lights")))
    assert weighed(voting, A) == [Vote(True), Vote(False)]
    assert isinstance(weighed(offering(0, 0, 0), A)[0], Offer | Decline)
