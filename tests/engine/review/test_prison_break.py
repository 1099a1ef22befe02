"""The lies of Prison Break, and who believed them, when all is known."""

from random import Random

import msgspec
import pytest

from engine.contract import Seat
from engine.games.prison_break import GAME, Guard, Sneak
from engine.review import Deed
from engine.review.prison_break import chance, noted
from tests.engine.playouts import Playout, deeds, play


@pytest.fixture(scope="module")
def playout() -> Playout:
    return play(GAME, 4, seats=2, lapses=0.0)


def test_sneaks_are_counted_and_those_that_went_elsewhere_than_was_said(playout: Playout):
    for seat in (0, 1):
        (note,) = [one for one in noted(playout.states, deeds(playout)) if one.what == "lies" and one.seat == seat]
        own = [step.action for step in playout.steps if step.seat == seat and isinstance(step.action, Sneak)]
        assert note.facts["sneaks"] == len(own) > 0
        assert note.facts["lies"] == sum(one.declare != one.move for one in own)


def checked(playout: Playout, *, real: int, declared: int, space: int) -> list[str]:
    """What is noted of a check of seat 0 on a space, where seat 1 has declared so many and stands elsewhere."""
    state = playout.states[0]
    told = msgspec.structs.replace(state.prisoners[1], declared=declared)
    before = msgspec.structs.replace(state, positions=(0, real), prisoners=(state.prisoners[0], told), round=9)
    notes = noted([before, before], [Deed(1, Seat(0), Guard(space))])
    return [one.what for one in notes if one.what != "lies"]


@pytest.mark.parametrize(
    ("real", "declared", "space", "what"),
    [(3, 5, 5, ["believed"]), (3, 5, 3, ["seen-through"]), (5, 5, 5, []), (3, 5, 4, [])],
)
def test_who_checks_where_a_lie_leads_believed_it_and_who_checks_the_truth_saw_through_it(
    playout: Playout, real: int, declared: int, space: int, what: list[str]
):
    assert checked(playout, real=real, declared=declared, space=space) == what


def test_who_is_nearer_to_the_exit_is_likelier_to_win(playout: Playout):
    view = GAME.view(playout.states[0], Seat(0))
    near, far = (msgspec.structs.replace(view, positions=(place, None)) for place in (8, 1))
    assert chance(near, Random(0)) > chance(far, Random(0))
