"""Answers come before edits: while somebody waits for an answer, no page is composed for which nobody has pressed."""

import asyncio
import contextlib
import dataclasses
import random
from collections.abc import AsyncIterator, Iterator
from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.core.pages.page import RenderedPage
from cogs.core.publishing import edit_queue
from cogs.core.publishing.edit_queue import MAX_COMPOSING, EditQueue
from cogs.core.publishing.player_page_host import PlayerPageHost
from cogs.core.tables.snapshot import TableSnapshot
from sandbox import PATIENCE_S, UserClient
from sandbox.world.events import Edited, Event
from tests.cogs.core.publishing.test_ending import resigned
from tools.harness.bot_harness import BotHarness

FOR_EVER_S = 3_600.0


@pytest.fixture(autouse=True)
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits wait for answers however long that takes."""
    monkeypatch.setattr(edit_queue, "MAX_WAIT_S", FOR_EVER_S)
    monkeypatch.setattr(edit_queue, "RECENT_PRESS_S", FOR_EVER_S)


class Edits:
    """Edits of which each notes when it is composed, and goes on until it is told to end."""

    def __init__(self, answers: EditQueue) -> None:
        self.answers = answers
        self.composing: list[int] = []
        self.begun: dict[int, asyncio.Event] = {}
        self.ends: dict[int, asyncio.Event] = {}
        self.tasks: dict[int, asyncio.Task[None]] = {}

    def begin(self, table: int = 1, *, urgent: bool = False) -> int:
        """Let another one want its turn."""
        number = len(self.tasks)
        self.begun[number], self.ends[number] = asyncio.Event(), asyncio.Event()
        self.tasks[number] = asyncio.create_task(self._edit(number, table, urgent))
        return number

    async def _edit(self, number: int, table: int, urgent: bool) -> None:
        async with self.answers.slot(table, urgent=urgent):
            self.composing.append(number)
            self.begun[number].set()
            try:
                await self.ends[number].wait()
            finally:
                self.composing.remove(number)


async def rest() -> None:
    """Let everything run that can."""
    for _ in range(8):
        await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def edits() -> AsyncIterator[Edits]:
    """Edits, all of which are cancelled in the end."""
    found = Edits(EditQueue())
    try:
        yield found
    finally:
        for task in found.tasks.values():
            task.cancel()
        await asyncio.gather(*found.tasks.values(), return_exceptions=True)


async def test_an_edit_goes_on_at_once_while_nobody_waits_for_an_answer():
    async with edits() as found:
        number = found.begin()
        await rest()
        assert found.composing == [number]


async def test_an_edit_waits_until_the_last_press_is_answered():
    async with edits() as found:
        found.answers.press_received("one")
        found.answers.press_received("two")
        number = found.begin()
        await rest()
        found.answers.press_answered("one")
        await rest()
        assert found.composing == []
        found.answers.press_answered("two")
        await rest()
        assert found.composing == [number]


@pytest.mark.parametrize("limit", ["MAX_WAIT_S", "RECENT_PRESS_S"])
async def test_no_edit_waits_for_long_nor_for_a_press_that_waits_for_something_else(
    monkeypatch: pytest.MonkeyPatch, limit: str
):
    monkeypatch.setattr(edit_queue, limit, 0.01)
    async with edits() as found:
        found.answers.press_received("one")
        number = found.begin()
        async with asyncio.timeout(PATIENCE_S):
            await found.begun[number].wait()


async def test_what_people_must_answer_within_seconds_waits_for_no_answer_and_for_no_other_edit():
    async with edits() as found:
        found.answers.press_received("one")
        found.begin()
        number = found.begin(2, urgent=True)
        await rest()
        assert found.composing == [number]


async def test_an_edit_that_waits_goes_on_when_what_it_shows_has_become_urgent():
    async with edits() as found:
        found.answers.press_received("one")
        others = [found.begin(), found.begin(3)]
        numbers = [found.begin(2), found.begin(2)]
        await rest()
        assert found.composing == []
        found.answers.make_urgent(2)
        await rest()
        assert found.composing == numbers
        found.answers.press_answered("one")
        for number in numbers:
            found.ends[number].set()
        await rest()
        assert found.composing == others


async def test_edits_that_are_urgent_go_in_the_order_in_which_they_became_so():
    async with edits() as found:
        busy = [found.begin(8), found.begin(9)]
        await rest()
        ordinary, first, second = found.begin(), found.begin(2, urgent=True), found.begin(3, urgent=True)
        await rest()
        order = []
        for _ in range(3):
            found.ends[busy.pop()].set()
            await rest()
            busy.append(next(number for number in found.composing if number not in busy))
            order.append(busy[-1])
        assert order == [first, second, ordinary]


async def test_an_edit_that_has_waited_its_time_is_not_passed_by_urgent_ones_for_ever(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(edit_queue, "MAX_WAIT_S", 0.0)
    async with edits() as found:
        busy = [found.begin(8), found.begin(9)]
        await rest()
        waited = found.begin()
        await rest()
        found.begin(2, urgent=True)
        await rest()
        found.ends[busy[0]].set()
        await rest()
        assert waited in found.composing


@pytest.mark.parametrize("film", [True, False])
async def test_edits_wait_for_presses_that_are_young_and_for_no_other_one(monkeypatch: pytest.MonkeyPatch, film: bool):
    monkeypatch.setattr(edit_queue, "RECENT_PRESS_S", FOR_EVER_S / 2)
    async with edits() as found:
        if film:
            found.answers.press_received("film")
            found.answers._unanswered["film"] -= FOR_EVER_S
        found.answers.press_received("young")
        number = found.begin()
        await rest()
        assert found.composing == []
        found.answers.press_answered("young")
        await rest()
        assert found.composing == [number]


async def test_an_answer_is_told_twice_and_a_press_that_nobody_knows_is_answered_without_harm():
    async with edits() as found:
        found.answers.press_received("one")
        found.answers.press_received("two")
        found.answers.press_answered("one")
        found.answers.press_answered("one")
        found.answers.press_answered("three")
        found.begin()
        await rest()
        assert found.composing == []


@given(st.integers(0, 2**32))
def test_in_every_order_of_presses_and_edits_few_are_composed_at_once_and_none_is_left_over(seed: int):
    dice = random.Random(seed)

    async def acted() -> None:
        async with edits() as found:
            presses: set[int] = set()
            for step in range(40):
                before = set(found.composing)
                match dice.randrange(6):
                    case 0:
                        found.answers.press_received(step)
                        presses.add(step)
                    case 1 if presses:
                        press = dice.choice(sorted(presses))
                        found.answers.press_answered(press)
                        presses.discard(press)
                    case 2 if found.composing:
                        found.ends[dice.choice(found.composing)].set()
                    case 3 if found.tasks:
                        found.tasks[dice.randrange(len(found.tasks))].cancel()
                    case _:
                        found.begin()
                await rest()
                alive = [number for number, task in found.tasks.items() if not task.done()]
                assert len(found.composing) <= MAX_COMPOSING
                if presses:
                    assert set(found.composing) <= before
                else:
                    assert sorted(found.composing) == alive[:MAX_COMPOSING]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(edit_queue, "MAX_WAIT_S", FOR_EVER_S)
        patched.setattr(edit_queue, "RECENT_PRESS_S", FOR_EVER_S)
        asyncio.run(acted())


@contextlib.contextmanager
def somebody_waits(harness: BotHarness) -> Iterator[None]:
    """Somebody at another table waits for an answer."""
    harness.client.edit_queue.press_received("somebody")
    try:
        yield
    finally:
        harness.client.edit_queue.press_answered("somebody")


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


async def test_a_panel_that_waits_for_its_edit_does_not_hold_up_the_answer_to_its_reader(harness: BotHarness):
    await harness.two_at_the_wall()
    mover = harness.awaited()
    other = harness.ben if mover is harness.ann else harness.ann
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
    before = harness.public()
    with somebody_waits(harness):
        who = harness.awaited()
        await who.command(harness.yard, "break-out draw")
        assert harness.public() == before and not harness.session().table.snapshot.hurried
        await who.command(harness.yard, "break-out next")
        assert harness.session().table.snapshot.hurried
        await harness.sandbox.until(lambda: harness.public() != before, PATIENCE_S)
        assert harness.client.edit_queue.unanswered


async def test_what_comes_later_in_a_window_of_seconds_waits_for_no_answer_either(harness: BotHarness):
    await harness.begin("break-out", harness.ben)
    who = harness.awaited()
    await harness.press(who, "Play")
    await who.command(harness.yard, "break-out draw")
    await who.command(harness.yard, "break-out next")
    await harness.settle()
    session = harness.session()
    assert session.table.snapshot.hurried
    with somebody_waits(harness):
        session.message.invalidate()
        session.pages.changed()
        async with asyncio.timeout(PATIENCE_S):
            await session.message.settle()
            await session.pages.settle()


async def test_a_press_that_is_served_holds_back_the_edits_of_others_until_it_is_answered(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    before, goes_on, really = harness.public(), asyncio.Event(), PlayerPageHost.answer
    mover = harness.awaited()
    other = harness.ben if mover is harness.ann else harness.ann

    async def slow(pages: PlayerPageHost[Any], interaction: discord.Interaction, *look: Any, **more: Any) -> None:
        if interaction.user.id == int(other.id):
            await goes_on.wait()
        await really(pages, interaction, *look, **more)

    monkeypatch.setattr(PlayerPageHost, "answer", slow)
    press = asyncio.create_task(other.press(harness.board(), label="Play"))
    await harness.sandbox.until(lambda: harness.client.edit_queue.unanswered == 1)
    await mover.command(harness.yard, "rope-wall push", floor=1, side="left")
    await harness.cleo.command(harness.yard, "tables")
    assert harness.public() == before
    goes_on.set()
    assert (await press).failed is None
    await harness.settle()
    assert harness.public() != before


async def test_whoever_was_deferred_waits_for_their_own_edit_and_not_for_others(harness: BotHarness):
    await harness.two_at_the_wall()
    before, message = harness.public(), harness.session().message
    with somebody_waits(harness):
        message._answering = True  # another click is being answered
        await harness.awaited().press(harness.board(), harness.controls("push")[0])
        await harness.sandbox.until(lambda: harness.public() != before, PATIENCE_S)


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
    message, moved = harness.session().message, list[int]()
    really = message._services.table_page

    async def compose(table: TableSnapshot) -> RenderedPage:
        page = await really(table)
        if not moved:
            moved.append(1)
            await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")
        return page

    monkeypatch.setattr(message, "_services", dataclasses.replace(message._services, table_page=compose))
    message.invalidate()
    await harness.settle()
    assert moved and await harness.shows_latest()
