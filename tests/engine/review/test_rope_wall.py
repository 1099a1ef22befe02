"""How pushes are evaluated: exactly where the search is certain, and weighted by the rounds to come."""

from random import Random

import msgspec
import pytest

from engine.contract import Seat
from engine.games.rope_wall import GAME, ChooseExits, Push, RopeWallView
from engine.review import Evaluation, rope_wall
from engine.review.rope_wall import AT_A_GLANCE, CLOSER, LOOK, REVIEWER, chance, weigh
from tools.harness.playouts import begin


def view(floors: str, *, turn: int = 0, freed: tuple[int, int] = (0, 0), seat: int | None = None) -> RopeWallView:
    """Return a wall from its floors, from the lowest: a for seat 0's knots, b for seat 1's."""
    started = GAME.view(begin(GAME, 1), Seat(turn))
    owners = {"a": Seat(0), "b": Seat(1), ".": None}
    wall = tuple(tuple(owners[sign] for sign in floor) for floor in floors.split())
    hands = tuple(13 - sum(row.count(Seat(owner)) for row in wall) for owner in (0, 1))
    return msgspec.structs.replace(
        started,
        seat=Seat(turn if seat is None else seat),
        turn=Seat(turn),
        to_act=(Seat(turn),),
        wall=wall,
        hands=hands,
        freed=freed,
    )


NEARLY = "aa... a.... a.... a.... ....."
"""One knot from the left into the highest floor is seat 0's link."""

EMPTY = "..... ..... ..... ..... ....."


def test_missing_an_immediate_link_is_a_slip_of_the_right_size():
    found = weigh(view(NEARLY), Push(1, "right"), Random(0))
    assert found is not None and found.better == Push(5, "left")
    assert found.why == "links" and found.facts == {"pushes": 1} and found.best - found.played > 0.1


def test_allowing_the_rivals_link_is_a_slip_that_says_when_it_comes():
    found = weigh(view(NEARLY, turn=1, freed=(2, 0)), Push(1, "right"), Random(0))
    assert found is not None and found.played == 0.0
    assert found.why == "allows" and found.facts == {"pushes": 1} and found.best > 0.05


def test_the_link_for_the_third_prisoner_is_the_whole_game():
    found = weigh(view(NEARLY, freed=(2, 2)), Push(5, "left"), Random(0))
    assert found is not None and found.best == found.played == 1.0


def test_both_chances_are_one_game():
    for wall in (view(EMPTY), view(EMPTY, turn=1)):
        mine = chance(wall, Random(0))
        theirs = chance(msgspec.structs.replace(wall, seat=Seat(1 - wall.seat)), Random(0))
        assert mine + theirs == pytest.approx(1) and 0.4 < mine < 0.6


def test_a_lead_of_two_prisoners_makes_a_win_likelier_than_a_lead_of_one():
    def ahead(mine: int) -> float:
        return chance(view(EMPTY, freed=(mine, 0)), Random(0))

    assert 0.55 < ahead(1) < ahead(2) < 1


def test_through_which_exit_a_prisoner_leaves_is_not_weighed():
    assert REVIEWER.weigh(view(EMPTY), ChooseExits((1,)), Random(0)) is None


@pytest.mark.parametrize(
    ("played", "best", "looks"),
    [(0.5, 0.544, [LOOK]), (0.5, 0.546, [LOOK, CLOSER]), (0.445, 0.495, [LOOK, CLOSER]), (0.5, 0.5, [LOOK])],
)
def test_a_decision_that_seems_a_slip_is_searched_more_deeply(
    played: float, best: float, looks: list[int], monkeypatch: pytest.MonkeyPatch
):
    asked: list[int] = []

    def seen(view: object, game: object, position: object, place: object, steps: int) -> Evaluation:
        asked.append(steps)
        return Evaluation(played, best)

    monkeypatch.setattr(rope_wall, "_weighed", seen)
    assert weigh(view(EMPTY), Push(1, "right"), Random(0)) is not None
    assert asked == [*looks, AT_A_GLANCE]
