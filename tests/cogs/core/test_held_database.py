"""A database that another program holds: everybody who clicks is told in time that nothing was done."""

import asyncio
import sqlite3
from contextlib import closing

from tools.harness.bot_harness import House


async def test_nobody_who_clicks_is_left_without_an_answer_while_another_program_holds_the_database(house: House):
    await house.two_at_the_wall()
    before, pushes = await house.client.tables.store.games.events(1), house.controls("push")
    with closing(sqlite3.connect(house.database, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        answers = await asyncio.gather(
            house.awaited().press(house.board(), pushes[0]),
            house.cleo.command(house.yard, "rope-wall start"),
            house.cleo.command(house.yard, "privacy hide", hidden="on"),
        )
        await house.settle()
    for answer in answers:
        assert answer.failed is None
    told = ["nothing was done" in " ".join([answer.text, *map(str, answer.messages)]) for answer in answers]
    assert told == [True] * 3
    assert await house.client.tables.store.games.events(1) == before
    await house.push()
    assert len(await house.client.tables.store.games.events(1)) == len(before) + 1
