"""How many tables may be open at once: per person, channel and server."""

import asyncio

import pytest

from sandbox import ActionResult
from tools.harness.bot_harness import BotHarness


async def opened(harness: BotHarness) -> list[int]:
    """Return the numbers of the open tables of the server."""
    return [row.id for row in await harness.client.store.server_admin.open_tables(int(harness.guild.id))]


async def limit(harness: BotHarness, **limits: int) -> None:
    """Set the server's limits as Ann."""
    for of, tables in limits.items():
        answer = await harness.ann.command(harness.yard, "settings limit", of=of, tables=tables)
        assert f"{tables} " in answer.text


def refused(answer: ActionResult) -> bool:
    return bool(answer.message["flags"] & 64) and "</settings limit:" in answer.text


async def test_two_hundred_commands_at_once_open_no_more_tables_than_one_person_may(harness: BotHarness):
    answers = await asyncio.gather(*(harness.ben.command(harness.yard, "rope-wall start") for _ in range(200)))
    assert sum(not refused(answer) for answer in answers) == 3
    assert await opened(harness) == [1, 2, 3]
    told = next(answer for answer in answers if refused(answer))
    assert "3 open tables" in told.text and "leave one" in told.text
    told = await harness.ben.command(harness.yard, "rope-wall start")
    for number in (1, 2, 3):
        link = harness.messages(number).message.link()
        assert f"[table {number}]({link}) (Breakout: the Rope Wall)" in told.text


async def test_a_user_who_closes_a_table_may_open_another(harness: BotHarness):
    for _ in range(3):
        await harness.ben.command(harness.yard, "rope-wall start")
    assert refused(await harness.ben.command(harness.yard, "match-five start"))
    await harness.press(harness.ben, "Close the table")
    assert not refused(await harness.ben.command(harness.yard, "match-five start"))


async def test_an_invitation_counts_for_the_person_who_invites_and_not_for_the_invited(harness: BotHarness):
    for _ in range(3):
        assert not refused(await harness.ben.command(harness.yard, "rope-wall start", invite=harness.cleo))
    assert refused(await harness.ben.command(harness.yard, "rope-wall start", invite=harness.cleo))
    assert not refused(await harness.cleo.command(harness.yard, "rope-wall start"))


async def test_games_against_computers_keep_nobody_from_opening_a_table_for_others(harness: BotHarness):
    await limit(harness, person=2)
    for _ in range(2):
        assert not refused(await harness.ben.command(harness.yard, "rope-wall start", computer="rookie"))
    assert refused(await harness.ben.command(harness.yard, "rope-wall start", computer="rookie"))
    for _ in range(2):
        assert not refused(await harness.ben.command(harness.yard, "rope-wall start"))
    assert refused(await harness.ben.command(harness.yard, "rope-wall start"))


async def test_a_game_against_computers_that_a_person_joins_counts_as_one_with_others(harness: BotHarness):
    await limit(harness, person=1)
    await harness.ben.command(harness.yard, "match-five start", computer="rookie")
    assert refused(await harness.ben.command(harness.yard, "match-five start", computer="rookie"))
    await harness.press(harness.cleo, "Join")
    assert not refused(await harness.ben.command(harness.yard, "rope-wall start", computer="rookie"))
    assert refused(await harness.ben.command(harness.yard, "rope-wall start"))


async def test_a_rematch_counts_too(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.resign(harness.ann)
    await harness.settle()
    over = harness.board()
    await limit(harness, person=1)
    await harness.ann.command(harness.yard, "match-five start")
    answer = await harness.ann.press(over, label="Rematch")
    assert refused(answer) and await opened(harness) == [2]
    await harness.ben.press(over["id"], label="Rematch")
    assert await opened(harness) == [2, 3]
    assert not refused(await harness.ann.press(over["id"], label="Rematch"))


async def test_a_rematch_that_waits_is_found_by_the_end_of_the_game_before(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.resign(harness.ann)
    await harness.settle()
    before = f"the rematch of [table 1]({harness.messages(1).message.link()})"
    await harness.ann.press(harness.board(), label="Rematch")
    for who in (harness.ann, harness.cleo):
        listed = await who.command(harness.yard, "tables")
        assert before in listed.text and "table 2" not in listed.text.splitlines()[1]
    await limit(harness, person=1)
    answer = await harness.ann.command(harness.yard, "match-five start")
    assert refused(answer) and before in answer.text and "Let others join" in answer.text


async def test_a_channel_has_a_maximum_number_of_tables(harness: BotHarness):
    await limit(harness, channel=2)
    for who in (harness.ann, harness.ben):
        assert not refused(await who.command(harness.yard, "rope-wall start"))
    answer = await harness.cleo.command(harness.yard, "rope-wall start")
    assert refused(answer) and "This channel already has" in answer.text
    elsewhere = harness.sandbox.add_channel(harness.guild, "cell")
    await harness.ann.until(lambda: harness.client.get_channel(int(elsewhere.id)))
    assert not refused(await harness.cleo.command(elsewhere, "rope-wall start"))


async def test_threads_count_with_the_channel_that_they_belong_to(harness: BotHarness):
    await limit(harness, channel=3)
    await harness.ann.command(harness.yard, "settings threads", use="on")
    for who in (harness.ann, harness.ben):
        assert not refused(await who.command(harness.yard, "rope-wall start"))
        await harness.settle()
    assert {harness.snapshot(number).row.parent for number in (1, 2)} == {int(harness.yard.id)}
    night = harness.sandbox.add_thread(harness.yard, "night", harness.ben)
    await harness.ann.until(lambda: harness.client.get_guild(int(harness.guild.id)).get_thread(int(night.id)))
    assert not refused(await harness.ann.command(night, "rope-wall start"))
    await harness.ann.command(harness.yard, "settings threads", use="off")
    for place in (harness.yard, night):
        answer = await harness.cleo.command(place, "rope-wall start")
        assert refused(answer) and "This channel already has 3 open tables" in answer.text
    elsewhere = harness.sandbox.add_channel(harness.guild, "cell")
    await harness.ann.until(lambda: harness.client.get_channel(int(elsewhere.id)))
    assert not refused(await harness.cleo.command(elsewhere, "rope-wall start"))


async def test_a_server_has_a_maximum_number_of_tables_of_its_own(harness: BotHarness):
    await limit(harness, server=1)
    other = harness.sandbox.add_guild("Sing Sing")
    cell = harness.sandbox.add_channel(other, "cell")
    dov = harness.sandbox.add_person("Dov", other)
    await harness.ann.until(lambda: harness.client.get_channel(int(cell.id)))
    await dov.command(cell, "rope-wall start")
    assert not refused(await harness.ann.command(harness.yard, "rope-wall start"))
    answer = await harness.ben.command(harness.yard, "rope-wall start")
    assert refused(answer) and "This server already has" in answer.text


async def test_a_table_where_everybody_is_away_counts_nowhere(harness: BotHarness):
    await limit(harness, person=1)
    await harness.ben.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    told = await harness.ben.command(harness.yard, "rope-wall start", computer="rookie")
    assert "leave one: press *Leave* under *More …*" in told.text
    sure = await harness.press(harness.ben, "Leave")
    (label,) = [button["label"] for button in harness.ben.buttons(sure) if button["custom_id"].endswith(":leave-sure:")]
    await harness.ben.press(sure, label=label)
    await harness.settle()
    assert harness.snapshot().asleep
    assert not refused(await harness.ben.command(harness.yard, "rope-wall start", computer="rookie"))


@pytest.mark.parametrize("of", ["person", "channel", "server"])
async def test_a_limit_that_is_left_out_goes_back_to_the_usual_one(harness: BotHarness, of: str):
    usual = (await harness.ann.command(harness.yard, "settings show")).text
    await limit(harness, **{of: 77})
    answer = await harness.ann.command(harness.yard, "settings limit", of=of)
    assert usual.partition("\n")[2] == answer.text.partition("\n")[2]
    assert "3 per person, 10 per channel, 200 in all" in answer.text
