"""Practice games can be replayed and verified by their players anywhere, and by nobody else."""

import random
from typing import Any

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.registry import GAMES
from engine.contract import Seat
from sandbox import UserClient
from tests.cogs.core.tables.live_tables import step
from tests.cogs.general.test_practice import practised
from tests.cogs.replays.test_replays import file_of
from tools.harness.bot_harness import BotHarness

WALL = GAMES[0]


async def ended(harness: BotHarness, package: GamePackage = WALL, who: UserClient | None = None) -> dict[str, Any]:
    """Return a practice game at table 1 that is over: the message with its end."""
    person, dice, at = who or harness.ann, random.Random(1), harness.clock.now()
    await practised(harness, person, package.game.title)
    live = harness.messages().table
    while live.snapshot.playing:
        at = await step(live, dice, at)
    harness.messages().table.announce(visible=False)
    await harness.settle()
    return person.dms()[-1]


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
async def test_its_end_leads_to_a_replay_and_a_proof_and_stays(harness: BotHarness, package: GamePackage):
    end = await ended(harness, package)
    replay = await harness.ann.press(end, label="Replay")
    assert "Replay of table 1" in replay.text and "move 0 of" in replay.text
    proof = await harness.ann.press(end, label="Verify")
    await harness.sandbox.until(lambda: "Proved" in proof.text)
    assert "Play again" in [part.get("label") for part in UserClient.buttons(harness.sandbox.message(end["id"]) or {})]


async def test_it_is_found_by_command_in_the_direct_messages(harness: BotHarness):
    await ended(harness)
    offered = await harness.ann.choices(harness.ann.dm, "replay", focus="table")
    assert [one["value"] for one in offered] == [1] and "Rope Wall" in offered[0]["name"]
    page = await harness.ann.command(harness.ann.dm, "replay", table=1)
    assert "Replay of table 1" in page.text
    body = await file_of(harness, await harness.press(harness.ann, "Export", page))
    assert b'"seed"' in body
    proof = await harness.ann.command(harness.ann.dm, "verify", table=1)
    await harness.sandbox.until(lambda: "Proved" in proof.text)


async def test_nobody_else_sees_it_anywhere(harness: BotHarness):
    end = await ended(harness)
    replay = next(part["custom_id"] for part in UserClient.buttons(end) if part.get("label") == "Replay")
    assert await harness.ben.choices(harness.ben.dm, "verify", focus="table") == []
    for place, words in ((harness.ben.dm, "You have no practice game"), (harness.yard, "There's no table 1")):
        for command in ("replay", "verify"):
            told = await harness.ben.command(place, command, table=1)
            assert words in told.text and "Replay of" not in told.text
    door = await harness.ben.command(harness.ben.dm, "play")
    assert "You have no practice game" in (await harness.ben.forge(door, replay)).text


async def test_a_servers_game_is_not_looked_at_from_direct_messages(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.finish(harness.ann, harness.ben)
    told = await harness.ann.command(harness.ann.dm, "replay", table=1)
    assert "on that server" in told.text


async def test_a_person_who_installed_the_bot_looks_at_theirs_where_it_is_not(harness: BotHarness):
    elsewhere = harness.sandbox.add_guild("Elsewhere", with_bot=False)
    lobby = harness.sandbox.add_channel(elsewhere, "lobby")
    dora = harness.sandbox.add_person("Dora", elsewhere)
    dora.install()
    door = await dora.press(await dora.command(lobby, "play"), label=WALL.game.title)
    await dora.press(door, label="vs Trainee · practice")
    await harness.settle()
    live, dice, at = harness.messages().table, random.Random(1), harness.clock.now()
    while live.snapshot.playing:
        at = await step(live, dice, at)
    assert live.snapshot.seat_of(int(dora.id)) == Seat(0)
    proof = await dora.command(lobby, "verify", table=1)
    await harness.sandbox.until(lambda: "Proved" in proof.text)
    assert "Replay of table 1" in (await dora.command(lobby, "replay", table=1)).text
