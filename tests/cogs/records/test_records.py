"""Leaderboards, statistics and histories through the whole bot on the sandbox."""

import asyncio
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from cogs.records import Records
from cogs.records.leaderboard_updater import LeaderboardUpdater
from cogs.records.ratings import standings_after
from cogs.registry import GAMES
from data.store import DiskFull
from engine.standings import Leaderboard
from sandbox import PATIENCE_S, ActionResult, UserClient, walk
from tests.data.conftest import NOON
from tests.data.finished import played
from tools.harness.bot_harness import BotHarness

DAY_MS = 86_400_000


async def finish(harness: BotHarness, *users: UserClient | None, **more: object) -> int:
    """Store a game of the Rope Wall that these people (None: a computer) have just finished at the yard."""
    ids = [None if user is None else int(user.id) for user in users]
    more.setdefault("minutes", (harness.clock.now() - NOON) // 60_000)
    guild, channel = int(harness.guild.id), int(harness.yard.id)
    return await played(harness.client.store, *ids, guild=guild, channel=channel, **more)  # type: ignore[arg-type]


def upkeep(harness: BotHarness) -> LeaderboardUpdater:
    cog = harness.client.get_cog("Records")
    assert isinstance(cog, Records)
    return cog._updater


def change(harness: BotHarness, sql: str, *values: object) -> None:
    """Change the database behind the bot's back, as another cog would."""
    with closing(sqlite3.connect(harness.database)) as db:
        db.execute(sql, values)
        db.commit()


async def board(harness: BotHarness, who: UserClient, **options: str) -> ActionResult:
    upkeep(harness).patience_s = PATIENCE_S
    return await who.command(harness.yard, "leaderboard", game="rope_wall", **options)


async def real_game(harness: BotHarness) -> None:
    """Play the Rope Wall as Ann and Ben: each pushes once, then the player to act resigns."""
    await harness.two_at_the_wall()
    await harness.push()
    await harness.push()
    await harness.resign(harness.awaited())
    await harness.settle()


async def test_a_finished_game_is_on_the_leaderboard_once_also_after_a_restart(harness: BotHarness):
    await real_game(harness)
    for _ in range(2):
        shown = await board(harness, harness.ann)
        assert shown.message["flags"] & 64  # visible only to the person who asked
        assert shown.text.count("1 of 5 placement games") == 3  # Ann, Ben, and Ann's own line
        await harness.restart()


async def test_a_bot_that_stops_between_the_end_of_a_game_and_any_look_at_it_loses_nothing(harness: BotHarness):
    await real_game(harness)
    await harness.restart()
    assert "1 of 5 placement games" in (await board(harness, harness.ben)).text
    assert "placement games" not in (await board(harness, harness.cleo, board="casual")).text


async def test_a_game_against_the_computer_is_on_the_other_board(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    await harness.resign(harness.ann)
    await harness.settle()
    assert "No rated players yet" in (await board(harness, harness.ann, board="ranked")).text
    assert "1 of 5 placement games" in (await board(harness, harness.ann, board="casual")).text


@pytest.mark.parametrize("ranked", [False, True])
async def test_the_leaderboard_that_ranks_the_user_is_shown_by_default(harness: BotHarness, ranked: bool):
    assert "Without computers · " in (await board(harness, harness.ann)).text
    if ranked:
        await real_game(harness)
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    await harness.resign(harness.ann)
    await harness.settle()
    for person in (harness.ann, harness.cleo):
        shown = (await board(harness, person)).text
        assert ("Without computers · " in shown) == ranked and ("With computers · " in shown) != ranked


async def test_ranks_ratings_and_records_are_shown_and_nobody_is_mentioned(harness: BotHarness):
    for _ in range(6):
        await finish(harness, harness.ann, harness.ben)
    text = (await board(harness, harness.ben)).text
    first, second = text.index("1. User"), text.index("2. User")
    assert first < second and "(you)" in text[second:]
    assert "±" in text and "6 in a row" in text and "▲ up" in text and "▼ down" in text
    assert "You: 2nd of 2" in text and "<@" not in text


async def test_a_board_grows_while_it_is_looked_at(harness: BotHarness):
    await finish(harness, harness.ann, harness.ben)
    assert "1 of 5 placement games" in (await board(harness, harness.ann)).text
    await finish(harness, harness.ben, harness.ann)
    assert "2 of 5 placement games" in (await board(harness, harness.ann)).text


async def test_a_person_who_asks_is_shown_at_once_what_is_known_while_games_are_being_added_up(harness: BotHarness):
    await finish(harness, harness.ann, harness.ben)
    assert "Updating" not in (await board(harness, harness.ann)).text
    await upkeep(harness).close()
    await finish(harness, harness.ann, harness.ben)
    upkeep(harness).patience_s = 0.0
    for command in ("leaderboard", "stats"):
        shown = await harness.ann.command(harness.yard, command, game="rope_wall")
        assert "1 of 5 placement games" in shown.text and "Updating" in shown.text
    assert "Updating" in (await harness.ann.command(harness.yard, "stats")).text
    upkeep(harness).start()
    shown = await board(harness, harness.ann)
    assert "2 of 5 placement games" in shown.text and "Updating" not in shown.text


async def test_a_result_counts_once_though_the_bot_is_killed_while_it_is_added(harness: BotHarness):
    await upkeep(harness).close()
    for _ in range(3):
        await finish(harness, harness.ann, harness.ben)
    (task,) = await harness.client.store.leaderboards.due()
    step = await harness.client.store.leaderboards.next_batch(task, 2)
    after = standings_after(step.standings, step.games)
    assert await harness.client.store.leaderboards.save(task, step.last, after.values())
    assert not await harness.client.store.leaderboards.save(task, step.last, after.values())
    await harness.restart()
    assert "3 of 5 placement games" in (await board(harness, harness.ann)).text
    await harness.restart()
    assert "3 of 5 placement games" in (await board(harness, harness.ann)).text


async def test_a_full_disk_holds_the_leaderboards_up_until_there_is_room_again(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr("cogs.records.leaderboard_updater.RETRY_S", 0.0)
    await finish(harness, harness.ann, harness.ben)
    assert "1 of 5 placement games" in (await board(harness, harness.ann)).text
    keep, refused = harness.client.store.leaderboards.save, asyncio.Event()

    async def full(*arguments: object) -> bool:
        if len(tried) >= 3:
            refused.set()
        tried.append(arguments)
        raise DiskFull("The database could not be written: make room on its disk.")

    tried: list[object] = []
    monkeypatch.setattr(harness.client.store.leaderboards, "save", full)
    await finish(harness, harness.ann, harness.ben)
    await refused.wait()
    said = [message for message in caplog.messages if "cannot be brought up to date" in message]
    assert len(said) == 1 and "make room" in said[0]
    monkeypatch.setattr(harness.client.store.leaderboards, "save", keep)
    assert "2 of 5 placement games" in (await board(harness, harness.ann)).text


async def test_a_deleted_user_leaves_the_leaderboard_at_once_and_other_ratings_follow(harness: BotHarness):
    for _ in range(6):
        await finish(harness, harness.ann, harness.ben)
    assert "You: 2nd of 2" in (await board(harness, harness.ben)).text
    before = (await board(harness, harness.ben)).text
    await upkeep(harness).close()
    await harness.client.tables.leaving.forget(int(harness.ann.id))
    upkeep(harness).patience_s = 0.0
    shown = await harness.ben.command(harness.yard, "leaderboard", game="rope_wall")
    assert "You: 1st of 1" in shown.text and "Updating" in shown.text
    upkeep(harness).start()
    after = (await board(harness, harness.ben)).text
    assert "Updating" not in after and after != before
    strangers = standings_after(
        {},
        [*await harness.client.store.records.ended(Leaderboard(int(harness.guild.id), "rope_wall", "ranked"), most=9)],
    )
    assert f"**{strangers[int(harness.ben.id)].rating}**" in after


async def test_the_hidden_leave_the_board_and_the_others_move_up(harness: BotHarness):
    for _ in range(5):
        await finish(harness, harness.ann, harness.ben)
    change(harness, "INSERT INTO hidden_users VALUES (?)", int(harness.ann.id))
    assert "You: 1st of 1" in (await board(harness, harness.ben)).text
    assert "hidden from leaderboards" in (await board(harness, harness.ann)).text
    for command in ("stats", "history"):
        assert "keeps their games private" in (await harness.ben.command(harness.yard, command, user=harness.ann)).text
        assert "keeps their games private" not in (await harness.ann.command(harness.yard, command)).text


async def test_results_that_were_changed_are_recomputed(harness: BotHarness):
    await finish(harness, harness.ann, harness.ben)
    assert "1 of 5 placement games" in (await board(harness, harness.ben)).text
    change(harness, "UPDATE results SET user = NULL WHERE user = ?", int(harness.ben.id))
    shown = (await board(harness, harness.ben)).text
    assert "You** have no game" in shown and shown.count("1 of 5 placement games") == 1


async def test_seasons_follow_the_calendar_and_the_servers_setting(harness: BotHarness):
    now = harness.clock.now()
    await finish(harness, harness.ann, harness.ben, minutes=(now - 32 * DAY_MS - NOON) // 60_000)
    assert "No rated players" in (await board(harness, harness.ann, period="season")).text
    assert "1 of 5 placement games" in (await board(harness, harness.ann, period="all")).text
    change(harness, "INSERT INTO settings VALUES (?, 'season_months', '12')", int(harness.guild.id))
    this = (await board(harness, harness.ann, period="season")).text
    last = (await board(harness, harness.ann, period="last")).text
    assert ("1 of 5 placement games" in this) != ("1 of 5 placement games" in last)
    assert "Jan – Dec" in this and "Jan – Dec" in last


async def test_a_leaderboard_is_leafed_through_and_switched_with_its_buttons(harness: BotHarness):
    for user in range(100, 124, 2):
        await played(harness.client.store, user, user + 1, guild=int(harness.guild.id))
    await finish(harness, harness.ann, harness.ben)
    shown = await board(harness, harness.ann)
    assert "1 of 3" in labels(shown)
    for label, here in (("Next ▶", "2 of 3"), ("Next ▶", "3 of 3"), ("◀ Previous", "2 of 3")):
        shown = await harness.ann.press(shown, label=label)
        assert shown.type == 7 and here in labels(shown)
    mine = await harness.ann.press(await board(harness, harness.ann), label="My rank")
    assert "(you)" in mine.text
    casual = await harness.ann.press(mine, label="With computers")
    assert "No rated players yet" in casual.text
    assert "All time" not in enabled(casual) and "Without computers" in enabled(casual)
    menu = next(part for part in UserClient.buttons(casual) if part["type"] == 3)
    other = await harness.ann.press(casual, menu["custom_id"], values=["ausbrecher"])
    assert "Ausbrecher" in other.text


def labels(answer: ActionResult) -> list[str]:
    return [part.get("label", "") for part in UserClient.buttons(answer)]


def enabled(answer: ActionResult) -> list[str]:
    return [part.get("label", "") for part in UserClient.buttons(answer) if not part.get("disabled")]


async def test_forged_controls_of_records_come_to_a_sentence(harness: BotHarness):
    shown = await board(harness, harness.ann)
    for name in ("leaderboard:rope_wall.all.none.0.x", "stats:x..", "stats:1.chess.", "history:x.0", "history:1"):
        answer = await harness.ann.forge(shown, f"cb:0:0:{name}", component_type=2)
        assert "doesn't exist" in answer.text or "don't exist" in answer.text or "no game called" in answer.text, name


async def test_an_unknown_game_is_refused_with_a_list_of_games(harness: BotHarness):
    answer = await harness.ann.command(harness.yard, "leaderboard", game="chess")
    assert "no game called “chess”" in answer.text and "Rope Wall" in answer.text
    offered = await harness.ann.choices(harness.yard, "leaderboard", focus="game", game="rope")
    assert [choice["value"] for choice in offered] == ["rope_wall"]


async def overview(harness: BotHarness, who: UserClient, **options: Any) -> ActionResult:
    upkeep(harness).patience_s = PATIENCE_S
    return await who.command(harness.yard, "stats", **options)


def picture_of(answer: ActionResult) -> Any:
    """Return the only picture of a page."""
    (gallery,) = [part for part in walk(answer.message["components"]) if part["type"] == 12]
    (picture,) = gallery["items"]
    return picture


async def test_statistics_open_with_all_games_and_a_button_leads_to_each_and_back(harness: BotHarness):
    for places in ((2, 1), (1, 2), (1, 2)):
        await finish(harness, harness.ann, harness.ben, places=places)
    await finish(harness, harness.ann, None)
    await harness.client.store.progress.finish_lesson(int(harness.ann.id), "match_five", harness.clock.now())
    shown = await overview(harness, harness.ann)
    picture = picture_of(shown)
    assert "overview.png" in picture["media"]["url"]
    told = picture["description"]
    assert "4 games, 3 wins, 3 in a row, 1/5 lessons, 0 puzzles, 0/20 badges" in told
    assert "Breakout: the Rope Wall: 4 played, 3 won, rating 3/5 (placement), last places 2nd, 1st, 1st, 1st." in told
    assert "Match Five: 0 played, 0 won" in told
    assert labels(shown)[:5] == [package.game.title for package in GAMES]
    game = await harness.ann.press(shown, label="Breakout: the Rope Wall")
    assert "**Without computers**" in game.text and "statistics.png" in picture_of(game)["media"]["url"]
    back = await harness.ann.press(game, label="◀ All games")
    assert picture_of(back)["description"] == told


async def test_finished_lessons_are_in_the_users_own_overview_only(harness: BotHarness):
    await finish(harness, harness.ann, harness.ben)
    told = picture_of(await overview(harness, harness.ben, user=harness.ann))["description"]
    assert "1 game, 1 win, 1 in a row." in told and "lesson" not in told and "puzzle" not in told


async def test_an_overview_leaves_out_what_happened_on_other_servers(harness: BotHarness):
    await played(harness.client.store, int(harness.ann.id), int(harness.ben.id), guild=int(harness.guild.id) + 1)
    assert "0 games, 0 wins" in picture_of(await overview(harness, harness.ann))["description"]


async def test_a_rating_from_games_with_computers_is_marked_as_one(harness: BotHarness):
    await finish(harness, harness.ann, None)
    assert "with computers" in picture_of(await overview(harness, harness.ann))["description"]
    await finish(harness, harness.ann, harness.ben)
    assert "with computers" not in picture_of(await overview(harness, harness.ann))["description"]


async def test_statistics_show_a_picture_the_rank_and_whom_one_has_met(harness: BotHarness):
    for _ in range(5):
        await finish(harness, harness.ann, harness.ben)
    await finish(harness, harness.ann, None)
    shown = await harness.ann.command(harness.yard, "stats", game="rope_wall")
    assert "**Without computers**" in shown.text and "1st of 2" in shown.text
    assert "**With computers** · 1 of 5 placement games" in shown.text
    assert "5 won, 0 lost" in shown.text
    picture = picture_of(shown)
    assert "statistics.png" in picture["media"]["url"] and "5 won, 0 drawn, 0 lost" in picture["description"]
    games = await harness.ann.press(shown, label="Games played")
    assert "6 finished games" in games.text and "with computers" in games.text and "· rated" in games.text


async def test_two_people_are_compared(harness: BotHarness):
    await finish(harness, harness.ann, harness.ben)
    await finish(harness, harness.ben, harness.ann)
    await finish(harness, harness.ann, harness.ben, places=(1, 1))
    shown = await harness.cleo.command(harness.yard, "stats", user=harness.ann, against=harness.ben)
    assert "1 won, 1 drawn, 1 lost" in shown.text and "Last games together" in shown.text
    assert "Choose two different people" in (await harness.ann.command(harness.yard, "stats", against=harness.ann)).text
    strangers = (await harness.ann.command(harness.yard, "stats", against=harness.cleo)).text
    assert "**Ann** against **Cleo**" in strangers and "haven't played each other" in strangers


async def test_a_user_without_games_reads_so(harness: BotHarness):
    asked = {"user": harness.cleo}
    assert "hasn't finished a game" in (await harness.ann.command(harness.yard, "stats", **asked)).text
    assert "0 finished games" in (await harness.cleo.command(harness.yard, "history")).text


async def test_a_history_is_paged_and_links_to_the_tables(harness: BotHarness):
    await real_game(harness)
    for _ in range(9):
        await finish(harness, harness.ann, harness.ben)
    shown = await harness.ann.command(harness.yard, "history")
    assert "10 finished games" in shown.text and "table 10" in shown.text and "1 of 2" in labels(shown)
    older = await harness.ann.press(shown, label="Next ▶")
    message = harness.snapshot().row.message
    assert f"[table 1](https://discord.com/channels/{harness.guild.id}/{harness.yard.id}/{message})" in older.text


async def test_records_belong_to_their_server(harness: BotHarness):
    await played(harness.client.store, int(harness.ann.id), int(harness.ben.id), guild=int(harness.guild.id) + 1)
    assert "No rated players yet" in (await board(harness, harness.ann)).text
    assert "0 finished games" in (await harness.ann.command(harness.yard, "history")).text


async def test_a_verb_has_one_answer(harness: BotHarness):
    async def answer(*_: object) -> None: ...

    for verb in ("leaderboard", "rules", "join"):
        with pytest.raises(ValueError, match="served already"):
            harness.client.inbound.router.add_handler(verb, answer)


async def test_games_in_a_channel_that_the_reader_does_not_see_are_in_no_history_and_no_comparison(harness: BotHarness):
    await real_game(harness)
    hall = harness.sandbox.add_channel(harness.guild, "hall")
    asked = {"user": harness.ann}
    assert "table 1" in (await harness.cleo.command(hall, "history", **asked)).text
    assert "table 1" in (await harness.cleo.command(hall, "stats", user=harness.ann, against=harness.ben)).text
    harness.sandbox.deny(harness.yard, "view_channel", who=harness.cleo)
    await harness.settle()
    shown = (await harness.cleo.command(hall, "history", **asked)).text
    assert "0 finished games" in shown and "table 1" not in shown
    compared = (await harness.cleo.command(hall, "stats", user=harness.ann, against=harness.ben)).text
    assert "table 1" not in compared and "Last games together" not in compared
    assert "table 1" in (await harness.ben.command(hall, "history", **asked)).text


async def test_games_in_a_deleted_channel_are_in_their_players_own_history_only(harness: BotHarness):
    await finish(harness, harness.ben, harness.cleo)
    court = harness.sandbox.add_channel(harness.guild, "court")
    harness.sandbox.remove_channel(harness.yard)
    await harness.sandbox.until(lambda: harness.client.get_channel(int(harness.yard.id)) is None)
    assert "table 1" in (await harness.ben.command(court, "history")).text
    assert "table 1" not in (await harness.cleo.command(court, "history", user=harness.ben)).text
