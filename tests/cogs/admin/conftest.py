"""People with an office: Mona manages the server, Max moderates it; Ben and Cleo are ordinary members."""

import pytest

from sandbox import UserClient
from tools.harness.bot_harness import BotHarness


@pytest.fixture
def mona(harness: BotHarness) -> UserClient:
    """Somebody with Manage Server, and nothing else beside what all may do."""
    person = harness.sandbox.add_person("Mona")
    harness.sandbox.join(person, harness.guild, harness.sandbox.add_role(harness.guild, "Owners", "MANAGE_GUILD"))
    return person


@pytest.fixture
def max_(harness: BotHarness) -> UserClient:
    """Somebody with Manage Messages."""
    person = harness.sandbox.add_person("Max")
    harness.sandbox.join(
        person, harness.guild, harness.sandbox.add_role(harness.guild, "Moderators", "MANAGE_MESSAGES")
    )
    return person


def let_all_see(harness: BotHarness, command: str) -> None:
    """Let the server's integrations offer a command to everybody, whatever it says of itself."""
    for offered in harness.sandbox.state.commands[None].values():
        if offered["name"] == command:
            offered["default_member_permissions"] = None
