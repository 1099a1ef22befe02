"""Absent hosts, lobbies that close and reopen, and removed people, on the sandbox."""

from typing import Any

import pytest

from cogs.core.tables.lobby import (
    CLOSES_AFTER_MS,
    SLOW_CLOSES_AFTER_MS,
    SLOW_TAKES_OVER_MS,
    TAKES_OVER_MS,
    leave,
    take_over,
)
from cogs.core.tables.snapshot import TableSnapshot
from data.store import users_in
from sandbox import UserClient
from tests.cogs.admin.conftest import max_
from tests.cogs.core.tables.test_lobby import choose, invitations, manage
from tools.harness.bot_harness import BotHarness

__all__ = ["max_"]  # a fixture

DAY_S, MINUTE_MS = 86_400, 60_000


def said(harness: BotHarness, words: str) -> list[str]:
    """Return the lines in the channel with these words."""
    lines = [message["content"] for message in harness.sandbox.messages(harness.yard)]
    return [line for line in lines if words in line]


async def now(harness: BotHarness, table: int = 1) -> TableSnapshot:
    """Return the table, which may have been unloaded."""
    found = await harness.client.tables.registry.find(table)
    assert found is not None
    return found.snapshot


async def host(harness: BotHarness, table: int = 1) -> int:
    return (await now(harness, table)).row.opener


async def lobby(harness: BotHarness, **options: Any) -> None:
    """Ben hosts a table of Prison Break, at which Cleo sits."""
    await harness.ben.command(harness.yard, "prison-break start", **options)
    await harness.press(harness.cleo, "Join")
    await harness.settle()


# Lobbies that wait


@pytest.mark.parametrize(
    ("clock", "waits_ms"), [(180, CLOSES_AFTER_MS), (DAY_S, SLOW_CLOSES_AFTER_MS), (0, SLOW_CLOSES_AFTER_MS)]
)
async def test_a_lobby_waits_as_long_as_suits_the_clock_of_its_game(harness: BotHarness, clock: int, waits_ms: int):
    await lobby(harness, clock=clock)
    await harness.advance(waits_ms - MINUTE_MS)
    assert (await now(harness)).in_lobby
    await harness.advance(2 * MINUTE_MS)
    assert (
        "closed" in harness.public() and ("3 days" if waits_ms > CLOSES_AFTER_MS else "15 minutes") in harness.public()
    )


async def test_a_lobby_waits_for_days_from_the_moment_at_which_a_slow_clock_is_chosen(harness: BotHarness):
    await harness.ben.command(harness.yard, "prison-break start", clock=60)
    page = await manage(harness, harness.ben, "Options")
    menu = next(part for part in UserClient.buttons(page) if part["custom_id"].endswith(":option:clock"))
    await harness.ben.press(page, menu["custom_id"], values=[str(DAY_S)])
    await harness.restart(away_ms=60 * MINUTE_MS)
    await harness.advance(20 * MINUTE_MS)
    assert (await now(harness)).in_lobby


async def test_the_host_is_notified_that_the_lobby_has_closed_and_can_reopen_it(
    harness: BotHarness,
):
    await lobby(harness)
    harness.ben.clear_notices()
    await harness.advance(CLOSES_AFTER_MS + MINUTE_MS)
    assert [notice["kind"] for notice in harness.ben.notices] == ["mention"] and not harness.cleo.notices
    (line,) = said(harness, "your table closed")
    assert str(harness.messages().message.link()) in line
    await harness.press(harness.ben, "Open again")
    await harness.settle()
    assert (await now(harness)).in_lobby and "Cleo" in harness.public()
    assert not said(harness, "your table closed")
    await harness.press(harness.ben, "Start")
    await harness.settle()
    assert (await now(harness)).playing


async def test_a_closed_lobby_is_opened_again_after_a_restart_by_those_who_sat_there_alone(
    harness: BotHarness,
):
    await lobby(harness)
    await harness.advance(CLOSES_AFTER_MS + MINUTE_MS)
    await harness.restart()
    dora = harness.sandbox.add_person("Dora")
    harness.sandbox.join(dora, harness.guild)
    assert "had a seat" in (await harness.press(dora, "Open again")).text
    await harness.press(harness.cleo, "Open again")
    await harness.settle()
    assert (await now(harness)).in_lobby and await host(harness) == int(harness.ben.id)
    assert "This table is already open" in (await harness.cleo.forge(harness.board(), "cb:1:0:reopen:")).text


async def test_no_lobby_opens_again_beyond_the_limit_of_open_tables_and_no_game_does(harness: BotHarness):
    await lobby(harness)
    await harness.advance(CLOSES_AFTER_MS + MINUTE_MS)
    closed = harness.board()
    for _ in range(3):
        await harness.ben.command(harness.yard, "rope-wall start")
    assert "which is the limit" in (await harness.press(harness.ben, "Open again", closed)).text
    assert (await now(harness)).ended
    await harness.press(harness.cleo, "Join")
    await harness.press(harness.ben, "Start")
    await harness.settle()
    await harness.client.tables.registry.end(4, lambda: "It is over.")
    assert "can't be reopened" in (await harness.ben.forge(harness.board(), "cb:4:0:reopen:")).text


# Absent hosts


@pytest.mark.parametrize(("clock", "after_ms"), [(180, TAKES_OVER_MS), (DAY_S, SLOW_TAKES_OVER_MS)])
async def test_a_player_who_asks_becomes_the_host_if_the_host_does_nothing(
    harness: BotHarness, clock: int, after_ms: int
):
    await lobby(harness, clock=clock)
    harness.ben.clear_notices()
    await manage(harness, harness.cleo, "Ask to be the host")
    assert [notice["kind"] for notice in harness.ben.notices] == ["mention"] and len(
        said(harness, "are you there?")
    ) == 1
    assert f"<@{harness.cleo.id}> becomes the host" in harness.public()
    await harness.advance(after_ms - 5_000)
    assert await host(harness) == int(harness.ben.id)
    await harness.advance(6_000)
    assert await host(harness) == int(harness.cleo.id) and "didn't respond" in harness.public()
    assert not said(harness, "are you there?")
    await harness.press(harness.cleo, "Start")
    await harness.settle()
    assert (await now(harness)).playing


@pytest.mark.parametrize("label", ["Rules", "Manage", "Join", "Start"])
async def test_any_press_by_the_host_keeps_the_table_theirs(harness: BotHarness, label: str):
    await lobby(harness)
    await manage(harness, harness.cleo, "Ask to be the host")
    await harness.press(harness.ben, label)
    await harness.settle()
    assert "becomes the host" not in harness.public() and not said(harness, "are you there?")
    await harness.advance(TAKES_OVER_MS + 1_000)
    assert await host(harness) == int(harness.ben.id)


async def test_a_restart_forgets_nobody_who_asked_to_be_the_host(harness: BotHarness):
    await lobby(harness)
    await manage(harness, harness.cleo, "Ask to be the host")
    await harness.restart()
    await harness.advance(TAKES_OVER_MS + 30_000)
    assert await host(harness) == int(harness.cleo.id)


async def test_a_player_who_left_or_was_removed_cannot_become_host(harness: BotHarness):
    for how in ("leave", "send out"):
        table = 1 if how == "leave" else 2
        await lobby(harness)
        await manage(harness, harness.cleo, "Ask to be the host")
        if how == "leave":
            await manage(harness, harness.cleo, "Leave")
            await harness.advance(TAKES_OVER_MS + 1_000)
        else:
            await choose(harness, harness.ben, "send-out", harness.cleo)
        assert (await now(harness, table)).row.heir is None and await host(harness, table) == int(harness.ben.id)


async def test_only_one_player_asks_at_a_time_and_strangers_cannot(harness: BotHarness):
    await lobby(harness)
    await manage(harness, harness.cleo, "Ask to be the host")
    assert "already asked" in (await harness.cleo.forge(harness.board(), "cb:1:0:take-over:")).text
    dora = harness.sandbox.add_person("Dora")
    harness.sandbox.join(dora, harness.guild)
    assert "Only players and moderators" in (await dora.forge(harness.board(), "cb:1:0:take-over:")).text
    assert "already the host" in (await harness.ben.forge(harness.board(), "cb:1:0:take-over:")).text


async def test_a_moderator_takes_over_at_once_and_kicks_and_invitations_stay(harness: BotHarness, max_: UserClient):
    await lobby(harness, invite=harness.ann)
    await choose(harness, harness.ben, "send-out", harness.cleo)
    page = await manage(harness, max_, "Take over")
    assert "You're now the host" in page.text and await host(harness) == int(max_.id)
    row = (await now(harness)).row
    assert users_in(row.invited) == (int(harness.ann.id),) and users_in(row.kicked) == (int(harness.cleo.id),)
    assert "You were kicked" in (await harness.press(harness.cleo, "Join")).text
    await harness.press(harness.ann, "Join")
    await harness.press(max_, "Start")
    await harness.settle()
    assert (await now(harness)).playing


# Removed people


@pytest.mark.parametrize("how", ["leave", "hand over"])
async def test_the_lobby_does_not_go_on_naming_a_host_who_is_none_any_more(
    harness: BotHarness, max_: UserClient, how: str
):
    await lobby(harness)
    await harness.press(max_, "Join")
    page = await harness.press(max_, "Manage")
    await max_.press(page, label="Take over")
    await harness.settle()
    assert f"{max_.mention} is now the host." in harness.public()
    if how == "leave":
        await harness.press(max_, "Leave")
    else:
        await choose(harness, max_, "heir", harness.cleo)
    await harness.settle()
    assert "is now the host" not in harness.public() and await host(harness) != int(max_.id)


async def test_a_moderator_invites_back_who_was_removed(harness: BotHarness, max_: UserClient):
    await lobby(harness)
    await choose(harness, harness.ben, "send-out", harness.cleo)
    assert f"Join table {1}" not in (await harness.cleo.command(harness.yard, "play")).text
    await choose(harness, max_, "invite", harness.cleo)
    assert len(invitations(harness)) == 1 and "Max" in invitations(harness)[0]
    await harness.press(harness.cleo, "Join")
    assert len((await now(harness)).seats) == 2


async def test_a_removed_player_stays_out_of_the_reopened_lobby_and_the_rematch(harness: BotHarness):
    await lobby(harness, clock=180)
    await harness.press(harness.ann, "Join")
    await choose(harness, harness.ben, "send-out", harness.cleo)
    await harness.advance(CLOSES_AFTER_MS + MINUTE_MS)
    await harness.press(harness.ben, "Open again")
    await harness.settle()
    assert "You were kicked" in (await harness.press(harness.cleo, "Join")).text
    await harness.press(harness.ben, "Start")
    await harness.settle()
    await harness.finish(harness.ann, harness.ben, at_once=4)
    await harness.settle()
    await harness.press(harness.ann, "Rematch")
    await harness.press(harness.ann, "Let others join")
    await harness.settle()
    assert "You were kicked" in (await harness.press(harness.cleo, "Join")).text


# Several invitations


async def test_several_people_are_invited_at_a_time_and_each_answers_for_themselves(harness: BotHarness):
    dora = harness.sandbox.add_person("Dora")
    harness.sandbox.join(dora, harness.guild)
    await harness.ben.command(harness.yard, "prison-break start", clock=0)
    for guest in (harness.ann, harness.cleo, dora):
        await choose(harness, harness.ben, "invite", guest)
    assert harness.public().count("reserved for") == 3 and len(invitations(harness)) == 3
    assert "every" not in harness.public() and "The game starts when" in harness.public()
    page = await harness.press(harness.ben, "Manage")
    assert not harness.controls("invite", page) and harness.controls("uninvite", page)
    await choose(harness, harness.ben, "uninvite", dora)
    assert harness.public().count("reserved for") == 2 and len(invitations(harness)) == 2
    await harness.press(harness.cleo, "Decline the invite")
    await harness.settle()
    assert harness.public().count("reserved for") == 1 and len(invitations(harness)) == 1
    await harness.press(harness.ann, "Join")
    await harness.settle()
    assert not invitations(harness) and len((await now(harness)).seats) == 2


async def test_the_seats_of_all_who_are_invited_are_kept_and_the_game_begins_with_the_last(harness: BotHarness):
    await harness.ben.command(harness.yard, "prison-break start", computer="rookie", computers=1)
    for guest in (harness.ann, harness.cleo):
        await choose(harness, harness.ben, "invite", guest)
    dora = harness.sandbox.add_person("Dora")
    harness.sandbox.join(dora, harness.guild)
    assert "seats are reserved for" in (await harness.press(dora, "Join")).text
    await harness.press(harness.cleo, "Join")
    await harness.press(harness.ann, "Join")
    await harness.settle()
    assert (await now(harness)).playing


# A full table with computers


async def test_a_table_that_was_opened_with_a_computer_begins_when_the_last_seat_is_taken(harness: BotHarness):
    await harness.ben.command(harness.yard, "prison-break start", computer="rookie", computers=1)
    assert "The game starts once all seats are taken." in harness.public()
    await harness.press(harness.ann, "Join")
    assert (await now(harness)).in_lobby
    await harness.press(harness.cleo, "Join")
    await harness.settle()
    assert (await now(harness)).playing


async def test_a_player_who_has_asked_is_the_next_host_if_the_host_leaves(harness: BotHarness):
    await lobby(harness)
    await harness.press(harness.ann, "Join")
    await harness.settle()
    table = harness.messages().table
    await table.act(take_over, int(harness.ann.id), harness.clock.now(), False)
    await table.act(leave, int(harness.ben.id), harness.clock.now())
    assert table.snapshot.row.opener == int(harness.ann.id) != table.snapshot.seats[0].user
    assert table.snapshot.row.heir is None and table.snapshot.row.heir_due is None
