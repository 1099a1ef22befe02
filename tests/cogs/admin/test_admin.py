"""`/admin`: who may end and repair tables, that it is said openly, and that no secret is shown."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from cogs.core.tables.snapshot import BEFORE_THE_GAME
from sandbox import UserClient
from tools.harness.bot_harness import House


async def test_a_moderator_ends_a_table_openly(house: House, max_: UserClient):
    await house.two_at_the_wall()
    answer = await max_.command(house.yard, "admin end", table=1)
    assert answer.text == "**Max** ended table 1." and not answer.message["flags"] & 64
    await house.settle()
    assert "closed" in house.public() and "Max" in house.public() and not UserClient.buttons(house.board())
    assert house.client.tables.scheduler.due(1, "deadline") is None
    again = await max_.command(house.yard, "admin end", table=1)
    assert "has ended already" in again.text and again.message["flags"] & 64


@pytest.mark.parametrize("command", ["admin end", "admin repair"])
async def test_ordinary_members_are_refused_and_nothing_happens(house: House, command: str):
    await house.two_at_the_wall()
    answer = await house.ben.command(house.yard, command, table=1)
    assert "Manage Messages" in answer.text and answer.message["flags"] & 64
    assert house.session().table.snapshot.playing


async def test_who_opened_a_table_may_end_it_where_the_server_says_so(house: House, mona: UserClient):
    await house.ben.command(house.yard, "rope-wall start", computer="rookie", clock=0)
    assert "Moderators end tables" in (await house.ben.command(house.yard, "admin end", table=1)).text
    await mona.command(house.yard, "settings enders", who="openers")
    assert "You are neither" in (await house.cleo.command(house.yard, "admin end", table=1)).text
    assert "Manage Messages" in (await house.ben.command(house.yard, "admin repair", table=1)).text
    assert "ended table 1" in (await house.ben.command(house.yard, "admin end", table=1)).text


async def test_tables_of_another_server_are_out_of_reach(house: House, max_: UserClient):
    await house.two_at_the_wall()
    island = house.sandbox.add_guild("Devil's Island")
    beach = house.sandbox.add_channel(island, "beach")
    house.sandbox.join(max_, island, administrator=True)
    await house.sandbox.until(lambda: house.client.get_guild(int(island.id)))
    for command in ("admin end", "admin repair"):
        assert "no table 1" in (await max_.command(beach, command, table=1)).text
    assert await max_.choices(beach, "admin end", focus="table") == []
    assert house.session().table.snapshot.playing


async def test_a_table_of_another_channel_is_ended_where_its_players_read_it(house: House, max_: UserClient):
    cellar = house.sandbox.add_channel(house.guild, "cellar")
    await house.two_at_the_wall()
    answer = await max_.command(cellar, "admin end", table=1)
    assert answer.message["flags"] & 64
    await house.settle()
    assert "**Max** ended table 1." in [message["content"] for message in house.sandbox.messages(house.yard)]
    assert [notice for notice in house.ben.notices if notice["kind"] == "mention"] == []


async def test_a_repaired_table_is_posted_anew_and_goes_on(house: House, max_: UserClient):
    await house.two_at_the_wall()
    before, version = house.board(), house.session().table.snapshot.version
    table = house.session().table
    table.snapshot = replace(table.snapshot, position=BEFORE_THE_GAME)  # something went wrong in memory
    answer = await max_.command(house.yard, "admin repair", table=1)
    assert "**Max** repaired table 1" in answer.text
    await house.settle()
    assert house.board()["id"] != before["id"] and "to push" in house.public()
    assert house.session().table.snapshot.version == version
    await house.push()
    assert house.pushes() == 1


async def test_a_repaired_table_asks_its_computer_players_again(house: House, max_: UserClient):
    await house.ben.command(house.yard, "rope-wall start", computer="rookie", clock=0)
    await house.settle()
    session = house.session()
    if session.table.snapshot.view(None).to_act[0] == session.table.snapshot.seat_of(int(house.ben.id)):
        await house.ben.press(house.board(), house.controls("push")[0])
        await house.settle()
    house.computers().forget()  # the computer's move got lost
    house.client.tables.scheduler.set(1, "computer", None)
    await max_.command(house.yard, "admin repair", table=1)
    await house.turn(30_000)
    assert house.awaited() is house.ben


async def test_a_table_whose_record_cannot_be_read_can_still_be_ended(house: House, max_: UserClient):
    await house.two_at_the_wall()
    await house.stop()
    _spoil(house)
    await house.start()
    assert "cannot be read" in (await max_.command(house.yard, "admin repair", table=1)).text
    assert "ended table 1" in (await max_.command(house.yard, "admin end", table=1)).text
    row = await house.client.tables.store.tables.get(1)
    assert row is not None and row.status == "closed"


def _spoil(house: House) -> None:
    with closing(sqlite3.connect(house.database)) as db, db:
        db.execute("""UPDATE events SET body = '{"event":"unheard-of"}' WHERE number = 0""")


async def test_ending_a_table_shows_nobodys_secrets(house: House, max_: UserClient):
    await house.begin("prison-break", house.ben)
    seed = house.session().table.snapshot.row.seed
    assert seed is not None
    answer = await max_.command(house.yard, "admin end", table=1)
    await house.settle()
    assert seed.hex() not in house.public() + answer.text
    assert "no" in (await max_.command(house.yard, "admin end", table=77)).text


async def test_open_tables_are_suggested_with_their_games(house: House, max_: UserClient):
    await house.two_at_the_wall()
    await house.ann.command(house.yard, "prison-break start")
    offered = await max_.choices(house.yard, "admin end", focus="table")
    assert [choice["value"] for choice in offered] == [2, 1]
    assert "Prison Break" in offered[0]["name"]
