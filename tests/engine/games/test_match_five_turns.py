"""Match Five's rules by mark: turns, the end, the clock, and properties that always hold.

Marks refer to docs/rules/match_five.md.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.contract import ClockShift, ClockShifted, Expire, Moment, Seat, TimedOut, to_json
from engine.games.match_five import (
    AXES,
    GAME,
    TILES,
    WILD,
    Board,
    GameEnded,
    IllegalPlacement,
    LastRoundBegun,
    Laying,
    Line,
    MatchFiveOptions,
    Pass,
    Places,
    Play,
    Played,
    Playing,
    Spot,
    State,
    Stone,
    Swap,
    Swapped,
    plays,
)
from tests.engine.games.match_five_positions import (
    BEGAN,
    NOW,
    A,
    B,
    C,
    after,
    chance,
    decide,
    laying,
    points,
    refused,
    state,
)
from tools.harness.playouts import play, played

# ---------------------------------------------------------------------------------------------------------------- turns


def test_R14_D11_the_hand_is_refilled_to_five_while_the_bag_lasts():
    at = after(state("r3@0,0,1"), A, laying("r2@1,0,1 r1@2,0,1"))
    assert len(at.hands[A]) == 5
    at = after(state("r3@0,0,1", bag="g1"), A, laying("r2@1,0,1 r1@2,0,1"))
    assert sorted(at.hands[A]) == ["g1", "r3", "r4", "r5"] and at.bag == ()


def test_R13_D12_one_to_five_tiles_are_swapped_no_more_than_the_bag_holds():
    at = state("r3@0,0,1")
    for count in range(1, 6):
        swapped = after(at, A, Swap(tuple(at.hands[A][:count])))
        assert len(swapped.hands[A]) == 5 and len(swapped.bag) == len(at.bag)
    assert refused(state(bag="g1 g2"), A, Swap(("r1", "r2", "r3"))) == ("bag-holds", {"bag": 2, "asked": 3})


def test_D12_new_tiles_are_drawn_before_the_old_go_back():
    for seed in range(40):
        event = GAME.decide(state(bag="g1 g2 g3"), A, Swap(("r1", "r2", "r3")), NOW, chance(seed))[0]
        assert isinstance(event, Swapped)
        assert sorted(event.drawn) == ["g1", "g2", "g3"]


def test_D13_with_an_empty_bag_there_is_no_swap_and_only_then_may_a_player_pass():
    assert refused(state(bag=""), A, Swap(("r1",))) == ("empty-bag", {})
    assert after(state(bag=""), A, Pass()).phase == Playing(B)
    assert refused(state(bag="g1"), A, Pass()) == ("bag-left", {"bag": 1})


def test_R3_turns_go_round_clockwise_and_only_who_is_to_play_may():
    at = state("r3@0,0,1", ("r1 r2", "b1", "y1"))
    at = after(at, A, laying("r2@1,0,1"))
    assert at.phase == Playing(B)
    assert refused(at, C, Swap(("y1",))) == ("not-your-turn", {"turn": B})
    assert refused(at, Seat(7), Pass())[0] == refused(at, None, Pass())[0] == "not-seated"
    assert after(after(at, B, Swap(("b1",))), C, Swap(("y1",))).phase == Playing(A)


def test_what_is_not_in_the_hand_cannot_be_laid_or_swapped():
    at = state("r3@0,0,1", ("r1 r2 r2", "b1"))
    assert refused(at, A, laying("r4@1,0,1")) == ("not-in-hand", {"tile": "r4"})
    assert refused(at, A, Swap(("r1", "r1"))) == ("not-in-hand", {"tile": "r1"})
    assert refused(at, A, Swap(("z9",))) == ("not-a-tile", {"tile": "z9"})
    assert refused(at, A, Play((Laying("z9", 1, 0, 1),))) == ("not-a-tile", {"tile": "z9"})
    assert refused(at, A, Play(()))[0] == refused(at, A, Swap(()))[0] == "nothing"
    assert refused(at, A, Play((Laying("r1", 2_000_000, 0, 1),)))[0] == "too-far"


def test_O2_D10_with_free_placement_the_tiles_of_a_turn_need_not_share_a_line_and_with_one_line_they_must():
    board = "r3@0,0,1 r2@1,0,1"
    words = "r1@2,0,1 r5@0,1,1"
    assert points(state(board), words) == 6 + 8
    assert refused(state(board, placement="one_line"), A, laying(words)) == ("one-line", {})
    assert points(state(board, placement="one_line"), "r1@2,0,1 r5@-1,0,1") == 11  # on both sides of what lies there


def test_O3_how_tiles_are_laid_on_the_page_of_a_turn_changes_nothing_about_what_is_allowed_or_scores():
    words = "r1@2,0,1 r5@-1,0,1"
    how_laid: tuple[Literal["automatic", "by_hand"], ...] = ("automatic", "by_hand")
    automatic, by_hand = (
        msgspec.structs.replace(state("r3@0,0,1 r2@1,0,1"), options=MatchFiveOptions(laying=how)) for how in how_laid
    )
    assert points(by_hand, words) == points(automatic, words) == 11
    assert list(GAME.legal(by_hand, A)) == list(GAME.legal(automatic, A))
    assert MatchFiveOptions() == MatchFiveOptions(laying="automatic")


# ------------------------------------------------------------------------------------------------------------------ end


def test_R19_D16_when_a_player_lays_their_last_tile_everyone_else_has_one_more_turn():
    at = state("r3@0,0,1", ("r1", "b1 b3", "y1 y3"), bag="")
    events = decide(at, A, laying("r1@1,0,1"))
    assert [type(event) for event in events] == [Played, LastRoundBegun]
    at = GAME.fold(events, at)
    assert GAME.view(at, None).last == A
    at = after(at, B, laying("b3@0,1,1"))
    events = decide(at, C, Pass())  # D16: passing counts in it
    assert events[-1] == GameEnded("last-tile")
    over = GAME.fold(events, at)
    outcome = GAME.outcome(over)
    assert outcome is not None and outcome.reason == "last-tile"
    assert outcome.scores == (4, 6 - 1, -4)
    assert outcome.places == (2, 1, 3)


def test_D16_only_the_first_last_tile_begins_the_last_round():
    at = after(state("r3@0,0,1", ("r1", "r2", "y1 y3"), bag=""), A, laying("r1@1,0,1"))
    events = decide(at, B, laying("r2@2,0,1"))
    assert [type(event) for event in events] == [Played]
    assert decide(GAME.fold(events, at), C, Pass())[-1] == GameEnded("last-tile")


def test_D17_the_game_also_ends_when_all_pass_in_a_row():
    at = state("r3@0,0,1", ("b1", "y1", "g1"), bag="")
    at = after(after(at, A, Pass()), B, Pass())
    assert decide(at, C, Pass())[-1] == GameEnded("passes")


def test_D17_two_full_circuits_of_nothing_but_swaps_and_passes_end_the_game():
    at = state("r3@0,0,1")
    for number in range(4):
        seat = Seat(number % 2)
        events = decide(at, seat, Swap((at.hands[seat][0],)))
        assert (events[-1] == GameEnded("idle")) == (number == 3)
        at = GAME.fold(events, at)


def test_R20_tiles_left_in_hand_are_subtracted_and_a_wild_costs_25():
    at = state("r3@0,0,1", ("w r2", "b5"), bag="", scores=(40, 30), passes=1, idle=1, turn=B)
    outcome = GAME.outcome(after(at, B, Pass()))
    assert outcome is not None and outcome.scores == (13, 25)
    assert GAME.view(after(at, B, Pass()), None).left == (27, 5)


def test_R21_D18_ties_share():
    at = state("r3@0,0,1", ("r2", "b2"), bag="", scores=(9, 9), passes=1, idle=1, turn=B)
    outcome = GAME.outcome(after(at, B, Pass()))
    assert outcome is not None and outcome.places == (1, 1)


def test_when_it_is_over_nothing_more_is_done_and_all_hands_are_shown():
    over = after(state("r3@0,0,1", ("r2", "b2"), bag="", passes=1, turn=B), B, Pass())
    assert refused(over, A, Pass()) == ("over", {"reason": "passes"})
    assert GAME.view(over, None).hands == (("r2",), ("b2",))
    assert GAME.deadlines(over) == ()


# ---------------------------------------------------------------------------------------------------------------- clock


def test_D19_a_turn_that_runs_out_lays_the_best_single_tile():
    at = state("r3@0,0,1 r2@1,0,1")
    (deadline,) = GAME.deadlines(at)
    assert (deadline.due, deadline.seats, deadline.default) == (BEGAN + 180_000, (A,), None)
    assert refused(at, None, Expire(deadline.id), Moment(deadline.due - 1))[0] == "early"
    events = decide(at, None, Expire(deadline.id), deadline.due)
    assert events[0] == TimedOut(A, deadline.id)
    assert isinstance(events[1], Played) and events[1].points == 10
    assert GAME.view(GAME.fold(events, at), None).turns[-1].lapsed
    assert refused(GAME.fold(events, at), None, Expire(deadline.id), deadline.due) == (
        "late",
        {"deadline": deadline.id},
    )


def test_D19_without_a_play_the_clock_swaps_or_passes():
    board = "r1@0,0,1 r2@0,0,2 r3@0,0,3 r4@0,0,4 r5@0,0,5"
    stuck = state(board, ("w", "b1"), bag="")
    assert [type(e) for e in decide(stuck, None, Expire("turn-0"), Moment(BEGAN + 180_000))][1] is Played
    nothing = state("r3@0,0,1", ("b1", "b2"), bag="")
    assert decide(nothing, None, Expire("turn-0"), Moment(BEGAN + 180_000))[1].seat == A
    swaps = state("r3@0,0,1", ("b1", "b2"))
    assert isinstance(decide(swaps, None, Expire("turn-0"), Moment(BEGAN + 180_000))[1], Swapped)


def test_a_delay_moves_the_clock_and_only_the_clock_may_ask():
    at = GAME.fold([ClockShifted(5_000)], state())
    assert GAME.deadlines(at)[0].due == BEGAN + 185_000
    assert refused(state(), A, ClockShift(5))[0] == refused(state(), A, Expire("turn-0"))[0] == "clock-only"
    assert refused(state(), None, ClockShift(0)) == ("no-delay", {"by_ms": 0})
    assert GAME.deadlines(state(clock=0)) == ()


# ----------------------------------------------------------------------------------------------------------- properties


def recount(at: State, laid: Sequence[Stone]) -> int:
    """Return the score of a play, slowly and obviously: from the finished board, line by line."""
    board = {one.spot: one for one in at.stones}
    total, seen = 0, set()
    for stone in laid:
        for dx, dy, dz in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
            line = [stone.spot]
            for sign in (1, -1):
                x, y, z = stone.spot
                while (x := x + sign * dx, y := y + sign * dy, z := z + sign * dz) in board:
                    line.append(Spot(x, y, z))
            key = frozenset(line)
            if len(line) > 1 and key not in seen:
                seen.add(key)
                total += sum(0 if board[spot].wild else int(board[spot].tile[1]) for spot in line)
                total += 10 if len(line) == 5 else 0
    if not seen:
        return 0 if laid[0].wild else int(laid[0].tile[1])
    return total


def lines_of(at: State) -> list[list[Stone]]:
    board, stones = Board(at.stones), {one.spot: one for one in at.stones}
    lines = {(axis, board.line(one.spot, axis)) for one in at.stones for axis in AXES}
    return [[stones[spot] for spot in line] for _, line in lines if len(line) > 1]


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 9))
def test_R6_in_random_games_tiles_are_conserved_and_never_moved_lines_legal_scores_right_and_locks_never_broken(
    seed: int,
):
    playout = played("match_five", seed)
    copies = playout.options.copies
    whole = Counter([*TILES * copies, *[WILD] * 5])
    before = playout.start
    for step in playout.steps:
        at = step.state
        laid = [WILD if one.wild else one.tile for one in at.stones]
        assert Counter([*laid, *at.bag, *(tile for hand in at.hands for tile in hand)]) == whole
        for event in step.events:
            if isinstance(event, Played):
                assert event.points == recount(at, event.stones)
                locked = Board(before.stones).locked
                for one in event.stones:
                    beside = [(one.x + dx, one.y + dy, one.level) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
                    assert not any(spot in locked for spot in beside)
        assert at.stones[: len(before.stones)] == before.stones  # R6: stones are never moved
        for line in lines_of(at):
            assert len(line) <= 5 and len({one.tile for one in line}) == len(line)
            assert sum(one.wild for one in line) <= 1
            assert len({one.tile[0] for one in line}) == 1 or len({one.tile[1] for one in line}) == 1
        before = at


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_the_hands_of_others_and_the_bag_show_nowhere(data: st.DataObject):
    playout = played("match_five", data.draw(st.integers(0, 9)))
    at = data.draw(st.sampled_from(playout.running))
    me = Seat(data.draw(st.integers(0, playout.seats - 1)))
    pool = [*at.bag, *(tile for seat, hand in enumerate(at.hands) if seat != me for tile in hand)]
    pool = data.draw(st.permutations(pool))
    hands, rest = [], list(pool)
    for seat, hand in enumerate(at.hands):
        if seat == me:
            hands.append(hand)
        else:
            hands.append(tuple(rest[: len(hand)]))
            rest = rest[len(hand) :]
    drawn = tuple(d if seat == me else tuple(hands[seat][: len(d)]) for seat, d in enumerate(at.drawn))
    twin = msgspec.structs.replace(at, hands=tuple(hands), bag=tuple(sorted(rest)), drawn=drawn)
    assert to_json(GAME.view(at, me)) == to_json(GAME.view(twin, me))
    assert to_json(GAME.view(at, None)) == to_json(GAME.view(twin, None))
    assert GAME.deadlines(at) == GAME.deadlines(twin)
    assert list(GAME.legal(at, me)) == list(GAME.legal(twin, me))


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_search_finds_every_single_tile_that_the_board_takes_and_scores_plays_right(data: st.DataObject):
    playout = played("match_five", data.draw(st.integers(0, 9)))
    at = data.draw(st.sampled_from(playout.running))
    hand = data.draw(st.lists(st.sampled_from([*TILES, WILD]), min_size=1, max_size=5))
    board = Board(at.stones)
    one_line = at.options.placement == "one_line"
    found = list(plays(Places(board, 10), hand, one_line=one_line))
    assert [one.points for one in found] == sorted((one.points for one in found), reverse=True)
    singles = {
        (one.layings[0].tile, one.layings[0].x, one.layings[0].y, one.layings[0].level, one.layings[0].wild_as)
        for one in found
        if len(one.layings) == 1
    }
    if at.stones:
        for tile in set(hand) - {WILD}:
            for x in range(min(s.x for s in at.stones) - 1, max(s.x for s in at.stones) + 2):
                for y in range(min(s.y for s in at.stones) - 1, max(s.y for s in at.stones) + 2):
                    for level in range(1, 7):
                        try:
                            board.check(Stone(x, y, level, tile))
                        except IllegalPlacement:
                            assert (tile, x, y, level, None) not in singles
                        else:
                            assert (tile, x, y, level, None) in singles
    for one in data.draw(st.permutations(found))[:20]:
        hands = (tuple(hand), *at.hands[1:])
        there = msgspec.structs.replace(at, hands=hands, phase=Playing(A))
        event = decide(there, A, Play(one.layings))[0]
        assert isinstance(event, Played) and event.points == one.points


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_may_be_done_is_found_from_the_own_view_alone(data: st.DataObject):
    playout = played("match_five", data.draw(st.integers(0, 9)))
    at = data.draw(st.sampled_from(playout.states))
    assert GAME.legal_from_view is not None
    for seat in map(Seat, range(playout.seats)):
        assert list(GAME.legal_from_view(GAME.view(at, seat))) == list(GAME.legal(at, seat))
    assert list(GAME.legal_from_view(GAME.view(at, None))) == []


def test_plays_whose_tiles_share_no_line_are_offered_where_they_are_allowed():
    board = "r3@0,0,1 r2@1,0,1 r1@2,0,1"
    hands = ("r4 b2 g3", "b1")
    for placement, wanted in (("free", True), ("one_line", False)):
        at = state(board, hands, placement=placement)
        several = [one for one in GAME.legal(at, A) if isinstance(one, Play) and len(one.layings) == 3]
        apart = [
            one for one in several if not any(len({getattr(laid, way) for laid in one.layings}) == 1 for way in "xy")
        ]
        assert bool(apart) == wanted
        for one in several:
            decide(at, A, one)


@pytest.mark.parametrize(("x", "y"), [(1_000_000, 0), (-1_000_000, 0), (0, 1_000_000), (0, -1_000_000)])
def test_at_the_edge_of_the_board_nothing_is_offered_or_done_beyond_it(x: int, y: int):
    at = state(f"r3@{x},{y},1 r2@{x - (x > 0) + (x < 0)},{y - (y > 0) + (y < 0)},1", ("r1 r4 r5 b3 y2", "b1"))
    plays_there = [one for one in GAME.legal(at, A) if isinstance(one, Play)]
    assert plays_there
    for one in plays_there:
        assert max(abs(number) for laid in one.layings for number in (laid.x, laid.y)) <= 1_000_000
        decide(at, A, one)
    (deadline,) = GAME.deadlines(at)
    assert isinstance(decide(at, None, Expire(deadline.id), deadline.due)[1], Played)


def test_the_play_of_most_points_is_offered_first():
    at = state("r3@0,0,1 r2@1,0,1 r1@2,0,1 r5@3,0,1", ("r4 b3 y3 o3 g3", "b1"))
    best = next(GAME.legal(at, A))
    assert isinstance(best, Play)
    # Red 4 fills the row: 15 and 10. The other threes lie in two stacks side by side, one of them on red 3: 9 and 6,
    # and 6 for each of the two levels.
    assert points(at, " ".join(f"{one.tile}@{one.x},{one.y},{one.level}" for one in best.layings)) == 52


def test_the_score_sheet_lists_every_line_as_it_was_scored():
    told: list[Line] = []
    for step in (step for seed in range(3) for step in played(GAME.key, seed).steps):
        for event in step.events:
            if isinstance(event, Played):
                told += step.state.turns[-1].lines
                assert step.state.turns[-1].lines == event.lines
                assert step.state.turns[-1].fives == sum(line.bonus > 0 for line in event.lines)
    assert {line.axis for line in told} == {"x", "y", "stack"} and {line.bonus for line in told} >= {0, 10}
    assert any(min(spot) < 0 for line in told for spot in line.spots)


def test_a_tile_is_kept_once_however_many_look_like_it_in_a_game_that_is_read():
    events = play(GAME, 1, seats=2, options=MatchFiveOptions(clock=0)).events
    read = GAME.fold([GAME.read_event(to_json(event)) for event in events])
    assert read == GAME.fold(events)
    tiles = [stone.tile for stone in read.stones]
    assert len(tiles) > 100 and len({id(tile) for tile in tiles}) == len(set(tiles)) == len(TILES)


@pytest.mark.parametrize("seats", GAME.player_counts)
@pytest.mark.parametrize("copies", [3, 5])
def test_every_random_game_ends(seats: int, copies: Literal[3, 5]):
    for seed in range(2):
        playout = play(GAME, seed, seats=seats, options=MatchFiveOptions(copies=copies, clock=60))
        assert playout.outcome.reason in ("last-tile", "passes", "idle")
