"""A restart loses nothing: tables go on where they were, clocks are extended, old buttons work."""

from engine.contract import Seat
from tools.harness.bot_harness import House


async def test_after_every_move_of_a_game_a_restart_goes_on_where_it_was(house: House):
    await house.two_at_the_wall()
    for number in range(12):
        mover, shown = house.awaited(), house.board()
        push = house.controls("push")[number % 3]
        seen = [house.session().table.snapshot.view(seat) for seat in (None, Seat(0), Seat(1))]
        await house.restart()
        table = (await house.client.tables.find(1)).table
        assert [table.snapshot.view(seat) for seat in (None, Seat(0), Seat(1))] == seen
        await mover.press(shown, push)  # the very button from before
        await house.settle()
        assert house.pushes() == number + 1


async def test_running_clocks_are_extended_by_the_time_away_and_the_players_are_told(house: House):
    await house.two_at_the_wall(clock=60)
    due = house.session().table.snapshot.info().due
    await house.turn(10_000)
    await house.restart(away_ms=600_000)
    await house.press(house.ann, "What can I do?")  # wakes the table
    await house.settle()
    extended = house.session().table.snapshot.info().due
    assert 590_000 <= extended - due <= 615_000
    assert "away for 10 minutes" in house.public()
    await house.turn(20_000)
    assert house.pushes() == 0
    await house.turn(40_000)
    assert house.pushes() == 1
    assert "away for" in house.public()


async def test_a_clock_that_runs_out_after_a_restart_needs_no_click_to_wake_the_table(house: House):
    await house.two_at_the_wall(clock=60)
    await house.restart(away_ms=3_600_000)
    await house.turn(65_000)
    assert house.pushes() == 1


async def test_a_lobby_survives_and_still_closes_by_itself(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    await house.restart(away_ms=60_000)
    await house.press(house.ben, "Join")
    assert "Ben" in house.public()
    await house.restart()
    await house.turn(16 * 60_000)
    assert "closed" in house.public()


async def test_a_computer_that_was_thinking_moves_after_the_restart(house: House):
    await house.against_a_computer(clock=300)
    before = house.pushes()
    await house.restart()
    await house.turn(1_000)  # the table is read, and the computer asked
    await house.turn(5_000)
    assert house.pushes() == before + 1


async def test_private_panels_from_before_a_restart_work(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    panel = await house.press(house.ann, "Options")
    menu = next(part for part in house.ann.buttons(panel) if part["type"] == 3)
    await house.settle()
    await house.restart()
    await house.ann.press(panel, menu["custom_id"], values=["300"])
    await house.settle()
    assert "5 min" in house.public()
