"""Several processes on one database: each can act at any table, and the process that serves the table shows it."""

import asyncio
import os
import socket
from typing import Any

import msgspec
import pytest

from cogs.core.app.cluster_events import COMPARED_EVERY_MS
from cogs.core.i18n.pseudo import PSEUDO
from cogs.core.i18n.translation import speaking
from cogs.core.ops.process_stats import process_report
from cogs.core.publishing.direct_messages import ANSWERED_WITHIN_MS
from cogs.core.tables.draft_store import SAVED_AFTER_MS
from cogs.core.tables.snapshot import UNLOADS_AFTER_MS
from cogs.match_five.words import dump_laying
from data.store.cluster_notices import Missed, PreferenceChanged, SettingsChanged, TableChanged
from engine.contract import Moment, Seat
from engine.games import GAMES
from engine.games.match_five import Laying
from engine.puzzles import Attempt
from sandbox import UserClient
from tests.cogs.core.processes import TwoProcesses
from tests.cogs.read_words import missed
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers import match_five
from tools.harness.environment import settle


async def begin_prison_break(two: TwoProcesses, **options: Any) -> None:
    """Start Prison Break, a game of secrets, for Ann and Ben, with a direct message each."""
    await two.begin("prison-break", two.ben, **options)


def edits(two: TwoProcesses) -> int:
    """Return how many edits of the table message were not answers to presses."""
    it = (f"/messages/{two.board()['id']}", "/messages/@original")
    return sum(call.method == "PATCH" and call.path.endswith(it) for call in two.sandbox.calls)


def direct_message_edits(two: TwoProcesses, person: UserClient) -> int:
    """Return how many edits of a person's direct message were not answers to presses."""
    return sum(
        call.method == "PATCH" and call.path.startswith(f"/channels/{person.dm.id}/messages")
        for call in two.sandbox.calls
    )


# Presses in direct messages


async def test_a_move_on_a_direct_message_is_answered_where_it_comes_in_and_shown_by_the_tables_process(
    two: TwoProcesses,
):
    await begin_prison_break(two, clock=60)
    mover, idle = two.awaited(), two.idle()
    before, messages, clock = (
        edits(two),
        direct_message_edits(two, mover),
        two.client.tables.clocks.deadline_timer.due(1),
    )
    (message,) = mover.dms()
    two.clock.advance(5_000)
    answer = await mover.press(message, label="say 2, go 1")
    await two.settle()
    (after,) = mover.dms()
    assert answer.type == 7 and after["id"] == message["id"] and "said 2" in UserClient.visible_text(after)
    assert f"/channels/{two.guild.id}/{two.yard.id}/{two.board()['id']}" in UserClient.visible_text(after)
    assert two.snapshot().version == len(await two.near.store.games.events(1)) > 1
    assert await two.shows_latest() and edits(two) == before + 1 and direct_message_edits(two, mover) == messages
    assert two.awaited() is idle and "said 2" in UserClient.visible_text(idle.dms()[0])
    due = two.client.tables.clocks.deadline_timer.due(1)
    assert due is not None and clock is not None and due > clock
    near = two.near.client.tables
    assert near.registry.awake() == () and all(timer.due(1) is None for timer in near.scheduler.timers)


async def test_one_of_two_simultaneous_moves_by_channel_and_direct_message_is_accepted(two: TwoProcesses):
    await begin_prison_break(two)
    mover = two.awaited()
    panel = await two.press(mover, "Play")
    before = two.snapshot().version
    await asyncio.gather(
        mover.press(panel, label="say 2, go 1"),
        mover.press(mover.dms()[0], label="say 1, go 1"),
        return_exceptions=False,
    )
    await two.settle()
    events = await two.near.store.games.events(1)
    decisions = await two.near.store.games.decisions(1)
    assert len([one for one in decisions if one.seat is not None]) == 1
    assert two.snapshot().version == len(events) > before and await two.shows_latest()


async def test_a_refusal_on_a_direct_message_is_a_line_on_it_and_changes_nothing(two: TwoProcesses):
    await begin_prison_break(two)
    mover = two.awaited()
    (message,) = mover.dms()
    await mover.press(message, label="say 2, go 1")
    await two.settle()
    events = await two.near.store.games.events(1)
    await mover.press(message, label="say 1, go 1")
    await two.settle()
    assert UserClient.visible_text(mover.dms()[0]).count("⚠") == 1
    assert await two.near.store.games.events(1) == events


async def test_a_direct_message_stays_as_it_is_until_its_reader_must_be_notified(two: TwoProcesses):
    await begin_prison_break(two)
    reader, mover = two.idle(), two.awaited()
    await reader.press(reader.dms()[0], label="More …")
    await two.settle()
    await two.advance(ANSWERED_WITHIN_MS)
    assert "Fairness" in UserClient.visible_text(reader.dms()[0])
    await mover.command(two.yard, "prison-break sneak", say=1, go=1)
    await two.settle()
    assert two.awaited() is reader and "Your turn to sneak" in UserClient.visible_text(reader.dms()[0])


async def test_leaving_by_direct_message_is_visible_to_everybody(two: TwoProcesses):
    await begin_prison_break(two)
    asked = await two.ben.press(await two.ben.press(two.ben.dms()[0], label="More …"), label="Leave")
    await two.ben.press(asked, label="Leave the game")
    await two.settle()
    table = two.messages().table
    assert (
        table.snapshot.seats[table.snapshot.seat_of(int(two.ben.id)) or 0].caretaker
        or table.snapshot.row.status == "closed"
    )
    assert await two.shows_latest()


async def test_computers_answer_a_move_on_a_direct_message_where_the_table_is(two: TwoProcesses):
    await two.begin("prison-break", computer="rookie", clock=86_400)
    for _ in range(20):
        if two.snapshot().may_act(Seat(0)):
            break
        await two.advance(5_500)
    before = two.snapshot().version
    page = await two.ann.press(two.ann.dms()[0], label="Go on")  # she has her page in the channel, too
    await two.ann.press(page, label="say 2, go 1")
    await two.settle()
    assert two.near.client.tables.registry.awake() == ()
    await two.advance(5_500)
    decisions = await two.near.store.games.decisions(1)
    assert {one.seat for one in decisions if one.number >= before} == {0, 1}
    assert await two.shows_latest()


@pytest.mark.parametrize("muted", [False, True])
async def test_a_draft_on_a_direct_message_is_laid_by_the_tables_process_when_the_clock_runs_out(
    two: TwoProcesses, muted: bool
):
    await two.begin("match-five", two.ben, clock=60)
    two.far.notices.muted = muted
    mover = two.awaited()
    tile = next(part for part in match_five.slots(mover.dms()[0]) if part["label"] != "W")
    lay = match_five.parts(await mover.press(mover.dms()[0], tile["custom_id"]), "lay")[0]["custom_id"]
    await two.settle()
    await two.advance(61_000)
    (stone,) = two.view().stones
    laid = Laying(stone.tile, stone.x, stone.y, stone.level)
    assert dump_laying(laid) == lay.rpartition(":")[2].partition(";")[0]
    assert not two.view().turns[-1].lapsed and two.awaited() is not mover


async def test_a_move_while_the_tables_process_is_gone_is_kept_and_shown_by_its_successor(two: TwoProcesses):
    await begin_prison_break(two)
    mover = two.awaited()
    (message,) = mover.dms()
    await two.far.stop()
    await mover.press(message, label="say 2, go 1")
    await settle(two.near.client)
    assert "said 2" in UserClient.visible_text(mover.dms()[0])
    await two.far.start(two.games, lambda client: 1 in client.leases.sessions.serving)
    two.client = two.far.client
    assert await two.client.inbound.finder.find(1) is not None
    await two.settle()
    assert await two.shows_latest() and two.awaited() is not mover


# Notices that were lost


async def move_without_notices(two: TwoProcesses, mover: UserClient) -> None:
    """Move by the process that does not have the table, unheard by the one that does."""
    two.far.notices.muted = True
    await mover.press(mover.dms()[0], label="say 2, go 1")
    await two.settle()
    two.far.notices.muted = False


async def test_a_page_with_a_stored_draft_is_shown_although_its_notice_was_lost(two: TwoProcesses):
    await two.begin("match-five", two.ben)
    mover = two.awaited()
    panel = await two.press(mover, "Play")
    await mover.press(panel, match_five.slots(panel)[0]["custom_id"])
    await two.settle()
    assert two.drafts().busy
    two.far.notices.muted = True
    taps = match_five.Taps(mover, mover.dms()[0])
    await taps.lay_one(match_five.slots(taps.panel)[0])
    await taps.press(match_five.parts(taps.panel, "lay")[0])
    await two.settle()
    await two.advance(SAVED_AFTER_MS)
    assert two.awaited() is not mover and await two.shows_latest()


async def leave_memory(two: TwoProcesses) -> None:
    """Wait until the serving process has unloaded the table."""
    await two.advance(UNLOADS_AFTER_MS)
    await two.advance(UNLOADS_AFTER_MS)
    assert two.client.tables.registry.awake() == ()


async def test_a_lost_notice_of_a_table_is_made_up_for_within_a_minute(two: TwoProcesses):
    await begin_prison_break(two)
    mover = two.awaited()
    await move_without_notices(two, mover)
    assert two.awaited() is mover
    await two.advance(COMPARED_EVERY_MS)
    assert two.awaited() is not mover and await two.shows_latest()


async def test_a_lost_notice_of_an_unloaded_table_is_made_up_for_within_a_minute(two: TwoProcesses):
    await begin_prison_break(two)
    mover = two.awaited()
    await leave_memory(two)
    await move_without_notices(two, mover)
    before = two.board()
    await two.advance(COMPARED_EVERY_MS)
    assert two.board() != before and await two.shows_latest()


async def test_a_table_that_left_the_memory_is_shown_when_another_process_acts_there(two: TwoProcesses):
    await begin_prison_break(two)
    mover = two.awaited()
    await leave_memory(two)
    await mover.press(mover.dms()[0], label="say 2, go 1")
    await two.settle()
    assert two.awaited() is not mover and await two.shows_latest()


async def test_settings_notification_settings_and_deletions_reach_a_process_within_a_minute_if_their_notice_was_lost(
    two: TwoProcesses,
):
    await begin_prison_break(two)
    far, guild, user = two.client.tables, int(two.guild.id), int(two.ben.id)
    assert (await far.settings.of(guild)).enders == "moderators" and await far.preferences.of(user) == "mention"
    let_go = []
    far.leaving.caches.append(lambda: let_go.append("replays"))
    two.far.notices.muted = True
    await two.near.client.tables.settings.change(guild, "enders", "openers")
    await two.near.client.tables.preferences.change(user, "nothing")
    await two.near.store.user_data.forget(int(two.ann.id), [GAMES["prison_break"]])
    await two.settle()
    assert two.snapshot().knows(int(two.ann.id)) and await far.preferences.of(user) == "mention"
    await two.advance(COMPARED_EVERY_MS)
    assert (await far.settings.of(guild)).enders == "openers" and await far.preferences.of(user) == "nothing"
    assert not two.snapshot().knows(int(two.ann.id)) and let_go


async def test_what_was_read_before_its_notice_is_shown_with_it(two: TwoProcesses):
    await begin_prison_break(two)
    mover = two.awaited()
    await move_without_notices(two, mover)
    await two.messages().table.reload()  # as if one of its own writes was refused
    two.far.client.cluster_events(TableChanged(1))
    await two.settle()
    assert two.awaited() is not mover and await two.shows_latest()


async def test_a_listener_that_comes_back_compares_at_once(two: TwoProcesses):
    await begin_prison_break(two)
    mover = two.awaited()
    await move_without_notices(two, mover)
    two.far.client.cluster_events(Missed())
    await two.settle()
    assert two.awaited() is not mover and await two.shows_latest()


# Other data in memory


async def test_a_setting_is_obeyed_by_every_process_from_then_on(two: TwoProcesses):
    guild, near = int(two.guild.id), two.near.client.tables
    assert (await near.settings.of(guild)).enders == "moderators"
    await two.ann.command(two.yard, "settings enders", who="openers")
    await two.settle()
    assert (await near.settings.of(guild)).enders == "openers"


async def test_a_notification_setting_is_obeyed_by_every_process_from_then_on(two: TwoProcesses):
    far, user = two.client.tables, int(two.ben.id)
    assert await far.preferences.of(user) == "mention"
    await two.near.client.tables.preferences.change(user, "nothing")
    await two.exchange_notices()
    assert await far.preferences.of(user) == "nothing"


@pytest.mark.parametrize("what", ["settings", "notify"])
async def test_what_is_read_while_it_is_set_elsewhere_is_not_kept(two: TwoProcesses, what: str):
    tables, user = two.client.tables, int(two.ben.id)
    reading: Any = tables.settings.of(1) if what == "settings" else tables.preferences.of(user)
    task = asyncio.create_task(reading)
    await asyncio.sleep(0)  # it has started to read
    two.client.cluster_events(SettingsChanged(1) if what == "settings" else PreferenceChanged(user))
    await task
    known: Any = tables.settings if what == "settings" else tables.preferences
    assert known._values == {}


async def test_deleting_ones_data_in_a_direct_message_reaches_every_process(two: TwoProcesses):
    await begin_prison_break(two)
    await two.cleo.command(two.yard, "rope-wall start", clock=0)
    await two.press(two.ben, "Join")
    await two.settle()
    user = int(two.ben.id)
    assert await two.client.tables.preferences.of(user) == "mention"
    asked = await two.ben.command(two.ben.dm, "privacy delete")
    await two.ben.press(asked, label="Delete it all")
    await two.settle()
    for table in two.client.tables.registry.awake():
        assert not table.snapshot.knows(user) and "Ben" not in str(table.snapshot.seats)
    assert "Ben" not in two.public() and two.client.tables.preferences._values == {}
    kept = await two.near.store.user_data.export(user)
    assert not any(kept.values())
    assert two.near.client.tables.registry.remote.get(1) is None


async def test_deleting_ones_data_on_a_server_reaches_the_process_for_direct_messages(two: TwoProcesses):
    await begin_prison_break(two)
    mover = two.awaited()
    await mover.press(mover.dms()[0], label="say 2, go 1")
    await two.settle()
    near = two.near.client.tables
    assert near.registry.remote.get(1) is not None
    asked = await two.ben.command(two.yard, "privacy delete")
    await two.ben.press(asked, label="Delete it all")
    await two.settle()
    assert near.registry.remote.get(1) is None and not two.snapshot().knows(int(two.ben.id))


async def test_a_puzzle_that_was_begun_in_the_channel_goes_on_in_a_direct_message(two: TwoProcesses):
    attempts = two.near.store.puzzle_attempts
    attempt = Attempt(int(two.ben.id), "rope_wall", 1, "[1]", None, None, True, Moment(0))
    assert await two.far.store.puzzle_attempts.save(attempt, None)
    assert await attempts.get(attempt.user, attempt.game, 1) == attempt
    assert not await attempts.save(msgspec.structs.replace(attempt, played="[2]"), None)


# What the owner sees


async def test_doctor_lists_every_process_and_the_shards_that_none_serves(two: TwoProcesses):
    await two.two_at_the_wall()
    for process in (two.near, two.far):
        await process.client.leases.step()
    near, far = (process.store.shards.process for process in (two.near, two.far))
    exchange_notices = (await two.ann.command(two.yard, "doctor")).text
    ours, theirs = exchange_notices.partition("### Processes")[2].split(f"**Process {near}**")
    assert (
        f"**Process {far}** (this one) · " in ours
        and "Serves shard 1 · 1 server · 1 table awake · last heard from <t:" in ours
    )
    assert "Serves shard 0 · " in theirs and "0 tables awake" in theirs and "No process serves" not in exchange_notices
    assert "pid" not in exchange_notices
    olga = two.sandbox.add_person("Olga", two.guild, administrator=True, person_id="1")  # the bot's owner
    assert f" · {socket.gethostname()}, pid {os.getpid()} · " in (await olga.command(two.yard, "doctor")).text
    await two.near.stop()
    exchange_notices = (await two.ann.command(two.yard, "doctor")).text
    assert (
        "✗ No process serves shard 0 at the moment." in exchange_notices and f"Process {near}" not in exchange_notices
    )
    await two.near.start(two.games, lambda client: 0 in client.leases.sessions.serving)


async def test_the_doctor_reports_when_notices_of_other_processes_are_lost(two: TwoProcesses):
    notices: Any = two.far.store.notices
    notices.complaint = "The database postgresql://db.example/cells cannot be reached."
    exchange_notices = (await two.ann.command(two.yard, "doctor")).text
    assert (
        "✗ Notices of other processes arrive late; the bot's owner sees why." in exchange_notices
        and "cells" not in exchange_notices
    )
    olga = two.sandbox.add_person("Olga", two.guild, administrator=True, person_id="1")  # the bot's owner
    exchange_notices = (await olga.command(two.yard, "doctor")).text
    assert "arrive late: The database postgresql://db.example/cells cannot be reached." in exchange_notices


async def test_doctor_lists_no_processes_if_there_is_only_one(harness: BotHarness):
    assert "Processes" not in (await harness.ann.command(harness.yard, "doctor")).text


async def test_doctors_lines_about_processes_are_translated(two: TwoProcesses):
    shards = two.far.store.shards
    assert shards is not None
    await two.near.stop()
    await shards.refresh()
    with speaking(PSEUDO):
        report, _ = process_report(shards, owner=False, notices_trouble="")
    assert report.count("✗") == 2 and missed(report) == []
    await two.near.start(two.games, lambda client: 0 in client.leases.sessions.serving)
