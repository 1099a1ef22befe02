"""Ausbrecher AG: views, clocks, records, and properties of all actions."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import SEED_BYTES, Chance
from engine.contract import BrokenRecord, ClockShift, ClockShifted, Expire, Moment, Refusal, Seat, TimedOut, to_json
from engine.games.ausbrecher import (
    CELL,
    COLOURS,
    GAME,
    AusbrecherAction,
    AusbrecherEvent,
    AusbrecherOptions,
    Die,
    Forecast,
    ForecastGiven,
    Forecasting,
    GameBegun,
    Landing,
    Material,
    Move,
    OpenResult,
    Over,
    Replace,
    Replaced,
    Resolve,
    Resolved,
    Resolving,
    Roll,
    Rolled,
    StarterThrown,
    State,
    TurnBegun,
    landing,
    moved,
    on_the_way,
    prisoner,
)
from tests.engine.games.ausbrecher_positions import (
    BEGAN,
    MATERIAL,
    NOW,
    PLAIN,
    A,
    B,
    C,
    after,
    colours,
    decide,
    moment,
    new_game,
    race,
    refused,
    rolled,
    stacks,
    throwing,
    told,
)
from tools.harness.playouts import play

# ----------------------------------------------------------------------------------------------------------------- view


def test_the_view_shows_where_each_result_would_lead_also_if_the_white_die_replaced_it():
    state = rolled(moment(race({5: "red", 9: "blue"})), "red blue pink", 1, 2, 3, 4, white=True)
    view = GAME.view(state, None)
    assert (view.phase, view.white) == ("replace", 4)
    assert view.results == (
        OpenResult("red", 1, False, False, Landing("space", 6, trail=(6,)), Landing("space", 1, trail=(4, 3, 2, 1))),
        OpenResult(
            "blue",
            2,
            False,
            False,
            Landing("space", 11, trail=(10, 11)),
            Landing("space", 5, onto="red", trail=(8, 7, 6, 5)),
        ),
        OpenResult("pink", 3, False, False, Landing("space", 3, trail=(1, 2, 3)), Landing("in-cell", CELL)),
    )


def test_the_history_leads_from_the_cells_to_where_the_present_turn_began():
    lapsed = 0
    for seed in range(4):
        playout = play(GAME, seed)
        for state in playout.running:
            view = GAME.view(state, None)
            assert len(view.history) == max(state.turn - 1, 0)
            if view.phase != "roll":
                continue
            field = playout.start.race
            for turn in view.history:
                lapsed += turn.lapsed
                for colour, pips in turn.moves:
                    field = moved(field, colour, landing(field, colour, abs(pips), back=pips < 0))
            assert field == state.race
            if view.history:
                assert view.history[-1].seat == view.turns[-2].seat
                assert view.history[-1].lapsed == (view.turns[-2].lapses > 0)
    assert lapsed


def test_the_view_keeps_the_turns_since_the_same_seats_last():
    for seed in range(6):
        playout = play(GAME, seed)
        for state in playout.states:
            turns = GAME.view(state, None).turns
            assert len(turns) == min(state.turn, playout.seats + 1)
            assert [turn.number for turn in turns] == list(range(state.turn - len(turns) + 1, state.turn + 1))


def test_the_view_shows_a_turn_with_its_dice_and_moves():
    state = rolled(moment(race({5: "red"})), "red blue pink", 1, 2, 3, 4, white=True)
    state = after(after(state, A, Replace("red")), A, Resolve("red"))
    turn = GAME.view(state, B).turns[-1]
    assert (turn.number, turn.seat, turn.white, turn.replaced) == (2, A, 4, "red")
    assert turn.dice == (Die("red", 1), Die("blue", 2), Die("pink", 3))
    assert turn.moves == (Move("red", 4, True, 5, Landing("space", 1, trail=(4, 3, 2, 1))),)


def test_prisoners_in_the_view_say_the_same_as_the_race():
    for state in play(GAME, 11).states:
        view = GAME.view(state, None)
        for one in view.prisoners:
            assert one == prisoner(view.race, one.colour)
            if one.space:
                assert view.race.spaces[one.space - 1][one.height] == one.colour
                assert one.covered == (one.height < len(view.race.spaces[one.space - 1]) - 1)
            elif one.space is None:
                assert one.boat is not None
                assert one.colour in view.race.boats[one.boat - 1]
            else:
                assert one.colour in view.race.cells


# --------------------------------------------------------------------------------------------------------------- clocks

LATE = Moment(BEGAN + 180_000)


def test_D17_all_who_still_bet_share_a_clock_and_chance_bets_for_those_who_miss_it():
    state = after(new_game(3), B, Forecast(PLAIN))
    (deadline,) = GAME.deadlines(state)
    assert (deadline.seats, deadline.due, deadline.default, deadline.kind) == ((A, C), LATE, None, "turn")
    events = GAME.decide(state, None, Expire(deadline.id), LATE, throwing())
    assert [type(event) for event in events] == [
        TimedOut,
        ForecastGiven,
        TimedOut,
        ForecastGiven,
        StarterThrown,
        TurnBegun,
    ]
    over = GAME.fold(events, state)
    assert over.forecasts[B] == PLAIN
    assert all(tuple(sorted(bet or ())) == PLAIN for bet in over.forecasts)
    assert GAME.view(over, None).drawn == (A, C)
    assert GAME.view(over, None).forecasts == (None, None, None)
    assert GAME.view(over, A).forecasts[A] == over.forecasts[A]


def test_forecasts_drawn_by_chance_differ():
    state = new_game(6)
    (deadline,) = GAME.deadlines(state)
    after_it = GAME.fold(GAME.decide(state, None, Expire(deadline.id), LATE, throwing()), state)
    assert len(set(after_it.forecasts)) > 3


def test_the_clock_rolls_plainly_and_favours_no_colour():
    names = Counter[str]()
    for turn in range(1, 8):
        state = moment(race(), turn=turn)
        (deadline,) = GAME.deadlines(state)
        assert deadline.seats == (A,)
        assert isinstance(deadline.default, Roll)
        assert not deadline.default.white
        names.update(deadline.default.colours)
        events = GAME.decide(state, None, Expire(deadline.id), LATE, throwing())
        assert events[0] == TimedOut(A, deadline.id)
        assert isinstance(events[1], Rolled)
    assert set(names.values()) == {3}


def test_the_clock_replaces_and_resolves_the_first_result():
    state = rolled(moment(race({8: "red"})), "red blue pink", 1, 2, 3, 4, white=True)
    (deadline,) = GAME.deadlines(state)
    assert deadline.default == Replace("red")
    state = GAME.fold(GAME.decide(state, None, Expire(deadline.id), deadline.due, throwing()), state)
    (deadline,) = GAME.deadlines(state)
    assert deadline.default == Resolve("red")
    state = GAME.fold(GAME.decide(state, None, Expire(deadline.id), deadline.due, throwing()), state)
    assert stacks(state) == {4: "red"}
    assert GAME.view(state, None).turns[-1].lapses == 2


def test_a_clock_that_is_early_gone_or_off_is_refused():
    state = moment(race())
    (deadline,) = GAME.deadlines(state)
    assert told(refused(state, None, Expire(deadline.id), Moment(deadline.due - 1))) == (
        "early",
        {"deadline": deadline.id, "due": deadline.due},
    )
    moved_on = rolled(state, "red blue pink", 1, 2, 3)
    assert told(refused(moved_on, None, Expire(deadline.id), LATE)) == ("late", {"deadline": deadline.id})
    assert GAME.deadlines(moment(race(), clock=0)) == ()
    assert refused(moment(race(), clock=0), None, Expire(deadline.id), LATE).code == "late"


def test_a_delay_moves_the_clock():
    state = moment(race())
    later = after(state, None, ClockShift(5_000))
    assert decide(state, None, ClockShift(5_000)) == [ClockShifted(5_000)]
    assert GAME.deadlines(later)[0].due == GAME.deadlines(state)[0].due + 5_000
    assert told(refused(state, None, ClockShift(0))) == ("no-delay", {"by_ms": 0})


def test_seats_cannot_act_for_the_clock_nor_strangers_for_a_seat():
    state = moment(race())
    assert refused(state, A, Expire("roll-0")).code == "clock-only"
    assert refused(state, A, ClockShift(1)).code == "clock-only"
    assert refused(state, None, Roll(colours("red blue pink"))).code == "not-seated"
    assert refused(state, Seat(2), Roll(colours("red blue pink"))).code == "not-seated"
    assert refused(state, Seat(-1), Roll(colours("red blue pink"))).code == "not-seated"
    ended = moment(race(aboard=" ".join(COLOURS)), Over("boats"))
    assert told(refused(ended, A, Roll(colours("red blue pink")))) == ("over", {"reason": "boats"})


# --------------------------------------------------------------------------------------------------------------- record


def test_a_record_that_does_not_fit_the_game_is_broken():
    first = GameBegun(MATERIAL, AusbrecherOptions(), 2, BEGAN)
    roll = Rolled((Die("red", 1),), None, None, NOW)
    broken: list[list[GameBegun | AusbrecherEvent]] = [
        [TurnBegun(1, A, NOW)],
        [first, first],
        [first, roll],
        [first, Replaced("red", NOW)],
        [first, Resolved("red", Landing("space", 1), NOW)],
        [first, TurnBegun(1, A, NOW), roll, Resolved("blue", Landing("space", 1), NOW)],
    ]
    for events in broken:
        with pytest.raises(BrokenRecord):
            GAME.fold(events)


# ------------------------------------------------------------------------------------------------------ for all actions

WORDS = st.one_of(st.sampled_from(COLOURS), st.text(max_size=4))
ACTIONS: st.SearchStrategy[AusbrecherAction] = st.one_of(
    st.builds(Forecast, st.lists(st.integers(-3, 9), max_size=9).map(tuple)),
    st.builds(Forecast, st.permutations(PLAIN).map(tuple)),
    st.builds(Roll, st.lists(WORDS, max_size=5).map(tuple), st.booleans(), st.none() | WORDS),
    st.builds(Replace, WORDS),
    st.builds(Resolve, WORDS),
    st.builds(Expire, st.text(max_size=9)),
    st.builds(ClockShift, st.integers()),
)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 30), st.data())
def test_any_action_is_refused_without_a_trace_or_leads_to_a_sound_state(seed: int, data: st.DataObject):
    states = play(GAME, seed).states
    state = states[data.draw(st.integers(0, len(states) - 1))]
    seat = data.draw(st.none() | st.integers(-1, 7).map(Seat))
    action = data.draw(ACTIONS)
    before = repr(state)
    try:
        events = GAME.decide(state, seat, action, NOW, throwing())
    except Refusal as refusal:
        assert all(isinstance(fact, int | str | tuple) for fact in refusal.facts.values())
    else:
        after_it = GAME.fold(events, state)
        assert_sound(after_it)
    assert repr(state) == before


def assert_sound(state: State) -> None:
    """Assert that all seven are somewhere, once; boats are filled in order; the phase fits the race."""
    everyone = Counter([*state.race.cells, *(c for stack in state.race.spaces for c in stack)])
    everyone.update(colour for crew in state.race.boats for colour in crew)
    assert everyone == Counter(COLOURS)
    loads = [len(crew) for crew in state.race.boats]
    for boat, load in enumerate(loads):
        assert load <= state.race.holds[boat]
        assert not load or loads[:boat] == list(state.race.holds[:boat])
    left = on_the_way(state.race)
    assert len(left) != 1
    assert (not left) == isinstance(state.phase, Over)
    if isinstance(state.phase, Resolving):
        assert len(state.phase.open) > 1
    if not isinstance(state.phase, Forecasting):
        assert None not in state.forecasts


@pytest.mark.parametrize("seed", range(20))
def test_prisoners_are_conserved_in_whole_games(seed: int):
    for state in play(GAME, seed).states:
        assert_sound(state)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("route", ["path", "rope"])
@pytest.mark.parametrize("late_white", ["replace", "second"])
def test_games_end_for_all_seats_and_options(seats: int, route: Any, late_white: Any):
    for seed in range(3):
        playout = play(GAME, seed, seats=seats, options=AusbrecherOptions(route=route, late_white=late_white))
        assert playout.outcome.reason in ("boats", "turns")
        assert sum(len(crew) for crew in playout.states[-1].race.boats) == 7
        assert [GAME.read_event(to_json(event)) for event in playout.events] == playout.events
        assert GAME.fold(playout.events) == playout.states[-1]


def test_a_server_owner_may_change_the_numbers():
    strange = msgspec.convert(
        {"path": 5, "rope": 3, "faces": 4, "boats": [3, 1, 2, 1], "dice": [4, 3], "white_turn": 1}
        | {"turns_each": 3, "turns_in_all": 5},
        Material,
    )
    for late_white in ("replace", "second"):
        for seed in range(10):
            options = AusbrecherOptions(late_white=late_white)
            chance = Chance(seed.to_bytes(SEED_BYTES, "big"), "strange", 0)
            state = GAME.fold(GAME.setup(2, options, strange, BEGAN, chance))
            for step in range(200):
                if GAME.outcome(state):
                    break
                seat = GAME.view(state, None).to_act[0]
                legal = list(GAME.legal(state, seat))
                state = GAME.fold(GAME.decide(state, seat, legal[(7 * step + seed) % len(legal)], NOW, chance), state)
                assert_sound(state)
            assert GAME.outcome(state) is not None
