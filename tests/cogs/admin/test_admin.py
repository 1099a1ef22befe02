"""`/admin`: who may end and repair tables, that it is said openly, and that no secret is shown."""

import sqlite3
from contextlib import closing

import pytest

from cogs.core.tables.snapshot import BEFORE_THE_GAME
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness


async def test_a_moderator_ends_a_table_openly(harness: BotHarness, max_: UserClient):
    await harness.two_at_the_wall()
    answer = await max_.command(harness.yard, "admin end", table=1)
    assert answer.text == "**Max** ended table 1." and not answer.message["flags"] & 64
    await harness.settle()
    assert "closed" in harness.public() and "Max" in harness.public() and not UserClient.buttons(harness.board())
    assert harness.client.tables.clocks.deadline_timer.due(1) is None
    again = await max_.command(harness.yard, "admin end", table=1)
    assert "has ended already" in again.text and again.message["flags"] & 64


@pytest.mark.parametrize("command", ["admin end", "admin repair"])
async def test_ordinary_members_are_refused_and_nothing_happens(harness: BotHarness, command: str):
    await harness.two_at_the_wall()
    answer = await harness.ben.command(harness.yard, command, table=1)
    assert "Manage Messages" in answer.text and answer.message["flags"] & 64
    assert harness.session().table.snapshot.playing


async def test_who_opened_a_table_may_end_it_where_the_server_says_so(harness: BotHarness, mona: UserClient):
    await harness.ben.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    assert "Moderators end tables" in (await harness.ben.command(harness.yard, "admin end", table=1)).text
    await mona.command(harness.yard, "settings enders", who="openers")
    assert "You are neither" in (await harness.cleo.command(harness.yard, "admin end", table=1)).text
    assert "Manage Messages" in (await harness.ben.command(harness.yard, "admin repair", table=1)).text
    assert "ended table 1" in (await harness.ben.command(harness.yard, "admin end", table=1)).text


async def test_tables_of_another_server_are_out_of_reach(harness: BotHarness, max_: UserClient):
    await harness.two_at_the_wall()
    island = harness.sandbox.add_guild("Devil's Island")
    beach = harness.sandbox.add_channel(island, "beach")
    harness.sandbox.join(max_, island, administrator=True)
    await harness.sandbox.until(lambda: harness.client.get_guild(int(island.id)))
    for command in ("admin end", "admin repair"):
        assert "no table 1" in (await max_.command(beach, command, table=1)).text
    assert await max_.choices(beach, "admin end", focus="table") == []
    assert harness.session().table.snapshot.playing


async def test_a_table_of_another_channel_is_ended_where_its_players_read_it(harness: BotHarness, max_: UserClient):
    cellar = harness.sandbox.add_channel(harness.guild, "cellar")
    await harness.two_at_the_wall()
    answer = await max_.command(cellar, "admin end", table=1)
    assert answer.message["flags"] & 64
    await harness.settle()
    assert "**Max** ended table 1." in [message["content"] for message in harness.sandbox.messages(harness.yard)]
    assert [notice for notice in harness.ben.notices if notice["kind"] == "mention"] == []


async def test_a_repaired_table_is_posted_anew_and_goes_on(harness: BotHarness, max_: UserClient):
    await harness.two_at_the_wall()
    before, version = harness.board(), harness.session().table.snapshot.version
    table = harness.session().table
    table.snapshot = table.snapshot.after(
        table.snapshot.row, position=BEFORE_THE_GAME
    )  # something went wrong in memory
    answer = await max_.command(harness.yard, "admin repair", table=1)
    assert "**Max** repaired table 1" in answer.text
    await harness.settle()
    assert harness.board()["id"] != before["id"] and "to push" in harness.public()
    assert harness.session().table.snapshot.version == version
    await harness.push()
    assert harness.pushes() == 1


async def test_a_repaired_table_asks_its_computer_players_again(harness: BotHarness, max_: UserClient):
    await harness.ben.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    await harness.settle()
    session = harness.session()
    if session.table.snapshot.view(None).to_act[0] == session.table.snapshot.seat_of(int(harness.ben.id)):
        await harness.ben.press(harness.board(), harness.controls("push")[0])
        await harness.settle()
    harness.computers().forget()  # the computer's move got lost
    harness.client.tables.bots.timer.set(1, None)
    await max_.command(harness.yard, "admin repair", table=1)
    await harness.advance(30_000)
    assert harness.awaited() is harness.ben


async def test_a_table_whose_record_cannot_be_read_can_still_be_ended(harness: BotHarness, max_: UserClient):
    await harness.two_at_the_wall()
    await harness.stop()
    _spoil(harness)
    await harness.start()
    assert "cannot be read" in (await max_.command(harness.yard, "admin repair", table=1)).text
    assert "ended table 1" in (await max_.command(harness.yard, "admin end", table=1)).text
    row = await harness.client.store.tables.get(1)
    assert row is not None and row.status == "closed"


def _spoil(harness: BotHarness) -> None:
    with closing(sqlite3.connect(harness.database)) as db, db:
        db.execute("""UPDATE events SET body = '{"event":"unheard-of"}' WHERE number = 0""")


async def test_ending_a_table_shows_nobodys_secrets(harness: BotHarness, max_: UserClient):
    await harness.begin("prison-break", harness.ben)
    seed = harness.session().table.snapshot.row.seed
    assert seed is not None
    answer = await max_.command(harness.yard, "admin end", table=1)
    await harness.settle()
    assert seed.hex() not in harness.public() + answer.text
    assert "no" in (await max_.command(harness.yard, "admin end", table=77)).text


async def test_open_tables_are_suggested_with_their_games(harness: BotHarness, max_: UserClient):
    await harness.two_at_the_wall()
    await harness.ann.command(harness.yard, "prison-break start")
    offered = await max_.choices(harness.yard, "admin end", focus="table")
    assert [choice["value"] for choice in offered] == [2, 1]
    assert "Prison Break" in offered[0]["name"]
