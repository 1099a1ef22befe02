"""While the bot may not write in a table's channel, the table is paused for at most a day, and nobody can move."""

from collections.abc import Awaitable, Callable

import pytest

from cogs.core.app.conditions import PROBE_CHANNEL_MS
from cogs.core.tables import moves
from cogs.core.tables.clocks import next_due
from cogs.core.tables.snapshot import BLOCKED_CLOSES_MS, BLOCKED_FOR_MS, TableSnapshot
from engine.contract import Moment
from sandbox import Channel
from tools.harness.bot_harness import BotHarness

MINUTE_MS, HOUR_MS, DAY_MS = 60_000, 3_600_000, 86_400_000
GAMES = ("rope-wall", "break-out", "prison-break", "ausbrecher", "match-five")


async def now(harness: BotHarness) -> TableSnapshot:
    """Return the table, which may have been unloaded."""
    await harness.settle()
    found = await harness.client.inbound.finder.find(1)
    assert found is not None
    await harness.settle()
    return found.table.snapshot


async def paused(harness: BotHarness, paused: bool) -> TableSnapshot:
    """Wait until the table is paused, or not, and return it."""
    await harness.sandbox.until(lambda: True)
    for _ in range(40):
        await harness.advance(25)
        if (await now(harness)).paused == paused:
            break
    table = await now(harness)
    assert table.paused == paused
    return table


async def time_out(harness: BotHarness, channel: Channel) -> None:
    harness.sandbox.time_out_bot(harness.guild, 28 * 86_400_000)


async def end_timeout(harness: BotHarness, channel: Channel) -> None:
    harness.sandbox.time_out_bot(harness.guild, 0)


async def deny(harness: BotHarness, channel: Channel) -> None:
    harness.sandbox.deny(channel, "send_messages")


async def allow(harness: BotHarness, channel: Channel) -> None:
    harness.sandbox.allow(channel, "send_messages")


async def lock(harness: BotHarness, channel: Channel) -> None:
    harness.sandbox.lock(channel)


async def unlock(harness: BotHarness, channel: Channel) -> None:
    harness.sandbox.lock(channel, locked=False)


Work = Callable[[BotHarness, Channel], Awaitable[None]]

CAUSES: dict[str, tuple[Work, Work, str]] = {
    "timeout": (time_out, end_timeout, "A moderator timed me out"),
    "permissions": (deny, allow, "can no longer post in this channel"),
    "locked": (lock, unlock, "This thread is locked"),
}


@pytest.fixture(params=CAUSES)
def cause(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


async def begin(harness: BotHarness, cause: str, game: str = "rope-wall", clock: int = 60) -> Channel:
    """Start a rated game of two, optionally in a thread that can be locked."""
    if cause == "locked":
        harness.yard = harness.sandbox.add_thread(harness.yard, "night")
        await harness.sandbox.until(lambda: harness.client.get_channel(int(harness.yard.id)))
    await harness.begin(game, harness.ben, clock=clock)
    return harness.yard


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("away_ms", [5 * MINUTE_MS, 5 * HOUR_MS])
async def test_a_closed_channel_costs_nobody_time_and_no_ranked_game(
    harness: BotHarness, cause: str, game: str, away_ms: int
):
    close, reopen, _ = CAUSES[cause]
    channel = await begin(harness, cause, game)
    due, began = (await now(harness)).earliest, harness.clock.now()
    await close(harness, channel)
    table = await paused(harness, True)
    assert table.row.paused_by == cause and table.blocked and due is not None
    await harness.advance(away_ms)
    assert (await now(harness)).version == table.version
    await reopen(harness, channel)
    after = await paused(harness, False)
    assert after.earliest is not None and all(seat.lapses == 0 for seat in after.seats)
    assert 0 <= harness.clock.now() - began - (after.earliest - due) <= 2_000
    assert after.row.blocked_at is None and abs(after.row.blocked_ms - away_ms) < 3_000


async def test_nobody_moves_meanwhile_and_a_press_is_refused_with_the_reason(harness: BotHarness, cause: str):
    close, _, words = CAUSES[cause]
    channel = await begin(harness, cause)
    board, push, mover = harness.board(), harness.controls("push")[0], harness.awaited()
    await close(harness, channel)
    version = (await paused(harness, True)).version
    refused = await mover.press(board, push)
    await harness.settle()
    assert words in refused.text or any(words in mover.visible_text(page) for page in mover.ephemerals(channel))
    assert (await now(harness)).version == version


async def test_computers_do_not_move_in_a_closed_channel(harness: BotHarness):
    await harness.against_a_computer(clock=300)
    before = harness.pushes()
    harness.sandbox.time_out_bot(harness.guild, HOUR_MS)
    await paused(harness, True)
    await harness.advance(50 * MINUTE_MS)
    assert (await now(harness)).blocked and harness.pushes() == before
    for _ in range(20):
        await harness.advance(MINUTE_MS)
    await now(harness)
    assert harness.pushes() > before  # the end of a timeout sends no event


async def test_a_manager_who_plays_gains_a_day_at_most_however_often_they_close_the_channel(
    harness: BotHarness, cause: str
):
    close, reopen, _ = CAUSES[cause]
    channel = await begin(harness, cause)
    await close(harness, channel)
    await paused(harness, True)
    await harness.advance(20 * HOUR_MS)
    await reopen(harness, channel)
    await paused(harness, False)
    await close(harness, channel)
    table = await paused(harness, True)
    assert table.row.blocked_at is not None
    assert next_due(table) == table.row.blocked_at + DAY_MS - table.row.blocked_ms
    await harness.advance(3 * HOUR_MS)
    table = await now(harness)
    assert table.blocked and table.version == 2  # its beginning, and the extension of its clocks
    await harness.advance(HOUR_MS + MINUTE_MS)
    table = await paused(harness, False)
    assert table.row.blocked_ms == BLOCKED_FOR_MS and table.row.blocked_at is not None
    await harness.advance(61_000)
    assert any(seat.lapses for seat in (await now(harness)).seats)  # the clocks run, although the channel is closed
    await reopen(harness, channel)
    await harness.advance(1_000)
    await close(harness, channel)
    await harness.advance(1_000)
    assert not (await now(harness)).paused


async def test_after_a_week_a_table_in_a_closed_channel_ends_with_the_places_that_are_certain(harness: BotHarness):
    await harness.ann.command(harness.yard, "break-out start", clock=0)
    for guest in (harness.ben, harness.cleo):
        await harness.press(guest, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    await harness.leave(harness.cleo)
    await harness.settle()
    harness.sandbox.deny(harness.yard, "send_messages")
    await paused(harness, True)
    await harness.advance(BLOCKED_CLOSES_MS - HOUR_MS)
    assert (await now(harness)).playing
    await harness.advance(2 * HOUR_MS)
    assert (await now(harness)).row.status == "closed"
    results = await harness.client.store.games.results(1)
    assert [result.place for result in results if result.user == int(harness.cleo.id)] == [3]


async def time_out_untold(harness: BotHarness, channel: Channel) -> None:
    """Time the bot out without an event; Discord refuses its next call."""
    harness.sandbox.time_out_bot(harness.guild, 28 * 86_400_000, announced=False)
    harness.messages().message.invalidate()


async def end_timeout_untold(harness: BotHarness, channel: Channel) -> None:
    """End the timeout without an event; a probe finds out."""
    harness.sandbox.time_out_bot(harness.guild, 0, announced=False)
    await harness.advance(PROBE_CHANNEL_MS[1])


CLOSED_BY: dict[str, tuple[Work, Work]] = {
    **{name: (close, reopen) for name, (close, reopen, _) in CAUSES.items()},
    "refusals": (time_out_untold, end_timeout_untold),
}

every_closure = pytest.mark.parametrize("closure", CLOSED_BY)


async def close_channel(harness: BotHarness, closure: str) -> tuple[Channel, Moment]:
    """Start a game without a clock, and close its channel. Return when it was closed."""
    channel = await begin(harness, closure, clock=0)
    await harness.without_tokens()
    await CLOSED_BY[closure][0](harness, channel)
    closed_at = (await paused(harness, True)).row.blocked_at
    assert closed_at is not None
    return channel, closed_at


async def advance_to(harness: BotHarness, at: int) -> None:
    await harness.advance(at - harness.clock.now())
    await harness.advance(0)


@every_closure
async def test_a_table_closes_at_the_end_of_the_seventh_day_in_a_closed_channel_and_not_before(
    harness: BotHarness, closure: str
):
    _, closed_at = await close_channel(harness, closure)
    for day in range(1, 7):
        await advance_to(harness, closed_at + day * DAY_MS)
        assert (await now(harness)).playing
    await advance_to(harness, closed_at + 7 * DAY_MS - 1)
    table = await now(harness)
    assert table.playing and table.row.blocked_at == closed_at
    await advance_to(harness, closed_at + 7 * DAY_MS)
    table = await now(harness)
    assert table.row.status == "closed" and "couldn't post here for 7 days" in (table.notice or "")


@every_closure
async def test_a_channel_that_is_open_for_a_moment_has_another_week(harness: BotHarness, closure: str):
    close, reopen = CLOSED_BY[closure]
    channel, closed_at = await close_channel(harness, closure)
    await advance_to(harness, closed_at + 7 * DAY_MS - HOUR_MS)
    await reopen(harness, channel)
    await harness.advance(MINUTE_MS)
    assert (await now(harness)).row.blocked_at is None
    await close(harness, channel)
    await harness.advance(MINUTE_MS)
    closed_again_at = (await now(harness)).row.blocked_at
    assert closed_again_at is not None and closed_again_at > closed_at + 6 * DAY_MS
    await advance_to(harness, closed_again_at + 7 * DAY_MS - 1)
    assert (await now(harness)).playing
    await advance_to(harness, closed_again_at + 7 * DAY_MS)
    assert (await now(harness)).row.status == "closed"


@pytest.mark.parametrize("late_ms", [-1_000, 1_000])
@pytest.mark.parametrize("closure", CAUSES)  # a refusal is not known after a restart
async def test_the_week_in_a_closed_channel_goes_on_while_the_bot_is_away(
    harness: BotHarness, closure: str, late_ms: int
):
    _, closed_at = await close_channel(harness, closure)
    await harness.stop()
    harness.clock.advance(closed_at + 7 * DAY_MS + late_ms - harness.clock.now())
    await harness.start()
    table = await now(harness)
    assert table.playing == (late_ms < 0)
    assert table.row.blocked_at == closed_at


@pytest.mark.parametrize("after_ms", [3 * HOUR_MS, 3 * DAY_MS], ids=["paused", "not paused any more"])
@pytest.mark.parametrize("seen", [True, False])
async def test_another_reason_why_a_channel_is_closed_is_not_another_week(
    harness: BotHarness, after_ms: int, seen: bool
):
    channel, closed_at = await close_channel(harness, "permissions")
    await advance_to(harness, closed_at + after_ms)
    if not seen:
        await harness.stop()
    await time_out(harness, channel)
    await allow(harness, channel)
    if not seen:
        harness.clock.advance(MINUTE_MS)
        await harness.start()
    await harness.advance(MINUTE_MS)
    await advance_to(harness, closed_at + 7 * DAY_MS - 1)
    assert (await now(harness)).playing
    await advance_to(harness, closed_at + 7 * DAY_MS)
    assert (await now(harness)).row.status == "closed"


async def test_an_outage_while_the_channel_is_closed_ends_neither_pause_too_early(harness: BotHarness):
    channel = await begin(harness, "timeout")
    await time_out(harness, channel)
    await paused(harness, True)
    harness.sandbox.refuse_gateway()
    await harness.sandbox.disconnect()
    await harness.sandbox.until(lambda: harness.client.connections.lost)
    await harness.advance(HOUR_MS)
    await harness.advance(5_000)
    harness.sandbox.open_gateway()
    await harness.sandbox.until(lambda: not harness.client.connections.lost)
    await harness.settle()
    assert (await now(harness)).blocked
    await end_timeout(harness, channel)
    assert not (await paused(harness, False)).blocked


async def test_an_unannounced_timeout_is_detected_by_a_refusal_and_counts_from_the_last_call(
    harness: BotHarness,
):
    await begin(harness, "timeout", clock=3_600)
    table = harness.messages().table
    async with table.unasked_call():
        pass  # the last call of the bot's own that succeeded
    proved, due = harness.clock.now(), table.snapshot.earliest
    assert due is not None
    await harness.advance(30_000)
    harness.sandbox.time_out_bot(harness.guild, 10 * MINUTE_MS, announced=False)
    await harness.push()
    for _ in range(10):
        await harness.advance(5_000)  # a mention is refused
    assert (await now(harness)).row.paused_by == "permissions"
    for _ in range(30):
        await harness.advance(MINUTE_MS)
    after = await now(harness)
    assert not after.paused and proved < harness.clock.now() and moves.blocked_ms(after, harness.clock.now()) > 0


async def test_time_in_which_the_bot_did_not_run_is_given_back_although_its_channel_was_closed_meanwhile(
    harness: BotHarness, cause: str
):
    close, reopen, _ = CAUSES[cause]
    channel = await begin(harness, cause)
    await harness.advance(20_000)
    await harness.stop()
    await close(harness, channel)
    harness.clock.advance(10 * MINUTE_MS)
    await harness.start()
    await paused(harness, True)
    await harness.advance(HOUR_MS)
    await reopen(harness, channel)
    after = await paused(harness, False)
    assert after.earliest is not None and 37_000 <= after.earliest - harness.clock.now() <= 40_000


async def test_a_timeout_stops_no_table_of_a_bot_that_is_an_administrator(harness: BotHarness):
    await begin(harness, "timeout")
    harness.sandbox.give_role(harness.guild, harness.sandbox.add_role(harness.guild, "Hosts", "ADMINISTRATOR"))
    await time_out(harness, harness.yard)
    for _ in range(40):
        await harness.advance(25)
    assert not (await now(harness)).paused
    await harness.push()
    await harness.settle()
    assert harness.pushes() == 1 and await harness.shows_latest()


async def test_somebody_who_presses_as_a_channel_is_probed_causes_no_error(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    channel, _ = await close_channel(harness, "refusals")
    conditions, probes = harness.client.conditions, harness.client.conditions._probe_timer
    probe = probes.run

    async def pressed_first(number: int) -> None:
        conditions.obstacle(int(harness.guild.id), number)
        await probe(number)

    monkeypatch.setattr(probes, "run", pressed_first)
    await end_timeout_untold(harness, channel)
    for _ in range(10):
        await harness.advance(PROBE_CHANNEL_MS[1])
    assert not (await now(harness)).paused and probes.due(int(channel.id)) is None
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
