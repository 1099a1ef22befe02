"""What counts as a slip in Prison Break, and the final notes about lies and who believed them."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from engine.contract import Action, Seat
from engine.games.prison_break import GAME, Guard, PrisonBreakView, Sneak, Vote
from engine.players import Steps
from engine.players.prison_break.evaluation import choose
from engine.review import Decision, displayed_loss, grade, prison_break
from engine.review.prison_break import chance, noted, weigh
from tools.harness.playouts import Playout, deeds, play


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
    """Return the notes about seat 0's check of a space, when seat 1 has declared this much and is elsewhere."""
    state = playout.states[0]
    displayed_loss = msgspec.structs.replace(state.prisoners[1], declared=declared)
    before = msgspec.structs.replace(
        state, positions=(0, real), prisoners=(state.prisoners[0], displayed_loss), round=9
    )
    notes = noted([before, before], [Decision(1, Seat(0), Guard(space))])
    return [one.what for one in notes if one.what != "lies"]


@pytest.mark.parametrize(
    ("real", "declared", "space", "what"),
    [(3, 5, 5, ["believed"]), (3, 5, 3, ["seen-through"]), (5, 5, 5, []), (3, 5, 4, [])],
)
def test_a_check_where_a_lie_leads_believed_it_and_one_of_the_truth_saw_through_it(
    playout: Playout, real: int, declared: int, space: int, what: list[str]
):
    assert checked(playout, real=real, declared=declared, space=space) == what


def test_a_player_nearer_to_the_exit_is_likelier_to_win(playout: Playout):
    view = GAME.view(playout.states[0], Seat(0))
    near, far = (msgspec.structs.replace(view, positions=(place, None)) for place in (8, 1))
    assert chance(near, Random(0)) > chance(far, Random(0))


def by_hints(seed: int) -> Iterator[tuple[PrisonBreakView, Action]]:
    """Yield the views at which a seat sneaks or votes, with the action that a hint recommends."""
    for state in play(GAME, seed, seats=2, lapses=0.0).states:
        for seat in GAME.view(state, None).to_act:
            legal = list(GAME.legal(state, seat))
            if isinstance(legal[0], (Sneak, Vote)):
                view = GAME.view(state, seat)
                yield view, choose(view, legal, Steps(100), Random(1))


def lost(view: PrisonBreakView, action: Action) -> float:
    """Return the loss of chance of an action, as displayed."""
    found = weigh(view, action, Random(0))
    return 0.0 if found is None else displayed_loss(found.played, found.best)


def test_following_a_hint_is_never_a_slip(monkeypatch: pytest.MonkeyPatch):
    hinted = [one for seed in (*range(11), 50) for one in by_hints(seed)]
    assert all(grade(lost(*one)) is None for one in hinted)
    monkeypatch.setattr(prison_break, "_meant", lambda *_: ())  # the Master hides, and keeps its word, at a price
    slips = {type(action) for view, action in hinted if grade(lost(view, action)) is not None}
    assert slips == {Sneak, Vote}


def test_a_person_who_hides_as_a_hint_would_is_still_held_to_better_words():
    hides = [(view, action.move) for view, action in by_hints(81) if isinstance(action, Sneak)]
    words = [{word: lost(view, Sneak(word, move)) for word in range(view.longest_sneak + 1)} for view, move in hides]
    assert {0: 0.0, 1: 0.0, 2: pytest.approx(0.04)} in words
