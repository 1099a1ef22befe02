"""Where the table message is: posted once, reposted when necessary, and never lost with the answer that posts it."""

import asyncio

import pytest

from cogs.core.pages.page import RenderedPage
from cogs.core.publishing import responder
from cogs.core.publishing.table_message import TableMessage
from cogs.core.tables import changes
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness, table_messages

CALLBACK = ("POST", "/interactions/{interaction_id}/{webhook_token}/callback")
MESSAGES = "/channels/{channel_id}/messages"
POST = ("POST", MESSAGES)
EDIT = ("PATCH", MESSAGES + "/{message_id}")
DELETE = ("DELETE", MESSAGES + "/{message_id}")
MINUTE_MS = 60_000


async def chat(harness: BotHarness, count: int) -> None:
    before = harness.messages().message.chatter
    for number in range(count):
        await harness.cleo.say(harness.yard, f"chat {number}")
    await harness.sandbox.until(lambda: harness.messages().message.chatter == before + count)


# An opening whose answer is late, lost or refused


@pytest.mark.parametrize(
    ("status", "drop", "body"),
    [
        (404, False, {"code": 10062, "message": "Unknown interaction"}),
        (400, False, {"code": 40060, "message": "Interaction has already been acknowledged."}),
        (403, False, {"code": 50013, "message": "Missing Permissions"}),
        (0, False, None),
        (0, True, None),
        (500, True, None),
    ],
    ids=["late", "answered", "refused", "cut", "lost", "failed after it took effect"],
)
async def test_an_opening_whose_answer_fails_still_gives_one_table_that_lives(harness: BotHarness, status, drop, body):
    harness.sandbox.fault(*CALLBACK, status, body=body, drop=drop)
    harness.ann.start_command(harness.yard, "rope-wall start", {"computer": "rookie", "clock": 300})
    await harness.sandbox.until(lambda: table_messages(harness.sandbox, harness.yard))
    await harness.sandbox.until(
        lambda: 1 in harness.client.tables.registry.present and harness.messages().message.number
    )
    await harness.settle()
    assert len(table_messages(harness.sandbox, harness.yard)) == 1 and await harness.shows_latest()
    assert harness.client.tables.clocks.deadline_timer.due(1), "its clock runs"
    before = harness.pushes()
    if harness.view().turn == 0:
        await harness.push()
    else:
        await harness.advance(10_000)
    assert harness.pushes() == before + 1


async def test_an_opening_whose_answer_was_lost_is_adopted_with_the_first_click_on_it(harness: BotHarness):
    harness.sandbox.fault(*CALLBACK, 0, drop=True)
    harness.sandbox.fault("GET", "/webhooks/*", 0, times=4)  # the library itself tries again
    harness.sandbox.fault("POST", f"/channels/{harness.yard.id}/messages", 503, times=100)
    harness.ann.start_command(harness.yard, "rope-wall start", {})
    await harness.sandbox.until(
        lambda: 1 in harness.client.tables.registry.present and harness.messages().message.trouble
    )
    await harness.settle()
    (message,) = table_messages(harness.sandbox, harness.yard)
    assert harness.messages().message.number is None
    answer = await harness.press(harness.ben, "Join", message)
    await harness.settle()
    assert answer.type == 7 and harness.messages().message.number == int(message["id"]) and await harness.shows_latest()


async def test_the_opener_of_a_table_posted_in_the_channel_gets_a_link_to_it(harness: BotHarness):
    harness.sandbox.fault(*CALLBACK, 403, body={"code": 50013, "message": "Missing Permissions"})
    opened = await harness.ann.command(harness.yard, "rope-wall start")
    assert (
        "Your table is here" in opened.text
        and str(table_messages(harness.sandbox, harness.yard)[0]["id"]) in opened.text
    )


async def test_a_table_whose_posting_was_lost_with_the_bot_is_posted_by_the_next_start(harness: BotHarness):
    harness.sandbox.fault("*", "*", 0, times=1_000)
    harness.ann.start_command(harness.yard, "rope-wall start", {})
    await harness.sandbox.until(lambda: 1 in harness.client.tables.registry.present)
    await harness.kill()
    await harness.start()
    await harness.sandbox.until(lambda: table_messages(harness.sandbox, harness.yard))
    assert await harness.shows_latest()


# Reposting


async def test_fourteen_messages_of_others_leave_the_table_message_where_it_is_and_the_fifteenth_moves_it(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    old = harness.board()["id"]
    await harness.advance(2 * MINUTE_MS)
    await chat(harness, 14)
    await harness.push()
    await harness.settle()
    assert harness.board()["id"] == old
    await chat(harness, 1)
    await harness.push()
    await harness.settle()
    assert harness.board()["id"] != old and await harness.shows_latest()


async def test_what_is_said_in_other_channels_moves_no_table_message(harness: BotHarness):
    await harness.two_at_the_wall()
    hall, before = harness.sandbox.add_channel(harness.guild, "hall"), harness.messages().message.chatter
    for number in range(3):
        await harness.cleo.say(hall, f"elsewhere {number}")
    await harness.cleo.say(harness.yard, "here")
    await harness.sandbox.until(lambda: harness.messages().message.chatter > before)
    assert harness.messages().message.chatter == before + 1


async def test_a_table_message_that_was_only_just_posted_is_not_moved_by_any_chatter(harness: BotHarness):
    await harness.two_at_the_wall()
    old = harness.board()["id"]
    await chat(harness, 30)
    await harness.push()
    await harness.settle()
    assert harness.board()["id"] == old


async def test_each_repost_is_a_new_message_and_the_one_before_it_is_deleted_also_while_nobody_moves(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    seen = [harness.board()["id"]]
    for _ in range(3):
        harness.messages().message.repost()
        await harness.settle()
        assert [message["id"] for message in table_messages(harness.sandbox, harness.yard)] == [harness.board()["id"]]
        assert harness.board()["id"] not in seen and await harness.shows_latest()
        seen.append(harness.board()["id"])


async def test_the_end_of_a_game_is_not_reposted_when_people_write_below_it(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.resign(harness.ann)
    await harness.settle()
    old = harness.board()["id"]
    await harness.advance(2 * MINUTE_MS)
    await chat(harness, 15)
    harness.messages().message.retry()
    await harness.settle()
    assert harness.board()["id"] == old


async def test_a_lobby_in_a_busy_channel_is_reposted_again_and_again(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    for _ in range(3):
        old = harness.board()["id"]
        await harness.advance(2 * MINUTE_MS)
        await chat(harness, 15)
        harness.messages().message.invalidate()
        await harness.settle()
        assert (
            harness.board()["id"] != old
            and len(table_messages(harness.sandbox, harness.yard)) == 1
            and await harness.shows_latest()
        )


@pytest.mark.parametrize("status", [503, 0])
async def test_a_post_that_took_effect_and_failed_is_not_made_twice(harness: BotHarness, status: int):
    await harness.two_at_the_wall()
    old = harness.board()["id"]
    harness.sandbox.fault(*POST, status, drop=True)
    harness.messages().message.repost()
    await harness.settle()
    await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")  # the game goes on meanwhile
    await harness.settle()
    await harness.advance(10_000)
    assert (
        len(table_messages(harness.sandbox, harness.yard)) == 1
        and harness.board()["id"] != old
        and await harness.shows_latest()
    )


async def test_a_post_that_took_effect_before_a_kill_is_not_made_twice(harness: BotHarness):
    await harness.two_at_the_wall()
    harness.sandbox.fault("*", "*", 0, times=1_000, drop=True)
    harness.messages().message.repost()
    await harness.settle()
    await harness.kill()
    assert len(table_messages(harness.sandbox, harness.yard)) == 2
    await harness.start()
    await harness.settle()
    (await harness.client.inbound.finder.find(1)).message.repost()
    await harness.settle()
    assert len(table_messages(harness.sandbox, harness.yard)) == 1 and await harness.shows_latest()


async def test_where_deleting_is_not_allowed_a_stub_with_a_link_stays(harness: BotHarness):
    await harness.two_at_the_wall()
    old = harness.board()
    harness.sandbox.fault(*DELETE, 403, body={"code": 50013, "message": "Missing Permissions"})
    harness.messages().message.repost()
    await harness.settle()
    left = harness.sandbox.message(old)
    assert left is not None
    assert "continues" in UserClient.visible_text(left) and harness.board()["id"] in UserClient.visible_text(left)
    assert not UserClient.buttons(left)


async def test_an_old_message_that_could_not_be_deleted_for_the_moment_goes_when_the_turn_passes(harness: BotHarness):
    await harness.two_at_the_wall()
    harness.sandbox.fault(*DELETE, 503)
    harness.messages().message.repost()
    await harness.settle()
    assert len(table_messages(harness.sandbox, harness.yard)) == 2
    await harness.push()
    await harness.settle()
    assert len(table_messages(harness.sandbox, harness.yard)) == 1


async def test_a_click_that_was_under_way_to_the_old_message_counts_and_is_answered(harness: BotHarness):
    await harness.two_at_the_wall()
    old, push = harness.board(), harness.controls("push")[0]
    asked = await harness.awaited().start_press(old, push)
    harness.messages().message.repost()
    await asked.answered.wait()
    await harness.settle()
    assert asked.failed is None and harness.pushes() == 1
    assert len(table_messages(harness.sandbox, harness.yard)) == 1 and await harness.shows_latest()


async def test_a_click_on_a_leftover_message_links_to_the_new_one_and_deletes_it(harness: BotHarness):
    await harness.two_at_the_wall()
    old, push = harness.board(), harness.controls("push")[0]
    harness.sandbox.fault(*DELETE, 503)
    harness.messages().message.repost()
    await harness.settle()
    assert len(table_messages(harness.sandbox, harness.yard)) == 2
    answer = await harness.awaited().press(old, push)
    await harness.settle()
    assert harness.pushes() == 1 and answer.message["flags"] & 64 and harness.board()["id"] in answer.text
    assert len(table_messages(harness.sandbox, harness.yard)) == 1 and await harness.shows_latest()


async def test_a_stranger_cannot_post_a_table_again(harness: BotHarness):
    await harness.two_at_the_wall()
    old = harness.board()["id"]
    answer = await harness.cleo.forge(harness.board(), "cb:0:0:repost:1")
    await harness.settle()
    assert "have no seat" in answer.text and harness.board()["id"] == old


async def test_moves_by_command_on_a_message_older_than_an_hour_are_shown_at_once(harness: BotHarness):
    await harness.two_at_the_wall()
    mover, other = harness.awaited(), harness.idle()
    await harness.advance(65 * MINUTE_MS)
    harness.sandbox.settings.window_scale = 1.0  # Discord's own windows: three edits of old messages in 20 s
    loop = asyncio.get_running_loop()
    began = loop.time()
    for number in range(5):
        who = (mover, other)[number % 2]
        await who.command(harness.yard, "rope-wall push", floor=number + 1, side="left")
        await harness.sandbox.until(lambda: f"pushed L{number + 1}" in harness.public())  # noqa: B023 (asked at once)
    assert not [call for call in harness.sandbox.calls if call.status == 429]
    assert loop.time() - began < 15


# Messages that others delete


async def test_a_table_message_deleted_while_a_click_on_it_is_answered_is_reposted(harness: BotHarness, caplog):
    await harness.two_at_the_wall()
    asked = await harness.awaited().start_press(harness.board(), harness.controls("push")[0])
    await harness.ann.delete(harness.board())
    await asked.answered.wait()
    await harness.settle()
    assert asked.failed is None and harness.pushes() == 1
    assert len(table_messages(harness.sandbox, harness.yard)) == 1 and await harness.shows_latest()
    assert "Traceback" not in caplog.text and not [m for m in asked.messages if "went wrong" in m.content]


async def test_a_finished_game_whose_message_was_deleted_is_not_posted_again(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.resign(harness.ann)
    await harness.settle()
    await harness.ann.delete(harness.board())
    harness.messages().message.invalidate()
    await harness.settle()
    assert table_messages(harness.sandbox, harness.yard) == []


# The newest state is shown in the end


async def test_an_edit_that_crosses_the_answer_to_a_click_cannot_leave_an_older_state(harness: BotHarness):
    await harness.two_at_the_wall()
    for number in range(4):
        harness.messages().message.invalidate()
        asked = await harness.awaited().start_press(harness.board(), harness.controls("push")[number])
        harness.messages().message.invalidate()
        await asked.answered.wait()
        await harness.settle()
        assert await harness.shows_latest()


async def test_an_older_edit_that_lands_after_the_answer_to_a_click_is_followed_by_the_newest(
    harness: BotHarness, monkeypatch
):
    await harness.two_at_the_wall()
    message, gate = harness.messages().message, asyncio.Event()
    deliver = TableMessage.deliver

    async def held(message: TableMessage, rendered: RenderedPage, *, new_message: bool) -> bool:
        await gate.wait()
        return await deliver(message, rendered, new_message=new_message)

    monkeypatch.setattr(TableMessage, "deliver", held)
    message.invalidate()
    await harness.push()
    gate.set()
    await harness.settle()
    assert harness.pushes() == 1 and await harness.shows_latest()


async def test_an_answer_that_was_drawn_too_slowly_is_followed_by_an_edit(harness: BotHarness, monkeypatch):
    await harness.two_at_the_wall()
    monkeypatch.setattr(responder, "DEFER_AFTER_S", 0.0)
    answer = await harness.push()
    await harness.settle()
    assert answer.failed is None and await harness.shows_latest()


# Invitations


async def test_an_invitation_goes_when_the_lobby_closes(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    await harness.settle()
    assert len(harness.mentions()) == 1
    await harness.press(harness.ann, "Close the table")
    await harness.settle()
    assert harness.mentions() == []


async def test_an_invitation_outlasts_a_restart_and_goes_when_the_lobby_closes_by_itself(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    await harness.settle()
    await harness.restart()
    await harness.client.inbound.finder.find(1)
    await harness.settle()
    assert len(harness.mentions()) == 1
    await harness.advance(16 * MINUTE_MS)
    assert not [line for line in harness.mentions() if "invites you" in line]


async def test_an_invitation_to_a_lobby_that_closed_just_before_a_kill_goes_with_the_next_start(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    await harness.settle()
    session = harness.messages()
    await session.table.act(changes.close, lambda: "It closed.", harness.clock.now())
    await harness.kill()
    await harness.start()
    await harness.sandbox.until(lambda: harness.mentions() == [])
    await harness.settle()
    assert "closed" in harness.public()


async def test_a_table_that_is_being_opened_while_its_server_comes_in_is_posted_once(harness: BotHarness):
    guild = harness.client.get_guild(int(harness.guild.id))
    assert guild is not None
    harness.ann.start_command(harness.yard, "rope-wall start", {})
    await harness.sandbox.until(lambda: 1 in harness.client.tables.registry.present)
    harness.messages().message.retry()
    assert harness.messages().message.number is None
    await harness.client.serving.server_back(guild)
    await harness.sandbox.until(lambda: harness.messages().message.number)
    await harness.settle()
    assert len(table_messages(harness.sandbox, harness.yard)) == 1 and await harness.shows_latest()
    assert not [call for call in harness.sandbox.calls if call.path == f"/channels/{harness.yard.id}/messages"]
