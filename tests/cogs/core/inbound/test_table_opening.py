"""A table whose opening could not be acknowledged runs all the same: its clocks run, and its computers play."""

import pytest

from tools.harness.bot_harness import BotHarness

ANSWER = "/interactions/*/callback"


async def unheard(harness: BotHarness, status: int, **options: str | int) -> None:
    """Open a table as Ann whose answer is refused, or (status 0) lost."""
    harness.sandbox.fault("POST", ANSWER, status, times=9, drop=not status)
    harness.ann.start_command(harness.yard, "rope-wall start", options)
    await harness.sandbox.until(lambda: harness.client.tables.registry.awake())
    await harness.settle()


@pytest.mark.parametrize("status", [404, 0])
async def test_computers_play_and_the_clock_runs_even_if_the_answer_was_lost(harness: BotHarness, status: int):
    await unheard(harness, status, computer="rookie", clock=60)
    due = harness.snapshot().earliest
    assert due is not None
    assert harness.client.tables.clocks.deadline_timer.due(1) == due
    for _ in range(4):
        await harness.advance(61_000)
    assert harness.pushes() >= 3


@pytest.mark.parametrize("status", [404, 0])
async def test_a_lobby_whose_opening_was_not_acknowledged_closes_by_itself(harness: BotHarness, status: int):
    await unheard(harness, status)
    await harness.advance(15 * 60_000)
    assert harness.snapshot().row.status == "closed"
