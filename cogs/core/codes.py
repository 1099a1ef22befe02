"""Discord's error codes that mean something to us, in one place.

May import discord and the standard library.
"""

import aiohttp
import discord

UNKNOWN_CHANNEL = 10003
UNKNOWN_MESSAGE = 10008
UNKNOWN_WEBHOOK = 10015
UNKNOWN_INTERACTION = 10062
OLD_MESSAGE_EDITS = 30046
ALREADY_ACKNOWLEDGED = 40060
CANNOT_WRITE_TO_USER = 50007
INVALID_TOKEN = 50027
NO_COMMON_SERVER = 50278

DEAD_TOKEN = frozenset({UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, INVALID_TOKEN})
"""An interaction that was answered too late, or whose token is used up: nobody is left to tell."""

CLOSED_TO_US = frozenset({CANNOT_WRITE_TO_USER, NO_COMMON_SERVER})
"""Somebody takes no direct messages from us, or shares no server with us."""

UNREACHABLE = (discord.DiscordServerError, aiohttp.ClientError, OSError)
"""What a call raises when Discord fails, or cannot be reached."""
