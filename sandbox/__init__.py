"""A Discord in miniature on the loopback interface: play without a token, and the other end of the tests.

All of it stands on aiohttp and the standard library, and does not know the bot. README.md is its specification. May
import its own package.
"""

from .answers import Answer
from .clock import EPOCH_MS, snowflake_ms
from .limits import Invalid
from .options import Refused
from .person import Person
from .records import Channel, Guild, Role
from .rendering import visible_text, walk
from .scenery import default_world
from .server import Sandbox
from .settings import Breach, Call
from .world import PATIENCE_S

__all__ = [
    "EPOCH_MS",
    "PATIENCE_S",
    "Answer",
    "Breach",
    "Call",
    "Channel",
    "Guild",
    "Invalid",
    "Person",
    "Refused",
    "Role",
    "Sandbox",
    "default_world",
    "snowflake_ms",
    "visible_text",
    "walk",
]
