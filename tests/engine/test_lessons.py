"""Lessons: positions reached by the rules, scripted chance, and scripts that cannot be played."""

import pytest

from engine.contract import Refusal, Seat
from engine.games import break_out, prison_break, rope_wall
from engine.games.rope_wall import Push
from engine.lessons import Course, Lesson, Scene, ScriptError, Step, Wrong, matches
from tools.harness.playouts import material

L2 = {"do": "push", "floor": 2, "side": "left"}


def walled(*steps: Step) -> Course:
    """Return a lesson of the Rope Wall."""
    return Course(rope_wall.GAME, material(rope_wall.GAME), Lesson(("Vera",), steps, "The end."))


def pushing(**more: object) -> Step:
    """Return a step that asks for L2."""
    return Step(**{"say": "Push L2.", "right": (L2,), "otherwise": "Push L2.", **more})  # type: ignore[arg-type]  # fields of Step


def test_a_step_without_a_scene_is_where_the_right_move_and_the_answers_to_it_have_led():
    course = walled(pushing(scene=Scene(rolls=(0,)), after=({"seat": 1, **L2},)), pushing())
    wall = rope_wall.GAME.view(course.position(1).state, Seat(0)).wall
    assert wall[1] == (Seat(1), Seat(0), None, None, None)


def test_a_scene_begins_the_game_again():
    course = walled(pushing(scene=Scene(rolls=(0,))), pushing(scene=Scene(rolls=(1,), moves=({"seat": 1, **L2},))))
    view = rope_wall.GAME.view(course.position(1).state, Seat(0))
    assert view.wall[1] == (Seat(1), None, None, None, None) and view.to_act == (Seat(0),)


def test_dice_show_and_cards_lie_as_they_are_written_down():
    orders = (("b1", "b2"), ("v7", "v6"))
    step = Step("Draw.", Scene(orders=orders), ({"do": "draw"},), otherwise="Draw.")
    course = Course(break_out.GAME, material(break_out.GAME), Lesson(("Vera",), (step,), "The end."))
    state = course.position(0).state
    assert state.turn == Seat(0) and {"v7", "v6"} <= set(state.hands[0])
    step = Step("See who is the Warden.", Scene(rolls=(2, 5)))
    course = Course(prison_break.GAME, material(prison_break.GAME), Lesson(("Vera",), (step,), "The end."))
    assert course.position(0).state.warden == Seat(1)


def test_the_rules_own_windows_close_when_their_time_has_come():
    """A call is settled after the tie period, as at a table."""
    orders = (("b1", "b2"), ("r2", "r3", "r4", "b5", "b6", "b7", "g1", "y1", "y3", "o6"))
    bluff = {"seat": 1, "do": "lay", "cards": [{"face": "y1"}, {"face": "y3"}, {"face": "o6"}]}
    step = Step(
        "Say NEXT.",
        Scene(orders=orders, moves=({"seat": 0, "do": "draw"},)),
        ({"do": "next"},),
        after=(bluff, {"seat": 1, "do": "next"}, {"wait": 1_000}),
        otherwise="Say NEXT.",
    )
    call = Step("Call.", None, ({"do": "call", "kind": "meld"},), after=({"wait": 2_500},), otherwise="Call.")
    look = Step("See.")
    course = Course(break_out.GAME, material(break_out.GAME), Lesson(("Vera",), (step, call, look), "The end."))
    assert course.position(1).state.turn == Seat(0)
    assert break_out.GAME.view(course.position(2).state, Seat(0)).catcher == Seat(0)


def test_a_move_is_asked_for_by_the_fields_that_a_step_names():
    course = walled(pushing(scene=Scene(rolls=(0,)), right=({"do": "push", "floor": 2},), shown=L2))
    assert course.asked(0, Push(2, "right")) and course.asked(0, Push(2, "left"))
    assert not course.asked(0, Push(3, "left"))
    assert course.shown(0) == Push(2, "left")


def test_a_remark_fits_the_move_and_others_get_the_common_one():
    wrong = Wrong({"do": "push", "floor": 5}, "That is the top.")
    course = walled(pushing(scene=Scene(rolls=(0,)), wrong=(wrong,)))
    assert course.remark(0, Push(5, "right")) == "That is the top."
    assert course.remark(0, Push(1, "right")) == "Push L2."


def test_a_move_that_the_rules_refuse_is_refused():
    course = walled(pushing(scene=Scene(rolls=(0,))))
    with pytest.raises(Refusal):
        course.tried(0, Push(9, "left"))


def test_lists_of_words_match_in_any_order_and_what_is_not_named_is_free():
    assert matches({"colours": ["red", "blue"], "white": True}, {"colours": ["blue", "red"]})
    assert not matches({"colours": ["red"]}, {"colours": ["blue", "red"]})
    assert matches({"cards": [{"face": "r2", "stands": None}]}, {"cards": [{"face": "r2"}]})
    assert not matches({"cards": [{"face": "r2"}, {"face": "r3"}]}, {"cards": [{"face": "r2"}]})


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (pushing(), "the first step needs a scene"),
        (pushing(scene=Scene(rolls=(0,)), otherwise=""), "nothing to say"),
        (pushing(scene=Scene(rolls=(1,))), "not-your-turn"),
        (pushing(scene=Scene(rolls=(0, 1))), "more of its chance"),
        (pushing(scene=Scene(rolls=(0,)), shown={"do": "push", "floor": 3, "side": "left"}), "none of the moves"),
        (pushing(scene=Scene(rolls=(0,), moves=({"seat": 1, **L2},))), "not-your-turn"),
        (pushing(scene=Scene(rolls=(0,)), right=({"do": "fly"},)), "no action of the game"),
    ],
)
def test_a_script_that_cannot_be_played_says_which_step_and_why(step: Step, why: str):
    with pytest.raises(ScriptError, match=why):
        walled(step)


def test_a_card_that_is_not_there_cannot_lie_where_it_is_wanted():
    step = Step("Draw.", Scene(orders=(("z9",),)), ({"do": "draw"},), otherwise="Draw.")
    with pytest.raises(ScriptError, match="there is no z9"):
        Course(break_out.GAME, material(break_out.GAME), Lesson(("Vera",), (step,), "The end."))
