"""Match Five's rules by mark: the material, the board and scoring.

Marks refer to docs/rules/match_five.md.
"""

from collections import Counter
from typing import Literal

import msgspec
import pytest

from engine.games.match_five import (
    GAME,
    TILES,
    WILD,
    Board,
    GameBegun,
    IllegalPlacement,
    Laying,
    MatchFiveOptions,
    Play,
    Played,
    Playing,
    Spot,
    Stone,
)
from tests.engine.games.match_five_positions import (
    BEGAN,
    MATERIAL,
    A,
    B,
    after,
    chance,
    decide,
    fault,
    laying,
    points,
    refused,
    state,
    stones,
)

# ------------------------------------------------------------------------------------------------------------- material


def test_R1_D1_O1_D_five_colours_five_numbers_five_copies_and_five_wilds_make_130_tiles():
    tables: tuple[tuple[Literal[3, 4, 5], int], ...] = ((5, 130), (4, 105), (3, 80))
    for copies, total in tables:
        started = GAME.setup(3, MatchFiveOptions(copies=copies), MATERIAL, BEGAN, chance())[0]
        at = GAME.fold([started])
        tiles = Counter([*at.bag, *(tile for hand in at.hands for tile in hand)])
        assert tiles.total() == total
        assert tiles[WILD] == 5 and {tiles[tile] for tile in TILES} == {copies}


def test_R2_R3_D2_everyone_draws_five_and_the_highest_total_starts_a_wild_counting_nothing():
    for seed in range(60):
        (started,) = GAME.setup(4, MatchFiveOptions(), MATERIAL, BEGAN, chance(seed))
        assert isinstance(started, GameBegun)
        totals = [sum(0 if tile == WILD else int(tile[1]) for tile in hand) for hand in started.deals[-1]]
        assert all(len(hand) == 5 for hand in started.deals[-1])
        assert totals.count(max(totals)) == 1 and totals.index(max(totals)) == started.starter


def test_D2_if_the_highest_totals_tie_all_hands_are_drawn_again():
    redrawn = 0
    for seed in range(200):
        (started,) = GAME.setup(6, MatchFiveOptions(), MATERIAL, BEGAN, chance(seed))
        assert isinstance(started, GameBegun)
        for deal in started.deals[:-1]:
            totals = [sum(0 if tile == WILD else int(tile[1]) for tile in hand) for hand in deal]
            assert totals.count(max(totals)) > 1
            redrawn += 1
    assert redrawn > 10


# ---------------------------------------------------------------------------------------------------------- the example


EXAMPLE: tuple[tuple[str, int, list[tuple[int, int, int]]], ...] = (
    ("r3@0,0,1 r2@1,0,1 r1@2,0,1", 6, []),
    ("r5@3,0,1 r4@4,0,1", 25, [(0, 0, 1), (4, 0, 1)]),
    ("b4@4,0,2 y4@4,0,3", 12, [(0, 0, 1), (4, 0, 1)]),
    ("o4@4,0,4 g4@4,0,5", 30, [(0, 0, 1), (4, 0, 1)]),
    ("b5@3,0,2 y5@3,0,3", 33, [(0, 0, 1), (4, 0, 1)]),
    ("o2@1,1,1 y2@1,2,1 g2@1,3,1 w:b2@1,4,1", 18, [(0, 0, 1), (1, 0, 1), (1, 4, 1), (4, 0, 1)]),
)


def test_R15_R16_R10_R12_the_six_plays_of_the_example_score_as_they_should_with_their_locks():
    board = ""
    for words, score, locks in EXAMPLE:
        tiles = " ".join(WILD if one.wild else one.tile for one in stones(words))
        at = state(board, (tiles, "b1"))
        assert points(at, words) == score
        assert GAME.view(after(at, A, laying(words)), None).locked == tuple(Spot(*spot) for spot in locks)
        board = f"{board} {words}"


def test_D5_R15_the_lines_of_the_fifth_play_are_a_stack_and_two_rows():
    board = " ".join(words for words, _, _ in EXAMPLE[:4])
    event = decide(state(board, ("b5 y5", "b1")), A, laying(EXAMPLE[4][0]))[0]
    assert isinstance(event, Played)
    assert sorted((line.axis, line.points) for line in event.lines) == [("stack", 15), ("x", 9), ("x", 9)]


# ---------------------------------------------------------------------------------------------------------------- board


def test_R5_D15_the_first_tile_may_lie_anywhere_and_scores_its_number_alone():
    assert points(state(), "r4@-7,12,1") == 4
    assert points(state(hands=("w", "b1")), "w:r4@0,0,1") == 0  # D15: a Wild alone scores 0


def test_D4_the_starters_other_tiles_are_attached_to_the_first():
    assert fault("", "r1@0,0,1 r2@5,5,1") == "unattached"
    assert points(state(), "r1@0,0,1 r2@1,0,1") == 3


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("r1@0,0,1", "taken"),
        ("r1@3,0,1", "unattached"),
        ("r1@1,1,1", "unattached"),  # corners do not attach
        ("r1@1,0,2", "support"),
        ("r2@0,0,3", "support"),
        ("r2@0,0,0", "support"),
        ("r2@0,0,-1", "support"),
        ("r2@0,0,6", "too-high"),
        ("b2@1,0,1", "series"),
        ("r3@1,0,1", "series"),  # never the same colour and number twice
        ("b1@0,0,2", "series"),
    ],
)
def test_R5_R7_what_does_not_fit_is_refused_with_the_reason(words: str, code: str):
    assert fault("r3@0,0,1", words) == code


def test_D4_each_tile_must_be_attached_at_the_moment_it_is_laid():
    assert fault("r3@0,0,1", "r1@2,0,1 r2@1,0,1") == "unattached"
    assert points(state("r3@0,0,1"), "r2@1,0,1 r1@2,0,1") == 6


def test_R4_D3_a_tile_above_the_lowest_level_needs_one_below_it():
    assert points(state("r3@0,0,1"), "r1@0,0,2") == 4
    assert points(state("r3@0,0,1"), "r1@1,0,1 r2@1,0,2") == 4 + 3  # on a tile laid in the same turn


def test_R7_a_series_has_one_colour_with_different_numbers_or_one_number_with_different_colours():
    assert fault("r3@0,0,1 r2@1,0,1", "b2@2,0,1") == "series"
    assert fault("r3@0,0,1 b3@1,0,1", "b2@2,0,1") == "series"
    assert fault("r3@0,0,1 b3@1,0,1", "r3@2,0,1") == "series"
    assert points(state("r3@0,0,1 b3@1,0,1", ("y3", "b1")), "y3@2,0,1") == 9


def test_D20_every_line_is_one_series_as_a_whole():
    assert fault("r3@0,0,1 r2@1,0,1", "b2@2,0,1") == "series"
    assert points(state("r3@0,0,1 r2@1,0,1", ("b2", "b1")), "b2@1,1,1") == 4  # it shares another line with red 2


def test_R7_a_tile_that_joins_two_runs_makes_one_series_of_both():
    board = "r3@0,0,1 r2@0,1,1 r1@0,2,1 r4@1,2,1 r5@2,2,1 r2@2,1,1"
    assert fault(board, "r4@1,1,1") == "series"  # beside two red twos
    board = "r3@0,0,1 b3@0,1,1 b1@1,1,1 b2@2,1,1 y2@2,0,1"
    assert fault(board, "r2@1,0,1") == "series"  # r3 and y2 are no series


def test_R8_no_line_grows_beyond_five():
    board = "r1@0,0,1 r2@0,1,1 b2@1,1,1 y2@2,1,1 g2@3,1,1 g1@3,0,1 g3@4,0,1"
    joined = Board(stones(board))
    assert joined.fault((1, 0, 1)) is None
    long = "r1@0,0,1 r2@1,0,1 r3@3,0,1 r4@4,0,1 r5@5,0,1"
    with pytest.raises(IllegalPlacement) as misfit:
        Board(stones(long)).check(Stone(2, 0, 1, "r1"))
    assert (misfit.value.fault, misfit.value.axis) == ("too-long", "x")


# --------------------------------------------------------------------------------------------------------------- Wilds


def test_R9_D6_D_a_wild_is_any_tile_declared_when_it_is_laid_and_fixed_from_then_on():
    at = after(state("r3@0,0,1", ("w r5", "b1 r1")), A, laying("w:r4@1,0,1"))
    assert at.stones[-1] == Stone(1, 0, 1, "r4", True)
    assert refused(at, B, laying("b1@2,0,1"))[0] == "series"
    assert points(msgspec.structs.replace(at, phase=Playing(A)), "r5@2,0,1") == 8  # R17: the Wild counts nothing


@pytest.mark.parametrize(
    ("one", "code"),
    [
        (Laying(WILD, 1, 0, 1), "wild-undeclared"),
        (Laying(WILD, 1, 0, 1, "w"), "wild-undeclared"),
        (Laying(WILD, 1, 0, 1, "x9"), "wild-undeclared"),
        (Laying("r1", 1, 0, 1, "r1"), "not-a-wild"),
    ],
)
def test_D6_only_a_wild_is_declared_and_as_a_tile_that_exists(one: Laying, code: str):
    assert refused(state("r3@0,0,1", ("w r1", "b1")), A, Play((one,)))[0] == code


def test_R9_one_wild_a_turn_and_one_a_series():
    at = state("r3@0,0,1", ("w w", "b1"))
    assert refused(at, A, laying("w:r1@1,0,1 w:b3@0,1,1"))[0] == "one-wild"
    assert fault("w:r3@0,0,1", "w:r1@1,0,1") == "wilds"
    assert fault("w:r3@0,0,1 r2@1,0,1", "w:r1@2,0,1") == "wilds"
    assert points(state("w:r3@0,0,1 r2@1,0,1", ("w", "b1")), "w:b2@1,1,1") == 2  # in another line


def test_R9_a_tile_may_not_join_two_series_with_a_wild_each():
    board = "w:r3@0,0,1 b3@0,1,1 b1@1,1,1 b2@2,1,1 w:r2@2,0,1"
    assert fault(board, "r1@1,0,1") in ("series", "wilds")
    assert fault("w:r3@0,0,1 r5@0,1,1 r4@0,2,1 r2@1,2,1 r5@2,2,1 r1@2,1,1 w:r4@2,0,1", "r2@1,0,1") == "wilds"


# --------------------------------------------------------------------------------------------------------------- locks

FULL = "r3@0,0,1 r2@1,0,1 r1@2,0,1 r5@3,0,1 r4@4,0,1"


@pytest.mark.parametrize("words", ["b3@-1,0,1", "b3@0,1,1", "b3@0,-1,1", "b4@5,0,1", "b4@4,1,1"])
def test_R10_D7_nothing_may_be_laid_beside_a_locked_tile_at_its_level_along_either_axis(words: str):
    assert fault(FULL, words) in ("locked", "too-long")


@pytest.mark.parametrize("words", ["b2@1,1,1", "b1@2,-1,1", "b5@3,1,1"])
def test_R10_the_middle_three_stay_open(words: str):
    assert points(state(FULL, (stones(words)[0].tile, "b2")), words) > 0


def test_R11_D8_stacking_on_locked_tiles_stays_allowed_and_locks_belong_to_their_level():
    assert points(state(FULL, ("b3", "b1")), "b3@0,0,2") == 6
    above = f"{FULL} b3@0,0,2"  # on the locked red 3: its neighbour above the open red 2 is free
    assert points(state(above, ("b2", "b1")), "b2@1,0,2") == 4 + 5


def test_D8_the_sides_of_a_full_stack_stay_open():
    board = "r1@0,0,1 r2@0,0,2 r3@0,0,3 r4@0,0,4 r5@0,0,5"
    assert points(state(board, ("b1", "b2")), "b1@1,0,1") == 2
    assert fault(board, "b5@0,0,6") == "too-high"


def test_D9_locks_hold_at_once_also_within_the_turn_that_made_them():
    board = "r3@0,0,1 r2@1,0,1 r1@2,0,1 r5@3,0,1"
    assert fault(board, "r4@4,0,1 b4@4,1,1") == "locked"
    assert points(state(board, ("r4 b5", "b1")), "b5@3,1,1 r4@4,0,1") == 10 + 15 + 10


# --------------------------------------------------------------------------------------------------------------- score


def test_R15_D14_a_line_counts_once_and_a_tile_in_each_of_its_lines():
    board = "r1@0,0,1 r2@1,0,1 b1@0,1,1"
    assert points(state(board, ("b2", "b3")), "b2@1,1,1") == (1 + 2) + (2 + 2)
    assert points(state("r1@0,0,1", ("r2 r3", "b3")), "r2@1,0,1 r3@2,0,1") == 6


def test_R16_ten_more_for_every_line_that_reaches_five_this_turn_and_none_for_one_that_had():
    assert points(state("r3@0,0,1 r2@1,0,1 r1@2,0,1 r5@3,0,1"), "r4@4,0,1") == 25
    assert points(state(FULL, ("b2", "b1")), "b2@1,0,2") == 4


def test_R17_a_wild_counts_nothing_in_a_line():
    assert points(state("r3@0,0,1 r2@1,0,1", ("w", "b1")), "w:r5@2,0,1") == 5


def test_R18_running_totals_are_public():
    at = after(state("r3@0,0,1"), A, laying("r2@1,0,1"))
    assert GAME.view(at, None).scores == (5, 0)
    assert GAME.view(at, None).turns[-1].points == 5
