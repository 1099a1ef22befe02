"""Breakout: the Rope Wall, mark by mark of its rule book, on walls drawn by `rope_wall_positions`: the beginning and
pushes.
"""

import msgspec
import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import (
    Seat,
    to_json,
)
from engine.games.rope_wall import (
    GAME,
    GameBegun,
    Material,
    Opening,
    Push,
    Pushed,
    RopeWallOptions,
    RoundBegun,
    Side,
    Skipped,
)
from engine.games.rope_wall.state import Pushing
from tests.engine.games.rope_wall_positions import (
    BEGAN,
    CHANCE,
    FULL_FLOOR,
    MATERIAL,
    NOW,
    A,
    B,
    new_game,
    picture,
    push,
    refused,
    state,
)
from tools.harness.playouts import kinds, the

# -------------------------------------------------------------------------------------------------------- the beginning


def test_R1_the_wall_has_five_floors_and_five_columns():
    view = GAME.view(new_game(), None)
    assert (view.floors, view.columns) == (5, 5)
    assert picture(view.wall) == [". . . . ."] * 5


def test_R2_there_are_26_knots_13_a_player():
    assert GAME.view(new_game(), None).hands == (13, 13)


def test_R18_the_first_starter_is_drawn_by_lot():
    starters = [the(GameBegun, GAME.setup(2, RopeWallOptions(), MATERIAL, BEGAN, chance)).starter for chance in lots()]
    assert 60 < starters.count(A) < 140
    assert [new_game(seed).phase for seed in range(200)] == [Pushing(starter) for starter in starters]


def lots() -> list[Chance]:
    return [Chance(seed.to_bytes(SEED_BYTES, "big"), "wall", 0) for seed in range(200)]


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_only_two_play_at_the_wall(seats: int):
    with pytest.raises(ValueError, match="2 players"):
        GAME.setup(seats, RopeWallOptions(), MATERIAL, BEGAN, CHANCE)


def test_a_game_carries_its_material_and_options_so_that_it_replays_by_itself():
    small = msgspec.structs.replace(MATERIAL, floors=4, columns=5, prisoners=2)
    (first,) = GAME.setup(2, RopeWallOptions(clock=60), small, BEGAN, CHANCE)
    assert GAME.fold([GAME.read_event(to_json(first))]).material == small
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
    assert list(GAME.legal(new_game(), new_game().phase.seat)) == openings


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
def test_R7_a_knot_falls_out_on_the_other_side_only_from_a_full_floor(before: str, side: Side, after: str, fell: Seat):
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


def test_R8_a_knot_is_not_put_back_where_it_has_just_been_ejected():
    _, then = push(state(FULL_FLOOR), 1, "left")
    assert then.barred == ((), (Opening(1, "right"),))
    assert Push(1, "right") not in list(GAME.legal(then, B))
    assert len(list(GAME.legal(then, B))) == 9
    refusal = refused(then, B, Push(1, "right"))
    assert (refusal.code, refusal.facts) == ("barred", {"floor": 1, "side": "right"})


def test_D2_the_ban_holds_for_the_player_who_owns_the_ejected_knot_also_if_they_pushed_it_out_themselves():
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
    _, first = push(start, 1, "left")  # A ejects a knot of their own
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
    after = GAME.fold([Skipped(B)], held)
    assert after.barred == ((Opening(1, "left"),), ())
    assert after.phase == Pushing(A)


def test_bans_do_not_outlast_the_round():
    after = GAME.fold([RoundBegun(B, NOW)], state(barred=((Opening(1, "left"),), ())))
    assert after.barred == ((), ())


# --------------------------------------------------------------------------------------------------------- no knot left

A_HAS_NONE = """
    A A A A B
    A A A A B
    A B A B A
    B . B . B
    A B A B .
"""


def test_R9_a_player_without_a_knot_is_skipped_until_one_comes_back():
    start = state(A_HAS_NONE, turn=B)
    assert GAME.view(start, None).hands == (0, 4)
    events, then = push(start, 2, "left")
    assert kinds(events) == [Pushed, Skipped]
    assert then.phase == Pushing(B)
    refusal = refused(then, A, Push(2, "right"))
    assert (refusal.code, refusal.facts) == ("no-knot", {"turn": B})
    # A knot of A's is ejected: A plays again, but not where it fell out.
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
    after = GAME.fold([RoundBegun(A, NOW)], state(A_HAS_NONE))
    assert GAME.view(after, None).hands == (13, 13)
