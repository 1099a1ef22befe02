"""Sentences in the source: the strings of `cogs`, with `{…}` for inserted values, and the lessons of data/lessons."""

import ast
from collections.abc import Iterator
from pathlib import Path

from cogs.core.pages.game_ui import GameUI
from data.lessons import load_lesson
from data.material import load_material
from tools.words import sentences

ROOT = Path(__file__).resolve().parents[2]

LABELLED = {"Button", "SelectOption", "TextInput", "Link", "Modal", "Select", "PersonSelect", "Text", "OptionField"}
"""Calls whose string arguments people read even if they are single words."""

NOT_READ = {"TypeError", "ValueError", "AssertionError", "KeyError", "RuntimeError", "LookupError"}
"""Exceptions that only readers of the log see."""

NOT_SAID = {"log", "re", "struct", "getattr", "hasattr", "isinstance", "NewType", "TypeVar", "Literal", "getLogger"}


def modules() -> list[Path]:
    """Return the modules with texts that people read."""
    return sorted((ROOT / "cogs").rglob("*.py"))


def heading(path: Path) -> str:
    """Return the heading of a module's part of the list."""
    return path.relative_to(ROOT).as_posix()


def said(path: Path) -> Iterator[str]:
    """Yield the texts of a module."""
    yield from _of(ast.parse(path.read_text(encoding="utf-8")), False)


def _of(node: ast.AST, label: bool) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(words)):
            yield from _kept(words, label)
        case ast.JoinedStr(values=parts):
            yield from _kept("".join(_part(part) for part in parts), label)
            for part in parts:
                if isinstance(part, ast.FormattedValue):
                    yield from _of(part.value, False)
        case ast.Expr(value=ast.Constant()):
            return  # a docstring
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name))) if name in NOT_READ:
            return
        case ast.Call() if _name(node.func) in NOT_SAID or _root(node.func) in NOT_SAID:
            return
        case ast.Call():
            yield from _call(node)
        case ast.AnnAssign(value=value):
            if value is not None:
                yield from _of(value, False)
        case ast.arg() | ast.Import() | ast.ImportFrom():
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            for child in (*node.decorator_list, node.args, *node.body):
                yield from _of(child, False)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _of(child, False)


def _call(node: ast.Call) -> Iterator[str]:
    label = _name(node.func) in LABELLED
    for place, argument in enumerate(node.args):
        yield from _of(argument, label and place == 0)
    for keyword in node.keywords:
        yield from _of(keyword.value, keyword.arg in ("label", "placeholder", "description", "title"))
    yield from _of(node.func, False)


def _kept(words: str, label: bool) -> Iterator[str]:
    plain = words.strip()
    letters = any(sign.isalpha() for sign in plain.replace("{…}", ""))
    if letters and (label or " " in words) and not plain.startswith(("SELECT", "INSERT")):
        yield from (line.strip() for line in plain.split("\n") if any(sign.isalpha() for sign in line))


def _part(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else "{…}"


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _root(function: ast.expr) -> str:
    while isinstance(function, ast.Attribute):
        function = function.value
    return function.id if isinstance(function, ast.Name) else ""


def lesson_heading(ui: GameUI) -> str:
    """Return the heading of a lesson's part of the list."""
    return f"The lesson of {ui.game.title}"


def lesson_sentences(ui: GameUI) -> Iterator[str]:
    """Yield the sentences of a game's lesson."""
    course = load_lesson(ui.game, load_material(ui.game))
    assert course is not None
    yield from sentences(course.lesson.ending)
    for step in course.lesson.steps:
        for words in (step.say, step.well, step.otherwise, *(wrong.say for wrong in step.wrong)):
            yield from sentences(words)
