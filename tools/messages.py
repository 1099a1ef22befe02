"""Collect all sentences for translators, and update the catalogues in locales/: `make messages`.

`python -m tools.messages pt-BR` creates the catalogue of another language.
"""

import ast
import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.messages import Catalog, pofile

from cogs.core.i18n.languages import FOLDER, Languages
from cogs.core.i18n.translation import Language
from cogs.core.tables.options import meaning, option_description, option_fields
from cogs.registry import GAMES
from data.lessons import load_lesson
from data.material import load_material
from engine.contract import AnyGame
from tools.commands_page import command_tree

ROOT = Path(__file__).resolve().parents[1]

MARKS = {"_": 1, "N_": 1, "ngettext": 2}
"""The functions that mark sentences (`cogs.core.i18n.translation`), and how many forms each takes."""

COMPLETE = ("de", "fr")
"""The languages whose catalogues are complete, which the tests demand. Others show what they lack in English."""

COMMENT = "# Translators:"

SEVERAL = Languages([Language("de")])
"""More than one language: with English alone, there are no commands to choose one."""

Json = Mapping[str, Any]


def marked(source: str) -> Iterator[tuple[int, str | tuple[str, str], list[str]]]:
    """Yield the sentences that a module marks: the line, the sentence or its two forms, and the comments for
    translators above it.

    F-strings are included, which Babel's own extraction does not see before Python 3.12.
    """
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS):
            continue
        forms = [str(one.value) for one in node.args[: MARKS[node.func.id]] if isinstance(one, ast.Constant)]
        if len(forms) == MARKS[node.func.id]:
            above = lines[node.lineno - 2].strip() if node.lineno > 1 else ""
            comments = [above.removeprefix(COMMENT).strip()] if above.startswith(COMMENT) else []
            yield node.lineno, forms[0] if len(forms) == 1 else (forms[0], forms[1]), comments


def template() -> Catalog:
    """Return a catalogue of all sentences: those of the source, the commands, the lessons and the options."""
    catalogue = Catalog(project="Cellblock", charset="utf-8")
    for path in sorted((ROOT / "cogs").rglob("*.py")):
        for line, message, comment in marked(path.read_text(encoding="utf-8")):
            catalogue.add(message, locations=[(path.relative_to(ROOT).as_posix(), line)], auto_comments=comment)
    for command in asyncio.run(command_tree(SEVERAL)):
        for words, where in _described(command, f"/{command['name']}"):
            catalogue.add(words, auto_comments=[where])
    for game in (package.game for package in GAMES):
        course = load_lesson(game, load_material(game))
        assert course is not None
        sentences = [course.lesson.ending]
        for step in course.lesson.steps:
            sentences += step.say, step.well, step.otherwise, *(wrong.say for wrong in step.wrong)
        for words in filter(None, sentences):
            catalogue.add(words, auto_comments=[f"The lesson of {game.title}."])
        catalogue.add(
            game.title, auto_comments=["The title of a game; keep it if the game has no other in your language."]
        )
        for words in filter(None, _option_texts(game)):
            catalogue.add(words, auto_comments=[f"An option of {game.title}."])
    return catalogue


def _described(command: Json, path: str) -> Iterator[tuple[str, str]]:
    """Yield the descriptions and choices of a command and its options, with their location."""
    yield command["description"], f"Description of {path}; at most 100 characters."
    for option in command.get("options", ()):
        yield from _described(option, f"{path} {option['name']}")
    for choice in command.get("choices", ()):
        if choice["value"] in SEVERAL.codes:
            continue  # the name of a language is the same everywhere
        yield choice["name"], f"A choice of {path}; at most 100 characters."


def _option_texts(game: AnyGame) -> Iterator[str]:
    """Yield the titles, questions, values and meanings of a game's options. Clocks are counted where they are shown."""
    for entry in option_fields(game.options):
        yield from (entry.title, entry.asks, option_description(entry))
        for value in entry.values:
            shown = entry.value_text(value)
            yield "" if entry.name == "clock" or shown.isdecimal() else shown
            yield meaning(entry, value)


def path_of(code: str) -> Path:
    """Return the file of a language's catalogue."""
    return FOLDER / code.replace("-", "_") / "LC_MESSAGES" / "cellblock.po"


def read(path: Path, code: str) -> Catalog:
    """Return a catalogue, or an empty one for a new language. Raises `UnknownLocaleError` for an unknown language."""
    locale = Locale.parse(code, sep="-")
    if not path.exists():
        return Catalog(locale=locale, project="Cellblock", charset="utf-8")
    with path.open("rb") as file:
        return pofile.read_po(file, locale=locale)


def update(code: str, sentences: Catalog) -> str:
    """Update the catalogue of a language. Return how complete it is."""
    path = path_of(code)
    catalogue = read(path, code)
    if path.exists():
        sentences.creation_date = catalogue.creation_date  # a catalogue changes only if its sentences do
    catalogue.update(sentences, no_fuzzy_matching=False)
    written = BytesIO()
    pofile.write_po(written, catalogue, width=110, ignore_obsolete=True, include_lineno=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(written.getvalue())
    messages = [message for message in catalogue if message.id]
    done = sum(1 for message in messages if message.string and all(message.string) and not message.fuzzy)
    return f"{code}: {done} of {len(messages)} sentences ({done * 100 // max(1, len(messages))} %)"


def main(codes: Sequence[str]) -> int:
    """Update all catalogues, and create those that are named. Return the exit code."""
    known = sorted(path.parents[1].name.replace("_", "-") for path in FOLDER.glob("*/LC_MESSAGES/cellblock.po"))
    try:
        for code in codes:
            Locale.parse(code, sep="-")
    except (UnknownLocaleError, ValueError):
        print(f"There is no language {code!r}. Use one of Discord's locales, such as de or pt-BR.")
        return 2
    sentences = template()
    print(f"{len(sentences)} sentences in English")
    for code in dict.fromkeys((*known, *codes)):
        print(update(code, sentences))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
