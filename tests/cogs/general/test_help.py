"""`/help` on the sandbox: a button for everything people can do, and the pages behind the buttons."""

from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import BotHarness


def labels(answer: ActionResult) -> list[str]:
    return [part["label"] for part in UserClient.buttons(answer)]


async def test_help_asks_what_one_wants_to_do_and_each_button_leads_there(harness: BotHarness):
    for label, found in (
        ("Play a game", "What shall we play?"),
        ("Learn a game", "Learn by playing"),
        ("Solve a puzzle", "Puzzles of the day"),
        ("Read the rules", "special cases last"),
        ("My stats", "all games"),
        ("Notifications", "When it's your turn"),
        ("Server settings", "Settings"),
        ("All commands", "leaderboard"),
    ):
        answer = await harness.ann.command(harness.yard, "help")
        assert found in (await harness.ann.press(answer, label=label)).text


async def test_help_offers_only_what_a_member_may_use(harness: BotHarness):
    harness.sandbox.join(
        harness.cleo, harness.guild, harness.sandbox.add_role(harness.guild, "Moderators", "MANAGE_MESSAGES")
    )
    for person, used in (
        (harness.ann, {"/doctor", "/admin end"}),
        (harness.cleo, {"/admin end"}),
        (harness.ben, set()),
    ):
        answer = await person.command(harness.yard, "help")
        assert ("Server settings" in labels(answer)) == (person is harness.ann)
        told = (await person.press(answer, label="All commands")).text
        assert {name for name in ("/doctor", "/admin end") if name in told} == used and "/leaderboard" in told


async def test_help_offers_nothing_of_a_server_in_direct_messages(harness: BotHarness):
    answer = await harness.ann.command(harness.ann.dm, "help")
    assert not {"My stats", "Server settings"} & set(labels(answer)) and "Play a game" in labels(answer)


async def test_one_chooses_how_to_be_notified_from_the_page_of_help(harness: BotHarness):
    answer = await harness.ben.press(await harness.ben.command(harness.yard, "help"), label="Notifications")
    answer = await harness.ben.press(answer, label="Send me a DM")
    assert "I send you a DM" in answer.text
    assert await harness.client.tables.preferences.of(int(harness.ben.id)) == "message"
    assert "What do you want to do?" in (await harness.ben.press(answer, label="◀ Help")).text


async def test_a_forged_press_sets_no_way_of_being_notified(harness: BotHarness):
    answer = await harness.ben.command(harness.yard, "help")
    await harness.ben.forge(answer, "cb:0:0:notify-me:by-pigeon")
    assert await harness.client.tables.preferences.of(int(harness.ben.id)) == "mention"
