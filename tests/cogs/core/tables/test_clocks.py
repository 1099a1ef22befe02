"""Nobody holds up a game: the turn clock, the default move, the caretaker, and the return of the player."""

import pytest

from cogs.core.ops.timers import MS, DiscordClock
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness


async def test_a_turn_that_runs_out_plays_a_safe_move_and_passes(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    slow = harness.awaited()
    await harness.advance(61_000)
    assert harness.awaited() is not slow and harness.pushes() == 1
    assert "pushed" in harness.public()


async def test_a_move_in_time_stops_the_clock(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    await harness.advance(50_000)
    await harness.push()
    await harness.advance(50_000)
    assert harness.pushes() == 1


async def test_the_countdown_is_on_the_table_message(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    due = harness.snapshot().info().due
    assert f"<t:{due // 1_000}:R>" in harness.public()


@pytest.mark.parametrize(("clock", "before"), [(0, None), (30, 10), (60, 20), (300, 60)])
async def test_a_turn_is_nudged_a_third_of_its_clock_before_the_end_and_at_most_a_minute(
    harness: BotHarness, clock: int, before: int | None
):
    await harness.two_at_the_wall(clock=clock)
    tables = harness.client.tables
    due = harness.snapshot().earliest
    nudge = harness.client.publishing.publisher.timers.nudge.due(1)
    assert nudge == (None if due is None or before is None else due - 1_000 * before)
    await harness.resign(harness.awaited())
    await harness.settle()
    assert (
        harness.client.publishing.publisher.timers.nudge.due(1) is None and tables.clocks.deadline_timer.due(1) is None
    )


async def test_only_timers_that_call_discord_have_slots_of_their_own(harness: BotHarness):
    calling = {timer.name for timer in harness.client.tables.scheduler.timers if timer.calls_discord}
    assert calling == {"mention", "nudge", "unloading"}


async def test_after_two_lapses_in_a_row_a_computer_plays_on_and_one_button_brings_the_player_back(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    slow = harness.awaited()
    await harness.advance(61_000)
    await harness.push()
    await harness.advance(61_000)
    assert "A computer is playing for" in harness.public() and slow.name in harness.public()
    await harness.push()
    await harness.advance(5_000)  # the caretaker thinks, and moves
    assert harness.awaited() is not slow and harness.pushes() == 5
    assert "You're already back" in (await harness.press(harness.awaited(), "I'm back")).text
    await harness.press(slow, "I'm back")
    assert "A computer is playing for" not in harness.public()
    await harness.push()
    await harness.advance(5_000)
    assert harness.awaited() is slow


async def test_a_move_between_lapses_keeps_the_seat(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    slow = harness.awaited()
    await harness.advance(61_000)
    await harness.push()
    await harness.push()  # slow moves in time
    await harness.push()
    await harness.advance(61_000)
    assert "A computer is playing for" not in harness.public()
    assert harness.awaited() is not slow


async def test_a_player_confirms_leaving_is_replaced_and_may_come_back_by_moving(harness: BotHarness):
    await harness.two_at_the_wall()
    leaver = harness.awaited()
    more = await harness.press(leaver, "More …")
    (leave,) = harness.controls("leave", more)
    asked = await leaver.press(more, leave)
    assert "Leave the game?" in asked.text and asked.message["flags"] & 64
    await harness.press(leaver, "Leave the game", asked)
    await harness.advance(5_000)
    assert harness.awaited() is not leaver and harness.pushes() == 1
    await leaver.forge(harness.board(), leave)
    await harness.settle()
    own = UserClient.visible_text(leaver.ephemerals(harness.yard)[0])
    assert "already left" in own and own.count("computer is playing for you") == 1
    await harness.push()
    await harness.settle()
    moved = await leaver.command(harness.yard, "rope-wall push", floor=1, side="left")
    await harness.settle()
    assert "went wrong" not in moved.text
    assert "A computer is playing for" not in harness.public()


async def test_the_question_whether_to_leave_can_be_cancelled(harness: BotHarness):
    await harness.two_at_the_wall()
    who = harness.awaited()
    asked = await harness.press(who, "Leave")
    back = await who.press(asked, label="◀ Back to the game")
    assert "Leave the game?" not in back.text and "A computer is playing for" not in harness.public()
    assert harness.controls("push", back)


async def test_only_who_is_away_finds_i_am_back_on_their_private_page(harness: BotHarness):
    await harness.two_at_the_wall()
    leaver, stayed = harness.awaited(), harness.idle()
    await harness.leave(leaver)
    await harness.advance(5_000)
    assert harness.controls("back") and not harness.controls("back", await harness.press(stayed, "Play"))
    assert harness.controls("back", await harness.press(leaver, "Play"))


async def test_no_clock_waits_for_ever(harness: BotHarness):
    await harness.two_at_the_wall(clock=0)
    await harness.advance(8 * 60_000)
    assert harness.pushes() == 0 and harness.snapshot().earliest is None


async def test_computer_players_answer_after_a_humane_pause(harness: BotHarness):
    await harness.against_a_computer()
    before = harness.pushes()
    await harness.advance(500)
    assert harness.pushes() == before
    await harness.advance(3_000)
    assert harness.pushes() == before + 1


async def test_a_deleted_channel_closes_its_tables(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    elsewhere = harness.sandbox.add_channel(harness.guild, "mess-hall")
    harness.sandbox.remove_channel(harness.yard)
    await harness.sandbox.until(lambda: harness.snapshot().row.status == "closed")
    await harness.advance(120_000)
    listed = await harness.ann.command(elsewhere, "tables")
    assert "no open tables" in listed.text


async def test_the_dates_of_discords_answers_and_every_kind_of_interaction_and_message_set_the_clock(
    harness: BotHarness,
):
    def ahead() -> DiscordClock:
        """Return a machine's clock that is an hour ahead."""
        return DiscordClock(lambda: (harness.clock.now() + 3_600_000) * MS, lambda: harness.clock.now() * MS)

    harness.client.clock = clock = harness.client.publishing.rest_errors._clock = ahead()
    harness.client.publishing.rest_errors._date = None  # one that has been read brings nothing new
    await harness.client.fetch_channel(int(harness.yard.id))
    assert -1_000 < clock.now() - harness.clock.now() <= 0  # a date has whole seconds
    for act in (
        lambda: harness.ann.say(harness.yard, "hello"),
        lambda: harness.ann.command(harness.yard, "help"),
        lambda: harness.ann.choices(harness.yard, "rope-wall push", focus="floor", floor=""),
    ):
        harness.client.clock = clock = ahead()
        await act()
        await harness.ann.until(lambda: clock._delays)  # noqa: B023 (asked within this round)
        assert clock.now() == harness.clock.now()
