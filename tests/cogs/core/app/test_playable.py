"""A clock counts only time in which people could play, whatever prevents them, for minutes or for hours."""

import asyncio

import pytest

from cogs.core.tables import lobby
from cogs.core.tables.snapshot import TableSnapshot
from tools.harness.bot_harness import BotHarness

MINUTE_MS, HOUR_MS = 60_000, 3_600_000
EVER = 1_000_000
GAMES = ("rope-wall", "break-out", "prison-break", "ausbrecher", "match-five")


async def lose_gateway(harness: BotHarness) -> None:
    """Cut the connection for longer than Discord waits for an answer to a press."""
    harness.sandbox.refuse_gateway()
    await harness.sandbox.disconnect()
    await harness.sandbox.until(lambda: harness.client.connections.lost)
    for _ in range(4):
        await harness.advance(1_000)


async def regain_gateway(harness: BotHarness) -> None:
    harness.sandbox.open_gateway()
    await harness.sandbox.until(lambda: not harness.client.connections.lost)
    await harness.settle()


async def lose_api(harness: BotHarness) -> None:
    """Let the API fail from now on, and make a few calls that notice it."""
    harness.sandbox.fault("*", "*", 503, times=EVER)
    for _ in range(3):
        harness.client.tables.api.failed()
    for _ in range(4):
        await harness.advance(1_000)


async def regain_api(harness: BotHarness) -> None:
    harness.sandbox.mend()
    for _ in range(70):
        if harness.client.tables.api.down_since is not None:
            await harness.advance(1_000)
    assert harness.client.tables.api.down_since is None
    await harness.settle()


async def now(harness: BotHarness) -> TableSnapshot:
    """Return the table, which may have been unloaded."""
    found = await harness.client.inbound.finder.find(1)
    assert found is not None
    await harness.settle()
    return found.table.snapshot


CAUSES = {"connection": (lose_gateway, regain_gateway), "api": (lose_api, regain_api)}


@pytest.fixture(params=CAUSES)
def cause(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


async def begin(harness: BotHarness, game: str, clock: int) -> int:
    """Start a rated game of two, and return when its first clock runs out."""
    await harness.begin(game, harness.ben, clock=clock)
    due = (await now(harness)).earliest
    assert due is not None and (await now(harness)).ranked
    return due


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("away_ms", [2 * MINUTE_MS, 2 * HOUR_MS])
async def test_an_outage_costs_nobody_time_and_no_ranked_game(harness: BotHarness, cause: str, game: str, away_ms: int):
    lose, regain = CAUSES[cause]
    due, began = await begin(harness, game, 30), harness.clock.now()
    await lose(harness)
    table = await now(harness)
    assert table.paused and table.row.paused_by == cause and table.earliest is None
    version = table.version
    for _ in range(8):
        await harness.advance(away_ms // 8)
    assert (await now(harness)).version == version
    await regain(harness)
    after = await now(harness)
    lost = harness.clock.now() - began
    assert not after.paused and after.row.paused_by is None and all(seat.lapses == 0 for seat in after.seats)
    assert after.earliest is not None
    assert 0 <= after.earliest - due <= lost and due + lost - after.earliest <= 70_000  # until the probe that finds out


@pytest.mark.parametrize("game", GAMES)
async def test_at_the_very_border_of_a_deadline_an_outage_saves_the_turn(harness: BotHarness, cause: str, game: str):
    lose, regain = CAUSES[cause]
    due = await begin(harness, game, 30)
    version = (await now(harness)).version
    await harness.advance(due - harness.clock.now() - 1)
    await lose(harness)
    await harness.advance(HOUR_MS)
    await regain(harness)
    left = (await now(harness)).earliest
    assert (await now(harness)).version == version + 1 and left is not None  # the extension of the clocks
    await harness.advance(31_000)
    await harness.advance(1_000)
    assert (await now(harness)).version > version + 1  # the clock runs on


async def test_a_short_break_of_the_connection_is_no_pause(harness: BotHarness):
    due = await begin(harness, "rope-wall", 30)
    await harness.sandbox.disconnect()
    await harness.sandbox.until(lambda: harness.sandbox.online)
    await harness.advance(2_000)
    assert (await now(harness)).earliest == due and not (await now(harness)).paused


async def test_a_clock_that_would_run_out_during_a_short_break_waits_until_presses_arrive(harness: BotHarness):
    due = await begin(harness, "rope-wall", 30)
    await harness.advance(due - harness.clock.now() - 500)
    harness.sandbox.refuse_gateway()
    await harness.sandbox.disconnect()
    await harness.sandbox.until(lambda: not harness.sandbox.online)
    await harness.advance(1_500)
    assert harness.pushes() == 0
    await regain_gateway(harness)
    await harness.advance(1_100)
    assert harness.pushes() == 1


async def test_while_the_api_is_down_a_press_counts_and_the_new_turn_loses_no_time(harness: BotHarness):
    await begin(harness, "rope-wall", 60)
    await harness.advance(20_000)
    await lose_api(harness)
    await harness.advance(HOUR_MS)
    mover = harness.awaited()
    version = (await now(harness)).version
    await mover.start_press(harness.board(), harness.controls("push")[0])  # no answer arrives
    await harness.sandbox.until(lambda: harness.pushes() == 1)
    await harness.settle()
    assert (await now(harness)).paused
    assert (await now(harness)).version > version
    pressed = harness.clock.now()
    await harness.advance(HOUR_MS)
    assert (await now(harness)).paused and harness.pushes() == 1
    await regain_api(harness)
    due = (await now(harness)).earliest
    assert due is not None and due > pressed + HOUR_MS
    assert due - harness.clock.now() <= 60_000


async def test_a_lobby_outlasts_an_outage(harness: BotHarness, cause: str):
    lose, regain = CAUSES[cause]
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    await lose(harness)
    await harness.advance(4 * lobby.CLOSES_AFTER_MS)
    await regain(harness)
    await harness.advance(lobby.CLOSES_AFTER_MS // 2)
    assert (await now(harness)).in_lobby
    await harness.advance(lobby.CLOSES_AFTER_MS)
    assert (await now(harness)).row.status == "closed"


async def test_computers_do_not_move_while_nobody_else_can(harness: BotHarness, cause: str):
    lose, regain = CAUSES[cause]
    await harness.against_a_computer(clock=300)
    before = harness.pushes()
    await lose(harness)
    await harness.advance(HOUR_MS)
    await now(harness)
    assert harness.pushes() == before
    await regain(harness)
    for _ in range(8):
        await harness.advance(1_000)
    assert harness.pushes() == before + 1


async def test_a_crash_during_an_outage_loses_nothing_of_it(harness: BotHarness, cause: str):
    lose, _ = CAUSES[cause]
    due, began = await begin(harness, "rope-wall", 60), harness.clock.now()
    await harness.advance(10_000)
    await lose(harness)
    await harness.advance(HOUR_MS)
    await harness.kill()
    harness.sandbox.open_gateway()
    harness.clock.advance(HOUR_MS)
    await harness.start()
    await harness.advance(5_000)
    assert await harness.client.inbound.finder.find(1) is not None
    after = await now(harness)
    assert harness.pushes() == 0 and after.earliest is not None
    assert 0 <= harness.clock.now() - began - (after.earliest - due) <= 25_000


async def test_the_table_says_why_its_clocks_have_stopped_and_what_they_were_extended_by(harness: BotHarness):
    await begin(harness, "rope-wall", 60)
    await lose_gateway(harness)
    assert "I've lost my connection to Discord. All clocks are stopped." in harness.public()
    await harness.advance(HOUR_MS)
    await regain_gateway(harness)
    await now(harness)
    assert "lost my connection to Discord for 1 hour" in harness.public()
    assert "All clocks are stopped" not in harness.public()


async def test_after_a_start_clocks_count_from_when_people_can_press_again_not_from_the_start(harness: BotHarness):
    due = await begin(harness, "rope-wall", 60)
    await harness.stop()
    harness.clock.advance(10 * MINUTE_MS)
    harness.sandbox.refuse_gateway()
    calls = len(harness.sandbox.calls)
    starting = asyncio.create_task(harness.start())
    await harness.sandbox.until(lambda: any(call.template == "/gateway/bot" for call in harness.sandbox.calls[calls:]))
    for _ in range(30):
        harness.clock.advance(10_000)  # the process runs, and beats
        await asyncio.sleep(0.01)
    harness.sandbox.open_gateway()
    await starting
    after = await now(harness)
    assert after.earliest is not None and after.earliest - due == 15 * MINUTE_MS and harness.pushes() == 0


async def test_nothing_is_written_in_an_outage_about_a_sleeping_table_without_a_clock(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.restart()
    assert 1 not in harness.client.tables.registry.present
    before = await harness.client.store.tables.get(1)
    await lose_gateway(harness)
    assert await harness.client.store.tables.get(1) == before
    await regain_gateway(harness)
    assert 1 not in harness.client.tables.registry.present
