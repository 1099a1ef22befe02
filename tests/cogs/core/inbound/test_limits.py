"""How many tables may be open at once: of a person, in a channel, on a server."""

import asyncio

import pytest

from sandbox import ActionResult
from tools.harness.bot_harness import House


async def opened(house: House) -> list[int]:
    """The numbers of the open tables of the server."""
    return [row.id for row in await house.client.tables.store.server_admin.open_tables(int(house.guild.id))]


async def limit(house: House, **limits: int) -> None:
    """Let Ann set the server's limits."""
    for of, tables in limits.items():
        answer = await house.ann.command(house.yard, "settings limit", of=of, tables=tables)
        assert f"{tables} " in answer.text


def refused(answer: ActionResult) -> bool:
    return bool(answer.message["flags"] & 64) and "</settings limit:" in answer.text


async def test_two_hundred_commands_at_once_open_no_more_tables_than_one_person_may(house: House):
    answers = await asyncio.gather(*(house.ben.command(house.yard, "rope-wall start") for _ in range(200)))
    assert sum(not refused(answer) for answer in answers) == 3
    assert await opened(house) == [1, 2, 3]
    told = next(answer for answer in answers if refused(answer))
    assert "3 tables" in told.text and "leave one" in told.text
    told = await house.ben.command(house.yard, "rope-wall start")
    for number in (1, 2, 3):
        link = house.session(number).message.link()
        assert f"[table {number}]({link}) (Breakout: the Rope Wall)" in told.text


async def test_who_closes_a_table_may_open_another(house: House):
    for _ in range(3):
        await house.ben.command(house.yard, "rope-wall start")
    assert refused(await house.ben.command(house.yard, "match-five start"))
    await house.press(house.ben, "Close the table")
    assert not refused(await house.ben.command(house.yard, "match-five start"))


async def test_an_invitation_counts_for_whoever_invites_and_not_for_the_invited(house: House):
    for _ in range(3):
        assert not refused(await house.ben.command(house.yard, "rope-wall start", invite=house.cleo))
    assert refused(await house.ben.command(house.yard, "rope-wall start", invite=house.cleo))
    assert not refused(await house.cleo.command(house.yard, "rope-wall start"))


async def test_games_against_computers_keep_nobody_from_opening_a_table_for_others(house: House):
    await limit(house, person=2)
    for _ in range(2):
        assert not refused(await house.ben.command(house.yard, "rope-wall start", computer="rookie"))
    assert refused(await house.ben.command(house.yard, "rope-wall start", computer="rookie"))
    for _ in range(2):
        assert not refused(await house.ben.command(house.yard, "rope-wall start"))
    assert refused(await house.ben.command(house.yard, "rope-wall start"))


async def test_a_game_against_computers_that_somebody_joins_counts_as_one_with_others(house: House):
    await limit(house, person=1)
    await house.ben.command(house.yard, "match-five start", computer="rookie")
    assert refused(await house.ben.command(house.yard, "match-five start", computer="rookie"))
    await house.press(house.cleo, "Join")
    assert not refused(await house.ben.command(house.yard, "rope-wall start", computer="rookie"))
    assert refused(await house.ben.command(house.yard, "rope-wall start"))


async def test_a_rematch_counts_too(house: House):
    await house.two_at_the_wall()
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    over = house.board()
    await limit(house, person=1)
    await house.ann.command(house.yard, "match-five start")
    answer = await house.ann.press(over, label="Rematch")
    assert refused(answer) and await opened(house) == [2]
    await house.ben.press(over["id"], label="Rematch")
    assert await opened(house) == [2, 3]
    assert not refused(await house.ann.press(over["id"], label="Rematch"))


async def test_a_rematch_that_waits_is_found_by_the_end_of_the_game_before(house: House):
    await house.two_at_the_wall()
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    before = f"the rematch of [table 1]({house.session(1).message.link()})"
    await house.ann.press(house.board(), label="Rematch")
    for who in (house.ann, house.cleo):
        listed = await who.command(house.yard, "tables")
        assert before in listed.text and "table 2" not in listed.text.splitlines()[1]
    await limit(house, person=1)
    answer = await house.ann.command(house.yard, "match-five start")
    assert refused(answer) and before in answer.text and "Let others join" in answer.text


async def test_a_channel_holds_only_so_many_tables(house: House):
    await limit(house, channel=2)
    for who in (house.ann, house.ben):
        assert not refused(await who.command(house.yard, "rope-wall start"))
    answer = await house.cleo.command(house.yard, "rope-wall start")
    assert refused(answer) and "in this channel" in answer.text
    elsewhere = house.sandbox.add_channel(house.guild, "cell")
    await house.ann.until(lambda: house.client.get_channel(int(elsewhere.id)))
    assert not refused(await house.cleo.command(elsewhere, "rope-wall start"))


async def test_threads_count_with_the_channel_that_they_belong_to(house: House):
    await limit(house, channel=3)
    await house.ann.command(house.yard, "settings threads", use="on")
    for who in (house.ann, house.ben):
        assert not refused(await who.command(house.yard, "rope-wall start"))
        await house.settle()
    assert {house.session(number).table.snapshot.row.parent for number in (1, 2)} == {int(house.yard.id)}
    night = house.sandbox.add_thread(house.yard, "night", house.ben)
    await house.ann.until(lambda: house.client.get_guild(int(house.guild.id)).get_thread(int(night.id)))
    assert not refused(await house.ann.command(night, "rope-wall start"))
    await house.ann.command(house.yard, "settings threads", use="off")
    for place in (house.yard, night):
        answer = await house.cleo.command(place, "rope-wall start")
        assert refused(answer) and "There are 3 tables open in this channel" in answer.text
    elsewhere = house.sandbox.add_channel(house.guild, "cell")
    await house.ann.until(lambda: house.client.get_channel(int(elsewhere.id)))
    assert not refused(await house.cleo.command(elsewhere, "rope-wall start"))


async def test_a_server_holds_only_so_many_tables_and_others_are_not_counted(house: House):
    await limit(house, server=1)
    other = house.sandbox.add_guild("Sing Sing")
    cell = house.sandbox.add_channel(other, "cell")
    dov = house.sandbox.add_person("Dov", other)
    await house.ann.until(lambda: house.client.get_channel(int(cell.id)))
    await dov.command(cell, "rope-wall start")
    assert not refused(await house.ann.command(house.yard, "rope-wall start"))
    answer = await house.ben.command(house.yard, "rope-wall start")
    assert refused(answer) and "on this server" in answer.text


async def test_a_table_where_everybody_is_away_counts_nowhere(house: House):
    await limit(house, person=1)
    await house.ben.command(house.yard, "rope-wall start", computer="rookie", clock=0)
    told = await house.ben.command(house.yard, "rope-wall start", computer="rookie")
    assert "leave one: *More …* at its table has *Leave*" in told.text
    sure = await house.press(house.ben, "Leave")
    (label,) = [button["label"] for button in house.ben.buttons(sure) if button["custom_id"].endswith(":leave-sure:")]
    await house.ben.press(sure, label=label)
    await house.settle()
    assert house.session().table.snapshot.asleep
    assert not refused(await house.ben.command(house.yard, "rope-wall start", computer="rookie"))


@pytest.mark.parametrize("of", ["person", "channel", "server"])
async def test_a_limit_that_is_left_out_goes_back_to_the_usual_one(house: House, of: str):
    usual = (await house.ann.command(house.yard, "settings show")).text
    await limit(house, **{of: 77})
    answer = await house.ann.command(house.yard, "settings limit", of=of)
    assert usual.partition("\n")[2] == answer.text.partition("\n")[2]
    assert "3 of one person, 10 in a channel, 200 in all" in answer.text
