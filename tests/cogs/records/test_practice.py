"""The practice games in a person's own history."""

import re

from cogs.core.tables import moves
from engine.contract import Seat
from engine.games.rope_wall import Resign
from tests.cogs.general.test_practice import practised
from tools.harness.bot_harness import BotHarness


async def test_practice_games_that_do_not_fit_on_the_first_page_follow_on_the_second_one(harness: BotHarness):
    for number in range(1, 9):
        await practised(harness, harness.ann, "Breakout: the Rope Wall")
        table = harness.messages(number).table
        seat = table.snapshot.seat_of(int(harness.ann.id))
        await table.act(moves.move, seat or Seat(0), Resign(), harness.clock.now())
        await harness.settle()
        await harness.advance(1_000)
    page = await harness.ann.press(await harness.ann.command(harness.yard, "history"), label="Practice games")
    words = page.text
    page = await harness.ann.press(page, label="Next ▶")
    words += page.text
    assert re.findall(r"table (\d+)", words) == ["8", "7", "6", "5", "4", "3", "2", "1"]
