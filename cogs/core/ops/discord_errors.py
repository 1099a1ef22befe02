"""The error codes of Discord that the bot handles, and which failures are worth another try."""

import aiohttp
import discord

UNKNOWN_CHANNEL = 10003
UNKNOWN_GUILD = 10004
UNKNOWN_MESSAGE = 10008
UNKNOWN_WEBHOOK = 10015
UNKNOWN_INTERACTION = 10062
OLD_MESSAGE_EDITS = 30046
DIRECT_MESSAGES_TOO_FAST = 40003
ALREADY_ACKNOWLEDGED = 40060
SERVICE_LIMITED = 40062
BLOCKED_ON_THE_WAY = 40333
CANNOT_WRITE_TO_USER = 50007
MISSING_ACCESS = 50001
MISSING_PERMISSIONS = 50013
INVALID_TOKEN = 50027
THREAD_ARCHIVED = 50083
NO_COMMON_SERVER = 50278
OVERLOADED = 130000
CANNOT_REPLY = 160002
THREAD_LOCKED = 160005

NOT_ALLOWED = frozenset({MISSING_ACCESS, MISSING_PERMISSIONS, THREAD_LOCKED})
"""The bot may not do in a channel what it wanted to: it lacks a permission, is timed out, or the thread is locked."""

EXPIRED_TOKEN = frozenset({UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, INVALID_TOKEN})
"""An interaction can no longer be answered: it is too late, or its token has expired."""

CLOSED_TO_US = frozenset({CANNOT_WRITE_TO_USER, NO_COMMON_SERVER})
"""A person accepts no direct messages from the bot, or shares no server with it."""

BLOCKED_WORDS = frozenset({200000, 200001})
"""AutoMod, the server's filter of words, has blocked a message or a title."""

PLACE_GONE = frozenset({UNKNOWN_CHANNEL, UNKNOWN_GUILD})
"""The channel was deleted, or its server was."""

PASSING = frozenset({DIRECT_MESSAGES_TOO_FAST, SERVICE_LIMITED, BLOCKED_ON_THE_WAY, OVERLOADED})
"""The call is right and comes too early, or did not get as far as Discord; whatever its status is, often 403."""

INVALID_FORM = 50035
"""A call is malformed; it may name a file that a message does not have any more."""

API_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Raised by a call that Discord refused or that did not get through."""


def code_of(error: BaseException) -> int:
    """Return Discord's own code for a refusal; 0 if there is none."""
    return error.code if isinstance(error, discord.HTTPException) else 0


def never_reached_discord(answer: aiohttp.ClientResponse) -> bool:
    """Return True if a network in front of Discord, such as Cloudflare, has refused a call: then its answer is no JSON,
    or a limit that does not come from Discord's servers, which say so in `Via`.
    """
    if answer.status == 429 and not answer.headers.get("Via"):
        return True
    return answer.status in (403, 429) and answer.content_type != "application/json"


def is_transient(error: BaseException) -> bool:
    """Return True if the same call may succeed soon: Discord failed, was unreachable, or limited the rate."""
    if not isinstance(error, discord.HTTPException):
        return True
    limited = error.status == 429 or error.code in PASSING
    return error.status >= 500 or limited or (error.status == 403 and never_reached_discord(error.response))
