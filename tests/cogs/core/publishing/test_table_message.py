"""The table message: one call per move, and the newest state in the end, whatever the network does."""

import contextlib
import dataclasses

import pytest

from cogs.core.cluster.call_queue import CallQueue
from cogs.core.ops.discord_errors import UNKNOWN_WEBHOOK
from cogs.core.pages.page import RenderedPage
from cogs.core.publishing.forms import Form
from cogs.core.publishing.interaction_message import TOKEN_LIFETIME_MS
from cogs.core.publishing.message_sync import Wait
from cogs.core.tables.changes import closed
from cogs.core.tables.snapshot import TableSnapshot
from engine.contract import Moment
from sandbox import UserClient
from tests.cogs.core.publishing.test_ending import resigned
from tools.harness.bot_harness import BotHarness

HOUR_MS = 3_600_000


async def test_a_public_move_costs_one_call(harness: BotHarness):
    await harness.two_at_the_wall()
    for number in range(6):
        before = len(harness.sandbox.calls)
        await harness.push(number)
        await harness.settle()
        assert len(harness.sandbox.calls) - before == 1


async def test_a_slash_move_shows_on_the_table_message(harness: BotHarness):
    await harness.two_at_the_wall()
    answer = await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")
    assert "L1" in answer.text and answer.message["flags"] & 64
    await harness.settle()
    assert "pushed L1" in harness.public()


async def test_a_burst_of_changes_is_drawn_once_or_twice(harness: BotHarness):
    await harness.two_at_the_wall()
    before = len(harness.sandbox.calls)
    for _ in range(30):
        harness.messages().message.invalidate()
    await harness.settle()
    # The edit, a mention, and one check of whether the bot may write there
    assert len(harness.sandbox.calls) - before <= 3


async def test_the_newest_state_survives_errors_of_the_network(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.without_tokens()
    harness.sandbox.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", 503, times=2)
    await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")
    await harness.settle()
    assert "pushed L1" not in harness.public()
    await harness.advance(10_000)
    await harness.advance(10_000)
    assert "pushed L1" in harness.public()


@pytest.mark.parametrize(
    ("way", "counted"), [("pressed", False), ("pressed long ago", True), ("refused", True), ("restarted", True)]
)
async def test_the_table_message_is_edited_by_the_token_of_its_last_answer_as_long_as_that_lives(
    harness: BotHarness, way: str, counted: bool
):
    await harness.two_at_the_wall()
    await harness.push()
    await harness.settle()
    match way:
        case "pressed long ago":
            harness.clock.advance(TOKEN_LIFETIME_MS)
        case "refused":
            body = {"code": UNKNOWN_WEBHOOK, "message": "Unknown Webhook"}
            harness.sandbox.fault("PATCH", "/webhooks/*", 404, body=body)
        case "restarted":
            await harness.without_tokens()
    before = len(harness.sandbox.calls)
    table = harness.messages().table
    table.snapshot = table.snapshot.after(table.snapshot.row, notice=lambda: "Something new.")
    harness.messages().message.invalidate()
    await harness.settle()
    assert "Something new." in harness.public()
    edits = [call.path for call in harness.sandbox.calls[before:] if call.method == "PATCH" and call.status == 200]
    assert len(edits) == 1 and edits[0].startswith("/channels/") == counted


async def test_rate_limits_delay_but_lose_nothing(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.without_tokens()
    harness.sandbox.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", 429, times=1)
    await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")
    await harness.settle()
    assert "pushed L1" in harness.public()


async def test_a_click_whose_answer_gets_lost_keeps_the_move_and_the_message_follows(harness: BotHarness):
    await harness.two_at_the_wall()
    harness.sandbox.fault("POST", "/interactions/*/callback", 500, times=1)
    asked = await harness.awaited().start_press(harness.board(), harness.controls("push")[0])
    await harness.sandbox.until(lambda: harness.pushes() == 1)
    await asked.answered.wait()
    await harness.settle()
    await harness.advance(10_000)
    assert "pushed" in harness.public()


async def test_a_deleted_table_message_is_reposted(harness: BotHarness):
    await harness.two_at_the_wall()
    gone = harness.board()
    await harness.ann.delete(gone)
    await harness.awaited().command(harness.yard, "rope-wall push", floor=2, side="right")
    await harness.settle()
    assert harness.board()["id"] != gone["id"] and "pushed R2" in harness.public()


async def test_an_old_table_message_is_reposted_silently_and_the_old_one_goes(harness: BotHarness):
    await harness.two_at_the_wall()
    old = harness.board()
    mover = harness.awaited()
    await harness.advance(HOUR_MS)  # the table is unloaded meanwhile
    await mover.command(harness.yard, "rope-wall push", floor=3, side="left")
    await harness.settle()
    new = harness.board()
    assert new["id"] != old["id"] and new["flags"] & 4096
    assert harness.sandbox.message(old) is None


async def test_chatter_moves_the_table_message_down(harness: BotHarness):
    await harness.two_at_the_wall()
    old = harness.board()
    await harness.advance(2 * 60_000)
    for number in range(20):
        await harness.cleo.say(harness.yard, f"chat {number}")
    await harness.sandbox.until(lambda: harness.messages().message.chatter >= 20)
    await harness.push()
    await harness.settle()
    assert harness.board()["id"] != old["id"]


async def test_tables_shows_a_table_again_where_it_was_lost_from_sight(harness: BotHarness):
    await harness.two_at_the_wall()
    old = harness.board()
    listed = await harness.ann.command(harness.yard, "tables")
    await harness.press(harness.ann, "Show table 1 here", listed)
    await harness.settle()
    assert harness.board()["id"] != old["id"]


async def test_a_table_that_has_closed_is_not_shown_again_by_an_older_list(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    listed = await harness.ann.command(harness.yard, "tables")
    await harness.press(harness.ann, "Close the table")
    await harness.settle()
    closed_message = harness.board()["id"]
    answer = await harness.press(harness.ann, "Show table 1 here", listed)
    await harness.settle()
    assert "Table 1 has already ended." in answer.text and harness.board()["id"] == closed_message


async def test_a_message_that_should_be_posted_again_rests_once_its_table_has_closed(harness: BotHarness):
    """Else it would be composed without end, and nothing else of the bot would run."""
    await harness.two_at_the_wall()
    message = harness.messages().message
    await harness.messages().table.act(closed, lambda: "It is over.", harness.clock.now())
    await harness.settle()
    message.repost()
    message.marked = message.shown
    try:
        assert isinstance(message.plan(harness.clock.now()), Wait)
    finally:
        message._repost = False  # a loop without end would hide the failure


async def test_a_rematch_that_gathers_is_not_posted_by_the_list_of_tables(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.resign(harness.ben)
    await harness.settle()
    await harness.press(harness.ann, "Rematch")
    await harness.settle()
    listed = await harness.ann.command(harness.yard, "tables")
    assert "the rematch of" in listed.text and not UserClient.buttons(listed)
    forged = await harness.ann.forge(harness.board(), "cb:0:0:repost:2")
    assert "*Let others join* opens it" in forged.text and harness.messages(2).message.number is None


async def test_a_channel_that_forbids_the_message_is_not_asked_in_a_loop(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.without_tokens()
    harness.sandbox.deny(harness.yard, "VIEW_CHANNEL")
    before = len(harness.sandbox.calls)
    harness.messages().message.invalidate()
    await harness.settle()
    await harness.advance(60_000)
    # The edit, a mention, and one check of whether the bot may write there
    assert len(harness.sandbox.calls) - before <= 3
    assert harness.messages().message.trouble
    harness.sandbox.allow(harness.yard, "VIEW_CHANNEL")
    await harness.push()
    await harness.settle()
    assert "pushed" in harness.public()


async def test_calls_that_succeed_and_show_nothing_are_not_repeated_without_end(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    message, calls = harness.messages().message, list[bool]()

    async def deliver(rendered: RenderedPage, *, new_message: bool) -> bool:
        calls.append(new_message)
        return False

    with monkeypatch.context() as uncertain:
        uncertain.setattr(message, "deliver", deliver)
        message.invalidate()
        await harness.settle()
        assert len(calls) == message.UNPROVED
        await harness.advance(message.RETRY_MS[0])
        assert len(calls) == message.UNPROVED + 1
    await harness.advance(2 * message.RETRY_MS[0])
    assert await harness.shows_latest() and message.shown == message.marked


async def test_a_press_never_waits_for_an_edit_that_waits_for_it(harness: BotHarness):
    await resigned(harness)
    await harness.ann.press(harness.board(), label="Rematch")
    await harness.settle()
    ended = harness.board()
    answer = await harness.ann.press(ended, label="Let others join")
    assert answer.failed is None
    await harness.settle()
    assert harness.board()["id"] != ended["id"] and "Join" in harness.public()


async def test_what_happens_while_a_page_is_composed_is_shown_by_another_edit(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    message, moved = harness.messages().message, list[int]()
    really = message._services.table_page

    async def compose(table: TableSnapshot, form: Form) -> RenderedPage:
        page = await really(table, form)
        if not moved:
            moved.append(1)
            await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")
        return page

    monkeypatch.setattr(message, "_services", dataclasses.replace(message._services, table_page=compose))
    message.invalidate()
    await harness.settle()
    assert moved and await harness.shows_latest()


async def test_the_call_that_shows_a_window_is_due_when_the_window_ends(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.begin("break-out", harness.ben)
    await harness.settle()
    asked, really = list[tuple[int, Moment | None]](), CallQueue.turn

    def turn(queue: CallQueue, channel: int, due: Moment | None = None) -> contextlib.AbstractAsyncContextManager[None]:
        asked.append((channel, due))
        return really(queue, channel, due)

    monkeypatch.setattr(CallQueue, "turn", turn)
    await harness.without_tokens()
    who = harness.awaited()
    await who.command(harness.yard, "break-out draw")
    await who.command(harness.yard, "break-out next")
    await harness.settle()
    table = harness.snapshot()
    assert table.hurried and (int(harness.yard.id), table.earliest) in asked


@pytest.mark.parametrize("restarted", [False, True])
async def test_the_end_is_a_new_message_that_calls_the_players_also_if_the_table_was_posted_again_before(
    harness: BotHarness, restarted: bool
):
    await harness.two_at_the_wall()
    first = harness.board()["id"]
    harness.messages().message.repost()
    await harness.settle()
    again = harness.board()["id"]
    if restarted:
        await harness.without_tokens()
    for person in (harness.ann, harness.ben):
        person.clear_notices()
    await harness.resign(harness.ann)
    await harness.settle()
    end = harness.board()
    assert len({first, again, end["id"]}) == 3 and "wins" in harness.public()
    for person in (harness.ann, harness.ben):
        assert person.mention in harness.public()
        assert [notice["kind"] for notice in person.notices].count("mention") == 1
