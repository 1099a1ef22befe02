"""What every review contains: grades, accuracy, turning points and questions; and that it is reproducible."""

import pickle

import msgspec
import pytest

from engine.contract import Seat, to_json
from engine.games.rope_wall import GAME, Push, Resign, RopeWallOptions
from engine.review import Decision, JudgedDecision, Point, Review, grade, share_lost, tallies
from engine.review.moments import best_move, moments, turning_points
from engine.review.review_questions import as_questions, questions, review
from engine.review.rope_wall import REVIEWER
from tools.harness.playouts import Playout, deeds, play


def judged(step: int, seat: int, lost: float) -> JudgedDecision:
    return JudgedDecision(step, Seat(seat), "{}", 0.5, 0.5 + lost)


def of(*decisions: JudgedDecision, last: int = 100) -> Review:
    return Review((Point(0, (0.5, 0.5)), Point(last, (1.0, 0.0))), decisions)


@pytest.mark.parametrize(
    ("lost", "name"),
    [
        (0.0, None),
        (0.0499, None),
        (0.05, "inaccuracy"),
        (0.0999, "inaccuracy"),
        (0.1, "mistake"),
        (0.1499, "mistake"),
        (0.15, "blunder"),
        (1.0, "blunder"),
    ],
)
def test_five_ten_and_fifteen_points_are_an_inaccuracy_a_mistake_and_a_blunder(lost: float, name: str | None):
    assert grade(lost) == name


@pytest.mark.parametrize(
    ("played", "best", "name"),
    [
        (0.50, 0.544, None),  # displayed as 50 and 54 of a hundred
        (0.50, 0.546, "inaccuracy"),  # shown as 50 and 55, which agrees with "5 more"
        (0.504, 0.554, "inaccuracy"),
        (0.506, 0.554, None),  # 51 and 55
        (0.50, 0.594, "inaccuracy"),
        (0.50, 0.596, "mistake"),
        (0.50, 0.644, "mistake"),
        (0.50, 0.646, "blunder"),
        (0.60, 0.50, None),
    ],
)
def test_a_decision_is_called_what_the_chances_that_people_read_make_of_it(
    played: float, best: float, name: str | None
):
    assert JudgedDecision(1, Seat(0), "{}", played, best).grade == name


def weighed(lost: float, by_lot: float | None) -> JudgedDecision:
    return JudgedDecision(1, Seat(0), "{}", 0.8 - lost, 0.8, lot=None if by_lot is None else 0.8 - by_lot)


@pytest.mark.parametrize(
    ("decisions", "share"),
    [
        ([], None),
        ([(0.0, 0.1)], 0),
        ([(0.1, 0.1)], 1),
        ([(0.05, 0.1)], 0.5),
        ([(0.3, 0.1)], 3),  # worse than random choices
        ([(0.1, 0.1), (0.0, 0.3)], 0.25),  # a decision counts by what depends on it
        ([(0.1, 0.2), *[(0.0, 0.0)] * 50], 0.5),  # with equally good choices, none counts
        ([(0.0, 0.02), (0.0, 0.02)], None),
        ([(0.4, None), (0.0, 0.1)], 0),  # the average of random choices is unknown
    ],
)
def test_the_share_lost_is_measured_by_what_lots_would_have_given_away(
    decisions: list[tuple[float, float | None]], share: float | None
):
    found = share_lost([weighed(*one) for one in decisions])
    assert found == (None if share is None else pytest.approx(share))


def test_playing_better_than_the_review_loses_nothing():
    assert judged(1, 0, -0.2).lost == 0 and judged(1, 0, -0.2).grade is None


def test_tallies_count_each_seats_own_slips():
    first, second = tallies(of(judged(1, 0, 0.2), judged(2, 1, 0.11), judged(3, 0, 0.06), judged(4, 0, 0.0)), None)
    assert (first.decisions, first.blunders, first.mistakes, first.inaccuracies) == (3, 1, 0, 1)
    assert (second.decisions, second.blunders, second.mistakes, second.inaccuracies) == (1, 0, 1, 0)


def test_turning_points_are_the_three_worst_decisions_in_their_order():
    slips = ((9, 0.1), (40, 0.4), (60, 0.2), (80, 0.3))
    found = turning_points(of(*(judged(step, step % 2, lost) for step, lost in slips)))
    assert [one.step for one in found] == [40, 60, 80]


def test_what_one_overlooks_twice_in_a_row_is_one_turning_point_but_what_both_overlook_is_two():
    found = turning_points(of(judged(40, 0, 0.4), judged(43, 0, 0.3), judged(42, 1, 0.2)))
    assert [one.step for one in found] == [40, 42]


def test_a_game_without_slips_has_no_turning_point():
    assert turning_points(of(judged(1, 0, 0.0199), judged(2, 1, 0.0))) == ()


def test_a_seats_moments_are_its_own_three_worst_decisions_the_worst_first():
    slips = ((9, 0, 0.1), (40, 0, 0.4), (50, 1, 0.9), (60, 0, 0.2), (80, 0, 0.3))
    assert [one.step for one in moments(of(*(judged(*slip) for slip in slips)), Seat(0))] == [40, 80, 60]


def with_better(step: int, lost: float) -> JudgedDecision:
    return msgspec.structs.replace(judged(step, 0, lost), better="[]")


def test_the_closest_call_is_the_moment_of_a_player_without_slips():
    review = of(with_better(3, 0.004), with_better(5, 0.012), judged(7, 0, 0.015), judged(8, 1, 0.5))
    assert [one.step for one in moments(review, Seat(0))] == [5]
    assert moments(of(judged(1, 0, 0.0)), Seat(0)) == ()


def test_the_best_move_gained_most_over_a_random_choice_and_was_no_slip():
    decisions = [(1, 0.0, 0.1), (2, 0.01, 0.3), (3, 0.06, 0.5), (4, 0.0, None)]
    review = of(*(msgspec.structs.replace(weighed(lost, lot), step=step) for step, lost, lot in decisions))
    best = best_move(review, Seat(0))
    assert best is not None and best.step == 2 and best_move(review, None) == best
    assert best_move(review, Seat(1)) is None
    assert best_move(of(weighed(0.0, 0.01)), Seat(0)) is None


@pytest.fixture(scope="module")
def wall() -> Playout:
    return play(GAME, 3, options=RopeWallOptions(), lapses=0.0)


def test_what_is_asked_crosses_the_border_as_the_view_that_the_seat_had_then(wall: Playout):
    asked = questions(GAME, wall.states, deeds(wall))
    for where, one in zip(asked, as_questions(GAME, wall.states, asked), strict=True):
        step, seat, deed = where
        state = wall.states[step if deed is None else step - 1]
        assert one.view == to_json(GAME.view(state, seat)) and one.step == step


def test_resigning_being_ready_and_the_clock_are_no_decisions(wall: Playout):
    extra = [*deeds(wall), Decision(1, Seat(0), Resign()), Decision(1, None, Push(1, "left"))]
    pushes = sum(isinstance(one.action, Push) and one.seat is not None for one in deeds(wall))
    asked = [deed for _, _, deed in questions(GAME, wall.states, extra) if deed is not None]
    assert 0 < pushes <= len(asked) and all(type(one.action).__name__ in ("Push", "ChooseExits") for one in asked)


def test_a_review_is_the_same_each_time_and_ends_as_the_game_did(wall: Playout):
    cut = wall.states[:6] + wall.states[-1:]
    some = [one for one in deeds(wall) if one.step <= 5] + [Decision(6, None, None)]
    first = review(GAME, REVIEWER, cut, some)
    assert review(GAME, REVIEWER, cut, some) == first
    assert first.points[0].step == 0 and first.points[-1].step == 6
    assert first.points[-1].chances == tuple(float(place == 1) for place in wall.outcome.places)
    assert [one.step for one in first.judged] == [1, 2, 3, 4, 5]
    assert all(0 <= one.played <= one.best <= 1 for one in first.judged)


def test_a_reviewer_crosses_to_another_process():
    assert pickle.loads(pickle.dumps(REVIEWER)) == REVIEWER
