"""Overlapping calls about one message, and failures between sending and storing."""

import asyncio
import random
from dataclasses import replace
from typing import Any

import pytest

from cogs.core.publishing.ephemeral_pages import CALM_MS, RESTS_MS
from cogs.core.publishing.interaction_message import InteractionMessage
from cogs.core.publishing.message_cleanup import MessageCleanup
from cogs.core.tables import changes
from data.store import PendingDeletion
from data.store.errors import DiskFull
from sandbox import UserClient
from tests.cogs.core.held_calls import hold_calls
from tests.cogs.core.publishing.test_direct_message_situations import people, prison
from tools.harness.bot_harness import BotHarness, table_messages
from tools.harness.drivers.prison_break import take_turn_by_command

MINUTE_MS = 60_000
DELETE = ("DELETE", "/channels/{channel_id}/messages/{message_id}")


class Held:
    """Holds edits by token until the test releases them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began, self.go = asyncio.Event(), asyncio.Event()
        edit = InteractionMessage.edit

        async def held(message: InteractionMessage, *arguments: Any) -> None:
            self.began.set()
            await self.go.wait()
            await edit(message, *arguments)

        monkeypatch.setattr(InteractionMessage, "edit", held)


async def test_a_page_that_is_opened_while_the_one_before_it_is_edited_is_kept_up_to_date(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    await harness.settle()
    held = Held(monkeypatch)
    await harness.push()
    await held.began.wait()  # an edit of their page
    await harness.press(idle, "Play")
    await harness.sandbox.until(lambda: len(idle.ephemerals(harness.yard)) == 1)  # the old one is deleted
    (page,) = idle.ephemerals(harness.yard)
    held.go.set()
    await harness.settle()
    before = harness.pushes()
    await harness.push()
    await harness.advance(CALM_MS)
    assert harness.pushes() == before + 1
    assert UserClient.visible_text(harness.sandbox.message(page)) != UserClient.visible_text(page)


async def test_a_call_of_a_table_that_has_left_the_process_does_not_go_out_even_if_the_server_is_ours_again(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    await harness.without_tokens()
    waits, go_on = hold_calls(monkeypatch)
    left = harness.messages().message
    left.invalidate()
    await waits.wait()
    harness.client.serving.release(lambda guild: True)
    await harness.client.inbound.finder.find(1)
    await harness.push()
    before = [call for call in harness.sandbox.calls if call.method == "PATCH"]
    go_on.set()
    await left.settle()
    assert harness.messages().message is not left
    assert [call for call in harness.sandbox.calls if call.method == "PATCH"] == before
    assert await harness.shows_latest()


async def test_a_page_that_a_command_opened_rests_in_time(harness: BotHarness):
    await prison(harness)
    await harness.ann.command(harness.yard, "prison-break track")
    await harness.settle()
    await harness.advance(RESTS_MS)
    assert "This page stopped updating" in UserClient.visible_text(harness.ann.ephemerals(harness.yard)[-1])


async def test_a_page_released_while_another_was_composed_loses_no_change(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await prison(harness)
    reader, pages = people(harness)[1], harness.messages().pages
    await harness.press(reader, "Play")
    for _ in range(3):
        harness.messages().table.announce()
        await harness.settle()
    composing, go, services = asyncio.Event(), asyncio.Event(), pages._services

    async def slow(*arguments: Any, **named: Any) -> Any:
        composing.set()
        await go.wait()
        return await services.player_page(*arguments, **named)

    monkeypatch.setattr(pages, "_services", replace(services, player_page=slow))
    asked = reader.start_command(harness.yard, "prison-break track", {})
    await composing.wait()
    pages.message_of(int(reader.id)).give_up()  # Discord has just answered that the page is gone
    go.set()
    await asked.answered.wait()
    await harness.settle()
    assert not pages.message_of(int(reader.id)).open
    opened = reader.ephemerals(harness.yard)[-1]
    await take_turn_by_command(harness, random.Random(1))
    await harness.advance(CALM_MS)
    assert UserClient.visible_text(harness.sandbox.message(opened)) != UserClient.visible_text(opened)


async def test_an_old_table_message_that_could_not_be_deleted_at_the_end_goes_by_itself(harness: BotHarness):
    await harness.two_at_the_wall()
    harness.sandbox.fault(*DELETE, 503, times=3)
    await harness.resign(harness.ann)
    await harness.settle()
    assert len(table_messages(harness.sandbox, harness.yard)) == 2
    for _ in range(4):
        await harness.advance(10_000)
    assert len(table_messages(harness.sandbox, harness.yard)) == 1


async def test_a_direct_message_that_is_owed_is_sent_after_its_table_was_unloaded(harness: BotHarness):
    harness.sandbox.fault("POST", f"/channels/{harness.ben.dm.id}/messages", 503, times=1_000_000)
    await harness.begin("prison-break", harness.ben, harness.cleo)
    await harness.without_tokens()  # no page is open
    await harness.advance(MINUTE_MS)  # nor is anybody to be mentioned, which loads the table
    assert not harness.ben.dms()
    harness.clock.advance(24 * 60 * MINUTE_MS)  # immediately, so that no timer keeps the table in memory
    await harness.client.tables.registry.unload_timer.run(1)
    assert 1 not in harness.client.tables.registry.present
    harness.sandbox.mend()
    await harness.advance(MINUTE_MS)
    assert len(harness.ben.dms()) == 1


async def test_which_direct_message_is_the_newest_is_stored_before_the_old_one_is_deleted(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await prison(harness)
    reader, stored = people(harness)[0], list[int | None]()
    delete = MessageCleanup._delete

    async def noted(cleanup: MessageCleanup, one: PendingDeletion) -> None:
        seat = harness.snapshot().seat_of(int(reader.id))
        stored.append(None if seat is None else harness.snapshot().seats[seat].dm_message)
        await delete(cleanup, one)

    monkeypatch.setattr(MessageCleanup, "_delete", noted)
    harness.messages().direct_messages.renew(int(reader.id))
    await harness.settle()
    (new,) = reader.dms()
    assert stored == [int(new["id"])]


async def test_a_direct_message_whose_post_was_lost_is_one_however_long_its_edits_fail(harness: BotHarness):
    await prison(harness)
    reader = people(harness)[0]
    place = f"/channels/{reader.dm.id}/messages"
    harness.sandbox.fault("POST", place, 503, drop=True)
    harness.sandbox.fault("PATCH", place + "/*", 503, times=25)
    harness.messages().direct_messages.renew(int(reader.id))
    for _ in range(40):
        await harness.advance(10_000)
    assert len([message for message in reader.dms() if list(UserClient.buttons(message))]) == 1


async def test_a_click_is_answered_while_it_cannot_be_stored_which_message_is_the_tables(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    act, table = type(harness.messages().table).act, harness.messages().table

    async def full(self: Any, decide: Any, *arguments: Any, **named: Any) -> bool:
        if decide is changes.replace_message:
            raise DiskFull("full")
        return await act(self, decide, *arguments, **named)

    monkeypatch.setattr(type(table), "act", full)
    harness.messages().message.repost()
    await harness.settle()
    answer = await harness.push()
    assert answer.type == 7 and "pushed" in answer.text
    monkeypatch.undo()
    await harness.advance(MINUTE_MS)
    assert await harness.shows_latest()


async def test_an_old_page_is_not_deleted_by_a_process_that_no_longer_serves_the_table(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    idle = harness.idle()
    await harness.press(idle, "Play")
    await harness.settle()
    session = harness.messages()
    page = session.pages.message_of(int(idle.id)).message
    assert page is not None
    monkeypatch.setattr(session.table.ownership, "holds", lambda guild: False)
    session.pages._delete_soon(page)
    await session.pages.settle()
    assert len(idle.ephemerals(harness.yard)) == 1
