"""Ausbrecher AG, mark by mark: how prisoners move and board, scoring, and clarifications."""

import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import Outcome
from engine.games.ausbrecher import (
    CELL,
    COLOURS,
    GAME,
    GameEnded,
    Landing,
    LastBoarded,
    Move,
    OpenResult,
    Over,
    Resolve,
    Resolved,
    Rolling,
    TurnsRanOut,
    boarded,
    landing,
    on_the_way,
    points,
    prisoner,
)
from tests.engine.games.ausbrecher_positions import (
    NOW,
    OTHER,
    PLAIN,
    A,
    after,
    colours,
    decide,
    gone,
    moment,
    new_game,
    race,
    rolled,
    stacks,
)
from tools.harness.playouts import the

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
    blocked = after(state, A, Resolve("blue"))  # on top of red
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


def test_landing_requires_a_prisoner_who_is_not_aboard():
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


@pytest.mark.parametrize(("seats", "limit"), [(2, 70), (3, 75), (4, 100), (5, 100), (6, 100)])
def test_D15_after_25_turns_a_player_35_for_two_or_100_in_all_everyone_boards(seats: int, limit: int):
    early = moment(race({4: "red"}), turn=limit - 1, seats=seats)
    assert GAME.view(early, None).turns_left == 2
    state = rolled(early, "red blue pink", 1, 2, 3)
    assert isinstance(after(after(state, A, Resolve("red")), A, Resolve("blue")).phase, Rolling)
    state = rolled(moment(race({4: "red"}), turn=limit, seats=seats), "red blue pink", 1, 2, 3)
    assert GAME.view(state, None).turns_left == 1
    events = decide(after(state, A, Resolve("red")), A, Resolve("blue"))
    assert [type(event) for event in events] == [Resolved, Resolved, TurnsRanOut, GameEnded]
    assert GAME.view(new_game(seats), None).turns_left == limit


def test_D15_at_the_limit_they_board_by_position_in_a_stack_the_upper_first_and_in_the_cells_by_lot():
    state = moment(race({2: "red", 9: "blue pink green", 12: "violet"}, aboard="orange"), turn=70)
    state = rolled(state, "red yellow blue", 1, 1, 2)  # blue is covered
    events = decide(state, A, Resolve("red"))
    assert the(TurnsRanOut, events).order == colours("violet green pink blue red yellow")
    over = GAME.fold(events, state)
    assert over.race.boats[0] == ("orange", "violet")
    assert over.phase == Over("turns")
    assert GAME.view(over, None).reason == "turns"


def test_D15_in_the_cells_chance_decides():
    state = moment(race({5: "red", 4: "blue"}, aboard=""), turn=70)
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
