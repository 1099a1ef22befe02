"""The command line, and the composition of the client, its cogs and the games of `cogs.registry`."""

import argparse
import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    if __name__ == "__main__" and sys.argv[1:2] == ["alive"]:
        # Docker asks every 30 s: discord.py and the games are not loaded for that.
        from cogs.core.app.health_check import main as check_health

        sys.exit(check_health(sys.argv[2:]))
    from discord.ext import commands
except ImportError as missing:
    print(  # noqa: T201 (a sentence for the owner, not a log line)
        f"cellblock: this Python lacks what Cellblock needs ({missing}): run .venv/bin/python bot.py in its folder, "
        "or make run, which sets that up.",
        file=sys.stderr,
    )
    sys.exit(2)

try:
    import uvloop
except ImportError:  # a system for which there is none, such as Windows
    uvloop = None  # type: ignore[assignment]


from cogs.achievements import AchievementCommands
from cogs.admin import Admin, Doctor, SettingsCommands
from cogs.core.app.cli import copy_database, restore_database, transfer_database, verify_export
from cogs.core.app.client import Cellblock
from cogs.core.app.composition import Resources
from cogs.core.app.connection import connect, explain_failures
from cogs.core.app.game_package import GamePackage, load_catalog
from cogs.core.app.health_check import check_alive
from cogs.core.i18n.languages import Languages
from cogs.core.ops.config import (
    HERE,
    MAX_PORT,
    Config,
    address_of,
    env_file_warning,
    load_env_file,
    point_at,
    read_config,
    version,
)
from cogs.core.ops.errors import AWAY, USAGE, ConfigurationError, DiscordUnavailable
from cogs.core.ops.logs import JsonLines, set_up_logging
from cogs.core.ops.timers import Clock, DiscordClock
from cogs.core.tables.bot_workers import BotWorkers
from cogs.general import GeneralCommands, HelpCommand, PlayCommand, RulesCommand, TableCommands
from cogs.general.language import LanguageCommands
from cogs.learn import Learn
from cogs.privacy import Privacy
from cogs.puzzles import DailyPuzzles
from cogs.puzzles.daily_post import DailyPuzzlePoster, PuzzleKinds
from cogs.records import Records
from cogs.records.ratings import Strengths
from cogs.registry import GAMES
from cogs.replays import Replays
from cogs.replays.replay_cache import ReplayCache
from cogs.replays.review_archive import ReviewArchive
from cogs.replays.reviews import Reviews
from data.material import MaterialError
from data.puzzles import load_puzzles
from data.store import ProcessInfo, StoreError, Unreachable
from data.store.open_store import open_store
from data.store.shards import steady_s
from data.verification import Unreadable

if TYPE_CHECKING:
    from cogs.core.ops.metrics import Metrics

log = logging.getLogger("cellblock")

# Playing


@contextlib.asynccontextmanager
async def running(
    config: Config,
    clock: Clock | None = None,
    bot_workers: BotWorkers | None = None,
    games: Sequence[GamePackage] = GAMES,
    steady: Callable[[], float] = steady_s,
    languages: Languages | None = None,
) -> AsyncIterator[Cellblock]:
    """Yield a client with its database open; both are closed at the end. Without `languages`, all that have a
    catalogue are offered. Raises `StoreError` and `MaterialError`."""
    clock = clock or DiscordClock()
    bot_workers = bot_workers or BotWorkers(config.bot_workers, config.think_seconds)
    spoken = await asyncio.to_thread(Languages.load) if languages is None else languages
    catalog = load_catalog(games)
    packs = load_puzzles()
    found = ((package.puzzle, packs[package.game.key]) for package in games if package.puzzle is not None)
    puzzles = {puzzle.kind.key: (puzzle, pack) for puzzle, pack in found}
    metrics = None if config.metrics is None else _new_metrics(catalog)
    bot_workers.metrics = metrics
    async with open_store(
        config.database, now=clock.now, process_info=ProcessInfo.here(version()), steady=steady
    ) as store:
        if metrics is not None:
            store.games = metrics.metered(store.games)
        players = {package.game.key: package.bots for package in games}
        resources = Resources(config, catalog, players, store, clock, bot_workers, spoken, steady, metrics)
        client = Cellblock(resources, lambda client: make_cogs(client, games, puzzles))
        async with client, contextlib.AsyncExitStack() as stack:
            if config.metrics is not None and metrics is not None:
                # Only a bot that serves metrics needs a web server.
                from cogs.core.app.metrics_server import serve_metrics

                await stack.enter_async_context(serve_metrics(config.metrics, client, metrics))
            yield client


def _new_metrics(games: Iterable[str]) -> "Metrics":
    # prometheus_client is installed only if METRICS is set.
    from cogs.core.ops.metrics import Metrics

    return Metrics(games, version())


def make_cogs(client: Cellblock, games: Sequence[GamePackage], puzzles: PuzzleKinds) -> Iterator[commands.Cog]:
    """Yield the cogs, each with what it uses, in the order of their commands: what players use comes first."""
    yield from _player_cogs(client, games, puzzles)
    yield from _record_cogs(client, {package.game.key: package.bots.strengths for package in games})
    yield from _settings_cogs(client)


def _player_cogs(client: Cellblock, games: Sequence[GamePackage], puzzles: PuzzleKinds) -> Iterator[commands.Cog]:
    """Yield the cogs of the games, and those by which people start and find them, learn them and solve puzzles."""
    catalog, store, clock = client.games, client.store, client.clock
    tables, publishing, inbound = client.tables, client.publishing, client.inbound
    finder, opener, router = inbound.finder, inbound.opener, inbound.router
    drawing, preferences = publishing.drawing, tables.preferences
    yield PlayCommand(catalog, store, publishing.covers, finder, opener, inbound.practice, inbound.lobby, router)
    for package in games:
        yield package.cog(finder, opener, inbound.errors)
    yield Learn(catalog, store, clock, finder, drawing, router)
    poster = DailyPuzzlePoster(client, tables.settings, client.ownership, tables.scheduler, drawing, puzzles)
    yield DailyPuzzles(catalog, store, clock, tables.tasks, drawing, router, poster)
    yield TableCommands(store, finder, inbound.lobby, inbound.agreements)
    yield GeneralCommands(store, preferences, finder)
    yield HelpCommand(publishing.covers, preferences, router)
    yield RulesCommand(catalog, finder, drawing, router)


def _record_cogs(client: Cellblock, strengths: Strengths) -> Iterator[commands.Cog]:
    """Yield the cogs about finished games."""
    catalog, store, clock = client.games, client.store, client.clock
    tables, publishing, router = client.tables, client.publishing, client.inbound.router
    registry, tasks, leaving = tables.registry, tables.tasks, tables.leaving
    publisher, drawing, leisure = publishing.publisher, publishing.drawing, publishing.leisure
    yield Records(catalog, store, clock, registry, publisher, tasks, drawing, router, strengths)
    yield AchievementCommands(catalog, store, tables.settings, registry, publisher, tasks, drawing, router)
    replays = ReplayCache(catalog, store, leisure, leaving)
    archive = ReviewArchive(store, leisure)
    reviews = Reviews(client, clock, leisure, client.bot_workers, tasks, router, replays, archive)
    yield Replays(catalog, store, drawing, leisure, router, replays, reviews)


def _settings_cogs(client: Cellblock) -> Iterator[commands.Cog]:
    """Yield the cogs of those who manage a server or own the bot, and about what is stored of a person."""
    catalog, store, clock = client.games, client.store, client.clock
    tables, publishing, router = client.tables, client.publishing, client.inbound.router
    settings, languages = tables.settings, client.language_choice
    changed = publishing.publisher.language_changed
    yield SettingsCommands(client, catalog, store, settings, clock, router, languages.languages, changed)
    yield LanguageCommands(client.tree, languages)
    yield Doctor(
        client,
        store,
        settings,
        clock,
        publishing.rest_errors,
        tables.database_status,
        publishing.publisher,
        client.conditions,
        publishing.refusals,
    )
    finder, leisure = client.inbound.finder, publishing.leisure
    yield Admin(client, settings, finder, tables.registry, tables.bots, leisure, tables.tasks, router)
    yield Privacy(store, tables.leaving, router)


async def play(config: Config) -> None:
    """Run the bot on Discord. Raises `ConfigurationError` for what its owner has to fix, and `DiscordUnavailable`."""
    if config.token is None:
        raise ConfigurationError(
            "There is no token: copy .env.example to .env and set DISCORD_TOKEN (README, 'On a real server'), "
            "or try the bot without one: make play."
        )
    point_at(config.api, config.gateway)
    async with running(config) as client:
        with explain_failures(config):
            await connect(client, config.token)


async def play_in_sandbox(config: Config, port: int) -> None:
    """Run the bot in the sandbox, and print the address of its page. Raises `ConfigurationError` for a taken port."""
    # Only this mode needs the sandbox, so a real bot does not load it.
    from sandbox import Sandbox, default_world

    try:
        sandbox = Sandbox(port=port)
        await sandbox.start()
    except OSError as error:
        raise ConfigurationError(
            f"Port {port} cannot be used ({error.strerror}): choose another with --port."
        ) from error
    try:
        default_world(sandbox)
        sandbox.privileged_intents = {"members", "message_content"}  # all that the owner may try out
        point_at(sandbox.api, sandbox.gateway)
        languages = await asyncio.to_thread(Languages.load, pseudo=True)  # shows which words are not translated
        async with running(config, languages=languages) as client:
            print(  # noqa: T201 (what `make play` promises to print)
                f"\n  Cellblock plays at  {sandbox.url}\n  Type /play in the channel. Ctrl+C ends it.\n",
                flush=True,
            )
            await connect(client, sandbox.token)
    finally:
        await sandbox.close()


# The command line


def _port(value: str) -> int:
    """Return a port of this machine. Raises `ArgumentTypeError`."""
    port = int(value)
    if not 0 <= port <= MAX_PORT:
        raise argparse.ArgumentTypeError(f"{port} is no port: choose one from 1 to {MAX_PORT}")
    return port


def _complain(error: Exception) -> None:
    """Tell the owner why the bot ended: in the log if that is JSON, else in one sentence on stderr."""
    if any(isinstance(handler.formatter, JsonLines) for handler in logging.getLogger().handlers):
        log.critical("%s", error)
    else:
        print(f"cellblock: {error}", file=sys.stderr)  # noqa: T201 (a sentence for the owner, not a log line)


def run(work: Coroutine[Any, Any, None], *, postgres: bool = False) -> None:
    """Run to the end, on uvloop if it is installed; its clock, in whole milliseconds, is too coarse for the sandbox."""
    # psycopg does not work with the event loop that Windows has by default.
    loops = (asyncio.SelectorEventLoop if postgres else None) if uvloop is None else uvloop.new_event_loop
    with asyncio.Runner(loop_factory=loops) as runner:
        runner.run(work)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("bot.py", description="Cellblock: prison-break tabletop games on Discord.")
    parser.add_argument(
        "--sandbox", action="store_true", help="play on a local imitation of Discord in the browser, without a token"
    )
    parser.add_argument("--port", type=_port, default=8700, help="the sandbox's port (default 8700)")
    tasks = parser.add_subparsers(dest="task", title="other tasks", metavar="")
    copying = tasks.add_parser("backup", help="copy the database to a new file while the bot keeps running")
    copying.add_argument("file", type=Path, help="the copy; existing files are never overwritten")
    returning = tasks.add_parser("restore", help="replace the database by a copy; the old database is kept beside it")
    returning.add_argument("file", type=Path, help="a copy made by backup; it is not changed")
    moving = tasks.add_parser("move-database", help="copy everything into an empty database, a file or PostgreSQL")
    moving.add_argument("source", metavar="FROM", help="a path, or postgresql://user:password@host/name")
    moving.add_argument("target", metavar="TO", help="a file that does not exist, or an empty PostgreSQL database")
    looking = tasks.add_parser("alive", help="check if a bot is running on the database: exit code 0 or 1")
    looking.add_argument("--here", action="store_true", help="look only at processes on this host")
    checking = tasks.add_parser("verify", help="verify an exported game: recompute every shuffle, deal and roll")
    checking.add_argument("file", type=Path, help="a file exported by /replay")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    arguments = _parser().parse_args(argv)
    try:
        load_env_file(HERE / ".env")
        if arguments.task == "verify":
            return verify_export(arguments.file, [package.game for package in GAMES])
        if arguments.task == "move-database":
            return transfer_database(address_of(arguments.source), address_of(arguments.target))
        if arguments.task == "alive":
            return check_alive(os.environ, here=arguments.here)
        config = read_config(os.environ)
        if arguments.task == "backup":
            return copy_database(config, arguments.file)
        if arguments.task == "restore":
            return restore_database(config, arguments.file)
        set_up_logging(config)
        if (warning := env_file_warning(HERE / ".env")) is not None:
            log.warning("%s", warning)
        if arguments.sandbox:
            database = config.database if os.environ.get("DATABASE", "").strip() else HERE / "data" / "sandbox.db"
            asyncio.run(play_in_sandbox(replace(config, database=database), arguments.port))
        else:
            run(play(config), postgres=not isinstance(config.database, Path))
    except (Unreachable, DiscordUnavailable) as error:
        _complain(error)
        return AWAY
    except (ConfigurationError, StoreError, MaterialError, Unreadable) as error:
        _complain(error)
        return USAGE
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
