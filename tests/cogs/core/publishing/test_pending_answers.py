"""Answers come before edits: while a user waits for an answer, no background page is composed."""

import asyncio
import contextlib
from collections.abc import Iterator

import pytest

from cogs.core.publishing import responder
from cogs.core.publishing.responder import PendingAnswers
from sandbox import PATIENCE_S, UserClient
from sandbox.world.events import Edited, Event
from tools.harness.bot_harness import BotHarness


@pytest.fixture(autouse=True)
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits wait for answers however long that takes."""
    monkeypatch.setattr(responder, "MAX_WAIT_S", 3_600.0)


@contextlib.contextmanager
def somebody_waits(harness: BotHarness) -> Iterator[None]:
    """Simulate a user at another table who waits for an answer."""
    harness.client.answers.add("somebody")
    try:
        yield
    finally:
        harness.client.answers.remove("somebody")


async def test_an_edit_waits_until_the_last_press_is_answered():
    answers = PendingAnswers()

    async def edit() -> None:
        async with answers.turn():
            pass

    await edit()
    answers.add("one")
    answers.add("two")
    waiting = asyncio.create_task(edit())
    for press in ("one", "one", "three"):
        answers.remove(press)
    for _ in range(5):
        await asyncio.sleep(0)
    assert not waiting.done()
    answers.remove("two")
    await waiting


async def test_no_edit_waits_for_long(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(responder, "MAX_WAIT_S", 0.01)
    answers = PendingAnswers()
    answers.add("one")
    async with asyncio.timeout(PATIENCE_S), answers.turn():
        pass


async def test_moves_made_while_others_wait_for_an_answer_are_shown_by_one_edit(harness: BotHarness):
    await harness.two_at_the_wall()
    before, shown = harness.public(), list[Event]()

    def hear(event: Event) -> None:
        if isinstance(event, Edited) and event.message.reader is None:
            shown.append(event)

    harness.sandbox.state.listeners.append(hear)
    with somebody_waits(harness):
        for floor in (1, 2, 3):
            await harness.awaited().command(harness.yard, "rope-wall push", floor=floor, side="left")
        assert harness.public() == before
    await harness.settle()
    assert harness.public() != before and await harness.shows_latest()
    assert len(shown) == 1


async def test_a_page_that_waits_for_its_edit_does_not_hold_up_the_answer_to_its_reader(harness: BotHarness):
    await harness.two_at_the_wall()
    mover, other = harness.awaited(), harness.idle()
    panel = await harness.press(other, "Play")
    with somebody_waits(harness):
        await mover.command(harness.yard, "rope-wall push", floor=1, side="left")
        answer = await other.press(panel, label="More …")
        answer = await other.press(answer, label="◀ Back to the game")
        assert "your move" in answer.text.lower()
    await harness.settle()
    assert "your move" in UserClient.visible_text(harness.sandbox.message((answer.message or {})["id"])).lower()


async def test_a_window_of_seconds_is_shown_while_others_wait_for_an_answer(harness: BotHarness):
    await harness.begin("break-out", harness.ben)
    who = harness.awaited()
    await who.command(harness.yard, "break-out draw")
    await harness.settle()
    before = harness.public()
    with somebody_waits(harness):
        await who.command(harness.yard, "break-out next")
        assert harness.snapshot().hurried
        await harness.sandbox.until(lambda: harness.public() != before, PATIENCE_S)
