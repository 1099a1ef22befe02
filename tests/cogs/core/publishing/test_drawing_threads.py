"""Drawing in threads: results and errors reach the caller, and nothing starts after the end."""

import asyncio
import threading

import pytest

from cogs.core.publishing.drawing_threads import DrawingThreads


async def test_results_and_errors_of_drawing_threads_reach_the_caller():
    drawers, here = DrawingThreads(2), threading.current_thread()
    assert await drawers.run(threading.current_thread) is not here
    assert await drawers.run(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        await drawers.run(divmod, 7, 0)
    assert await asyncio.gather(*(drawers.run(int, str(number)) for number in range(50))) == [*range(50)]
    drawers.close()


async def test_an_abandoned_request_does_not_delay_others():
    drawers, started, goes_on = DrawingThreads(1), threading.Event(), threading.Event()

    def slowly() -> bool:
        started.set()
        return goes_on.wait(60)

    done: list[int] = []
    gone = asyncio.create_task(drawers.run(slowly))
    never = asyncio.create_task(drawers.run(done.append, 6))
    next_one = asyncio.create_task(drawers.run(done.append, 7))
    assert await asyncio.to_thread(started.wait, 60)
    gone.cancel()
    never.cancel()
    await asyncio.wait([gone, never])
    goes_on.set()
    await next_one
    assert done == [7] and gone.cancelled() and never.cancelled()
    drawers.close()


async def test_at_the_end_what_has_begun_is_finished_and_nothing_more_begins():
    drawers, started, goes_on = DrawingThreads(1), threading.Event(), threading.Event()

    def slowly() -> bool:
        started.set()
        return goes_on.wait(60)

    under_way = asyncio.create_task(drawers.run(slowly))
    waiting = asyncio.create_task(drawers.run(int, "7"))
    assert await asyncio.to_thread(started.wait, 60)
    drawers.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    goes_on.set()
    assert await under_way
