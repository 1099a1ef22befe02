"""Rules of the whole tree that neither the linter nor the import contracts in `pyproject.toml` can express."""

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

HOUSE = Path(__file__).resolve().parents[1]
OURS = ("bot", "cogs", "data", "engine", "sandbox", "tests", "tools")
STANDARD = frozenset(sys.stdlib_module_names)
ENGINE_OUTSIDE = STANDARD | {"msgspec"}

# Files, clocks, threads, the network and other processes are not for the engine; nor is anything asynchronous.
# fmt: off
NOT_FOR_THE_ENGINE = frozenset(
    [
        "asyncio", "builtins", "concurrent", "ctypes", "datetime", "glob", "http", "importlib", "io",
        "logging", "multiprocessing", "os", "pathlib", "pickle", "secrets", "select", "selectors", "shelve",
        "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading",
        "time", "urllib", "uuid", "zoneinfo",
    ]
)
# fmt: on
NOT_CALLED_IN_THE_ENGINE = frozenset({"open", "print", "input", "exec", "eval", "compile", "__import__", "globals"})


def modules(*parts: str) -> list[Path]:
    found: list[Path] = []
    for part in parts:
        single = HOUSE / f"{part}.py"
        found += [single] if single.exists() else sorted((HOUSE / part).rglob("*.py"))
    return found


def name_of(path: Path) -> str:
    """The dotted name of a module of ours."""
    parts = path.relative_to(HOUSE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(text(path), filename=path.name)


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


@cache
def head(path: Path) -> str:
    """The docstring with which a module opens, empty where it has none."""
    return ast.get_docstring(syntax(path)) or ""


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Every module or member of one that is imported anywhere in the file, by its full dotted name."""
    return tuple(imported_by(syntax(path), path.relative_to(HOUSE).parent.parts))


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
        assert not outside & NOT_FOR_THE_ENGINE, path
        calls = [node.func for node in ast.walk(syntax(path)) if isinstance(node, ast.Call)]
        assert not {call.id for call in calls if isinstance(call, ast.Name)} & NOT_CALLED_IN_THE_ENGINE, path
        assert not any(isinstance(node, awaited) for node in ast.walk(syntax(path))), path


def test_the_engine_draws_only_from_what_it_is_given():
    """`random.Random` may be named, as the type of what a computer player is handed; the global generator may not."""
    for path in ENGINE:
        for node in ast.walk(syntax(path)):
            if isinstance(node, ast.ImportFrom) and node.module == "random":
                assert [alias.name for alias in node.names] == ["Random"], path
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
                assert node.attr == "Random", path
            if isinstance(node, ast.Import):
                assert not any(alias.name == "random" and alias.asname for alias in node.names), path
        rules = not any(inside(name_of(path), part) for part in ("engine.players", "engine.puzzles", "engine.review"))
        assert not (rules and "random" in {name.split(".")[0] for name in imports(path)}), path


def test_the_sandbox_stands_on_aiohttp_and_the_standard_library():
    for path in modules("sandbox"):
        assert not {name.split(".")[0] for name in imports(path)} - STANDARD - {"aiohttp", "sandbox"}, path


def test_bot_py_imports_neither_tools_nor_tests():
    """The import contracts cover packages only."""
    assert not {name.split(".")[0] for name in imports(HOUSE / "bot.py")} & {"tests", "tools"}


def test_a_module_opens_by_saying_what_it_is_for():
    assert [name_of(path) for path in modules(*OURS) if not head(path)] == []


@pytest.mark.parametrize(("driver", "room"), [("aiosqlite", "data.store.sqlite"), ("psycopg", "data.store.postgres")])
def test_each_driver_of_a_database_is_known_in_its_own_room_alone(driver: str, room: str):
    known = {name_of(path) for path in PRODUCT if driver in {name.split(".")[0] for name in imports(path)}}
    assert known and all(inside(name, room) for name in known)


WRITTEN = (".py", ".toml", ".md", ".sql", ".html", ".js", ".css", ".txt", ".yml", ".yaml", ".example", "")
PRIVATE_PATH = re.compile("(?<![A-Za-z0-9_.~-])/" + "(?:home|root|Users|work)/[A-Za-z0-9_]")


def files() -> Iterator[Path]:
    """Our files of text: those at the top and in our folders, without what tools leave behind."""
    for path in HOUSE.iterdir():
        if path.is_file() and path.name not in (".env", ".git"):
            yield path
    for folder in OURS:
        for path in (HOUSE / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def test_no_file_knows_the_machine_it_was_written_on():
    guilty = [
        path.relative_to(HOUSE).as_posix()
        for path in files()
        if path.suffix in WRITTEN and PRIVATE_PATH.search(text(path))
    ]
    assert not guilty


def knows_games(path: Path, key: str) -> bool:
    """Whether a file is one of those that may name this game: the rules, its material, its cog, the one list, a text
    for people.
    """
    own = (f"data/{key}.toml", "cogs/registry.py")
    where = path.relative_to(HOUSE).as_posix()
    return where in own or where.startswith(("engine/", "tests/", "tools/", f"cogs/{key}/")) or path.suffix == ".md"


@pytest.mark.parametrize("key", GAMES)
def test_only_its_own_files_and_the_one_list_name_a_game(key: str):
    name = re.compile(f"(?<![A-Za-z0-9_]){key}(?![A-Za-z0-9_])")
    guilty = [
        path.relative_to(HOUSE).as_posix()
        for path in files()
        if path.suffix in WRITTEN and not knows_games(path, key) and name.search(text(path))
    ]
    assert not guilty


def test_the_house_plays_every_game_that_the_engine_knows_with_its_own_players():
    assert {package.game.key: package.game for package in PACKAGES} == GAMES
    assert {package.game.key: package.bots for package in PACKAGES} == BOTS


def test_who_serves_every_game_is_given_the_games_and_reads_no_list_of_the_engines():
    lists = {"engine.games.GAMES", "engine.players.registry.BOTS"}
    assert [name_of(path) for path in modules("bot", "cogs", "data") if lists & set(imports(path))] == []


def functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The public functions of a module, and the public methods of its public classes."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from functions(node.body)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node


def raised(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names of what a function's own body raises: not what it passes on (`raise` alone), nor what is raised where
    the function itself handles it.
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


def tells_elsewhere(function: ast.FunctionDef | ast.AsyncFunctionDef, names: set[str]) -> bool:
    """Whether what a function raises needs no word of its own.

    Whatever serves an interaction refuses it with a `UserError`, which one handler tells; `press` of every screen does
    what `GameUI` says, and what serves a route of the sandbox what `Handler` says; an `AssertionError` is not meant to
    be raised at all.
    """
    arguments = [argument.arg for argument in function.args.args]
    routed = arguments == ["call"] and function.returns is not None and ast.unparse(function.returns) == "Reply"
    answered = "interaction" in arguments and names == {"UserError"}
    return function.name == "press" or routed or answered or names == {"AssertionError"}


def says(docstring: str, names: set[str]) -> bool:
    """Whether a docstring says what is raised: each error by its name, or the root of the store's; those that a
    function of ours makes, in any words.
    """
    errors = [name for name in names if name[0].isupper()]
    told = "StoreError" in docstring or all(name in docstring for name in errors)
    return told and re.search("[Rr]aise", docstring) is not None


def test_a_public_function_that_raises_says_what():
    silent = [
        (name_of(path), function.name, names)
        for path in PRODUCT
        for function in functions(syntax(path).body)
        if (names := raised(function)) and not tells_elsewhere(function, names)
        if not says(ast.get_docstring(function) or "", names)
    ]
    assert silent == []


def test_no_text_that_somebody_reads_is_cut_without_an_ellipsis():
    """`cut` and `shortened` say that something is left out."""
    found = []
    for path in modules("cogs"):
        for node in ast.walk(syntax(path)):
            shown = node.value if isinstance(node, ast.FormattedValue) else node
            if not isinstance(shown, ast.Subscript) or not isinstance(shown.slice, ast.Slice):
                continue
            upper = shown.slice.upper
            long = isinstance(upper, ast.Constant) and isinstance(upper.value, int) and upper.value >= 10
            if isinstance(shown.value, ast.JoinedStr) or (shown is not node and long):
                found.append(f"{path.relative_to(HOUSE)}:{shown.lineno}")
    assert not found
