"""Breakout: the Rope Wall, mark by mark of its rule book, on walls as `walls` draws them."""

from typing import Any

import msgspec
import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import (
    BrokenRecord,
    Delay,
    Delayed,
    Expire,
    Lapsed,
    Moment,
    Outcome,
    Seat,
    write,
)
from engine.games.rope_wall import (
    GAME,
    ChooseExits,
    Escaped,
    GameBegun,
    GameEnded,
    Material,
    Opening,
    Push,
    Pushed,
    Resign,
    Resigned,
    RopeWallAction,
    RopeWallEvent,
    RopeWallOptions,
    RoundBegun,
    RoundCancelled,
    RoundWon,
    Side,
    Skipped,
    State,
)
from engine.games.rope_wall.ropes import grid
from engine.games.rope_wall.state import Choosing, Over, Pushing
from tests.engine.games.walls import (
    BEGAN,
    CHANCE,
    MATERIAL,
    NOW,
    A,
    B,
    begun,
    decide,
    drawn,
    kinds,
    picture,
    push,
    refused,
    state,
    the,
    walked_ends,
)

# -------------------------------------------------------------------------------------------------------- the beginning


def test_R1_the_wall_has_five_floors_and_five_columns():
    view = GAME.view(begun(), None)
    assert (view.floors, view.columns) == (5, 5)
    assert picture(view.wall) == [". . . . ."] * 5


def test_R2_there_are_26_knots_13_a_player():
    assert GAME.view(begun(), None).hands == (13, 13)


def test_R18_the_first_starter_is_drawn_by_lot():
    starters = [the(GameBegun, GAME.setup(2, RopeWallOptions(), MATERIAL, BEGAN, chance)).starter for chance in lots()]
    assert 60 < starters.count(A) < 140
    assert [begun(seed).phase for seed in range(200)] == [Pushing(starter) for starter in starters]


def lots() -> list[Chance]:
    return [Chance(seed.to_bytes(SEED_BYTES, "big"), "wall", 0) for seed in range(200)]


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_only_two_play_at_the_wall(seats: int):
    with pytest.raises(ValueError, match="two play"):
        GAME.setup(seats, RopeWallOptions(), MATERIAL, BEGAN, CHANCE)


def test_a_game_carries_its_material_and_options_so_that_it_replays_by_itself():
    small = msgspec.structs.replace(MATERIAL, floors=4, columns=5, prisoners=2)
    (first,) = GAME.setup(2, RopeWallOptions(clock=60), small, BEGAN, CHANCE)
    assert GAME.fold([GAME.read_event(write(first))]).material == small
    assert GAME.view(GAME.fold([first]), None).goal == 2


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"knots": 5}, "one more for its angle"),
        ({"knots": 12}, "swallow all knots"),
        ({"prisoners": 3, "columns": 4}, "exits could all be closed"),
        ({"floors": 2}, ">= 3"),
        ({"columns": 9}, "<= 6"),
        ({"full_wall_turns": 0}, ">= 1"),
        ({"towers": 4}, "unknown field"),
    ],
)
def test_material_that_makes_no_game_does_not_validate(change: dict[str, int], complaint: str):
    with pytest.raises(msgspec.ValidationError, match=complaint):
        msgspec.convert(msgspec.structs.asdict(MATERIAL) | change, Material)


# -------------------------------------------------------------------------------------------------------------- pushing


def test_R3_R4_a_knot_goes_into_any_of_ten_openings():
    sides: tuple[Side, ...] = ("left", "right")
    openings = [Push(floor, side) for floor in range(1, 6) for side in sides]
    assert list(GAME.legal(begun(), begun().phase.seat)) == openings


@pytest.mark.parametrize("floor", range(1, 6))
def test_R5_knots_reach_the_three_central_columns_only_when_pushed(floor: int):
    _, left = push(state(), floor, "left")
    _, right = push(state(), floor, "right")
    assert left.wall[floor - 1] == (A, None, None, None, None)
    assert right.wall[floor - 1] == (None, None, None, None, A)


@pytest.mark.parametrize(
    ("before", "side", "after"),
    [
        ("B . . . .", "left", "A B . . ."),
        ("B A . . .", "left", "A B A . ."),
        ("B A . B .", "left", "A B A B ."),  # the block stops at the first gap and moves nothing beyond it
        (". A . B B", "right", ". A B B A"),
        (". A A B B", "right", "A A B B A"),
        ("A A B B .", "right", "A A B B A"),
        (". A B A B", "left", "A A B A B"),  # no block at the opening: nothing moves
        ("B . B A B", "right", "B B A B A"),
    ],
)
def test_D1_the_block_at_the_opening_moves_one_step_into_the_first_gap(before: str, side: Side, after: str):
    wall = "\n".join([". . . . .", ". . . . .", before, ". . . . .", ". . . . ."])
    events, then = push(state(wall), 3, side)
    assert picture(then.wall)[2] == after
    assert the(Pushed, events).fell is None
    assert then.ejected is None


@pytest.mark.parametrize(
    ("before", "side", "after", "fell"),
    [
        ("B A A A B", "left", "A B A A A", B),
        ("B A A B A", "left", "A B A A B", A),
        ("B A A B A", "right", "A A B A A", B),
    ],
)
def test_R7_only_a_full_floor_lets_a_knot_fall_out_on_the_other_side(before: str, side: Side, after: str, fell: Seat):
    wall = "\n".join([". . . . .", ". . . . .", ". . . . .", before, ". . . . ."])
    start = state(wall)
    events, then = push(start, 2, side)
    assert picture(then.wall)[3] == after
    assert the(Pushed, events).fell == fell
    assert then.ejected == Opening(2, "left" if side == "right" else "right")
    # R7: it returns to its owner, who may use it again.
    hands = list(GAME.view(start, None).hands)
    hands[A] -= 1
    hands[fell] += 1
    assert list(GAME.view(then, None).hands) == hands


def test_R6_any_colour_may_be_pushed_and_pushed_out():
    for row in ("A A A A A", "B B B B B"):
        _, then = push(state("\n".join([". . . . ."] * 4 + [row])), 1, "right")
        assert then.wall[0][-1] == A


# ------------------------------------------------------------------------------------------------------ barred openings

FULL_FLOOR = """
    . . . . .
    . . . . .
    . . . . .
    . . . . .
    B A B A B
"""


def test_R8_a_knot_is_not_put_back_where_it_has_just_been_ejected():
    _, then = push(state(FULL_FLOOR), 1, "left")
    assert then.barred == ((), (Opening(1, "right"),))
    assert Push(1, "right") not in list(GAME.legal(then, B))
    assert len(list(GAME.legal(then, B))) == 9
    refusal = refused(then, B, Push(1, "right"))
    assert (refusal.code, refusal.facts) == ("barred", {"floor": 1, "side": "right"})


def test_D2_the_ban_holds_for_whoever_owns_the_ejected_knot_also_if_they_pushed_it_out_themselves():
    _, then = push(state(FULL_FLOOR.replace("B A B A B", "A A B A A")), 1, "left")
    assert then.barred == ((Opening(1, "right"),), ())
    assert Push(1, "right") in list(GAME.legal(then, B))
    _, later = push(then, 5, "left")
    assert refused(later, A, Push(1, "right")).code == "barred"


def test_D2_a_ban_ends_with_the_owners_next_turn():
    _, first = push(state(FULL_FLOOR), 1, "left")
    _, second = push(first, 5, "left")
    assert second.barred == ((), ())
    _, third = push(second, 4, "left")
    assert Push(1, "right") in list(GAME.legal(third, B))


def test_D3_bans_add_up_to_two_before_the_owners_next_turn():
    start = state(
        """
        . . . . .
        . . . . .
        . . . . .
        B B A B A
        A A B A A
        """
    )
    _, first = push(start, 1, "left")  # A throws out an own knot
    _, second = push(first, 2, "left")  # and so does B
    assert second.barred == ((Opening(1, "right"), Opening(2, "right")), ())
    assert len(list(GAME.legal(second, A))) == 8
    assert {refused(second, A, Push(floor, "right")).code for floor in (1, 2)} == {"barred"}
    _, third = push(second, 5, "left")
    assert third.barred == ((), ())


def test_D3_two_knots_out_of_the_same_opening_bar_it_once():
    start = state(FULL_FLOOR.replace("B A B A B", "A A B A A"))
    _, first = push(start, 1, "left")
    _, second = push(first, 1, "left")
    assert second.barred == ((Opening(1, "right"),), ())


def test_D2_a_ban_ends_with_its_turn_also_if_that_was_skipped():
    held = state(turn=B, barred=((Opening(1, "left"),), (Opening(2, "left"),)))
    after = GAME.evolve(held, Skipped(B))
    assert after.barred == ((Opening(1, "left"),), ())
    assert after.phase == Pushing(A)


def test_bans_do_not_outlast_the_round():
    after = GAME.evolve(state(barred=((Opening(1, "left"),), ())), RoundBegun(B, NOW))
    assert after.barred == ((), ())


# --------------------------------------------------------------------------------------------------------- no knot left

A_HAS_NONE = """
    A A A A B
    A A A A B
    A B A B A
    B . B . B
    A B A B .
"""


def test_R9_who_has_no_knot_left_is_skipped_until_one_comes_back():
    start = state(A_HAS_NONE, turn=B)
    assert GAME.view(start, None).hands == (0, 4)
    events, then = push(start, 2, "left")
    assert kinds(events) == [Pushed, Skipped]
    assert then.phase == Pushing(B)
    refusal = refused(then, A, Push(2, "right"))
    assert (refusal.code, refusal.facts) == ("no-knot", {"turn": B})
    # A knot of A's is thrown out: A plays again, though not where it fell out.
    events, later = push(then, 3, "left")
    assert kinds(events) == [Pushed]
    assert later.phase == Pushing(A)
    assert GAME.view(later, None).hands[A] == 1
    assert refused(later, A, Push(3, "right")).code == "barred"


def test_a_skipped_turn_starts_no_clock_of_its_own_and_the_next_one_has_all_its_time():
    _, then = push(state(A_HAS_NONE, turn=B), 2, "left")
    (deadline,) = GAME.deadlines(then)
    assert deadline.seats == (B,)
    assert deadline.due == NOW + 180_000


def test_the_starter_of_a_round_always_has_knots():
    after = GAME.evolve(state(A_HAS_NONE), RoundBegun(A, NOW))
    assert GAME.view(after, None).hands == (13, 13)


# ---------------------------------------------------------------------------------------------------------------- links

# One picture a case: the columns, from 1, at which a rope of A ends. An empty tuple is no link.
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


L_MISSING = """
    . . . . .
    . . . . A
    . . . . A
    B . . . A
    . . . A A
"""


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


TWO_ROPES = """
    . A . A .
    . A . A .
    A B A . .
    . A . A .
    A A . A A
"""


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


def test_D8_ropes_that_share_a_knot_are_one_link():
    start = state(
        """
        . A A . .
        . A A . .
        A B . . .
        . A . . .
        A A . . .
        """
    )
    events, then = push(start, 3, "left")
    assert the(RoundWon, events).choices == ((2,), (3,))
    assert isinstance(then.phase, Choosing)


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


# -------------------------------------------------------------------------------------------------- the winner's choice


def choosing(turn: Seat = A, **changes: Any) -> State:
    """A rope of A's may end at column 2, 3 or 4, whoever of the two has just pushed it together."""
    wall = """
        . A A A .
        . . A . .
        . . . A A
        . . A . .
        . A A . .
    """
    _, then = push(state(wall, turn=turn, **changes), 3, "right")
    return then


def test_D5_with_several_possible_exits_the_winner_chooses_before_the_next_round_begins():
    then = choosing()
    view = GAME.view(then, None)
    assert (view.phase, view.turn, view.waiting) == ("choose", A, (A,))
    assert view.choices == ((2,), (3,), (4,))
    assert [rope[-1] for rope in view.ropes] == [(5, 2), (5, 3), (5, 4)]
    assert list(GAME.legal(then, A)) == [ChooseExits((2,)), ChooseExits((3,)), ChooseExits((4,))]
    assert list(GAME.legal(then, B)) == []
    events = decide(then, A, ChooseExits((4,)))
    assert kinds(events) == [Escaped, RoundBegun]
    assert the(Escaped, events).ropes[0][-1] == (5, 4)
    assert GAME.fold(events, then).exits == (None, None, None, A, None)


def test_D5_the_winner_chooses_also_when_the_opponent_completed_the_link():
    assert choosing(turn=B).phase == Choosing(A, ((2,), (3,), (4,)))


def test_D5_closed_exits_are_no_choice_and_a_choice_of_one_is_made_automatically():
    assert choosing(exits=". B . . .").phase == Choosing(A, ((3,), (4,)))
    then = choosing(exits=". B B . .")
    assert then.exits == (None, B, B, A, None)
    assert isinstance(then.phase, Pushing)


def test_D8_with_several_pairs_for_two_ropes_the_winner_chooses_one_pair():
    start = state(
        """
        A . A A .
        A . A . .
        B A . . .
        A . A . .
        A A A A .
        """
    )
    events, then = push(start, 3, "left")
    assert then.phase == Choosing(A, ((1, 3), (1, 4)))
    assert refused(then, A, ChooseExits((3,))).code == "not-a-choice"
    assert refused(then, A, ChooseExits((3, 4))).code == "not-a-choice"
    events = decide(then, A, ChooseExits((1, 4)))
    assert [rope[-1] for rope in the(Escaped, events).ropes] == [(5, 1), (5, 4)]
    assert GAME.fold(events, then).exits == (A, None, None, A, None)


def test_D5_on_time_out_the_leftmost_exit_is_taken():
    then = choosing()
    (deadline,) = GAME.deadlines(then)
    assert (deadline.seats, deadline.due, deadline.default) == ((A,), NOW + 180_000, ChooseExits((2,)))
    events = decide(then, None, Expire(deadline.id), deadline.due)
    assert kinds(events) == [Lapsed, Escaped, RoundBegun]
    assert the(Escaped, events).columns == (2,)


def test_R15_with_four_prisoners_out_one_exit_is_left_for_the_fifth_round():
    events, then = push(state(L_MISSING, exits="A B A B ."), 5, "right")
    assert then.exits == (A, B, A, B, A)
    assert GAME.outcome(then) == Outcome((1, 2), (3, 2), "prisoners")
    events, _ = push(state(TWO_ROPES, exits="A B A B ."), 3, "left")
    assert kinds(events) == [Pushed]


def test_R22_first_to_three_prisoners_wins():
    events, then = push(state(L_MISSING, exits="A A B B ."), 5, "right")
    assert kinds(events) == [Pushed, RoundWon, Escaped, GameEnded]
    assert then.phase == Over("prisoners", A)
    view = GAME.view(then, B)
    assert (view.phase, view.turn, view.waiting, view.winner) == ("over", None, (), A)
    assert view.ropes  # the last wall stays, with the rope that won
    assert picture(view.wall)[0] == ". . . . A"


# ------------------------------------------------------------------------------------------------- rounds without a win

ALMOST_FULL = """
    A B A B A
    B A B A B
    A B A B A
    B A B A B
    A B A B .
"""


def test_D11_the_countdown_begins_with_the_move_after_the_wall_filled_up():
    _, then = push(state(ALMOST_FULL), 1, "right")
    assert then.full_turns_left == 10
    assert then.phase == Pushing(B)
    _, later = push(then, 3, "left")
    assert later.full_turns_left == 9


def test_R21_a_full_floor_alone_starts_no_countdown():
    _, then = push(state(FULL_FLOOR), 1, "left")
    assert then.full_turns_left is None


def harmless(before: State) -> Push:
    """A push that completes no link, found by trying."""
    assert isinstance(before.phase, Pushing)
    seat = before.phase.seat
    for action in GAME.legal(before, seat):
        assert isinstance(action, Push)
        if not any(isinstance(event, RoundWon) for event in decide(before, seat, action)):
            return action
    raise AssertionError("every push completes a link")


def test_R21_D10_D11_a_full_wall_is_cancelled_after_five_more_turns_a_player():
    events, now = push(state(ALMOST_FULL, starter=B), 1, "right")
    turns = 0
    while not any(isinstance(event, RoundCancelled) for event in events):
        chosen = harmless(now)
        events, now = push(now, chosen.floor, chosen.side)
        turns += sum(isinstance(event, Pushed | Skipped) for event in events)
    assert turns == 10
    assert the(RoundCancelled, events).reason == "full-wall"
    assert the(RoundBegun, events).starter == B  # D10: the same starter again
    assert now.phase == Pushing(B)
    assert picture(now.wall) == [". . . . ."] * 5
    assert (now.cancelled, now.full_turns_left) == (1, None)


def test_D11_skipped_turns_count_for_the_full_wall():
    full = """
        A B A B A
        B A B A B
        A B A B A
        B A B A B
        A B A B A
    """
    events, then = push(state(full, turn=B, full_turns_left=10), 2, "left")
    assert kinds(events) == [Pushed, Skipped]
    assert then.full_turns_left == 8
    events, then = push(state(full, turn=B, full_turns_left=2), 2, "left")
    assert kinds(events) == [Pushed, Skipped, RoundCancelled, RoundBegun]
    assert then.cancelled == 1


def test_D11_a_link_on_the_tenth_turn_wins():
    events, _ = push(state(L_MISSING, full_turns_left=1), 5, "right")
    assert kinds(events) == [Pushed, RoundWon, Escaped, RoundBegun]
    events, _ = push(state(L_MISSING, full_turns_left=1), 5, "left")
    assert kinds(events) == [Pushed, RoundCancelled, RoundBegun]


def test_D12_a_round_is_cancelled_after_80_pushes():
    events, then = push(state(pushes=78), 1, "left")
    assert kinds(events) == [Pushed]
    assert GAME.view(then, None).pushes_left == 1
    events, then = push(state(pushes=79, starter=B), 1, "left")
    assert the(RoundCancelled, events).reason == "pushes"
    assert then.phase == Pushing(B)
    assert GAME.view(then, None).pushes_left == 80


def test_a_link_with_the_80th_push_wins():
    events, _ = push(state(L_MISSING, pushes=79), 5, "right")
    assert kinds(events) == [Pushed, RoundWon, Escaped, RoundBegun]


@pytest.mark.parametrize(
    ("exits", "outcome"),
    [
        (". . . . .", Outcome((1, 1), (0, 0), "cancelled")),
        ("A . B . .", Outcome((1, 1), (1, 1), "cancelled")),
        ("A B . . A", Outcome((1, 2), (2, 1), "cancelled")),
        (". B . . .", Outcome((2, 1), (0, 1), "cancelled")),
    ],
)
def test_D14_after_three_cancelled_rounds_in_a_row_the_game_ends_and_most_prisoners_wins(exits: str, outcome: Outcome):
    events, then = push(state(pushes=79, cancelled=1, exits=exits), 1, "left")
    assert kinds(events) == [Pushed, RoundCancelled, RoundBegun]
    events, then = push(state(pushes=79, cancelled=2, exits=exits), 1, "left")
    assert kinds(events) == [Pushed, RoundCancelled, GameEnded]
    assert GAME.outcome(then) == outcome
    assert GAME.view(then, None).cancelled == 3


def test_D14_a_round_that_is_won_breaks_the_row_of_cancelled_ones():
    _, then = push(state(L_MISSING, cancelled=2), 5, "right")
    assert then.cancelled == 0


# ------------------------------------------------------------------------------------------------------------ resigning


@pytest.mark.parametrize("seat", [A, B])
def test_D15_resigning_gives_the_game_to_the_other_whoevers_turn_it_is(seat: Seat):
    start = state(exits="A A B . .")
    events = decide(start, seat, Resign())
    assert events == [Resigned(seat), GameEnded("resigned", Seat(1 - seat))]
    assert GAME.outcome(GAME.fold(events, start)) == Outcome((1, 2) if seat == B else (2, 1), (2, 1), "resigned")


def test_a_winner_may_resign_instead_of_choosing():
    assert kinds(decide(choosing(), A, Resign())) == [Resigned, GameEnded]


# ------------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("seat", "action", "code", "facts"),
    [
        (B, Push(1, "left"), "not-your-turn", {"turn": A}),
        (A, Push(0, "left"), "no-such-opening", {"floor": 0, "side": "left"}),
        (A, Push(6, "right"), "no-such-opening", {"floor": 6, "side": "right"}),
        (A, Push(1, "top"), "no-such-opening", {"floor": 1, "side": "top"}),  # type: ignore[arg-type]  # forged
        (A, ChooseExits((1,)), "nothing-to-choose", {"turn": A}),
        (Seat(2), Push(1, "left"), "not-seated", {}),
        (Seat(-1), Resign(), "not-seated", {}),
        (None, Push(1, "left"), "not-seated", {}),
        (A, Expire("turn-0"), "clock-only", {}),
        (B, Delay(1), "clock-only", {}),
        (None, Expire("turn-7"), "late", {"deadline": "turn-7"}),
        (None, Expire("turn-0"), "early", {"deadline": "turn-0", "due": BEGAN + 180_000}),
        (None, Delay(0), "no-delay", {"by_ms": 0}),
        (None, Delay(-5), "no-delay", {"by_ms": -5}),
    ],
)
def test_a_refusal_names_what_is_wrong(seat: Seat | None, action: RopeWallAction, code: str, facts: dict[str, Any]):
    refusal = refused(state(), seat, action)
    assert (refusal.code, refusal.facts) == (code, facts)


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [
        (A, Push(1, "left"), "choose-first"),
        (B, Push(1, "left"), "choose-first"),
        (B, ChooseExits((2,)), "not-your-turn"),
        (A, ChooseExits((1,)), "not-a-choice"),
        (A, ChooseExits(()), "not-a-choice"),
        (A, ChooseExits((2, 3)), "not-a-choice"),
    ],
)
def test_while_exits_are_chosen_nothing_else_goes_on(seat: Seat, action: RopeWallAction, code: str):
    assert refused(choosing(), seat, action).code == code


@pytest.mark.parametrize(
    ("seat", "action"),
    [(A, Push(1, "left")), (B, ChooseExits((1,))), (A, Resign()), (None, Expire("turn-0")), (None, Delay(5))],
)
def test_a_game_that_is_over_takes_nothing_more(seat: Seat | None, action: RopeWallAction):
    over = state(phase=Over("prisoners", B))
    refusal = refused(over, seat, action)
    assert (refusal.code, refusal.facts) == ("over", {"reason": "prisoners"})
    assert GAME.deadlines(over) == ()
    assert [*GAME.legal(over, A), *GAME.legal(over, B)] == []


# ---------------------------------------------------------------------------------------------------------------- clock


def test_the_turn_clock_starts_with_the_push_before():
    (first,) = GAME.deadlines(begun())
    assert first.due == BEGAN + 180_000
    _, then = push(state(), 1, "left")
    (second,) = GAME.deadlines(then)
    assert (second.seats, second.due, second.kind) == ((B,), NOW + 180_000, "turn")
    assert second.id != first.id


def test_without_a_clock_there_are_no_deadlines():
    assert GAME.deadlines(state(clock=0)) == ()
    assert refused(state(clock=0), None, Expire("turn-0")).code == "late"


def test_a_lapsed_turn_is_played_by_default_and_the_next_clock_starts_when_it_was():
    start = state()
    (deadline,) = GAME.deadlines(start)
    late = Moment(deadline.due + 4_000)
    events = decide(start, None, Expire(deadline.id), late)
    assert events == [Lapsed(A, deadline.id), Pushed(A, 1, "left", None, late)]
    (following,) = GAME.deadlines(GAME.fold(events, start))
    assert following.due == late + 180_000
    assert refused(GAME.fold(events, start), None, Expire(deadline.id), late).code == "late"


def test_a_delay_moves_the_deadline_back_and_keeps_its_name():
    start = state()
    events = decide(start, None, Delay(90_000))
    assert events == [Delayed(90_000)]
    (before,), (after,) = GAME.deadlines(start), GAME.deadlines(GAME.fold(events, start))
    assert after == msgspec.structs.replace(before, due=Moment(before.due + 90_000))
    assert refused(GAME.fold(events, start), None, Expire(before.id), before.due).code == "early"


def default_of(start: State) -> Push:
    (deadline,) = GAME.deadlines(start)
    assert isinstance(deadline.default, Push)
    return deadline.default


def test_the_default_push_is_the_lowest_opening_left_before_right():
    assert default_of(state()) == Push(1, "left")
    assert default_of(state(barred=((Opening(1, "left"),), ()))) == Push(1, "right")


B_NEEDS_A_FOOT = """
    . . B . .
    . . B . .
    . . B . .
    A A B B A
    B B . . .
"""


def test_the_default_push_completes_no_link_of_the_opponent():
    start = state(B_NEEDS_A_FOOT)
    assert the(RoundWon, decide(start, A, Push(1, "left"))).seat == B
    assert default_of(start) == Push(1, "right")


def test_the_default_push_does_not_shun_a_link_of_ones_own():
    start = state(B_NEEDS_A_FOOT, turn=B)
    assert the(RoundWon, decide(start, B, Push(1, "left"))).seat == B
    assert default_of(start) == Push(1, "left")


def test_the_default_push_throws_no_own_knot_out_if_it_can_help_it():
    assert default_of(state(FULL_FLOOR.replace("B A B A B", "B A B A A"))) == Push(1, "right")
    assert default_of(state(FULL_FLOOR.replace("B A B A B", "A A B A A"))) == Push(2, "left")


def test_the_default_push_rather_throws_an_own_knot_out_than_lose_the_round():
    free = {Opening(1, "left"), Opening(2, "left")}  # the first completes B's link, the second throws out an A
    others = {Opening(floor, side) for floor in range(1, 6) for side in ("left", "right")} - free
    assert default_of(state(B_NEEDS_A_FOOT, barred=(tuple(sorted(others)), ()))) == Push(2, "left")


# ----------------------------------------------------------------------------------------------------------- the record


def test_a_record_without_its_beginning_or_with_two_is_broken():
    with pytest.raises(BrokenRecord, match="begins with"):
        GAME.fold([Skipped(A)])
    (first,) = GAME.setup(2, RopeWallOptions(), MATERIAL, BEGAN, CHANCE)
    with pytest.raises(BrokenRecord, match="begins once"):
        GAME.fold([first, first])


@pytest.mark.parametrize(
    ("event", "stored"),
    [
        (
            Pushed(A, 3, "left", B, Moment(5)),
            '{"event":"pushed","seat":0,"floor":3,"side":"left","fell":1,"at":5}',
        ),
        (Skipped(B), '{"event":"skipped","seat":1}'),
        (RoundWon(A, ((2,),), (((1, 2),),)), '{"event":"won","seat":0,"choices":[[2]],"ropes":[[[1,2]]]}'),
        (
            Escaped(B, (2, 4), (((1, 2),),)),
            '{"event":"escaped","seat":1,"columns":[2,4],"ropes":[[[1,2]]]}',
        ),
        (RoundCancelled("full-wall"), '{"event":"cancelled","reason":"full-wall"}'),
        (RoundBegun(A, Moment(5)), '{"event":"round","starter":0,"at":5}'),
        (Resigned(A), '{"event":"resigned","seat":0}'),
        (GameEnded("cancelled", None), '{"event":"ended","reason":"cancelled","winner":null}'),
    ],
)
def test_the_stored_form_of_an_event_stays_as_it_is_for_good(event: RopeWallEvent, stored: str):
    assert write(event) == stored
    assert GAME.read_event(stored) == event


def test_the_view_tells_the_last_five_pushes_of_the_round_oldest_first():
    at = state()
    pushes: list[tuple[int, Side]] = [(1, "left"), (1, "right"), (2, "left"), (2, "right"), (3, "left"), (3, "right")]
    for number, (floor, side) in enumerate(pushes):
        _, at = push(msgspec.structs.replace(at, phase=Pushing(Seat(number % 2))), floor, side)
    told = [(push.seat, push.floor, push.side) for push in GAME.view(at, None).recent]
    assert told == [(number % 2, *push) for number, push in enumerate(pushes)][1:]
