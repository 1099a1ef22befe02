"""Old messages that are deleted after a restart, and those that are not."""

from sandbox import UserClient
from tools.harness.bot_harness import BotHarness

DELETE = ("DELETE", "/channels/{channel_id}/messages/{message_id}")


async def written(harness: BotHarness, who: UserClient) -> int:
    """Write somebody a direct message."""
    dm = await harness.client.create_dm(await harness.client.fetch_user(int(who.id)))
    return (await dm.send("An old page")).id


async def test_an_old_direct_message_is_deleted_after_a_restart_without_waiting_for_a_turn(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.advance(70_000)
    (line,) = harness.mentions()
    number = await written(harness, harness.ben)
    cleanup = harness.messages().cleanup
    harness.sandbox.fault(*DELETE, 503, times=1_000)
    await cleanup.add(number, int(harness.ben.dm.id))
    cleanup.delete((number,))
    await harness.settle()
    await harness.kill()
    await harness.start()
    found = await harness.client.inbound.finder.find(1)
    assert found is not None
    found.cleanup.delete()
    await harness.settle()
    assert harness.sandbox.message(str(number)) is None
    assert harness.mentions() == [line] and len(found.cleanup.pending) == 1  # which waits until the turn passes


async def test_a_message_that_was_never_replaced_is_not_deleted_after_a_restart(harness: BotHarness):
    await harness.two_at_the_wall()
    number = harness.messages().message.number
    assert number is not None
    await harness.messages().cleanup.add(number)
    await harness.kill()
    await harness.start()
    await harness.push()
    await harness.settle()
    assert harness.board()["id"] == str(number) and await harness.shows_latest()
    assert await harness.client.store.pending_deletions.of(1) == []
