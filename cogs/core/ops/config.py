"""The configuration that the bot's owner sets by environment variables or `.env`; docs/operating.md lists it."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import discord
import yarl

from cogs.core.ops.errors import ConfigurationError
from data.store.open_store import Address

HERE = Path(__file__).resolve().parents[3]
"""The folder from which the bot runs."""

MAX_BOT_WORKERS = 16

MAX_PORT = 65_535

MAX_SHARDS = 10_000


def cores() -> int:
    """Return how many bot workers to run by default: one for each CPU core that this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MAX_BOT_WORKERS)


class Listen(NamedTuple):
    """The address at which metrics are served."""

    host: str
    port: int


@dataclass(frozen=True)
class Config:
    """The owner's settings; docs/operating.md lists them."""

    token: str | None
    database: Address
    read_messages: bool = False
    members_intent: bool = False
    own_emoji: bool = True
    bot_workers: int = field(default_factory=cores)
    think_seconds: float = 0.8
    log_level: str = "INFO"
    log_format: str = "text"
    metrics: Listen | None = None
    api: str | None = None
    gateway: str | None = None
    shards: int | None = None
    shard_count: int | None = None


def version() -> str:
    """Return which version of the bot this is."""
    return str(tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def address_of(database: str) -> Address:
    """Return the address of the database that DATABASE names: a URL, or a path relative to this folder. Raises
    `ConfigurationError` for another kind of URL or a misspelt one. The message quotes only its scheme, since it may
    contain a password.
    """
    if database.startswith(("postgresql://", "postgres://")):
        return database
    kind, colon, rest = database.partition(":")
    if colon and (rest.startswith("//") or "@" in rest or kind.lower().startswith("postgres")):
        raise ConfigurationError(
            f"A database cannot be at {kind}:…: name it by a path, or as postgresql://user:password@host/name."
        )
    return HERE / database


def read_url(environ: Mapping[str, str], name: str, kinds: tuple[str, ...]) -> str | None:
    """Return another address than Discord's own; None where none is set. Raises `ConfigurationError`."""
    value = environ.get(name, "").strip()
    if not value:
        return None
    try:
        url = yarl.URL(value)
        sound = url.scheme in kinds and bool(url.host) and url.port is not None
    except ValueError:
        sound = False
    if not sound:
        raise ConfigurationError(
            f"{name} is {value!r}; set it to an address that begins with {kinds[-1]}://, or leave it out."
        )
    return value


def read_listen(value: str) -> Listen | None:
    """Return the address at which METRICS asks for metrics to be served; None for none. Raises `ConfigurationError`."""
    if value in ("", "0"):
        return None
    host, _, port = value.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or "127.0.0.1"
    if not (port.isascii() and port.isdecimal() and 1 <= int(port) <= MAX_PORT) or value.startswith(":"):
        raise ConfigurationError(
            f"METRICS is {value!r}; set it to a port (1 to {MAX_PORT}), to host:port, or to 0 for none."
        )
    if find_spec("prometheus_client") is None:
        raise ConfigurationError(
            "METRICS is set, and what writes the figures is missing: install it (.venv/bin/pip install '.[metrics]' in "
            "its folder), or leave it out."
        )
    return Listen(host, int(port))


def read_shards(environ: Mapping[str, str], name: str) -> int | None:
    """Return a number of shards that is set; None for "auto". Raises `ConfigurationError`."""
    value = environ.get(name, "").strip().lower() or "auto"
    if value == "auto":
        return None
    if not (value.isascii() and value.isdecimal() and 1 <= int(value) <= MAX_SHARDS):
        raise ConfigurationError(f"{name} is {value!r}; set it to a number from 1 to {MAX_SHARDS}, or to auto.")
    return int(value)


def read_database(environ: Mapping[str, str]) -> Address:
    """Return where the database is. Raises `ConfigurationError` for a file where the bot is to take a part of the
    shards.
    """
    database = address_of(environ.get("DATABASE", "").strip() or "data/cellblock.db")
    if isinstance(database, Path) and read_shards(environ, "SHARDS") is not None:
        raise ConfigurationError(
            "SHARDS is set, but DATABASE is a file, which one process has to itself: set SHARDS to auto, or DATABASE "
            "to the address of a PostgreSQL database."
        )
    return database


def read_config(environ: Mapping[str, str]) -> Config:
    """Return the configuration. Raises `ConfigurationError` naming the variable that is wrong."""

    def flag(name: str, usual: str = "0") -> bool:
        value = environ.get(name, "").strip().lower() or usual
        if value not in ("0", "1", "no", "yes", "false", "true"):
            raise ConfigurationError(f"{name} is {value!r}; set it to 1 or 0.")
        return value in ("1", "yes", "true")

    def number(name: str, default: float, least: float, most: float) -> float:
        value = environ.get(name, "").strip() or str(default)
        try:
            found = float(value)
        except ValueError:
            found = least - 1
        if not least <= found <= most:
            raise ConfigurationError(f"{name} is {value!r}; set it to a number from {least:g} to {most:g}.")
        return found

    level = environ.get("LOG_LEVEL", "").strip().upper() or "INFO"
    if level not in ("DEBUG", "INFO", "WARNING", "ERROR"):
        raise ConfigurationError(f"LOG_LEVEL is {level!r}; set it to DEBUG, INFO, WARNING or ERROR.")
    log_format = environ.get("LOG_FORMAT", "").strip().lower() or "text"
    if log_format not in ("text", "json"):
        raise ConfigurationError(f"LOG_FORMAT is {log_format!r}; set it to text or json.")
    return Config(
        token=environ.get("DISCORD_TOKEN", "").strip() or None,
        database=read_database(environ),
        read_messages=flag("READ_MESSAGES"),
        members_intent=flag("MEMBERS_INTENT"),
        own_emoji=flag("OWN_EMOJI", "1"),
        bot_workers=int(number("THINKERS", cores(), 1, MAX_BOT_WORKERS)),
        think_seconds=number("THINK_SECONDS", 0.8, 0.05, 2.0),
        log_level=level,
        log_format=log_format,
        metrics=read_listen(environ.get("METRICS", "").strip()),
        api=read_url(environ, "DISCORD_API", ("http", "https")),
        gateway=read_url(environ, "DISCORD_GATEWAY", ("ws", "wss")),
        shards=read_shards(environ, "SHARDS"),
        shard_count=read_shards(environ, "SHARD_COUNT"),
    )


def point_at(api: str | None, gateway: str | None) -> None:
    """Point discord.py at another address than Discord's, such as the sandbox or a proxy. None keeps Discord's own."""
    if api is not None:
        base = api.rstrip("/")
        discord.http.Route.BASE = base
    if gateway is not None:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
