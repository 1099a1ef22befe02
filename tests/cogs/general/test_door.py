"""`/play`: from nothing to the first move by buttons alone."""

from typing import Any

import pytest

from cogs.core.pages.player_page import PlayerPage
from cogs.core.publishing.ephemeral_pages import CALM_MS
from cogs.core.publishing.page_builder import PageBuilder
from cogs.core.tables.snapshot import TableSnapshot
from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import House


async def test_three_taps_after_the_command_the_first_move_against_the_computer_is_made(house: House):
    games = await house.ann.command(house.yard, "play")
    assert games.message["flags"] & 64
    game = await house.ann.press(games, label="Breakout: the Rope Wall")
    await house.ann.press(game, label="Play the Trainee")
    await house.settle()
    assert "to push" in house.public() and house.session().table.snapshot.playing
    (door,) = house.ann.ephemerals(house.yard)
    assert door["id"] == games.message["id"] and not UserClient.buttons(door)
    assert int(door["id"]) < int(house.board()["id"]), "what one plays on stands last"
    live = house.session().table
    while live.snapshot.seat_of(int(house.ann.id)) not in live.snapshot.view(None).to_act:
        await house.turn(2_000)  # the computer begins
    before = house.session().table.snapshot.version
    await house.ann.press(house.board(), house.controls("push")[0])
    assert house.session().table.snapshot.version > before


async def test_where_something_is_secret_ones_own_page_stands_below_the_table_that_was_opened(house: House):
    game = await house.ann.press(await house.ann.command(house.yard, "play"), label="Prison Break")
    await house.ann.press(game, label="Play the Trainee")
    await house.settle()
    door, panel = house.ann.ephemerals(house.yard)
    assert "and below it your own page" in UserClient.visible_text(door) and not UserClient.buttons(door)
    assert int(door["id"]) < int(house.board()["id"]) < int(panel["id"])
    assert "Write a note" in UserClient.visible_text(panel)


async def test_the_door_tells_every_game_apart_with_players_and_duration(house: House):
    games = await house.ann.command(house.yard, "play")
    for screen in house.client.tables.screens.values():
        assert f"**{screen.game.title}**" in games.text
        assert house.client.tree.get_command(screen.command).description in games.text
    assert "about 15 minutes" in games.text and "in the middle of play" in games.text


async def test_a_table_that_is_opened_at_the_door_stands_in_the_channel_and_is_managed_below_it(house: House):
    game = await house.ann.press(await house.ann.command(house.yard, "play"), label="Prison Break")
    await house.ann.press(game, label="Open a table for others")
    await house.settle()
    door, manage = house.ann.ephemerals(house.yard)
    assert "Table 1 stands below" in UserClient.visible_text(door) and not UserClient.buttons(door)
    assert "Manage table 1" in UserClient.visible_text(manage) and int(manage["id"]) > int(house.board()["id"])
    assert "Ann" in house.public() and "Join" in house.public()
    await house.press(house.ben, "Join")
    assert "Ben" in house.public()
    await house.press(house.ann, "Start")
    await house.settle()
    _, own = house.ann.ephemerals(house.yard)
    assert own["id"] == manage["id"] and "Manage" not in UserClient.visible_text(own)


async def test_who_joins_while_ones_own_page_is_on_its_way_stands_on_it(house: House, monkeypatch: pytest.MonkeyPatch):
    game = await house.ann.press(await house.ann.command(house.yard, "play"), label="Prison Break")
    really, joined = PageBuilder.cockpit, list[ActionResult]()

    async def cockpit(composer: PageBuilder, table: TableSnapshot, user: int, *more: Any, **named: Any) -> PlayerPage:
        found = await really(composer, table, user, *more, **named)
        if user == int(house.ann.id) and not joined:
            joined.append(await house.press(house.ben, "Join"))
        return found

    monkeypatch.setattr(PageBuilder, "cockpit", cockpit)
    await house.ann.press(game, label="Open a table for others")
    await house.settle()
    await house.turn(CALM_MS)
    _, manage = house.ann.ephemerals(house.yard)
    assert joined and "Ben" in UserClient.visible_text(manage)


async def test_where_tables_have_threads_the_page_of_the_door_becomes_ones_own(house: House):
    await house.ann.command(house.yard, "settings threads", use="on")
    door = await house.ben.command(house.yard, "play")
    game = await house.ben.press(door, label="Prison Break")
    await house.ben.press(game, label="Open a table for others")
    await house.settle()
    (page,) = house.ben.ephemerals(house.yard)
    assert page["id"] == door.message["id"]
    assert "thread of its own" in UserClient.visible_text(page) and "Manage table 1" in UserClient.visible_text(page)


async def test_whoever_looks_in_joins_a_table_that_gathers_in_the_channel(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    games = await house.ben.command(house.yard, "play")
    assert "Others wait here" in games.text and "table 1" in games.text
    page = await house.ben.press(games, label="Join table 1")
    await house.settle()
    assert "You have a seat here" in page.text and "Ben" in house.public()
    assert "Others wait here" not in (await house.cleo.command(house.yard, "play")).text  # it is full
    late = await house.cleo.forge(games, "cb:0:0:play-join:1")
    assert "Nobody gathers" in late.text


async def test_a_seat_that_is_kept_is_offered_to_nobody_else(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    assert "Others wait here" not in (await house.cleo.command(house.yard, "play")).text
    await house.ben.press(await house.ben.command(house.yard, "play"), label="Join table 1")
    await house.settle()
    assert "to push" in house.public()


async def test_the_door_leads_to_the_rules_and_back(house: House):
    game = await house.ann.press(await house.ann.command(house.yard, "play"), label="Prison Break")
    assert "What shall we play?" in (await house.ann.press(game, label="◀ All games")).text
    rules = await house.ann.press(await house.ann.press(game, label="Prison Break"), label="Rules")
    assert "Prison Break" in rules.text
    door = await house.ann.press(rules, label="Play")
    assert {"Play the Trainee", "Rules"} <= {part.get("label") for part in UserClient.buttons(door)}


async def test_forged_presses_at_the_door_open_nothing(house: House):
    games = await house.ann.command(house.yard, "play")
    verbs = ("play:chess", "play-computer:rope_wall.god", "play-computer:chess.rookie", "play-open:", "play-join:9")
    for verb in verbs:
        answer = await house.ann.forge(games, f"cb:0:0:{verb}")
        assert "`/play`" in answer.text or "</play:" in answer.text
    await house.settle()
    assert not house.client.tables.registry.awake()


async def test_a_page_of_the_door_works_after_a_restart(house: House):
    game = await house.ann.press(await house.ann.command(house.yard, "play"), label="Breakout: the Rope Wall")
    await house.restart()
    await house.ann.press(game, label="Play the Master")
    await house.settle()
    assert "to push" in house.public()


async def test_help_points_to_the_door(house: House):
    answer = await house.ben.command(house.yard, "help")
    assert "/play" in answer.text
    assert "What shall we play?" in (await house.ben.press(answer, label="Play")).text


async def test_help_tells_of_the_office_only_who_may_use_it(house: House):
    house.sandbox.join(house.cleo, house.guild, house.sandbox.add_role(house.guild, "Moderators", "MANAGE_MESSAGES"))
    for person, used in ((house.ann, {"/doctor", "/admin end"}), (house.cleo, {"/admin end"}), (house.ben, set())):
        told = (await person.command(house.yard, "help")).text
        assert {name for name in ("/doctor", "/admin end") if name in told} == used and "/leaderboard" in told


async def test_help_opens_the_rules_of_the_game_that_is_chosen(house: House):
    answer = await house.ben.command(house.yard, "help")
    rules = await house.ben.press(answer, "cb:0:0:rules:", values=["match_five"])
    assert "Match Five" in rules.text and "What shall" not in rules.text
    wrong = await house.ben.forge(answer, "cb:0:0:rules:", ["chess"], 3)
    assert "no rules of that name" in wrong.text


async def test_the_games_come_before_what_moderators_use(house: House):
    order = [command["name"] for command in house.sandbox.commands()]
    games = [screen.command for screen in house.client.tables.screens.values()]
    assert order[: len(games) + 1] == ["play", *games]


async def test_a_list_of_tables_tells_how_many_seats_of_one_that_gathers_are_taken(house: House):
    await house.ann.command(house.yard, "break-out start")
    await house.press(house.ben, "Join")
    listed = await house.ann.command(house.yard, "tables")
    assert "gathering, 2 of 6 seats taken" in listed.text
