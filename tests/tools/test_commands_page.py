"""docs/commands.md lists the bot's commands. `make commands` writes it."""

from tools.commands_page import PAGE, command_tree, page


async def test_the_page_of_commands_is_that_of_the_command_tree():
    assert page(await command_tree()) == PAGE.read_text(encoding="utf-8"), "run `make commands`"
