"""Achievements through the whole bot on the sandbox: announced privately, once, and shown to others only if shared."""

from typing import Any

import pytest

from cogs.achievements import AchievementCommands
from cogs.achievements.judge import AT_ONCE
from cogs.core.tables import moves
from engine.contract import Seat
from sandbox import ActionResult, UserClient
from tests.cogs.admin.conftest import mona
from tests.cogs.admin.test_settings import chosen
from tests.cogs.test_sixth_game import six
from tests.data.finished import played
from tools.harness.bot_harness import BotHarness

__all__ = ["mona", "six"]  # fixtures

OPENED = "New achievement"


def cog(harness: BotHarness) -> AchievementCommands:
    found = harness.client.get_cog("AchievementCommands")
    assert isinstance(found, AchievementCommands)
    return found


async def whole_game(harness: BotHarness, table: int = 1, *, looking: bool = True) -> UserClient:
    """Play Nim as Ann and Ben to its end, each with an open private page if `looking`. Return the winner."""
    await harness.begin("nim", harness.ben)
    for person in (harness.ann, harness.ben) if looking else ():
        await harness.press(person, "Play")
    return await played_on(harness, table)


async def played_on(harness: BotHarness, table: int = 1) -> UserClient:
    """Play to the end of the game as Ann and Ben. Return the winner."""
    winner = harness.ann
    while (live := harness.snapshot(table)).playing:
        winner = harness.awaited(table)
        seat = live.seat_of(int(winner.id)) or Seat(0)
        await harness.messages(table).table.act(moves.move, seat, live.legal(seat)[-1], harness.clock.now())
    await harness.settle()
    return winner


def own_pages(who: UserClient, harness: BotHarness) -> str:
    """Return the texts of a person's private pages in the channel."""
    return "\n".join(map(UserClient.visible_text, who.ephemerals(harness.yard)))


def other(harness: BotHarness, person: UserClient) -> UserClient:
    return harness.ben if person is harness.ann else harness.ann


async def listed(who: UserClient, harness: BotHarness, **options: Any) -> ActionResult:
    return await who.command(harness.yard, "achievements", **options)


async def test_a_new_achievement_appears_on_the_private_page_only(six: BotHarness):
    winner = await whole_game(six)
    told = own_pages(winner, six)
    assert OPENED in told and "**Last Straw**\nTake the last one." in told
    assert OPENED not in own_pages(other(six, winner), six)
    assert OPENED not in six.public() and not any(
        OPENED in UserClient.visible_text(message) for message in six.cleo.messages(six.yard)
    )


async def test_an_achievement_is_announced_in_the_first_game_only(six: BotHarness):
    first = await whole_game(six)
    for table in range(2, 9):
        if await whole_game(six, table) is first:
            break
    last = UserClient.visible_text(first.ephemerals(six.yard)[-1])
    assert "Last Straw" not in last
    (row,) = await six.client.store.progress.earned(int(first.id), int(six.guild.id))
    assert (row.name, row.table) == ("last-straw", 1)


async def test_the_list_says_when_each_was_earned_and_how_to_earn_the_others(six: BotHarness):
    winner = await whole_game(six)
    shown = await listed(winner, six)
    assert "1 of 22 achievements on this server" in shown.text
    game = await winner.press(shown, label="Nim")
    assert "**Last Straw**\nTake the last one.\n-# ✓ <t:" in game.text and "table 1" in game.text
    assert "**Modest**\nNever take more than one.\n-# Not earned yet" in game.text
    back = await winner.press(game, label="◀ All achievements")
    assert "1 of 22" in back.text
    assert "0 of 22" in (await listed(other(six, winner), six)).text
    assert "Last Straw" in (await listed(winner, six, game="nim")).text


async def test_a_game_that_ended_while_nobody_judged_is_judged_after_a_restart(six: BotHarness):
    six.client.tables.registry.components.remove(cog(six).judge)
    winner = await whole_game(six)
    assert OPENED not in own_pages(winner, six)
    six.client.tables.registry.components.append(cog(six).judge)
    await six.restart()
    assert "1 of 22" in (await listed(winner, six)).text
    assert len(await six.client.store.progress.earned(int(winner.id), int(six.guild.id))) == 1


async def test_a_game_is_judged_when_its_table_is_loaded_again(six: BotHarness):
    six.client.tables.registry.components.remove(cog(six).judge)
    winner = await whole_game(six)
    six.client.tables.registry.components.append(cog(six).judge)
    await six.restart()
    await six.client.inbound.finder.find(1)
    await six.settle()
    assert not await six.client.store.progress.is_due(1)
    assert len(await six.client.store.progress.earned(int(winner.id), int(six.guild.id))) == 1


async def test_all_earlier_games_are_judged_and_a_record_that_cannot_be_read_stops_nothing(six: BotHarness, caplog):
    user = int(six.ann.id)
    for number in range(AT_ONCE + 3):
        await played(six.client.store, user, 11, guild=int(six.guild.id), minutes=number)
    assert "still being looked through" in (await listed(six.ann, six)).text
    await six.settle()
    assert await six.client.store.progress.unjudged(user, int(six.guild.id), most=1) == []
    assert "still being looked through" not in (await listed(six.ann, six)).text
    assert "cannot be judged" in caplog.text


async def test_a_shared_achievement_is_shown_to_everybody_with_its_badge(six: BotHarness):
    winner = await whole_game(six)
    await winner.press(winner.ephemerals(six.yard)[-1], label="Share in channel")
    await six.settle()
    shared = six.sandbox.messages(six.yard)[-1]
    text = UserClient.visible_text(shared)
    assert f"**{winner.name}** shares an achievement · Nim" in text and "Take the last one." in text
    assert not shared["flags"] & 64 and "badge-last-straw.png" in str(shared["components"])


async def test_one_of_several_is_shared_from_the_list(six: BotHarness):
    winner = await whole_game(six)
    game = await listed(winner, six, game="nim")
    menu = next(part for part in UserClient.buttons(game) if part["type"] == 3)
    assert [option["label"] for option in menu["options"]] == ["Last Straw"]
    await winner.press(game, menu["custom_id"], values=["nim.last-straw"])
    assert "shares an achievement" in UserClient.visible_text(six.sandbox.messages(six.yard)[-1])


async def test_nobody_shares_what_they_have_not_achieved(six: BotHarness):
    winner = await whole_game(six)
    before = len(six.sandbox.messages(six.yard))
    game = await listed(winner, six, game="nim")
    menu = next(part for part in UserClient.buttons(game) if part["type"] == 3)
    forger = other(six, winner)
    for name, values in ((menu["custom_id"], ["nim.last-straw"]), ("cb:1:0:share-achievement:", None)):
        answer = await forger.forge(game, name, values, 2 if values is None else 3)
        assert "You haven't earned that achievement here." in answer.text
    forged = await winner.forge(game, menu["custom_id"], ["nim.modest"], 3)
    assert "You haven't earned" in forged.text
    assert [one for one in six.sandbox.messages(six.yard)[before:] if not one["flags"] & 64] == []


async def test_nothing_is_shared_of_who_hides_or_was_deleted(six: BotHarness):
    winner = await whole_game(six)
    page = winner.ephemerals(six.yard)[-1]
    await winner.command(six.yard, "privacy hide", hidden="on")
    assert "You're hidden" in (await winner.press(page, label="Share in channel")).text
    await winner.command(six.yard, "privacy hide", hidden="off")
    await winner.press(await winner.command(six.yard, "privacy delete"), label="Delete it all")
    await six.settle()
    gone = await winner.forge(page, "cb:1:0:share-achievement:", component_type=2)
    assert "You haven't earned" in gone.text
    assert await six.client.store.progress.earned(int(winner.id), int(six.guild.id)) == []
    assert "shares an achievement" not in str([*map(UserClient.visible_text, six.sandbox.messages(six.yard))])


@pytest.mark.parametrize("way", ["command", "button"])
async def test_a_player_who_turned_announcements_off_gets_none(six: BotHarness, way: str):
    for person in (six.ann, six.ben):
        if way == "command":
            answer = await person.command(six.yard, "notify", achievements="off")
            assert "I don't tell you about new achievements." in answer.text and "your turn" not in answer.text
        else:
            page = await person.press(await person.command(six.yard, "help"), label="Notifications")
            page = await person.press(await person.press(page, label="Achievements …"), label="Don't tell me")
            assert "I don't tell you about new achievements." in page.text
    winner = await whole_game(six)
    assert OPENED not in own_pages(winner, six)
    assert "1 of 22" in (await listed(winner, six)).text
    both = await winner.command(six.yard, "notify")
    assert "I mention you" in both.text
    assert "I don't tell you about new achievements." in both.text
    again = await winner.command(six.yard, "notify", achievements="on")
    assert "I tell you in private" in again.text


async def test_a_server_can_turn_achievements_off_and_on_again(six: BotHarness, mona: UserClient):
    assert "Achievements off" in chosen(await mona.command(six.yard, "settings achievements", use="off"))
    winner = await whole_game(six)
    assert OPENED not in own_pages(winner, six)
    assert "turned off on this server" in (await listed(winner, six)).text
    assert await six.client.store.progress.is_due(1)
    assert "Achievements on: told in private" in chosen(await mona.command(six.yard, "settings achievements", use="on"))
    assert "1 of 22" in (await listed(winner, six)).text


async def opened(who: UserClient, harness: BotHarness) -> str:
    """What somebody reads on their own page when they come back to it at the end of a game."""
    page = await harness.press(who, "More …")
    page = await who.press(page, label="◀ Back to the game")
    await harness.settle()
    return page.text


async def test_an_announced_achievement_is_not_announced_again_even_after_a_restart(six: BotHarness):
    winner = await whole_game(six)
    assert OPENED in own_pages(winner, six)
    six.messages().pages.changed()
    await six.settle()
    assert OPENED in own_pages(winner, six), "an edit of the page leaves it to its reader"
    assert OPENED not in await opened(winner, six)
    await six.restart()
    assert OPENED not in await opened(winner, six)


async def test_an_unseen_achievement_is_announced_once_after_a_restart(six: BotHarness):
    winner = await whole_game(six, looking=False)
    assert OPENED not in own_pages(winner, six), "they have no page open"
    await six.restart()
    assert OPENED in await opened(winner, six)
    assert OPENED not in await opened(winner, six)
    await six.restart()
    assert OPENED not in await opened(winner, six)


async def won_with_direct_messages(six: BotHarness) -> UserClient:
    """Play a game to its end whose players have direct messages. Return the winner."""
    await six.begin("nim", six.ben)
    for person in (six.ann, six.ben):
        six.messages().direct_messages.renew(int(person.id))
    await six.settle()
    return await played_on(six)


async def test_an_achievement_announced_by_direct_message_stays_there_and_appears_nowhere_else(six: BotHarness):
    winner = await won_with_direct_messages(six)
    for _ in range(2):
        assert OPENED in UserClient.visible_text(winner.dms()[-1])
        assert OPENED not in await opened(winner, six)
        await six.restart()
        await six.client.inbound.finder.find(1)
        await six.settle()


async def test_the_overview_of_statistics_counts_what_was_achieved(six: BotHarness):
    winner = await whole_game(six)
    shown = await winner.command(six.yard, "stats")
    assert "1/22 badges" in str(shown.message["components"])
    assert "achievements on this server" in (await winner.press(shown, label="Achievements")).text


async def test_an_achievement_announced_by_direct_message_stays_there_when_its_reader_presses_in_the_channel(
    six: BotHarness,
):
    winner = await won_with_direct_messages(six)
    for _ in range(2):
        await opened(winner, six)
    six.messages().direct_messages.show_again(int(winner.id))
    await six.settle()
    assert OPENED in UserClient.visible_text(winner.dms()[-1])
