"""Breakout: the Rope Wall, mark by mark: which links there are, and whose they are."""

import msgspec
import pytest

from engine.contract import (
    Outcome,
    Seat,
)
from engine.games.rope_wall import (
    GAME,
    ChooseExits,
    Escaped,
    GameEnded,
    Pushed,
    RopeWallOptions,
    RoundBegun,
    RoundWon,
)
from engine.games.rope_wall.ropes import grid
from engine.games.rope_wall.state import Choosing, Pushing
from tests.engine.games.rope_wall_positions import (
    BEGAN,
    CHANCE,
    L_MISSING,
    MATERIAL,
    TWO_ROPES,
    A,
    B,
    decide,
    drawn,
    picture,
    push,
    state,
    walked_ends,
)
from tools.harness.playouts import kinds, the

# ---------------------------------------------------------------------------------------------------------------- links

# One picture per case: the columns, from 1, at which a rope of A ends. An empty tuple is no link.
SHAPES = [
    (
        "a straight column is no link",
        """
        . . A . .
        . . A . .
        . . A . .
        . . A . .
        . . A . .
        """,
        (),
    ),
    (
        "a stub beside a straight column is no angle",
        """
        . . A . .
        . . A . .
        . . A A .
        . . A . .
        . . A . .
        """,
        (),
    ),
    (
        "a branch that stands on the lowest floor is another foot",
        """
        . . A . .
        . . A . .
        . . A A A
        . . A . A
        . . A . A
        """,
        (3,),
    ),
    (
        "a long stub that stands on nothing",
        """
        . . A . .
        . . A A A
        . . A . A
        . . A . A
        . . A . .
        """,
        (),
    ),
    (
        "an L at the bottom",
        """
        . . A . .
        . . A . .
        . . A . .
        . . A . .
        . . A A .
        """,
        (3,),
    ),
    (
        "an L at the top ends beside the column, not above it",
        """
        . . A A .
        . . A . .
        . . A . .
        . . A . .
        . . A . .
        """,
        (4,),
    ),
    (
        "an L at the top to both sides",
        """
        . A A A .
        . . A . .
        . . A . .
        . . A . .
        . . A . .
        """,
        (2, 4),
    ),
    (
        "a step half way",
        """
        . . . A .
        . . . A .
        . . A A .
        . . A . .
        . . A . .
        """,
        (4,),
    ),
    (
        "diagonal neighbours are not joined",
        """
        . . . A .
        . . . A .
        . . . A .
        . . A . .
        . . A . .
        """,
        (),
    ),
    (
        "a column with a detour beside it",
        """
        . . A . .
        . . A A .
        . . A A .
        . . A . .
        . . A . .
        """,
        (3,),
    ),
    (
        "a wide detour beside a whole column",
        """
        A . . . .
        A A A . .
        A . A . .
        A A A . .
        A . . . .
        """,
        (1,),
    ),
    (
        "two stubs that do not meet are no detour",
        """
        . . A . .
        . . A A .
        . . A . .
        . . A A .
        . . A . .
        """,
        (),
    ),
    (
        "two stubs on different sides are no detour",
        """
        . . A . .
        . A A . .
        . . A A .
        . . A . .
        . . A . .
        """,
        (),
    ),
    (
        "a rope that goes down again on its way",
        """
        . . . . A
        A A A . A
        A . A . A
        A . A A A
        A . . . .
        """,
        (5,),
    ),
    (
        "a rope along the top floor may end anywhere on it",
        """
        . A A A A
        . A . . .
        A A . . .
        A . . . .
        A . . . .
        """,
        (2, 3, 4, 5),
    ),
    (
        "two columns that lean on each other",
        """
        A A . . .
        A A . . .
        A A . . .
        A A . . .
        A A . . .
        """,
        (1, 2),
    ),
    (
        "a rope of two colours is none",
        """
        . . A . .
        . . A . .
        . B A . .
        . A . . .
        . A . . .
        """,
        (),
    ),
    (
        "a rope that does not reach the top",
        """
        . . . . .
        . A A . .
        . A . . .
        . A . . .
        . A . . .
        """,
        (),
    ),
]


@pytest.mark.parametrize(("name", "wall", "columns"), SHAPES, ids=[shape[0] for shape in SHAPES])
def test_R10_R11_R12_D4_a_link_is_a_path_of_one_colour_from_bottom_to_top_with_an_angle(
    name: str, wall: str, columns: tuple[int, ...]
):
    shape = grid(5, 5)
    assert tuple(end + 1 for end in shape.ends(shape.knots(drawn(wall), A))) == columns
    assert walked_ends(drawn(wall), A) == columns


def test_R13_R14_the_first_valid_link_wins_the_round_and_its_exit_is_closed():
    events, then = push(state(L_MISSING), 5, "right")
    assert kinds(events) == [Pushed, RoundWon, Escaped, RoundBegun]
    assert the(Escaped, events).columns == (5,)
    assert then.exits == (None, None, None, None, A)
    assert GAME.view(then, None).freed == (1, 0)


def test_R20_between_rounds_all_knots_go_back_and_prisoners_stay():
    _, then = push(state(L_MISSING, exits="A B . . .", cancelled=2), 5, "right")
    assert picture(then.wall) == [". . . . ."] * 5
    assert GAME.view(then, None).hands == (13, 13)
    assert then.exits == (A, B, None, None, A)
    assert (then.round, then.pushes, then.full_turns_left, then.cancelled) == (2, 0, None, 0)


def test_R19_the_loser_of_a_round_starts_the_next():
    events, then = push(state(L_MISSING, starter=B), 5, "right")
    assert the(RoundBegun, events).starter == B
    assert then.phase == Pushing(B)


def test_the_wall_and_the_ropes_of_a_won_round_stay_in_sight_until_the_next_push():
    _, then = push(state(L_MISSING), 5, "right")
    view = GAME.view(then, None)
    assert view.ropes == (((1, 4), (1, 5), (2, 5), (3, 5), (4, 5), (5, 5)),)
    assert view.last_wall is not None
    assert picture(view.last_wall)[0] == ". . . . A"
    _, later = push(then, 1, "left")
    assert (GAME.view(later, None).ropes, GAME.view(later, None).last_wall) == ((), None)


def test_R14_a_closed_exit_wins_nothing():
    events, then = push(state(L_MISSING, exits=". . . . B"), 5, "right")
    assert kinds(events) == [Pushed]
    assert then.wall[4][4] == A


def test_D6_a_rope_may_run_under_closed_exits_if_only_its_last_knot_lies_under_an_open_one():
    start = state(
        """
        . A . . .
        A . . . .
        A . . . .
        A . . . .
        A B . . .
        """,
        exits="B . . . .",
    )
    events, then = push(start, 5, "left")
    assert the(Escaped, events).columns == (2,)
    assert then.exits == (B, A, None, None, None)


def test_D6_cells_under_closed_exits_stay_usable():
    _, then = push(state(exits="B B B B ."), 5, "left")
    assert then.wall[4] == (A, None, None, None, None)


def test_a_rope_that_the_new_knot_is_no_part_of_is_completed_by_the_push_too():
    start = state(
        """
        . A . . .
        . A . . .
        A . . . .
        . A . . .
        . A A . .
        """
    )
    events, _ = push(start, 3, "left")
    assert the(RoundWon, events).ropes == (((1, 3), (1, 2), (2, 2), (3, 2), (4, 2), (5, 2)),)


# ----------------------------------------------------------------------------------------------------- whose link it is

BOTH_COMPLETE = """
    . A B . .
    . A B . .
    A B . . .
    . A B . .
    A A B B .
"""


@pytest.mark.parametrize(("pusher", "column"), [(A, 2), (B, 3)])
def test_R16_a_knot_that_completes_links_of_both_colours_wins_for_who_laid_it(pusher: Seat, column: int):
    start = state(BOTH_COMPLETE, turn=pusher)
    events, then = push(start, 3, "left")
    wall = GAME.fold(events[:1], start).wall
    assert (walked_ends(wall, A), walked_ends(wall, B)) == ((2,), (3,))
    assert the(RoundWon, events).seat == pusher
    assert the(Escaped, events).columns == (column,)
    assert then.phase == Pushing(Seat(1 - pusher))


def test_a_link_to_a_closed_exit_does_not_count_against_the_opponents():
    events, _ = push(state(BOTH_COMPLETE, turn=A, exits=". B . . ."), 3, "left")
    assert the(RoundWon, events).seat == B


def test_D7_a_knot_that_completes_only_the_opponents_link_wins_for_the_opponent():
    start = state(
        """
        . A . . .
        . A . . .
        A . . . .
        . A . . .
        . A A . .
        """,
        turn=B,
    )
    events, then = push(start, 3, "left")
    assert the(RoundWon, events).seat == A
    assert then.exits[1] == A
    assert then.phase == Pushing(B)  # R19: the loser of the round starts the next


def test_R17_two_links_of_ones_own_at_once_win_two_rounds():
    events, then = push(state(TWO_ROPES), 3, "left")
    assert kinds(events) == [Pushed, RoundWon, Escaped, RoundBegun]
    assert the(Escaped, events).columns == (2, 4)
    first, second = the(Escaped, events).ropes
    assert not set(first) & set(second)
    assert then.exits == (None, A, None, A, None)
    assert GAME.view(then, None).freed == (2, 0)
    assert then.phase == Pushing(B)


def test_R22_a_double_with_the_second_and_third_prisoner_wins_the_game():
    events, then = push(state(TWO_ROPES, exits="A . . . ."), 3, "left")
    assert kinds(events) == [Pushed, RoundWon, Escaped, GameEnded]
    assert GAME.outcome(then) == Outcome((1, 2), (3, 0), "prisoners")


def test_D8_two_ropes_of_which_one_ends_at_a_closed_exit_are_one_link():
    events, _ = push(state(TWO_ROPES, exits=". . . B ."), 3, "left")
    assert the(Escaped, events).columns == (2,)


FORK = """
    . A . A .
    . A . A .
    A A A A .
    . . . . .
    A . . . .
"""
"""A push into the second floor from the left joins it to the ground."""


def test_D8_a_fork_with_two_climbs_of_its_own_to_two_open_exits_frees_two_prisoners():
    events, then = push(state(FORK), 2, "left")
    assert the(RoundWon, events).choices == ((2, 4),)
    first, second = the(Escaped, events).ropes
    assert set(first) & set(second) and first[-2:] == ((4, 2), (5, 2)) and second[-2:] == ((4, 4), (5, 4))
    assert then.exits == (None, A, None, A, None) and GAME.view(then, None).freed == (2, 0)


def test_D8_the_winner_chooses_two_of_three_climbs():
    start = state(
        """
        . A . A A
        . A . A A
        A A A A A
        . . . . .
        A . . . .
        """
    )
    events, then = push(start, 2, "left")
    assert the(RoundWon, events).choices == ((2, 4), (2, 5), (4, 5))
    events = decide(then, A, ChooseExits((4, 5)))
    assert [rope[-2:] for rope in the(Escaped, events).ropes] == [((4, 4), (5, 4)), ((4, 5), (5, 5))]


def test_D8_running_along_the_top_floor_to_a_second_exit_is_no_second_link():
    events, then = push(state(FORK.replace(". A . A .", ". A A A .", 1).replace(". A . A .", ". A . . .")), 2, "left")
    assert the(RoundWon, events).choices == ((2,), (3,), (4,))
    assert isinstance(then.phase, Choosing)


def test_O2_with_ropes_apart_ropes_that_share_a_knot_are_one_link():
    events, then = push(state(FORK, options=RopeWallOptions(doubles="apart")), 2, "left")
    assert the(RoundWon, events).choices == ((2,), (4,))
    assert isinstance(then.phase, Choosing)


def test_O2_a_game_older_than_the_option_wants_ropes_apart():
    stored = msgspec.to_builtins(GAME.setup(2, RopeWallOptions(interludes="off"), MATERIAL, BEGAN, CHANCE)[0])
    stored["options"] = {"clock": 0, "interludes": "off"}
    before = GAME.fold([GAME.read_event(msgspec.json.encode(stored))])
    events, _ = push(msgspec.structs.replace(state(FORK), options=before.options), 2, "left")
    assert the(RoundWon, events).choices == ((2,), (4,))


def test_D9_a_knot_that_completes_two_links_of_the_opponent_frees_one_prisoner():
    events, then = push(state(TWO_ROPES, turn=B), 3, "left")
    assert kinds(events) == [Pushed, RoundWon]
    assert then.phase == Choosing(A, ((2,), (4,)))
    done = GAME.fold(decide(then, A, ChooseExits((4,))), then)
    assert done.exits == (None, None, None, A, None)
    assert done.phase == Pushing(B)


def test_D13_the_game_ends_at_the_third_prisoner_also_in_the_middle_of_a_double():
    events, then = push(state(TWO_ROPES, exits="A . . . A"), 3, "left")
    assert then.phase == Choosing(A, ((2,), (4,)))  # and the last exit is chosen too
    events = decide(then, A, ChooseExits((2,)))
    assert kinds(events) == [Escaped, GameEnded]
    assert GAME.outcome(GAME.fold(events, then)) == Outcome((1, 2), (3, 0), "prisoners")
