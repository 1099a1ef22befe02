"""The circuit breaker: when Discord's API counts as down, and when as back."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest

from cogs.core.ops.api_status import FAILURES, PROBE_MS, ApiStatus
from cogs.core.ops.timers import Scheduler
from engine.contract import Moment

NOON = 1_795_608_000_000


class Time:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.at = NOON
        self.moved = asyncio.Event()

    def now(self) -> Moment:
        return Moment(self.at)

    def received(self, at: Moment) -> None:
        pass

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        while self.at < until and not bell.is_set():
            waits = [asyncio.create_task(bell.wait()), asyncio.create_task(self.moved.wait())]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for one in waits:
                one.cancel()


class Discord:
    """An API that answers or not, and the bot's view of its status."""

    def __init__(self) -> None:
        self.answers = True
        self.time = Time()
        self.probes: list[int] = []
        self.told: list[Moment | None] = []
        self.scheduler = Scheduler(self.time)
        self.status = ApiStatus(self.time, self.scheduler, self.probe)
        self.status.listeners.append(lambda: self.told.append(self.status.down_since))

    async def probe(self) -> None:
        self.probes.append(self.time.at - NOON)
        if not self.answers:
            raise aiohttp.ClientConnectionError("no")

    async def idle(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
            await self.scheduler.idle()

    async def pass_time(self, ms: int, step_ms: int = 500) -> None:
        for _ in range(ms // step_ms):
            self.time.at += step_ms
            self.time.moved.set()
            self.time.moved = asyncio.Event()
            await self.idle()

    async def fail(self, times: int) -> None:
        for _ in range(times):
            self.status.failed()
        await self.idle()


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    made = Discord()
    made.scheduler.start()
    yield made
    await made.scheduler.close()


async def test_a_few_failures_in_a_row_are_judged_by_one_probe(discord: Discord):
    discord.answers = False
    await discord.fail(FAILURES - 1)
    assert discord.probes == [] and discord.status.retry_at is None
    await discord.fail(30)
    assert discord.probes == [0] and discord.status.down_since == NOON and discord.told == [NOON]


async def test_an_api_that_answers_the_probe_is_not_down(discord: Discord):
    await discord.fail(FAILURES)
    assert discord.probes == [0] and discord.status.down_since is None and discord.status.retry_at is None
    assert discord.told == []


async def test_failures_that_are_not_in_a_row_are_no_outage(discord: Discord):
    discord.answers = False
    for _ in range(20):
        await discord.fail(FAILURES - 1)
        discord.status.answered()
    assert discord.probes == [] and discord.status.down_since is None


async def test_probes_come_at_growing_intervals_and_one_that_is_answered_ends_the_outage(discord: Discord):
    discord.answers = False
    await discord.fail(FAILURES)
    await discord.pass_time(64_000)
    assert discord.probes == [0, 1_000, 3_000, 7_000, 15_000, 31_000, 63_000]
    await discord.pass_time(10 * PROBE_MS[1])
    gaps = [after - before for before, after in zip(discord.probes[7:], discord.probes[8:], strict=False)]
    assert set(gaps) == {PROBE_MS[1]}
    discord.answers = True
    await discord.pass_time(PROBE_MS[1])
    assert discord.status.down_since is None and discord.status.retry_at is None and discord.told == [NOON, None]
    before = len(discord.probes)
    await discord.pass_time(5 * PROBE_MS[1])
    assert len(discord.probes) == before


async def test_an_answer_to_anything_ends_the_outage(discord: Discord):
    discord.answers = False
    await discord.fail(FAILURES)
    discord.status.answered()
    assert discord.status.down_since is None and discord.told == [NOON, None]


async def test_an_outage_counts_from_the_last_answer_and_not_from_its_discovery(discord: Discord):
    discord.status.answered()
    await discord.pass_time(20_000)
    discord.answers = False
    await discord.fail(FAILURES)
    assert discord.status.down_since == NOON


@pytest.mark.parametrize(("quiet_ms", "probes"), [(2_000, 0), (2_500, 1), (3_600_000, 1)])
async def test_before_a_clock_runs_out_a_quiet_api_is_asked(discord: Discord, quiet_ms: int, probes: int):
    discord.time.at += quiet_ms
    await discord.status.prove()
    assert discord.status.down_since is None and len(discord.probes) == probes


async def test_a_probe_without_an_answer_before_a_clock_runs_out_finds_the_outage(discord: Discord):
    discord.answers = False
    discord.time.at += 30_000
    await asyncio.gather(*(discord.status.prove() for _ in range(50)))
    assert discord.probes == [30_000] and discord.status.down_since == NOON


async def test_calls_that_fail_while_a_probe_is_set_bring_no_other_probe(discord: Discord):
    discord.answers = False
    for _ in range(FAILURES):
        discord.status.failed()
    await discord.idle()
    probes = len(discord.probes)
    assert probes == 1 and discord.status.down_since is not None
    for _ in range(20):
        discord.status.failed()
        await discord.idle()
    assert len(discord.probes) == probes
