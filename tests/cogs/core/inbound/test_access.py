"""Who may view a game from another channel: those who see its channel, or are in its private thread."""

import pytest

from sandbox import Channel, UserClient
from tools.harness.bot_harness import BotHarness

HIDDEN = "There's no table 1 on this server"


async def finished_in(harness: BotHarness, place: Channel) -> None:
    """Play a game of Ann's to its end in a channel or thread."""
    await harness.ann.command(place, "rope-wall start", computer="rookie")
    await harness.resign(harness.ann, channel=place)
    await harness.settle()


def private_thread(harness: BotHarness, *members: UserClient) -> Channel:
    """Return a private thread of Ann's with these members."""
    return harness.sandbox.add_thread(harness.yard, "cell", harness.ann, *members, private=True)


async def looks(harness: BotHarness, who: UserClient, place: Channel) -> str:
    """Return what a person reads who requests the replay of table 1."""
    answer = await who.command(place, "replay", table=1)
    await harness.settle()
    return answer.text


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_private_thread_shows_its_games_to_its_members_and_to_nobody_else(harness: BotHarness, restarted: bool):
    thread = private_thread(harness, harness.ben)
    await finished_in(harness, thread)
    if restarted:
        await harness.restart()
    assert HIDDEN not in await looks(harness, harness.ben, harness.yard)
    assert HIDDEN in await looks(harness, harness.cleo, harness.yard)


async def test_a_private_thread_shows_its_games_to_those_who_manage_threads(harness: BotHarness):
    await finished_in(harness, private_thread(harness))
    assert HIDDEN in await looks(harness, harness.cleo, harness.yard)
    harness.sandbox.allow(harness.yard, "manage_threads", who=harness.cleo)
    assert HIDDEN not in await looks(harness, harness.cleo, harness.yard)


async def test_a_member_of_a_private_thread_in_a_channel_that_is_hidden_from_them_is_refused(harness: BotHarness):
    await finished_in(harness, private_thread(harness, harness.ben))
    lawn = harness.sandbox.add_channel(harness.guild, "lawn")
    harness.sandbox.deny(harness.yard, "view_channel", who=harness.ben)
    assert HIDDEN in await looks(harness, harness.ben, lawn)


async def test_a_public_thread_shows_its_games_to_everybody_who_sees_its_channel(harness: BotHarness):
    await finished_in(harness, harness.sandbox.add_thread(harness.yard, "stairs", harness.ann))
    lawn = harness.sandbox.add_channel(harness.guild, "lawn")
    assert HIDDEN not in await looks(harness, harness.cleo, lawn)
    harness.sandbox.deny(harness.yard, "view_channel", who=harness.cleo)
    assert HIDDEN in await looks(harness, harness.cleo, lawn)


async def test_the_board_of_a_game_in_a_hidden_channel_is_shown_to_its_players_alone(harness: BotHarness):
    lawn = harness.sandbox.add_channel(harness.guild, "lawn")
    await harness.two_at_the_wall()
    harness.sandbox.deny(harness.yard, "view_channel", who=harness.cleo)
    hidden = await harness.cleo.command(lawn, "rope-wall board", table=1)
    assert HIDDEN in hidden.text and "knots in hand" not in hidden.text
    harness.sandbox.deny(harness.yard, "view_channel", who=harness.ben)
    assert "knots in hand" in (await harness.ben.command(lawn, "rope-wall board", table=1)).text


async def test_a_table_in_a_private_thread_is_offered_to_nobody_outside_it(harness: BotHarness):
    await harness.ann.command(private_thread(harness), "rope-wall start")
    await harness.settle()
    offered = await harness.cleo.command(harness.yard, "play")
    assert "table 1" not in offered.text and "Join table 1" not in offered.text
    forged = await harness.cleo.forge(offered.message or {}, "cb:0:0:play-join:1")
    assert "isn't waiting for players" in forged.text and len(harness.snapshot().seats) == 1


async def test_a_table_in_a_public_thread_is_offered_in_its_channel(harness: BotHarness):
    await harness.ann.command(harness.sandbox.add_thread(harness.yard, "stairs", harness.ann), "rope-wall start")
    await harness.settle()
    offered = await harness.cleo.command(harness.yard, "play")
    await harness.cleo.press(offered, label="Join table 1")
    assert len(harness.snapshot().seats) == 2


async def test_a_game_of_a_deleted_channel_is_read_by_who_played_it_and_by_managers_and_by_nobody_else(
    harness: BotHarness,
):
    court = harness.sandbox.add_channel(harness.guild, "court")
    dora = harness.sandbox.add_person("Dora", harness.guild)
    await harness.ben.command(harness.yard, "rope-wall start", clock=0)
    await harness.press(harness.cleo, "Join")
    await harness.press(harness.ben, "Start")
    await harness.settle()
    await harness.resign(harness.cleo)
    await harness.settle()
    harness.sandbox.remove_channel(harness.yard)
    await harness.sandbox.until(lambda: harness.client.get_channel(int(harness.yard.id)) is None)
    for reader, may in ((harness.cleo, True), (harness.ann, True), (dora, False)):
        answer = await reader.command(court, "replay", table=1)
        assert ("There's no table 1" not in answer.text) == may, reader


async def test_those_who_manage_the_server_moderate_its_tables_without_managing_messages(harness: BotHarness):
    await harness.ben.command(harness.yard, "rope-wall start")
    await harness.settle()
    await harness.cleo.forge(harness.board(), "cb:1:0:cancel-sure:")
    assert harness.snapshot().in_lobby
    manager = harness.sandbox.add_person("Max")
    harness.sandbox.join(manager, harness.guild, harness.sandbox.add_role(harness.guild, "Managers", "MANAGE_GUILD"))
    await manager.forge(harness.board(), "cb:1:0:cancel-sure:")
    assert harness.snapshot().row.status == "closed"
