"""The table message: one call a move, the newest state in the end, whatever the network does."""

from dataclasses import replace

import pytest

from cogs.core.ops.discord_errors import UNKNOWN_WEBHOOK
from cogs.core.publishing.interaction_message import GIVEN_UP_MS
from tools.harness.bot_harness import House

HOUR_MS = 3_600_000


async def test_a_public_move_costs_one_call(house: House):
    await house.two_at_the_wall()
    for number in range(6):
        before = len(house.sandbox.calls)
        await house.push(number)
        await house.settle()
        assert len(house.sandbox.calls) - before == 1


async def test_a_slash_move_shows_on_the_table_message(house: House):
    await house.two_at_the_wall()
    answer = await house.awaited().command(house.yard, "rope-wall push", floor=1, side="left")
    assert "L1" in answer.text and answer.message["flags"] & 64
    await house.settle()
    assert "pushed L1" in house.public()


async def test_a_burst_of_changes_is_drawn_once_or_twice(house: House):
    await house.two_at_the_wall()
    before = len(house.sandbox.calls)
    for _ in range(30):
        house.session().message.changed()
    await house.settle()
    assert len(house.sandbox.calls) - before <= 2


async def test_the_newest_state_survives_errors_of_the_network(house: House):
    await house.two_at_the_wall()
    await house.without_tokens()
    house.sandbox.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", 503, times=2)
    await house.awaited().command(house.yard, "rope-wall push", floor=1, side="left")
    await house.settle()
    assert "pushed L1" not in house.public()
    await house.turn(10_000)
    await house.turn(10_000)
    assert "pushed L1" in house.public()


@pytest.mark.parametrize(
    ("way", "counted"), [("pressed", False), ("pressed long ago", True), ("refused", True), ("restarted", True)]
)
async def test_the_table_message_is_edited_by_the_token_of_its_last_answer_as_long_as_that_lives(
    house: House, way: str, counted: bool
):
    await house.two_at_the_wall()
    await house.push()
    await house.settle()
    match way:
        case "pressed long ago":
            house.hands.turn(GIVEN_UP_MS)
        case "refused":
            body = {"code": UNKNOWN_WEBHOOK, "message": "Unknown Webhook"}
            house.sandbox.fault("PATCH", "/webhooks/*", 404, body=body)
        case "restarted":
            await house.without_tokens()
    before = len(house.sandbox.calls)
    table = house.session().table
    table.snapshot = replace(table.snapshot, notice="Something new.")
    house.session().message.changed()
    await house.settle()
    assert "Something new." in house.public()
    edits = [call.path for call in house.sandbox.calls[before:] if call.method == "PATCH" and call.status == 200]
    assert len(edits) == 1 and edits[0].startswith("/channels/") == counted


async def test_rate_limits_delay_but_lose_nothing(house: House):
    await house.two_at_the_wall()
    await house.without_tokens()
    house.sandbox.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", 429, times=1)
    await house.awaited().command(house.yard, "rope-wall push", floor=1, side="left")
    await house.settle()
    assert "pushed L1" in house.public()


async def test_a_click_whose_answer_gets_lost_keeps_the_move_and_the_message_follows(house: House):
    await house.two_at_the_wall()
    house.sandbox.fault("POST", "/interactions/*/callback", 500, times=1)
    asked = await house.awaited().start_press(house.board(), house.controls("push")[0])
    await house.sandbox.until(lambda: house.pushes() == 1)
    await asked.answered.wait()
    await house.settle()
    await house.turn(10_000)
    assert "pushed" in house.public()


async def test_a_deleted_table_message_is_posted_anew(house: House):
    await house.two_at_the_wall()
    gone = house.board()
    await house.ann.delete(gone)
    await house.awaited().command(house.yard, "rope-wall push", floor=2, side="right")
    await house.settle()
    assert house.board()["id"] != gone["id"] and "pushed R2" in house.public()


async def test_an_old_table_message_is_posted_anew_silently_and_the_old_one_goes(house: House):
    await house.two_at_the_wall()
    old = house.board()
    mover = house.awaited()
    await house.turn(HOUR_MS)  # the table goes to sleep meanwhile
    await mover.command(house.yard, "rope-wall push", floor=3, side="left")
    await house.settle()
    new = house.board()
    assert new["id"] != old["id"] and new["flags"] & 4096
    assert house.sandbox.message(old) is None


async def test_chatter_moves_the_table_message_down(house: House):
    await house.two_at_the_wall()
    old = house.board()
    await house.turn(2 * 60_000)
    for number in range(20):
        await house.cleo.say(house.yard, f"chat {number}")
    await house.sandbox.until(lambda: house.session().message.chatter >= 20)
    await house.push()
    await house.settle()
    assert house.board()["id"] != old["id"]


async def test_tables_shows_a_table_anew_where_it_was_lost_from_sight(house: House):
    await house.two_at_the_wall()
    old = house.board()
    listed = await house.ann.command(house.yard, "tables")
    await house.press(house.ann, "Show table 1 here", listed)
    await house.settle()
    assert house.board()["id"] != old["id"]


async def test_a_channel_that_forbids_the_message_is_not_asked_in_a_loop(house: House):
    await house.two_at_the_wall()
    await house.without_tokens()
    house.sandbox.deny(house.yard, "VIEW_CHANNEL")
    before = len(house.sandbox.calls)
    house.session().message.changed()
    await house.settle()
    await house.turn(60_000)
    assert len(house.sandbox.calls) - before <= 2
    assert house.session().message.trouble
    house.sandbox.allow(house.yard, "VIEW_CHANNEL")
    await house.push()
    await house.settle()
    assert "pushed" in house.public()
