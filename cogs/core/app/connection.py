"""Connects a client to Discord until it is told to stop, and explains to its owner why Discord does not let it."""

import asyncio
import contextlib
import logging
import signal
from collections.abc import Iterator
from http import HTTPStatus

import aiohttp
import discord

from cogs.core.app.client import Cellblock
from cogs.core.ops.config import Config
from cogs.core.ops.errors import ConfigurationError, DiscordUnavailable

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


async def connect(client: Cellblock, token: str) -> None:
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


@contextlib.contextmanager
def explain_failures(config: Config) -> Iterator[None]:
    """Raise what Discord refuses as `ConfigurationError`, if the owner has to fix it, or as `DiscordUnavailable`."""
    try:
        yield
    except discord.LoginFailure as error:
        raise ConfigurationError(
            "Discord refuses the token in DISCORD_TOKEN: reset it on the application's "
            "Bot page and put the new one into .env."
        ) from error
    except discord.PrivilegedIntentsRequired as error:
        raise ConfigurationError(
            "READ_MESSAGES or MEMBERS_INTENT is on, but the application lacks that intent: switch it on on its Bot "
            "page, or set the variable to 0."
        ) from error
    except discord.ConnectionClosed as error:
        if error.code == TOO_FEW_SHARDS and config.shard_count is None:
            raise DiscordUnavailable(
                "A shard has more servers than Discord allows: the bot counts them again when it starts. If several "
                "processes are running, stop all of them first."
            ) from error
        if error.code not in CLOSED:
            raise
        raise ConfigurationError(CLOSED[error.code]) from error
    except discord.HTTPException as error:
        if error.status == HTTPStatus.BAD_REQUEST:
            raise  # our request was malformed: a bug, which starting again does not fix
        raise DiscordUnavailable(
            f"Discord does not serve us (it answers {error.status}): try again in a few minutes."
        ) from error
    except (aiohttp.ClientError, discord.GatewayNotFound, TimeoutError) as error:
        how = str(error) or type(error).__name__
        raise DiscordUnavailable(f"Discord cannot be reached ({how}). Check the network, and try again.") from error
