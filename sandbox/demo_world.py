"""The demo server Alcatraz with its channels and people, with the same ids at every start."""

from __future__ import annotations

from .server import Sandbox
from .world.clock import snowflake_at
from .world.models import Guild

_OPENED_MS = 1_735_776_000_000
"""The creation time of Alcatraz, as encoded in its ids."""

_APART_MS = 3_600_001
"""Time between the creation of two servers, chosen so that consecutive servers are on consecutive shards."""

_CHANNELS = ("yard", "mess-hall")
_PEOPLE = ("Ann", "Ben", "Cleo", "Dov", "Eva", "Finn")


def default_world(sandbox: Sandbox, servers: int = 1, people: int = len(_PEOPLE)) -> None:
    """Fill an empty sandbox with servers of two channels and people who are members of all of them. Ann manages every
    server.
    """
    guilds = [_server(sandbox, number) for number in range(servers)]
    for number in range(1, people + 1):
        name = _PEOPLE[number - 1] if number <= len(_PEOPLE) else f"Prisoner {number}"
        moment = _OPENED_MS + number * 60_000
        sandbox.add_person(
            name,
            *guilds,
            administrator=name == "Ann",
            person_id=snowflake_at(moment),
            dm_id=snowflake_at(moment, 1),
        )


def _server(sandbox: Sandbox, number: int) -> Guild:
    opened = _OPENED_MS + number * _APART_MS
    guild = sandbox.add_guild(f"Alcatraz {number + 1}" if number else "Alcatraz", snowflake_at(opened))
    for place, name in enumerate(_CHANNELS, 1):
        sandbox.add_channel(guild, name, snowflake_at(opened + place * 1_000))
    return guild
