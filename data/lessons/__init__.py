"""The lessons of the games, read from `<folder>/lessons/<key>.toml` and played through when the bot starts."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from data.material import FOLDER, MaterialError, load_material
from engine.contract import AnyGame
from engine.lessons import Course, Lesson, ScriptError, Step

LONGEST = 600
"""The most characters of a step's text, which is above the picture."""

LONGEST_REMARK = 300
"""The most characters of a remark on a move."""


@lru_cache(maxsize=16)
def written(game: AnyGame, folder: Path) -> tuple[Any, Course | None]:
    """Return a game's material, and its lesson if it has one, played through. Raises `MaterialError`."""
    material = load_material(game, folder)
    return material, load_lesson(game, material, folder)


def load_lesson(game: AnyGame, material: Any, folder: Path = FOLDER) -> Course | None:
    """Return a game's lesson, if it has one. Raises `MaterialError` if it cannot be read or played."""
    path = folder / "lessons" / f"{game.key}.toml"
    name = f"{folder.name}/lessons/{path.name}"
    if not path.exists():
        return None
    try:
        lesson = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Lesson, strict=True)
        for number, step in enumerate(lesson.steps, start=1):
            _check_texts(number, step)
        return Course(game, material, lesson)
    except OSError as error:
        raise MaterialError(f"{name} cannot be read ({error.strerror}): let the bot read {path}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError, ScriptError) as error:
        raise MaterialError(f"{name}: {error}; correct it, or put the shipped file back.") from error


def _check_texts(number: int, step: Step) -> None:
    remarks = (step.well, step.otherwise, *(wrong.say for wrong in step.wrong))
    if not 0 < len(step.say) <= LONGEST:
        raise ScriptError(f"step {number}: it says {len(step.say)} characters, and may say 1 to {LONGEST}")
    if any(len(words) > LONGEST_REMARK for words in remarks):
        raise ScriptError(f"step {number}: a remark is longer than {LONGEST_REMARK} characters")
