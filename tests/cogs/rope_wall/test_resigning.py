"""Resigning at the Rope Wall, behind *More …* or by a command, with a confirmation."""

from sandbox import ActionResult, UserClient
from tests.cogs.general.test_practice import practised
from tools.harness.bot_harness import BotHarness


async def asked(harness: BotHarness, who: UserClient) -> ActionResult:
    """Ask to resign as a person, on their *More …* page."""
    more = await harness.press(who, "More …")
    return await who.press(more, label="Resign")


def labels(page: ActionResult) -> list[str]:
    """Return the labels of a page's buttons."""
    return [part["label"] for part in UserClient.buttons(page)]


async def test_resigning_asks_for_confirmation_and_then_the_other_has_won(harness: BotHarness):
    await harness.two_at_the_wall()
    question = await asked(harness, harness.ben)
    assert "The other player wins the game" in question.text and harness.snapshot().playing
    await harness.ben.press(question, label="Resign the game")
    await harness.settle()
    assert harness.snapshot().row.status == "over"
    assert "Ben resigned" in harness.public().replace("\u00a0", " ").replace("**", "")


async def test_the_command_asks_what_the_button_asks_before_anything_is_lost(harness: BotHarness):
    await harness.two_at_the_wall()
    question = await asked(harness, harness.ben)
    by_button = question.text, labels(question)
    by_command = await harness.ben.command(harness.yard, "rope-wall resign")
    await harness.settle()
    assert harness.snapshot().playing
    assert (by_command.text, labels(by_command)) == by_button
    await harness.ben.press(by_command, label="Resign the game")
    await harness.settle()
    assert harness.snapshot().row.status == "over"


async def test_resigning_can_be_cancelled(harness: BotHarness):
    await harness.two_at_the_wall()
    question = await asked(harness, harness.ben)
    await harness.ben.press(question, label="◀ Back to the game")
    await harness.settle()
    assert harness.snapshot().playing


async def test_a_push_of_the_other_meanwhile_changes_nothing_of_what_resigning_means(harness: BotHarness):
    await harness.two_at_the_wall()
    waits = harness.ben if harness.awaited() is harness.ann else harness.ann
    question = await asked(harness, waits)
    await harness.push()
    await harness.settle()
    await waits.press(question, label="Resign the game")
    await harness.settle()
    assert harness.snapshot().row.status == "over"


async def test_the_question_is_gone_when_the_other_was_faster(harness: BotHarness):
    await harness.two_at_the_wall()
    question = await asked(harness, harness.ben)
    await harness.resign(harness.ann)
    await harness.settle()
    text = UserClient.visible_text(harness.sandbox.message((question.message or {})["id"]))
    assert "Resign?" not in text and "wins" in text


async def test_nobody_resigns_for_others_nor_where_it_does_not_count(harness: BotHarness):
    await harness.two_at_the_wall()
    refused = await harness.cleo.forge(harness.board(), "cb:1:0:resign:sure")
    assert "no seat" in refused.text.lower() or "have no seat" in refused.text.lower()
    assert harness.snapshot().playing
    page = await practised(harness, harness.ann, "Breakout: the Rope Wall")
    more = await harness.ann.press(page, label="More …")
    assert "End the game" in labels(more) and "Resign" not in labels(more)
