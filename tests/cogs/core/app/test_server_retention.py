"""A server's settings are kept when the bot is removed, and deleted after thirty days."""

import asyncio

import pytest

from cogs.core.app.server_retention import KEPT_FOR_MS, LOOKS_EVERY_MS
from tools.harness.bot_harness import BotHarness

DAY_MS = 86_400_000


async def kept(harness: BotHarness) -> dict[str, str]:
    found = await harness.client.store.server_admin.settings(int(harness.guild.id))
    return {name: value for name, value in found.items() if name != "removed_at"}


async def removed(harness: BotHarness) -> None:
    harness.sandbox.remove_bot(harness.guild)
    await harness.sandbox.until(lambda: harness.client.get_guild(int(harness.guild.id)) is None)
    await harness.settle()


async def back(harness: BotHarness) -> None:
    harness.sandbox.invite_bot(harness.guild)
    await harness.sandbox.until(lambda: harness.client.get_guild(int(harness.guild.id)) is not None)
    await harness.settle()


@pytest.fixture
async def settled(harness: BotHarness) -> BotHarness:
    """A server with settings for mentions and for the daily puzzle post."""
    await harness.sandbox.until(lambda: harness.client.is_ready())  # no server is missing yet
    await harness.ann.command(harness.yard, "settings mentions", style="quiet")
    await harness.ann.command(harness.yard, "settings puzzles", channel=harness.yard, hour=9)
    await harness.settle()
    return harness


async def test_a_removal_that_is_taken_back_at_once_changes_no_setting(settled: BotHarness):
    before = await kept(settled)
    await removed(settled)
    await back(settled)
    await settled.advance(LOOKS_EVERY_MS + 1_000)
    assert await kept(settled) == before and before["puzzle.channel"] == settled.yard.id


@pytest.mark.parametrize(("days", "remain"), [(29, True), (32, False)])
async def test_settings_are_kept_for_thirty_days_without_the_bot(settled: BotHarness, days: int, remain: bool):
    before = await kept(settled)
    await removed(settled)
    for _ in range(days):
        await settled.advance(DAY_MS)
    assert await kept(settled) == (before if remain else {})
    await back(settled)
    await settled.advance(LOOKS_EVERY_MS + 1_000)
    assert await kept(settled) == (before if remain else {})


async def test_the_thirty_days_begin_again_with_each_removal(settled: BotHarness):
    before = await kept(settled)
    for _ in range(3):
        await removed(settled)
        for _ in range(2):
            await settled.advance(KEPT_FOR_MS // 2 - DAY_MS)
        assert await kept(settled) == before
        await back(settled)
        await settled.advance(LOOKS_EVERY_MS + 1_000)


async def test_where_the_bot_is_nothing_is_ever_deleted(settled: BotHarness):
    before = await kept(settled)
    for _ in range(5):
        await settled.advance(KEPT_FOR_MS)
    assert await kept(settled) == before


async def test_no_server_counts_as_without_the_bot_before_it_is_known_where_the_bot_is(settled: BotHarness):
    await settled.stop()
    settled.sandbox.refuse_gateway()
    starting = asyncio.create_task(settled.start())
    await settled.sandbox.until(lambda: hasattr(settled.client, "serving") and settled.client.tables.heartbeat.last)
    for _ in range(50):
        settled.clock.advance(LOOKS_EVERY_MS // 10)
        await asyncio.sleep(0.01)
    found = await settled.client.store.server_admin.settings(int(settled.guild.id))
    settled.sandbox.open_gateway()
    await starting
    assert found and "removed_at" not in found
