"""The command line, and the composition of the client, its cogs and the games of `cogs.registry`."""

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    if __name__ == "__main__" and sys.argv[1:2] == ["alive"]:
        # Docker asks every 30 s: discord.py and the games are not loaded for that.
        from cogs.core.app.health_check import main as check_health

        sys.exit(check_health(sys.argv[2:]))
    import aiohttp
    import discord
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

CLOSED = {
    4004: "Discord no longer accepts the token in DISCORD_TOKEN: copy the current one from the application's Bot "
    "page, or reset it there, and put it into .env.",
    4010: "Discord does not know a shard that this bot tried to serve: set SHARD_COUNT to auto for all processes.",
    4011: "A shard has more servers than Discord allows: set SHARD_COUNT to a larger number or to auto, the same "
    "for all processes (docs/processes.md, 'Changing the number of shards').",
    4012: "Discord no longer supports this version of the bot: update it, and its libraries with make run.",
    4013: "Discord does not know an intent that this version of the bot requests: update the bot, or set READ_MESSAGES "
    "and MEMBERS_INTENT to 0.",
}
"""The message to the owner if Discord closes the gateway for good, by close code. discord.py has an error for 4014."""

TOO_FEW_SHARDS = 4011

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
        client = Cellblock(
            catalog,
            {package.game.key: package.bots for package in games},
            store,
            clock,
            bot_workers,
            metrics,
            spoken,
            lambda client: make_cogs(client, games, puzzles),
            read_messages=config.read_messages,
            members_intent=config.members_intent,
            own_emoji=config.own_emoji,
            shard_count=config.shard_count,
            max_shards=config.shards,
            steady=steady,
        )
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
    """Yield the cogs, each with what it uses: those of the games, and those that serve every game."""
    catalog, store, clock = client.games, client.store, client.clock
    tables, publishing, inbound = client.tables, client.publishing, client.inbound
    tasks, settings = tables.tasks, tables.settings
    drawing, leisure, publisher = publishing.drawing, publishing.leisure, publishing.publisher
    finder, opener, router, leaving = inbound.finder, inbound.opener, inbound.router, tables.leaving
    yield PlayCommand(catalog, store, publishing.covers, finder, opener, inbound.practice, inbound.lobby, router)
    for package in games:
        yield package.cog(catalog, finder, opener, inbound.errors)
    yield Learn(catalog, store, clock, finder, drawing, router)
    poster = DailyPuzzlePoster(
        client,
        catalog,
        store,
        settings,
        client.ownership,
        clock,
        tables.scheduler,
        drawing,
        client.markup,
        puzzles,
        client.language_choice,
    )
    yield DailyPuzzles(catalog, store, clock, tasks, drawing, router, poster)
    yield TableCommands(store, finder, inbound.lobby, inbound.agreements)
    yield GeneralCommands(store, tables.preferences, finder)
    yield HelpCommand(publishing.covers, tables.preferences, router)
    yield RulesCommand(catalog, finder, drawing, router)
    strengths: Strengths = {package.game.key: package.bots.strengths for package in games}
    yield Records(catalog, store, clock, tables.registry, publisher, tasks, drawing, router, strengths)
    yield AchievementCommands(catalog, store, settings, tables.registry, publisher, tasks, drawing, router)
    replays = ReplayCache(catalog, store, leisure, leaving)
    archive = ReviewArchive(store, leisure, leaving)
    reviews = Reviews(client, clock, leisure, client.bot_workers, tasks, router, replays, archive)
    yield Replays(catalog, store, drawing, leisure, router, replays, reviews)
    languages = client.language_choice.languages
    yield SettingsCommands(client, catalog, store, settings, clock, router, languages, publisher.language_changed)
    yield LanguageCommands(client.tree, client.language_choice)
    yield Doctor(
        client,
        store,
        settings,
        clock,
        publishing.rest_errors,
        tables.database_status,
        publisher,
        tables.registry.playable,
        tables.api,
        lambda: client.conditions.lost,
        publishing.refusals,
    )
    yield Admin(
        client,
        catalog,
        store,
        settings,
        finder,
        tables.registry,
        tables.bots,
        leisure,
        tasks,
        router,
        client.language_choice,
    )
    yield Privacy(store, leaving, router)


async def _connect(client: Cellblock, token: str) -> None:
    """Run until closed or stopped by a signal. Raises `ConfigurationError` if another bot takes over the database."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # Windows, where Ctrl+C ends the whole loop
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, stop.set)
    connection = asyncio.create_task(client.start(token), name="connection")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    overtaken = asyncio.create_task(client.store.overtaken.wait(), name="overtaken")
    done, _ = await asyncio.wait({connection, stopping, overtaken}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    overtaken.cancel()
    if connection in done:
        await connection
        return
    log.info("stopping")
    if stopping in done:
        await _hand_over(client, connection, stop)
    await client.close()
    await asyncio.gather(connection, return_exceptions=True)
    if overtaken in done:
        raise ConfigurationError(
            "Another bot has opened this database since this one did, as can happen on a network share: this one has "
            "stopped, so that they do not spoil each other's tables. Run one bot on a database."
        )


async def _hand_over(client: Cellblock, connection: "asyncio.Task[None]", stop: asyncio.Event) -> None:
    """Hand what we serve over to other processes, until that is done or another signal arrives."""
    stop.clear()
    again = asyncio.create_task(stop.wait(), name="stop-now")
    handing = asyncio.create_task(client.hand_over(), name="hand-over")
    await asyncio.wait({again, handing, connection}, return_when=asyncio.FIRST_COMPLETED)
    for task in (again, handing):
        task.cancel()
    await asyncio.gather(again, handing, return_exceptions=True)


async def play(config: Config) -> None:
    """Run the bot on Discord. Raises `ConfigurationError` for what its owner has to fix, and `DiscordUnavailable`."""
    if config.token is None:
        raise ConfigurationError(
            "There is no token: copy .env.example to .env and set DISCORD_TOKEN (README, 'On a real server'), "
            "or try the bot without one: make play."
        )
    point_at(config.api, config.gateway)
    async with running(config) as client:
        try:
            await _connect(client, config.token)
        except discord.LoginFailure as error:
            raise ConfigurationError(
                "Discord refuses the token in DISCORD_TOKEN: reset it on the application's "
                "Bot page and put the new one into .env."
            ) from error
        except discord.PrivilegedIntentsRequired as error:
            raise ConfigurationError(
                "READ_MESSAGES or MEMBERS_INTENT is on, but the application lacks that "
                "intent: switch it on on its Bot page, "
                "or set the variable to 0."
            ) from error
        except discord.ConnectionClosed as error:
            raise _closed(error, config) from error
        except discord.HTTPException as error:
            if error.status == HTTPStatus.BAD_REQUEST:
                raise  # our request was malformed: a bug, which starting again does not fix
            raise DiscordUnavailable(
                f"Discord does not serve us (it answers {error.status}): try again in a few minutes."
            ) from error
        except (aiohttp.ClientError, discord.GatewayNotFound, TimeoutError) as error:
            how = str(error) or type(error).__name__
            raise DiscordUnavailable(f"Discord cannot be reached ({how}). Check the network, and try again.") from error


def _closed(error: discord.ConnectionClosed, config: Config) -> Exception:
    """Return the error for a gateway that Discord has closed for good: one for the owner, if the code is known."""
    if error.code == TOO_FEW_SHARDS and config.shard_count is None:
        return DiscordUnavailable(
            "A shard has more servers than Discord allows: the bot counts them again when it starts. If several "
            "processes are running, stop all of them first."
        )
    return ConfigurationError(CLOSED[error.code]) if error.code in CLOSED else error


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
            await _connect(client, sandbox.token)
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
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
    arguments = parser.parse_args(argv)
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
