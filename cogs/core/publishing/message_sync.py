"""Keeps messages equal to the pages that they should show, through failures of Discord, the network and the disk."""

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Hashable, Iterator
from typing import ClassVar, Generic, NamedTuple, TypeVar

import discord

from cogs.core.cluster.ownership import Superseded, before_each_call
from cogs.core.ops import discord_errors
from cogs.core.ops.timers import backoff
from cogs.core.pages.page import StampedPage
from cogs.core.publishing.forms import Form, simpler_form
from cogs.core.publishing.services import PublishingServices
from cogs.core.publishing.steady_buttons import SteadyButtons
from cogs.core.tables.table import Table
from data.store import StoreError
from engine.contract import Moment

log = logging.getLogger(__name__)


class Wait(NamedTuple):
    """Leave the message alone. `until`: when to look again, if not only after the next change."""

    until: Moment | None = None


class Show(NamedTuple):
    """Show the newest page."""

    new_message: bool = False


class GiveUp(NamedTuple):
    """Nothing can show the page any more."""


Plan = Wait | Show | GiveUp


P = TypeVar("P", bound=StampedPage)


class SyncedMessage(ABC, Generic[P]):
    """A message and the page that it should show.

    Callers only `mark` it, and one task brings it up to date: it plans, composes the page, compares it with what is
    certainly shown, and sends it. Every mark has a number, so what was marked while a page was composed is shown by the
    next. An answer to a press on the message is another way to show the newest page, which waits for nothing. A call
    of the loop may wait, and does not go out any more once an answer has begun: it would take the message back. If two
    calls overlap after all, nobody knows which took effect last: that proves nothing, and the page is sent once more.
    """

    RETRY_MS: ClassVar = (1_000, 60_000)
    """After the first failure of a call that may work later it is repeated after this long, and at most after this."""

    FULL_AGAIN_MS: ClassVar = (60_000, 3_600_000)
    """A page that Discord has refused is tried again as a whole after this long, and at most after this."""

    UNPROVED: ClassVar = 5
    """After this many calls in a row that proved nothing, the next one waits like one that has failed."""

    def __init__(self, services: PublishingServices, table: Table, name: str) -> None:
        self.client = services.client
        self.clock = services.clock
        self.table = table
        self.name = f"{name}-{table.id}"
        self.steady = SteadyButtons() if services.game_uis[table.game.key].has_targets else None
        self._services = services

        # What it shows
        self.marked = 0  # the number of the newest mark, up to which the message should show everything
        self.shown = 0  # the number up to which it certainly does
        self.shown_at: Moment | None = None  # when a call last proved that it does
        self.crossed = False  # whether calls have overlapped since then, so that it may show an older page
        self._certainly_shown: Hashable = None  # what is certainly in sight

        # Calls about it
        self.calls = 0  # how many calls have shown a page, or tried to
        self._tried = 0  # the number of the mark for which the last page was composed
        self._last: tuple[int, P] | None = None  # the mark and the page of the call that began last
        self._in_flight = 0
        self._overlapped = False
        self._unproved = 0  # calls in a row after which it may show something else

        # Failures
        self.trouble: str | None = None  # why the last attempt failed
        self._failures = 0  # attempts that failed in a row
        self._retry_at: Moment | None = None
        self.form = Form.FULL  # how much of the page Discord takes
        self._full_at: Moment | None = None  # when the whole page is tried again
        self._times_simpler = 0  # how often in a row it was refused

        # When it is looked at
        self.due: Moment | None = None  # when to look at it again
        self.presses = 0  # how many presses that it answers are being served
        self._look: asyncio.Handle | None = None
        self._task: asyncio.Task[None] | None = None

    # Overridden by each kind of message

    @abstractmethod
    def plan(self, now: Moment) -> Plan:
        """Return what should become of the message. Changes nothing. Must be `Wait` while the table is silent, or
        `GiveUp`.
        """

    @abstractmethod
    async def compose(self) -> P | Wait:
        """Return the page that it should show now, or that this has to wait."""

    @abstractmethod
    async def deliver(self, rendered: P, *, new_message: bool) -> bool:
        """Show a page. Return True if the message certainly shows it. Raises `API_ERRORS` and `StoreError`."""

    def shown_key(self, rendered: P) -> Hashable:
        """Return what distinguishes this page from others that the message can show: also the stamp of its controls."""
        return rendered.stamp, rendered.page.digest()

    def proved(self, rendered: P) -> None:
        """Note that the message certainly shows a page."""

    def gave_up(self) -> None:
        """Note that nothing can show the page any more."""

    def refused(self, error: Exception) -> None:
        """Note that Discord refused a call for good: by default the next change is the next attempt."""
        self.wait_for_change()

    def simplify(self, error: Exception) -> bool:
        """Show the page in a simpler form from now on, if one may be taken after this refusal. Return False if not."""
        if self._services.refusals.markup.emoji.refused(error):
            self.marked += 1  # it is composed without them
            return True
        form = simpler_form(self.form, error)
        if form is None:
            return False
        log.warning("%s is shown as %s: %s", self.name, form.name, error)
        if self.form is Form.FULL:
            self._times_simpler += 1
        self.form, self.trouble = form, str(error)
        self._full_at = Moment(self.clock.now() + backoff(self._times_simpler, *self.FULL_AGAIN_MS))
        self._services.refusals.note(self.table, error, form)
        return True

    def show_in_full(self) -> None:
        """Try the whole page again, if Discord had refused it."""
        if self.form is not Form.FULL:
            self.form, self._full_at = Form.FULL, None
            self.marked += 1

    def broke(self) -> None:
        """Note that the page could not be made, for a reason that was logged."""
        self.retry_later(*self.RETRY_MS)

    def wait_for_change(self) -> None:
        """Attempt nothing more before the next change."""
        self.shown, self.crossed, self._last = max(self.shown, self._tried), False, None

    @property
    def urgent(self) -> bool:
        """Whether somebody waits for it, or must act within seconds."""
        return self.table.snapshot.hurried

    # Marking

    @property
    def open(self) -> bool:
        """Whether it may not show everything that was marked."""
        return self.shown < self.marked or self.crossed

    @property
    def perhaps_shown(self) -> P | None:
        """The page of the call that began last, which should be in sight, if calls have overlapped."""
        return self._last[1] if self.crossed and self._last is not None else None

    def mark(self) -> None:
        """Bring the message up to date. Does not block."""
        self.marked += 1
        self._retry_at = None
        self.look_soon()

    def invalidate(self) -> None:
        """Send the page once more, even if it is known to be shown. Does not block."""
        self._certainly_shown = None
        self.mark()

    def look_soon(self) -> None:
        """Look at the message once what is being served now has been answered. Does not block."""
        if self._look is None:
            self._look = asyncio.get_running_loop().call_soon(self._start)

    def retry_soon(self) -> None:
        """Try again at once what has failed. Does not block."""
        if self.open:
            self._retry_at = None
        self.look_soon()

    def _start(self) -> None:
        """Begin to bring the message up to date, unless an answer to a press will, or that is being done."""
        self._look = None
        if not self.presses and self._task is None and not isinstance(self._next(), Wait):
            self._task = asyncio.create_task(self._run(), name=self.name)

    def wake(self, now: Moment) -> None:
        """Look at the message if it is time to."""
        if self.due is not None and self.due <= now:
            self.due = None  # what keeps it from being looked at now looks at it afterwards
            self.look_soon()

    # The loop

    def _next(self) -> Plan:
        now = self.clock.now()
        if self.steady is not None and self.steady.pop_due(now):
            self.marked += 1
        if self._full_at is not None and self._full_at <= now:
            self.show_in_full()
        plan = self.plan(now)
        if isinstance(plan, Show) and self._retry_at is not None and now < self._retry_at:
            plan = Wait(self._retry_at)
        if isinstance(plan, Show) and self._services.api.retry_at is not None:
            plan = Wait(self._services.api.retry_at)
        self._wait_until(plan.until if isinstance(plan, Wait) else None)
        return plan

    def _wait_until(self, due: Moment | None) -> None:
        moments = (due, self._full_at, None if self.steady is None else self.steady.due)
        self.due = due = min((moment for moment in moments if moment is not None), default=None)
        if due is not None:
            self._services.schedule(self.table, due)

    async def _run(self) -> None:
        try:
            with self.table.guard():
                while not self.presses and not isinstance(plan := self._next(), Wait):
                    if isinstance(plan, GiveUp):
                        self.give_up()
                    elif not await self._attempt(plan):
                        break
        except discord_errors.API_ERRORS as error:
            self.trouble = str(error)
            log.warning("%s could not be brought up to date: %s", self.name, error)
            if discord_errors.is_transient(error):
                self.retry_later(*self.RETRY_MS)
            else:
                self.refused(error)
        except StoreError as error:
            self._services.database_status.failed(error)
            self.retry_later(*self.RETRY_MS)
        except Exception:
            log.exception("%s could not be brought up to date", self.name)
            self.broke()
        finally:
            self._task = None
        if self.shown < self.marked:
            self.look_soon()  # it was marked during a call that was refused

    async def _attempt(self, plan: Show) -> bool:
        """Show the newest page. Return False if that has to wait."""
        async with contextlib.nullcontext() if self.urgent else self._services.answers.turn():
            if self.presses:
                return True  # an answer shows it
            number = self._tried = self.marked
            calls = self.calls
            again = self.perhaps_shown if self._last is not None and self._last[0] == number else None
            rendered = again or await self.compose()
        if self.presses or self.calls != calls:
            return self._leave_to_answer(plan)
        if isinstance(rendered, Wait):
            self.shown, self.crossed = max(self.shown, number), False
            self._wait_until(rendered.until)
            return self.open
        if self.steady is not None:
            rendered = self.steady.apply(rendered, self.clock.now())
        if self._certainly_shown == self.shown_key(rendered) and not plan.new_message:
            # An edit would reveal that something happened that nobody can see, such as a right call.
            self._reached(number, rendered)
            return self.open  # else the loop would go on without waiting for anything
        try:
            await self.prove(self.deliver(rendered, new_message=plan.new_message), number, rendered, waits=True)
        except Superseded:
            self._unproved = max(0, self._unproved - 1)
            return self._leave_to_answer(plan)
        except discord.HTTPException as error:
            if not self.simplify(error):
                raise
        if self._unproved < self.UNPROVED:
            return True
        log.warning("%s: %s calls in a row did not show it", self.name, self._unproved)
        self.retry_later(*self.RETRY_MS)
        return False

    def _leave_to_answer(self, plan: Show) -> bool:
        """Send nothing, since an answer has shown a page meanwhile, or will; but not in a new message."""
        self.marked += plan.new_message
        return True

    async def prove(self, call: Awaitable[bool], number: int, rendered: P, *, waits: bool = False) -> None:
        """Await a call that shows a page, which was composed for the mark with this number, and returns True if the
        message certainly shows it. Raises what the call raises. If it `waits` before it goes out, it raises
        `Superseded` instead of going out after a newer call, or while a press is being answered.
        """
        self.calls += 1
        self._unproved += 1
        self._last = number, rendered
        self._certainly_shown = None
        order, went_out = self.calls, not waits

        def go_out() -> None:
            nonlocal went_out
            if self.presses or self.calls != order:
                raise Superseded(f"A newer call shows {self.name}.")
            if not went_out:
                went_out = True
                self._in_flight += 1
                self._overlapped |= self._in_flight > 1

        self._in_flight += went_out
        self._overlapped |= went_out and self._in_flight > 1
        try:
            with before_each_call(go_out) if waits else contextlib.nullcontext():
                certain = await call
        finally:
            overlapped = self._overlapped if went_out else self.calls != order
            if went_out:
                self._in_flight -= 1
                self.crossed |= overlapped
            if self._in_flight == 0:
                self._overlapped = False
                if not self.crossed:
                    self._last = None
        if certain and self.steady is not None:
            self.steady.shown(self.clock.now())
        if certain and not overlapped:
            self._reached(number, rendered)
            self._certainly_shown, self.shown_at = self.shown_key(rendered), self.clock.now()

    def _reached(self, number: int, rendered: P) -> None:
        self.shown, self.crossed, self._last = max(self.shown, number), False, None
        self._failures, self._unproved, self._retry_at = 0, 0, None
        if self.form is Form.FULL:
            self.trouble, self._times_simpler = None, 0
        self.proved(rendered)

    def give_up(self) -> None:
        """Show nothing any more, unless it is marked again."""
        self.shown, self.crossed, self._last = self.marked, False, None
        self.trouble = self.due = self._full_at = None
        self.gave_up()

    def retry_later(self, first_ms: int, most_ms: int) -> None:
        """Try again, ever more rarely."""
        self._failures += 1
        self._retry_at = Moment(self.clock.now() + backoff(self._failures, first_ms, most_ms))
        self._wait_until(self._retry_at)

    # Answers

    async def answer_with(
        self, compose: Callable[[], Awaitable[P]], show: Callable[[P], Awaitable[bool]], first: P | None = None
    ) -> None:
        """Show the newest page, or the `first` that is composed already, by the answer to a press; in a simpler form if
        Discord refuses it. Raises what `show` raises.
        """
        with self.answering():
            while True:
                number, rendered, first = self.marked, first or await compose(), None
                if self.steady is not None:
                    rendered = self.steady.apply(rendered, self.clock.now())
                try:
                    await self.prove(show(rendered), number, rendered)
                    return
                except discord.HTTPException as error:
                    if not self.simplify(error):
                        raise

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """Leave the message to the answer of a press while that is served; if it does not show everything, the loop
        goes on after it.
        """
        self.presses += 1
        try:
            yield
        finally:
            self.presses -= 1
            if not self.presses:
                self.look_soon()

    # Ending

    @property
    def busy(self) -> bool:
        """Whether it is being brought up to date."""
        return self._task is not None or self._look is not None

    async def settle(self) -> None:
        """Return when it is up to date, or has to wait."""
        while self.busy:
            await (asyncio.sleep(0) if self._task is None else asyncio.wait({self._task}))

    async def close(self) -> None:
        """Stop bringing it up to date."""
        if self._look is not None:
            self._look.cancel()
            self._look = None
        if (task := self._task) is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            self._task = None  # it does not do so itself if it had not begun
