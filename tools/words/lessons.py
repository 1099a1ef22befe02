"""The sentences of the lessons, as they stand in data/lessons."""

from collections.abc import Iterator

from cogs.core.pages.game_ui import GameUI
from data.lessons import load_lesson
from data.material import load_material
from tools.words import sentences


def heading(screen: GameUI) -> str:
    """Return the heading of a lesson's part of the list."""
    return f"The lesson of {screen.game.title}"


def taught(screen: GameUI) -> Iterator[str]:
    """Yield what is said in a game's lesson."""
    course = load_lesson(screen.game, load_material(screen.game))
    assert course is not None
    yield from sentences(course.lesson.ending)
    for step in course.lesson.steps:
        for words in (step.say, step.well, step.otherwise, *(wrong.say for wrong in step.wrong)):
            yield from sentences(words)
