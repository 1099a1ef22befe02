"""What the end of a game says about its rematch, and which buttons it has."""

import itertools
from typing import Any

from cogs.core.i18n.translation import Language, speaking
from cogs.core.publishing.end_of_game import Rematch
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness

LINK = "https://discord.com/channels/1/2/3"


def labels(harness: BotHarness, end: dict[str, Any]) -> list[str]:
    """Return the current buttons of a message."""
    found = harness.sandbox.message(end["id"])
    assert found is not None
    return [part["label"] for part in UserClient.buttons(found)]


def test_a_rematch_is_hidden_only_while_it_gathers_and_has_no_message():
    hidden = [
        (gathers, link)
        for gathers, link in itertools.product((True, False), (LINK, None))
        if Rematch(2, gathers, ("Ann",), ("Ben",), link).hidden
    ]
    assert hidden == [(True, None)]


def test_who_has_joined_a_rematch_and_whom_it_waits_for_are_lists_in_the_language_of_the_page():
    rematch = Rematch(2, gathers=True, ready=("Ann", "Ben"), missing=("Cleo", "Dan"), link=None)
    assert rematch.line().startswith("-# Rematch: Ann and Ben joined; waiting for Cleo and Dan.")
    with speaking(Language("de")):
        assert "Ann und Ben" in rematch.line() and "Cleo und Dan" in rematch.line()


async def test_let_others_join_is_offered_from_the_first_press_of_rematch_until_it_is_used(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.resign(harness.ben)
    await harness.settle()
    end = harness.board()
    assert "Let others join" not in labels(harness, end)
    await harness.press(harness.ann, "Rematch", end)
    await harness.settle()
    assert "Let others join" in labels(harness, end)
    await harness.press(harness.ann, "Let others join", harness.sandbox.message(end["id"]))
    await harness.settle()
    assert "Let others join" not in labels(harness, end) and "Rematch" in labels(harness, end)
    await harness.press(harness.cleo, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    assert "Let others join" not in labels(harness, end)
