"""Ausbrecher AG, mark by mark of its rule book, on states built by `ausbrecher_positions`: material,
forecasts, a turn.
"""

from collections import Counter
from itertools import permutations
from typing import Any

import msgspec
import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import to_json
from engine.games.ausbrecher import (
    CELL,
    COLOURS,
    GAME,
    AusbrecherOptions,
    DiceChoice,
    Die,
    Forecast,
    ForecastGiven,
    GameBegun,
    Landing,
    Material,
    Move,
    Over,
    Prisoner,
    Replace,
    Replaced,
    Replacing,
    Resolve,
    Resolved,
    Resolving,
    Result,
    Roll,
    Rolled,
    Rolling,
    StarterThrown,
    TurnBegun,
    held,
)
from tests.engine.games.ausbrecher_positions import (
    BEGAN,
    MATERIAL,
    NOW,
    OTHER,
    PLAIN,
    A,
    B,
    C,
    after,
    colours,
    decide,
    gone,
    moment,
    new_game,
    open_colours,
    race,
    refused,
    rolled,
    stacks,
    throwing,
    told,
)
from tools.harness.playouts import the

# ------------------------------------------------------------------------------------------------------------- material


def test_R1_R4_seven_prisoners_of_seven_colours_start_one_in_each_cell():
    assert len(set(COLOURS)) == 7
    state = new_game()
    assert state.race.cells == COLOURS
    assert not any(state.race.spaces)
    assert GAME.view(state, None).prisoners == tuple(Prisoner(colour, CELL) for colour in COLOURS)


def test_D1_every_die_shows_one_to_six():
    coloured: Counter[int] = Counter()
    white: Counter[int] = Counter()
    for seed in range(120):
        chance = Chance(seed.to_bytes(SEED_BYTES, "big"), "dice", 0)
        roll = the(Rolled, GAME.decide(moment(race()), A, Roll(colours("red blue pink"), True), NOW, chance))
        coloured.update(die.pips for die in roll.dice)
        white.update([roll.white])
    assert set(coloured) == set(white) == set(range(1, 7))


def test_D2_R2_O1_D3_the_track_has_eighteen_spaces_and_nine_by_the_rope():
    assert GAME.view(new_game(), None).length == 18
    assert GAME.view(new_game(route="rope"), None).length == 9
    assert AusbrecherOptions().route == "path"


def test_R3_boats_one_to_three_hold_two_prisoners_and_boat_four_one():
    assert new_game().race.holds == (2, 2, 2, 1)
    assert GAME.view(new_game(), None).race.holds == (2, 2, 2, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"boats": [2, 2, 2, 2]},
        {"boats": [2, 2, 1, 2]},
        {"boats": [2, 2, 3]},
        {"boats": [3, 3, 0, 1]},
        {"path": 2},
        {"dice": [3, 1]},
        {"faces": 1},
        {"turns_each": 0},
        {"more": 1},
    ],
)
def test_material_that_would_make_no_game_is_refused(wrong: dict[str, Any]):
    sound = msgspec.to_builtins(MATERIAL)
    assert msgspec.convert(sound, Material) == MATERIAL
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(sound | wrong, Material)


def test_the_first_event_holds_all_that_a_stored_game_needs():
    events = GAME.setup(3, AusbrecherOptions(route="rope"), MATERIAL, BEGAN, throwing())
    assert events == [GameBegun(MATERIAL, AusbrecherOptions(route="rope"), 3, BEGAN)]


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_D18_two_to_six_play(seats: int):
    with pytest.raises(ValueError, match="2 to 6"):
        GAME.setup(seats, AusbrecherOptions(), MATERIAL, BEGAN, throwing())


# ------------------------------------------------------------------------------------------------------------- forecast


def test_R5_everyone_bets_before_the_first_roll_all_at_the_same_time():
    state = new_game(3)
    assert GAME.view(state, None).to_act == (A, B, C)
    assert told(refused(state, A, Roll(colours("red blue pink")))) == (
        "wrong-phase",
        {"phase": "forecast", "needs": "roll"},
    )
    state = after(state, B, Forecast(PLAIN))
    assert GAME.view(state, None).to_act == (A, C)
    assert GAME.view(state, None).given == (B,)


def test_R5_two_prisoners_are_bet_on_each_boat_and_one_on_the_last():
    state = new_game()
    assert told(refused(state, A, Forecast((1, 1, 1, 2, 3, 3, 4)))) == (
        "boat-load",
        {"boat": 1, "given": 3, "holds": 2},
    )
    assert told(refused(state, A, Forecast((1, 1, 2, 2, 3, 4, 4)))) == (
        "boat-load",
        {"boat": 3, "given": 1, "holds": 2},
    )
    assert told(refused(state, A, Forecast((1, 1, 2, 2, 3, 3)))) == ("bets", {"given": 6, "needed": 7})
    assert told(refused(state, A, Forecast((1, 1, 2, 2, 3, 3, 5)))) == ("no-boat", {"boat": 5, "boats": 4})
    assert told(refused(state, A, Forecast((0, 1, 2, 2, 3, 3, 4)))) == ("no-boat", {"boat": 0, "boats": 4})


def test_there_are_630_forecasts():
    forecasts = list(GAME.legal(new_game(), A))
    assert len(set(forecasts)) == len(forecasts) == 630
    assert {tuple(sorted(forecast.boats)) for forecast in forecasts if isinstance(forecast, Forecast)} == {PLAIN}


def test_R5_nobody_sees_the_forecast_of_another_before_the_end():
    state = after(new_game(), A, Forecast(PLAIN))
    assert GAME.view(state, A).forecasts == (PLAIN, None)
    assert GAME.view(state, B).forecasts == (None, None)
    assert GAME.view(state, None).forecasts == (None, None)
    both = after(state, B, Forecast(OTHER))
    assert GAME.view(both, A).forecasts == (PLAIN, None)
    assert GAME.view(both, B).forecasts == (None, OTHER)
    assert GAME.view(both, None).points == ((None,) * 7,) * 2


def test_R5_R21_at_the_end_all_forecasts_are_shown_with_the_points_of_each():
    state = moment(race(aboard="red orange yellow green blue violet pink"), Over("boats"), forecasts=(PLAIN, OTHER))
    for reader in (None, A, B):
        view = GAME.view(state, reader)
        assert view.forecasts == (PLAIN, OTHER)
        assert view.points == ((1, 1, 2, 2, 3, 3, 4), (0, 0, 0, 2, 0, 0, 0))


def test_D4_a_forecast_can_be_changed_until_the_last_player_has_given_theirs():
    state = after(new_game(3), A, Forecast(PLAIN))
    changed = after(state, A, Forecast(OTHER))
    assert changed.forecasts[A] == OTHER
    state = after(after(changed, B, Forecast(PLAIN)), C, Forecast(PLAIN))
    assert told(refused(state, A, Forecast(PLAIN))) == ("wrong-phase", {"phase": "roll", "needs": "forecast"})


def test_a_changed_forecast_shows_nowhere_but_to_its_owner():
    state = after(new_game(3), A, Forecast(PLAIN))
    changed = after(state, A, Forecast(OTHER))
    for reader in (None, B, C):
        assert to_json(GAME.view(state, reader)) == to_json(GAME.view(changed, reader))
    assert GAME.view(state, A).ui_version == GAME.view(changed, A).ui_version


# --------------------------------------------------------------------------------------------------------------- a turn


def test_D5_the_highest_throw_begins():
    state = after(new_game(), A, Forecast(PLAIN))
    events = decide(state, B, Forecast(OTHER), 2, 5)
    assert events == [
        ForecastGiven(B, OTHER),
        StarterThrown(((2, 5),), B),
        TurnBegun(1, B, NOW),
    ]
    view = GAME.view(GAME.fold(events, state), None)
    assert (view.turn, view.turn_number, view.throws, view.to_act) == (B, 1, ((2, 5),), (B,))


def test_D5_in_a_roll_off_only_those_who_tied_roll_again():
    state = after(after(new_game(3), A, Forecast(PLAIN)), B, Forecast(PLAIN))
    thrown = the(StarterThrown, decide(state, C, Forecast(PLAIN), 6, 2, 6, 3, 3, 1, 4))
    assert thrown == StarterThrown(((6, 2, 6), (3, None, 3), (1, None, 4)), C)


def test_R7_turns_go_clockwise():
    state = moment(race(), Rolling(B), seats=3)
    for seat in (B, C, A, B):
        assert GAME.view(state, None).turn == seat
        state = after(state, seat, Roll(colours("red blue pink")), 1, 1, 1)
        while isinstance(state.phase, Resolving):
            state = after(state, seat, Resolve(open_colours(state)[0]))


def test_R8_three_coloured_dice_are_rolled():
    state = moment(race())
    assert GAME.view(state, A).choice == DiceChoice(3, 3)
    roll = the(Rolled, decide(state, A, Roll(colours("pink red blue")), 4, 2, 6))
    assert roll == Rolled((Die("red", 4), Die("blue", 2), Die("pink", 6)), None, None, NOW)
    for words in ("red", "red blue", "red blue pink green"):
        facts = {"given": len(words.split()), "needed": 3, "white": 0}
        assert told(refused(state, A, Roll(colours(words)))) == ("dice", facts)


def test_R8_two_dice_once_boat_one_is_full():
    assert GAME.view(moment(race(aboard="red")), A).choice == DiceChoice(3, 3)
    state = moment(race(aboard="red orange"))
    assert GAME.view(state, A).choice == DiceChoice(2, 2)
    assert told(refused(state, A, Roll(colours("blue green pink")))) == ("dice", {"given": 3, "needed": 2, "white": 0})
    state = rolled(state, "blue green", 3, 4, 2, white=True)
    assert state.phase == Replacing(A, (Result("green", 3), Result("blue", 4)), 2)


def test_R8_once_boat_two_is_full_two_coloured_or_one_and_the_white():
    assert GAME.view(moment(race(aboard="red orange yellow")), A).choice == DiceChoice(2, 2)
    for aboard in ("red orange yellow green", "red orange yellow green blue"):
        state = moment(race({2: "pink", 9: "violet"}, aboard=aboard))
        assert GAME.view(state, A).choice == DiceChoice(2, 1)
        assert open_colours(rolled(state, "violet pink", 1, 1)) == ["violet", "pink"]
        assert told(refused(state, A, Roll(colours("violet pink"), True))) == (
            "dice",
            {"given": 2, "needed": 1, "white": 1},
        )
        assert told(refused(state, A, Roll(colours("pink")))) == ("dice", {"given": 1, "needed": 2, "white": 0})


def test_D6_the_counts_are_those_at_the_start_of_the_turn():
    state = rolled(moment(race({18: "blue", 17: "green", 3: "pink"})), "blue green pink", 2, 1, 5)
    state = after(state, A, Resolve("blue"))
    state = after(state, A, Resolve("green"))
    assert state.race.boats[0] == ("blue", "green")
    assert stacks(state) == {8: "pink"}
    assert GAME.view(state, None).choice == DiceChoice(2, 2)


def test_D6_fewer_dice_if_fewer_colours_are_left():
    generous = msgspec.structs.replace(MATERIAL, dice=(3, 4))
    assert GAME.view(moment(race(aboard="red orange"), material=generous), A).choice == DiceChoice(4, 4)
    state = moment(race(aboard="red orange yellow green blue"), material=generous)
    assert GAME.view(state, A).choice == DiceChoice(2, 1)


def test_R10_D7_the_white_die_may_be_added_from_the_games_second_turn_on():
    first = moment(race(), turn=1)
    assert GAME.view(first, A).choice == DiceChoice(3, None)
    assert told(refused(first, A, Roll(colours("red blue pink"), True))) == ("too-early", {"turn": 1, "from_turn": 2})
    assert not any(action.white for action in GAME.legal(first, A) if isinstance(action, Roll))
    roll = the(Rolled, decide(moment(race()), A, Roll(colours("red blue pink"), True), 1, 2, 3, 4))
    assert roll.white == 4


def test_R11_one_coloured_result_is_replaced_and_that_prisoner_goes_back_by_the_white_number():
    state = rolled(moment(race({5: "red", 9: "blue"})), "red blue pink", 1, 2, 3, 4, white=True)
    assert state.phase == Replacing(A, (Result("red", 1), Result("blue", 2), Result("pink", 3)), 4)
    state = after(state, A, Replace("blue"))
    assert state.phase == Resolving(A, (Result("red", 1), Result("blue", 4, back=True), Result("pink", 3)))
    state = after(state, A, Resolve("blue"))  # red cannot move any more, and pink is the last one
    assert stacks(state) == {3: "pink", 5: "red blue"}


def test_D8_which_one_is_replaced_is_said_after_the_roll_and_before_any_result_is_resolved():
    state = rolled(moment(race()), "red blue pink", 1, 2, 3, 4, white=True)
    assert list(GAME.legal(state, A)) == [Replace("red"), Replace("blue"), Replace("pink")]
    assert told(refused(state, A, Resolve("red"))) == ("wrong-phase", {"phase": "replace", "needs": "resolve"})
    assert told(refused(state, A, Replace("green"))) == (
        "not-rolled",
        {"colour": "green", "open": ("red", "blue", "pink")},
    )
    state = after(state, A, Replace("red"))
    assert told(refused(state, A, Replace("blue"))) == ("wrong-phase", {"phase": "resolve", "needs": "replace"})


def test_D8_after_boat_two_the_white_die_leaves_one_backward_move():
    state = moment(race({9: "pink"}, aboard="red orange yellow green"))
    events = decide(state, A, Roll(colours("pink"), True), 5, 3)
    assert [type(event) for event in events] == [Rolled, Replaced, Resolved, TurnBegun]
    assert stacks(GAME.fold(events, state)) == {6: "pink"}


def test_O2_late_white_second_sends_a_second_colour_back():
    state = moment(race({9: "pink", 12: "blue"}, aboard="red orange yellow green"), late_white="second")
    assert GAME.view(state, A).choice == DiceChoice(2, 1, second=True)
    state = rolled(state, "pink", 2, 4, white=True, second="blue")
    assert state.phase == Resolving(A, (Result("pink", 2), Result("blue", 4, back=True)))
    # blue jumps pink, on space 11 if pink has moved and on 9 otherwise: both times its four pips end on 7
    assert stacks(after(state, A, Resolve("pink"))) == {7: "blue", 11: "pink"}
    assert stacks(after(state, A, Resolve("blue"))) == {7: "blue", 11: "pink"}


def test_D9_the_second_colour_is_named_before_the_roll_and_differs_and_is_not_aboard_and_may_be_covered():
    late = moment(race({9: "violet pink"}, aboard="red orange yellow green"), late_white="second")
    assert told(refused(late, A, Roll(("pink",), True))) == ("needs-second", {})
    assert told(refused(late, A, Roll(("pink",), True, "pink"))) == ("same-second", {"colour": "pink"})
    assert told(refused(late, A, Roll(("pink",), True, "red"))) == ("aboard", {"colour": "red", "boat": 1})
    assert told(refused(late, A, Roll(("pink",), True, "white")))[0] == "no-colour"
    assert told(refused(late, A, Roll(colours("pink blue"), False, "violet"))) == ("no-second", {})
    covered = rolled(late, "pink", 3, 2, white=True, second="violet")
    assert covered.phase == Resolving(A, (Result("pink", 3), Result("violet", 2, back=True)))


def test_O2_second_applies_after_boat_two_only():
    early = moment(race(aboard="red orange"), late_white="second")
    assert GAME.view(early, A).choice == DiceChoice(2, 2)
    assert told(refused(early, A, Roll(colours("blue pink"), True, "green"))) == ("no-second", {})
    assert isinstance(rolled(early, "blue pink", 1, 2, 3, white=True).phase, Replacing)
    plain = moment(race(aboard="red orange yellow green"))
    assert told(refused(plain, A, Roll(("pink",), True, "blue"))) == ("no-second", {})


def test_R12_D10_results_are_resolved_in_any_order_one_after_the_other():
    ends = set()
    for order in permutations(colours("red blue pink")):
        state = rolled(moment(race({4: "red", 5: "blue", 7: "pink"})), "red blue pink", 1, 2, 1)
        expected = state.race
        for colour in order:
            expected = gone(expected, colour, {"red": 1, "blue": 2, "pink": 1}[colour])
        for colour in order:
            if isinstance(state.phase, Resolving) and colour in open_colours(state):
                state = after(state, A, Resolve(colour))
        assert state.race == expected
        ends.add(tuple(stacks(state).items()))
    assert len(ends) > 1


def test_a_result_is_resolved_once_and_only_if_it_was_rolled():
    state = after(rolled(moment(race()), "red blue pink", 1, 2, 3), A, Resolve("red"))
    assert told(refused(state, A, Resolve("red"))) == ("resolved", {"colour": "red"})
    assert told(refused(state, A, Resolve("green"))) == ("not-rolled", {"colour": "green", "open": ("blue", "pink")})


def test_D10_every_result_must_be_resolved_and_the_last_is_resolved_by_itself():
    state = rolled(moment(race()), "red blue pink", 1, 2, 3)
    assert refused(state, A, Roll(colours("red blue pink"))).code == "wrong-phase"
    state = after(state, A, Resolve("red"))
    events = decide(state, A, Resolve("blue"))
    assert [type(event) for event in events] == [Resolved, Resolved, TurnBegun]
    assert the(TurnBegun, events) == TurnBegun(3, B, NOW)


def test_D16_a_result_that_is_lost_in_any_order_is_resolved_automatically():
    stack = moment(race({4: "red blue pink", 9: "green"}))
    events = decide(stack, A, Roll(colours("blue green violet")), 5, 3, 2)  # pink has no die, so that blue stays
    assert [type(event) for event in events] == [Rolled, Resolved]
    assert the(Resolved, events) == Resolved("blue", Landing("covered", 4), NOW)
    assert open_colours(GAME.fold(events, stack)) == ["green", "violet"]
    freed = rolled(stack, "blue pink violet", 5, 3, 2)  # pink may go first
    assert open_colours(freed) == ["blue", "violet", "pink"]
    assert open_colours(after(freed, A, Resolve("violet"))) == ["blue", "pink"]


def test_D16_a_turn_in_which_nobody_can_move_is_over_with_the_roll():
    state = moment(race({4: "red blue orange green"}))
    events = decide(state, A, Roll(colours("red blue orange")), 5, 3, 2)
    assert [type(event) for event in events] == [Rolled, Resolved, Resolved, Resolved, TurnBegun]
    assert GAME.fold(events, state).race == state.race


def test_D16_a_prisoner_in_its_cell_who_would_go_back_stays_by_itself():
    state = after(rolled(moment(race({9: "blue"})), "red blue pink", 1, 2, 3, 4, white=True), A, Replace("red"))
    assert open_colours(state) == ["blue", "pink"]
    assert state.turns[-1].moves == (Move("red", 4, True, CELL, Landing("in-cell", CELL)),)


def test_D16_what_the_white_die_replaces_is_asked_only_where_it_makes_a_difference():
    stack = race({4: "red blue orange green", 9: "pink"})
    events = decide(moment(stack), A, Roll(colours("red blue orange"), True), 5, 3, 2, 6)
    assert [type(event) for event in events] == [Rolled, Replaced, Resolved, Resolved, Resolved, TurnBegun]
    assert the(Replaced, events).colour == "red"
    one_goes = decide(moment(stack), A, Roll(colours("red blue pink"), True), 5, 3, 2, 6)
    assert [type(event) for event in one_goes] == [Rolled]
    assert set(held(stack, ("red", "blue", "pink"))) == {"red", "blue", "orange"}
    assert held(stack, ("red", "blue", "orange", "green")) == ()


def test_a_result_that_the_first_rules_left_open_though_it_moves_nobody_is_resolved_when_it_is_asked_for():
    lost = (Result("red", 1), Result("blue", 2), Result("orange", 3))
    state = moment(race({4: "red blue orange green"}), Resolving(A, lost))
    assert list(GAME.legal(state, A)) == [Resolve("red"), Resolve("blue"), Resolve("orange")]
    events = decide(state, A, Resolve("blue"))
    assert [type(event) for event in events] == [Resolved, Resolved, Resolved, TurnBegun]


def test_R9_dice_of_blocked_prisoners_may_be_chosen_on_purpose():
    state = moment(race({4: "red blue pink"}))
    assert Roll(colours("red blue pink")) in list(GAME.legal(state, A))
    events = decide(state, A, Roll(colours("red blue green")), 5, 3, 2)
    fates = {one.colour: one.landing.fate for one in events if isinstance(one, Resolved)}
    assert fates == {"red": "covered", "blue": "covered", "green": "space"}


def test_R9_a_roll_names_each_colour_once_and_only_prisoners():
    state = moment(race(aboard="yellow"))
    assert told(refused(state, A, Roll(("red", "red", "blue")))) == ("twice", {"colour": "red"})
    assert told(refused(state, A, Roll(("red", "white", "blue")))) == ("no-colour", {"colours": COLOURS})
    assert told(refused(state, A, Roll(colours("red yellow blue")))) == ("aboard", {"colour": "yellow", "boat": 1})


def test_only_the_player_to_move_rolls_replaces_and_resolves():
    state = moment(race())
    assert told(refused(state, B, Roll(colours("red blue pink")))) == ("not-your-turn", {"turn": A})
    state = rolled(state, "red blue pink", 1, 2, 3, 4, white=True)
    assert told(refused(state, B, Replace("red"))) == ("not-your-turn", {"turn": A})
    state = after(state, A, Replace("red"))
    assert told(refused(state, B, Resolve("red"))) == ("not-your-turn", {"turn": A})
    assert list(GAME.legal(state, B)) == []
