"""A restart loses nothing: tables continue, clocks are extended, old buttons work."""

from engine.contract import Seat
from engine.games.break_out import Caught
from tests.cogs.break_out.test_play import catch_button, others
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.break_out import say_next


async def test_after_every_move_of_a_game_a_restart_goes_on_where_it_was(harness: BotHarness):
    await harness.two_at_the_wall()
    for number in range(12):
        mover, shown = harness.awaited(), harness.board()
        push = harness.controls("push")[number % 3]
        seen = [harness.snapshot().view(seat) for seat in (None, Seat(0), Seat(1))]
        await harness.restart()
        table = (await harness.client.inbound.finder.find(1)).table
        assert [table.snapshot.view(seat) for seat in (None, Seat(0), Seat(1))] == seen
        await mover.press(shown, push)  # the very button from before
        await harness.settle()
        assert harness.pushes() == number + 1


async def test_running_clocks_are_extended_by_the_time_away_and_the_players_are_notified(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    due = harness.snapshot().info().due
    await harness.advance(10_000)
    await harness.restart(away_ms=600_000)
    await harness.press(harness.ann, "What can I do?")  # wakes the table
    await harness.settle()
    extended = harness.snapshot().info().due
    assert 590_000 <= extended - due <= 615_000
    assert "offline for 10 minutes" in harness.public()
    await harness.advance(20_000)
    assert harness.pushes() == 0
    await harness.advance(40_000)
    assert harness.pushes() == 1
    assert "offline for" in harness.public()


async def test_after_a_crash_clocks_count_from_the_last_move_although_the_bot_was_heard_of_before_it(
    harness: BotHarness,
):
    await harness.two_at_the_wall(clock=60)
    await harness.advance(9_000)  # nothing was noted of the run since its beginning
    await harness.push()
    await harness.settle()
    await harness.kill()
    harness.clock.advance(600_000)
    await harness.start()
    found = await harness.client.inbound.finder.find(1)
    assert found is not None
    due = found.table.snapshot.earliest
    assert due is not None and due - harness.clock.now() == 60_000


async def test_after_a_crash_a_later_call_is_not_taken_for_an_earlier_one(harness: BotHarness):
    await harness.begin("break-out", harness.ben, harness.cleo, clock=60)
    await say_next(harness)
    first, second = others(harness)  # of two simultaneous calls, the first one's is the right one
    seat = harness.snapshot().seat_of(int(first.id))
    await catch_button(harness, first, "DRAW!")
    await harness.settle()
    await harness.kill()
    harness.clock.advance(10_000)
    await harness.start()
    await harness.client.inbound.finder.find(1)
    await harness.advance(1_000)
    await catch_button(harness, second, "DRAW!")
    await harness.settle()
    for _ in range(5):
        await harness.advance(1_000)
    (caught,) = [event for event in await harness.events() if isinstance(event, Caught)]
    assert caught.catcher == seat


async def test_a_clock_that_runs_out_after_a_restart_needs_no_click_to_load_the_table(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    await harness.restart(away_ms=3_600_000)
    await harness.advance(65_000)
    assert harness.pushes() == 1


async def test_a_lobby_survives_and_still_closes_by_itself(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    await harness.restart(away_ms=60_000)
    await harness.press(harness.ben, "Join")
    assert "Ben" in harness.public()
    await harness.restart()
    await harness.advance(16 * 60_000)
    assert "closed" in harness.public()


async def test_a_computer_that_was_thinking_moves_after_the_restart(harness: BotHarness):
    await harness.against_a_computer(clock=300)
    before = harness.pushes()
    await harness.restart()
    await harness.advance(1_000)  # the table is read, and the computer asked
    await harness.advance(5_000)
    assert harness.pushes() == before + 1


async def test_private_panels_from_before_a_restart_work(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    panel = await harness.press(harness.ann, "Options")
    menu = next(part for part in harness.ann.buttons(panel) if part["type"] == 3)
    await harness.settle()
    await harness.restart()
    await harness.ann.press(panel, menu["custom_id"], values=["300"])
    await harness.settle()
    assert "5 min" in harness.public()
