"""Pages that few people see, in a pretended language whose sentences are all in brackets."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from cogs.core.i18n.pseudo import OPENS
from cogs.core.i18n.translation import present, speak, speaking
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Button, Modal, Page, Row
from cogs.core.pages.verification import DIFFERENCES, report_text, verdict
from cogs.core.publishing import components_v2
from cogs.learn.pages import LessonPages, ShownPage
from cogs.registry import GAMES
from cogs.replays.moment_page import ReviewedGame, moment_page, stops
from cogs.replays.review_page import notes_page, review_page, slips_page, working_page
from data.lessons import load_lesson
from data.material import load_material
from engine.contract import AnyGame, Seat
from engine.lessons import LEARNER
from engine.review import Review, Reviewer
from engine.review.review_questions import answer, as_questions, assemble, noted, questions
from engine.verify import Difference, OtherRules, Report
from tests.cogs.read_words import TERMS, missed, words_of
from tests.cogs.real_languages import Asked, foreign, problems_of, told
from tools.harness.environment import shipped
from tools.harness.pages import seated
from tools.harness.playouts import deeds, play

MOST_TRIED = 8
"""The number of legal moves tried per step of a lesson: one game has thousands."""

PEOPLE = ("Ann", "Ben", "Cleo", "Cora", "Vera", "Alcatraz")

LANGUAGES = shipped().others
"""The shipped languages except English."""

MOST_ASKED = {"rope_wall": 4}
"""The number of questions answered per review; those of a search are slow."""


@pytest.fixture(autouse=True)
def pretended() -> Iterator[None]:
    """Switch to the pretended language. At the end, every sentence that was looked up must be in the catalogues."""
    before, asked = present(), Asked()
    speak(asked.language)
    yield
    speak(before)
    assert asked.lacked() == []


def untranslated(page: Page | Modal) -> set[str]:
    """Return the untranslated words of a page."""
    if isinstance(page, Modal):
        return {word for field in page.fields for word in missed(f"{page.title}\n{field.label}")}
    body = {"components": components_v2.Layout(page, "1", 0).to_components()}
    read = list(words_of(body))
    assert any(OPENS in words for words in read)
    return {word for words in read for word in missed(words)} - TERMS


def verbs(page: Page) -> set[str]:
    rows = [block for block in page.blocks if isinstance(block, Row)]
    return {button.verb for row in rows for button in row.buttons if isinstance(button, Button)}


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
def test_every_step_of_every_lesson_is_translated(package: Any):
    course = load_lesson(package.game, load_material(package.game))
    assert course is not None
    room = LessonPages(package.ui(), course, "Ann")
    found = set[str]()

    def look(shown: ShownPage | Modal) -> None:
        found.update(untranslated(shown.page if isinstance(shown, ShownPage) else shown))

    for number, step in enumerate(course.lesson.steps):
        shown = room.step(number)
        look(shown)
        for verb in ("lesson-on", "lesson-do", "lesson-hint", "lesson-show", "nothing"):
            look(room.pressed(number, ComponentPress(0, shown.stamp, verb)))
        if step.right:
            state = course.position(number).state
            moves = [course.shown(number), *islice(course.game.legal(state, LEARNER), MOST_TRIED)]
            for action in moves:
                look(room._after_move(number, action))
    assert found == set()


def reviewed(game: AnyGame, reviewer: Reviewer, seed: int) -> tuple[Review, list[Any], Any]:
    """Return the review of a random game, its states and its options. Not every move need be judged."""
    done = play(game, seed, lapses=0.0)
    asked = questions(game, done.states, deeds(done))
    chances = [one for one in asked if one[0] == 0]
    judged = [one for one in asked if one[2] is not None][-MOST_ASKED.get(game.key, 30) :]
    put = as_questions(game, done.states, [*chances, *judged])
    notes = tuple(noted(reviewer, done.states, deeds(done)))
    review = assemble(game, done.states, put, [answer(reviewer, one) for one in put], notes)
    return review, done.states, (done.options, done.seats)


def pages_of(ui: Any, review: Review, states: list[Any], info: TableContext) -> Iterator[Page]:
    """Yield the pages of a review, including those of every point."""
    game = ReviewedGame(ui, review, states, info)
    yield review_page(game, Seat(0))
    yield slips_page(game)
    yield notes_page(game)
    for seat, reader in ((None, None), (Seat(0), Seat(0)), (Seat(1), None)):
        for number in range(1, len(stops(review, seat)) + 1):
            page = moment_page(game, number, seat, reader)
            assert page is not None
            yield page


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
def test_every_page_of_a_review_is_translated(package: Any):
    ui = package.ui()
    found, points = set[str](), 0
    for seed in range(2):
        review, states, (options, seats) = reviewed(package.game, ui.review.reviewer, seed)
        info = seated(options, seats, PEOPLE)
        for page in pages_of(ui, review, states, info):
            found |= untranslated(page)
            points += 1
        for language in LANGUAGES if seed == 0 else ():
            with speaking(language):
                for page in pages_of(ui, review, states, info):
                    assert foreign(told(page), language.code) == set() and problems_of(page) == ""
    assert points > 6
    assert found | untranslated(working_page(ui, 1, 0, 9)) | untranslated(working_page(ui, 1, 3, 9)) == set()


FACTS: dict[str, str | int] = {"number": 3, "bytes": 32, "error": "<error>", "game": "Alcatraz", "refusal": "<code>"}


@pytest.mark.parametrize("code", DIFFERENCES)
def test_every_difference_that_a_verification_finds_is_translated(code: str):
    difference = Difference(code, FACTS, '{"1":2}', '{"3":4}')
    for rules in (1, 2):
        report = Report(9, 8, rules, 1, difference)
        assert missed(f"{verdict(report)} {report_text(report)}") == []


@pytest.mark.parametrize("material", [False, True])
@pytest.mark.parametrize("other", [None, OtherRules(9, 9), OtherRules(9, 4)])
def test_every_other_result_of_a_verification_is_translated(other: OtherRules | None, material: bool):
    report = Report(9, 8, 1, 2, None, material, other)
    assert missed(f"{verdict(report)} {report_text(report)}") == []
    assert OPENS in verdict(report)
