"""`/admin`: who may end and repair tables, that it is announced, and that no secret is shown."""

import sqlite3
from contextlib import closing

import pytest

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.pseudo import PSEUDO
from cogs.core.tables.snapshot import BEFORE_THE_GAME
from sandbox import ActionResult, Channel, UserClient
from tests.cogs.admin.conftest import allow_everyone
from tests.cogs.core.inbound.test_agreements import answer, two_missed_turns
from tests.cogs.core.tables.test_ranked import four, leave, mark, places, sneak
from tools.harness.bot_harness import BotHarness


async def end(harness: BotHarness, who: UserClient, table: int = 1, channel: Channel | None = None) -> ActionResult:
    """End a table as a person, and confirm it if asked. Return the last answer."""
    allow_everyone(harness, "admin")
    asked = await who.command(channel or harness.yard, "admin end", table=table)
    sure = any(part.get("label") == f"End table {table}" for part in UserClient.buttons(asked.message or {}))
    answer = await who.press(asked, label=f"End table {table}") if sure else asked
    await harness.settle()
    return answer


def said(harness: BotHarness) -> list[str]:
    """Return the messages in the channel, without table messages."""
    return [message["content"] for message in harness.sandbox.messages(harness.yard) if message["content"]]


async def test_a_moderator_confirms_before_a_table_ends_and_then_everybody_is_notified(
    harness: BotHarness, max_: UserClient
):
    await harness.two_at_the_wall()
    asked = await max_.command(harness.yard, "admin end", table=1)
    assert asked.message["flags"] & 64 and "without a result" in asked.text
    assert harness.snapshot().playing and "**Max** ended table 1." not in said(harness)
    await max_.press(asked, label="End table 1")
    await harness.settle()
    assert "**Max** ended table 1." in said(harness)
    assert "closed" in harness.public() and "Max" in harness.public() and not UserClient.buttons(harness.board())
    assert harness.client.tables.clocks.deadline_timer.due(1) is None
    again = await max_.command(harness.yard, "admin end", table=1)
    assert "has already ended" in again.text and again.message["flags"] & 64
    assert "has already ended" in (await max_.forge(harness.board(), "cb:0:0:admin-end:1")).text


async def test_a_button_that_ends_a_table_serves_nobody_who_may_not(harness: BotHarness):
    await harness.two_at_the_wall()
    for argument in ("1", "77", "x", ""):
        refused = await harness.cleo.forge(harness.board(), f"cb:0:0:admin-end:{argument}")
        assert refused.message["flags"] & 64 and "ended" not in refused.text
    assert harness.snapshot().playing


async def test_no_player_can_end_a_ranked_game_alone_even_a_moderator(harness: BotHarness, mona: UserClient):
    await harness.two_at_the_wall()
    assert "can't end it alone" in (await end(harness, harness.ann)).text  # the owner plays there
    await mona.command(harness.yard, "settings enders", who="openers")
    assert "can't end it alone" in (await end(harness, harness.ann)).text
    assert harness.snapshot().playing
    assert "You ended table 1" in (await end(harness, mona)).text


async def test_a_player_may_end_a_game_with_computers(harness: BotHarness):
    await harness.begin("prison-break", harness.ben, computer="rookie", computers=1)
    assert "You ended table 1" in (await end(harness, harness.ann)).text


async def test_what_becomes_of_the_result_is_said_before_and_is_what_is_booked(harness: BotHarness, max_: UserClient):
    first, second, third, _ = await four(harness)
    for person in (first, second, third):
        await sneak(harness, person)
    await leave(harness, first)
    asked = await max_.command(harness.yard, "admin end", table=1)
    assert f"Places already decided: 4. **{first.name}**. For everyone else" in asked.text
    await max_.press(asked, label="End table 1")
    await harness.settle()
    assert "Only the places already decided remain." in harness.public()
    assert (
        f"\n4. {mark(harness, first)} (left the game)\n" in harness.public()
        and f". {mark(harness, second)}" not in harness.public()
    )
    results = await harness.client.store.games.results(1)
    assert [(result.place, result.reason) for result in results] == [(4, "left"), *[(1, "void")] * 3]


async def test_after_one_of_two_players_left_the_places_count_when_a_moderator_ends_the_game(
    harness: BotHarness, max_: UserClient
):
    await harness.two_at_the_wall()
    await harness.push()
    await harness.push()
    leaver, stays = harness.awaited(), harness.idle()
    await leave(harness, leaver)
    asked = await max_.command(harness.yard, "admin end", table=1)
    assert f"All places are decided: 1. **{stays.name}**, 2. **{leaver.name}**." in asked.text
    await max_.press(asked, label="End table 1")
    await harness.settle()
    assert await places(harness) == {stays.name: 1, leaver.name: 2}
    assert "Max" in harness.public() and "ended it" in harness.public()


async def test_a_moderator_is_asked_again_if_ending_a_table_would_mean_something_else_by_now(
    harness: BotHarness, max_: UserClient
):
    slow, quick = await two_missed_turns(harness)
    asked = await max_.command(harness.yard, "admin end", table=1)
    assert f"All places are decided: 1. **{quick.name}**, 2. **{slow.name}**." in asked.text
    await answer(harness, quick, "Pardon")
    again = await max_.press(asked, label="End table 1")
    assert "This has changed since you asked:\nThe game ends without a result." in again.text
    assert harness.snapshot().playing
    await max_.press(again, label="End table 1")
    assert not harness.snapshot().playing


async def test_a_moderator_who_wants_to_close_a_lobby_does_not_end_a_game_that_has_begun(
    harness: BotHarness, max_: UserClient
):
    await harness.ann.command(harness.yard, "rope-wall start")
    asked = await max_.command(harness.yard, "admin end", table=1)
    assert "closes before the game starts" in asked.text
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Start")
    assert "This has changed" in (await max_.press(asked, label="End table 1")).text and harness.snapshot().playing


async def test_a_certain_place_counts_also_if_the_record_cannot_be_read_or_the_channel_is_deleted(
    harness: BotHarness, max_: UserClient
):
    for number in (1, 2):
        await harness.two_at_the_wall()
        await harness.push(table=number)
        await harness.push(table=number)
        asked = await harness.ben.press(harness.board(), label="More …")
        await harness.ben.press(await harness.ben.press(asked, label="Leave"), label="Leave the game")
        await harness.settle()
        if number == 1:
            await harness.stop()
            _spoil(harness)
            await harness.start()
            assert "You ended table 1" in (await end(harness, max_)).text
        else:
            harness.sandbox.remove_channel(harness.yard)
            await harness.sandbox.until(lambda: harness.snapshot(2).ended)
        results = await harness.client.store.games.results(number)
        assert sorted(result.place for result in results) == [1, 2]


async def test_a_player_ends_a_broken_game_only_where_no_other_manager_could(harness: BotHarness, max_: UserClient):
    harness.guild.owner_id = harness.ann.id
    await harness.begin("rope-wall", max_)
    await harness.stop()
    _spoil(harness)
    await harness.start()
    assert "You ended table 1" in (await end(harness, max_)).text  # the owner plays there, too
    await harness.ben.command(harness.yard, "rope-wall start", clock=0)
    await harness.press(max_, "Join")
    await harness.press(harness.ben, "Start")
    await harness.stop()
    _spoil(harness)
    await harness.start()
    assert "Ask a moderator who isn't playing" in (await end(harness, max_, 2)).text
    assert "You ended table 2" in (await end(harness, harness.ann, 2)).text


async def test_the_commands_are_offered_to_moderators_alone(harness: BotHarness, max_: UserClient, mona: UserClient):
    assert "admin" in max_.commands(harness.yard)
    assert "admin" not in harness.ben.commands(harness.yard) and "admin" not in mona.commands(harness.yard)


@pytest.mark.parametrize("command", ["admin end", "admin repair"])
async def test_ordinary_members_are_refused_and_nothing_happens(harness: BotHarness, command: str):
    allow_everyone(harness, "admin")
    await harness.two_at_the_wall()
    answer = await harness.ben.command(harness.yard, command, table=1)
    assert "Manage Messages" in answer.text and answer.message["flags"] & 64
    assert harness.snapshot().playing


async def test_the_opener_of_a_table_may_end_it_if_the_server_allows_that(harness: BotHarness, mona: UserClient):
    allow_everyone(harness, "admin")
    await harness.ben.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    assert (
        "Only moderators (Manage Messages) can end tables"
        in (await harness.ben.command(harness.yard, "admin end", table=1)).text
    )
    await mona.command(harness.yard, "settings enders", who="openers")
    assert (
        "Only the table's host and moderators" in (await harness.cleo.command(harness.yard, "admin end", table=1)).text
    )
    assert "Manage Messages" in (await harness.ben.command(harness.yard, "admin repair", table=1)).text
    assert "ended table 1" in (await end(harness, harness.ben)).text


async def test_tables_of_another_server_are_out_of_reach(harness: BotHarness, max_: UserClient):
    await harness.two_at_the_wall()
    island = harness.sandbox.add_guild("Devil's Island")
    beach = harness.sandbox.add_channel(island, "beach")
    harness.sandbox.join(max_, island, administrator=True)
    await harness.sandbox.until(lambda: harness.client.get_guild(int(island.id)))
    for command in ("admin end", "admin repair"):
        assert "no table 1" in (await max_.command(beach, command, table=1)).text
    assert await max_.choices(beach, "admin end", focus="table") == []
    assert harness.snapshot().playing


async def test_a_table_of_another_channel_is_ended_where_its_players_read_it(harness: BotHarness, max_: UserClient):
    cellar = harness.sandbox.add_channel(harness.guild, "cellar")
    await harness.two_at_the_wall()
    answer = await end(harness, max_, channel=cellar)
    assert answer.message["flags"] & 64
    assert "**Max** ended table 1." in said(harness)
    assert [notice for notice in harness.ben.notices if notice["kind"] == "mention"] == []


async def test_a_repaired_table_is_reposted_and_goes_on(harness: BotHarness, max_: UserClient):
    await harness.two_at_the_wall()
    before, version = harness.board(), harness.snapshot().version
    table = harness.messages().table
    table.snapshot = table.snapshot.after(
        table.snapshot.row, position=BEFORE_THE_GAME
    )  # simulates a broken table in memory
    answer = await max_.command(harness.yard, "admin repair", table=1)
    assert "**Max** repaired table 1" in answer.text
    await harness.settle()
    assert harness.board()["id"] != before["id"] and "to push" in harness.public()
    assert harness.snapshot().version == version
    await harness.push()
    assert harness.pushes() == 1


async def test_a_repaired_table_asks_its_computer_players_again(harness: BotHarness, max_: UserClient):
    await harness.ben.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    await harness.settle()
    session = harness.messages()
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
    assert "can't be read" in (await max_.command(harness.yard, "admin repair", table=1)).text
    assert "table 1 · its record can't be read" in (await max_.command(harness.yard, "tables")).text
    assert "ended table 1" in (await end(harness, max_)).text
    row = await harness.client.store.tables.get(1)
    assert row is not None and row.status == "closed"


def _spoil(harness: BotHarness) -> None:
    with closing(sqlite3.connect(harness.database)) as db, db:
        db.execute("""UPDATE events SET body = '{"event":"unheard-of"}' WHERE number = 0""")


async def test_ending_a_table_shows_nobodys_secrets(harness: BotHarness, max_: UserClient):
    await harness.begin("prison-break", harness.ben)
    seed = harness.snapshot().row.seed
    assert seed is not None
    answer = await end(harness, max_)
    assert seed.hex() not in harness.public() + answer.text
    assert "no" in (await max_.command(harness.yard, "admin end", table=77)).text


async def test_open_tables_are_suggested_with_their_games(harness: BotHarness, max_: UserClient):
    await harness.two_at_the_wall()
    await harness.ann.command(harness.yard, "prison-break start")
    offered = await max_.choices(harness.yard, "admin end", focus="table")
    assert [choice["value"] for choice in offered] == [2, 1]
    assert "Prison Break" in offered[0]["name"]


async def test_what_a_moderator_does_is_announced_in_the_language_of_the_server(harness: BotHarness, max_: UserClient):
    harness.languages = Languages([PSEUDO])
    await harness.restart()
    await harness.two_at_the_wall()
    hall = harness.sandbox.add_channel(harness.guild, "hall")
    max_.locale = PSEUDO.code
    answer = await max_.command(hall, "admin repair", table=1)
    await harness.settle()
    assert "**Max** répàîréd tàblé 1" in answer.text
    assert "**Max** repaired table 1. It's posted again below." in said(harness)
