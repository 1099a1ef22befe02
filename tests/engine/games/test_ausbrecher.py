"""Ausbrecher AG, mark by mark of its rule book, on moments as `races` builds them."""

from collections import Counter
from itertools import permutations
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import SEED_BYTES, Chance
from engine.contract import BrokenRecord, Delay, Delayed, Expire, Lapsed, Moment, Outcome, Refusal, Seat, write
from engine.games.ausbrecher import (
    CELL,
    COLOURS,
    GAME,
    AusbrecherAction,
    AusbrecherEvent,
    AusbrecherOptions,
    DiceChoice,
    Die,
    Forecast,
    ForecastGiven,
    Forecasting,
    GameBegun,
    GameEnded,
    Landing,
    LastBoarded,
    Material,
    Move,
    OpenResult,
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
    State,
    TurnBegun,
    TurnsRanOut,
    boarded,
    landing,
    moved,
    on_the_way,
    points,
    prisoner,
)
from tests.engine.games.races import (
    BEGAN,
    MATERIAL,
    NOW,
    PLAIN,
    A,
    B,
    C,
    after,
    begun,
    colours,
    decide,
    gone,
    moment,
    race,
    refused,
    the,
    throwing,
    told,
)
from tests.engine.playouts import play

OTHER = (4, 3, 3, 2, 2, 1, 1)


def rolled(state: State, words: str, *faces: int, white: bool = False, second: str | None = None) -> State:
    """The state after A rolled the dice of these colours, which show these faces."""
    return after(state, A, Roll(colours(words), white, second), *faces)


def stacks(state: State) -> dict[int, str]:
    """Who stands where: spaces that are not empty, the lowest first."""
    return {space: " ".join(stack) for space, stack in enumerate(state.race.spaces, start=1) if stack}


def open_colours(state: State) -> list[str]:
    assert isinstance(state.phase, Resolving)
    return [result.colour for result in state.phase.open]


# ------------------------------------------------------------------------------------------------------------- material


def test_R1_R4_seven_prisoners_of_seven_colours_start_one_in_each_cell():
    assert len(set(COLOURS)) == 7
    state = begun()
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
    assert GAME.view(begun(), None).length == 18
    assert GAME.view(begun(route="rope"), None).length == 9
    assert AusbrecherOptions().route == "path"


def test_R3_boats_one_to_three_hold_two_prisoners_and_boat_four_one():
    assert begun().race.holds == (2, 2, 2, 1)
    assert GAME.view(begun(), None).race.holds == (2, 2, 2, 1)


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
def test_two_to_six_play(seats: int):
    with pytest.raises(ValueError, match="2 to 6"):
        GAME.setup(seats, AusbrecherOptions(), MATERIAL, BEGAN, throwing())


# ------------------------------------------------------------------------------------------------------------- forecast


def test_R5_everyone_bets_before_the_first_roll_all_at_the_same_time():
    state = begun(3)
    assert GAME.view(state, None).waiting == (A, B, C)
    assert told(refused(state, A, Roll(colours("red blue pink")))) == (
        "wrong-phase",
        {"phase": "forecast", "needs": "roll"},
    )
    state = after(state, B, Forecast(PLAIN))
    assert GAME.view(state, None).waiting == (A, C)
    assert GAME.view(state, None).given == (B,)


def test_R5_two_prisoners_are_bet_on_each_boat_and_one_on_the_last():
    state = begun()
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
    forecasts = list(GAME.legal(begun(), A))
    assert len(set(forecasts)) == len(forecasts) == 630
    assert {tuple(sorted(forecast.boats)) for forecast in forecasts if isinstance(forecast, Forecast)} == {PLAIN}


def test_R5_nobody_sees_the_forecast_of_another_before_the_end():
    state = after(begun(), A, Forecast(PLAIN))
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
    state = after(begun(3), A, Forecast(PLAIN))
    changed = after(state, A, Forecast(OTHER))
    assert changed.forecasts[A] == OTHER
    state = after(after(changed, B, Forecast(PLAIN)), C, Forecast(PLAIN))
    assert told(refused(state, A, Forecast(PLAIN))) == ("wrong-phase", {"phase": "roll", "needs": "forecast"})


def test_a_changed_forecast_shows_nowhere_but_to_its_owner():
    state = after(begun(3), A, Forecast(PLAIN))
    changed = after(state, A, Forecast(OTHER))
    for reader in (None, B, C):
        assert write(GAME.view(state, reader)) == write(GAME.view(changed, reader))
    assert GAME.view(state, A).stamp == GAME.view(changed, A).stamp


# --------------------------------------------------------------------------------------------------------------- a turn


def test_D5_the_highest_throw_begins():
    state = after(begun(), A, Forecast(PLAIN))
    events = decide(state, B, Forecast(OTHER), 2, 5)
    assert events == [
        ForecastGiven(B, OTHER),
        StarterThrown(((2, 5),), B),
        TurnBegun(1, B, NOW),
    ]
    view = GAME.view(GAME.fold(events, state), None)
    assert (view.turn, view.turn_number, view.throws, view.waiting) == (B, 1, ((2, 5),), (B,))


def test_D5_in_a_lot_only_those_who_tied_throw_again():
    state = after(after(begun(3), A, Forecast(PLAIN)), B, Forecast(PLAIN))
    thrown = the(StarterThrown, decide(state, C, Forecast(PLAIN), 6, 2, 6, 3, 3, 1, 4))
    assert thrown == StarterThrown(((6, 2, 6), (3, None, 3), (1, None, 4)), C)


def test_R7_turns_go_clockwise():
    state = moment(race(), Rolling(B), seats=3)
    for seat in (B, C, A, B):
        assert GAME.view(state, None).turn == seat
        state = after(state, seat, Roll(colours("red blue pink")), 1, 1, 1)
        for colour in open_colours(state)[:-1]:
            state = after(state, seat, Resolve(colour))


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
    state = after(state, A, Resolve("blue"))
    assert stacks(state) == {5: "red blue"}


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
    # blue jumps pink, on space 11 if pink has moved and on 9 if not: both times its four pips end on 7
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
    for order in permutations(colours("red blue pink")):
        state = rolled(moment(race({4: "red", 5: "blue", 7: "pink"})), "red blue pink", 1, 2, 1)
        expected = state.race
        for colour in order:
            expected = gone(expected, colour, {"red": 1, "blue": 2, "pink": 1}[colour])
        state = after(state, A, Resolve(order[0]))
        assert set(open_colours(state)) == set(order[1:])
        events = decide(state, A, Resolve(order[1]))
        assert GAME.fold(events, state).race == expected


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


def test_R9_dice_of_blocked_prisoners_may_be_chosen_on_purpose():
    state = moment(race({4: "red blue pink"}))
    assert Roll(colours("red blue pink")) in list(GAME.legal(state, A))
    state = rolled(state, "red blue green", 5, 3, 2)
    assert {result.landing.fate for result in GAME.view(state, A).results if result.colour != "green"} == {"covered"}


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


# ------------------------------------------------------------------------------------------------------------- movement


@pytest.mark.parametrize(
    ("start", "pips", "others", "end"),
    [
        (0, 1, {}, 1),
        (0, 6, {}, 6),
        (3, 4, {}, 7),
        (3, 1, {4: "blue"}, 4),  # R14 a roll of 1 may not jump
        (3, 2, {4: "blue"}, 6),  # the first pip jumps, the last goes to the very next space
        (3, 2, {5: "blue"}, 5),  # the last pip lands on top
        (3, 2, {4: "blue", 6: "pink"}, 6),
        (3, 3, {4: "blue", 5: "pink"}, 8),  # two in a row are one jump
        (3, 3, {4: "blue", 6: "pink", 7: "green"}, 9),
        (3, 3, {6: "blue pink"}, 6),
        (0, 2, {1: "blue", 3: "pink"}, 3),
    ],
)
def test_R13_R14_n_pips_are_n_minus_one_to_the_next_empty_space_then_one_to_the_very_next(
    start: int, pips: int, others: dict[int, str], end: int
):
    before = race({**others, **({start: "red"} if start else {})})
    there = landing(before, "red", pips, back=False)
    assert (there.fate, there.space) == ("space", end)
    after_it = prisoner(gone(before, "red", pips), "red")
    assert (after_it.space, after_it.covered) == (end, False)
    assert after_it.height == len(others.get(end, "").split())
    assert there.onto == (colours(others[end])[-1] if end in others else None)


@pytest.mark.parametrize(
    ("start", "pips", "others", "end"),
    [
        (9, 1, {}, 8),
        (9, 6, {}, 3),
        (9, 1, {8: "blue"}, 8),
        (9, 2, {8: "blue"}, 6),
        (9, 2, {7: "blue"}, 7),
        (9, 3, {8: "blue", 7: "pink"}, 4),
        (9, 3, {8: "blue", 6: "pink", 5: "green"}, 3),
        (2, 1, {1: "blue"}, 1),
        (18, 2, {17: "blue green", 15: "pink"}, 15),
    ],
)
def test_R16_backward_moves_work_the_same_way_mirrored(start: int, pips: int, others: dict[int, str], end: int):
    before = race({**others, start: "red"})
    there = landing(before, "red", pips, back=True)
    assert (there.fate, there.space) == ("space", end)
    assert prisoner(gone(before, "red", pips, back=True), "red").height == len(others.get(end, "").split())


def test_the_trail_names_the_space_of_each_pip():
    before = race({3: "red", 4: "blue", 6: "pink", 7: "green"})
    assert landing(before, "red", 3, back=False) == Landing("space", 9, trail=(5, 8, 9))
    assert landing(before, "green", 3, back=True) == Landing("space", 1, trail=(5, 2, 1))
    assert landing(before, "red", 1, back=False) == Landing("space", 4, onto="blue", trail=(4,))


def test_R15_a_covered_prisoner_cannot_move_and_only_the_top_one_of_a_stack_can():
    before = race({5: "red blue pink"})
    for back in (False, True):
        assert landing(before, "red", 3, back) == Landing("covered", 5)
        assert landing(before, "blue", 3, back) == Landing("covered", 5)
        assert landing(before, "pink", 3, back).fate == "space"
    uncovered = gone(before, "pink", 3)
    assert landing(uncovered, "blue", 1, back=False) == Landing("space", 6, trail=(6,))
    assert landing(uncovered, "red", 1, back=False).fate == "covered"


def test_D11_a_result_for_a_covered_prisoner_is_lost_when_it_is_resolved():
    state = rolled(moment(race({5: "red", 3: "blue"})), "red blue pink", 4, 2, 1)
    blocked = after(after(state, A, Resolve("blue")), A, Resolve("red"))  # blue on top of red
    assert stacks(blocked) == {1: "pink", 5: "red blue"}
    assert blocked.turns[-2].moves[1] == Move("red", 4, False, 5, Landing("covered", 5))
    free = after(after(state, A, Resolve("red")), A, Resolve("blue"))
    assert stacks(free) == {1: "pink", 5: "blue", 9: "red"}


def test_whether_a_result_is_lost_is_found_when_it_is_resolved_and_not_before():
    state = rolled(moment(race({5: "red blue"})), "red blue pink", 4, 2, 1)
    assert {one.colour: one.landing.fate for one in GAME.view(state, A).results}["red"] == "covered"
    state = after(state, A, Resolve("blue"))
    red = next(one for one in GAME.view(state, A).results if one.colour == "red")
    assert red == OpenResult("red", 4, False, False, Landing("space", 10, trail=(6, 8, 9, 10)))


@pytest.mark.parametrize(("start", "pips"), [(1, 1), (1, 6), (2, 2), (2, 5), (5, 6)])
def test_R17_D12_never_further_back_than_the_cells_and_the_rest_of_the_roll_is_void(start: int, pips: int):
    before = race({start: "red"})
    there = landing(before, "red", pips, back=True)
    assert (there.fate, there.space) == ("cell", CELL)
    assert there.trail == tuple(range(start - 1, -1, -1))
    assert gone(before, "red", pips, back=True).cells == COLOURS


def test_D12_nobody_is_covered_in_a_cell_and_a_prisoner_there_does_not_move_backward():
    before = race({1: "red"})
    back_in = gone(before, "red", 1, back=True)
    assert not any(prisoner(back_in, colour).covered for colour in COLOURS)
    assert landing(back_in, "red", 4, back=True) == Landing("in-cell", CELL)
    assert gone(back_in, "red", 4, back=True) == back_in


def test_D12_backward_with_no_empty_space_left_the_prisoner_is_in_a_cell():
    before = race({1: "blue", 2: "pink", 3: "red"})
    assert landing(before, "red", 2, back=True) == Landing("cell", CELL, trail=(0,))
    assert landing(before, "red", 1, back=True) == Landing("space", 2, onto="pink", trail=(2,))


@pytest.mark.parametrize(
    ("start", "pips", "others", "boards"),
    [
        (18, 1, {}, True),
        (18, 6, {}, True),
        (17, 1, {}, False),  # R18 the last space must be passed
        (17, 2, {}, True),
        (13, 5, {}, False),
        (13, 6, {}, True),
        (16, 2, {17: "blue"}, True),  # 17 is jumped to 18, the last pip goes beyond
        (16, 2, {17: "blue", 18: "pink"}, True),  # no empty space is left
        (16, 3, {17: "blue", 18: "pink"}, True),  # and the rest of the roll is void
        (17, 1, {18: "blue"}, False),
    ],
)
def test_R18_D13_no_exact_number_is_needed_but_a_pip_must_go_beyond_the_last_space(
    start: int, pips: int, others: dict[int, str], boards: bool
):
    there = landing(race({**others, start: "red"}), "red", pips, back=False)
    assert (there.fate == "boat") == boards
    assert there.boat == (1 if boards else None)


def test_landing_asks_for_somebody_who_is_not_aboard():
    with pytest.raises(ValueError, match="aboard"):
        landing(race(aboard="red"), "red", 1, back=False)


# ---------------------------------------------------------------------------------------------------------------- boats


def test_R19_arrivals_fill_boat_one_then_two_then_three():
    full = boarded(race(), COLOURS)
    assert full.boats == (("red", "orange"), ("yellow", "green"), ("blue", "violet"), ("pink",))
    for count in range(6):
        aboard = " ".join(COLOURS[:count])
        assert landing(race({18: "pink"}, aboard=aboard), "pink", 1, back=False).boat == count // 2 + 1


def test_R20_when_six_are_aboard_the_seventh_goes_to_boat_four_at_once_and_the_game_ends():
    state = moment(race({18: "violet", 3: "pink"}, aboard="red orange yellow green blue"))
    state = rolled(state, "violet pink", 1, 6)
    events = decide(state, A, Resolve("violet"))
    assert [type(event) for event in events] == [Resolved, LastBoarded, GameEnded]  # D10: the rest is void
    over = GAME.fold(events, state)
    assert over.race.boats == (("red", "orange"), ("yellow", "green"), ("blue", "violet"), ("pink",))
    assert over.phase == Over("boats")
    assert GAME.view(over, None).carried == ("pink",)
    assert GAME.outcome(over) == Outcome((1, 1), (16, 16), "boats")


def test_the_seventh_goes_to_boat_four_also_from_under_another_or_from_a_cell():
    for stacked in ({18: "pink violet"}, {18: "violet"}):
        state = moment(race(stacked, aboard="red orange yellow green blue"))
        over = after(rolled(state, "violet pink", 1, 6), A, Resolve("violet"))
        assert over.race.boats[3] == ("pink",)
        assert on_the_way(over.race) == ()


# ---------------------------------------------------------------------------------------------------------------- score


def test_R21_R6_a_correct_boat_scores_its_number_and_the_order_in_a_boat_does_not_matter():
    ended = race(aboard="orange red blue green yellow violet pink")
    assert points(ended, PLAIN) == (1, 1, 0, 2, 0, 3, 4)
    assert points(race(aboard="blue"), PLAIN) == (None, None, None, None, 0, None, None)


def test_R22_D14_most_points_win_and_ties_share():
    ended = race(aboard="red orange yellow green blue violet pink")
    half = (2, 1, 1, 2, 3, 3, 4)
    state = moment(ended, Over("boats"), forecasts=(half, PLAIN, OTHER, half))
    assert GAME.outcome(state) == Outcome((2, 1, 4, 2), (13, 16, 2, 13), "boats")
    assert GAME.outcome(moment(race())) is None


# ---------------------------------------------------------------------------------------------------------- small print


@pytest.mark.parametrize(("seats", "limit"), [(2, 50), (3, 75), (4, 100), (5, 100), (6, 100)])
def test_D15_after_25_turns_a_player_or_100_in_all_everyone_boards(seats: int, limit: int):
    early = moment(race({4: "red"}), turn=limit - 1, seats=seats)
    assert GAME.view(early, None).turns_left == 2
    state = rolled(early, "red blue pink", 1, 2, 3)
    assert isinstance(after(after(state, A, Resolve("red")), A, Resolve("blue")).phase, Rolling)
    state = rolled(moment(race({4: "red"}), turn=limit, seats=seats), "red blue pink", 1, 2, 3)
    assert GAME.view(state, None).turns_left == 1
    events = decide(after(state, A, Resolve("red")), A, Resolve("blue"))
    assert [type(event) for event in events] == [Resolved, Resolved, TurnsRanOut, GameEnded]
    assert GAME.view(begun(seats), None).turns_left == limit


def test_D15_at_the_limit_they_board_by_position_in_a_stack_the_upper_first_and_in_the_cells_by_lot():
    state = moment(race({2: "red", 9: "blue pink green", 12: "violet"}, aboard="orange"), turn=50)
    state = rolled(state, "red yellow blue", 1, 1, 2)
    state = after(state, A, Resolve("red"))
    events = decide(state, A, Resolve("yellow"))
    assert the(TurnsRanOut, events).order == colours("violet green pink blue red yellow")
    over = GAME.fold(events, state)
    assert over.race.boats[0] == ("orange", "violet")
    assert over.phase == Over("turns")
    assert GAME.view(over, None).reason == "turns"


def test_D15_in_the_cells_the_lot_decides():
    state = moment(race({5: "red", 4: "blue"}, aboard=""), turn=50)
    state = rolled(state, "red blue pink", 1, 1, 1)
    orders = set()
    for seed in range(60):
        chance = Chance(seed.to_bytes(SEED_BYTES, "big"), "lot", 0)
        events = GAME.decide(after(state, A, Resolve("red")), A, Resolve("blue"), NOW, chance)
        order = the(TurnsRanOut, events).order
        assert order[:3] == colours("red blue pink")
        orders.add(order[3:])
    assert len(orders) > 15
    assert {order[0] for order in orders} == set(colours("orange yellow green violet"))


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


def test_a_turn_is_told_with_its_dice_and_moves():
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


def test_all_who_still_bet_have_one_clock_and_chance_bets_for_those_who_let_it_pass():
    state = after(begun(3), B, Forecast(PLAIN))
    (deadline,) = GAME.deadlines(state)
    assert (deadline.seats, deadline.due, deadline.default, deadline.kind) == ((A, C), LATE, None, "turn")
    events = GAME.decide(state, None, Expire(deadline.id), LATE, throwing())
    assert [type(event) for event in events] == [
        Lapsed,
        ForecastGiven,
        Lapsed,
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
    state = begun(6)
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
        assert events[0] == Lapsed(A, deadline.id)
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
    later = after(state, None, Delay(5_000))
    assert decide(state, None, Delay(5_000)) == [Delayed(5_000)]
    assert GAME.deadlines(later)[0].due == GAME.deadlines(state)[0].due + 5_000
    assert told(refused(state, None, Delay(0))) == ("no-delay", {"by_ms": 0})


def test_the_clock_belongs_to_the_house_and_the_game_to_those_who_sit_at_it():
    state = moment(race())
    assert refused(state, A, Expire("roll-0")).code == "clock-only"
    assert refused(state, A, Delay(1)).code == "clock-only"
    assert refused(state, None, Roll(colours("red blue pink"))).code == "not-seated"
    assert refused(state, Seat(2), Roll(colours("red blue pink"))).code == "not-seated"
    assert refused(state, Seat(-1), Roll(colours("red blue pink"))).code == "not-seated"
    ended = moment(race(aboard=" ".join(COLOURS)), Over("boats"))
    assert told(refused(ended, A, Roll(colours("red blue pink")))) == ("over", {"reason": "boats"})


# --------------------------------------------------------------------------------------------------------------- record


def test_a_record_that_does_not_fit_the_game_is_broken():
    first = GameBegun(MATERIAL, AusbrecherOptions(), 2, BEGAN)
    roll = Rolled((Die("red", 1),), None, None, NOW)
    broken: list[list[AusbrecherEvent]] = [
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
    st.builds(Delay, st.integers()),
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
    """All seven are somewhere, once; boats are filled in order; the phase is what the race allows."""
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
        assert [GAME.read_event(write(event)) for event in playout.events] == playout.events
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
                seat = GAME.view(state, None).waiting[0]
                legal = list(GAME.legal(state, seat))
                state = GAME.fold(GAME.decide(state, seat, legal[(7 * step + seed) % len(legal)], NOW, chance), state)
                assert_sound(state)
            assert GAME.outcome(state) is not None
