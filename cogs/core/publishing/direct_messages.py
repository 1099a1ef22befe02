"""Direct messages: one person's cockpit where their phone buzzes, one message a table and seat, edited in place.

It is written where something in the game is secret, once the game has begun, or where its reader has asked for it; not
by itself to somebody who plays alone and without a clock, whom nobody waits for and whose page came with the game. It
is edited when its reader is to move, when what only they may know has changed, and when they press. Whoever plays on it
sees it go on as on a panel: those edits go by the token of their last press, and are not counted in the bot's 50 calls
a second. For anybody else it is not edited for every move at the table, nor while they press on their panel, the same
page in the channel; so once they are not awaited it rests: it says when the game stood so, and shows no clock. What is
read on it, such as rules, stays until there is something to hear of. A closed DM is noted and never tried again for
that seat; *Play* at the table is always there instead. How one gets to its reader is in `delivery`. Nothing here holds
a table's lock or is awaited before a click is acknowledged.
"""

import asyncio
import logging
from collections.abc import Iterable

import discord

from cogs.core.ops import discord_errors
from cogs.core.pages.custom_ids import ComponentPress, load_press
from cogs.core.pages.page import Page
from cogs.core.pages.player_page import RESTS, PlayerPage
from cogs.core.publishing.dm_transport import READS, Delivery, placed
from cogs.core.publishing.ephemeral_pages import CALM_MS, Panels
from cogs.core.publishing.interaction_message import Landed
from cogs.core.publishing.player_page_host import Cockpits, Compose
from cogs.core.publishing.responder import reply_to
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables import changes
from cogs.core.tables.draft_store import TableDrafts
from cogs.core.tables.seat_rules import with_change
from cogs.core.tables.table import Table
from data.store import SeatChange, SeatRow, StoreError
from engine.contract import Moment, Seat

log = logging.getLogger(__name__)

FOLLOWED_MS = 300_000
"""So long after their last press on it somebody counts as playing on theirs."""

RETRY_MS = 10_000
"""So long after one that did not get through it is tried again."""

ANSWERED_WITHIN_MS = 3_000
"""So long another process may take to answer a press on a direct message; then it is ours again to edit."""


class DirectMessages(Cockpits):
    """The direct messages of one table: a worker writes what has changed, the newest state only."""

    def __init__(
        self,
        services: PublishingServices,
        table: Table,
        compose: Compose,
        resting: Compose,
        begun: TableDrafts,
        panels: Panels,
    ) -> None:
        super().__init__(services, table, compose, begun)
        self._resting = resting
        self._traffic = services.traffic
        self._health = services.health
        self._panels = panels
        self._delivery = Delivery(services, table)
        self._shown: dict[int, tuple[str, Moment]] = {}  # by user: the page that theirs shows, and since when
        self._unkept: dict[int, SeatChange] = {}  # by user: what the database did not take yet
        self._left: dict[int, tuple[Moment, str | None]] = {}  # by user: until when, and the key that it had then
        self._worker: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()  # one at a time: a closed DM is tried once, and none is sent twice
        self._writing: int | None = None  # the user to whom it is being written

    @property
    def busy(self) -> bool:
        """Whether something is being written."""
        return self._worker is not None and not self._worker.done()

    def changed(self) -> None:
        """Say that they may have changed. Returns at once."""
        self._changes += 1
        if not self._table.silent and (self._worker is None or self._worker.done()):
            self._worker = asyncio.create_task(self._work(), name=f"direct-messages-{self._table.id}")

    def leave_to_another(self, user: int) -> None:
        """Leave somebody's to another process, which answers a press on it, for as long as that may take."""
        seat = self._table.snapshot.seat_of(user)
        if seat is not None:
            until = Moment(self._clock.now() + ANSWERED_WITHIN_MS)
            self._left[user] = (until, self._table.snapshot.seats[seat].dm_state)

    def renew(self, user: int) -> None:
        """Write somebody's anew, so that their phone tells them, also where nothing is secret. Returns at once."""
        self._delivery.renew(user)
        self.changed()

    def look_of(self, user: int) -> ComponentPress | None:
        """Return the control that led to what somebody's shows: it is kept with their seat, since any process may have
        answered them.
        """
        seat = self._table.snapshot.seat_of(user)
        row = None if seat is None else self._row(seat)
        return None if row is None else load_press(row.dm_look)

    # Answering a press

    async def answer(
        self,
        interaction: discord.Interaction,
        look: ComponentPress | None = None,
        line: str = "",
        shown: Page | None = None,
    ) -> None:
        """Answer a press on a direct message by that message: the reader's cockpit as it stands now."""
        if interaction.message is None or self._table.snapshot.seat_of(interaction.user.id) is None:
            await reply_to(interaction).say(line or "You do not sit at that table any more.")
        elif self._table.elsewhere:  # whose process does not know this press's token
            await self.show(
                interaction, await self._resting(self._table.snapshot, interaction.user.id, look, line, shown)
            )
        else:
            await super().answer(interaction, look, line, shown)

    async def _stands(self, interaction: discord.Interaction, landed: Landed, found: PlayerPage, seen: int) -> None:
        user = interaction.user.id
        self._delivery.pressed(user, landed)
        self._shown[user] = (found.page.digest(), self._clock.now())
        try:
            await self._keep(user, placed(interaction.channel_id, landed.message, found))
        except StoreError as error:
            self._health.failed(error)

    async def _make_way(self, user: int) -> None:
        if self._writing == user:
            async with self._lock:
                return

    def _served(self, user: int) -> None:
        self.changed()

    # Writing

    async def _work(self) -> None:
        done = 0
        while done < self._changes:
            done = self._changes
            waiting = [
                await self._write(Seat(row.seat))
                for row in self._table.snapshot.seats
                if row.user is not None and not row.dm_closed and not self._table.silent
            ]
            due = min((moment for moment in waiting if moment is not None), default=None)
            self._scheduler.set(self._table.id, "direct messages", due)

    async def _write(self, seat: Seat) -> Moment | None:
        """Write what is to be written to a seat now; return the moment until which it waits otherwise."""
        async with self._lock:
            try:
                return await self._write_alone(seat)
            except StoreError as error:
                self._health.failed(error)  # what was sent is remembered here, and kept on disk with the next one
            except Exception:  # the others are written to all the same
                log.exception("table %s: the direct message of seat %s could not be drawn", self._table.id, seat)
            return None

    async def _write_alone(self, seat: Seat) -> Moment | None:
        row = self._row(seat)
        if row is None or row.user is None or row.dm_closed or row.user in self._presses or not self._due(row):
            return None
        reads, renews = _reads(row), self._delivery.renews(row.user)
        if self._table.snapshot.practice and reads and not renews:
            return None  # nobody waits for them: they go back to the game when they have read it
        if (later := self._left_until(row) or self._plays_elsewhere(row)) is not None:
            return later
        followed, shown = self._followed_until(row), self._shown.get(row.user)
        compose = self._resting if followed is None else self._compose
        found = await compose(self._table.snapshot, row.user, self.look_of(row.user))
        if row.user in self._presses or self._shown.get(row.user) != shown:
            return None  # they have been answered meanwhile, and it is looked at again
        if row.dm_state == READS and not renews:
            await self._keep(row.user, SeatChange(dm_state=READS + found.key))  # they read until they must hear of it
            return followed
        if _tells(row, found) and not renews:
            due = None if followed is None or reads else self._next_edit(row.user, found)
            if due is None or due > self._clock.now():
                return due or followed
        self._writing = row.user
        try:
            with self._table.unbidden():
                change = await self._delivery.deliver(row, found)
        except discord.Forbidden as error:
            if error.code not in discord_errors.CLOSED_TO_US:
                log.warning(
                    "table %s: the direct message of seat %s could not be sent: %s", self._table.id, seat, error
                )
            self._traffic.note("closed")
            change = SeatChange(dm_closed=True)
        except discord_errors.API_ERRORS as error:
            # The next change of the game writes again; the message keeps its old key, so nothing is lost.
            log.warning("table %s: the direct message of seat %s could not be sent: %s", self._table.id, seat, error)
            return Moment(self._clock.now() + RETRY_MS) if discord_errors.is_transient(error) else None
        finally:
            self._writing = None
        self._shown[row.user] = (found.page.digest(), self._clock.now())
        await self._keep(row.user, change)
        return followed

    def _followed_until(self, row: SeatRow) -> Moment | None:
        """Return until when somebody counts as playing on theirs, by a press of theirs on it; None if they do not."""
        landed = self._delivery.token(row)
        if landed is None or self._clock.now() - landed.at >= FOLLOWED_MS:
            return None
        return Moment(landed.at + FOLLOWED_MS)

    def _next_edit(self, user: int, found: PlayerPage) -> Moment | None:
        """Return when somebody who plays on theirs is to see a page; None if they see it."""
        page, since = self._shown.get(user, ("", Moment(0)))
        return None if page == found.page.digest() else Moment(since + CALM_MS)

    def _left_until(self, row: SeatRow) -> Moment | None:
        """Return until when another process may still answer a press on somebody's; None if none does, or has."""
        until, key = self._left.get(row.user or 0, (Moment(0), None))
        if until > self._clock.now() and row.dm_state == key:
            return until
        self._left.pop(row.user or 0, None)
        return None

    def _plays_elsewhere(self, row: SeatRow) -> Moment | None:
        """Return until when somebody counts as looking at the same page in the channel; None if they do not, if an
        edit costs nothing, or if theirs would go on telling that they are awaited when they are not, or are away.
        """
        user, table = row.user, self._table.snapshot
        if user is None or row.dm_message is None or self._delivery.renews(user) or not table.playing:
            return None
        if user not in self._panels.open or self._delivery.token(row) is not None:
            return None
        if not (row.dm_state or "").startswith(RESTS) and (row.caretaker or not table.awaits(Seat(row.seat))):
            return None
        return self._panels.lively_until(user)

    def _due(self, row: SeatRow) -> bool:
        """Say whether somebody gets one at all: it goes on where one stands, and begins with a game of secrets, or
        where its reader has asked for it, as for practice.
        """
        table = self._table.snapshot
        secret = table.game.has_hidden_info and table.playing and not table.practice and not table.unhurried
        return row.dm_message is not None or secret or self._delivery.renews(row.user)

    async def _keep(self, user: int, change: SeatChange) -> None:
        # The seats may have been numbered anew in the lobby meanwhile: the message belongs to the user.
        before = self._unkept.get(user)
        unkept = self._unkept[user] = change if before is None else with_change(before, change)
        await self._table.act(changes.change_seat_of, user, unkept)
        if self._unkept.get(user) is unkept:  # else more has come since, and is being kept
            del self._unkept[user]

    def _row(self, seat: Seat) -> SeatRow | None:
        """Return what is known of a seat, also where the database did not take it."""
        if seat >= len(self._table.snapshot.seats):
            return None
        row = self._table.snapshot.seats[seat]
        change = self._unkept.get(row.user or 0)
        return row if change is None else with_change(row, change)

    def _working(self) -> Iterable["asyncio.Task[None]"]:
        return () if self._worker is None else (self._worker,)


def _reads(row: SeatRow) -> bool:
    """Say whether a reader has what does not change with the game before them."""
    return (row.dm_state or "").startswith(READS)


def _tells(row: SeatRow, found: PlayerPage) -> bool:
    """Say whether one tells its reader what they must hear of, and how old it is if it rests."""
    state = row.dm_state or ""
    if _reads(row):
        return state.removeprefix(READS).removeprefix(RESTS) == found.key.removeprefix(RESTS)
    return state == found.key
