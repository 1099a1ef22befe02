"""The lessons: every step played by right and wrong moves, on pages that Discord accepts."""

import itertools
from typing import Any

import pytest

from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.page import Button, Link, Modal, Page, Row, Text
from cogs.core.pages.phone_height import FITS, height
from cogs.core.publishing import components_v2
from cogs.learn.pages import EARLIER, NOT_KEPT, WELL, WRONG, LessonPages, ShownPage
from cogs.registry import GAMES
from data.lessons import load_lesson
from data.material import load_material
from engine.contract import Action
from engine.games.prison_break import Note
from engine.lessons import LEARNER
from sandbox.limits import Problems, check_message
from sandbox.limits.messages import MessageRules

MOST_TRIED = 60
"""The number of legal moves tried per step: one game has thousands."""


def lesson_pages(key: str) -> LessonPages:
    package = next(package for package in GAMES if package.game.key == key)
    course = load_lesson(package.game, load_material(package.game))
    assert course is not None
    return LessonPages(package.ui(), course, "Ann")


@pytest.fixture(scope="module")
def all_pages() -> dict[str, LessonPages]:
    return {package.game.key: lesson_pages(package.game.key) for package in GAMES}


KEYS = [package.game.key for package in GAMES]


def words(shown: ShownPage | Modal) -> str:
    assert isinstance(shown, ShownPage)
    return "\n".join(block.body for block in shown.page.blocks if isinstance(block, Text))


def legal(pages: LessonPages, number: int) -> list[Action]:
    state = pages.course.position(number).state
    return list(itertools.islice(pages.course.game.legal(state, LEARNER), MOST_TRIED))


def accepted(page: Page, lesson: str, stamp: int) -> None:
    """Raise for a page that Discord would refuse, or would have to shorten."""
    body = {"components": components_v2.Layout(page, lesson, stamp).to_components(), "flags": 1 << 15}
    problems = Problems()
    check_message(problems, body, MessageRules(lambda _: True, uploads=[one.name for one in page.pictures()]))
    assert not problems, problems.tree()
    fitting = list(components_v2.truncate(page))
    assert len(fitting) == len(page.blocks)
    assert not any(block.body.endswith("…") for block in fitting if isinstance(block, Text))


@pytest.mark.parametrize("key", KEYS)
def test_a_lesson_leads_from_its_first_step_to_its_end_by_the_moves_that_it_shows(
    all_pages: dict[str, LessonPages], key: str
):
    pages = all_pages[key]
    shown = pages.step(0)
    said = []
    for _ in range(4 * len(pages.course)):
        accepted(shown.page, f"{key}.{shown.step}", shown.stamp)
        assert height(shown.page) <= FITS + 18
        assert "<t:" not in words(shown)  # no clock runs here
        said.append(words(shown))
        if "You know how to play" in words(shown):
            break
        asked = [b.verb for row in shown.page.blocks if isinstance(row, Row) for b in row.buttons if hasattr(b, "verb")]
        verb = next(verb for verb in ("lesson-do", "lesson-on", "lesson-show") if verb in asked)
        found = pages.pressed(shown.step, ComponentPress(0, shown.stamp, verb))
        assert isinstance(found, ShownPage)
        shown = found
    assert pages.course.lesson.ending in said[-1]
    for step in pages.course.lesson.steps:
        assert all(any(part in page for page in said) for part in (*step.say.split("\n"), step.well))


@pytest.mark.parametrize("key", KEYS)
def test_every_right_move_of_a_step_is_taken_and_every_other_one_explained(all_pages: dict[str, LessonPages], key: str):
    pages = all_pages[key]
    tried = set()
    for number, step in enumerate(pages.course.lesson.steps):
        if not step.right:
            continue
        moves = [pages.course.shown(number), *legal(pages, number)]
        for action in moves:
            shown = pages._after_move(number, action)
            if pages.course.asked(number, action):
                assert f"{WELL} {step.well}" in words(shown)
                tried.add((number, True))
            else:
                assert shown.step == number and f"{WRONG} {pages.course.remark(number, action)}" in words(shown)
                assert step.say.split("\n")[-1] in words(shown)
                tried.add((number, False))
    steps = [number for number, step in enumerate(pages.course.lesson.steps) if step.right]
    assert {number for number, right in tried if right} == set(steps)
    assert len({number for number, right in tried if not right}) >= 3  # mistakes are possible, and are answered


@pytest.mark.parametrize("key", KEYS)
def test_every_remark_on_a_mistake_is_met_by_a_move_that_the_rules_allow(all_pages: dict[str, LessonPages], key: str):
    pages = all_pages[key]
    for number, step in enumerate(pages.course.lesson.steps):
        met = {pages.course.remark(number, action) for action in legal(pages, number)}
        bluffs = {wrong.say for wrong in step.wrong if wrong.when.get("do") in ("next", "call", "lay")}
        assert {wrong.say for wrong in step.wrong} - bluffs <= met


@pytest.mark.parametrize("key", KEYS)
def test_a_move_that_the_rules_refuse_is_explained_in_the_games_own_words(all_pages: dict[str, LessonPages], key: str):
    pages = all_pages[key]
    shown: dict[str, dict[str, Any]] = {
        "break_out": {"do": "lay", "cards": [{"face": "v1"}]},
        "match_five": {"do": "pass"},
        "ausbrecher": {"do": "resolve", "colour": "red"},
        "prison_break": {"do": "guard", "space": 2},
        "rope_wall": {"do": "push", "floor": 9, "side": "left"},
    }
    found = pages._after_move(0, pages.course._read(shown[key]))
    assert found.step == 0 and WRONG in words(found) and pages.course.lesson.steps[0].otherwise not in words(found)


def test_a_button_of_another_moment_shows_where_the_learner_is(all_pages: dict[str, LessonPages]):
    found = all_pages["rope_wall"].pressed(1, ComponentPress(0, 99, "push", "L2"))
    assert isinstance(found, ShownPage) and found.step == 1 and EARLIER in words(found)


def test_a_note_is_no_mistake_and_is_not_kept(all_pages: dict[str, LessonPages]):
    pages = all_pages["prison_break"]
    found = pages.pressed(0, ComponentPress(0, pages.step(0).stamp, "note"))
    assert isinstance(found, Modal)
    assert NOT_KEPT in words(pages._after_move(0, Note("They all lie.")))


def test_a_button_that_no_game_has_comes_to_a_sentence(all_pages: dict[str, LessonPages]):
    for pages in all_pages.values():
        found = pages.pressed(0, ComponentPress(0, pages.step(0).stamp, "no-such"))
        assert isinstance(found, ShownPage) and WRONG in words(found)


@pytest.mark.parametrize("key", KEYS)
def test_a_step_asks_for_a_move_only_if_the_learner_may_make_it(all_pages: dict[str, LessonPages], key: str):
    course = all_pages[key].course
    for number, step in enumerate(course.lesson.steps):
        view = course.game.view(course.position(number).state, LEARNER)
        may = LEARNER in view.to_act or (
            course.game.can_act_off_turn is not None and course.game.can_act_off_turn(view)
        )
        assert may or not step.right


def test_if_a_lesson_names_what_to_press_only_that_is_primary(all_pages: dict[str, LessonPages]):
    pages = all_pages["break_out"]
    assert pages.course.lesson.lit
    lit = [[one.label for one in pressable(pages, number) if stands_out(one)] for number in range(len(pages.course))]
    laid, called = ["Meld red 2 3 4 · −9 in hand"], [["MELD! ◆ Vera"], ["DRAW! ▲ Otto"]]
    assert lit[:3] == [["Take a card"], laid, ["NEXT"]]
    assert [lit[3], lit[5]] == called
    assert lit[7:] == [["Break out: blue 5 green 5 violet 5"], ["NEXT"]]


def pressable(pages: LessonPages, number: int) -> list[Button | Link]:
    """Return the buttons of a step's task."""
    return [one for row in pages.step(number, read=True).page.blocks if isinstance(row, Row) for one in row.buttons]


def stands_out(button: Button | Link) -> bool:
    return isinstance(button, Button) and button.style != "secondary" and not button.disabled
