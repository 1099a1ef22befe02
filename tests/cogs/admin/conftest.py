"""People with roles: Mona manages the server, Max moderates it; Ben and Cleo are ordinary members."""

import pytest

from sandbox import UserClient
from tools.harness.bot_harness import BotHarness


@pytest.fixture
def mona(harness: BotHarness) -> UserClient:
    """A person with Manage Server and the default permissions."""
    person = harness.sandbox.add_person("Mona")
    harness.sandbox.join(person, harness.guild, harness.sandbox.add_role(harness.guild, "Owners", "MANAGE_GUILD"))
    return person


@pytest.fixture
def max_(harness: BotHarness) -> UserClient:
    """A person with Manage Messages."""
    person = harness.sandbox.add_person("Max")
    harness.sandbox.join(
        person, harness.guild, harness.sandbox.add_role(harness.guild, "Moderators", "MANAGE_MESSAGES")
    )
    return person


def allow_everyone(harness: BotHarness, command: str) -> None:
    """Allow everybody to use a command in the server's integrations, whatever its own permissions are."""
    for offered in harness.sandbox.state.commands[None].values():
        if offered["name"] == command:
            offered["default_member_permissions"] = None
