"""Calls by an interaction's token, made by the library and by the bot: players see the same."""

import pytest

from cogs.core.publishing import interaction_message, responder
from cogs.core.publishing.ephemeral_pages import CALM_MS
from cogs.core.publishing.fast_discord import FastTokenCalls
from cogs.core.publishing.token_calls import TokenCalls
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness


@pytest.fixture(params=[FastTokenCalls, TokenCalls], autouse=True)
def calls(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> TokenCalls:
    """Use one of the two."""
    found: TokenCalls = request.param()
    for module in (interaction_message, responder):
        monkeypatch.setattr(module, "TOKEN_CALLS", found)
    return found


def page_of(harness: BotHarness, person: UserClient) -> str:
    """Return the text of a person's only private message."""
    (page,) = person.ephemerals(harness.yard)
    return UserClient.visible_text(page)


async def test_a_game_with_hands_is_opened_answered_and_edited(harness: BotHarness):
    await harness.begin("break-out", harness.ben, referee="strict")
    who, other = harness.awaited(), harness.idle()
    await harness.press(other, "Play")
    await harness.press(who, "Play")
    await harness.settle()
    before = page_of(harness, other)
    taken = await harness.press(who, "Take a card")
    assert taken.failed is None
    await harness.advance(CALM_MS)
    assert page_of(harness, other) != before and await harness.shows_latest()
    (panel,) = who.ephemerals(harness.yard)
    galleries = [part["items"] for part in panel["components"][0]["components"] if "items" in part]
    assert len(galleries) == 2 and not harness.sandbox.violations


async def test_a_press_on_the_table_message_is_answered_by_it(harness: BotHarness):
    await harness.two_at_the_wall()
    number, before = harness.board()["id"], harness.public()
    assert (await harness.push()).failed is None
    assert harness.board()["id"] == number and harness.public() != before


async def test_an_answer_that_was_deferred_comes_by_the_token(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    await harness.two_at_the_wall()
    await harness.settle()
    monkeypatch.setattr(responder, "DEFER_AFTER_S", 0.0)
    answer = await harness.press(harness.ann, "Play")
    await harness.settle()
    assert answer.failed is None
    assert "Prisoners out" in page_of(harness, harness.ann)
