"""Where the table message stands: posted once, anew when it must be, and never lost with the answer that posts it."""

import asyncio

import pytest

from cogs.core.pages.page import RenderedPage
from cogs.core.publishing import responder
from cogs.core.publishing.posted import Posted
from cogs.core.tables import changes
from sandbox import UserClient
from tools.harness.bot_harness import House, boards

CALLBACK = ("POST", "/interactions/{interaction_id}/{webhook_token}/callback")
MESSAGES = "/channels/{channel_id}/messages"
POST = ("POST", MESSAGES)
EDIT = ("PATCH", MESSAGES + "/{message_id}")
DELETE = ("DELETE", MESSAGES + "/{message_id}")
MINUTE_MS = 60_000


async def chat(house: House, count: int) -> None:
    before = house.session().message.chatter
    for number in range(count):
        await house.cleo.say(house.yard, f"chat {number}")
    await house.sandbox.until(lambda: house.session().message.chatter == before + count)


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
async def test_an_opening_whose_answer_fails_still_gives_one_table_that_lives(house: House, status, drop, body):
    house.sandbox.fault(*CALLBACK, status, body=body, drop=drop)
    house.ann.start_command(house.yard, "rope-wall start", {"computer": "rookie", "clock": 300})
    await house.sandbox.until(lambda: boards(house.sandbox, house.yard))
    await house.sandbox.until(lambda: 1 in house.client.tables.registry.present and house.session().message.message)
    await house.settle()
    assert len(boards(house.sandbox, house.yard)) == 1 and await house.shows()
    assert house.client.tables.scheduler.due(1, "deadline"), "its clock runs"
    before = house.pushes()
    if house.view().turn == 0:
        await house.push()
    else:
        await house.turn(10_000)
    assert house.pushes() == before + 1


async def test_an_opening_that_took_effect_unheard_is_taken_over_with_the_first_click_on_it(house: House):
    house.sandbox.fault(*CALLBACK, 0, drop=True)
    house.sandbox.fault("GET", "/webhooks/*", 0, times=4)  # the library itself tries again
    house.sandbox.fault("POST", f"/channels/{house.yard.id}/messages", 503, times=100)
    house.ann.start_command(house.yard, "rope-wall start", {})
    await house.sandbox.until(lambda: 1 in house.client.tables.registry.present and house.session().message.trouble)
    await house.settle()
    (message,) = boards(house.sandbox, house.yard)
    assert house.session().message.message is None
    answer = await house.press(house.ben, "Join", message)
    await house.settle()
    assert answer.type == 7 and house.session().message.message == int(message["id"]) and await house.shows()


async def test_who_opened_a_table_whose_message_went_to_the_channel_is_told_where_it_stands(house: House):
    house.sandbox.fault(*CALLBACK, 403, body={"code": 50013, "message": "Missing Permissions"})
    opened = await house.ann.command(house.yard, "rope-wall start")
    assert "stands here" in opened.text and str(boards(house.sandbox, house.yard)[0]["id"]) in opened.text


async def test_a_table_whose_posting_was_lost_with_the_bot_is_posted_by_the_next_start(house: House):
    house.sandbox.fault("*", "*", 0, times=1_000)
    house.ann.start_command(house.yard, "rope-wall start", {})
    await house.sandbox.until(lambda: 1 in house.client.tables.registry.present)
    await house.kill()
    await house.start()
    await house.sandbox.until(lambda: boards(house.sandbox, house.yard))
    assert await house.shows()


# Reposting


async def test_fourteen_messages_of_others_leave_the_table_message_where_it_is_and_the_fifteenth_moves_it(house: House):
    await house.two_at_the_wall()
    old = house.board()["id"]
    await house.turn(2 * MINUTE_MS)
    await chat(house, 14)
    await house.push()
    await house.settle()
    assert house.board()["id"] == old
    await chat(house, 1)
    await house.push()
    await house.settle()
    assert house.board()["id"] != old and await house.shows()


async def test_what_is_said_in_other_channels_moves_no_table_message(house: House):
    await house.two_at_the_wall()
    hall, before = house.sandbox.add_channel(house.guild, "hall"), house.session().message.chatter
    for number in range(3):
        await house.cleo.say(hall, f"elsewhere {number}")
    await house.cleo.say(house.yard, "here")
    await house.sandbox.until(lambda: house.session().message.chatter > before)
    assert house.session().message.chatter == before + 1


async def test_a_table_message_that_was_only_just_posted_is_not_moved_by_any_chatter(house: House):
    await house.two_at_the_wall()
    old = house.board()["id"]
    await chat(house, 30)
    await house.push()
    await house.settle()
    assert house.board()["id"] == old


async def test_each_repost_is_a_new_message_and_the_one_before_it_is_deleted_also_while_nobody_moves(house: House):
    await house.two_at_the_wall()
    seen = [house.board()["id"]]
    for _ in range(3):
        house.session().message.move_down()
        await house.settle()
        assert [message["id"] for message in boards(house.sandbox, house.yard)] == [house.board()["id"]]
        assert house.board()["id"] not in seen and await house.shows()
        seen.append(house.board()["id"])


async def test_the_end_of_a_game_that_was_shown_stays_where_it_is_whatever_is_said_below_it(house: House):
    await house.two_at_the_wall()
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    old = house.board()["id"]
    await house.turn(2 * MINUTE_MS)
    await chat(house, 15)
    house.session().message.retry()
    await house.settle()
    assert house.board()["id"] == old


async def test_a_lobby_in_a_busy_channel_is_posted_anew_again_and_again(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    for _ in range(3):
        old = house.board()["id"]
        await house.turn(2 * MINUTE_MS)
        await chat(house, 15)
        house.session().message.changed()
        await house.settle()
        assert house.board()["id"] != old and len(boards(house.sandbox, house.yard)) == 1 and await house.shows()


@pytest.mark.parametrize("status", [503, 0])
async def test_a_post_that_took_effect_and_failed_is_not_made_twice(house: House, status: int):
    await house.two_at_the_wall()
    old = house.board()["id"]
    house.sandbox.fault(*POST, status, drop=True)
    house.session().message.move_down()
    await house.settle()
    await house.awaited().command(house.yard, "rope-wall push", floor=1, side="left")  # the state goes on meanwhile
    await house.settle()
    await house.turn(10_000)
    assert len(boards(house.sandbox, house.yard)) == 1 and house.board()["id"] != old and await house.shows()


async def test_a_post_that_took_effect_before_a_kill_is_not_made_twice(house: House):
    await house.two_at_the_wall()
    house.sandbox.fault("*", "*", 0, times=1_000, drop=True)
    house.session().message.move_down()
    await house.settle()
    await house.kill()
    assert len(boards(house.sandbox, house.yard)) == 2
    await house.start()
    await house.settle()
    (await house.client.tables.find(1)).message.move_down()
    await house.settle()
    assert len(boards(house.sandbox, house.yard)) == 1 and await house.shows()


async def test_where_deleting_is_not_allowed_a_stub_with_a_link_stays(house: House):
    await house.two_at_the_wall()
    old = house.board()
    house.sandbox.fault(*DELETE, 403, body={"code": 50013, "message": "Missing Permissions"})
    house.session().message.move_down()
    await house.settle()
    left = house.sandbox.message(old)
    assert left is not None
    assert "goes on" in UserClient.visible_text(left) and house.board()["id"] in UserClient.visible_text(left)
    assert not UserClient.buttons(left)


async def test_an_old_message_that_could_not_be_deleted_for_the_moment_goes_when_the_turn_passes(house: House):
    await house.two_at_the_wall()
    house.sandbox.fault(*DELETE, 503)
    house.session().message.move_down()
    await house.settle()
    assert len(boards(house.sandbox, house.yard)) == 2
    await house.push()
    await house.settle()
    assert len(boards(house.sandbox, house.yard)) == 1


async def test_a_click_that_was_under_way_to_the_old_message_counts_and_is_answered(house: House):
    await house.two_at_the_wall()
    old, push = house.board(), house.controls("push")[0]
    asked = await house.awaited().start_press(old, push)
    house.session().message.move_down()
    await asked.answered.wait()
    await house.settle()
    assert asked.failed is None and house.pushes() == 1
    assert len(boards(house.sandbox, house.yard)) == 1 and await house.shows()


async def test_who_clicks_on_an_old_message_that_still_stands_is_shown_the_way_and_it_goes(house: House):
    await house.two_at_the_wall()
    old, push = house.board(), house.controls("push")[0]
    house.sandbox.fault(*DELETE, 503)
    house.session().message.move_down()
    await house.settle()
    assert len(boards(house.sandbox, house.yard)) == 2
    answer = await house.awaited().press(old, push)
    await house.settle()
    assert house.pushes() == 1 and answer.message["flags"] & 64 and house.board()["id"] in answer.text
    assert len(boards(house.sandbox, house.yard)) == 1 and await house.shows()


async def test_a_stranger_cannot_post_a_table_anew(house: House):
    await house.two_at_the_wall()
    old = house.board()["id"]
    answer = await house.cleo.forge(house.board(), "cb:0:0:repost:1")
    await house.settle()
    assert "do not sit" in answer.text and house.board()["id"] == old


async def test_moves_by_command_on_a_message_older_than_an_hour_are_shown_at_once(house: House):
    await house.two_at_the_wall()
    mover, other = house.awaited(), house.idle()
    await house.turn(65 * MINUTE_MS)
    house.sandbox.settings.window_scale = 1.0  # Discord's own windows: three edits of old messages in 20 s
    loop = asyncio.get_running_loop()
    began = loop.time()
    for number in range(5):
        who = (mover, other)[number % 2]
        await who.command(house.yard, "rope-wall push", floor=number + 1, side="left")
        await house.sandbox.until(lambda: f"pushed L{number + 1}" in house.public())  # noqa: B023 (asked at once)
    assert not [call for call in house.sandbox.calls if call.status == 429]
    assert loop.time() - began < 15


# Messages that others delete


async def test_a_table_message_deleted_while_a_click_on_it_is_answered_is_posted_anew(house: House, caplog):
    await house.two_at_the_wall()
    asked = await house.awaited().start_press(house.board(), house.controls("push")[0])
    await house.ann.delete(house.board())
    await asked.answered.wait()
    await house.settle()
    assert asked.failed is None and house.pushes() == 1
    assert len(boards(house.sandbox, house.yard)) == 1 and await house.shows()
    assert "Traceback" not in caplog.text and not [m for m in asked.messages if "went wrong" in m.content]


async def test_a_finished_game_whose_message_was_deleted_is_not_posted_again(house: House):
    await house.two_at_the_wall()
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    await house.ann.delete(house.board())
    house.session().message.changed()
    await house.settle()
    assert boards(house.sandbox, house.yard) == []


# The newest state stands in the end


async def test_an_edit_that_crosses_the_answer_to_a_click_cannot_leave_an_older_state(house: House):
    await house.two_at_the_wall()
    for number in range(4):
        house.session().message.changed()
        asked = await house.awaited().start_press(house.board(), house.controls("push")[number])
        house.session().message.changed()
        await asked.answered.wait()
        await house.settle()
        assert await house.shows()


async def test_an_older_edit_that_lands_after_the_answer_to_a_click_is_followed_by_the_newest(
    house: House, monkeypatch
):
    await house.two_at_the_wall()
    message, gate = house.session().message, asyncio.Event()
    publish = Posted.publish

    async def held(posted: Posted, sheet: RenderedPage) -> int | None:
        await gate.wait()
        return await publish(posted, sheet)

    monkeypatch.setattr(Posted, "publish", held)
    message.changed()
    await house.push()
    gate.set()
    await house.settle()
    assert house.pushes() == 1 and await house.shows()


async def test_an_answer_that_was_drawn_too_slowly_is_followed_by_an_edit(house: House, monkeypatch):
    await house.two_at_the_wall()
    monkeypatch.setattr(responder, "HOLD_AFTER_S", 0.0)
    answer = await house.push()
    await house.settle()
    assert answer.failed is None and await house.shows()


# Invitations


async def test_an_invitation_goes_when_the_lobby_closes(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    await house.settle()
    assert len(house.mentions()) == 1
    await house.press(house.ann, "Close the table")
    await house.settle()
    assert house.mentions() == []


async def test_an_invitation_outlasts_a_restart_and_goes_when_the_lobby_closes_by_itself(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    await house.settle()
    await house.restart()
    await house.client.tables.find(1)
    await house.settle()
    assert len(house.mentions()) == 1
    await house.turn(16 * MINUTE_MS)
    assert house.mentions() == []


async def test_an_invitation_to_a_lobby_that_closed_just_before_a_kill_goes_with_the_next_start(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    await house.settle()
    session = house.session()
    await session.table.act(changes.close, "It closed.", house.hands.now())
    await house.kill()
    await house.start()
    await house.sandbox.until(lambda: house.mentions() == [])
    await house.settle()
    assert "closed" in house.public()


async def test_a_table_that_is_being_opened_while_its_server_comes_in_is_posted_once(house: House):
    guild = house.client.get_guild(int(house.guild.id))
    assert guild is not None
    house.ann.start_command(house.yard, "rope-wall start", {})
    await house.sandbox.until(lambda: 1 in house.client.tables.registry.present)
    house.session().message.retry()
    assert house.session().message.message is None
    await house.client.guild_events.guild_back(guild)
    await house.sandbox.until(lambda: house.session().message.message)
    await house.settle()
    assert len(boards(house.sandbox, house.yard)) == 1 and await house.shows()
    assert not [call for call in house.sandbox.calls if call.path == f"/channels/{house.yard.id}/messages"]
