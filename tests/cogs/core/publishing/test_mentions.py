"""Commands in texts: clickable mentions, once Discord has sent the commands' ids."""

from cogs.core.publishing.app_emoji import CommandMentions
from tools.harness.bot_harness import BotHarness


def number(harness: BotHarness, name: str) -> str:
    """Return the id that the sandbox has given to a command."""
    return next(command["id"] for command in harness.sandbox.commands() if command["name"] == name)


def test_while_no_number_is_known_a_command_is_in_code():
    mentions = CommandMentions()
    assert mentions.command("rope-wall start") == "`/rope-wall start`"
    assert mentions.text("Open one with `/play`.") == "Open one with `/play`."


async def test_help_and_the_lists_name_commands_that_can_be_clicked(harness: BotHarness):
    answer = await harness.ann.press(await harness.ann.command(harness.yard, "help"), label="All commands")
    assert f"</play:{number(harness, 'play')}>" in answer.text
    assert f"</privacy export:{number(harness, 'privacy')}>" in answer.text
    assert f"</admin end:{number(harness, 'admin')}>" in answer.text
    assert "`/settings`" not in answer.text and "`/play`" not in answer.text


async def test_refusals_can_be_clicked(harness: BotHarness):
    answer = await harness.ben.command(harness.yard, "tables")
    assert f"</play:{number(harness, 'play')}>" in answer.text
    await harness.two_at_the_wall()
    refused = await harness.cleo.press(harness.board(), harness.controls("push")[0])
    assert f"</rope-wall start:{number(harness, 'rope-wall')}>" in refused.text


async def test_a_closed_table_leads_to_the_door(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.press(harness.ann, "Close the table")
    await harness.settle()
    assert f"</play:{number(harness, 'play')}>" in harness.public() and await harness.shows_latest()


async def test_text_that_is_no_command_of_the_bot_stays_unchanged(harness: BotHarness):
    mentions = harness.client.markup.commands
    assert mentions.text("`/chess start`, `/settings`, `/play x`") == "`/chess start`, `/settings`, `/play x`"


async def test_after_a_restart_commands_can_be_clicked_as_before(harness: BotHarness):
    before = (await harness.ben.command(harness.yard, "help")).text
    await harness.restart()
    assert (await harness.ben.command(harness.yard, "help")).text == before
