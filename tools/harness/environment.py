"""What a bot needs to run in this process: a sandbox, a clock that tests advance, and settings for a busy machine."""

import asyncio
import contextlib
import json
import random
from collections.abc import AsyncIterator, Hashable, Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import discord
import orjson
from discord import AppCommandOptionType, app_commands

from cogs.core.app import client as client_module
from cogs.core.app import metrics_server
from cogs.core.app.client import Cellblock
from cogs.core.cluster import call_queue
from cogs.core.i18n.languages import Languages
from cogs.core.i18n.translation import Language, present
from cogs.core.ops.config import point_at
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Picture
from cogs.core.publishing import covers, responder
from cogs.core.publishing.covers import cover
from cogs.core.tables import moves
from cogs.records import leaderboard_updater
from engine.contract import Moment
from sandbox import PATIENCE_S, Sandbox
from sandbox.gateway import connection
from sandbox.rest import api, applications
from tools.harness.prerendering import draw_nothing
from tools.messages import COMPLETE

BEGINNING = 1_795_608_000_000
"""When the clock starts, in ms: noon on a Wednesday in late November 2026. The date decides the puzzles of the day."""

AT_ONCE = 1_000_000
"""Burst limit of background calls. The clock is stopped, so with the normal limit some calls would never be sent."""

RETRY_SCALE = 0.02
"""Share of its usual waits after which discord.py repeats a call that failed."""

SUBCOMMANDS = {option.value for option in (AppCommandOptionType.subcommand, AppCommandOptionType.subcommand_group)}

SERVING = ("CommandTree-", "discord-ui-", "discord.py: on_")
"""Prefixes of the client's task names that serve an interaction or an event."""


class ManualClock:
    """The sandbox's clock as the bot reads it. It always starts at the same moment, and only `advance` moves it, so a
    busy machine misses no deadline.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._advanced = asyncio.Event()
        sandbox.stop_clock()
        sandbox.move_clock(BEGINNING - self.now())

    def now(self) -> Moment:
        """Return the current moment."""
        return Moment(self._sandbox.state.clock.now_ms())

    def received(self, at: Moment) -> None:
        """Ignore the time of an event; this clock is Discord's own."""

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        """Wait until a moment, or until the bell is set."""
        ringing = asyncio.create_task(bell.wait())
        try:
            while not bell.is_set() and self.now() < until:
                advanced = asyncio.create_task(self._advanced.wait())
                await asyncio.wait({ringing, advanced}, return_when=asyncio.FIRST_COMPLETED)
                advanced.cancel()
        finally:
            ringing.cancel()

    def advance(self, ms: int) -> None:
        """Move the clock forward."""
        self._sandbox.move_clock(ms)
        self._advanced.set()
        self._advanced = asyncio.Event()


@cache
def shipped() -> Languages:
    """Return the languages with a complete catalogue, cached."""
    return Languages(language for language in Languages.load().others if language.code in COMPLETE)


@contextlib.asynccontextmanager
async def connected(client: Cellblock, sandbox: Sandbox) -> AsyncIterator["asyncio.Task[None]"]:
    """Connect a client to the sandbox, and close it afterwards. The task ends early if the client cannot connect."""
    connection = asyncio.create_task(client.start(sandbox.token))
    try:
        yield connection
    finally:
        await client.close()
        connection.cancel()  # the library may be waiting to try again
        await asyncio.wait({connection}, timeout=PATIENCE_S)


async def settle(client: Cellblock) -> None:
    """Wait until every pending message has been sent and no computer player is thinking."""
    while True:
        await client.tables.tasks.settle()
        await client.tables.registry.settle()
        if not client.tables.tasks.running:
            return


def overrides(*, patient: bool = True) -> list[tuple[Any, str, Any]]:
    """Return the attributes to set while a bot runs in this process, as object, name and value.

    They include discord.py's own addresses, so that `point_at` is undone too. `patient` adds timeouts that suit a busy
    machine.
    """
    gateway = discord.gateway.DiscordWebSocket
    found: list[tuple[Any, str, Any]] = [
        (discord.http.Route, "BASE", discord.http.Route.BASE),
        (gateway, "DEFAULT_GATEWAY", gateway.DEFAULT_GATEWAY),
        (call_queue, "AT_ONCE", AT_ONCE),
    ]
    if patient:
        found += [
            (responder, "DEFER_AFTER_S", PATIENCE_S),  # the first answer is complete
            (covers, "WAIT_S", PATIENCE_S),  # the first lobby has its cover picture
            (covers, "cover", _cover),
            (leaderboard_updater, "PATIENCE_S", PATIENCE_S),  # a leaderboard includes the game that has just ended
            (metrics_server, "ANSWER_WITHIN_S", PATIENCE_S),
            (covers.Covers, "prerender", draw_nothing),
            (client_module, "gc", SimpleNamespace(collect=int, freeze=int, set_threshold=max)),  # tests have many bots
            *((module, "asyncio", _ImpatientAsyncio()) for module in (discord.http, discord.webhook.async_)),
            *((kind, "get_translated_payload", _cached(kind)) for kind in (app_commands.Command, app_commands.Group)),
            (app_commands.tree, "AppCommand", _named),
            *((module, "json", _FastJson) for module in (api, applications, connection)),
        ]
    return found


class _FastJson:
    """`json` for the sandbox, which uses the standard library: that takes a sixth of a bot's start to read and write
    the upload of the commands.
    """

    loads = staticmethod(orjson.loads)

    @staticmethod
    def dumps(body: Any, separators: object = None) -> str:
        try:
            return orjson.dumps(body).decode()
        except TypeError:  # an integer of more than 64 bits
            return json.dumps(body, separators=(",", ":"))


class _ImpatientAsyncio:
    """`asyncio` for discord.py's HTTP clients, which wait 1 to 9 s before they repeat a call that failed. Shorter waits
    are those for a rate limit.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    @staticmethod
    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds * RETRY_SCALE if seconds >= 1 else seconds)


_covers: dict[tuple[type[GameUI], Language], Picture | None] = {}


def _cover(ui: GameUI, material: Any) -> Picture | None:
    """Return a game's cover, drawn once in this process: a bot draws it once, and tests have many bots."""
    key = type(ui), present()
    if key not in _covers:
        _covers[key] = cover(ui, material)
    return _covers[key]


_payloads: dict[tuple[Hashable, tuple[str, ...]], dict[str, Any]] = {}


def _cached(kind: type[Any]) -> Any:
    """Return a method that builds the payload of a command in all languages, once for equal commands in this process:
    discord.py asks for each text in each of its 31 locales, which takes as long as the rest of a start.
    """
    build = kind.get_translated_payload

    async def get_translated_payload(command: Any, tree: Any, translator: Any) -> dict[str, Any]:
        key = _facts(command), tuple(translator.languages.codes)
        if key not in _payloads:
            _payloads[key] = await build(command, tree, translator)
        return _payloads[key]

    return get_translated_payload


def _facts(command: app_commands.Command[Any, ..., Any] | app_commands.Group) -> Hashable:
    """Return what two commands differ in if they are not equal; `to_dict` would take much longer."""
    if isinstance(command, app_commands.Group):
        return command.qualified_name, command.description, tuple(map(_facts, command.commands))
    options = [
        (
            one.name,
            one.description,
            one.type,
            one.autocomplete,
            one.required,
            one.min_value,
            one.max_value,
            *(choice.name for choice in one.choices),
        )
        for one in command.parameters
    ]
    return command.qualified_name, command.description, tuple(options)


def _named(data: dict[str, Any], state: Any) -> app_commands.AppCommand:
    """Return an uploaded command with the names of its subcommands, all that the bot reads of it: discord.py makes
    objects of each option and each of its 31 translations.
    """
    return app_commands.AppCommand(data=_names_in(data), state=state)  # type: ignore[arg-type]  # as Discord sends it


def _names_in(data: dict[str, Any]) -> dict[str, Any]:
    below = [_names_in(part) for part in data.get("options", ()) if part["type"] in SUBCOMMANDS]
    return {key: value for key, value in data.items() if not key.endswith("_localizations")} | {"options": below}


@contextlib.contextmanager
def overridden(*, patient: bool = True) -> Iterator[None]:
    """Set the `overrides`, and restore what they replaced."""
    with contextlib.ExitStack() as stack:
        for target, name, value in overrides(patient=patient):
            stack.enter_context(patch.object(target, name, value))
        yield


@contextlib.asynccontextmanager
async def open_sandbox() -> AsyncIterator[Sandbox]:
    """Point discord.py at a new sandbox with generous timeouts. Fail if the bot breaks a rule of Discord."""
    async with Sandbox(answer_within_ms=PATIENCE_S * 1_000, window_scale=0.02, reaction_ms=0) as sandbox:
        point_at(sandbox.api, sandbox.gateway)
        yield sandbox
        assert sandbox.violations == [], sandbox.violations[:3]


@contextlib.asynccontextmanager
async def patient_sandbox() -> AsyncIterator[Sandbox]:
    """Open a sandbox with the `overrides` set."""
    with overridden():
        async with open_sandbox() as sandbox:
            yield sandbox


@contextlib.contextmanager
def seeded(seed: str) -> Iterator[None]:
    """Give tables the same secret seeds in every run, and seed the global random generator."""
    random.seed(seed)
    with patch.object(moves, "secrets", SimpleNamespace(token_bytes=random.Random(seed).randbytes)):
        yield
