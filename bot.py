"""Cellblock: configuration, the client, and which cogs serve every game; the games are those of `cogs.registry`.

`python bot.py` connects with the token from the environment or `.env`; `python bot.py --sandbox` starts the sandbox
of `sandbox/` on the loopback interface and plays there, without a token. May import `cogs`, `data` and `sandbox`.
"""

import argparse
import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import aiohttp
import discord
import yarl
from discord.ext import commands
from dotenv import load_dotenv

from cogs.admin import Admin, Doctor, SettingsCommands
from cogs.core.router.border import moment_of
from cogs.core.router.errors import make_sure
from cogs.core.router.service import Service
from cogs.core.router.tree import Tree
from cogs.core.screen import Screen
from cogs.core.session.tables import Tables
from cogs.core.session.thinking import Thinkers
from cogs.core.session.timers import Clock, DiscordClock
from cogs.core.warming import warm
from cogs.general import Hall
from cogs.privacy import Privacy
from cogs.records import Records
from cogs.registry import GAMES, GamePackage
from cogs.replays import Replays
from data.material import FOLDER, MaterialError, load_material
from data.store import Store, StoreError
from data.store.alive import last_beat
from data.store.backup import backup
from data.verification import Unreadable, check

log = logging.getLogger("cellblock")

HERE = Path(__file__).resolve().parent

USAGE = 2
"""Exit code for what the owner has to mend: configuration, token, database."""

MOST_THINKERS = 16


UPLOAD_WITHIN_S = 5.0
"""So long the start waits for the upload of the commands; then it goes on by itself."""


class SetUpError(Exception):
    """Something the owner has to mend before the bot can run: one sentence with the next step."""


ALIVE_WITHIN_S = 60
"""A running bot notes the time every ten seconds."""


def cores() -> int:
    """Return how many computer players may think at once: the machine's cores, as far as we may use them."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MOST_THINKERS)


@dataclass(frozen=True)
class Config:
    """What the owner sets, by environment variables or `.env`; the README has the table."""

    token: str | None
    database: Path
    read_messages: bool = False
    members_intent: bool = False
    thinkers: int = field(default_factory=cores)
    think_seconds: float = 0.8
    log_level: str = "INFO"
    api: str | None = None
    gateway: str | None = None


def read_config(environ: Mapping[str, str]) -> Config:
    """Return the configuration. Raises `SetUpError` naming the variable that is wrong."""

    def flag(name: str) -> bool:
        value = environ.get(name, "0").strip().lower()
        if value not in ("", "0", "1", "no", "yes", "false", "true"):
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
    return Config(
        token=environ.get("DISCORD_TOKEN", "").strip() or None,
        database=HERE / (environ.get("DATABASE", "").strip() or "data/cellblock.db"),
        read_messages=flag("READ_MESSAGES"),
        members_intent=flag("MEMBERS_INTENT"),
        thinkers=int(number("THINKERS", cores(), 1, MOST_THINKERS)),
        think_seconds=number("THINK_SECONDS", 0.8, 0.05, 2.0),
        log_level=level,
        api=environ.get("DISCORD_API", "").strip() or None,
        gateway=environ.get("DISCORD_GATEWAY", "").strip() or None,
    )


def point_at(api: str | None, gateway: str | None) -> None:
    """Let the library speak to another address than Discord's own: the sandbox, or a proxy. None leaves Discord's."""
    if api is not None:
        base = api.rstrip("/")
        discord.http.Route.BASE = base
    if gateway is not None:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


COGS: tuple[Callable[[Tables, Service], commands.Cog], ...] = (
    Hall,
    Records,
    Replays,
    SettingsCommands,
    Doctor,
    Admin,
    Privacy,
)
"""Those that serve every game; each game brings its own."""

# Nobody speaks here: the library need not warn that its voice extras are missing.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


class Cellblock(commands.AutoShardedBot):
    """The client. It owns nothing but what it is given: the store, the clock and the thinkers live in `running`."""

    def __init__(
        self,
        config: Config,
        store: Store,
        clock: Clock,
        thinkers: Thinkers,
        shard_count: int | None = None,
        games: Sequence[GamePackage] = GAMES,
    ):
        intents = discord.Intents(guilds=True, guild_messages=True)
        intents.message_content = config.read_messages
        intents.members = config.members_intent
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            shard_count=shard_count,
            tree_cls=Tree,
        )
        screens: dict[str, Screen] = {package.game.key: package.screen() for package in games}
        materials = {package.game.key: load_material(package.game, package.folder or FOLDER) for package in games}
        players = {package.game.key: package.players for package in games}
        self.clock = clock
        self.tables = Tables(self, store, clock, thinkers, screens, materials, players)
        self.service = Service(self.tables)
        self._cogs = (*COGS, *(package.cog for package in games))
        self._upload_tried = asyncio.Event()

    async def setup_hook(self) -> None:
        """Load the cogs, open the house, tell Discord our commands, and let the first pictures be drawn meanwhile."""
        for cog in self._cogs:
            await self.add_cog(cog(self.tables, self.service))
        await self.tables.open_house()
        self.tables.do("commands", self._upload_commands)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(UPLOAD_WITHIN_S):
                await self._upload_tried.wait()
        # What stands now stays: the collector need not walk it again and again while people click. Measured: the
        # slowest of a hundred clicks comes after 10 ms instead of 25 (make bench clicks).
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 20, 50)
        self.tables.spawn(warm(self.tables), "warming")

    async def _upload_commands(self) -> None:
        """Tell Discord our commands. What fails is tried again with growing waits, while the bot serves."""
        try:
            await self.tree.sync()
        finally:
            self._upload_tried.set()

    async def on_shard_connect(self, shard: int) -> None:
        """Go on with the tables of a shard's servers."""
        shards = self.shard_count or 1
        present = {guild.id for guild in self.guilds}
        connected = self.tables.connected(present, lambda guild: (guild >> 22) % shards == shard)
        self.tables.spawn(connected, "going on with tables")

    async def on_ready(self) -> None:
        """Say where we are."""
        log.info("ready as %s on %s servers", self.user, len(self.guilds))

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Serve controls and forms; commands come in by the tree. Each of whatever kind sets the clock."""
        self.clock.received(moment_of(interaction))
        await self.service.router.receive(interaction)

    async def on_app_command_completion(self, interaction: discord.Interaction, command: object) -> None:
        """Make sure that a command which came to its end has told something."""
        await make_sure(interaction)

    async def on_message(self, message: discord.Message) -> None:
        """Take note that table messages scroll away; anybody's sets the clock. The text is not looked at here."""
        self.clock.received(moment_of(message))
        if message.guild is not None and (self.user is None or message.author.id != self.user.id):
            self.tables.heard(message.channel.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the tables of a channel that is gone."""
        self.tables.spawn(self.tables.channel_gone(channel.id), "closing tables")

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the tables of a thread that is gone."""
        self.tables.spawn(self.tables.channel_gone(payload.thread_id), "closing tables")

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Let the tables of a server stand still that has thrown us out."""
        self.tables.spawn(self.tables.guild_gone(guild.id), "leaving a server")

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """The same for a server that Discord cannot reach for a while: nobody there can play."""
        self.tables.spawn(self.tables.guild_gone(guild.id), "leaving a server")

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Go on with the tables of a server that has let us in again."""
        self.tables.spawn(self.tables.guild_back(guild), "coming back to a server")

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """The same for a server that is there (again)."""
        self.tables.spawn(self.tables.guild_available(guild), "coming back to a server")

    async def on_guild_channel_update(self, before: object, after: discord.abc.GuildChannel) -> None:
        """Try again what was refused: permissions may have changed."""
        self.tables.look_again(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """The same, for all channels of a server."""
        self.tables.look_again(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The same, where our own roles have changed."""
        if self.user is not None and after.id == self.user.id:
            self.tables.look_again(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """The same, where a thread may have been taken out of the archive."""
        self.tables.look_again(payload.guild_id, payload.thread_id)

    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Let a computer play on for somebody who left the server. Discord tells only with MEMBERS_INTENT=1."""
        await self.tables.person_left(payload.user.id, payload.guild_id)

    async def close(self) -> None:
        """Put everything down before the connection goes."""
        if not self.is_closed():
            await self.tables.close_house()
        await super().close()


@contextlib.asynccontextmanager
async def running(
    config: Config,
    clock: Clock | None = None,
    thinkers: Thinkers | None = None,
    games: Sequence[GamePackage] = GAMES,
) -> AsyncIterator[Cellblock]:
    """Give a client with its database open; both are closed at the end. Raises `StoreError` and `MaterialError`."""
    clock = clock or DiscordClock()
    async with Store.open(config.database, now=clock.now) as store:
        thinkers = thinkers or Thinkers(config.thinkers, config.think_seconds)
        client = Cellblock(config, store, clock, thinkers, games=games)
        async with client:
            yield client


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


def _back_up(config: Config, target: Path) -> int:
    """Copy the database, and say so; return the exit code. Raises `StoreError`."""
    size = backup(config.database, target, DiscordClock().now())
    print(f"cellblock: copied {config.database} to {target}, {size:,} bytes.")  # noqa: T201 (the task's answer)
    return 0


def _alive(config: Config) -> int:
    """Say whether a bot runs on the database; return 0 if it has noted the time lately, else 1. Raises `StoreError`."""
    beat = last_beat(config.database)
    silent_s = None if beat is None else max(0, DiscordClock().now() - beat) // 1_000
    if silent_s is None or silent_s > ALIVE_WITHIN_S:
        since = "nothing has been heard of it" if silent_s is None else f"it was last heard of {silent_s:,} s ago"
        print(f"cellblock: no bot runs on {config.database}; {since}.")  # noqa: T201 (the task's answer)
        return 1
    print(f"cellblock: a bot runs on {config.database}; it was heard of {silent_s} s ago.")  # noqa: T201
    return 0


def _verify(file: Path) -> int:
    """Prove an exported game, and say what came of it; return 0 if it is proved, else 1. Raises `Unreadable`."""
    report = check(file, [package.game for package in GAMES])
    print(f"cellblock: {report.sentence()}")  # noqa: T201 (the task's answer)
    return 0 if report.proved else 1


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
    tasks.add_parser("alive", help="say whether a bot runs on the database: exit code 0 or 1, for health checks")
    checking = tasks.add_parser("verify", help="prove an exported game: recompute every shuffle, deal and roll")
    checking.add_argument("file", type=Path, help="a file that /replay has exported")
    arguments = parser.parse_args(argv)
    load_dotenv(HERE / ".env")
    try:
        if arguments.task == "verify":
            return _verify(arguments.file)
        config = read_config(os.environ)
        if arguments.task == "backup":
            return _back_up(config, arguments.file)
        if arguments.task == "alive":
            return _alive(config)
        discord.utils.setup_logging(level=getattr(logging, config.log_level), root=True)
        if arguments.sandbox:
            database = config.database if os.environ.get("DATABASE", "").strip() else HERE / "data" / "sandbox.db"
            asyncio.run(play_in_sandbox(replace(config, database=database), arguments.port))
        else:
            asyncio.run(play(config))
    except (SetUpError, StoreError, MaterialError, Unreadable) as error:
        print(f"cellblock: {error}", file=sys.stderr)  # noqa: T201 (a sentence for the owner, not a log line)
        return USAGE
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
