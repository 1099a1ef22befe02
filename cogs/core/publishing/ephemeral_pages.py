"""Panels: the cockpit of each person at a table, as a message in the channel that they alone see.

There is one a person and table, edited in place with the youngest interaction token of its reader. Nobody but Discord
knows whether it is still in sight: ephemeral messages vanish when their reader reloads, and an edit that succeeds
proves nothing. So whatever must be read now comes with an answer to a press, and an edit only brings up to date what is
there. Nothing here holds a table's lock.
"""

import asyncio
import logging
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import discord

from cogs.core.ops import discord_errors
from cogs.core.ops.timers import backoff
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.page import Button, Page, Row, Text
from cogs.core.pages.player_page import PlayerPage
from cogs.core.publishing.interaction_message import GIVEN_UP_MS, Landed
from cogs.core.publishing.notices import Asides
from cogs.core.publishing.player_page_host import REFUSED, Cockpits, Compose
from cogs.core.publishing.responder import reply_to
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables.draft_store import TableDrafts
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from engine.contract import Moment

log = logging.getLogger(__name__)

RESTS_MS = 13 * 60_000
"""When a panel whose reader has not pressed anything shows how to go on, while that is still possible."""

IDLE_MS = 10 * 60_000
"""A reader who has pressed nothing for so long is not looking."""

LIVELY_MS = 60_000
"""Whoever has pressed something at the table within this time is looking."""

OPEN_MS = 180_000
"""Whoever has a panel open counts as looking for so long: it shows them that it is their move."""

AGAIN_MS = 10_000
"""Whoever presses again within this time may not have seen what their panel told: they may have dismissed it."""

CALM_MS = 3_000
"""So long an edit waits that tells its reader nothing they must act on."""

RETRY_MS, RETRY_AT_MOST_MS = 1_000, 60_000
"""So long after an edit that did not get through the next one is tried, twice as long after each failure in a row."""

AT_ONCE = Moment(0)
"""Whatever is due then is due now."""

RESTING = "resting"
"""What a panel shows that only says how to go on."""


class ComposePanel(Compose, Protocol):
    """Composes what somebody's panel shows; see `PageBuilder.cockpit`."""

    def __call__(
        self,
        table: TableSnapshot,
        user: int,
        look: ComponentPress | None = None,
        line: str = "",
        shown: Page | None = None,
        *,
        from_table: bool = False,
    ) -> Awaitable[PlayerPage]: ...


@dataclass(slots=True)
class Panel:
    """One person's panel, in the `channel` in which it answered. `still` and `look` are the cockpit's; `line` is what
    the next edit tells its reader, who did at the table what `asked` came of, and `left_at` is when the last one was
    left; `waits`: answers come before that edit. Where so many edits in a row have `failed`, none is made before
    `again_at`.
    """

    user: int
    channel: int | None
    landed: Landed
    pressed_at: Moment
    shows: str
    edited_at: Moment
    still: bool = False
    look: ComponentPress | None = None
    wanted: bool = False
    line: str = ""
    asked: discord.Interaction | None = field(default=None, repr=False)
    left_at: Moment | None = None
    waits: bool = False
    failed: int = 0
    again_at: Moment = AT_ONCE
    worker: asyncio.Task[None] | None = field(default=None, repr=False)


class Panels(Cockpits):
    """The panels of one table."""

    def __init__(self, services: PublishingServices, table: Table, compose: ComposePanel, begun: TableDrafts) -> None:
        super().__init__(services, table, compose, begun)
        self._compose_panel = compose
        self._answers = services.answers
        self._panels: dict[int, Panel] = {}
        self._asides = Asides()
        self._pressed: dict[int, Moment] = {}  # by user: when they last pressed or asked for anything here
        self._going = BackgroundTasks()

    # Who is looking

    @property
    def open(self) -> tuple[int, ...]:
        """The users who have a page here that can still be edited."""
        return tuple(self._panels)

    def pressed(self, user: int) -> Moment:
        """Take note that somebody has just asked for something at the table, and return when."""
        now = self._pressed[user] = self._clock.now()
        return now

    def pressed_at(self, user: int) -> Moment | None:
        """Return when somebody last asked for something at the table, as far as that is known since the last start."""
        return self._pressed.get(user)

    def lively_until(self, user: int) -> Moment | None:
        """Return until when somebody counts as looking who has pressed something lately; None if they do not."""
        pressed = self.pressed_at(user)
        if pressed is None or self._clock.now() - pressed >= LIVELY_MS:
            return None
        return Moment(pressed + LIVELY_MS)

    def watching_until(self, user: int) -> Moment | None:
        """Return until when somebody needs no mention: they have pressed something lately, or a while ago on the panel
        that they have open; None if they do.
        """
        pressed, panel = self.pressed_at(user), self._panels.get(user)
        if pressed is None or panel is None or panel.still or self._clock.now() - pressed >= OPEN_MS:
            return self.lively_until(user)
        return Moment(pressed + OPEN_MS)

    def look_of(self, user: int) -> ComponentPress | None:
        """Return the control that led to what somebody's shows; None where it is the game itself."""
        panel = self._panels.get(user)
        return None if panel is None else panel.look

    def leave_line(self, interaction: discord.Interaction, line: str, below: int) -> bool:
        """Let the asker read a line on the panel that they have open below a message. Return False, and do nothing,
        where they have not used one for a while, or it stands above, or beside the thread of the table: it may be out
        of their sight; nor soon after a line that may not have been seen. What cannot be told there follows as an
        answer of its own.
        """
        panel, now = self._panels.get(interaction.user.id), self._clock.now()
        if panel is None or panel.still or now - panel.pressed_at >= OPEN_MS or not panel.landed.lives(now):
            return False
        if self._table.silent or panel.channel != interaction.channel_id or panel.landed.message < below:
            return False
        if panel.line or (panel.left_at is not None and now - panel.left_at < AGAIN_MS):
            return False
        panel.line, panel.asked, panel.left_at, panel.edited_at = line, interaction, now, AT_ONCE
        self._want(panel)
        self._set_clock()
        return True

    def _tell_otherwise(self, panel: Panel) -> None:
        """Let whoever was left a line that their panel cannot tell read it as an answer of its own."""
        line, asked, panel.line, panel.asked = panel.line, panel.asked, "", None
        if line and asked is not None:
            self._going.spawn(self._tell_alone(asked, line), f"line-{self._table.id}")

    # Answering a press

    async def tell(self, interaction: discord.Interaction, sentence: str) -> None:
        """Tell the asker why nothing was done: on the page that they pressed, else by the sentence alone, with the way
        to their page. The table is in sight then, and a whole page about it would only be in its way.
        """
        table = self._table
        if reply_to(interaction).on_panel or table.snapshot.practice or table.snapshot.state is None:
            await super().tell(interaction, sentence)
        else:
            await self._tell_alone(interaction, f"{REFUSED} {sentence}")

    async def _tell_alone(self, interaction: discord.Interaction, line: str) -> None:
        """Tell the asker a line by an answer of its own, until they have a page in its place or the game goes on."""
        table, user = self._table, interaction.user.id
        seated = table.snapshot.playing and table.snapshot.seat_of(user) is not None
        ways = (Row((Button("Play", "hand", style="primary"),)),) if seated else ()
        stamp = 0 if table.snapshot.state is None else table.snapshot.view(None).ui_version
        landed = await reply_to(interaction).show(Page((Text(line), *ways)), table.id, stamp)
        panel = self._panels.get(user)
        overtaken = landed is not None and panel is not None and panel.landed.message == landed.message  # by *Play*
        if landed is not None and not overtaken:
            self._take_away(self._asides.stands(user, landed, self._clock.now()))
            self._set_clock()

    async def answer_anew(self, interaction: discord.Interaction) -> None:
        """Let the asker's page stand at the end of the channel, whatever was pressed."""
        seen = self._changes
        await self.show(interaction, await self._compose(self._table.snapshot, interaction.user.id), seen, anew=True)

    async def _make_way(self, user: int) -> None:
        before = self._panels.get(user)
        if before is not None and before.worker is not None:
            if before.waits:
                before.worker.cancel()  # it has not begun to edit
            await asyncio.wait({before.worker})

    async def _stands(self, interaction: discord.Interaction, landed: Landed, found: PlayerPage, seen: int) -> None:
        """Take over the panel that answered: the one that was pressed, or a new one that takes the old one's place."""
        user = interaction.user.id
        before = self._panels.get(user)
        wanted = not found.still and self._changes != seen
        shows, now = found.page.digest(), self._clock.now()
        panel = Panel(user, interaction.channel_id, landed, landed.at, shows, now, found.still, found.look, wanted)
        self._panels[user] = panel
        if before is not None and before.line not in ("", found.line) and now - (before.left_at or 0) < AGAIN_MS:
            # This answer came before the edit that was to tell the line, or rules are read first.
            panel.line = "\n".join(filter(None, (before.line, found.line)))
            panel.asked, panel.left_at = before.asked, before.left_at
            if not panel.still:
                panel.wanted, panel.edited_at = True, AT_ONCE
        if before is not None and before.landed.message != landed.message:
            self._take_away(before.landed)
        if user in self._asides.told:
            self._take_away(self._asides.gives_way(user, landed.message))
        self._set_clock()

    def _served(self, user: int) -> None:
        panel = self._panels.get(user)
        if panel is not None:
            if panel.wanted:
                self._want(panel)
            self._set_clock()

    # Keeping them up to date

    def changed(self) -> None:
        """Say that what panels show may have changed. Returns at once."""
        self._changes += 1
        for panel in list(self._panels.values()):
            self._want(panel)
        if self._asides.told:
            self._asides.gone_on()
            self._take_away(*self._asides.due(self._clock.now()))
            self._set_clock()
        elif not self._panels.keys() <= self._presses.keys():  # theirs who press is left to the answer
            self._set_clock()

    def wake(self) -> None:
        """Do what has fallen due."""
        now = self._clock.now()
        self._take_away(*self._asides.due(now))
        for panel in list(self._panels.values()):
            if not panel.landed.lives(now):
                self._let_go(panel)
            elif (panel.wanted or now - panel.landed.at >= RESTS_MS) and panel.again_at <= now:
                self._start(panel)
        self._set_clock()

    def _want(self, panel: Panel) -> None:
        panel.wanted = not panel.still and self._clock.now() - panel.pressed_at < IDLE_MS
        if panel.wanted and panel.user not in self._presses and self._due(panel) <= self._clock.now():
            self._start(panel)

    def _due(self, panel: Panel) -> Moment:
        """Return when a panel that wants an edit is to have it: at once where its reader may have to act."""
        table, seat = self._table.snapshot, self._table.snapshot.seat_of(panel.user)
        calm = table.playing and (seat is None or not (table.hurried or seat in table.view(None).to_act))
        return max(Moment(panel.edited_at + CALM_MS) if calm else AT_ONCE, panel.again_at)

    def _set_clock(self) -> None:
        moments = [moment for panel in self._panels.values() for moment in self._moments(panel)]
        if self._asides.told:
            moments += self._asides.moments()
        self._scheduler.set(self._table.id, "panels", min(moments, default=None))

    def _moments(self, panel: Panel) -> Iterator[Moment]:
        """When there is something to do for a panel, if nothing is being done that leads to this again."""
        if panel.worker is not None or panel.user in self._presses:
            return
        silent = self._table.silent
        if silent or panel.shows == RESTING:
            yield Moment(panel.landed.at + GIVEN_UP_MS)
        else:
            yield max(Moment(panel.landed.at + RESTS_MS), panel.again_at)
        if panel.wanted and not silent:
            yield max(self._due(panel), Moment(self._clock.now() + 1))

    def _start(self, panel: Panel) -> None:
        free = panel.worker is None and panel.user not in self._presses
        if free and not self._table.silent:
            panel.worker = asyncio.create_task(self._work(panel), name=f"panel-{self._table.id}")

    async def _work(self, panel: Panel) -> None:
        """Bring a panel up to date, until it is or may wait."""
        try:
            while self._panels.get(panel.user) is panel and panel.user not in self._presses:
                resting = self._clock.now() - panel.landed.at >= RESTS_MS
                if not resting and not (panel.wanted and self._due(panel) <= self._clock.now()):
                    break
                if resting and panel.shows == RESTING:
                    break
                await self._bring_up_to_date(panel, resting)
        except discord_errors.API_ERRORS as error:
            self._failed(panel, error)
        except Exception:
            log.exception("table %s: a panel could not be drawn", self._table.id)
            panel.wanted = False
            self._tell_otherwise(panel)
        finally:
            panel.worker, panel.waits = None, False
            self._set_clock()

    async def _bring_up_to_date(self, panel: Panel, resting: bool) -> None:
        panel.waits = True
        async with self._answers.turn(self._table.id, urgent=self._table.snapshot.hurried):
            panel.waits = False
            if panel.user in self._presses:
                return  # the answer shows it, and does not wait for this
            panel.wanted, line = False, panel.line
            found = PlayerPage(_resting(), 0) if resting else await self._found(panel, line)
        shows = RESTING if resting else found.page.digest()
        if self._panels.get(panel.user) is not panel:
            return
        if shows != panel.shows:
            panel.edited_at = self._clock.now()
            with self._table.unbidden():
                await panel.landed.edit(self._client, found.page, self._table.id, found.stamp)
            panel.shows, panel.failed = shows, 0
            if not resting:
                panel.look = found.look
        if line and not resting:
            panel.line, panel.asked = "", None

    async def _found(self, panel: Panel, line: str) -> PlayerPage:
        return await self._compose_panel(self._table.snapshot, panel.user, panel.look, line, from_table=True)

    def _failed(self, panel: Panel, error: Exception) -> None:
        """Let go of a panel that is not there any more; what may work in a moment is tried again."""
        if discord_errors.is_transient(error):
            panel.wanted, panel.failed = True, panel.failed + 1
            panel.again_at = Moment(self._clock.now() + backoff(panel.failed, RETRY_MS, RETRY_AT_MOST_MS))
            return
        log.info("table %s: a panel is gone: %s", self._table.id, error)
        if self._panels.get(panel.user) is panel:
            self._let_go(panel)

    def _let_go(self, panel: Panel) -> None:
        del self._panels[panel.user]
        self._tell_otherwise(panel)

    # Taking them away

    def take_asides_away(self) -> None:
        """Take the sentences away that nobody will follow any more, for the table leaves the memory."""
        self._take_away(*self._asides.all())

    def _take_away(self, *gone: Landed | None) -> None:
        for landed in gone:
            if landed is not None and landed.lives(self._clock.now()):
                self._going.spawn(self._delete(landed), f"old-panel-{self._table.id}")

    async def _delete(self, landed: Landed) -> None:
        try:
            await landed.delete(self._client)
        except discord_errors.API_ERRORS as error:
            log.info("table %s: an old panel could not be taken away: %s", self._table.id, error)

    def _working(self) -> list["asyncio.Task[Any]"]:
        workers = [panel.worker for panel in self._panels.values() if panel.worker is not None]
        return workers + self._going.running


def _resting() -> Page:
    words = "This page rests, since nothing was pressed on it for a while."
    return Page((Text(words), Row((Button("Go on", "hand", style="primary"),))))
