"""The table message: one a table, edited in place, always ending at the newest state.

A click on it is answered by the edited message itself, in one call. Everything else (timers, computer players, slash
commands) marks the board as changed; one worker a table then draws the newest state, and the states between are
skipped. A message that has grown old or scrolled away is posted anew, silently, and the old one goes. What fails is
tried again, ever more rarely where Discord refuses it; nothing here ever holds a table's lock. May import discord,
`data`, `engine.contract` and its neighbours.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from cogs.core import codes
from cogs.core.health import Health
from cogs.core.messages import layout
from cogs.core.messages.landed import Landed
from cogs.core.messages.leftovers import Leftovers
from cogs.core.messages.page import Page, Text
from cogs.core.messages.shown import Shown
from cogs.core.router.reply import reply_to
from cogs.core.session.live import LiveTable
from cogs.core.session.timers import Clock, Scheduler, growing
from data.store import StoreError
from engine.contract import Moment

log = logging.getLogger(__name__)

REPOST_AFTER_MS = 50 * 60_000
"""Discord allows few edits of messages older than an hour."""

REPOST_AFTER_MESSAGES = 15
"""So many messages of others below it push a table message off a phone's screen."""

REPOST_NO_SOONER_MS = 60_000

FAILED_FROM_MS, FAILED_AT_MOST_MS = 2_000, 60_000
"""How long to wait before a call that did not get through is made again."""

REFUSED_FROM_MS, REFUSED_AT_MOST_MS = 300_000, 3_600_000
"""The same for one that Discord refused: each refusal counts against us."""

LAG_MS = 3_000
"""A message may take so long to a reader: a click that comes in within that time was made on the version before."""


@dataclass(frozen=True)
class RenderedPage:
    """A page with the stamp that its controls carry, and the revision of the table that it shows."""

    page: Page
    stamp: int
    revision: int


@dataclass(frozen=True)
class Shared:
    """What the boards of all tables share. `place_gone` hears of a channel that does not exist any more, and `quiet`
    says whether a server wants no phone to tell.
    """

    client: discord.Client
    compose: Callable[[LiveTable], Awaitable[RenderedPage]]
    clock: Clock
    scheduler: Scheduler
    shown: Shown
    health: Health
    place_gone: Callable[[int], None]
    quiet: Callable[[int], Awaitable[bool]]


class TableMessage:
    """The table message of one table."""

    def __init__(self, shared: Shared, table: LiveTable, leftovers: Leftovers) -> None:
        self._shared = shared
        self._table = table
        self._leftovers = leftovers
        self._message = table.row.message  # the truth; what is on disk may be older while it is full
        self._message_at = table.row.message_at
        self._kept = True
        self._tried: str | None = None  # the nonce of the last post
        self._wanted = 0
        self._done = 0
        self._proven_at: Moment | None = None
        self._landed: Landed | None = None  # the message by the token of the last answer that it gave
        self._showing: tuple[int | None, int, str] | None = None  # what the message certainly shows; see `_mark`
        self._flying = 0
        self._crossed = False
        self._opening = False
        self._answering = asyncio.Lock()
        self._worker: asyncio.Task[None] | None = None
        self._failures = 0
        self._move_down = False
        self._ended = table.row.status == "over" and not shared.shown.behind(table.row)  # its end has been posted
        self.chatter = 0
        self.trouble: str | None = None

    # What others call

    @property
    def message(self) -> int | None:
        """The id of the present table message."""
        return self._message

    def link(self) -> str | None:
        """Return the address of the table message."""
        row = self._table.row
        if self._message is None:
            return None
        return f"https://discord.com/channels/{row.guild}/{row.channel}/{self._message}"

    @property
    def busy(self) -> bool:
        """Whether something is being sent, or could not be: it remembers how long to wait before it tries again."""
        working = self._worker is not None and not self._worker.done()
        return working or self.trouble is not None or not self._kept

    @property
    def behind(self) -> bool:
        """Whether the message is not known to show how the table stands."""
        return self._shared.shown.behind(self._table.row)

    def changed(self) -> None:
        """Say that there is something new to show. Returns at once."""
        self._showing = None
        self.refresh()

    def refresh(self) -> None:
        """Show how the table stands, unless the message certainly shows just that. Returns at once."""
        self._wanted += 1
        self._kick()

    def doubted(self) -> None:
        """Say that somebody saw an old state: it is drawn once more, unless the newest is, or has only just been."""
        proven, now = self._proven_at, self._shared.clock.now()
        if not self._answering.locked() and (self.behind or proven is None or now - proven > LAG_MS):
            self.changed()

    def move_down(self) -> None:
        """Post the table message anew at the end of the channel."""
        self._move_down = True
        self.changed()

    def retry(self) -> None:
        """Try again what failed, and show what was not shown."""
        if self.behind:
            self._wanted += 1
        self._kick()

    def give_up(self) -> None:
        """Hear that there is nothing any more that could show how the table stands."""
        self._done, self.trouble = self._wanted, None
        self._shared.scheduler.set(self._table.id, "board", None)
        self._shared.shown.note(self._table.id, self._table.row.revision)

    async def settle(self) -> None:
        """Return when everything that is wanted is shown, or has failed for now."""
        while self._worker is not None and not self._worker.done():
            await asyncio.wait({self._worker})

    async def close(self) -> None:
        """Stop the worker."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def answer(self, interaction: discord.Interaction) -> None:
        """Show the newest state as the answer to a click on a table message: one call, unless drawing is slow."""
        self._wanted += 1
        pressed = interaction.message.id if interaction.message is not None else None
        reply = reply_to(interaction)
        if self._message is None and pressed is not None:
            await self._posted(pressed)  # its posting took effect, and nobody told us
        if pressed != self._message:
            await reply.say(self._moved())
            if pressed is not None and self._message is not None:
                self._leftovers.remove_soon(pressed, Page((Text(self._moved()),)))
            self._kick()
            return
        if self._answering.locked() or self._ends:
            await reply.hold()
            self._kick()
            return
        try:
            async with self._answering:
                goal = self._wanted
                sheet = await self._shared.compose(self._table)
                await self._fly(goal, sheet, self._answer_by(interaction, sheet))
        finally:
            self._kick()

    async def open_through(self, interaction: discord.Interaction) -> None:
        """Post the table message as the answer to a slash command, or to the channel if that fails."""
        self._wanted += 1
        goal = self._wanted
        reply = reply_to(interaction)
        self._opening = True
        try:
            sheet = await self._shared.compose(self._table)
            await self._fly(goal, sheet, self._post_through(interaction, sheet))
        except codes.FAILED_CALL as error:
            log.warning("table %s: its opening could not be answered: %s", self._table.id, error)
        finally:
            self._opening = False
            self._kick()
        if self._message is not None:
            return
        # The answer came too late to be for all, or never arrived: the table gets a message of its own.
        await self.settle()
        link = self.link()
        await reply.say(f"Your table stands here: {link}" if link else "Your table follows in this channel.")

    # Sending

    async def _fly(self, goal: int, sheet: RenderedPage, call: Awaitable[bool]) -> None:
        """Make a call that shows a sheet, and take note of what it proves: nothing if another was under way at the same
        time, for nobody knows which of the two came last. Then the newest state is drawn once more.
        """
        self._flying += 1
        self._crossed |= self._flying > 1
        self._showing = None
        try:
            proven = await call
        finally:
            self._flying -= 1
            crossed = self._crossed
            if self._flying == 0:
                self._crossed = False
        if proven and not crossed:
            self._done = max(self._done, goal)
            self._failures, self.trouble = 0, None
            self._proven_at = self._shared.clock.now()
            self._showing = self._mark(sheet)
            self._shared.shown.note(self._table.id, sheet.revision)

    def _mark(self, sheet: RenderedPage) -> tuple[int | None, int, str]:
        """Return what the present message shows once it shows this sheet."""
        return self._message, sheet.stamp, sheet.page.digest()

    async def _answer_by(self, interaction: discord.Interaction, sheet: RenderedPage) -> bool:
        """Answer a press with the sheet; say whether the message certainly shows it."""
        proven = await reply_to(interaction).update(sheet.page, self._table.id, sheet.stamp)
        if proven and interaction.message is not None:
            self._landed = Landed.of(interaction, interaction.message.id)
        return proven

    async def _post_through(self, interaction: discord.Interaction, sheet: RenderedPage) -> bool:
        """Answer a command with the sheet; say whether the message certainly shows it."""
        posted = await reply_to(interaction).post(sheet.page, self._table.id, sheet.stamp)
        if posted is None:
            return False
        self._landed = Landed.of(interaction, posted)
        await self._posted(posted)
        return True

    async def post_aside(self) -> None:
        """Post what the table shows now as a message of its own, without controls, for those who come later.

        Raises what a call raises that fails.
        """
        sheet, row = await self._shared.compose(self._table), self._table.row
        page = sheet.page.without_controls()
        channel = self._shared.client.get_partial_messageable(row.channel, guild_id=row.guild)
        view = layout.layout(page, row.id, sheet.stamp)
        nonce = f"{row.id}.{self._table.version}"
        await channel.send(view=view, files=layout.files(page), silent=True, nonce=nonce)

    def _moved(self) -> str:
        link = self.link()
        return f"-# Table {self._table.id} goes on " + (f"[further down]({link})." if link else "further down.")

    def _due_for_repost(self) -> bool:
        status = self._table.row.status
        if status == "closed":
            return False
        if self._move_down or self._message is None or self._message_at is None:
            return True
        if status == "over":
            return not self._ended
        age = self._shared.clock.now() - self._message_at
        return age > REPOST_AFTER_MS or (self.chatter >= REPOST_AFTER_MESSAGES and age > REPOST_NO_SOONER_MS)

    @property
    def _ends(self) -> bool:
        """Whether the game is over and the message does not show its end: that is posted anew, so that all see it."""
        return self._table.row.status == "over" and not self._ended

    def _kick(self) -> None:
        if self._table.row.paused_at is None and (self._worker is None or self._worker.done()):
            self._worker = asyncio.create_task(self._work(), name=f"board-{self._table.id}")

    def _wants(self) -> bool:
        row = self._table.row
        if row.paused_at is not None or self._opening:
            return False
        if row.rematch_of is not None and row.status == "lobby" and self._message is None and not self._move_down:
            return False  # the end of the game before tells of it
        if row.status == "closed" and self._message is None:
            self.give_up()
        return self._done < self._wanted or self._due_for_repost() or not self._kept

    async def _work(self) -> None:
        while self._wants():
            goal = self._wanted
            try:
                if not self._kept:
                    await self._keep()
                sheet = await self._shared.compose(self._table)
                if self._showing == self._mark(sheet) and not self._due_for_repost():
                    # Nothing of it is to be seen: an edit would tell that something happened, such as a right call.
                    self._done = max(self._done, goal)
                    self._shared.shown.note(self._table.id, sheet.revision)
                elif self._done <= goal:  # else a click has shown something newer meanwhile
                    await self._fly(goal, sheet, self._publish(sheet))
            except codes.FAILED_CALL as error:
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

    def _survives(self, error: Exception) -> bool:
        """Say whether to go on at once after a failed call; otherwise the reason is kept and a retry is set."""
        code = codes.code_of(error)
        if code == codes.UNKNOWN_MESSAGE:
            self._lost()
            return True
        if code == codes.OLD_MESSAGE_EDITS and not self._move_down:
            self._move_down = True
            return True
        self.trouble = str(error)
        log.warning("table %s: its message could not be updated: %s", self._table.id, error)
        row = self._table.row
        if code in codes.PLACE_GONE and row.status in ("over", "closed"):
            self.give_up()
        elif code in codes.PLACE_GONE:
            self._later(FAILED_FROM_MS, FAILED_AT_MOST_MS)
            self._shared.place_gone(row.channel)
        elif codes.passing(error):
            self._later(FAILED_FROM_MS, FAILED_AT_MOST_MS)
        else:
            self._later(REFUSED_FROM_MS, REFUSED_AT_MOST_MS)
        return False

    def _lost(self) -> None:
        """Take note that the message was deleted. What is over and was shown, or closed, is not posted again."""
        row, shown = self._table.row, self._shared.shown
        if row.status == "closed" or (row.status == "over" and not self.behind):
            self.give_up()
        else:
            shown.note(row.id, 0)
            self._move_down = True

    def _later(self, first_ms: int, most_ms: int) -> None:
        self._failures += 1
        due = self._shared.clock.now() + growing(self._failures, first_ms, most_ms)
        self._shared.scheduler.set(self._table.id, "board", due)

    async def _publish(self, sheet: RenderedPage) -> bool:
        """Show the sheet; say whether the message certainly shows it."""
        row = self._table.row
        channel = self._shared.client.get_partial_messageable(row.channel, guild_id=row.guild)
        if self._message is not None and not self._due_for_repost() and await self._edited(sheet):
            return True
        view = layout.layout(sheet.page, row.id, sheet.stamp)
        if self._message is not None and not self._due_for_repost():
            await channel.get_partial_message(self._message).edit(view=view, attachments=layout.files(sheet.page))
            return True
        # One post is meant to follow the message before it, however often it is tried, also after a restart: Discord
        # answers a nonce that it has just seen with the message that it has already.
        before = self._message
        nonce = f"{row.id}.{row.created_at}" if before is None else str(before)
        again, self._tried = nonce == self._tried, nonce
        called = [row.user for row in self._table.seats if row.user is not None] if self._ends else []
        quiet = not called or await self._shared.quiet(row.guild)
        told = discord.AllowedMentions(users=[] if quiet else [discord.Object(user) for user in called])
        posted = await channel.send(
            view=view, files=layout.files(sheet.page), silent=quiet, nonce=nonce, allowed_mentions=told
        )
        self._ended = row.status == "over"
        await self._posted(posted.id)
        return not again and layout.words(discord.ui.LayoutView.from_message(posted)) == layout.words(view)

    async def _edited(self, sheet: RenderedPage) -> bool:
        """Edit the message by the token of its last answer: that is not counted in the bot's 50 calls a second. Return
        False where there is none that lives.
        """
        landed = self._landed
        if landed is None or landed.message != self._message or not landed.lives(self._shared.clock.now()):
            return False
        try:
            await landed.edit(self._shared.client, sheet.page, self._table.id, sheet.stamp)
        except codes.FAILED_CALL as error:
            if codes.passing(error):
                raise
            log.info("table %s: a token is used up: %s", self._table.id, error)
            self._landed = None
            return False
        return True

    async def _posted(self, message: int) -> None:
        """Take over a message as the present one; the one before it goes."""
        before, self._message = self._message, message
        self._message_at = self._shared.clock.now()
        self.chatter = 0
        self._move_down = self._kept = False
        try:
            await self._keep()
        except StoreError as error:
            self._shared.health.failed(error)
        if before is not None and before != message:
            self._leftovers.remove_soon(before, Page((Text(self._moved()),)))

    async def _keep(self) -> None:
        assert self._message is not None and self._message_at is not None
        await self._table.replace_message(self._message, self._message_at)
        self._kept = True
