"""A database that another program has locked: users are told in time that nothing was done."""

import asyncio
import sqlite3
from contextlib import closing

from tools.harness.bot_harness import BotHarness


async def test_nobody_who_clicks_is_left_without_an_answer_while_another_program_holds_the_database(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    before, pushes = await harness.client.store.games.events(1), harness.controls("push")
    with closing(sqlite3.connect(harness.database, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        answers = await asyncio.gather(
            harness.awaited().press(harness.board(), pushes[0]),
            harness.cleo.command(harness.yard, "rope-wall start"),
            harness.cleo.command(harness.yard, "privacy hide", hidden="on"),
        )
        await harness.settle()
    for answer in answers:
        assert answer.failed is None
    told = ["nothing was done" in " ".join([answer.text, *map(str, answer.messages)]) for answer in answers]
    assert told == [True] * 3
    assert await harness.client.store.games.events(1) == before
    await harness.push()
    assert len(await harness.client.store.games.events(1)) == len(before) + 1
