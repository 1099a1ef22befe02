"""`/table`: joining, leaving and starting by commands alone."""

from sandbox import UserClient
from tests.cogs.core.tables.test_hosts import lobby, now
from tools.harness.bot_harness import BotHarness


async def test_a_game_is_gathered_and_begun_by_commands_alone(harness: BotHarness):
    await harness.ben.command(harness.yard, "rope-wall start")
    joined = await harness.cleo.command(harness.yard, "table join")
    assert "You have a seat here" in joined.text and joined.message["flags"] & 64
    assert "Only" in (await harness.cleo.command(harness.yard, "table start")).text
    await harness.ben.command(harness.yard, "table start")
    await harness.settle()
    assert (await now(harness)).playing


async def test_a_seat_is_given_up_by_a_command_and_in_a_game_after_a_question(harness: BotHarness):
    await lobby(harness, clock=0)
    assert "You left table 1" in (await harness.cleo.command(harness.yard, "table leave")).text
    await harness.cleo.command(harness.yard, "table join", table=1)
    await harness.ben.command(harness.yard, "table start", table=1)
    asked = await harness.cleo.command(harness.yard, "table leave")
    assert "Leave" in [part.get("label") for part in UserClient.buttons(asked)] or "leave" in asked.text.lower()
    assert not (await now(harness)).seats[1].caretaker


async def test_the_table_that_is_meant_is_found_anywhere_or_asked_for(harness: BotHarness):
    court = harness.sandbox.add_channel(harness.guild, "court")
    assert "No table in this channel is waiting" in (await harness.cleo.command(harness.yard, "table join")).text
    assert "You have no open table" in (await harness.cleo.command(harness.yard, "table leave")).text
    for _ in range(2):
        await harness.ben.command(court, "rope-wall start")
        await harness.settle()
    told = await harness.cleo.command(court, "table join")
    assert "[table 1](" in told.text and "[table 2](" in told.text and "one with `table`" in told.text
    joined = await harness.cleo.command(harness.yard, "table join", table=2)
    assert f"<#{court.id}>" in joined.text
    assert [one["value"] for one in await harness.cleo.choices(harness.yard, "table leave", focus="table")] == [2]
    assert {one["value"] for one in await harness.cleo.choices(harness.yard, "table join", focus="table")} == {1, 2}
    assert "left table 2" in (await harness.cleo.command(harness.yard, "table leave")).text


async def test_a_table_in_a_hidden_channel_is_neither_offered_nor_joined(harness: BotHarness):
    cellar = harness.sandbox.add_channel(harness.guild, "cellar")
    await harness.ben.command(cellar, "rope-wall start")
    harness.sandbox.deny(cellar, "VIEW_CHANNEL", who=harness.cleo)
    assert await harness.cleo.choices(harness.yard, "table join", focus="table") == []
    assert "no table 1" in (await harness.cleo.command(harness.yard, "table join", table=1)).text
    assert "no table 9" in (await harness.cleo.command(harness.yard, "table join", table=9)).text


async def test_a_removed_player_cannot_return_by_a_command(harness: BotHarness):
    await lobby(harness)
    await harness.ben.forge(harness.board(), "cb:1:0:send-out:", [harness.cleo.id], 3)
    assert "You were kicked" in (await harness.cleo.command(harness.yard, "table join")).text
