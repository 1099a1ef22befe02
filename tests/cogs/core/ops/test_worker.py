"""Workers: one task at a time, and no failure in silence."""

import asyncio
import logging

import pytest

from cogs.core.ops.worker import Worker


class Line(Worker):
    """Something that is drawn once for each time that it is wanted, as long as the chalk lasts."""

    def __init__(self, chalk: int = 9) -> None:
        super().__init__("line-7")
        self.chalk = chalk
        self.drawn = 0
        self.at_once = 0

    async def _work(self) -> None:
        self.at_once += 1
        await asyncio.sleep(0)
        if not self.chalk:
            raise ValueError("no chalk")
        self.drawn += 1
        self.at_once -= 1

    def wanted(self) -> None:
        self._begin()


async def test_nothing_begins_beside_what_is_at_work():
    line = Line()
    line.wanted()
    await asyncio.sleep(0)
    line.wanted()
    assert line.at_once == 1
    await line.settle()
    line.wanted()
    await line.settle()
    assert line.drawn == 2


async def test_a_failure_that_nobody_foresaw_is_logged_and_the_next_wish_begins_anew(caplog: pytest.LogCaptureFixture):
    line = Line(chalk=0)
    line.wanted()
    await line.settle()
    (record,) = caplog.records
    assert (record.levelno, record.getMessage()) == (logging.ERROR, "line-7 failed")
    line.chalk = 1
    line.wanted()
    await line.settle()
    assert line.drawn == 1


async def test_what_is_closed_stops_in_the_middle():
    line = Line()
    line.wanted()
    await asyncio.sleep(0)
    await line.close()
    assert line.drawn == 0
