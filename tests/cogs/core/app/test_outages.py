"""Outages of Discord's API: background calls wait for one probe, and are made up for afterwards."""

from typing import Any

import pytest

from data.store import NewTable
from engine.contract import Moment
from tools.harness.bot_harness import BotHarness

UNAVAILABLE = 503
EVER = 1_000_000


def calls_since(harness: BotHarness, since: int) -> list[str]:
    return [f"{call.method} {call.template}" for call in harness.sandbox.calls[since:]]


async def many_tables(harness: BotHarness, count: int) -> None:
    """Open tables in one channel each; none has a message yet."""
    store, now = harness.client.store, harness.clock.now()
    due = Moment(now + 3_600_000)
    for number in range(count):
        channel = int(harness.sandbox.add_channel(harness.guild, f"cell-{number}").id)
        new = NewTable("rope_wall", int(harness.guild.id), channel, int(harness.ann.id), "{}", now, due)
        await store.tables.create(new, [])


@pytest.mark.parametrize("tables", [2, 200])
@pytest.mark.parametrize("status", [UNAVAILABLE, 0])
async def test_a_minute_without_the_api_costs_fewer_than_thirty_calls_however_many_tables_wait(
    harness: BotHarness, tables: int, status: int
):
    await many_tables(harness, tables)
    harness.sandbox.fault("*", "*", status, times=EVER)
    before = len(harness.sandbox.calls)
    harness.client.pausing.wake_soon(range(1, tables + 1))
    for _ in range(120):
        await harness.advance(500)
    assert 3 < len(calls_since(harness, before)) < 30
    assert harness.client.tables.api.down_since is not None
    harness.sandbox.limits_on = False  # tests do not pace the calls that have waited, since their clock is stopped
    harness.sandbox.mend()
    for _ in range(70):
        await harness.advance(1_000)
    assert harness.client.tables.api.down_since is None
    for number in range(1, tables + 1):
        assert harness.messages(number).message.number is not None


async def test_a_press_is_answered_while_calls_that_nobody_asked_for_wait(harness: BotHarness):
    await harness.two_at_the_wall()
    harness.sandbox.fault("GET", "/gateway", UNAVAILABLE, times=EVER)
    for _ in range(3):
        harness.client.tables.api.failed()
    await harness.advance(0)
    assert harness.client.tables.api.down_since is not None
    pushed = await harness.push()
    await harness.settle()
    assert pushed.message is not None and harness.pushes() == 1
    assert harness.client.tables.api.down_since is None  # its answer has proved that the API is back


async def test_a_mention_that_was_due_during_an_outage_is_sent_once_after_it(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.push()
    harness.sandbox.fault("*", "*", UNAVAILABLE, times=EVER)
    for _ in range(3):
        harness.client.tables.api.failed()
    for _ in range(60):
        await harness.advance(5_000)
    assert harness.client.tables.api.down_since is not None
    harness.sandbox.mend()
    for _ in range(40):
        await harness.advance(5_000)
    assert len(harness.mentions()) == 1


BLOCKS: dict[str, tuple[int, dict[str, Any] | str]] = {
    "a banned address": (429, "error code: 1015"),
    "a banned bot": (429, "You are being blocked from accessing our API temporarily"),
    "a page of the firewall": (403, "<html><title>Access denied | discord.com used Cloudflare</title></html>"),
    "the firewall in JSON": (403, {"message": "internal network error", "code": 40333}),
}


@pytest.mark.parametrize("block", BLOCKS)
async def test_a_network_that_lets_no_call_through_to_discord_is_an_outage_in_which_clocks_stop(
    harness: BotHarness, block: str
):
    status, body = BLOCKS[block]
    await harness.two_at_the_wall(clock=30)
    harness.sandbox.fault("*", "*", status, times=EVER, body=body)
    before = len(harness.sandbox.calls)
    for _ in range(120):
        await harness.advance(1_000)
    table = harness.snapshot()
    assert harness.client.tables.api.down_since is not None and table.row.paused_by == "api"
    assert len(calls_since(harness, before)) < 30
    harness.sandbox.mend()
    for _ in range(70):
        await harness.advance(1_000)
        if not harness.snapshot().paused:
            break
    table = harness.snapshot()
    assert harness.client.tables.api.down_since is None and not table.paused
    assert all(seat.lapses == 0 for seat in table.seats) and harness.pushes() == 0


async def test_an_answer_that_a_network_in_front_of_discord_refuses_is_not_taken_for_a_page_that_discord_refuses(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    harness.sandbox.fault("POST", "/interactions/*/callback", 429, times=1, body="error code: 1015")
    await harness.awaited().start_press(harness.board(), harness.controls("push")[0])
    await harness.sandbox.until(lambda: harness.pushes() == 1)
    await harness.settle()
    await harness.advance(2_000)
    assert await harness.shows_latest() and harness.messages().message.trouble is None
    assert harness.client.publishing.refusals.of(int(harness.guild.id)) == []
