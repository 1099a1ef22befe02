"""A table whose opening was not heard of comes to life all the same: its clocks run, and its computers play."""

import pytest

from tools.harness.bot_harness import House

ANSWER = "/interactions/*/callback"


async def unheard(house: House, status: int, **options: str | int) -> None:
    """Let Ann open a table whose answer is refused, or (status 0) lost on the way back."""
    house.sandbox.fault("POST", ANSWER, status, times=9, drop=not status)
    house.ann.start_command(house.yard, "rope-wall start", options)
    await house.sandbox.until(lambda: house.client.tables.registry.awake())
    await house.settle()


@pytest.mark.parametrize("status", [404, 0])
async def test_the_computers_play_and_the_clock_runs_whatever_became_of_the_answer(house: House, status: int):
    await unheard(house, status, computer="rookie", clock=60)
    due = house.session().table.snapshot.earliest
    assert due is not None
    assert house.client.tables.scheduler.due(1, "deadline") == due
    for _ in range(4):
        await house.turn(61_000)
    assert house.pushes() >= 3


@pytest.mark.parametrize("status", [404, 0])
async def test_a_lobby_whose_opening_was_not_heard_of_closes_by_itself(house: House, status: int):
    await unheard(house, status)
    await house.turn(15 * 60_000)
    assert house.session().table.snapshot.row.status == "closed"
