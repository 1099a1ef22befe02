"""Test rules of the source tree that neither the linter nor the import contracts in `pyproject.toml` can express."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cogs.registry import GAMES as PACKAGES
from engine.games import GAMES
from engine.players.registry import BOTS

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("bot", "cogs", "data", "engine", "sandbox", "tests", "tools")
STANDARD = frozenset(sys.stdlib_module_names)
ENGINE_OUTSIDE = STANDARD | {"msgspec"}

# The engine uses no files, clocks, threads, network or processes, and nothing asynchronous.
# fmt: off
FORBIDDEN_IN_ENGINE = frozenset(
    [
        "asyncio", "builtins", "concurrent", "ctypes", "datetime", "glob", "http", "importlib", "io",
        "logging", "multiprocessing", "os", "pathlib", "pickle", "secrets", "select", "selectors", "shelve",
        "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading",
        "time", "urllib", "uuid", "zoneinfo",
    ]
)
# fmt: on
NOT_CALLED_IN_ENGINE = frozenset({"open", "print", "input", "exec", "eval", "compile", "__import__", "globals"})


def modules(*parts: str) -> list[Path]:
    found: list[Path] = []
    for part in parts:
        single = ROOT / f"{part}.py"
        found += [single] if single.exists() else sorted((ROOT / part).rglob("*.py"))
    return found


def module_name(path: Path) -> str:
    """Return the dotted name of a module of this project."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(text(path), filename=path.name)


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


@cache
def module_docstring(path: Path) -> str:
    """Return a module's docstring, or an empty string."""
    return ast.get_docstring(syntax(path)) or ""


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Return the full dotted names of all modules, or members of modules, that a file imports."""
    return tuple(imported_by(syntax(path), path.relative_to(ROOT).parent.parts))


def imported_by(module: ast.Module, package: tuple[str, ...]) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            near = package[: len(package) - node.level + 1] if node.level else ()
            source = ".".join([*near, *([node.module] if node.module else [])])
            yield from (f"{source}.{alias.name}" for alias in node.names)


def inside(name: str, part: str) -> bool:
    return name == part or name.startswith(part + ".")


PRODUCT = modules("bot", "cogs", "data", "engine", "sandbox")
ENGINE = modules("engine")


def test_the_engine_knows_no_discord_no_clock_no_file_and_no_network():
    awaited = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    for path in ENGINE:
        outside = {name.split(".")[0] for name in imports(path)} - {"engine"}
        assert not outside - ENGINE_OUTSIDE, path
        assert not outside & FORBIDDEN_IN_ENGINE, path
        calls = [node.func for node in ast.walk(syntax(path)) if isinstance(node, ast.Call)]
        assert not {call.id for call in calls if isinstance(call, ast.Name)} & NOT_CALLED_IN_ENGINE, path
        assert not any(isinstance(node, awaited) for node in ast.walk(syntax(path))), path


def test_the_engine_draws_only_from_what_it_is_given():
    """`random.Random` may be named as the type of what a computer player gets; the global generator may not be used."""
    for path in ENGINE:
        for node in ast.walk(syntax(path)):
            if isinstance(node, ast.ImportFrom) and node.module == "random":
                assert [alias.name for alias in node.names] == ["Random"], path
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
                assert node.attr == "Random", path
            if isinstance(node, ast.Import):
                assert not any(alias.name == "random" and alias.asname for alias in node.names), path
        rules = not any(
            inside(module_name(path), part) for part in ("engine.players", "engine.puzzles", "engine.review")
        )
        assert not (rules and "random" in {name.split(".")[0] for name in imports(path)}), path


def test_the_sandbox_uses_only_aiohttp_and_the_standard_library():
    for path in modules("sandbox"):
        assert not {name.split(".")[0] for name in imports(path)} - STANDARD - {"aiohttp", "sandbox"}, path


def test_bot_py_imports_neither_tools_nor_tests():
    """The import contracts cover packages only."""
    assert not {name.split(".")[0] for name in imports(ROOT / "bot.py")} & {"tests", "tools"}


def test_every_module_has_a_docstring():
    assert [module_name(path) for path in modules(*PARTS) if not module_docstring(path)] == []


@pytest.mark.parametrize(
    ("driver", "package"), [("aiosqlite", "data.store.sqlite"), ("psycopg", "data.store.postgres")]
)
def test_each_driver_of_a_database_is_imported_in_its_own_package_only(driver: str, package: str):
    known = {module_name(path) for path in PRODUCT if driver in {name.split(".")[0] for name in imports(path)}}
    assert known and all(inside(name, package) for name in known)


TEXT_SUFFIXES = (".py", ".toml", ".md", ".sql", ".html", ".js", ".css", ".txt", ".yml", ".yaml", ".example", "")
PRIVATE_PATH = re.compile("(?<![A-Za-z0-9_.~-])/" + "(?:home|root|Users|work)/[A-Za-z0-9_]")


def text_files() -> Iterator[Path]:
    """Yield the project's files: those at the top and in its packages, without generated ones."""
    for path in ROOT.iterdir():
        if path.is_file() and path.name not in (".env", ".git"):
            yield path
    for folder in PARTS:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def test_no_file_knows_the_machine_it_was_written_on():
    guilty = [
        path.relative_to(ROOT).as_posix()
        for path in text_files()
        if path.suffix in TEXT_SUFFIXES and PRIVATE_PATH.search(text(path))
    ]
    assert not guilty


def may_name_game(path: Path, key: str) -> bool:
    """Return True if a file may name this game: its own files, tests, tools, the registry, or documentation."""
    own = (f"data/{key}.toml", "cogs/registry.py")
    where = path.relative_to(ROOT).as_posix()
    return where in own or where.startswith(("engine/", "tests/", "tools/", f"cogs/{key}/")) or path.suffix == ".md"


@pytest.mark.parametrize("key", GAMES)
def test_only_its_own_files_and_the_one_list_name_a_game(key: str):
    name = re.compile(f"(?<![A-Za-z0-9_]){key}(?![A-Za-z0-9_])")
    guilty = [
        path.relative_to(ROOT).as_posix()
        for path in text_files()
        if path.suffix in TEXT_SUFFIXES and not may_name_game(path, key) and name.search(text(path))
    ]
    assert not guilty


def test_the_registry_has_every_game_of_the_engine_with_its_players():
    assert {package.game.key: package.game for package in PACKAGES} == GAMES
    assert {package.game.key: package.bots for package in PACKAGES} == BOTS


def test_code_for_every_game_is_given_the_games_and_reads_no_list_of_the_engine():
    lists = {"engine.games.GAMES", "engine.players.registry.BOTS"}
    assert [module_name(path) for path in modules("bot", "cogs", "data") if lists & set(imports(path))] == []


def functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the public functions of a module and the public methods of its public classes."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from functions(node.body)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node


def raised(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Return the names of the errors that a function's own body raises.

    Errors that it passes on (a bare `raise`) or handles itself are not included.
    """
    found, left = set[str](), list[ast.AST](function.body)
    while left:
        node = left.pop()
        if isinstance(node, ast.Raise) and node.exc is not None:
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            found.add(ast.unparse(raised).split(".")[-1])
        if isinstance(node, ast.Try) and node.handlers:
            left += [*node.handlers, *node.orelse, *node.finalbody]
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            left += ast.iter_child_nodes(node)
    return found


def is_documented_elsewhere(function: ast.FunctionDef | ast.AsyncFunctionDef, names: set[str]) -> bool:
    """Return True if a function need not document what it raises.

    What serves an interaction raises `UserError`, which one handler shows; `press` of a UI does what `GameUI`
    documents; routes of the sandbox do what `Handler` documents; an `AssertionError` should never be raised.
    """
    arguments = [argument.arg for argument in function.args.args]
    routed = arguments == ["call"] and function.returns is not None and ast.unparse(function.returns) == "Reply"
    answered = "interaction" in arguments and names == {"UserError"}
    return function.name == "press" or routed or answered or names == {"AssertionError"}


def documents(docstring: str, names: set[str]) -> bool:
    """Return True if a docstring documents the errors raised: each by name, or the root of the store's errors. Those
    that a function of this project creates may be described in any words.
    """
    errors = [name for name in names if name[0].isupper()]
    told = "StoreError" in docstring or all(name in docstring for name in errors)
    return told and re.search("[Rr]aise", docstring) is not None


def test_a_public_function_that_raises_says_what():
    silent = [
        (module_name(path), function.name, names)
        for path in PRODUCT
        for function in functions(syntax(path).body)
        if (names := raised(function)) and not is_documented_elsewhere(function, names)
        if not documents(ast.get_docstring(function) or "", names)
    ]
    assert silent == []


def test_no_text_that_people_read_is_cut_without_an_ellipsis():
    """`cut` and `shortened` show that something is left out."""
    found = []
    for path in modules("cogs"):
        for node in ast.walk(syntax(path)):
            shown = node.value if isinstance(node, ast.FormattedValue) else node
            if not isinstance(shown, ast.Subscript) or not isinstance(shown.slice, ast.Slice):
                continue
            upper = shown.slice.upper
            long = isinstance(upper, ast.Constant) and isinstance(upper.value, int) and upper.value >= 10
            if isinstance(shown.value, ast.JoinedStr) or (shown is not node and long):
                found.append(f"{path.relative_to(ROOT)}:{shown.lineno}")
    assert not found
