"""The owner's configuration, read from environment variables and `.env`; docs/operating.md lists it."""

import io
import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import yarl
from dotenv import load_dotenv
from dotenv.parser import parse_stream

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


@cache
def version() -> str:
    """Return the version of the bot."""
    return str(tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


class Listen(NamedTuple):
    """The address at which metrics are served."""

    host: str
    port: int


@dataclass(frozen=True)
class Config:
    """The owner's settings. `api` and `gateway` replace Discord's own addresses."""

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


def load_env_file(path: Path) -> None:
    """Add the file's variables to the environment, which takes precedence; a missing file is ignored. Raises
    `ConfigurationError` for an unreadable file, or a malformed line, which is not quoted: it may hold the token.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigurationError(
            f"{path} cannot be read ({error.strerror}): let the bot read it, or move it away and set its variables in "
            "the environment."
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path} is not written in UTF-8: save it again in that encoding.") from error
    # python-dotenv only warns of a malformed line; without that line, the bot could open another database.
    for line in parse_stream(io.StringIO(text)):
        if line.error or (line.key is not None and line.value is None):
            read = line.original.string
            number = line.original.line + read[: len(read) - len(read.lstrip())].count("\n")
            raise ConfigurationError(
                f"{path}, line {number}: this isn't a setting. Write it as NAME=value, with quotation marks on both "
                "sides of the value or on neither, or put # in front of it."
            )
    load_dotenv(stream=io.StringIO(text), interpolate=False)  # a password may have ${...} in it


def env_file_warning(path: Path) -> str | None:
    """Return a warning if other users of this machine can read the file, which holds the token."""
    if os.name != "posix" or not path.exists():  # elsewhere its mode does not tell
        return None
    mode = stat.S_IMODE(path.stat().st_mode)
    if not mode & (stat.S_IRGRP | stat.S_IROTH):
        return None
    return f"Other users can read {path} (mode {mode:o}), which holds the bot's token: run chmod 600 {path}"


def address_of(database: str) -> Address:
    """Return the address of the database that DATABASE names: a URL, or a path relative to this folder. Raises
    `ConfigurationError` for another kind of URL, and quotes only its scheme: it may contain a password.
    """
    if database.startswith(("postgresql://", "postgres://")):
        return database
    kind, colon, rest = database.partition(":")
    if colon and (rest.startswith("//") or "@" in rest or kind.lower().startswith("postgres")):
        raise ConfigurationError(
            f"A database cannot be at {kind}:…: name it by a path, or as postgresql://user:password@host/name."
        )
    return HERE / database


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
        metrics=_read_listen(environ.get("METRICS", "").strip()),
        api=_read_url(environ, "DISCORD_API", "http", "https"),
        gateway=_read_url(environ, "DISCORD_GATEWAY", "ws", "wss"),
        shards=_read_shards(environ, "SHARDS"),
        shard_count=_read_shards(environ, "SHARD_COUNT"),
    )


def read_database(environ: Mapping[str, str]) -> Address:
    """Return the address of the database. Raises `ConfigurationError`."""
    database = address_of(environ.get("DATABASE", "").strip() or "data/cellblock.db")
    if isinstance(database, Path) and _read_shards(environ, "SHARDS") is not None:
        raise ConfigurationError(
            "SHARDS is set, but DATABASE is a file, which only one process can use: set SHARDS to auto, or DATABASE "
            "to the address of a PostgreSQL database."
        )
    return database


def _read_listen(value: str) -> Listen | None:
    """Return the address at which METRICS asks for metrics to be served; None for none."""
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
            "METRICS is set, but prometheus-client isn't installed: run .venv/bin/pip install '.[metrics]' in the "
            "bot's folder, or unset METRICS."
        )
    return Listen(host, int(port))


def _read_url(environ: Mapping[str, str], name: str, *schemes: str) -> str | None:
    """Return an address to use instead of Discord's own; None if none is set."""
    value = environ.get(name, "").strip()
    if not value:
        return None
    try:
        url = yarl.URL(value)
        valid = url.scheme in schemes and bool(url.host) and url.port is not None
    except ValueError:
        valid = False
    if not valid:
        raise ConfigurationError(
            f"{name} is {value!r}; set it to an address that begins with {schemes[-1]}://, or leave it out."
        )
    return value


def _read_shards(environ: Mapping[str, str], name: str) -> int | None:
    """Return a number of shards; None for "auto"."""
    value = environ.get(name, "").strip().lower() or "auto"
    if value == "auto":
        return None
    if not (value.isascii() and value.isdecimal() and 1 <= int(value) <= MAX_SHARDS):
        raise ConfigurationError(f"{name} is {value!r}; set it to a number from 1 to {MAX_SHARDS}, or to auto.")
    return int(value)


def point_at(api: str | None, gateway: str | None) -> None:
    """Point discord.py at another address than Discord's, such as the sandbox or a proxy. None keeps Discord's own."""
    # The health check reads the configuration, and does not load discord.py.
    import discord

    if api is not None:
        discord.http.Route.BASE = api.rstrip("/")
    if gateway is not None:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
