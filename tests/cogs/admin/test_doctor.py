"""`/doctor`: its findings, and that only server managers can use it."""

import re
from pathlib import Path

import discord
import pytest

from cogs.admin.doctor import PERMISSIONS
from cogs.core.pages.permissions import permission_name
from cogs.core.publishing.threads import NEEDED as THREADS_NEED
from data.store.sqlite.backup import backup
from engine.contract import Moment
from sandbox import UserClient
from tests.cogs.admin.conftest import allow_everyone
from tools.harness.bot_harness import BotHarness

DAY_MS = 86_400_000


async def test_a_healthy_bot_is_reported_as_healthy(harness: BotHarness, mona: UserClient):
    answer = await mona.command(harness.yard, "doctor")
    assert answer.message["flags"] & 64
    assert "✗" not in answer.text
    for words in ("✓ View Channel", "✓ Attach Files", "No table is open", "No table is stuck", "MB", "No backup"):
        assert words in answer.text, words


async def test_only_managers_of_the_server_see_the_report(harness: BotHarness, max_: UserClient):
    assert "doctor" not in harness.ben.commands(harness.yard)
    allow_everyone(harness, "doctor")
    for person in (harness.ben, max_):
        answer = await person.command(harness.yard, "doctor")
        assert "permission" in answer.text and "MB" not in answer.text


@pytest.mark.parametrize(
    ("denied", "name"),
    [("ATTACH_FILES", "Attach Files"), ("READ_MESSAGE_HISTORY", "Read Message History")],
)
async def test_a_missing_permission_is_named_with_what_to_do(
    harness: BotHarness, mona: UserClient, denied: str, name: str
):
    harness.sandbox.deny(harness.yard, denied)
    answer = await mona.command(harness.yard, "doctor")
    assert f"✗ **{name}** is missing" in answer.text and "allow it for me" in answer.text


def test_the_invitation_asks_for_what_the_doctor_wants_and_for_nothing_else():
    readme = (Path(__file__).resolve().parents[3] / "README.md").read_text(encoding="utf-8")
    (asked,) = re.findall(r"&permissions=(\d+)", readme)
    wanted = {entry.key for entry in PERMISSIONS if entry.needed or entry.key in THREADS_NEED}
    assert discord.Permissions(**dict.fromkeys(wanted, True)).value == int(asked)
    for entry in PERMISSIONS:
        assert (entry.key in wanted) == bool(re.search(rf"\*{permission_name(entry.key)}s?\*", readme))


async def refused_at_the_wall(harness: BotHarness, *statuses: int) -> None:
    """A running game where Discord refuses one edit of the table message after the other."""
    await harness.two_at_the_wall()
    await harness.without_tokens()
    for status in statuses:
        harness.sandbox.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", status)
        harness.messages().message.invalidate()
        await harness.settle()


async def test_refusals_are_counted_for_ten_minutes(harness: BotHarness, mona: UserClient):
    await refused_at_the_wall(harness, 403, 429)
    answer = await mona.command(harness.yard, "doctor")
    assert "1 × refused (403), 1 × too fast (429)" in answer.text
    await harness.advance(10 * 60_000 + 1)
    assert "Discord has refused nothing" not in answer.text
    assert "✓ In the last ten minutes, Discord has refused nothing" in (await mona.command(harness.yard, "doctor")).text


async def test_closed_direct_messages_are_counted(harness: BotHarness, mona: UserClient):
    harness.ben.dms_open = False
    await harness.begin("prison-break", harness.ben)
    assert "1 closed DM," in (await mona.command(harness.yard, "doctor")).text


async def test_a_table_whose_channel_was_shut_for_the_bot_is_stuck_and_what_to_do_is_said(
    harness: BotHarness, mona: UserClient
):
    office = harness.sandbox.add_channel(harness.guild, "office")
    await harness.two_at_the_wall()
    harness.sandbox.deny(harness.yard, "SEND_MESSAGES")
    channel = harness.client.get_channel(int(harness.yard.id))
    assert isinstance(channel, discord.TextChannel)
    await harness.sandbox.until(lambda: not channel.permissions_for(channel.guild.me).send_messages)
    answer = await mona.command(office, "doctor")
    assert f"in <#{harness.yard.id}> I'm missing Send Messages" in answer.text and "/admin repair 1" in answer.text


async def test_a_table_whose_message_cannot_be_updated_is_stuck(harness: BotHarness, mona: UserClient):
    await refused_at_the_wall(harness, 403)
    answer = await mona.command(harness.yard, "doctor")
    assert "Table 1 – its message" in answer.text and "/admin repair 1" in answer.text
    allow_everyone(harness, "admin")
    await mona.command(harness.yard, "admin repair", table=1)
    await harness.settle()
    assert "No table is stuck" in (await mona.command(harness.yard, "doctor")).text


async def test_a_game_without_a_clock_that_nobody_plays_is_stuck_after_three_days(
    harness: BotHarness, mona: UserClient
):
    await harness.two_at_the_wall()
    assert "1 open table, last active: 1 in the last hour" in (await mona.command(harness.yard, "doctor")).text
    await harness.advance(2 * DAY_MS)
    answer = await mona.command(harness.yard, "doctor")
    assert "1 in the last week" in answer.text and "No table is stuck" in answer.text
    await harness.advance(2 * DAY_MS)
    answer = await mona.command(harness.yard, "doctor")
    assert "nothing has happened for 4 days" in answer.text and "/admin end 1" in answer.text


async def test_a_clock_that_ran_out_unserved_is_found(harness: BotHarness, mona: UserClient):
    await harness.two_at_the_wall(clock=180)
    harness.client.tables.clocks.deadline_timer.set(1, None)  # it was never served
    await harness.advance(60 * 60_000)
    answer = await mona.command(harness.yard, "doctor")
    assert "its clock ran out 57 minutes ago" in answer.text and "/admin repair 1" in answer.text
    allow_everyone(harness, "admin")
    await mona.command(harness.yard, "admin repair", table=1)
    await harness.advance(1_000)
    assert "No table is stuck" in (await mona.command(harness.yard, "doctor")).text


async def test_doctor_shows_the_last_backup(harness: BotHarness, mona: UserClient):
    at = Moment(harness.clock.now())
    backup(Path(harness.database), Path(harness.database).with_name("copy.db"), at)
    assert f"Last backup <t:{at // 1_000}:R>" in (await mona.command(harness.yard, "doctor")).text


async def test_a_second_bot_with_the_same_token_is_noticed_by_answers_that_were_given_already(
    harness: BotHarness, mona: UserClient, caplog: pytest.LogCaptureFixture
):
    await harness.two_at_the_wall()
    taken = {"code": 40060, "message": "Interaction has already been acknowledged."}
    for number in range(5):
        harness.sandbox.fault("POST", "/interactions/*/callback", 400, body=taken, drop=True)
        await harness.ann.command(harness.yard, "tables")
        await harness.settle()
        told = "same token" in (await mona.command(harness.yard, "doctor")).text
        assert told == bool(said(caplog)) == (number >= 2)
    assert len(said(caplog)) == 1  # once a minute
    assert "Another bot seems to run with the same token" in (await mona.command(harness.yard, "doctor")).text
    await harness.advance(10 * 60_000 + 1)
    assert "same token" not in (await mona.command(harness.yard, "doctor")).text


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [message for message in caplog.messages if "same token" in message]


async def test_a_second_bot_with_the_same_token_is_noticed_by_tables_that_nobody_here_knows(
    harness: BotHarness, mona: UserClient, caplog: pytest.LogCaptureFixture
):
    await harness.two_at_the_wall()
    shown = harness.board()
    for person in (harness.ann, harness.ben, harness.cleo):
        for _ in range(4):  # a single person may have forged them
            assert "same token" not in (await mona.command(harness.yard, "doctor")).text
            await person.forge(shown, "cb:77:0:what:")
            await harness.settle()
            if person is harness.cleo:
                break
    assert len(said(caplog)) == 1
    told = (await mona.command(harness.yard, "doctor")).text
    assert "3 people pressed buttons of tables that this database doesn't know" in told
    await harness.advance(10 * 60_000 + 1)
    await harness.ann.forge(shown, "cb:77:0:what:")
    assert "same token" not in (await mona.command(harness.yard, "doctor")).text


async def test_one_lost_receipt_is_no_second_bot(harness: BotHarness, mona: UserClient):
    await harness.two_at_the_wall()
    for _ in range(4):
        harness.sandbox.fault("POST", "/interactions/*/callback", 500, drop=True)
        await harness.ann.command(harness.yard, "tables")
        await harness.settle()
    assert "same token" not in (await mona.command(harness.yard, "doctor")).text


async def test_doctor_reports_a_timeout_of_the_bot_and_an_outage_with_what_to_do(harness: BotHarness, mona: UserClient):
    await harness.two_at_the_wall(clock=60)
    harness.sandbox.time_out_bot(harness.guild, DAY_MS)
    guild = harness.client.get_guild(int(harness.guild.id))
    await harness.sandbox.until(lambda: guild is not None and guild.me.timed_out_until)
    await harness.advance(100)
    answer = await mona.command(harness.yard, "doctor")
    assert "Table 1 – clocks stopped: a moderator timed me out" in answer.text and "Remove the timeout" in answer.text
    harness.client.tables.api.down_since = Moment(harness.clock.now())
    answer = await mona.command(harness.yard, "doctor")
    assert "Discord's API hasn't answered since" in answer.text and "All clocks are stopped" in answer.text
    harness.client.tables.api.down_since = None


async def test_doctor_reports_a_locked_thread_with_what_to_do(harness: BotHarness, mona: UserClient):
    harness.yard = harness.sandbox.add_thread(harness.yard, "night")
    await harness.sandbox.until(lambda: harness.client.get_channel(int(harness.yard.id)))
    await harness.two_at_the_wall(clock=60)
    harness.sandbox.lock(harness.yard)
    thread = harness.client.get_channel(int(harness.yard.id))
    assert isinstance(thread, discord.Thread)
    await harness.sandbox.until(lambda: thread.locked)
    await harness.advance(100)
    answer = await mona.command(harness.yard, "doctor")
    assert f"clocks stopped: <#{harness.yard.id}> is locked. Unlock it, or allow me Manage Threads" in answer.text
