"""One scheduler for all timers, on a clock that the test advances; and corrections of the machine's clock."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.core.ops.timers import MS, WHOLE_BOT, DiscordClock, Scheduler, Timer, backoff
from engine.contract import Moment
from sandbox import PATIENCE_S

START = Moment(1_000_000)


class ManualClock:
    """A clock that only the test advances; it counts how often somebody waited."""

    def __init__(self) -> None:
        self._now = START
        self._advanced = asyncio.Event()
        self.waits: list[int] = []

    def now(self) -> Moment:
        return self._now

    def received(self, at: Moment) -> None:
        """Ignore the time; the test sets this clock."""

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        self.waits.append(until - START)
        ringing = asyncio.create_task(bell.wait())
        advanced = asyncio.create_task(self._advanced.wait())
        try:
            await asyncio.wait({ringing, advanced}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ringing.cancel()
            advanced.cancel()

    def advance_silently(self, to: int) -> None:
        """Let time pass without waking those who wait."""
        self._now = Moment(START + to)

    def advance(self, to: int) -> None:
        self.advance_silently(to)
        self._advanced.set()
        self._advanced = asyncio.Event()


class TableTimers:
    """Timers of tables, and a record of when they fired."""

    def __init__(self, at_once: int = 64) -> None:
        self.clock = ManualClock()
        self.served: list[tuple[int, str]] = []
        self.scheduler = Scheduler(self.clock, at_once=at_once)
        self.deadline, self.unload, self.computer = map(self.timer, ("deadline", "unload", "computer"))
        self.nudge = self.timer("nudge", calls_discord=True)
        self.messages = self.scheduler.timer("messages", self.draw)
        self.broken = True
        self.meanwhile: int | None = None  # when the message is set to be drawn again, while it is being drawn

    def timer(self, name: str, *, calls_discord: bool = False) -> Timer:
        async def fire(table: int) -> None:
            self.served.append((table, name))

        return self.scheduler.timer(name, fire, calls_discord=calls_discord)

    async def draw(self, table: int) -> None:
        self.served.append((table, "messages"))
        if self.meanwhile is not None:
            self.messages.set(table, START + self.meanwhile)
        if self.broken:
            raise RuntimeError("the message is broken")

    async def advance(self, to: int) -> list[tuple[int, str]]:
        """Advance the clock; return the timers that fired."""
        before = len(self.served)
        self.clock.advance(to)
        for _ in range(4):
            await asyncio.sleep(0)
            await self.scheduler.idle()
        return self.served[before:]


@pytest.fixture
async def session() -> AsyncIterator[TableTimers]:
    made = TableTimers()
    task = asyncio.create_task(made.scheduler.run())
    await asyncio.sleep(0)
    yield made
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def test_what_falls_due_is_served_the_earliest_first_and_nothing_before_its_time(session: TableTimers):
    session.deadline.set(1, START + 300)
    session.nudge.set(2, START + 100)
    session.unload.set(3, START + 200)
    assert await session.advance(99) == []
    assert await session.advance(100) == [(2, "nudge")]
    assert await session.advance(1_000) == [(3, "unload"), (1, "deadline")]


async def test_timers_of_the_same_moment_run_in_the_order_in_which_they_were_set(session: TableTimers):
    for table in (5, 3, 4):
        session.deadline.set(table, START + 10)
    assert await session.advance(10) == [(5, "deadline"), (3, "deadline"), (4, "deadline")]


async def test_the_last_setting_of_a_table_and_kind_counts(session: TableTimers):
    session.deadline.set(1, START + 100)
    session.deadline.set(1, START + 300)
    session.nudge.set(1, START + 100)
    assert await session.advance(100) == [(1, "nudge")]
    assert session.deadline.due(1) == START + 300
    session.deadline.set(1, START + 150)
    assert await session.advance(150) == [(1, "deadline")]
    assert await session.advance(9_999) == []


async def test_what_is_set_to_never_or_cleared_does_not_fall_due(session: TableTimers):
    session.deadline.set(1, START + 10)
    session.deadline.set(1, None)
    session.deadline.set(2, START + 10)
    session.nudge.set(2, START + 10)
    session.scheduler.clear(2)
    assert session.deadline.due(1) is None
    assert await session.advance(100) == []


async def test_what_is_set_in_the_past_is_served_at_once(session: TableTimers):
    session.computer.set(1, START - 5)
    assert await session.advance(0) == [(1, "computer")]


async def test_timers_that_became_due_unnoticed_run_before_the_scheduler_is_idle(session: TableTimers):
    session.messages.set(1, START + 5)
    assert await session.advance(1) == []
    session.clock.advance_silently(5)
    await asyncio.wait_for(session.scheduler.idle(), PATIENCE_S)
    assert session.served[0] == (1, "messages")


async def test_a_clock_that_goes_back_serves_nothing_twice(session: TableTimers):
    session.deadline.set(1, START + 10)
    assert await session.advance(20) == [(1, "deadline")]
    session.deadline.set(1, START + 30)
    assert await session.advance(5) == []
    assert await session.advance(30) == [(1, "deadline")]


async def test_what_fails_is_logged_and_the_rest_is_served(session: TableTimers, caplog: pytest.LogCaptureFixture):
    session.messages.set(1, START + 10)
    session.deadline.set(2, START + 10)
    assert await session.advance(10) == [(1, "messages"), (2, "deadline")]
    assert "table 1: its messages failed" in caplog.text
    session.deadline.set(1, START + 20)
    assert await session.advance(20) == [(1, "deadline")]


def test_the_wait_after_a_failure_doubles_from_the_first_one_up_to_the_longest():
    waits = [backoff(times, 1_000, 60_000) for times in (1, 2, 3, 6, 7, 8, 1_000)]
    assert waits == [1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000]


async def test_what_keeps_failing_is_tried_after_ever_longer_times_and_after_a_success_after_a_short_one(
    session: TableTimers,
):
    session.messages.set(1, START)
    due = []
    for to in (0, 1_000, 3_000):
        assert await session.advance(to) == [(1, "messages")]
        due.append(session.messages.due(1))
    assert due == [START + 1_000, START + 3_000, START + 7_000]
    session.broken = False
    assert await session.advance(7_000) == [(1, "messages")]
    assert session.messages.due(1) is None
    session.broken = True
    session.messages.set(1, START + 8_000)
    await session.advance(8_000)
    assert session.messages.due(1) == START + 9_000
    session.scheduler.clear(1)
    session.messages.set(1, START + 9_500)
    await session.advance(9_500)
    assert session.messages.due(1) == START + 10_500  # what was cleared has not failed before


@pytest.mark.parametrize(("meanwhile", "again"), [(700, 700), (1_500, 1_000), (None, 1_000)])
async def test_what_failed_is_tried_again_soon_or_when_it_was_set_to_meanwhile_if_that_is_sooner(
    session: TableTimers, meanwhile: int | None, again: int
):
    session.meanwhile = meanwhile
    session.messages.set(1, START)
    assert await session.advance(0) == [(1, "messages")]
    assert session.messages.due(1) == START + again


async def test_what_is_served_may_set_what_comes_next(session: TableTimers):
    async def again(table: int) -> None:
        session.served.append((table, "again"))
        if len(session.served) < 4:
            timer.set(table, session.clock.now())

    timer = session.scheduler.timer("again", again)
    timer.set(1, START + 1)
    assert await session.advance(1) == [(1, "again")] * 4


async def test_nobody_polls_and_an_earlier_moment_wakes_the_one_task(session: TableTimers):
    session.deadline.set(1, START + 1_000)
    await session.advance(0)
    waits = len(session.clock.waits)
    for table in range(2, 50):
        session.deadline.set(table, START + 5_000)  # later, so nothing wakes up for it
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(session.clock.waits) == waits
    session.deadline.set(60, START + 500)
    for _ in range(5):
        await asyncio.sleep(0)
    assert session.clock.waits[-1] == 500


async def test_moving_a_deadline_ten_thousand_times_does_not_fill_the_memory(session: TableTimers):
    for number in range(10_000):
        session.deadline.set(1, START + 10 + number)
    assert len(session.scheduler.heap) <= 70
    assert await session.advance(99_999) == [(1, "deadline")]


async def test_what_was_moved_until_the_old_was_swept_away_falls_due_in_its_order_all_the_same(session: TableTimers):
    moves = [(table, moved) for moved in range(4) for table in range(20)]
    for table, moved in [*moves, (0, 4)]:
        session.deadline.set(table, START + 1_000 - 10 * table - moved)
    assert len(session.scheduler.heap) == 20  # swept with the very last one
    assert session.scheduler.heap[0].key == (session.deadline, 19)
    assert await session.advance(1_000 - 190 - 3) == [(19, "deadline")]
    assert await session.advance(1_000 - 180 - 3) == [(18, "deadline")]


async def test_a_job_of_the_whole_bot_runs_whenever_it_is_set(session: TableTimers, caplog: pytest.LogCaptureFixture):
    async def run() -> None:
        session.served.append((WHOLE_BOT, "job"))
        if session.broken:
            raise RuntimeError("not now")

    job = session.scheduler.job("the upload", run)
    job.set(START + 100)
    job.set_in(200)
    assert await session.advance(100) == []
    assert await session.advance(200) == [(WHOLE_BOT, "job")]
    assert "the upload failed, and is tried again" in caplog.text
    session.broken = False
    assert await session.advance(1_200) == [(WHOLE_BOT, "job")]
    assert await session.advance(99_999) == []


async def test_however_few_are_served_at_once_all_are_served():
    few = TableTimers(at_once=2)
    running = asyncio.create_task(few.scheduler.run())
    for table in range(5):
        few.deadline.set(table, START)
    for _ in range(20):
        await asyncio.sleep(0)
    running.cancel()
    assert [table for table, _ in few.served] == [0, 1, 2, 3, 4]


async def test_no_clock_waits_behind_what_waits_for_calls():
    few = TableTimers(at_once=2)
    sent, under_way, most = asyncio.Event(), 0, 0

    async def call(table: int) -> None:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await sent.wait()
        under_way -= 1
        few.served.append((table, "call"))

    async def beat() -> None:
        few.served.append((WHOLE_BOT, "beat"))

    calls = few.scheduler.timer("call", call, calls_discord=True)
    running = asyncio.create_task(few.scheduler.run())
    for table in range(1, 6):
        calls.set(table, START)
    few.scheduler.job("beat", beat).set(START)
    few.deadline.set(6, START)
    for _ in range(20):
        await asyncio.sleep(0)
    assert few.served == [(WHOLE_BOT, "beat"), (6, "deadline")] and most == 2
    sent.set()
    await few.scheduler.idle()
    running.cancel()
    assert few.served[2:] == [(table, "call") for table in range(1, 6)] and most == 2


async def test_what_is_under_way_is_finished_when_the_scheduler_ends():
    session, finished = TableTimers(), asyncio.Event()
    go_on = asyncio.Event()

    async def slow(table: int) -> None:
        await go_on.wait()
        finished.set()

    task = asyncio.create_task(session.scheduler.run())
    session.scheduler.timer("slow", slow).set(1, START)
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


class Machine:
    """A machine whose time of day is wrong by `ahead_ms`, and Discord's correct clock."""

    def __init__(self, ahead_ms: int) -> None:
        self.true = 5_000_000
        self.ahead_ms = ahead_ms
        self.clock = DiscordClock(lambda: (self.true + self.ahead_ms) * MS, lambda: (self.true - 4_000_000) * MS)

    def hear(self, journey_ms: int) -> None:
        """Receive something that Discord has stamped, after its delay."""
        at = Moment(self.true)
        self.true += journey_ms
        self.clock.received(at)

    @property
    def late_ms(self) -> int:
        """Return by how much the clock is behind Discord's."""
        return self.true - self.clock.now()


AHEAD = (-3_600_000, -5_000, -1_400, -400, -1, 0, 1, 400, 1_000, 1_400, 5_000, 3_600_000)


@pytest.mark.parametrize("ahead_ms", AHEAD)
def test_a_machine_that_is_ahead_or_behind_is_set_right_by_the_first_stamp_and_never_robs_a_window(ahead_ms: int):
    machine = Machine(ahead_ms)
    assert machine.late_ms == -ahead_ms  # nothing is known but the machine's own time of day
    machine.hear(300)
    assert machine.late_ms == 300
    machine.hear(40)
    assert machine.late_ms == 40
    machine.hear(900)
    assert machine.late_ms == 40


@pytest.mark.parametrize("step_ms", [-3_600_000, -3_000, 3_000, 3_600_000])
def test_a_time_of_day_that_steps_does_not_touch_a_clock_that_was_set(step_ms: int):
    machine = Machine(0)
    machine.hear(50)
    machine.ahead_ms += step_ms
    assert machine.late_ms == 50
    machine.hear(70)
    assert machine.late_ms == 50


def test_a_short_journey_is_believed_for_ten_minutes_so_that_steady_clocks_may_drift():
    machine = Machine(0)
    machine.hear(20)
    machine.true += DiscordClock.LATELY_MS - 80
    machine.hear(80)
    assert machine.late_ms == 20
    machine.true += 1
    machine.hear(90)
    assert machine.late_ms == 80


def test_after_a_long_silence_the_last_stamp_counts_until_the_next():
    machine = Machine(9_000)
    machine.hear(20)
    machine.true += 10 * DiscordClock.LATELY_MS
    assert machine.late_ms == 20


@given(
    st.sampled_from(AHEAD),
    st.lists(st.tuples(st.integers(0, 3_000), st.integers(0, 900_000), st.integers(-10_000, 10_000)), min_size=1),
)
def test_once_set_the_clock_is_never_ahead_of_discord_nor_later_than_the_shortest_journey_lately(
    ahead_ms: int, received: list[tuple[int, int, int]]
):
    machine, journeys = Machine(ahead_ms), []
    for journey_ms, pause_ms, step_ms in received:
        machine.hear(journey_ms)
        journeys.append((machine.true, journey_ms))
        machine.ahead_ms += step_ms
        lately = [ms for when, ms in journeys if when >= machine.true - DiscordClock.LATELY_MS]
        assert 0 <= machine.late_ms == min(lately)
        machine.true += pause_ms


async def test_a_waiting_timer_wakes_when_the_clock_is_put_forward():
    machine, bell = Machine(-3_600_000), asyncio.Event()
    waiting = asyncio.create_task(machine.clock.wait(Moment(machine.true + 1_000), bell))  # an hour, it believes
    await asyncio.sleep(0)
    machine.hear(10)
    async with asyncio.timeout(PATIENCE_S):
        await waiting
    assert machine.late_ms == 10


async def test_the_machines_clock_waits_until_the_moment_or_the_bell():
    clock, bell = DiscordClock(), asyncio.Event()
    async with asyncio.timeout(PATIENCE_S):
        await clock.wait(Moment(clock.now() - 10), bell)
        await clock.wait(Moment(clock.now() + 5), bell)
        bell.set()
        await clock.wait(Moment(clock.now() + 10**9), bell)
