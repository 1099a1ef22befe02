"""Practice: whole games in a direct message with the bot, after restarts, and for people who installed the bot for
themselves.
"""

import random
from typing import Any

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.core.tables import moves
from cogs.core.tables.changes import SLEEPS_FOR_MS
from cogs.general.play import OUTSIDE_SERVERS
from cogs.registry import GAMES
from data.store import NO_SERVER
from engine.contract import Seat
from sandbox import ActionResult, Refused, UserClient
from tests.cogs.core.tables.live_tables import step
from tools.harness.bot_harness import BotHarness

MOVES = {
    *("push", "sneak", "decline", "pass", "vote", "dice", "move"),
    *("replace", "give", "bet", "draft", "lay", "next", "ready"),
}
"""Verbs of the games' controls that make a move, or lead to one."""


async def practised(harness: BotHarness, who: UserClient, title: str, level: str = "Trainee") -> ActionResult:
    """Start a practice game in direct messages with three presses."""
    door = await who.command(who.dm, "play")
    page = await who.press(await who.press(door, label=title), label=f"vs {level} · practice")
    await harness.settle()
    return page


async def mine(harness: BotHarness, who: UserClient, table: int = 1) -> bool:
    """Let the computers move until it is the person's turn. Return True if the game goes on."""
    for _ in range(200):
        live = harness.messages(table).table
        if not live.snapshot.playing:
            return False
        seat = live.snapshot.seat_of(int(who.id))
        pause = getattr(live.snapshot.view(None), "interlude", None)
        if seat in live.snapshot.view(None).to_act or (pause is not None and seat not in pause.ready):
            return True
        await harness.advance(2_500)
    raise AssertionError("nobody moves")


def page_of(harness: BotHarness, who: UserClient) -> dict[str, Any]:
    """Return the bot's newest message in a person's direct messages."""
    return who.dms()[-1]


def texts(message: dict[str, Any]) -> str:
    return UserClient.visible_text(message)


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
async def test_a_whole_practice_game_is_played_in_one_direct_message(harness: BotHarness, package: GamePackage):
    """Two moves are made by presses there; the rest of the game is played without pages, up to its end."""
    game, dice = package.game, random.Random(3)
    first = await practised(harness, harness.ann, game.title)
    session = harness.messages()
    live = session.table
    assert (
        live.snapshot.playing
        and live.snapshot.row.guild == NO_SERVER
        and live.snapshot.options.clock == 0
        and not live.snapshot.ranked
    )
    for _ in range(2):
        assert await mine(harness, harness.ann)
        await _move(harness, page_of(harness, harness.ann), dice)
    assert page_of(harness, harness.ann)["id"] == first.message["id"]
    at = harness.clock.now()
    while live.snapshot.playing:
        at = await step(live, dice, at)
    session.table.announce(visible=False)
    await harness.settle()
    shown = page_of(harness, harness.ann)
    assert "Practice, unrated" in texts(shown) and live.snapshot.row.status == "over" and live.snapshot.results == ()
    assert len(harness.ann.dms()) == 1 and harness.sandbox.messages(harness.yard) == []
    again = await harness.ann.press(shown, label="Play again")
    await harness.settle()
    assert harness.snapshot(2).playing and again.message["id"] == first.message["id"]


async def _move(harness: BotHarness, shown: dict[str, Any], dice: random.Random) -> None:
    """Press controls on a private page, each once before any is repeated, until they have made a move."""
    version, used = harness.snapshot().version, set[str]()
    page: dict[str, Any] | ActionResult = shown
    while harness.snapshot().version == version:
        found = {
            part["label"].split()[0]: part["custom_id"]
            for part in UserClient.buttons(page)
            if part["type"] == 2 and not part.get("disabled") and part["custom_id"].split(":")[3] in MOVES
        }
        ends = [name for name, control in found.items() if ":lay:" in control or ":give:" in control]
        name = dice.choice(ends or sorted(found.keys() - used) or sorted(found))
        used.add(name)
        page = await harness.ann.press(page, found[name])
        await harness.settle()


async def test_the_page_follows_the_computers_moves(harness: BotHarness):
    await practised(harness, harness.ann, "Breakout: the Rope Wall")
    await mine(harness, harness.ann)
    shown = page_of(harness, harness.ann)
    before = texts(shown)
    await harness.ann.press(shown, harness.controls("push", shown)[0])
    await harness.settle()
    await mine(harness, harness.ann)
    after = texts(page_of(harness, harness.ann))
    assert after != before and "**Trainee** pushed" in after and len(harness.ann.dms()) == 1


async def test_a_page_that_a_player_reads_stays_while_the_computer_moves(harness: BotHarness):
    await practised(harness, harness.ann, "Breakout: the Rope Wall")
    await mine(harness, harness.ann)
    shown = page_of(harness, harness.ann)
    more = await harness.ann.press(await harness.ann.press(shown, harness.controls("push", shown)[0]), label="More …")
    await harness.settle()
    await mine(harness, harness.ann)
    assert texts(page_of(harness, harness.ann)) == more.text
    back = await harness.ann.press(more, label="◀ Back to the game")
    assert "**Trainee** pushed" in back.text


async def test_practice_goes_on_after_a_restart_and_after_a_crash(harness: BotHarness):
    await practised(harness, harness.ann, "Breakout: the Rope Wall", "Master")
    await mine(harness, harness.ann)
    shown = page_of(harness, harness.ann)
    await harness.restart(away_ms=60_000)
    await harness.ann.press(shown, harness.controls("push", shown)[0])
    version = harness.snapshot().version
    await harness.kill()
    await harness.start()
    for _ in range(4):
        await harness.advance(3_000)  # the computer's move happens automatically
    live = harness.messages().table
    assert (
        live.snapshot.version > version
        and live.snapshot.seat_of(int(harness.ann.id)) in live.snapshot.view(None).to_act
    )
    shown = page_of(harness, harness.ann)
    assert "**Master** pushed" in texts(shown) and len(harness.ann.dms()) == 1
    await harness.ann.press(shown, harness.controls("push", shown)[0])
    assert live.snapshot.version > version + 1


async def test_a_game_under_way_is_found_again_by_play(harness: BotHarness):
    await practised(harness, harness.ann, "Prison Break")
    await harness.ann.say(harness.ann.dm, "what was I doing?")
    door = await harness.ann.command(harness.ann.dm, "play")
    assert "Your practice games" in door.text
    page = await harness.ann.press(door, label="Continue: Prison Break")
    assert "Practice, unrated" in page.text
    assert "Your practice games" not in (await harness.ben.command(harness.ben.dm, "play")).text
    told = await harness.ben.forge(page, "cb:0:0:practise-on:1")
    assert "That game is over" in told.text


async def test_a_half_made_move_is_still_there_when_play_leads_back_to_the_game(harness: BotHarness):
    page = await practised(harness, harness.ann, "Ausbrecher AG (Break Out Ltd)")
    await harness.ann.press(page, label="Red")
    door = await harness.ann.command(harness.ann.dm, "play")
    page = await harness.ann.press(door, label="Continue: Ausbrecher AG (Break Out Ltd)")
    assert "Your forecast (not submitted)" in page.text


async def test_a_practice_game_is_ended_by_its_player(harness: BotHarness):
    page = await practised(harness, harness.ann, "Match Five")
    asked = await harness.press(harness.ann, "End the game", await harness.ann.press(page, label="More …"))
    assert "can't resume it later" in asked.text
    await harness.ann.press(asked, label="End it")
    await harness.settle()
    assert harness.snapshot().row.status == "closed"
    assert "Game ended." in texts(page_of(harness, harness.ann))
    await harness.ann.press(page_of(harness, harness.ann), label="Play again")
    await harness.settle()
    assert harness.snapshot(2).playing


async def test_nobody_has_more_practice_games_than_three(harness: BotHarness):
    for _ in range(3):
        await practised(harness, harness.ann, "Prison Break")
    told = await practised(harness, harness.ann, "Prison Break")
    assert "You already have 3 unfinished practice games" in told.text
    await practised(harness, harness.ben, "Prison Break")
    assert harness.snapshot(4).playing  # others are not in the way
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie")
    await harness.settle()
    assert harness.snapshot(5).playing  # nor are the tables on a server


async def test_a_practice_game_in_which_nobody_moves_is_given_up_after_a_week(harness: BotHarness):
    await practised(harness, harness.ann, "Breakout: the Rope Wall")
    await mine(harness, harness.ann)
    await harness.advance(SLEEPS_FOR_MS - 60_000)
    assert (await harness.client.inbound.finder.find(1)).table.snapshot.playing
    await harness.advance(120_000)
    assert (await harness.client.inbound.finder.find(1)).table.snapshot.row.status == "closed"


async def test_on_a_server_practice_moves_to_the_direct_messages(harness: BotHarness):
    door = await harness.ann.press(await harness.ann.command(harness.yard, "play"), label="Prison Break")
    page = await harness.ann.press(door, label="Practise in DMs")
    told = await harness.ann.press(page, label="vs Trainee · practice")
    await harness.settle()
    assert "in our DMs" in told.text
    assert "Practice, unrated" in texts(page_of(harness, harness.ann))
    assert [one for one in harness.sandbox.messages(harness.yard) if not one["flags"] & 64] == []
    assert harness.ann.notices[-1]["kind"] == "dm"


async def test_a_person_who_takes_no_direct_messages_practises_on_a_panel(harness: BotHarness):
    harness.ann.dms_open = False
    door = await harness.ann.press(await harness.ann.command(harness.yard, "play"), label="Breakout: the Rope Wall")
    page = await harness.ann.press(
        await harness.ann.press(door, label="Practise in DMs"), label="vs Trainee · practice"
    )
    await harness.settle()
    await mine(harness, harness.ann)
    shown = harness.ann.ephemerals(harness.yard)[-1]
    assert shown["id"] == page.message["id"] and harness.controls("push", shown)
    await harness.ann.press(shown, harness.controls("push", shown)[0])
    await harness.settle()
    await mine(harness, harness.ann)
    assert "**Trainee** pushed" in texts(harness.ann.ephemerals(harness.yard)[-1])
    assert [one for one in harness.sandbox.messages(harness.yard) if not one["flags"] & 64] == []


async def test_nobody_else_gets_at_a_practice_game(harness: BotHarness):
    page = await practised(harness, harness.ann, "Breakout: the Rope Wall")
    await mine(harness, harness.ann)
    live = harness.messages().table
    version, control = live.snapshot.version, harness.controls("push", page_of(harness, harness.ann))[0]
    for person, channel in ((harness.ben, harness.yard), (harness.cleo, harness.cleo.dm)):
        seen = await person.command(channel, "play")
        for name in (control, "cb:1:0:hand:", "cb:1:0:join:", "cb:1:0:leave-sure:", "cb:1:0:text:"):
            told = await person.forge(seen, name)
            assert "This table is gone" in told.text
    assert live.snapshot.version == version and page.message["id"] == page_of(harness, harness.ann)["id"]


async def test_practice_is_in_nobodys_records(harness: BotHarness):
    await practised(harness, harness.ann, "Breakout: the Rope Wall")
    dice = random.Random(5)
    while await mine(harness, harness.ann):
        live = harness.messages().table
        seat = live.snapshot.seat_of(int(harness.ann.id)) or Seat(0)
        if seat in live.snapshot.view(None).to_act:
            await harness.messages().table.act(
                moves.move, seat, dice.choice(live.snapshot.legal(seat)), harness.clock.now()
            )
        await harness.advance(21_000)
    for command, options in (("leaderboard", {"game": "rope_wall"}), ("stats", {}), ("history", {})):
        answer = await harness.ann.command(harness.yard, command, **options)
        assert "Trainee" not in answer.text and "table 1" not in answer.text
    for person, finished in ((harness.ann, 1), (harness.ben, 0)):
        history = await person.command(harness.yard, "history")
        own = await person.press(history, label="Practice games")
        assert f"{finished} finished game" in own.text and own.message["flags"] & 64
        assert ("Trainee" in own.text and "table 1" in own.text and "· practice" in own.text) == bool(finished)
        assert "finished games on this server" in (await person.press(own, label="◀ Games on this server")).text
    other = await harness.ben.command(harness.yard, "history", user=harness.ann)
    assert "Practice games" not in [part.get("label") for part in UserClient.buttons(other)]
    forged = await harness.ben.forge(other, "cb:0:0:practice-history:-1.x")
    assert "doesn't exist" in forged.text
    exported = await harness.ann.command(harness.ann.dm, "privacy export")
    assert exported.message["attachments"]  # the person may read their own stored data


async def test_a_person_who_is_forgotten_leaves_no_practice_behind(harness: BotHarness):
    await practised(harness, harness.ann, "Prison Break")
    await harness.ann.press(await harness.ann.command(harness.ann.dm, "privacy delete"), label="Delete it all")
    await harness.settle()
    session = await harness.client.inbound.finder.find(1)
    assert session.table.snapshot.row.status == "closed" and session.table.snapshot.seat_of(int(harness.ann.id)) is None


# People who have installed the bot for themselves


async def test_a_person_who_installed_the_bot_practises_where_it_is_not(harness: BotHarness):
    away = harness.sandbox.add_guild("Sing Sing", with_bot=False)
    hall = harness.sandbox.add_channel(away, "hall")
    dora = harness.sandbox.add_person("Dora", away)
    with pytest.raises(Refused):
        await dora.command(hall, "play")
    dora.install()
    offered = {"play", "learn", "puzzle", "rules", "help", "replay", "review", "verify", "language"}
    assert set(dora.commands(hall)) == offered
    door = await dora.command(hall, "play")
    game = await dora.press(door, label="Breakout: the Rope Wall")
    assert "Open a table" not in game.text and OUTSIDE_SERVERS in game.text
    page = await dora.press(game, label="vs Trainee · practice")
    await harness.settle()
    live = harness.messages().table
    while live.snapshot.seat_of(int(dora.id)) not in live.snapshot.view(None).to_act:
        await harness.advance(2_000)
    shown = dora.ephemerals(hall)[-1]
    assert shown["id"] == page.message["id"]
    await dora.press(shown, harness.controls("push", shown)[0])
    await harness.settle()
    await harness.advance(4_000)
    assert "**Trainee** pushed" in texts(dora.ephemerals(hall)[-1])
    assert all(one["flags"] & 64 for one in harness.sandbox.messages(hall)) and dora.dms() == []


async def test_a_person_who_installed_the_bot_learns_and_reads_rules_anywhere(harness: BotHarness):
    away = harness.sandbox.add_guild("Sing Sing", with_bot=False)
    hall = harness.sandbox.add_channel(away, "hall")
    dora = harness.sandbox.add_person("Dora", away)
    dora.install()
    lesson = await dora.command(hall, "learn", game="rope_wall")
    assert " · 1 of 9" in lesson.text and lesson.message["flags"] & 64
    lesson = await dora.press(await dora.press(lesson, label="Go on ▶"), label="Show me")
    assert " · 2 of 9" in lesson.text
    rules = await dora.command(dora.dm, "rules", game="rope_wall")
    assert "the goal" in rules.text and not rules.message["flags"] & 64  # in the direct messages it stays


async def test_a_lesson_in_the_direct_messages_ends_with_a_game_there(harness: BotHarness):
    lesson = await harness.ann.command(harness.ann.dm, "learn", game="rope_wall")
    for _ in range(30):
        labels = {part.get("label") for part in UserClient.buttons(lesson)}
        if "Practice game" in labels:
            break
        lesson = await harness.ann.press(lesson, label="Go on ▶" if "Go on ▶" in labels else "Show me")
    page = await harness.ann.press(lesson, label="Practice game")
    await harness.settle()
    assert harness.snapshot().practice and page.message["id"] == lesson.message["id"]


async def test_games_of_others_are_not_offered_outside_of_servers(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    door = await harness.ben.command(harness.ben.dm, "play")
    assert "Waiting for players here" not in door.text
    told = await harness.ben.forge(door, "cb:0:0:play-open:rope_wall")
    assert "Tables can only be opened in a server's channels" in told.text
    assert set(harness.ben.commands(harness.ben.dm)) >= {"play", "learn", "rules", "help", "privacy"}
