"""`/play`: from nothing to the first move with buttons alone."""

from dataclasses import replace
from typing import Any

import pytest

from cogs.core.pages.player_page import PlayerPage
from cogs.core.publishing.ephemeral_pages import CALM_MS
from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import BotHarness


async def test_three_taps_after_the_command_the_first_move_against_the_computer_is_made(harness: BotHarness):
    games = await harness.ann.command(harness.yard, "play")
    assert games.message["flags"] & 64
    game = await harness.ann.press(games, label="Breakout: the Rope Wall")
    await harness.ann.press(game, label="vs Trainee · rated")
    await harness.settle()
    assert "to push" in harness.public() and harness.snapshot().playing
    (door,) = harness.ann.ephemerals(harness.yard)
    assert door["id"] == games.message["id"] and not UserClient.buttons(door)
    assert int(door["id"]) < int(harness.board()["id"]), "what one plays on stands last"
    live = harness.messages().table
    while live.snapshot.seat_of(int(harness.ann.id)) not in live.snapshot.view(None).to_act:
        await harness.advance(2_000)  # the computer is first
    before = harness.snapshot().version
    await harness.ann.press(harness.board(), harness.controls("push")[0])
    assert harness.snapshot().version > before


async def test_where_something_is_secret_the_private_page_is_below_the_table_that_was_opened(harness: BotHarness):
    game = await harness.ann.press(await harness.ann.command(harness.yard, "play"), label="Prison Break")
    await harness.ann.press(game, label="vs Trainee · rated")
    await harness.settle()
    door, panel = harness.ann.ephemerals(harness.yard)
    assert "with your private view under it" in UserClient.visible_text(door) and not UserClient.buttons(door)
    assert int(door["id"]) < int(harness.board()["id"]) < int(panel["id"])
    assert "Write a note" in UserClient.visible_text(panel)


async def test_play_describes_every_game_with_players_and_duration(harness: BotHarness):
    games = await harness.ann.command(harness.yard, "play")
    for ui in harness.client.games.values():
        assert f"**{ui.game.title}**" in games.text
        assert harness.client.tree.get_command(ui.command).description in games.text
    assert "about 15 minutes" in games.text and "in the middle of play" in games.text


async def test_a_table_that_is_opened_at_the_door_is_in_the_channel_and_is_managed_below_it(harness: BotHarness):
    game = await harness.ann.press(await harness.ann.command(harness.yard, "play"), label="Prison Break")
    await harness.ann.press(game, label="Open a table for others")
    await harness.settle()
    door, manage = harness.ann.ephemerals(harness.yard)
    assert "Table 1 is below" in UserClient.visible_text(door) and not UserClient.buttons(door)
    assert "Manage table 1" in UserClient.visible_text(manage) and int(manage["id"]) > int(harness.board()["id"])
    assert "Ann" in harness.public() and "Join" in harness.public()
    await harness.press(harness.ben, "Join")
    assert "Ben" in harness.public()
    await harness.press(harness.ann, "Start")
    await harness.settle()
    _, own = harness.ann.ephemerals(harness.yard)
    assert own["id"] == manage["id"] and "Manage" not in UserClient.visible_text(own)


async def test_a_player_who_joins_while_a_private_page_is_sent_is_on_it(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    game = await harness.ann.press(await harness.ann.command(harness.yard, "play"), label="Prison Break")
    publisher, joined = harness.client.publishing.publisher, list[ActionResult]()
    services = publisher._services

    async def private_page(*asked: Any, **named: Any) -> PlayerPage:
        found = await services.player_page(*asked, **named)
        if asked[1] == int(harness.ann.id) and not joined:
            joined.append(await harness.press(harness.ben, "Join"))
        return found

    monkeypatch.setattr(publisher, "_services", replace(services, player_page=private_page))
    await harness.ann.press(game, label="Open a table for others")
    await harness.settle()
    await harness.advance(CALM_MS)
    _, manage = harness.ann.ephemerals(harness.yard)
    assert joined and "Ben" in UserClient.visible_text(manage)


async def test_where_tables_have_threads_the_page_of_the_door_becomes_ones_own(harness: BotHarness):
    await harness.ann.command(harness.yard, "settings threads", use="on")
    door = await harness.ben.command(harness.yard, "play")
    game = await harness.ben.press(door, label="Prison Break")
    await harness.ben.press(game, label="Open a table for others")
    await harness.settle()
    (page,) = harness.ben.ephemerals(harness.yard)
    assert page["id"] == door.message["id"]
    assert "its own thread" in UserClient.visible_text(page) and "Manage table 1" in UserClient.visible_text(page)


async def test_a_person_who_looks_in_joins_a_table_that_gathers_in_the_channel(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    games = await harness.ben.command(harness.yard, "play")
    assert "Waiting for players here" in games.text and "table 1" in games.text
    page = await harness.ben.press(games, label="Join table 1")
    await harness.settle()
    assert "You have a seat here" in page.text and "Ben" in harness.public()
    assert "Waiting for players here" not in (await harness.cleo.command(harness.yard, "play")).text  # it is full
    late = await harness.cleo.forge(games, "cb:0:0:play-join:1")
    assert "isn't waiting for players" in late.text


async def test_a_seat_that_is_kept_is_offered_to_nobody_else(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    assert "Waiting for players here" not in (await harness.cleo.command(harness.yard, "play")).text
    await harness.ben.press(await harness.ben.command(harness.yard, "play"), label="Join table 1")
    await harness.settle()
    assert "to push" in harness.public()


async def test_the_door_leads_to_the_rules_and_back(harness: BotHarness):
    game = await harness.ann.press(await harness.ann.command(harness.yard, "play"), label="Prison Break")
    assert "What shall we play?" in (await harness.ann.press(game, label="◀ All games")).text
    rules = await harness.ann.press(await harness.ann.press(game, label="Prison Break"), label="Rules")
    assert "Prison Break" in rules.text
    door = await harness.ann.press(rules, label="◀ Play")
    assert {"vs Trainee · rated", "Rules"} <= {part.get("label") for part in UserClient.buttons(door)}


async def test_forged_presses_at_the_door_open_nothing(harness: BotHarness):
    games = await harness.ann.command(harness.yard, "play")
    verbs = ("play:chess", "play-computer:rope_wall.god", "play-computer:chess.rookie", "play-open:", "play-join:9")
    for verb in verbs:
        answer = await harness.ann.forge(games, f"cb:0:0:{verb}")
        assert "`/play`" in answer.text or "</play:" in answer.text
    await harness.settle()
    assert not harness.client.tables.registry.awake()


async def test_a_page_of_the_door_works_after_a_restart(harness: BotHarness):
    game = await harness.ann.press(await harness.ann.command(harness.yard, "play"), label="Breakout: the Rope Wall")
    await harness.restart()
    await harness.ann.press(game, label="vs Master · rated")
    await harness.settle()
    assert "to push" in harness.public()


async def test_the_games_come_before_what_moderators_use(harness: BotHarness):
    order = [command["name"] for command in harness.sandbox.commands()]
    games = [ui.command for ui in harness.client.games.values()]
    assert order[: len(games) + 1] == ["play", *games]


async def test_a_list_of_tables_shows_how_many_seats_of_a_lobby_are_taken(harness: BotHarness):
    await harness.ann.command(harness.yard, "break-out start")
    await harness.press(harness.ben, "Join")
    listed = await harness.ann.command(harness.yard, "tables")
    assert "waiting for players, 2/6 here" in listed.text
