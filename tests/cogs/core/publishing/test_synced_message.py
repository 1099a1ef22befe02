"""The loop that keeps a message equal to its page, with a kind of message whose calls the test controls."""

import asyncio
import contextlib
import gc
import logging
import weakref
from collections import deque
from collections.abc import Coroutine, Iterable
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cogs.core.cluster.ownership import check_before_call
from cogs.core.ops.timers import backoff
from cogs.core.pages.page import Page, RenderedPage, Text
from cogs.core.publishing.app_emoji import AppEmoji
from cogs.core.publishing.message_sync import GiveUp, Plan, Show, SyncedMessage, Wait
from cogs.core.publishing.responder import PendingAnswers
from data.store import StoreError
from engine.contract import Moment

BEGINNING = Moment(1_000_000)
HOUR_MS = 3_600_000


def refusal(status: int) -> discord.HTTPException:
    """Return the error of a call that Discord refuses."""
    response: Any = SimpleNamespace(status=status, reason="refused", headers={}, content_type="application/json")
    return (discord.DiscordServerError if status >= 500 else discord.HTTPException)(response, "refused")


class Call:
    """A call that takes effect and ends when the test allows it."""

    def __init__(self, error: Exception | None = None, *, certain: bool = True, lost: bool = False) -> None:
        self.began, self.end = asyncio.Event(), asyncio.Event()
        self.error, self.certain, self.lost = error, certain, lost


class Poster(SyncedMessage[RenderedPage]):
    """A message that shows a number, with its calls, timer and clock."""

    def __init__(self) -> None:
        services = SimpleNamespace(
            client=None,
            clock=self,
            answers=PendingAnswers(),
            refusals=SimpleNamespace(markup=SimpleNamespace(emoji=AppEmoji())),
            api=SimpleNamespace(retry_at=None),
            database_status=SimpleNamespace(failed=self.failed),
            schedule=self.set,
            game_uis={"poster": SimpleNamespace(has_targets=False)},
        )
        table: Any = SimpleNamespace(
            id=1,
            game=SimpleNamespace(key="poster"),
            snapshot=SimpleNamespace(hurried=False),
            guard=contextlib.nullcontext,
        )
        self.time, self.wakes = BEGINNING, 0
        self.timer: Moment | None = None
        super().__init__(services, table, "poster")  # type: ignore[arg-type]  # what the loop uses of them
        self.newest = 0  # what it should show
        self.seen = -1  # what its readers see
        self.sent: list[tuple[Moment, int]] = []
        self.script: deque[Call] = deque()
        self.queue: deque[asyncio.Event] = deque()  # holds the next calls of the loop before they go out
        self.waits = asyncio.Event()
        self.composing: asyncio.Event | None = None  # holds the composition
        self.composed = 0
        self.wait: Wait | None = None  # what the plan returns instead
        self.new_message = False  # whether the plan wants the next page in a new message
        self.always = False  # whether the plan wants it shown also if nothing has changed
        self.gone = False
        self.found: Wait | Exception | None = None  # how the composition ends instead
        self.given_up = 0
        self.planned = 0

    # The world around it

    def now(self) -> Moment:
        return self.time

    def failed(self, error: StoreError) -> None:
        pass

    def set(self, table: object, due: Moment) -> None:
        self.timer = self.due

    async def idle(self) -> None:
        """Let everything run that waits for no call."""
        for _ in range(12):
            await asyncio.sleep(0)

    async def pass_time(self, ms: int) -> None:
        """Let time pass, with the timers due in it."""
        until = Moment(self.time + ms)
        await self.idle()
        while self.timer is not None and self.timer <= until:
            self.time, self.timer = max(self.time, self.timer), None
            self.wakes += 1
            assert self.wakes < 1_000, "the timer rings again and again"
            self.wake(self.time)
            self.timer = self.due
            await self.idle()
        self.time = until

    def change(self) -> None:
        self.newest += 1
        self.mark()

    # The kind

    def plan(self, now: Moment) -> Plan:
        self.planned += 1
        assert self.planned < 2_000, "it plans again and again"
        if self.gone:
            return GiveUp() if self.open else Wait()
        if self.wait is not None and (self.wait.until is None or self.wait.until > now):
            return self.wait
        return Show(self.new_message) if self.open or self.always else Wait()

    async def compose(self) -> RenderedPage | Wait:
        self.composed += 1
        page = self.page()
        if self.composing is not None:
            await self.composing.wait()
        if isinstance(self.found, Exception):
            raise self.found
        return page if self.found is None else self.found

    def page(self) -> RenderedPage:
        return RenderedPage(Page((Text(str(self.newest)),)), 0, self.newest)

    async def deliver(self, rendered: RenderedPage, *, new_message: bool) -> bool:
        if self.queue:
            turn = self.queue.popleft()
            self.waits.set()
            await turn.wait()
        check_before_call()
        certain = await self.call(rendered)
        if new_message:
            self.new_message = False
        return certain

    async def call(self, rendered: RenderedPage) -> bool:
        self.sent.append((self.time, rendered.revision))
        assert len(self.sent) < 1_000, "it calls again and again"
        call = self.script.popleft() if self.script else None
        if call is not None:
            call.began.set()
            await call.end.wait()
            if call.error is not None and not call.lost:
                raise call.error
        self.seen = rendered.revision
        if call is not None and call.error is not None:
            raise call.error
        return call is None or call.certain

    def gave_up(self) -> None:
        self.given_up += 1

    # What tests do with it

    def next_call(self, error: Exception | None = None, *, certain: bool = True, lost: bool = False) -> Call:
        """Hold the next call that is not held yet."""
        call = Call(error, certain=certain, lost=lost)
        self.script.append(call)
        return call

    def next_turn(self) -> asyncio.Event:
        """Let the next call of the loop wait until this is set."""
        self.waits.clear()
        self.queue.append(asyncio.Event())
        return self.queue[-1]

    def fails(self, errors: Iterable[Exception]) -> None:
        """Let the next calls fail immediately."""
        for error in errors:
            self.next_call(error).end.set()

    async def answer(self) -> None:
        """Answer a press that changes the number."""
        with self.answering():
            self.change()
            number, page = self.marked, self.page()
            with contextlib.suppress(discord.HTTPException, aiohttp.ClientError):
                await self.prove(self.call(page), number, page)

    @property
    def numbers(self) -> list[int]:
        """Return the numbers that were sent."""
        return [number for _, number in self.sent]


async def test_what_is_marked_while_the_page_is_composed_is_shown_by_the_next():
    poster = Poster()
    poster.composing = asyncio.Event()
    poster.change()
    await poster.idle()
    poster.change()
    poster.composing.set()
    await poster.settle()
    assert poster.numbers == [1, 2] and poster.seen == 2 and not poster.open


async def test_what_is_marked_while_a_call_is_under_way_is_shown_by_one_more():
    poster = Poster()
    call = poster.next_call()
    poster.change()
    await call.began.wait()
    for _ in range(5):
        poster.change()
    call.end.set()
    await poster.settle()
    assert poster.numbers == [1, 6] and not poster.open


async def test_a_burst_of_marks_is_one_call():
    poster = Poster()
    for _ in range(30):
        poster.change()
    await poster.settle()
    assert poster.numbers == [30]


async def test_a_page_that_is_certainly_shown_is_sent_again_only_if_it_is_invalidated():
    poster = Poster()
    poster.change()
    await poster.settle()
    poster.mark()
    await poster.settle()
    assert poster.numbers == [1] and not poster.open
    poster.invalidate()
    await poster.settle()
    assert poster.numbers == [1, 1]


async def test_a_plan_that_always_wants_the_page_shown_is_no_loop_once_it_certainly_is():
    poster = Poster()
    poster.change()
    await poster.settle()
    poster.always = True
    poster.mark()
    await poster.settle()
    assert poster.numbers == [1] and poster.composed == 2


@pytest.mark.parametrize("last", ["edit", "answer"])
async def test_an_answer_that_overlaps_an_edit_leads_to_the_newer_page_again(last: str):
    poster = Poster()
    edit, answer = poster.next_call(), poster.next_call()
    poster.change()
    await edit.began.wait()
    press = asyncio.create_task(poster.answer())
    await answer.began.wait()
    first, second = (answer, edit) if last == "edit" else (edit, answer)
    first.end.set()
    await poster.idle()
    assert poster.open
    second.end.set()
    await press
    await poster.settle()
    assert poster.numbers == [1, 2, 2] and poster.seen == 2 and not poster.open
    assert poster.composed == 1, "the page of the call that began last is at hand"


async def test_an_answer_that_fails_beside_an_edit_is_made_up_for():
    poster = Poster()
    edit, answer = poster.next_call(), poster.next_call(refusal(404))
    poster.change()
    await edit.began.wait()
    press = asyncio.create_task(poster.answer())
    await answer.began.wait()
    answer.end.set()
    edit.end.set()
    await press
    await poster.settle()
    assert poster.seen == 2 and not poster.open


async def test_a_call_that_waits_does_not_go_out_after_an_answer():
    poster = Poster()
    turn = poster.next_turn()
    poster.change()
    await poster.waits.wait()
    await poster.answer()
    assert poster.seen == 2 and not poster.open, "nothing else is under way"
    turn.set()
    await poster.settle()
    assert poster.numbers == [2] and poster.seen == 2 and not poster.open


async def test_a_call_that_waits_does_not_go_out_while_a_press_is_being_answered():
    poster = Poster()
    turn = poster.next_turn()
    poster.change()
    await poster.waits.wait()
    with poster.answering():
        turn.set()
        await poster.settle()
        assert poster.sent == [] and poster.open
    await poster.settle()
    assert poster.numbers == [1], "the answer showed nothing"


async def test_a_call_that_the_library_repeats_is_not_repeated_after_an_answer():
    class Repeating(Poster):
        async def deliver(self, rendered: RenderedPage, *, new_message: bool) -> bool:
            with contextlib.suppress(discord.DiscordServerError):
                return await super().deliver(rendered, new_message=new_message)
            return await super().deliver(rendered, new_message=new_message)

    poster = Repeating()
    poster.fails([refusal(503)])
    poster.next_turn().set()
    turn = poster.next_turn()
    poster.change()
    await poster.idle()
    await poster.answer()
    turn.set()
    await poster.settle()
    assert poster.numbers == [1, 2, 2] and poster.seen == 2 and not poster.open  # the first may have arrived late


async def test_what_should_come_in_a_new_message_does_so_after_an_answer_has_shown_it_in_the_old_one():
    poster = Poster()
    poster.new_message = True
    turn = poster.next_turn()
    poster.change()
    await poster.waits.wait()
    await poster.answer()
    turn.set()
    await poster.settle()
    assert poster.numbers == [2, 2] and not poster.new_message and not poster.open


async def test_a_page_that_was_composed_before_an_answer_is_not_sent_after_it():
    poster = Poster()
    poster.composing = asyncio.Event()
    poster.change()
    await poster.idle()
    await poster.answer()
    poster.composing.set()
    await poster.settle()
    assert poster.numbers == [2] and not poster.open


async def test_the_loop_leaves_the_message_to_the_answer_and_goes_on_if_it_does_not_land():
    poster = Poster()
    with poster.answering():
        poster.change()
        await poster.idle()
        assert poster.sent == []
    await poster.settle()
    assert poster.numbers == [1]


async def test_an_answer_that_may_not_have_taken_effect_is_made_up_for():
    poster = Poster()
    poster.next_call(certain=False).end.set()
    await poster.answer()
    await poster.settle()
    assert poster.numbers == [1, 1] and not poster.open


@pytest.mark.parametrize(
    "error", [refusal(503), refusal(429), aiohttp.ServerDisconnectedError(), ConnectionResetError()]
)
async def test_a_call_that_fails_is_repeated_ever_more_rarely_and_never_lost(error: Exception):
    poster = Poster()
    poster.fails([error] * 9)
    poster.change()
    await poster.pass_time(HOUR_MS)
    waits = [backoff(number, *poster.RETRY_MS) for number in range(1, 10)]
    moments = [BEGINNING + sum(waits[:number]) for number in range(10)]
    assert [moment for moment, _ in poster.sent] == moments and waits[-1] == poster.RETRY_MS[1]
    assert poster.seen == 1 and not poster.open and poster.trouble is None and poster.due is None
    poster.fails([error])
    poster.change()
    await poster.pass_time(HOUR_MS)
    assert poster.sent[-1][0] - poster.sent[-2][0] == poster.RETRY_MS[0], "what was shown ends the count"


async def test_a_change_does_not_wait_for_the_next_attempt():
    poster = Poster()
    poster.fails([refusal(503)] * 5)
    poster.change()
    await poster.pass_time(10_000)
    before = len(poster.sent)
    poster.change()
    await poster.settle()
    assert len(poster.sent) == before + 1


async def test_after_a_call_that_is_refused_for_good_the_next_change_is_the_next_attempt():
    poster = Poster()
    poster.fails([refusal(403)])
    poster.change()
    await poster.pass_time(HOUR_MS)
    assert poster.numbers == [1] and poster.due is None
    poster.change()
    await poster.settle()
    assert poster.numbers == [1, 2] and poster.seen == 2


async def test_a_change_during_a_call_that_is_refused_for_good_is_not_lost_with_it():
    poster = Poster()
    call = poster.next_call(refusal(403))
    poster.change()
    await call.began.wait()
    poster.change()
    call.end.set()
    await poster.pass_time(HOUR_MS)
    assert poster.numbers == [1, 2] and poster.seen == 2


async def test_a_page_that_cannot_be_composed_is_retried_and_other_messages_are_updated(
    caplog: pytest.LogCaptureFixture,
):
    poster = Poster()
    poster.found = RuntimeError("a bug")
    poster.change()
    with caplog.at_level(logging.ERROR):
        await poster.pass_time(10_000)
    assert "a bug" in caplog.text and poster.sent == [] and poster.composed == 4
    poster.found = None
    await poster.pass_time(60_000)
    assert poster.seen == 1


async def test_what_the_database_does_not_take_is_tried_again():
    poster = Poster()
    poster.found = StoreError("full")
    poster.change()
    await poster.pass_time(10_000)
    poster.found = None
    await poster.pass_time(60_000)
    assert poster.seen == 1 and not poster.open


async def test_a_plan_that_waits_is_looked_at_again_at_its_moment_and_once():
    poster = Poster()
    poster.wait = Wait(Moment(BEGINNING + 3_000))
    poster.change()
    await poster.pass_time(2_999)
    assert poster.sent == [] and poster.due == BEGINNING + 3_000
    await poster.pass_time(HOUR_MS)
    assert poster.sent == [(BEGINNING + 3_000, 1)] and poster.wakes == 1


async def test_a_composition_that_waits_is_looked_at_again_at_its_moment():
    poster = Poster()
    poster.found = Wait(Moment(BEGINNING + 3_000))
    poster.change()
    await poster.idle()
    assert poster.sent == [] and not poster.open and poster.timer == BEGINNING + 3_000


async def test_a_message_that_waits_for_nothing_never_wakes():
    poster = Poster()
    poster.wait = Wait()
    poster.change()
    await poster.pass_time(HOUR_MS)
    assert poster.sent == [] and poster.wakes == 0 and poster.open


async def test_what_falls_due_during_a_press_is_done_after_it():
    poster = Poster()
    poster.fails([refusal(503)])
    poster.change()
    await poster.idle()
    with poster.answering():
        await poster.pass_time(10_000)
        assert len(poster.sent) == 1
    await poster.settle()
    assert poster.seen == 1


async def test_what_is_given_up_stays_so_until_it_is_marked_again():
    poster = Poster()
    poster.gone = True
    poster.change()
    await poster.pass_time(HOUR_MS)
    assert poster.given_up == 1 and poster.sent == [] and poster.due is None
    poster.gone = False
    poster.change()
    await poster.settle()
    assert poster.seen == 2


async def test_what_is_given_up_after_calls_have_overlapped_ends():
    poster = Poster()
    edit, answer = poster.next_call(), poster.next_call()
    poster.change()
    await edit.began.wait()
    press = asyncio.create_task(poster.answer())
    await answer.began.wait()
    poster.gone = True
    answer.end.set()
    edit.end.set()
    await press
    await poster.settle()
    assert poster.given_up == 1 and not poster.open


async def test_a_message_that_was_closed_sends_nothing_more():
    poster = Poster()
    call = poster.next_call()
    poster.change()
    await call.began.wait()
    await poster.close()
    call.end.set()
    await poster.idle()
    assert poster.seen == -1 and not poster.busy


async def test_a_message_that_was_closed_before_it_began_is_not_busy():
    poster = Poster()
    poster.change()
    await poster.close()
    assert not poster.busy
    await poster.settle()


async def test_a_page_that_is_shown_is_not_kept():
    poster = Poster()
    pages: list[weakref.ref[RenderedPage]] = []

    def page() -> RenderedPage:
        made = Poster.page(poster)
        pages.append(weakref.ref(made))
        return made

    poster.page = page  # type: ignore[method-assign]
    poster.change()
    await poster.settle()
    await poster.answer()
    await poster.settle()
    gc.collect()
    assert len(pages) == 2 and not any(ref() for ref in pages)


STEPS = (
    "change",
    "mark",
    "invalidate",
    "press",
    "press",
    "land",
    "land",
    "fail",
    "lose",
    "refuse",
    "doubt",
    "queue",
    "turn",
    "turn",
    "new",
    "time",
)


async def _play(steps: list[tuple[str, int]]) -> Poster:
    """Do these steps: every call is held until a step ends it, in any order. Then all ends well and time passes."""
    poster, held, presses = Poster(), list[Call](), list[asyncio.Task[None]]()
    turns: list[asyncio.Event] = []

    class Held(deque[Call]):
        def popleft(self) -> Call:
            held.append(Call())
            return held[-1]

        def __bool__(self) -> bool:
            return True

    poster.script = Held()
    for step, number in steps:
        call = held.pop(number % len(held)) if held and step in ("land", "fail", "lose", "refuse", "doubt") else None
        if call is not None:
            call.error = {"fail": refusal(503), "lose": aiohttp.ServerDisconnectedError(), "refuse": refusal(404)}.get(
                step
            )
            call.lost, call.certain = step == "lose", step != "doubt"
            call.end.set()
        elif step in ("change", "mark", "invalidate"):
            getattr(poster, step)()
        elif step == "press":
            presses.append(asyncio.create_task(poster.answer()))
        elif step == "queue":
            turns.append(poster.next_turn())
        elif step == "turn" and turns:
            turns.pop(number % len(turns)).set()
        elif step == "new":
            poster.new_message = True
        elif step == "time":
            await poster.pass_time(number * 1_000)
        for _ in range(number % 4):
            await asyncio.sleep(0)
    poster.script, poster.queue = deque(), deque()
    for turn in turns:
        turn.set()
    for call in held:
        call.end.set()
    await asyncio.gather(*presses)
    await poster.settle()
    await poster.pass_time(HOUR_MS)
    if any(step == "refuse" for step, _ in steps):
        poster.change()  # after a refusal the next change is the next attempt
        await poster.settle()
    return poster


def run(work: Coroutine[Any, Any, Poster]) -> Poster:
    """Run this on its own event loop."""
    with asyncio.Runner() as runner:
        return runner.run(work)


@settings(max_examples=400)
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 40)), max_size=30))
@example([("change", 3), ("press", 3), ("land", 0), ("land", 0)])
@example([("change", 3), ("change", 0), ("refuse", 0)])
@example([("queue", 0), ("change", 3), ("press", 3), ("land", 0), ("turn", 3)])
@example([("queue", 0), ("new", 0), ("change", 3), ("press", 3), ("turn", 3), ("land", 0)])
def test_the_newest_page_is_shown_in_the_end_whatever_becomes_of_calls(steps: list[tuple[str, int]]):
    poster = run(_play(steps))
    assert poster.seen == poster.newest or not poster.sent
    assert not poster.open and poster.trouble is None and not poster.busy and poster.due is None
    assert poster.numbers == sorted(poster.numbers), "calls go out in the order of their pages"
    wishes = sum(step in ("change", "mark", "invalidate", "press") for step, _ in steps)
    ended = sum(step in ("fail", "lose", "doubt") for step, _ in steps)
    assert len(poster.sent) <= 2 * wishes + 2 * ended + 3
