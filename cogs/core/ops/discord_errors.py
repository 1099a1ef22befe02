"""Discord's error codes that mean something to us, and what becomes of a call that failed, in one place."""

import aiohttp
import discord

UNKNOWN_CHANNEL = 10003
UNKNOWN_GUILD = 10004
UNKNOWN_MESSAGE = 10008
UNKNOWN_WEBHOOK = 10015
UNKNOWN_INTERACTION = 10062
OLD_MESSAGE_EDITS = 30046
ALREADY_ACKNOWLEDGED = 40060
CANNOT_WRITE_TO_USER = 50007
INVALID_TOKEN = 50027
NO_COMMON_SERVER = 50278

EXPIRED_TOKEN = frozenset({UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, INVALID_TOKEN})
"""The interaction was answered too late, or its token has expired, so it can no longer be answered."""

CLOSED_TO_US = frozenset({CANNOT_WRITE_TO_USER, NO_COMMON_SERVER})
"""Somebody takes no direct messages from us, or shares no server with us."""

PLACE_GONE = frozenset({UNKNOWN_CHANNEL, UNKNOWN_GUILD})
"""The channel was deleted, or its server was."""

UNREACHABLE = (discord.DiscordServerError, aiohttp.ClientError, OSError)
"""Raised by a call while Discord fails or cannot be reached."""

INVALID_FORM = 50035
"""The form of a call makes no sense to Discord; a file that a message does not have any more is named, say."""

API_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Raised by a call that Discord refused or that did not get through."""


def code_of(error: BaseException) -> int:
    """Return Discord's own code for a refusal; 0 where there is none."""
    return error.code if isinstance(error, discord.HTTPException) else 0


def is_transient(error: BaseException) -> bool:
    """Return True if the same call may work in a moment: Discord failed, was out of reach, or limited the rate."""
    return not isinstance(error, discord.HTTPException) or error.status >= 500 or error.status == 429
