"""Spectators are told privately about the end and a rematch, and nobody sees them."""

import pytest

from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import BotHarness


async def watch(harness: BotHarness, who: UserClient) -> ActionResult:
    page = await harness.press(who, "Play")
    return await harness.press(who, "Watch", page)


def told(harness: BotHarness, who: UserClient) -> list[str]:
    """Return the direct messages that a spectator got."""
    said = [message["content"] for message in harness.sandbox.messages(who.dm)]
    return [words for words in said if "you watched" in words]


async def until_told(harness: BotHarness, who: UserClient, number: int) -> list[str]:
    await harness.sandbox.until(lambda: len(told(harness, who)) == number)
    return told(harness, who)


async def test_a_user_without_a_seat_is_offered_to_watch(harness: BotHarness):
    await harness.two_at_the_wall()
    page = await harness.press(harness.cleo, "Play")
    assert page.message["flags"] & 64 and "You have no seat" not in page.text
    labels = [part.get("label") for part in UserClient.buttons(page)]
    assert {"Watch", "Show the board", "Text view", "Rules"} <= set(labels)
    page = await harness.press(harness.cleo, "Watch", page)
    assert "You're watching" in page.text
    page = await harness.press(harness.cleo, "Stop watching", page)
    assert "If you watch this game" in page.text


async def test_a_user_without_a_seat_reads_why_and_finds_a_game_of_their_own_and_the_way_back(harness: BotHarness):
    await harness.two_at_the_wall()
    page = await harness.press(harness.cleo, "Play")
    assert "The game has started, so no one can join any more." in page.text
    own = await harness.press(harness.cleo, "Start your own game", page)
    assert "Breakout: the Rope Wall" in own.text and "Open a table for others" in str(UserClient.buttons(own))
    more = await harness.press(harness.cleo, "More …")
    assert "If you watch this game" in (await harness.press(harness.cleo, "Watch …", more)).text


async def test_a_spectator_is_notified_once_of_the_end_and_of_the_rematch(harness: BotHarness):
    await harness.two_at_the_wall()
    await watch(harness, harness.cleo)
    await harness.resign(harness.ben)
    await harness.settle()
    (words,) = await until_told(harness, harness.cleo, 1)
    assert f"/{harness.board()['id']})" in words and "Ann" in words
    await harness.restart()
    await harness.client.tables.registry.find(1)
    end = harness.board()
    await harness.press(harness.ann, "Rematch", end)
    await harness.press(harness.ben, "Rematch", harness.sandbox.message(end["id"]))
    await harness.settle()
    _, rematch = await until_told(harness, harness.cleo, 2)
    assert "The rematch" in rematch and "table 2" in rematch
    assert await harness.client.store.watchers.of(1) == {}


async def test_a_user_who_stopped_watching_is_not_notified(harness: BotHarness):
    await harness.begin("prison-break", harness.ben, round_limit=5)
    page = await watch(harness, harness.cleo)
    await harness.press(harness.cleo, "Stop watching", page)
    await harness.finish(harness.ann, harness.ben, at_once=4)
    await harness.settle()
    await harness.advance(10_000)
    assert told(harness, harness.cleo) == []


async def test_a_player_of_the_rematch_is_not_notified_of_it(harness: BotHarness):
    await harness.two_at_the_wall()
    await watch(harness, harness.cleo)
    await harness.resign(harness.ben)
    await until_told(harness, harness.cleo, 1)
    end = harness.board()
    await harness.press(harness.ann, "Rematch", end)
    await harness.press(harness.ann, "Let others join", harness.sandbox.message(end["id"]))
    await harness.settle()
    await harness.press(harness.cleo, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    await harness.sandbox.until(lambda: harness.snapshot(2).playing)
    await harness.advance(10_000)
    assert len(told(harness, harness.cleo)) == 1


async def test_nobody_watches_a_table_at_which_they_sit(harness: BotHarness):
    await harness.two_at_the_wall()
    for verb in ("watch:on", "watch-board:"):
        assert "You're playing at this table" in (await harness.ann.forge(harness.board(), f"cb:1:0:{verb}")).text
    assert await harness.client.store.watchers.of(1) == {}


async def test_a_spectator_who_can_no_longer_see_the_channel_is_not_notified(harness: BotHarness):
    await harness.two_at_the_wall()
    await watch(harness, harness.cleo)
    harness.sandbox.deny(harness.yard, "VIEW_CHANNEL", who=harness.cleo)
    await harness.sandbox.until(lambda: harness.client.get_channel(int(harness.yard.id)) is not None)
    await harness.resign(harness.ben)
    await harness.settle()
    await harness.advance(10_000)
    assert told(harness, harness.cleo) == []


async def test_a_spectator_causes_no_public_call_and_is_named_nowhere(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.settle()
    before = harness.board()
    since = len(harness.sandbox.calls)
    page = await watch(harness, harness.cleo)
    board = await harness.press(harness.cleo, "Show the board", page)
    assert board.message["flags"] & 64 and "wall" in board.text
    await harness.settle()
    assert harness.board() == before and "Cleo" not in harness.public()
    public = [call for call in harness.sandbox.calls[since:] if call.template.startswith("/channels")]
    assert public == []


async def test_the_board_of_a_spectator_is_not_updated_and_is_the_public_one(harness: BotHarness):
    await harness.begin("break-out", harness.ben)
    page = await harness.press(harness.cleo, "Play")
    board = await harness.press(harness.cleo, "Show the board", page)
    assert "Your hand" not in board.text
    assert [part.get("label") for part in UserClient.buttons(board)] == ["Show it again", "◀ Back"]


@pytest.mark.parametrize("verb", ["watch:on", "watch-board:"])
async def test_a_table_in_a_hidden_channel_cannot_be_watched_by_a_forged_button(harness: BotHarness, verb: str):
    cellar = harness.sandbox.add_channel(harness.guild, "cellar")
    await harness.ann.command(cellar, "rope-wall start", computer="rookie", clock=0)
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    await harness.settle()
    harness.sandbox.deny(cellar, "VIEW_CHANNEL", who=harness.cleo)
    await harness.press(harness.cleo, "Play")
    assert "no table 1" in (await harness.cleo.forge(harness.board(), f"cb:1:0:{verb}")).text


async def test_the_tables_of_the_server_are_listed_that_one_may_see(harness: BotHarness):
    court, cellar = (harness.sandbox.add_channel(harness.guild, name) for name in ("court", "cellar"))
    for place in (court, cellar):
        await harness.ann.command(place, "rope-wall start", computer="rookie", clock=0)
    harness.sandbox.deny(cellar, "VIEW_CHANNEL", who=harness.cleo)
    await harness.settle()
    listed = await harness.cleo.command(harness.yard, "tables")
    assert f"<#{court.id}>" in listed.text and f"<#{cellar.id}>" not in listed.text


async def test_a_spectator_is_not_notified_again_when_a_finished_game_is_read_days_later(harness: BotHarness):
    await harness.two_at_the_wall()
    await watch(harness, harness.cleo)
    await harness.resign(harness.ben)
    await until_told(harness, harness.cleo, 1)
    await harness.settle()
    await harness.restart(away_ms=2 * 86_400_000)
    await harness.client.tables.registry.find(1)
    await harness.settle()
    await harness.advance(10_000)
    assert len(told(harness, harness.cleo)) == 1
