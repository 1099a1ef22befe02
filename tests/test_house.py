"""The house's own rules: who may import whom, what the engine may touch, and that every module says what it is for."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cogs.registry import GAMES as PACKAGES
from engine.games import GAMES
from engine.players.registry import PLAYERS

HOUSE = Path(__file__).resolve().parents[1]
OURS = ("bot", "cogs", "data", "engine", "sandbox", "tests")
STANDARD = frozenset(sys.stdlib_module_names)
ENGINE_OUTSIDE = STANDARD | {"msgspec"}

ENGINE_PARTS = ("engine", "engine.games", "engine.players", "engine.puzzles", "engine.review")

# What a module may import of the house besides its own part. `cogs.*` is any one cog: a cog never imports another.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "bot": ("cogs", "cogs.*", "cogs.core", "cogs.registry", "data", "sandbox"),
    "cogs": (),
    "cogs.*": ("cogs", "cogs.core", *ENGINE_PARTS),
    "cogs.registry": ("cogs", "cogs.*", "cogs.core", *ENGINE_PARTS),
    "cogs.core": ("cogs", "data", *ENGINE_PARTS),
    "data": ENGINE_PARTS,
    "engine": (),
    "engine.games": ("engine",),
    "engine.players": ("engine", "engine.games"),
    "engine.puzzles": ("engine", "engine.games", "engine.players"),
    "engine.review": ("engine", "engine.games", "engine.players"),
    "sandbox": (),
}

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


def syntax(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=path.name)


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


def part_of(name: str) -> str:
    """The row of the table that a module, or a member of one, belongs to."""
    part = max((row for row in MAY_IMPORT if inside(name, row)), key=len)
    return "cogs.*" if part == "cogs" and name != "cogs" else part


def allowed(importer: str, imported: str) -> bool:
    home, target = part_of(importer), part_of(imported)
    if home == target == "cogs.*":
        return importer.split(".")[1] == imported.split(".")[1]
    return home == target or target in MAY_IMPORT[home]


PRODUCT = modules("bot", "cogs", "data", "engine", "sandbox")
ENGINE = modules("engine")


@pytest.mark.parametrize("path", PRODUCT, ids=name_of)
def test_a_module_imports_only_the_parts_of_the_house_that_it_may_know(path: Path):
    ours = [name for name in imports(path) if name.split(".")[0] in OURS]
    wrong = [name for name in ours if name.split(".")[0] == "tests" or not allowed(name_of(path), name)]
    assert not wrong


@pytest.mark.parametrize("path", modules("cogs/core"), ids=name_of)
def test_only_the_client_and_the_cogs_know_how_something_comes_in(path: Path):
    """Tables and messages are the same whoever asks for them: by a control, a command, a clock or a computer."""
    rooms = ("cogs.core.router", "cogs.core.client")
    knows = any(inside(name, "cogs.core.router") for name in imports(path))
    assert not knows or any(inside(name_of(path), room) for room in rooms)


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_the_engine_knows_no_discord_no_clock_no_file_and_no_network(path: Path):
    outside = {name.split(".")[0] for name in imports(path)} - {"engine"}
    assert not outside - ENGINE_OUTSIDE
    assert not outside & NOT_FOR_THE_ENGINE
    calls = [node.func for node in ast.walk(syntax(path)) if isinstance(node, ast.Call)]
    assert not {call.id for call in calls if isinstance(call, ast.Name)} & NOT_CALLED_IN_THE_ENGINE
    awaited = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    assert not any(isinstance(node, awaited) for node in ast.walk(syntax(path)))


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_the_engine_draws_only_from_what_it_is_given(path: Path):
    """`random.Random` may be named, as the type of what a computer player is handed; the global generator may not."""
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.ImportFrom) and node.module == "random":
            assert [alias.name for alias in node.names] == ["Random"]
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
            assert node.attr == "Random"
        if isinstance(node, ast.Import):
            assert not any(alias.name == "random" and alias.asname for alias in node.names)
    rules = not any(inside(name_of(path), part) for part in ("engine.players", "engine.puzzles", "engine.review"))
    assert not (rules and "random" in {name.split(".")[0] for name in imports(path)})


@pytest.mark.parametrize("path", modules("sandbox"), ids=name_of)
def test_the_sandbox_stands_on_aiohttp_and_the_standard_library(path: Path):
    assert not {name.split(".")[0] for name in imports(path)} - STANDARD - {"aiohttp", "sandbox"}


@pytest.mark.parametrize("path", modules(*OURS), ids=name_of)
def test_a_module_opens_by_saying_what_it_is_for(path: Path):
    assert head(path)


def test_the_table_of_imports_reads_as_it_is_meant():
    assert allowed("cogs.rope_wall.panel", "cogs.core.session.tables")
    assert allowed("cogs.rope_wall.panel", "cogs.rope_wall.words")
    assert not allowed("cogs.rope_wall.panel", "cogs.match_five.words")
    assert not allowed("cogs.rope_wall.panel", "data.store")
    assert not allowed("cogs.core.session.tables", "cogs.rope_wall")
    assert allowed("bot", "cogs.registry.GAMES")
    assert allowed("cogs.registry", "cogs.rope_wall.RopeWall")
    assert not allowed("cogs.general", "cogs.registry.GAMES")
    assert not allowed("cogs.core.session.tables", "cogs.registry.GAMES")
    assert not allowed("engine.contract", "engine.games.rope_wall")
    assert not allowed("engine.games.rope_wall.decide", "engine.players.Level")
    assert not allowed("engine.chance", "data.store")
    assert allowed("engine.players.rope_wall", "engine.games.rope_wall")
    assert allowed("data.store", "engine.games.GAMES")
    assert not allowed("sandbox.server", "engine.contract")


SAYS = re.compile(r"May import (.+?)(?: only)?[.;](?: |$)")

DISTRIBUTED_AS = {
    "Pillow": "PIL",
    "prometheus-client": "prometheus_client",
    "python-dotenv": "dotenv",
    "zlib-ng": "zlib_ng",
}
"""By what name a package from outside is imported, where that is not the name it goes by."""


def head_of(path: Path) -> list[str]:
    """What a module's head says that it may import, word by word; nothing if it does not say."""
    said = SAYS.search(" ".join(head(path).split()))
    return re.split(", | and ", said[1]) if said else []


def speaks_for(path: Path) -> list[Path]:
    """Of which modules a head tells: its own, or all of a package in which nothing but the head stands."""
    alone = path.name == "__init__.py" and len(syntax(path).body) == 1
    return sorted(path.parent.rglob("*.py")) if alone else [path]


def meant(path: Path, word: str) -> str:
    """The module or package that a word of a head names: what stands in backticks is of the house, or of the module's
    own package; everything else is from outside.
    """
    package = name_of(path if path.name == "__init__.py" else path.parent / "__init__.py")
    if word == "its own package":
        return package
    if not word.startswith("`"):
        return DISTRIBUTED_AS.get(word, word)
    name = word.strip("`")
    return name if name.split(".")[0] in OURS else f"{package}.{name}"


def lets_in(path: Path, word: str, name: str) -> bool:
    """Whether a word of a module's head lets this in. Its neighbours are all modules of its part of the house."""
    if word == "its neighbours":
        return name.split(".")[0] in OURS and part_of(name) == part_of(name_of(path)) and allowed(name_of(path), name)
    return inside(name, meant(path, word))


def from_elsewhere(path: Path) -> set[str]:
    """What a module imports that is not in the standard library, which is free to all and named for clearness only."""
    return {name for name in imports(path) if name.split(".")[0] not in STANDARD}


HEADED = [*PRODUCT, *(path for path in modules("tests") if head_of(path))]


@pytest.mark.parametrize("path", HEADED, ids=name_of)
def test_a_module_imports_only_what_its_head_says(path: Path):
    words = head_of(path)
    for module in speaks_for(path) if words else [path]:
        assert not {name for name in from_elsewhere(module) if not any(lets_in(path, word, name) for word in words)}


@pytest.mark.parametrize("path", HEADED, ids=name_of)
def test_whatever_a_head_names_is_there_and_a_package_from_outside_is_used(path: Path):
    imported = {name.split(".")[0] for module in speaks_for(path) for name in from_elsewhere(module)}
    for word in set(head_of(path)) - {"nothing", "the standard library", "its neighbours"}:
        named = meant(path, word)
        place = HOUSE.joinpath(*named.split("."))
        stands = place.is_dir() or place.with_suffix(".py").is_file()
        assert stands if named.split(".")[0] in OURS else named in imported


@pytest.mark.parametrize(("driver", "room"), [("aiosqlite", "data.store.sqlite"), ("psycopg", "data.store.postgres")])
def test_each_driver_of_a_database_is_known_in_its_own_room_alone(driver: str, room: str):
    known = {name_of(path) for path in PRODUCT if driver in {name.split(".")[0] for name in imports(path)}}
    assert known and all(inside(name, room) for name in known)


def test_heads_are_read_as_they_are_meant():
    tables = HOUSE / "cogs/core/session/tables.py"
    assert lets_in(tables, "its neighbours", "cogs.core.messages.page.Page")
    assert not lets_in(tables, "its neighbours", "cogs.rope_wall.words")
    assert not lets_in(tables, "its neighbours", "data.store.Store")
    assert lets_in(tables, "its own package", "cogs.core.session.live.LiveTable")
    assert not lets_in(tables, "its own package", "cogs.core.messages.page.Page")
    assert lets_in(tables, "`live`", "cogs.core.session.live.LiveTable")
    assert not lets_in(tables, "`engine.contract`", "engine.games.GAMES")
    assert not lets_in(tables, "`data`", "database.Anything")
    assert lets_in(tables, "Pillow", "PIL.Image")
    assert not lets_in(tables, "the standard library", "discord.Client")
    assert head_of(HOUSE / "data/background.py") == ["the standard library"]
    assert HOUSE / "data/store/shards.py" in speaks_for(HOUSE / "data/__init__.py")
    assert speaks_for(HOUSE / "engine/games/__init__.py") == [HOUSE / "engine/games/__init__.py"]


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
        if path.suffix in WRITTEN and PRIVATE_PATH.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert not guilty


def knows_games(path: Path, key: str) -> bool:
    """Whether a file is one of those that may name this game: the rules, its material, its cog, the one list, a text
    for people.
    """
    own = (f"data/{key}.toml", "cogs/registry.py")
    where = path.relative_to(HOUSE).as_posix()
    return where in own or where.startswith(("engine/", "tests/", f"cogs/{key}/")) or path.suffix == ".md"


@pytest.mark.parametrize("key", GAMES)
def test_only_its_own_files_and_the_one_list_name_a_game(key: str):
    name = re.compile(f"(?<![A-Za-z0-9_]){key}(?![A-Za-z0-9_])")
    guilty = [
        path.relative_to(HOUSE).as_posix()
        for path in files()
        if path.suffix in WRITTEN
        and not knows_games(path, key)
        and name.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert not guilty


def test_the_house_plays_every_game_that_the_engine_knows_with_its_own_players():
    assert {package.game.key: package.game for package in PACKAGES} == GAMES
    assert {package.game.key: package.players for package in PACKAGES} == PLAYERS


@pytest.mark.parametrize("path", modules("bot", "cogs", "data"), ids=name_of)
def test_who_serves_every_game_is_given_the_games_and_reads_no_list_of_the_engines(path: Path):
    assert not {"engine.games.GAMES", "engine.players.registry.PLAYERS"} & set(imports(path))


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
    what `Screen` says, `setup` and `decide` of every game what `Game` says, and what serves a route of the sandbox what
    `Handler` says; an `AssertionError` is not meant to be raised at all.
    """
    arguments = [argument.arg for argument in function.args.args]
    routed = arguments == ["call"] and function.returns is not None and ast.unparse(function.returns) == "Reply"
    told = {"press": names, "setup": {"ValueError"}, "decide": {"Refusal"}}.get(function.name)
    return ("interaction" in arguments and names == {"UserError"}) or routed or names in (told, {"AssertionError"})


def says(docstring: str, names: set[str]) -> bool:
    """Whether a docstring says what is raised: each error by its name, or the root of the store's; those that a
    function of ours makes, in any words.
    """
    errors = [name for name in names if name[0].isupper()]
    told = "StoreError" in docstring or all(name in docstring for name in errors)
    return told and re.search("[Rr]aise", docstring) is not None


@pytest.mark.parametrize("path", PRODUCT, ids=name_of)
def test_a_public_function_that_raises_says_what(path: Path):
    silent = [
        (function.name, names)
        for function in functions(syntax(path).body)
        if (names := raised(function)) and not tells_elsewhere(function, names)
        if not says(ast.get_docstring(function) or "", names)
    ]
    assert silent == []
