"""Who leaves the server holds nobody up, where Discord may tell us of it (the members intent)."""

from tools.harness.bot_harness import BotHarness


async def test_a_computer_plays_on_for_somebody_who_left_the_server(harness: BotHarness):
    await harness.stop()
    harness.sandbox.privileged_intents = {"members"}
    await harness.start(members_intent=True)
    await harness.two_at_the_wall()
    leaver = harness.awaited()
    harness.sandbox.leave(leaver, harness.guild)
    await harness.sandbox.until(
        lambda: (
            harness.session().table.snapshot.seats[0].caretaker or harness.session().table.snapshot.seats[1].caretaker
        )
    )
    await harness.advance(5_000)
    assert harness.pushes() == 1 and harness.awaited() is not leaver


async def test_somebody_who_left_the_server_leaves_the_lobby_too(harness: BotHarness):
    await harness.stop()
    harness.sandbox.privileged_intents = {"members"}
    await harness.start(members_intent=True)
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.press(harness.ben, "Join")
    harness.sandbox.leave(harness.ben, harness.guild)
    await harness.sandbox.until(lambda: "Ben" not in harness.public())
