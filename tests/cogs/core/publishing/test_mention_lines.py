"""Lines that mention people: those of one moment are lines of their own."""

from cogs.core.tables import lobby
from tools.harness.bot_harness import BotHarness


async def test_two_people_who_are_invited_in_one_moment_are_mentioned_in_a_line_each(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start")
    await harness.settle()
    messages, host, now = harness.messages(), int(harness.ann.id), harness.clock.now()
    for guest in (harness.ben, harness.cleo):
        await messages.table.act(lobby.invite, host, int(guest.id), False, now)
        await messages.lobby_mentions.call_guest(int(guest.id), lambda: "there is a game")
    notified = [[notice["kind"] for notice in guest.notices] for guest in (harness.ben, harness.cleo)]
    assert notified == [["mention"], ["mention"]]
