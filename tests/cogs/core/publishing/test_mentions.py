"""Commands in texts: mentions that can be clicked, once Discord has told the commands' numbers."""

from cogs.core.publishing.app_emoji import CommandMentions, markup_of
from tools.harness.bot_harness import House


def number(house: House, name: str) -> str:
    """The number that the sandbox has given to a command."""
    return next(command["id"] for command in house.sandbox.commands() if command["name"] == name)


def test_while_no_number_is_known_a_command_stands_in_code():
    mentions = CommandMentions()
    assert mentions.command("rope-wall start") == "`/rope-wall start`"
    assert mentions.text("Open one with `/play`.") == "Open one with `/play`."


async def test_help_and_the_lists_name_commands_that_can_be_clicked(house: House):
    answer = await house.ann.command(house.yard, "help")
    assert f"</play:{number(house, 'play')}>" in answer.text
    assert f"</privacy export:{number(house, 'privacy')}>" in answer.text
    assert f"</admin end:{number(house, 'admin')}>" in answer.text
    assert "`/settings`" not in answer.text and "`/play`" not in answer.text


async def test_refusals_can_be_clicked(house: House):
    answer = await house.ben.command(house.yard, "tables")
    assert f"</play:{number(house, 'play')}>" in answer.text
    await house.two_at_the_wall()
    refused = await house.cleo.press(house.board(), house.controls("push")[0])
    assert f"</rope-wall start:{number(house, 'rope-wall')}>" in refused.text


async def test_a_closed_table_leads_to_the_door(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.press(house.ann, "Close the table")
    await house.settle()
    assert f"</play:{number(house, 'play')}>" in house.public() and await house.shows()


async def test_what_is_no_command_of_ours_stays_as_it_was_written(house: House):
    mentions = markup_of(house.client).commands
    assert mentions.text("`/chess start`, `/settings`, `/play x`") == "`/chess start`, `/settings`, `/play x`"


async def test_after_a_restart_commands_can_be_clicked_as_before(house: House):
    before = (await house.ben.command(house.yard, "help")).text
    await house.restart()
    assert (await house.ben.command(house.yard, "help")).text == before
