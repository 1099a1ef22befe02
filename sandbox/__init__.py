"""A Discord in miniature on the loopback interface: to play without a token, and the other end of the tests.

README.md is its specification. It needs only aiohttp and the standard library, and does not know the bot.
"""

from .client.command_input import Refused
from .client.responses import ActionResult
from .client.user_client import UserClient
from .demo_world import default_world
from .limits import Invalid
from .messaging.message_json import visible_text, walk
from .server import Sandbox
from .world.clock import EPOCH_MS, snowflake_ms
from .world.models import Channel, Guild, Role
from .world.settings import Call, Violation
from .world.state import PATIENCE_S

__all__ = [
    "EPOCH_MS",
    "PATIENCE_S",
    "ActionResult",
    "Call",
    "Channel",
    "Guild",
    "Invalid",
    "Refused",
    "Role",
    "Sandbox",
    "UserClient",
    "Violation",
    "default_world",
    "snowflake_ms",
    "visible_text",
    "walk",
]
