"""One scheduler for everything that falls due, on a clock whose hands are turned; and the machine's clock set right."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from cogs.core.timers import DiscordClock, Scheduler, What
from engine.contract import Moment

START = Moment(1_000_000)


class Hands:
    """A clock that stands until it is turned; it counts how often somebody waited."""

    def __init__(self) -> None:
        self._now = START
        self._turned = asyncio.Event()
        self.waits: list[int] = []

    def now(self) -> Moment:
        return self._now

    def received(self, at: Moment) -> None:
        """Nothing to set."""

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        self.waits.append(until - START)
        ringing = asyncio.create_task(bell.wait())
        turned = asyncio.create_task(self._turned.wait())
        try:
            await asyncio.wait({ringing, turned}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ringing.cancel()
            turned.cancel()

    def turn(self, to: int) -> None:
        self._now = Moment(START + to)
        self._turned.set()
        self._turned = asyncio.Event()


class Desk:
    """Takes note of what falls due."""

    def __init__(self) -> None:
        self.clock = Hands()
        self.served: list[tuple[int, What]] = []
        self.scheduler = Scheduler(self.clock, self.wake)

    async def wake(self, table: int, what: What) -> None:
        self.served.append((table, what))
        if what == "board":
            raise RuntimeError("the board is broken")

    async def turn(self, to: int) -> list[tuple[int, What]]:
        """Turn the hands; return what was served because of it."""
        before = len(self.served)
        self.clock.turn(to)
        for _ in range(4):
            await asyncio.sleep(0)
            await self.scheduler.idle()
        return self.served[before:]


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    made = Desk()
    task = asyncio.create_task(made.scheduler.run())
    await asyncio.sleep(0)
    yield made
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def test_what_falls_due_is_served_the_earliest_first_and_nothing_before_its_time(desk: Desk):
    desk.scheduler.set(1, "deadline", START + 300)
    desk.scheduler.set(2, "nudge", START + 100)
    desk.scheduler.set(3, "sleep", START + 200)
    assert await desk.turn(99) == []
    assert await desk.turn(100) == [(2, "nudge")]
    assert await desk.turn(1_000) == [(3, "sleep"), (1, "deadline")]


async def test_of_equal_moments_the_one_set_first_goes_first(desk: Desk):
    for table in (5, 3, 4):
        desk.scheduler.set(table, "deadline", START + 10)
    assert await desk.turn(10) == [(5, "deadline"), (3, "deadline"), (4, "deadline")]


async def test_the_last_setting_of_a_table_and_kind_counts(desk: Desk):
    desk.scheduler.set(1, "deadline", START + 100)
    desk.scheduler.set(1, "deadline", START + 300)
    desk.scheduler.set(1, "nudge", START + 100)
    assert await desk.turn(100) == [(1, "nudge")]
    assert desk.scheduler.due(1, "deadline") == START + 300
    desk.scheduler.set(1, "deadline", START + 150)
    assert await desk.turn(150) == [(1, "deadline")]
    assert await desk.turn(9_999) == []


async def test_what_is_set_to_never_or_cleared_does_not_fall_due(desk: Desk):
    desk.scheduler.set(1, "deadline", START + 10)
    desk.scheduler.set(1, "deadline", None)
    desk.scheduler.set(2, "deadline", START + 10)
    desk.scheduler.set(2, "nudge", START + 10)
    desk.scheduler.clear(2)
    assert desk.scheduler.due(1, "deadline") is None
    assert await desk.turn(100) == []


async def test_what_is_set_in_the_past_is_served_at_once(desk: Desk):
    desk.scheduler.set(1, "computer", START - 5)
    assert await desk.turn(0) == [(1, "computer")]


async def test_a_clock_that_goes_back_serves_nothing_twice(desk: Desk):
    desk.scheduler.set(1, "deadline", START + 10)
    assert await desk.turn(20) == [(1, "deadline")]
    desk.scheduler.set(1, "deadline", START + 30)
    assert await desk.turn(5) == []
    assert await desk.turn(30) == [(1, "deadline")]


async def test_what_fails_is_logged_and_the_rest_is_served(desk: Desk, caplog: pytest.LogCaptureFixture):
    desk.scheduler.set(1, "board", START + 10)
    desk.scheduler.set(2, "deadline", START + 10)
    assert await desk.turn(10) == [(1, "board"), (2, "deadline")]
    assert "table 1: its board could not be served" in caplog.text
    desk.scheduler.set(1, "deadline", START + 20)
    assert await desk.turn(20) == [(1, "deadline")]


async def test_what_is_served_may_set_what_comes_next(desk: Desk):
    async def again(table: int, what: What) -> None:
        desk.served.append((table, what))
        if len(desk.served) < 4:
            desk.scheduler.set(table, what, desk.clock.now())

    desk.scheduler._wake = again
    desk.scheduler.set(1, "beat", START + 1)
    assert await desk.turn(1) == [(1, "beat")] * 4


async def test_nobody_polls_and_an_earlier_moment_wakes_the_one_task(desk: Desk):
    desk.scheduler.set(1, "deadline", START + 1_000)
    await desk.turn(0)
    waits = len(desk.clock.waits)
    for table in range(2, 50):
        desk.scheduler.set(table, "deadline", START + 5_000)  # later: nobody wakes up for it
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(desk.clock.waits) == waits
    desk.scheduler.set(60, "deadline", START + 500)
    for _ in range(5):
        await asyncio.sleep(0)
    assert desk.clock.waits[-1] == 500


async def test_moving_a_deadline_ten_thousand_times_does_not_fill_the_memory(desk: Desk):
    for number in range(10_000):
        desk.scheduler.set(1, "deadline", START + 10 + number)
    assert len(desk.scheduler._heap) <= 70
    assert await desk.turn(99_999) == [(1, "deadline")]


async def test_what_is_under_way_is_finished_when_the_scheduler_ends():
    desk, finished = Desk(), asyncio.Event()
    go_on = asyncio.Event()

    async def slow(table: int, what: What) -> None:
        await go_on.wait()
        finished.set()

    desk.scheduler._wake = slow
    task = asyncio.create_task(desk.scheduler.run())
    desk.scheduler.set(1, "deadline", START)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    go_on.set()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert finished.is_set()


# ------------------------------------------------------------------------------------------------------ Discord's clock


class Machine(DiscordClock):
    """The machine's clock, standing at a moment."""

    ms = 5_000_000

    @staticmethod
    def _machine() -> int:
        return Machine.ms


def test_a_clock_that_agrees_with_discord_is_left_alone():
    clock = Machine()
    for lag in (40, 120, 900):
        clock.received(Moment(Machine.ms - lag))
    assert clock.now() == Machine.ms


def test_a_clock_that_is_slow_is_put_forward_by_the_smallest_lag():
    clock = Machine()
    clock.received(Moment(Machine.ms + 3_000))
    clock.received(Moment(Machine.ms + 2_900))
    assert clock.now() == Machine.ms + 3_000


def test_a_clock_that_is_fast_is_put_back_once_no_lag_was_short():
    clock = Machine(tolerance_ms=1_500)
    clock.received(Moment(Machine.ms - 9_000))
    assert clock.now() == Machine.ms - 9_000
    clock.received(Moment(Machine.ms - 200))  # it was the travel, not the clock
    assert clock.now() == Machine.ms


async def test_the_machines_clock_waits_until_the_moment_or_the_bell():
    clock, bell = DiscordClock(), asyncio.Event()
    async with asyncio.timeout(5):
        await clock.wait(Moment(clock.now() - 10), bell)
        await clock.wait(Moment(clock.now() + 5), bell)
        bell.set()
        await clock.wait(Moment(clock.now() + 10**9), bell)
