"""Background tasks: no task and no failure is lost."""

import asyncio
import gc
import logging

import pytest

from data.background import BackgroundTasks


class Heard:
    """Background tasks, and their reported failures."""

    def __init__(self) -> None:
        self.failures: list[tuple[str, str]] = []
        self.tasks = BackgroundTasks(lambda name, error: self.failures.append((name, str(error))))


@pytest.fixture
def received() -> Heard:
    return Heard()


async def breaks() -> None:
    raise ValueError("the rope broke")


async def never() -> None:
    await asyncio.Event().wait()


async def test_what_goes_on_by_itself_is_kept_until_it_ends(received: Heard):
    go_on, done = asyncio.Event(), list[str]()

    async def work() -> None:
        await go_on.wait()
        done.append("done")

    received.tasks.spawn(work(), "work")
    await asyncio.sleep(0)
    gc.collect()
    assert [task.get_name() for task in received.tasks.running] == ["work"]
    go_on.set()
    await received.tasks.settle()
    assert done == ["done"] and received.tasks.running == []


async def test_a_task_that_has_ended_is_not_running_even_before_its_callbacks(received: Heard):
    seen: list[int] = []

    async def ends() -> None:
        return

    async def looks() -> None:
        seen.append(len(received.tasks.running))

    received.tasks.spawn(ends(), "ends")
    await asyncio.create_task(looks())  # in the same turn of the loop, right after it
    assert seen == [0]


async def test_a_failure_is_reported_once_with_the_name_of_the_task(received: Heard):
    received.tasks.spawn(breaks(), "climbing")
    await received.tasks.settle()
    await received.tasks.close()
    assert received.failures == [("climbing", "the rope broke")]


async def test_a_failure_is_logged_with_its_traceback_by_default(
    caplog: pytest.LogCaptureFixture,
):
    tasks = BackgroundTasks()
    tasks.spawn(breaks(), "climbing")
    await tasks.settle()
    (record,) = caplog.records
    assert (record.levelno, record.getMessage()) == (logging.ERROR, "climbing failed")
    assert record.exc_info is not None and isinstance(record.exc_info[1], ValueError)


async def test_one_failure_stops_nothing_else(received: Heard):
    go_on, done = asyncio.Event(), list[str]()

    async def work() -> None:
        await go_on.wait()
        done.append("done")

    received.tasks.spawn(work(), "work")
    received.tasks.spawn(breaks(), "climbing")
    await asyncio.sleep(0)
    go_on.set()
    await received.tasks.settle()
    assert done == ["done"]


async def test_settling_waits_for_what_begins_meanwhile_too(received: Heard):
    done: list[str] = []

    async def second() -> None:
        await asyncio.sleep(0)
        done.append("second")

    async def first() -> None:
        await asyncio.sleep(0)
        received.tasks.spawn(second(), "second")

    received.tasks.spawn(first(), "first")
    await received.tasks.settle()
    assert done == ["second"]


async def test_settling_waits_no_longer_than_it_may_and_stops_nothing(received: Heard):
    received.tasks.spawn(never(), "never")
    await received.tasks.settle(at_most_s=0)
    assert len(received.tasks.running) == 1
    await received.tasks.close()


async def test_closing_stops_all_and_that_is_no_failure(received: Heard):
    ended: list[str] = []

    async def work() -> None:
        try:
            await never()
        finally:
            await asyncio.sleep(0)
            ended.append("tidied up")

    received.tasks.spawn(work(), "work")
    received.tasks.spawn(never(), "never")
    await asyncio.sleep(0)
    await received.tasks.close()
    assert ended == ["tidied up"] and received.tasks.running == [] and received.failures == []


async def test_closing_stops_what_has_not_begun_yet(received: Heard):
    received.tasks.spawn(breaks(), "climbing")
    await received.tasks.close()
    assert received.failures == []


async def test_a_failure_while_a_task_is_being_stopped_is_reported(received: Heard):
    async def work() -> None:
        try:
            await never()
        finally:
            await breaks()

    received.tasks.spawn(work(), "climbing")
    await asyncio.sleep(0)
    await received.tasks.close()
    assert received.failures == [("climbing", "the rope broke")]


async def test_closing_stops_what_those_begin_that_it_stops(received: Heard):
    async def work() -> None:
        try:
            await never()
        finally:
            received.tasks.spawn(never(), "never")

    received.tasks.spawn(work(), "work")
    await asyncio.sleep(0)
    await received.tasks.close()
    assert received.tasks.running == []


async def test_see_through_returns_the_result_of_a_task(received: Heard):
    async def work() -> str:
        return "out"

    assert await received.tasks.see_through(work(), "work") == "out"
    with pytest.raises(ValueError, match="the rope broke"):
        await received.tasks.see_through(breaks(), "climbing")
    assert received.failures == []  # the caller has seen it


@pytest.mark.parametrize("fails", [False, True])
async def test_what_is_seen_through_goes_on_when_its_caller_has_gone(received: Heard, fails: bool):
    go_on, done = asyncio.Event(), list[str]()

    async def work() -> None:
        await go_on.wait()
        done.append("done")
        if fails:
            await breaks()

    caller = asyncio.create_task(received.tasks.see_through(work(), "climbing"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    caller.cancel()
    await asyncio.wait({caller})
    assert caller.cancelled() and len(received.tasks.running) == 1
    go_on.set()
    await received.tasks.settle()
    assert done == ["done"]
    assert received.failures == ([("climbing", "the rope broke")] if fails else [])
