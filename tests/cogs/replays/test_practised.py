"""Practice games are looked at again and proved by whoever played them, wherever they ask, and by nobody else."""

import random
from typing import Any

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.registry import GAMES
from engine.contract import Seat
from sandbox import UserClient
from tests.cogs.core.tables.sittings import step
from tests.cogs.general.test_practice import practised
from tests.cogs.replays.test_replays import file_of
from tools.harness.bot_harness import House

WALL = GAMES[0]


async def ended(house: House, package: GamePackage = WALL, who: UserClient | None = None) -> dict[str, Any]:
    """A practice game at table 1 that is over: the message with its end."""
    person, dice, at = who or house.ann, random.Random(1), house.hands.now()
    await practised(house, person, package.game.title)
    live = house.session().table
    while live.snapshot.playing:
        at = await step(live, dice, at)
    house.session().table.announce(visible=False)
    await house.settle()
    return person.dms()[-1]


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
async def test_its_end_leads_to_a_replay_and_a_proof_and_stays(house: House, package: GamePackage):
    end = await ended(house, package)
    replay = await house.ann.press(end, label="Replay")
    assert "Replay of table 1" in replay.text and "moment 0 of" in replay.text
    proof = await house.ann.press(end, label="Verify")
    await house.sandbox.until(lambda: "Proved" in proof.text)
    assert "Play again" in [part.get("label") for part in UserClient.buttons(house.sandbox.message(end["id"]) or {})]


async def test_it_is_found_by_command_in_the_direct_messages(house: House):
    await ended(house)
    offered = await house.ann.choices(house.ann.dm, "replay", focus="table")
    assert [one["value"] for one in offered] == [1] and "Rope Wall" in offered[0]["name"]
    page = await house.ann.command(house.ann.dm, "replay", table=1)
    assert "Replay of table 1" in page.text
    body = await file_of(house, await house.press(house.ann, "Export", page))
    assert b'"seed"' in body
    proof = await house.ann.command(house.ann.dm, "verify", table=1)
    await house.sandbox.until(lambda: "Proved" in proof.text)


async def test_nobody_else_sees_it_anywhere(house: House):
    end = await ended(house)
    replay = next(part["custom_id"] for part in UserClient.buttons(end) if part.get("label") == "Replay")
    assert await house.ben.choices(house.ben.dm, "verify", focus="table") == []
    for place in (house.ben.dm, house.yard):
        for command in ("replay", "verify"):
            told = await house.ben.command(place, command, table=1)
            assert "There is no" in told.text and "Replay of" not in told.text
    door = await house.ben.command(house.ben.dm, "play")
    assert "There is no" in (await house.ben.forge(door, replay)).text


async def test_a_servers_game_is_not_looked_at_from_direct_messages(house: House):
    await house.two_at_the_wall()
    await house.finish(house.ann, house.ben)
    told = await house.ann.command(house.ann.dm, "replay", table=1)
    assert "looked at there" in told.text


async def test_whoever_installed_the_bot_looks_at_theirs_where_it_is_not(house: House):
    elsewhere = house.sandbox.add_guild("Elsewhere", with_bot=False)
    lobby = house.sandbox.add_channel(elsewhere, "lobby")
    dora = house.sandbox.add_person("Dora", elsewhere)
    dora.install()
    door = await dora.press(await dora.command(lobby, "play"), label=WALL.game.title)
    await dora.press(door, label="Play the Trainee")
    await house.settle()
    live, dice, at = house.session().table, random.Random(1), house.hands.now()
    while live.snapshot.playing:
        at = await step(live, dice, at)
    assert live.snapshot.seat_of(int(dora.id)) == Seat(0)
    proof = await dora.command(lobby, "verify", table=1)
    await house.sandbox.until(lambda: "Proved" in proof.text)
    assert "Replay of table 1" in (await dora.command(lobby, "replay", table=1)).text
