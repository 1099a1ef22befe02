"""Prison Break, mark by mark: guard checks, winning, what is refused, and what the clock does."""

from typing import Any

import msgspec
import pytest

from engine.contract import BrokenRecord, ClockShift, ClockShifted, Expire, Moment, Outcome, Seat, TimedOut
from engine.games.prison_break import (
    GAME,
    JAIL,
    Declares,
    Decline,
    GameEnded,
    Guard,
    Guarding,
    GuardsGo,
    GuardsSent,
    LightsChecked,
    LightsThrown,
    Note,
    Offer,
    Offered,
    Offering,
    OfferMade,
    OfferSettled,
    Over,
    Pass,
    Passed,
    Passes,
    PrisonBreakAction,
    PrisonBreakOptions,
    Prisoner,
    RoundBegun,
    RoundStarts,
    Sneak,
    Sneaked,
    Sneaking,
    State,
    Step,
    TimeRanOut,
    Vote,
    Voted,
    VotesShown,
)
from tests.engine.games.prison_break_positions import (
    BEGAN,
    DARK,
    EXIT,
    MATERIAL,
    NOW,
    A,
    B,
    C,
    D,
    after,
    decide,
    guarding,
    moment,
    offered,
    offering,
    passed,
    public,
    refused,
    rolling,
    settled,
    sneaked,
)

# -------------------------------------------------------------------------------------------------------- guard checks


def test_R13_in_turn_order_from_the_warden_each_may_spend_a_token():
    state = moment((1, 2, 3), Guarding((B, C, A)), warden=B)
    for seat in (B, C, A):
        assert public(state).turn == seat
        state = after(state, (seat, Guard(9)))
    assert [one.tokens for one in state.prisoners] == [2, 2, 2]
    assert (state.round, state.warden) == (2, C)


@pytest.mark.parametrize("space", range(1, 11))
def test_R13_D15_every_pawn_on_the_named_space_goes_to_jail(space: int):
    state = guarding(space, 11 - space, space, EXIT)
    (event,) = decide(state, A, Guard(space))
    assert event == GuardsSent(A, space, (A, C), NOW)  # D15: the checker's own pawn included
    then = GAME.fold([event], state)
    assert then.positions == (0, 11 - space, 0, EXIT)
    assert then.log == (GuardsGo(A, space, (A, C)),)


@pytest.mark.parametrize("space", [-1, 0, 11, 12, 10**30])
def test_R13_D20_only_numbered_spaces_can_be_checked_and_not_exit(space: int):
    refusal = refused(guarding(0, EXIT), A, Guard(space))
    assert (refusal.code, refusal.facts) == ("no-space", {"space": space, "spaces": 10})


def test_D15_a_check_that_finds_nobody_is_public_too():
    then = after(guarding(1, 2, 3), (A, Guard(7)))
    assert then.log == (GuardsGo(A, 7, ()),)
    assert then.prisoners[A].tokens == 2


def test_D15_one_check_a_player_a_round():
    then = after(guarding(1, 2, 3), (A, Guard(7)))
    assert refused(then, A, Guard(8)).code == "not-your-turn"
    assert refused(then, A, Pass()).code == "not-your-turn"


def test_D18_players_without_tokens_are_passed_over():
    state = after(offering(1, 2, 3, 4, tokens=(0, 1, 0, 2)), (A, Decline()))
    assert state.phase == Guarding((B, D))
    assert refused(state, C, Guard(1)).code == "no-token"
    assert after(offering(1, 2, tokens=0), (A, Decline())).round == 2


def test_D18_those_sent_to_jail_may_still_check():
    state = after(guarding(1, 2, 3), (A, Guard(2)), (B, Guard(3)))
    assert state.positions == (1, 0, 0)
    assert state.prisoners[B].tokens == 2


def test_D17_a_hit_makes_the_position_public_and_resets_the_declared_sum():
    prisoners = (Prisoner(3, declared=4), Prisoner(3, declared=5, printed=-2))
    then = after(guarding(1, 3, prisoners=prisoners, round=4), (A, Guard(3)))
    assert public(then).prisoners[B] == Prisoner(3, seen=JAIL, seen_round=4, skips=True)
    assert public(then).prisoners[A].declared == 4


def test_R14_D6_a_player_sent_back_skips_the_next_sneak_phase_and_declares_nothing():
    state = passed(after(guarding(1, 3, 5), (A, Guard(3))))
    assert state.phase == Sneaking((C, A), (B,))
    assert public(state).sits_out == (B,)
    assert refused(state, B, Sneak(0, 0)).code == "sits-out"
    then = sneaked(state, (0, 0), (0, 0))
    assert [entry.seat for entry in then.log if isinstance(entry, Declares)] == [C, A]
    following = passed(after(then, (B, Decline())))
    assert following.phase == Sneaking((C, A, B))


def test_R14_when_all_were_sent_back_the_sneak_phase_passes_without_a_sneak():
    state = after(guarding(3, 3), (A, Guard(3)))
    events = decide(state, B, Pass())
    assert [type(event) for event in events] == [Passed, RoundBegun, LightsChecked]
    then = GAME.fold(events, state)
    assert RoundStarts(2, B, True, (B, A)) in then.log
    assert passed(after(then, (B, Decline()))).phase == Sneaking((A, B))


def test_D16_the_skip_is_of_the_next_sneak_phase_that_takes_place():
    state = after(settled(offering(5, 5), "lockdown", "++"), (A, Guard(7)), (B, Pass()))
    assert state.round == 2  # without a Sneak phase
    state = msgspec.structs.replace(state, prisoners=(Prisoner(3), Prisoner(3, skips=True)))
    state = passed(after(state, (B, Decline())))
    assert (state.round, state.phase) == (3, Sneaking((A,), (B,)))


def test_D16_a_skip_waits_while_lock_down_leaves_out_the_sneak_phase():
    state = after(settled(offering(5, 6), "lockdown", "++"), (A, Guard(6)), (B, Pass()))
    assert (state.round, state.phase, state.prisoners[B].skips) == (2, Offering(), True)
    state = passed(after(state, (B, Decline())))
    assert state.phase == Sneaking((A,), (B,))


def test_D16_two_hits_before_it_cost_the_same_one_sneak_phase():
    state = offering(0, 0, 5, prisoners=(Prisoner(3, skips=True), Prisoner(3), Prisoner(3)), no_sneak_round=1)
    state = after(settled(state, "advance", "++"), (A, Pass()), (B, Guard(2)), (C, Pass()))
    assert state.phase == Sneaking((C,), (B, A))
    state = passed(after(sneaked(state, (0, 0)), (B, Decline())))
    assert state.phase == Sneaking((C, A, B))


# ------------------------------------------------------------------------------------------------------------- winning


def test_R15_a_player_on_exit_when_the_round_ends_wins():
    state = guarding(EXIT, 5, tokens=(0, 3), seats=[B])
    events = decide(state, B, Pass())
    assert events == [Passed(B, NOW), GameEnded("exit", (A,))]
    then = GAME.fold(events, state)
    assert GAME.outcome(then) == Outcome((1, 2), (EXIT, 5), "exit")
    assert (public(then).phase, public(then).winners, public(then).to_act) == ("over", (A,), ())


def test_R15_D19_not_before_the_guard_checks_and_also_where_they_are_skipped():
    state = sneaked(moment((9, 5)), (0, 2), (0, 0))
    assert GAME.outcome(state) is None
    state = after(state, (A, Decline()))
    assert GAME.outcome(state) is None
    assert GAME.outcome(passed(state)) is not None
    assert GAME.outcome(settled(offering(EXIT, 5), "bribe", "++")) is not None
    assert GAME.outcome(after(offering(EXIT, 5, tokens=0), (A, Decline()))) is not None


def test_D20_an_offer_can_move_a_pawn_off_exit():
    state = settled(offering(EXIT, 5, arrivals=(1, None), effects=4), "patrols", "--")
    assert (state.positions, state.arrivals) == ((9, 3), (None, None))
    assert GAME.outcome(passed(state)) is None


def test_D21_the_first_of_several_to_arrive_wins_and_every_sneak_is_its_own_effect():
    state = sneaked(moment((5, 10, 10), warden=B), (0, 2), (0, 1), (0, 0))
    state = passed(after(state, (B, Decline())))
    assert GAME.outcome(state) == Outcome((3, 1, 2), (5, EXIT, EXIT), "exit")
    assert public(state).winners == (B,)


def test_D21_a_sneak_to_exit_arrives_before_a_move_there_by_the_offer():
    state = sneaked(moment((9, 9)), (0, 0), (0, 2))
    state = passed(settled(state, "advance", "++"))
    assert state.positions == (EXIT, EXIT)
    assert public(state).winners == (B,)


def test_D21_arrived_by_the_same_effect_is_a_shared_win():
    state = passed(settled(offering(10, 9, 4), "advance", "++"))
    assert GAME.outcome(state) == Outcome((1, 1, 3), (EXIT, EXIT, 4), "exit")
    assert public(state).winners == (A, B)


@pytest.mark.parametrize(
    ("positions", "arrivals", "expected"),
    [
        ((5, EXIT, JAIL, 9), (None, 1, None, None), (3, 1, 4, 2)),
        ((3, 3, EXIT, 3), (None, None, 1, None), (2, 2, 1, 2)),
        ((EXIT, EXIT, EXIT, 10), (3, 1, 2, None), (3, 1, 2, 4)),
        ((EXIT, EXIT, EXIT, JAIL), (2, 1, 2, None), (2, 1, 2, 4)),
    ],
)
def test_D25_below_the_winner_places_go_by_arrival_on_exit_and_then_by_space(
    positions: tuple[int, ...], arrivals: tuple[int | None, ...], expected: tuple[int, ...]
):
    state = guarding(*positions, arrivals=arrivals, effects=3, tokens=(1, 3, 1, 2))
    assert GAME.outcome(passed(state)) == Outcome(expected, positions, "exit")


def test_D20_leaving_exit_and_coming_back_is_a_new_arrival():
    state = offering(EXIT, EXIT, arrivals=(1, 2), effects=2)
    state = msgspec.structs.replace(settled(state, "lights", "--"), phase=Offering())
    assert state.arrivals == (None, None)
    assert settled(state, "advance", "++").arrivals == (4, 4)


def test_D20_a_step_forward_on_exit_is_no_arrival():
    state = settled(offering(EXIT, 9, arrivals=(1, None), effects=1), "advance", "++")
    assert state.arrivals == (1, 2)


def test_O2_after_the_round_limit_the_furthest_pawn_wins_and_ties_share():
    def last(*positions: int) -> Outcome | None:
        return GAME.outcome(passed(guarding(*positions, round=12, round_limit=12)))

    assert last(4, 9, 9) == Outcome((3, 1, 1), (4, 9, 9), "rounds")
    assert last(4, 2, 3) == Outcome((1, 3, 2), (4, 2, 3), "rounds")
    assert last(10, EXIT, 3) == Outcome((2, 1, 3), (10, EXIT, 3), "exit")
    assert GAME.outcome(passed(guarding(4, 9, round=11, round_limit=12))) is None
    assert PrisonBreakOptions().round_limit == 30


def test_D22_at_the_end_all_tracks_are_shown_but_notes_stay_private():
    state = after(sneaked(moment((9, 5)), (0, 2), (2, 1)), (A, Decline()), (B, Note("I knew it")))
    assert public(state).positions == (None, None)
    assert GAME.view(state, B).positions == (None, 6)
    state = passed(state)
    for reader in (None, A, B):
        seen = GAME.view(state, reader)
        assert seen.positions == (EXIT, 6)
        assert seen.paths == ((Step(1, "sneak", 0, 2, EXIT),), (Step(1, "sneak", 2, 1, 6),))
        assert seen.note == ("I knew it" if reader == B else "")


# ------------------------------------------------------------------------------------------------ refusals, the clock


MOVES: dict[str, PrisonBreakAction] = {
    "sneak": Sneak(0, 0),
    "offer": Offer(0, 0, 1),
    "vote": Vote(True),
    "guard": Guard(1),
}


@pytest.mark.parametrize(
    ("phase", "state"),
    [
        ("sneak", moment()),
        ("offer", offering(1, 2, 3)),
        ("vote", offered(offering(1, 2, 3), "advance")),
        ("guard", guarding(1, 2, 3)),
    ],
)
def test_a_move_of_another_phase_is_refused(phase: str, state: State):
    for needs, move in MOVES.items():
        if needs == phase:
            decide(state, A, move)
        else:
            refusal = refused(state, A, move)
            assert (refusal.code, refusal.facts) == ("wrong-phase", {"phase": phase, "needs": needs})
    assert phase == "offer" or refused(state, A, Decline()).facts == {"phase": phase, "needs": "offer"}
    assert phase == "guard" or refused(state, A, Pass()).facts == {"phase": phase, "needs": "guard"}


@pytest.mark.parametrize("stranger", [None, -1, 3, 99])
def test_a_seat_that_does_not_exist_can_do_nothing(stranger: int | None):
    seat = None if stranger is None else Seat(stranger)
    for move in [*MOVES.values(), Note("hello")]:
        assert refused(moment(), seat, move).code == "not-seated"


def test_when_all_is_over_nothing_is_left_to_do():
    state = moment((EXIT, 5), Over("exit", (A,)))
    for move in [*MOVES.values(), Decline(), Pass(), Note("x"), Expire("sneak-1-0"), ClockShift(5)]:
        assert refused(state, A, move).facts == {"reason": "exit"}
    assert GAME.deadlines(state) == ()


def test_the_clock_is_not_for_players():
    assert refused(moment(), A, Expire("sneak-1-0")).code == "clock-only"
    assert refused(moment(), A, ClockShift(1000)).code == "clock-only"


@pytest.mark.parametrize(
    ("state", "name", "seats", "default"),
    [
        (moment(), "sneak-1-0", (A,), Sneak(0, 0)),
        (offering(1, 2, round=4), "offer-4", (A,), Decline()),
        (offered(offering(1, 2, 3), "advance", B, C), "vote-1", (B, C), Vote(False)),
        (guarding(1, 2, seats=[B]), "guard-1-1", (B,), Pass()),
    ],
)
def test_every_turn_has_a_clock_with_a_safe_default(
    state: State, name: str, seats: tuple[Seat, ...], default: PrisonBreakAction
):
    (deadline,) = GAME.deadlines(state)
    assert deadline.id.startswith(name)
    assert (deadline.seats, deadline.default, deadline.kind) == (seats, default, "turn")
    assert deadline.due == state.began + 180_000
    lapses = GAME.decide(state, None, Expire(deadline.id), deadline.due, rolling(DARK))
    assert [event.seat for event in lapses if isinstance(event, TimedOut)] == list(seats)
    assert lapses[0] == TimedOut(seats[0], deadline.id)
    assert TimeRanOut(seats[0]) in GAME.fold(lapses, state).log
    assert refused(state, None, Expire(deadline.id), Moment(deadline.due - 1)).code == "early"
    gone = GAME.fold(lapses, state)
    assert refused(gone, None, Expire(deadline.id), deadline.due).code == "late"


def test_the_default_moves_are_what_the_seat_itself_could_play():
    for state in (moment(), offering(1, 2, 3), offered(offering(1, 2, 3), "advance"), guarding(1, 2, 3)):
        (deadline,) = GAME.deadlines(state)
        for seat in deadline.seats:
            assert deadline.default in GAME.legal(state, seat)


def test_a_vote_that_lapses_is_a_reject_and_never_shown_before_the_other_is_in():
    state = offered(offering(5, 5, 5), "advance")
    (deadline,) = GAME.deadlines(state)
    events = GAME.decide(state, None, Expire(deadline.id), deadline.due, rolling(DARK))
    assert [type(event) for event in events] == [TimedOut, Voted, TimedOut, Voted, OfferSettled]
    assert GAME.fold(events, state).positions == (3, 3, 5)
    half = after(state, (B, Vote(True)))
    (rest,) = GAME.deadlines(half)
    assert (rest.id, rest.seats, rest.due) == (deadline.id, (A,), deadline.due)
    events = GAME.decide(half, None, Expire(rest.id), rest.due, rolling(DARK))
    assert GAME.fold(events, half).positions == (8, 5, 5)


def test_without_a_clock_nothing_runs_out():
    assert GAME.deadlines(moment(clock=0)) == ()
    assert refused(moment(clock=0), None, Expire("sneak-1-0"), Moment(10**15)).code == "late"


def test_a_delay_moves_the_clock_and_nothing_else():
    assert decide(moment(), None, ClockShift(500)) == [ClockShifted(500)]
    state = GAME.fold([ClockShifted(500)], moment())
    assert GAME.deadlines(state)[0].due == BEGAN + 180_500
    assert public(state) == public(moment())
    assert refused(moment(), None, ClockShift(0)).code == "no-delay"
    assert refused(moment(), None, ClockShift(-5)).code == "no-delay"


def test_the_clock_of_a_turn_begins_when_the_one_before_ended():
    state = sneaked(moment(), (0, 0))
    assert GAME.deadlines(state)[0].due == NOW + 180_000


def test_records_that_do_not_fit_the_game_are_broken():
    (first,) = GAME.setup(2, PrisonBreakOptions(), MATERIAL, BEGAN, rolling(1))
    wrong: list[list[Any]] = [
        [],
        [Passed(A, NOW)],
        [first, first],
        [first, Passed(A, NOW)],
        [first, Voted(A, True)],
        [first, OfferSettled((True, True), NOW)],
        [first, Offered(0, first.row[0], A, B, NOW), Sneaked(A, 0, 0, NOW)],
    ]
    for events in wrong:
        with pytest.raises(BrokenRecord):
            GAME.fold(events)


def test_the_log_lists_a_round_in_order():
    state = sneaked(moment((1, 2)), (2, 1), (1, 2))
    state = passed(settled(state, "advance", "+-"))
    assert [type(entry) for entry in state.log] == [
        Declares,
        Declares,
        LightsThrown,
        OfferMade,
        VotesShown,
        Passes,
        Passes,
        RoundStarts,
    ]
