"""The table message: one a table, edited in place, always ending at the newest state.

A click on it is answered by the edited message itself, in one call. Everything else (timers, computer players, slash
commands) says that something changed; one worker a table then draws the newest state, and the states between are
skipped. What fails is tried again, ever more rarely where Discord refuses it; nothing here ever holds a table's lock.
Which message stands, and when another takes its place, is `posted`'s; what it is known to show is `proof`'s.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

import discord

from cogs.core.ops import discord_errors
from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.timers import Clock, Scheduler, backoff
from cogs.core.ops.worker import Worker
from cogs.core.pages.page import RenderedPage
from cogs.core.publishing.answers_first import AnswersFirst
from cogs.core.publishing.message_cleanup import Leftovers
from cogs.core.publishing.posted import Posted
from cogs.core.publishing.responder import Reply, reply_to
from cogs.core.publishing.shown_revisions import Proof, Shown
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.store import StoreError

log = logging.getLogger(__name__)

FAILED_FROM_MS, FAILED_AT_MOST_MS = 2_000, 60_000
"""How long to wait before a call that did not get through is made again."""

REFUSED_FROM_MS, REFUSED_AT_MOST_MS = 300_000, 3_600_000
"""The same for one that Discord refused: each refusal counts against us."""

LAG_MS = 3_000
"""A message may take so long to a reader: a click that comes in within that time was made on the version before."""


@dataclass(frozen=True)
class Shared:
    """What the messages of all tables share. `place_gone` hears of a channel that does not exist any more, and `quiet`
    says whether a server wants no phone to tell.
    """

    client: discord.Client
    compose: Callable[[TableSnapshot], Awaitable[RenderedPage]]
    clock: Clock
    scheduler: Scheduler
    shown: Shown
    health: DatabaseStatus
    place_gone: Callable[[int], None]
    quiet: Callable[[int], Awaitable[bool]]
    answers: AnswersFirst


class TableMessage(Worker):
    """The table message of one table."""

    def __init__(self, shared: Shared, table: Table, leftovers: Leftovers) -> None:
        super().__init__(f"message-{table.id}")
        self._shared = shared
        self._table = table
        self._proof = Proof(table, shared.shown, shared.clock)
        ended = table.snapshot.row.status == "over" and not self._proof.behind
        self._posted = Posted(shared.client, shared.clock, shared.health, shared.quiet, table, leftovers, ended=ended)
        self._held = False  # whether a new table's first message waits for the answer to whoever opened it
        self._pressed = 0  # how many presses on it are being served that may change the table
        self._answering = asyncio.Lock()
        self._owed = False  # whether somebody who has pressed waits for the next edit

    # What others ask

    @property
    def message(self) -> int | None:
        """The id of the present table message."""
        return self._posted.number

    def link(self) -> str | None:
        """Return the address of the table message."""
        return self._posted.link()

    @property
    def busy(self) -> bool:
        """Whether something is being sent, or could not be: it remembers how long to wait before it tries again."""
        working = self._task is not None and not self._task.done()
        return working or self.trouble is not None or not self._posted.kept

    @property
    def trouble(self) -> str | None:
        """Why it could not be brought up to date, in words; None where it could."""
        return self._proof.trouble

    @property
    def behind(self) -> bool:
        """Whether the message is not known to show how the table stands."""
        return self._proof.behind

    @property
    def chatter(self) -> int:
        """How many messages of others stand below it."""
        return self._posted.chatter

    # What others say

    def changed(self) -> None:
        """Say that there is something new to show. Returns at once."""
        self._proof.doubt()
        self.refresh()

    def refresh(self) -> None:
        """Show how the table stands, unless the message certainly shows just that. Returns at once."""
        self._proof.goal += 1
        self._begin()

    def doubted(self) -> None:
        """Say that somebody saw an old state: it is drawn once more, unless the newest is, or has only just been."""
        if not self._answering.locked() and not self._proof.within(LAG_MS):
            self.changed()

    def written_below(self) -> None:
        """Hear that somebody has written below it: in the end it scrolls away."""
        self._posted.chatter += 1

    def move_down(self) -> None:
        """Post the table message anew at the end of the channel."""
        self._posted.move_down()
        self.changed()

    def retry(self) -> None:
        """Try again what failed, and show what was not shown."""
        if self.behind:
            self._proof.goal += 1
        self._begin()

    def give_up(self) -> None:
        """Hear that there is nothing any more that could show how the table stands."""
        self._proof.give_up()
        self._shared.scheduler.set(self._table.id, "message", None)

    # Answering

    def hold(self) -> None:
        """Send nothing of a new table before `open_through` or `release`."""
        self._held = True

    def release(self) -> None:
        """Post the message of a new table in its channel."""
        self._held = False
        self.changed()

    @contextlib.contextmanager
    def answering(self, reply: Reply) -> Iterator[None]:
        """Leave the message to the answer of a press on it, while one that may change the table is served."""
        self._pressed += reply.on_table
        try:
            yield
        finally:
            self._pressed -= reply.on_table
            if reply.on_table and not self._pressed and self._wants():
                self._begin()

    def _begin(self) -> None:
        if not self._pressed:
            super()._begin()

    async def answer(self, reply: Reply) -> None:
        """Show the newest state as the answer to a click on a table message: one call, unless drawing is slow."""
        self._proof.goal += 1
        pressed = reply.pressed
        if self._posted.number is None and pressed is not None:
            await self._posted.take_over(pressed)  # its posting took effect, and nobody told us
        if pressed != self._posted.number:
            await reply.say(self._posted.further_down())
            if pressed is not None and self._posted.number is not None:
                self._posted.let_go(pressed)
            self._begin()
            return
        anew, met = self._posted.due_anew, False
        if self._answering.locked() or (anew and self._table.snapshot.row.status == "over"):
            await reply.hold()
            self._owed = True
            self._begin()
            self._shared.answers.hurry(self._table.id)
            return
        try:
            async with self._answering:
                goal = self._proof.goal
                rendered = await self._shared.compose(self._table.snapshot)
                met = await self._proof.by(self._posted.answer(reply, rendered), goal, rendered)
        finally:
            if anew or not met or not self._posted.kept:
                self._begin()

    async def open_through(self, interaction: discord.Interaction) -> None:
        """Post the table message as the answer to a slash command, or to the channel if that fails."""
        self._proof.goal += 1
        goal = self._proof.goal
        reply = reply_to(interaction)
        self._held = True
        try:
            rendered = await self._shared.compose(self._table.snapshot)
            await self._proof.by(self._posted.post_through(interaction, rendered), goal, rendered)
        except discord_errors.API_ERRORS as error:
            log.warning("table %s: its opening could not be answered: %s", self._table.id, error)
        finally:
            self._held = False
            self._begin()
        if self.message is not None:
            return
        # The answer came too late to be for all, or never arrived: the table gets a message of its own.
        await self.settle()
        link = self.link()
        await reply.say(f"Your table stands here: {link}" if link else "Your table follows in this channel.")

    async def post_aside(self) -> None:
        """Post what the table shows now as a message of its own, without controls, for those who come later.

        Raises what a call raises that fails.
        """
        with self._table.unbidden():
            await self._posted.post_aside(await self._shared.compose(self._table.snapshot))

    # The worker

    def _wants(self) -> bool:
        row, posted = self._table.snapshot.row, self._posted
        if self._table.silent:
            return False
        if self._table.snapshot.practice:
            self.give_up()  # nobody but whoever practises sees it, in their cockpit
            return False
        if self._held:
            return False
        if row.rematch_of is not None and row.status == "lobby" and posted.number is None and not posted.moving_down:
            return False  # the end of the game before tells of it
        if row.status == "closed" and posted.number is None:
            self.give_up()
        return self._proof.wanting or posted.due_anew or not posted.kept

    async def _work(self) -> None:
        with self._table.unbidden():
            await self._serve()

    async def _serve(self) -> None:
        while self._wants():
            try:
                await self._bring_up_to_date()
            except discord_errors.API_ERRORS as error:
                if not self._survives(error):
                    return
            except StoreError as error:
                self._shared.health.failed(error)
                self._later(FAILED_FROM_MS, FAILED_AT_MOST_MS)
                return
            except Exception:
                log.exception("table %s: its message could not be drawn", self._table.id)
                self._later(FAILED_FROM_MS, FAILED_AT_MOST_MS)
                return

    async def _bring_up_to_date(self) -> None:
        if not self._posted.kept:
            await self._posted.keep()
        # Who opened a table, or was deferred, waits for the message itself.
        urgent = self._table.snapshot.hurried or self._owed or self.message is None
        async with self._shared.answers.turn(self._table.id, urgent=urgent):
            self._owed = False
            if not self._wants():
                return  # a click has shown it meanwhile
            goal = self._proof.goal
            rendered = await self._shared.compose(self._table.snapshot)
        if self._proof.stands(self.message, rendered) and not self._posted.due_anew:
            # Nothing of it is to be seen: an edit would tell that something happened, such as a right call.
            self._proof.reached(goal, rendered)
        elif not self._proof.overtaken(goal):  # by a click that has shown something newer meanwhile
            await self._proof.by(self._posted.publish(rendered), goal, rendered)

    def _survives(self, error: Exception) -> bool:
        """Say whether to go on at once after a failed call; otherwise the reason is kept and a retry is set."""
        code = discord_errors.code_of(error)
        if code == discord_errors.UNKNOWN_MESSAGE:
            self._lost()
            return True
        if code == discord_errors.OLD_MESSAGE_EDITS and not self._posted.moving_down:
            self._posted.move_down()
            return True
        self._proof.trouble = str(error)
        log.warning("table %s: its message could not be updated: %s", self._table.id, error)
        row = self._table.snapshot.row
        if code in discord_errors.PLACE_GONE and row.status in ("over", "closed"):
            self.give_up()
        elif code in discord_errors.PLACE_GONE:
            self._later(FAILED_FROM_MS, FAILED_AT_MOST_MS)
            self._shared.place_gone(row.channel)
        elif discord_errors.is_transient(error):
            self._later(FAILED_FROM_MS, FAILED_AT_MOST_MS)
        else:
            self._later(REFUSED_FROM_MS, REFUSED_AT_MOST_MS)
        return False

    def _lost(self) -> None:
        """Take note that the message was deleted. What is over and was shown, or closed, is not posted again."""
        status = self._table.snapshot.row.status
        if status == "closed" or (status == "over" and not self.behind):
            self.give_up()
        else:
            self._proof.lost()
            self._posted.move_down()

    def _later(self, first_ms: int, most_ms: int) -> None:
        self._proof.failures += 1
        due = self._shared.clock.now() + backoff(self._proof.failures, first_ms, most_ms)
        self._shared.scheduler.set(self._table.id, "message", due)
