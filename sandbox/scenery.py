"""The server Alcatraz with its channels and people, the same ids at every start; imports the sandbox's server only."""

from __future__ import annotations

from .clock import snowflake_at
from .server import Sandbox

_OPENED_MS = 1_735_776_000_000
"""When Alcatraz opened, as far as its ids tell."""

_CHANNELS = ("yard", "mess-hall")
_PEOPLE = ("Ann", "Ben", "Cleo", "Dov", "Eva", "Finn")


def default_world(sandbox: Sandbox) -> None:
    """Fill an empty sandbox: two channels and six people, of whom Ann manages the server."""
    guild = sandbox.add_guild("Alcatraz", snowflake_at(_OPENED_MS))
    for number, name in enumerate(_CHANNELS, 1):
        sandbox.add_channel(guild, name, snowflake_at(_OPENED_MS + number * 1_000))
    for number, name in enumerate(_PEOPLE, 1):
        moment = _OPENED_MS + number * 60_000
        sandbox.add_person(
            name,
            guild,
            administrator=name == "Ann",
            person_id=snowflake_at(moment),
            dm_id=snowflake_at(moment, 1),
        )
