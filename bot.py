"""Cellblock: configuration, which cogs serve every game, and the owner's tasks; the games are those of `cogs.registry`.

`python bot.py` connects with the token from the environment or `.env`; `python bot.py --sandbox` starts the sandbox
of `sandbox/` on the loopback interface and plays there, without a token. May import `cogs`, `data` and `sandbox`.
"""

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
import tomllib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import aiohttp
import discord
import yarl
from dotenv import load_dotenv

from cogs.admin import Admin, Doctor, SettingsCommands
from cogs.core.client import Cellblock, MakeCog
from cogs.core.figures import CountedGames, Figures
from cogs.core.logs import JsonLines
from cogs.core.session.due import ALIVE_WITHIN_MS
from cogs.core.session.tables import Tables
from cogs.core.session.thinking import Thinkers
from cogs.core.session.timers import Clock, DiscordClock
from cogs.general import Door, Hall
from cogs.learn import Learn
from cogs.privacy import Privacy
from cogs.puzzles import DailyPuzzles
from cogs.records import Records
from cogs.registry import GAMES, GamePackage
from cogs.replays import Replays
from data.lessons import load_lesson
from data.material import FOLDER, MaterialError, load_material
from data.puzzles import load_puzzles
from data.store import Store, StoreError, Unreachable
from data.store.moving import move_database
from data.store.outside import back_up, last_beat, shown
from data.store.store import Address
from data.verification import Unreadable, check

log = logging.getLogger("cellblock")

HERE = Path(__file__).resolve().parent

USAGE = 2
"""Exit code for what the owner has to mend: configuration, token, database."""

AWAY = 1
"""Exit code for a database server that cannot be reached: starting again may help."""

MOST_THINKERS = 16

MOST_PORT = 65_535

OURS = ("cellblock", "cogs", "data")
"""Where our own loggers stand."""

COGS: tuple[MakeCog, ...] = (Hall, Records, Replays, SettingsCommands, Doctor, Admin, Privacy)
"""Those that serve every game; each game brings its own."""


class SetUpError(Exception):
    """Something the owner has to mend before the bot can run: one sentence with the next step."""


# Configuration


def cores() -> int:
    """Return how many computer players may think at once: the machine's cores, as far as we may use them."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MOST_THINKERS)


class Listen(NamedTuple):
    """Where figures are served."""

    host: str
    port: int


@dataclass(frozen=True)
class Config:
    """What the owner sets, by environment variables or `.env`; the README has the table."""

    token: str | None
    database: Address
    read_messages: bool = False
    members_intent: bool = False
    own_emoji: bool = True
    thinkers: int = field(default_factory=cores)
    think_seconds: float = 0.8
    log_level: str = "INFO"
    log_format: str = "text"
    metrics: Listen | None = None
    api: str | None = None
    gateway: str | None = None


def address_of(database: str) -> Address:
    """Return where a database is that is named as in DATABASE: by an address, or by a path from this folder on."""
    return database if database.startswith(("postgresql://", "postgres://")) else HERE / database


def read_listen(value: str) -> Listen | None:
    """Return where METRICS says that figures are served; None for nowhere. Raises `SetUpError`."""
    if value in ("", "0"):
        return None
    host, _, port = value.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or "127.0.0.1"
    if not (port.isascii() and port.isdecimal() and 1 <= int(port) <= MOST_PORT) or value.startswith(":"):
        raise SetUpError(f"METRICS is {value!r}; set it to a port (1 to {MOST_PORT}), to host:port, or to 0 for none.")
    if find_spec("prometheus_client") is None:
        raise SetUpError(
            "METRICS is set, and what writes the figures is missing: pip install 'cellblock[metrics]', or leave it out."
        )
    return Listen(host, int(port))


def read_config(environ: Mapping[str, str]) -> Config:
    """Return the configuration. Raises `SetUpError` naming the variable that is wrong."""

    def flag(name: str, usual: str = "0") -> bool:
        value = environ.get(name, "").strip().lower() or usual
        if value not in ("0", "1", "no", "yes", "false", "true"):
            raise SetUpError(f"{name} is {value!r}; set it to 1 or 0.")
        return value in ("1", "yes", "true")

    def number(name: str, default: float, least: float, most: float) -> float:
        value = environ.get(name, "").strip() or str(default)
        try:
            found = float(value)
        except ValueError:
            found = least - 1
        if not least <= found <= most:
            raise SetUpError(f"{name} is {value!r}; set it to a number from {least:g} to {most:g}.")
        return found

    level = environ.get("LOG_LEVEL", "").strip().upper() or "INFO"
    if level not in ("DEBUG", "INFO", "WARNING", "ERROR"):
        raise SetUpError(f"LOG_LEVEL is {level!r}; set it to DEBUG, INFO, WARNING or ERROR.")
    log_format = environ.get("LOG_FORMAT", "").strip().lower() or "text"
    if log_format not in ("text", "json"):
        raise SetUpError(f"LOG_FORMAT is {log_format!r}; set it to text or json.")
    return Config(
        token=environ.get("DISCORD_TOKEN", "").strip() or None,
        database=address_of(environ.get("DATABASE", "").strip() or "data/cellblock.db"),
        read_messages=flag("READ_MESSAGES"),
        members_intent=flag("MEMBERS_INTENT"),
        own_emoji=flag("OWN_EMOJI", "1"),
        thinkers=int(number("THINKERS", cores(), 1, MOST_THINKERS)),
        think_seconds=number("THINK_SECONDS", 0.8, 0.05, 2.0),
        log_level=level,
        log_format=log_format,
        metrics=read_listen(environ.get("METRICS", "").strip()),
        api=environ.get("DISCORD_API", "").strip() or None,
        gateway=environ.get("DISCORD_GATEWAY", "").strip() or None,
    )


def set_up_logging(config: Config) -> None:
    """Let everything that is logged be written as the owner wants it. Libraries say no more than INFO: at DEBUG
    discord.py writes down whatever comes and goes, tokens of interactions and hands among it.
    """
    level = logging.getLevelNamesMapping()[config.log_level]
    least = max(level, logging.INFO)
    if config.log_format == "json":
        discord.utils.setup_logging(level=least, formatter=JsonLines())
    else:
        discord.utils.setup_logging(level=least)
    for name in OURS:
        logging.getLogger(name).setLevel(level)


def point_at(api: str | None, gateway: str | None) -> None:
    """Let the library speak to another address than Discord's own: the sandbox, or a proxy. None leaves Discord's."""
    if api is not None:
        base = api.rstrip("/")
        discord.http.Route.BASE = base
    if gateway is not None:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


# Playing


@contextlib.asynccontextmanager
async def running(
    config: Config,
    clock: Clock | None = None,
    thinkers: Thinkers | None = None,
    games: Sequence[GamePackage] = GAMES,
) -> AsyncIterator[Cellblock]:
    """Give a client with its database open; both are closed at the end. Raises `StoreError` and `MaterialError`."""
    clock = clock or DiscordClock()
    thinkers = thinkers or Thinkers(config.thinkers, config.think_seconds)
    screens = {package.game.key: package.screen() for package in games}
    materials = {package.game.key: load_material(package.game, package.folder or FOLDER) for package in games}
    players = {package.game.key: package.players for package in games}
    lessons = (
        (package.game.key, load_lesson(package.game, materials[package.game.key], package.folder or FOLDER))
        for package in games
    )
    courses = {key: course for key, course in lessons if course is not None}
    packs = load_puzzles()
    puzzles = [(package.puzzle, packs[package.game.key]) for package in games if package.puzzle is not None]
    figures = _figures(config, screens)
    thinkers.figures = figures
    async with Store.open(config.database, now=clock.now) as store:
        if config.metrics is not None:
            store.games = CountedGames(store.games, figures)
        client = Cellblock(
            lambda client: Tables(client, store, clock, thinkers, screens, materials, players, courses, figures),
            (Door, *(package.cog for package in games), Learn, partial(DailyPuzzles, puzzles=puzzles), *COGS),
            read_messages=config.read_messages,
            members_intent=config.members_intent,
            own_emoji=config.own_emoji,
        )
        async with client, _seen(config, client, thinkers, figures):
            yield client


def _figures(config: Config, games: Iterable[str]) -> Figures:
    """Return what counts: nothing, unless figures are served."""
    if config.metrics is None:
        return Figures()
    # Only who serves figures needs what writes them.
    from cogs.core.outside.prometheus import PrometheusFigures

    version = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return PrometheusFigures(games, version)


@contextlib.asynccontextmanager
async def _seen(config: Config, client: Cellblock, thinkers: Thinkers, figures: Figures) -> AsyncIterator[None]:
    """Let the bot be seen from outside, if its owner wants it. Raises `SetUpError` for a port that is taken."""
    if config.metrics is None:
        yield
        return
    from cogs.core.outside.prometheus import PrometheusFigures
    from cogs.core.outside.serving import Pages, served

    assert isinstance(figures, PrometheusFigures)
    host, port = config.metrics
    async with contextlib.AsyncExitStack() as stack:
        try:
            pages = Pages(client, client.tables, thinkers, figures)
            await stack.enter_async_context(served(pages, figures, host, port))
        except OSError as error:
            words = os.strerror(error.errno) if error.errno is not None and error.errno > 0 else error.strerror
            raise SetUpError(f"METRICS: port {port} of {host} cannot be used ({words}): choose another.") from error
        yield


async def _connect(client: Cellblock, token: str) -> None:
    """Run until closed or stopped by a signal. Raises `SetUpError` if another bot opens the database meanwhile."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    connection = asyncio.create_task(client.start(token), name="connection")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    overtaken = asyncio.create_task(client.tables.store.overtaken.wait(), name="overtaken")
    done, _ = await asyncio.wait({connection, stopping, overtaken}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    overtaken.cancel()
    if connection in done:
        await connection
        return
    log.info("stopping")
    await client.close()
    await asyncio.gather(connection, return_exceptions=True)
    if overtaken in done:
        raise SetUpError(
            "Another bot has opened this database since this one did, as can happen on a network share: this one has "
            "stopped, so that they do not spoil each other's tables. Run one bot on a database."
        )


async def play(config: Config) -> None:
    """Run the bot on Discord. Raises `SetUpError` for a token that is missing or refused."""
    if config.token is None:
        raise SetUpError(
            "There is no token: copy .env.example to .env and set DISCORD_TOKEN (README, 'On a real server'), "
            "or try the bot without one: make play."
        )
    point_at(config.api, config.gateway)
    async with running(config) as client:
        try:
            await _connect(client, config.token)
        except discord.LoginFailure as error:
            raise SetUpError(
                "Discord refuses the token in DISCORD_TOKEN: reset it on the application's "
                "Bot page and put the new one into .env."
            ) from error
        except discord.PrivilegedIntentsRequired as error:
            raise SetUpError(
                "READ_MESSAGES or MEMBERS_INTENT is on, but the application lacks that "
                "intent: switch it on on its Bot page, "
                "or set the variable to 0."
            ) from error
        except (aiohttp.ClientConnectorError, discord.GatewayNotFound) as error:
            raise SetUpError(f"Discord cannot be reached ({error}). Check the network, and try again.") from error


async def play_in_sandbox(config: Config, port: int) -> None:
    """Run the bot in the sandbox and print the address of its page. Raises `SetUpError` for a port that is taken."""
    # Only this mode needs the sandbox, so a real bot does not load it.
    from sandbox import Sandbox, default_world

    try:
        sandbox = Sandbox(port=port)
        await sandbox.start()
    except OSError as error:
        raise SetUpError(f"Port {port} cannot be used ({error.strerror}): choose another with --port.") from error
    try:
        default_world(sandbox)
        sandbox.privileged_intents = {"members", "message_content"}  # whatever the owner tries out is granted here
        point_at(sandbox.api, sandbox.gateway)
        async with running(config) as client:
            print(  # noqa: T201 (what `make play` promises to print)
                f"\n  Cellblock plays at  {sandbox.url}\n  Type /rope-wall start in the channel. Ctrl+C ends it.\n",
                flush=True,
            )
            await _connect(client, sandbox.token)
    finally:
        await sandbox.close()


# The owner's other tasks


def _back_up(config: Config, target: Path) -> int:
    """Copy the database, and say so; return the exit code. Raises `StoreError`."""
    size = back_up(config.database, target, DiscordClock().now())
    print(f"cellblock: copied {shown(config.database)} to {target}, {size:,} bytes.")  # noqa: T201 (the task's answer)
    return 0


def _move(source: Address, target: Address) -> int:
    """Carry a database over into an empty one, and say so; return the exit code. Raises `StoreError`."""
    rows = move_database(source, target, DiscordClock().now())
    print(  # noqa: T201 (the task's answer)
        f"cellblock: moved {sum(rows.values()):,} rows of {len(rows)} tables from {shown(source)} to {shown(target)}, "
        f"{rows['tables']:,} games among them; counts and fingerprints of every table agree. "
        "Set DATABASE to the new one; the old one is as it was."
    )
    return 0


def _alive(config: Config) -> int:
    """Say whether a bot runs on the database; return 0 if it has noted the time lately, else 1. Raises `StoreError`."""
    beat = last_beat(config.database)
    silent_s = None if beat is None else max(0, DiscordClock().now() - beat) // 1_000
    if silent_s is None or silent_s > ALIVE_WITHIN_MS // 1_000:
        since = "nothing has been heard of it" if silent_s is None else f"it was last heard of {silent_s:,} s ago"
        print(f"cellblock: no bot runs on {shown(config.database)}; {since}.")  # noqa: T201 (the task's answer)
        return 1
    print(f"cellblock: a bot runs on {shown(config.database)}; it was heard of {silent_s} s ago.")  # noqa: T201
    return 0


def _verify(file: Path) -> int:
    """Prove an exported game, and say what came of it; return 0 if it is proved, else 1. Raises `Unreadable`."""
    report = check(file, [package.game for package in GAMES])
    print(f"cellblock: {report.sentence()}")  # noqa: T201 (the task's answer)
    return 0 if report.proved else 1


def _complain(error: Exception) -> None:
    """Tell the owner why there is no bot: in one line of the log where machines read that, else in one sentence."""
    if any(isinstance(handler.formatter, JsonLines) for handler in logging.getLogger().handlers):
        log.critical("%s", error)
    else:
        print(f"cellblock: {error}", file=sys.stderr)  # noqa: T201 (a sentence for the owner, not a log line)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser("bot.py", description="Cellblock: prison-break tabletop games on Discord.")
    parser.add_argument(
        "--sandbox", action="store_true", help="play on a Discord in miniature in the browser, without a token"
    )
    parser.add_argument("--port", type=int, default=8700, help="the sandbox's port (default 8700)")
    tasks = parser.add_subparsers(dest="task", title="other tasks", metavar="")
    copying = tasks.add_parser("backup", help="copy the database to a new file while the bot plays on")
    copying.add_argument("file", type=Path, help="the copy; an existing file is never touched")
    moving = tasks.add_parser("move-database", help="carry everything over into an empty database, file or PostgreSQL")
    moving.add_argument("source", metavar="FROM", help="a path, or postgresql://user:password@host/name")
    moving.add_argument("target", metavar="TO", help="a file that does not exist, or an empty PostgreSQL database")
    tasks.add_parser("alive", help="say whether a bot runs on the database: exit code 0 or 1, for health checks")
    checking = tasks.add_parser("verify", help="prove an exported game: recompute every shuffle, deal and roll")
    checking.add_argument("file", type=Path, help="a file that /replay has exported")
    arguments = parser.parse_args(argv)
    load_dotenv(HERE / ".env")
    try:
        if arguments.task == "verify":
            return _verify(arguments.file)
        if arguments.task == "move-database":
            return _move(address_of(arguments.source), address_of(arguments.target))
        config = read_config(os.environ)
        if arguments.task == "backup":
            return _back_up(config, arguments.file)
        if arguments.task == "alive":
            return _alive(config)
        set_up_logging(config)
        if arguments.sandbox:
            database = config.database if os.environ.get("DATABASE", "").strip() else HERE / "data" / "sandbox.db"
            asyncio.run(play_in_sandbox(replace(config, database=database), arguments.port))
        else:
            asyncio.run(play(config))
    except Unreachable as error:
        print(f"cellblock: {error}", file=sys.stderr)  # noqa: T201 (a sentence for the owner, not a log line)
        return AWAY
    except (SetUpError, StoreError, MaterialError, Unreadable) as error:
        _complain(error)
        return USAGE
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
