"""Puzzles that are opened on their day and answered after midnight."""

import pytest

from cogs.puzzles.results import streak_of
from engine.puzzles import DAY_MS, day_start
from sandbox import ActionResult
from tests.cogs.puzzles.test_puzzles import PACK, asked, opening, pushed, solved, today
from tools.harness.bot_harness import BotHarness

MINUTE_MS = 60_000


async def to(harness: BotHarness, number: int, minutes: int) -> None:
    """Turn the clock to this many minutes after the beginning of a puzzle's day."""
    await harness.advance(day_start(number) + minutes * MINUTE_MS - harness.clock.now())


async def answer(harness: BotHarness, page: ActionResult, number: int) -> None:
    for push in PACK["rope_wall"].numbered(number).proof.line:
        page = await pushed(harness, page, opening(push))
    assert "✓" in page.text


async def streak(harness: BotHarness) -> int:
    return await streak_of(harness.client.store, int(harness.ann.id), today(harness))


@pytest.mark.parametrize(("minutes", "counts"), [(1, True), (29, True), (31, False)])
@pytest.mark.parametrize("restarts", [False, True])
async def test_a_puzzle_that_is_opened_before_midnight_counts_for_its_day_for_half_an_hour(
    harness: BotHarness, minutes: int, counts: bool, restarts: bool
):
    await solved(harness)
    number = today(harness) + 1
    await to(harness, number, 24 * 60 - 1)
    page = await asked(harness)
    assert f"<t:{(day_start(number + 1) + 30 * MINUTE_MS) // 1_000}:t>" in page.text
    if restarts:
        await harness.restart()
    await to(harness, number + 1, minutes)
    await answer(harness, page, number)
    assert await streak(harness) == (2 if counts else 0)
    on_server = await harness.client.store.puzzle_attempts.on_server(int(harness.guild.id), number)
    assert len(on_server) == counts


async def test_a_puzzle_that_is_opened_after_its_day_counts_for_no_streak_and_says_so(harness: BotHarness):
    await solved(harness)
    number = today(harness)
    await to(harness, number + 2, 5)
    menu = await harness.ann.command(harness.yard, "puzzle")
    before = await harness.ann.press(menu, label="◀ Previous day")
    page = await harness.ann.forge(before, f"cb:0:0:puzzle:link-in-two.{number + 1}")
    assert "no streak for an earlier day" in page.text
    await answer(harness, page, number + 1)
    assert await streak(harness) == 0


async def test_opening_a_puzzle_is_no_attempt_and_on_no_board(harness: BotHarness):
    await asked(harness)
    store = harness.client.store
    assert await store.puzzle_attempts.of(int(harness.ann.id)) == []
    menu = await harness.ann.command(harness.yard, "puzzle")
    assert "not tried yet" in menu.text and f"<@{harness.ann.id}>" not in menu.text
    assert (await store.user_data.export(int(harness.ann.id)))["puzzles_opened"]
    await harness.advance(DAY_MS)
    assert await streak(harness) == 0
