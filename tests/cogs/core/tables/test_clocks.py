"""Nobody is held up: the turn clock, the default move, the caretaker, and the way back."""

import pytest

from cogs.core.ops.timers import MS, DiscordClock
from sandbox import UserClient
from tools.harness.bot_harness import House


async def test_a_turn_that_runs_out_plays_a_safe_move_and_passes(house: House):
    await house.two_at_the_wall(clock=60)
    slow = house.awaited()
    await house.turn(61_000)
    assert house.awaited() is not slow and house.pushes() == 1
    assert "pushed" in house.public()


async def test_a_move_in_time_stops_the_clock(house: House):
    await house.two_at_the_wall(clock=60)
    await house.turn(50_000)
    await house.push()
    await house.turn(50_000)
    assert house.pushes() == 1


async def test_the_countdown_is_on_the_table_message(house: House):
    await house.two_at_the_wall(clock=60)
    due = house.session().table.snapshot.info().due
    assert f"<t:{due // 1_000}:R>" in house.public()


@pytest.mark.parametrize(("clock", "before"), [(0, None), (30, 10), (60, 20), (300, 60)])
async def test_a_turn_is_nudged_a_third_of_its_clock_before_the_end_and_at_most_a_minute(
    house: House, clock: int, before: int | None
):
    await house.two_at_the_wall(clock=clock)
    scheduler = house.client.tables.scheduler
    due = house.session().table.snapshot.earliest
    nudge = scheduler.due(1, "nudge")
    assert nudge == (None if due is None or before is None else due - 1_000 * before)
    await house.awaited().command(house.yard, "rope-wall resign")
    await house.settle()
    assert scheduler.due(1, "nudge") is None and scheduler.due(1, "deadline") is None


async def test_after_two_lapses_in_a_row_a_computer_plays_on_and_one_button_brings_the_player_back(house: House):
    await house.two_at_the_wall(clock=60)
    slow = house.awaited()
    await house.turn(61_000)
    await house.push()
    await house.turn(61_000)
    assert "A computer plays for" in house.public() and slow.name in house.public()
    await house.push()
    await house.turn(5_000)  # the caretaker thinks, and moves
    assert house.awaited() is not slow and house.pushes() == 5
    assert "nobody plays for you" in (await house.press(house.awaited(), "I am back")).text
    await house.press(slow, "I am back")
    assert "A computer plays for" not in house.public()
    await house.push()
    await house.turn(5_000)
    assert house.awaited() is slow


async def test_a_move_between_lapses_keeps_the_seat(house: House):
    await house.two_at_the_wall(clock=60)
    slow = house.awaited()
    await house.turn(61_000)
    await house.push()
    await house.push()  # slow moves in time
    await house.push()
    await house.turn(61_000)
    assert "A computer plays for" not in house.public()
    assert house.awaited() is not slow


async def test_who_leaves_is_asked_first_and_then_replaced_and_may_come_back_by_moving(house: House):
    await house.two_at_the_wall()
    leaver = house.awaited()
    more = await house.press(leaver, "More …")
    (leave,) = house.controls("leave", more)
    asked = await leaver.press(more, leave)
    assert "Leave the game?" in asked.text and asked.message["flags"] & 64
    await house.press(leaver, "Leave the game", asked)
    await house.turn(5_000)
    assert house.awaited() is not leaver and house.pushes() == 1
    await leaver.forge(house.board(), leave)
    await house.settle()
    assert "away already, and a computer plays for you" in UserClient.visible_text(leaver.ephemerals(house.yard)[0])
    await house.push()
    await house.settle()
    moved = await leaver.command(house.yard, "rope-wall push", floor=1, side="left")
    await house.settle()
    assert "went wrong" not in moved.text
    assert "A computer plays for" not in house.public()


async def test_who_is_asked_whether_to_leave_can_go_back_to_the_game(house: House):
    await house.two_at_the_wall()
    who = house.awaited()
    asked = await house.press(who, "Leave")
    back = await who.press(asked, label="◀ Back to the game")
    assert "Leave the game?" not in back.text and "A computer plays for" not in house.public()
    assert house.controls("push", back)


async def test_only_who_is_away_finds_i_am_back_in_their_cockpit(house: House):
    await house.two_at_the_wall()
    leaver, stayed = house.awaited(), house.idle()
    await house.leave(leaver)
    await house.turn(5_000)
    assert house.controls("back") and not house.controls("back", await house.press(stayed, "Play"))
    assert house.controls("back", await house.press(leaver, "Play"))


async def test_no_clock_waits_for_ever(house: House):
    await house.two_at_the_wall(clock=0)
    await house.turn(8 * 60_000)
    assert house.pushes() == 0 and house.session().table.snapshot.earliest is None


async def test_computer_players_answer_after_a_humane_pause(house: House):
    await house.against_a_computer()
    before = house.pushes()
    await house.turn(500)
    assert house.pushes() == before
    await house.turn(3_000)
    assert house.pushes() == before + 1


async def test_a_deleted_channel_closes_its_tables(house: House):
    await house.two_at_the_wall(clock=60)
    elsewhere = house.sandbox.add_channel(house.guild, "mess-hall")
    house.sandbox.remove_channel(house.yard)
    await house.sandbox.until(lambda: house.session().table.snapshot.row.status == "closed")
    await house.turn(120_000)
    listed = await house.ann.command(elsewhere, "tables")
    assert "no open tables" in listed.text


async def test_the_dates_of_discords_answers_and_every_kind_of_interaction_and_message_set_the_clock(house: House):
    def ahead() -> DiscordClock:
        """A machine's clock that is an hour ahead."""
        return DiscordClock(lambda: (house.hands.now() + 3_600_000) * MS, lambda: house.hands.now() * MS)

    house.client.clock = clock = house.client.tables.traffic._clock = ahead()
    house.client.tables.traffic._date = None  # one that was read already says nothing new
    await house.client.fetch_channel(int(house.yard.id))
    assert -1_000 < clock.now() - house.hands.now() <= 0  # a date has whole seconds
    for act in (
        lambda: house.ann.say(house.yard, "hello"),
        lambda: house.ann.command(house.yard, "help"),
        lambda: house.ann.choices(house.yard, "rope-wall push", focus="floor", floor=""),
    ):
        house.client.clock = clock = ahead()
        await act()
        await house.ann.until(lambda: clock._delays)  # noqa: B023 (asked within this round)
        assert clock.now() == house.hands.now()
