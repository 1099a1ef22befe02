"""Background calls go out at a limited rate, the most urgent first, and never delay calls that a user waits for."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.core.cluster import call_queue
from cogs.core.cluster.call_queue import PATIENCE_MS, CallQueue
from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.timers import Clock
from engine.contract import Moment
from sandbox import UserClient
from tests.cogs.core.held_calls import hold_calls
from tools.harness.bot_harness import BotHarness

START, SECOND_MS = Moment(5_000), 1_000


class PassingClock:
    """A clock that advances only while somebody waits."""

    def __init__(self) -> None:
        self.at = START
        self.woken_early = False

    def now(self) -> Moment:
        return self.at

    def received(self, at: Moment) -> None:
        """Ignore the time; this clock is set by waiting."""

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        for _ in range(4):
            await asyncio.sleep(0)  # calls whose turn has come are made before time passes
        self.at = Moment(self.at + 1) if self.woken_early else until


def queue_of(clock: PassingClock, held: int, count: int) -> CallQueue:
    """Return the call queue of a process that has this many of all shards."""
    shards: Any = SimpleNamespace(held=range(held), count=count)
    notices: Any = None
    return Ownership(clock, shards, notices).calls


async def turns(calls: int, held: int, count: int, clock: PassingClock) -> list[int]:
    """Return when each of these calls goes out if all are ready at once."""
    queue, gone = queue_of(clock, held, count), list[int]()

    async def call(channel: int) -> None:
        async with queue.turn(channel):
            gone.append(clock.now() - START)

    await asyncio.gather(*map(call, range(calls)))
    return gone


def busiest(gone: list[int]) -> int:
    """Return the largest number of calls in any one second."""
    return max(sum(begin <= at < begin + SECOND_MS for at in gone) for begin in gone)


async def test_a_few_go_out_at_once_and_the_others_one_after_the_other():
    gone = await turns(50, 1, 1, PassingClock())
    assert gone[:5] == [0] * 5 and gone[5:9] == [22, 44, 67, 89] and gone[-1] == SECOND_MS


@pytest.mark.parametrize("shares", [(1,), (4,), (2, 2), (1, 3), (1,) * 4, (7, 1, 1), (2,) * 12])
async def test_all_processes_together_keep_below_discords_limit_and_use_most_of_it(shares: tuple[int, ...]):
    gone = [at for held in shares for at in await turns(200, held, sum(shares), PassingClock()) if at < 5 * SECOND_MS]
    assert busiest(gone) <= 45 + max(5, len(shares))
    assert sum(at < 4 * SECOND_MS for at in gone) >= 4 * 45


async def test_a_call_woken_before_its_turn_keeps_waiting():
    clock = PassingClock()
    clock.woken_early = True
    assert (await turns(7, 1, 1, clock))[-2:] == [22, 44]


async def test_after_a_while_without_calls_a_few_go_out_at_once_again():
    clock = PassingClock()
    queue = queue_of(clock, 1, 1)
    for _ in range(40):
        async with queue.turn(1):
            pass
    clock.at = before = Moment(clock.at + SECOND_MS)
    for _ in range(5):
        async with queue.turn(1):
            assert clock.at == before
    async with queue.turn(1):
        assert clock.at == before + 22


async def test_a_call_that_a_user_waits_for_takes_a_turn_without_waiting():
    clock = PassingClock()
    queue = queue_of(clock, 1, 1)
    for _ in range(45):
        queue.count()
    assert clock.at == START
    async with queue.turn(1):
        assert clock.at == START + 911  # after the forty-one that were not among the first


class Calls:
    """Calls that a test starts one by one: those in `made` have had their turn, and wait for `end`."""

    def __init__(self, clock: Clock) -> None:
        self.queue = CallQueue(clock, lambda: 1.0)
        self.made: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def begin(self, name: str, channel: int, due: int | None = None) -> None:
        """Start a call and let it wait for its turn."""
        self._ends[name] = asyncio.Event()
        self._tasks[name] = asyncio.create_task(self._call(name, channel, due))
        await self.rest()

    async def _call(self, name: str, channel: int, due: int | None) -> None:
        async with self.queue.turn(channel, None if due is None else Moment(due)):
            self.made.append(name)
            await self._ends[name].wait()

    async def end(self, name: str) -> None:
        """Finish a call that is being made, or cancel a waiting one."""
        self._ends[name].set()
        if name not in self.made:
            self._tasks[name].cancel()
        await self.rest()

    async def close(self) -> None:
        """Cancel all calls."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def rest(self) -> None:
        """Let everything run that can."""
        for _ in range(8):
            await asyncio.sleep(0)


@pytest.fixture
async def calls(harness: BotHarness, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Calls]:
    """A queue for one call at a time, with a new one every 23 ms of the harness's clock."""
    monkeypatch.setattr(call_queue, "AT_ONCE", 1)
    found = Calls(harness.clock)
    yield found
    await found.close()


async def turns_of(calls: Calls, harness: BotHarness, number: int) -> list[str]:
    """Return the next calls that have their turn."""
    before = len(calls.made)
    for _ in range(number):
        harness.clock.advance(23)
        await calls.rest()
    return calls.made[before:]


async def test_calls_without_a_deadline_are_made_in_the_order_in_which_they_came(harness: BotHarness, calls: Calls):
    for channel, name in enumerate(("first", "second", "third")):
        await calls.begin(name, channel)
    assert calls.made == ["first"]
    assert await turns_of(calls, harness, 2) == ["second", "third"]


async def test_a_window_of_seconds_passes_turns_and_these_pass_everything_else(harness: BotHarness, calls: Calls):
    now = harness.clock.now()
    await calls.begin("busy", 0)
    for number in range(24):
        await calls.begin(f"message {number}", 100 + number)
    await calls.begin("turn", 1, now + 45_000)
    await calls.begin("window", 2, now + 5_000)
    assert await turns_of(calls, harness, 3) == ["window", "turn", "message 0"]


async def test_a_call_that_has_waited_for_a_minute_is_passed_by_no_new_one(harness: BotHarness, calls: Calls):
    await calls.begin("busy", 0)
    harness.clock.advance(1)
    await calls.begin("old", 1)
    await calls.begin("urgent", 2, harness.clock.now() + PATIENCE_MS - 1)
    await calls.begin("later", 3, harness.clock.now() + PATIENCE_MS + 1)
    assert await turns_of(calls, harness, 3) == ["urgent", "old", "later"]


async def test_one_call_at_a_time_is_made_in_a_channel_and_the_most_urgent_one_is_next(
    harness: BotHarness, calls: Calls
):
    now = harness.clock.now()
    await calls.begin("busy", 1)
    await calls.begin("unhurried", 1)
    await calls.begin("window", 1, now + 5_000)
    await calls.begin("elsewhere", 2)
    assert await turns_of(calls, harness, 3) == ["elsewhere"]
    await calls.end("busy")
    assert calls.made[-1] == "window"
    await calls.end("window")
    assert await turns_of(calls, harness, 1) == ["unhurried"]


async def test_a_call_that_waits_goes_first_once_what_it_shows_has_become_urgent(harness: BotHarness, calls: Calls):
    await calls.begin("busy", 0)
    await calls.begin("elsewhere", 1)
    await calls.begin("hurried", 2)
    calls.queue.hurry(2, Moment(harness.clock.now() + 5_000))
    assert await turns_of(calls, harness, 2) == ["hurried", "elsewhere"]


async def test_a_call_that_waits_for_another_one_in_its_channel_can_become_urgent(harness: BotHarness, calls: Calls):
    await calls.begin("busy", 1)
    await calls.begin("elsewhere", 2, harness.clock.now() + 10_000)
    await calls.begin("hurried", 1)
    await turns_of(calls, harness, 1)
    await calls.begin("later", 3, harness.clock.now() + 10_000)
    calls.queue.hurry(1, Moment(harness.clock.now() + 5_000))
    await calls.end("busy")
    assert await turns_of(calls, harness, 2) == ["hurried", "later"]


async def test_a_call_that_is_cancelled_while_it_waits_takes_no_turn(harness: BotHarness, calls: Calls):
    await calls.begin("busy", 1)
    for name, channel in (("behind", 1), ("cancelled", 2), ("last", 3)):
        await calls.begin(name, channel)
    await calls.end("cancelled")
    await calls.end("behind")
    assert await turns_of(calls, harness, 1) == ["last"]
    await calls.end("busy")
    await calls.begin("again", 1)
    assert await turns_of(calls, harness, 1) == ["again"]


async def test_background_calls_wait_and_calls_that_a_user_waits_for_do_not(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    await harness.without_tokens()
    waits, go_on = hold_calls(monkeypatch)
    table = harness.messages().table
    table.snapshot = table.snapshot.after(table.snapshot.row, notice=lambda: "Something new.")
    harness.messages().message.invalidate()
    await waits.wait()
    assert (await harness.cleo.command(harness.yard, "rope-wall start")).failed is None
    first = harness.sandbox.message(str(harness.messages().message.number))
    assert "Something new." not in UserClient.visible_text(first)
    go_on.set()
    await harness.settle()
    assert "Something new." in UserClient.visible_text(harness.sandbox.message(str(harness.messages().message.number)))


async def test_the_calls_of_the_bot_are_counted_but_not_those_by_a_token(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    await harness.without_tokens()
    taken, count = list[int](), CallQueue.count

    def counted(queue: CallQueue) -> None:
        taken.append(1)
        count(queue)

    monkeypatch.setattr(CallQueue, "count", counted)
    before = len(harness.sandbox.calls)
    table = harness.messages().table
    table.snapshot = table.snapshot.after(table.snapshot.row, notice=lambda: "Something new.")
    harness.messages().message.invalidate()  # a background edit
    await harness.settle()
    await harness.client.fetch_channel(int(harness.yard.id))
    await harness.push()
    await harness.settle()
    calls = [call.path for call in harness.sandbox.calls[before:]]
    by_token = [path for path in calls if "/webhooks/" in path or "/interactions/" in path]
    assert by_token and len(taken) == len(calls) - len(by_token) >= 2
