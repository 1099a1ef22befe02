"""A small real discord.py bot, connected to the sandbox."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest
import yarl

from sandbox import PATIENCE_S, Channel, Guild, Sandbox, UserClient

with warnings.catch_warnings():
    # discord.py imports audioop for voice; Python 3.11 deprecates that module
    warnings.simplefilter("ignore", DeprecationWarning)
    import discord
    from discord import app_commands
    from discord.ext import commands


@pytest.fixture
def point_discord(monkeypatch: pytest.MonkeyPatch) -> Callable[[Sandbox], None]:
    """Point discord.py to a sandbox instead of to Discord."""

    def point(sandbox: Sandbox) -> None:
        monkeypatch.setattr(discord.http.Route, "BASE", sandbox.api)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(sandbox.gateway))
        monkeypatch.setattr(discord.asset.Asset, "BASE", sandbox.cdn)

    return point


AnyBot = commands.Bot | commands.AutoShardedBot


class Bot(commands.Bot):
    """A bot to which a test adds commands before it starts."""

    def __init__(self, **more: Any) -> None:
        intents = more.pop("intents", None) or discord.Intents.default()
        super().__init__("!", intents=intents, guild_ready_timeout=0.02, max_messages=None, **more)

    async def setup_hook(self) -> None:
        """Register the commands."""
        await self.tree.sync()


class Raw:
    """The bot's REST API without a library, for bodies that discord.py would not send."""

    def __init__(self, sandbox: Sandbox, session: aiohttp.ClientSession) -> None:
        self._sandbox = sandbox
        self._session = session
        self.headers: dict[str, str] = {}

    async def call(self, method: str, path: str, body: object = None, *, token: str | None = None) -> tuple[int, Any]:
        """Make one call. Return status and JSON (None for 204); ``headers`` has the response's headers."""
        authorization = {"Authorization": f"Bot {token or self._sandbox.token}"}
        url = self._sandbox.api + path
        async with self._session.request(method, url, json=body, headers=authorization) as response:
            self.headers = dict(response.headers)
            return response.status, await response.json() if response.status != 204 else None

    async def upload(self, method: str, path: str, body: object, *files: tuple[str, bytes]) -> tuple[int, Any]:
        """Do the same with files in a multipart body."""
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", json.dumps(body))
        for index, (name, data) in enumerate(files):
            kind = "application/octet-stream"
            form.add_field(f"files[{index}]", io.BytesIO(data), filename=name, content_type=kind)
        headers = {"Authorization": f"Bot {self._sandbox.token}"}
        async with self._session.request(method, self._sandbox.api + path, data=form, headers=headers) as response:
            self.headers = dict(response.headers)
            return response.status, await response.json()


class Wire:
    """The gateway without a library."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.sequence = 0
        self.session = ""

    async def send(self, operation: int, data: object) -> None:
        """Send a frame."""
        await self.socket.send_json({"op": operation, "d": data})

    async def next(self, *events: str) -> Any:
        """Return the data of the next dispatch, or of the next with one of these names."""
        while True:
            frame = await self.socket.receive_json(timeout=PATIENCE_S)
            self.sequence = frame.get("s") or self.sequence
            if frame["op"] == 0 and (not events or frame["t"] in events):
                if frame["t"] == "READY":
                    self.session = frame["d"]["session_id"]
                return frame["d"]

    async def operation(self) -> Any:
        """Return the next frame that is not a dispatch."""
        while True:
            frame = await self.socket.receive_json(timeout=PATIENCE_S)
            if frame["op"] != 0:
                return frame

    async def closed(self) -> int | None:
        """Wait for the end and return the close code."""
        while True:
            message = await self.socket.receive(timeout=PATIENCE_S)
            if message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING):
                return self.socket.close_code


@dataclass
class Scene:
    """A sandbox with one server, two people, and a way to start bots."""

    sandbox: Sandbox
    guild: Guild
    yard: Channel
    ann: UserClient
    ben: UserClient
    start: Callable[[AnyBot], Awaitable[None]]
    raw: Raw
    session: aiohttp.ClientSession

    async def wire(self, intents: int | None = None, *, shard: tuple[int, int] = (0, 1)) -> Wire:
        """Open a gateway connection, identified if intents are given."""
        wire = Wire(await self.session.ws_connect(self.sandbox.gateway + "?v=10&encoding=json"))
        hello = await wire.operation()
        assert hello["op"] == 10
        if intents is not None:
            await wire.send(2, {"token": self.sandbox.token, "intents": intents, "properties": {}, "shard": shard})
            await wire.next("READY")
        return wire

    def patience(self, seconds: float) -> None:
        """Set the seconds after which an unanswered interaction fails."""
        self.sandbox.settings.answer_within_ms = seconds * 1_000

    async def run(self, add_commands: Callable[[Bot], object], **more: Any) -> Bot:
        """Start a bot after a test has added its commands."""
        bot = Bot(**more)
        add_commands(bot)
        await self.start(bot)
        return bot


@pytest.fixture
async def scene(point_discord: Callable[[Sandbox], None]) -> AsyncIterator[Scene]:
    """The scene with short times; bots that were started are closed at the end."""
    tasks: list[asyncio.Task[None]] = []
    bots: list[AnyBot] = []
    async with Sandbox(answer_within_ms=PATIENCE_S * 1_000, window_scale=0.05) as sandbox:
        point_discord(sandbox)
        guild = sandbox.add_guild("Alcatraz")
        yard = sandbox.add_channel(guild, "yard")

        async def start(bot: AnyBot) -> None:
            bots.append(bot)
            ready = asyncio.Event()

            async def on_ready() -> None:
                ready.set()

            bot.add_listener(on_ready)
            tasks.append(asyncio.create_task(bot.start(sandbox.token)))
            waiting = asyncio.create_task(ready.wait())
            await asyncio.wait((waiting, tasks[-1]), timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
            if tasks[-1].done():
                waiting.cancel()
                tasks[-1].result()
            await sandbox.until(lambda: not any(guild.unavailable for guild in bot.guilds))

        ann = sandbox.add_person("Ann", guild, administrator=True)
        ben = sandbox.add_person("Ben", guild)
        async with aiohttp.ClientSession() as session:
            yield Scene(sandbox, guild, yard, ann, ben, start, Raw(sandbox, session), session)
        for bot in bots:
            await bot.close()
        for task in tasks:
            with contextlib.suppress(Exception):
                await task


def slash(bot: Bot, name: str) -> Callable[[Any], app_commands.Command[Any, ..., Any]]:
    """Add a slash command to a bot, described by its name."""
    return bot.tree.command(name=name, description=f"{name}, for a test")


__all__ = ["Bot", "Raw", "Scene", "Wire", "app_commands", "commands", "discord", "slash"]
