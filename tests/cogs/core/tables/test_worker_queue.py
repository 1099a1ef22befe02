"""Tables take turns at the workers, and turns get shorter as the queue grows. The clock is a list of one number."""

import asyncio

import pytest

from cogs.core.tables.bot_workers import LEAST_S, FairQueue
from sandbox import PATIENCE_S

USUAL, TARGET = 0.8, 1.5


class Waiters:
    """A queue and its waiters: each uses its full turn on a clock that only they advance."""

    def __init__(self) -> None:
        self.time = 0.0
        self.queue = FairQueue(1, USUAL, TARGET, lambda: self.time)
        self.served: list[tuple[int, float]] = []
        self.ended: list[float] = []

    async def visit(self, table: int) -> None:
        async with self.queue.turn(table) as seconds:
            self.served.append((table, seconds))
            await asyncio.sleep(0)  # others arrive meanwhile
            self.time += seconds
            self.ended.append(self.time)


async def test_a_single_request_has_the_usual_time():
    hall = Waiters()
    await hall.visit(1)
    assert hall.served == [(1, USUAL)]


@pytest.mark.parametrize("waiting", [2, 5, 20, 60])
async def test_however_many_wait_all_have_been_served_in_time(waiting: int):
    hall = Waiters()
    await asyncio.gather(*(hall.visit(table) for table in range(waiting)))
    assert len(hall.served) == waiting
    assert max(hall.ended) <= TARGET + 1e-6
    (_, first), *others = hall.served  # the first came when the queue was empty
    assert first == USUAL
    assert {round(seconds, 6) for _, seconds in others} == {round((TARGET - USUAL) / (waiting - 1), 6)}


async def test_a_request_to_an_empty_queue_leaves_time_for_as_many_as_came_recently():
    hall = Waiters()
    for table in range(20):
        await hall.visit(table)
        hall.time += TARGET / 20 - hall.served[-1][1] if table else 0.0
    assert hall.served[-1][1] == pytest.approx(TARGET / 20, rel=0.1)
    hall.time += 2 * TARGET
    await hall.visit(1)
    assert hall.served[-1][1] == USUAL


@pytest.mark.parametrize("workers", [1, 2, 4])
async def test_more_workers_leave_as_much_more_time(workers: int):
    queue = FairQueue(workers, USUAL, TARGET, lambda: 0.0)

    async def visit(table: int) -> float:
        async with queue.turn(table) as seconds:
            return seconds

    shares = await asyncio.gather(*(visit(table) for table in range(20)))
    assert shares[-1] == pytest.approx(workers * TARGET / 20)


async def test_no_turn_is_shorter_than_the_least():
    hall = Waiters()
    await asyncio.gather(*(hall.visit(table) for table in range(400)))
    assert min(seconds for _, seconds in hall.served) == LEAST_S


async def test_a_table_that_asks_for_many_seats_holds_no_other_table_up():
    hall = Waiters()
    await asyncio.gather(*(hall.visit(table) for table in (1, 1, 1, 1, 1, 2, 3)))
    assert [table for table, _ in hall.served] == [1, 1, 2, 3, 1, 1, 1]  # the first came when the queue was empty


async def test_a_request_that_gives_up_leaves_the_queue():
    hall = Waiters()
    visits = [asyncio.create_task(hall.visit(table)) for table in range(4)]
    await asyncio.sleep(0)
    visits[1].cancel()
    await asyncio.gather(*visits, return_exceptions=True)
    assert [table for table, _ in hall.served] == [0, 2, 3]


async def test_a_request_that_gives_up_when_its_turn_comes_frees_the_worker():
    hall = Waiters()
    async with hall.queue.turn(0):
        second = asyncio.create_task(hall.visit(1))
        await asyncio.sleep(0)
    second.cancel()  # its turn has started, but it has not woken yet
    await asyncio.gather(second, return_exceptions=True)
    assert hall.served == []
    await asyncio.wait_for(hall.visit(2), PATIENCE_S)
    assert hall.served == [(2, pytest.approx(TARGET / 3))]


async def test_a_turn_that_ends_in_an_error_frees_the_worker():
    hall = Waiters()
    with pytest.raises(ZeroDivisionError):
        async with hall.queue.turn(1):
            raise ZeroDivisionError
    await asyncio.wait_for(hall.visit(2), PATIENCE_S)
