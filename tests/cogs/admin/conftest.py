"""People with an office: Mona manages the server, Max moderates it; Ben and Cleo are ordinary members."""

import pytest

from sandbox import UserClient
from tools.harness.bot_harness import House


@pytest.fixture
def mona(house: House) -> UserClient:
    """Somebody with Manage Server, and nothing else beside what all may do."""
    person = house.sandbox.add_person("Mona")
    house.sandbox.join(person, house.guild, house.sandbox.add_role(house.guild, "Owners", "MANAGE_GUILD"))
    return person


@pytest.fixture
def max_(house: House) -> UserClient:
    """Somebody with Manage Messages."""
    person = house.sandbox.add_person("Max")
    house.sandbox.join(person, house.guild, house.sandbox.add_role(house.guild, "Moderators", "MANAGE_MESSAGES"))
    return person


def let_all_see(house: House, command: str) -> None:
    """Let the server's integrations offer a command to everybody, whatever it says of itself."""
    for offered in house.sandbox.state.commands[None].values():
        if offered["name"] == command:
            offered["default_member_permissions"] = None
