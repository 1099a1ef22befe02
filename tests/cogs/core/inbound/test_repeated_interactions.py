"""An interaction that Discord delivers more than once is handled once, and its user gets the right answer."""

import asyncio

import pytest

from cogs.core.inbound.component_router import COUNTED, EARLIER
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness


def told(harness: BotHarness, who: UserClient) -> str:
    """Return all that a person reads privately in the channel."""
    return "\n".join(UserClient.visible_text(message) for message in who.ephemerals(harness.yard))


@pytest.mark.parametrize("times", [1, 3])
async def test_a_press_that_is_delivered_again_counts_once_and_nobody_reads_that_nothing_was_done(
    harness: BotHarness, times: int
):
    await harness.two_at_the_wall()
    harness.sandbox.deliver_again(times)
    for _ in range(4):
        who, version = harness.awaited(), harness.snapshot().version
        await harness.push()
        await harness.settle()
        assert harness.snapshot().version > version
        assert "nothing was done" not in told(harness, who)


async def test_a_command_that_is_delivered_again_opens_one_table(harness: BotHarness):
    harness.sandbox.deliver_again(2)
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    await harness.settle()
    assert await harness.client.tables.registry.find(1) is not None
    assert await harness.client.tables.registry.find(2) is None


async def test_a_repeated_press_after_a_restart_reads_that_the_lost_one_counts(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    who, version = harness.awaited(), harness.snapshot().version
    unknown = {"message": "Unknown interaction", "code": 10062}
    harness.sandbox.fault("POST", "/interactions/*/callback", 404, body=unknown)
    control = harness.controls("push")[0] if harness.controls("push") else harness.controls("exit")[0]
    pressed = asyncio.create_task(who.press(harness.board(), control))
    await harness.sandbox.until(lambda: harness.snapshot().version > version)
    await harness.settle()
    after = harness.snapshot().version
    harness.client.received.clear()  # as after a restart
    harness.sandbox.redeliver()
    answer = await pressed
    assert COUNTED in f"{answer.text} {told(harness, who)}" and harness.snapshot().version == after


async def test_a_late_press_in_the_moment_of_an_opponents_move_does_not_read_that_it_was_made(harness: BotHarness):
    await harness.two_at_the_wall()
    board, control = harness.board(), harness.controls("push")[0]
    late = harness.idle()
    await harness.push()
    await harness.settle()
    harness.client.received.clear()  # as after a restart
    answer = await late.press(board, control)
    await harness.settle()
    assert EARLIER in f"{answer.text} {told(harness, late)}"
