"""Each player's page as a direct message, which notifies them: one for each table and seat, edited in place.

It is sent at the start of a game with secrets, or when its reader asks for it; not to a person who plays alone and
without a clock, since nobody waits for them. It is edited when it is its reader's turn, when their secrets have
changed, and when they press. For a reader who plays on it, it follows the game by the token of their last press, which
is not counted in the bot's 50 calls a second. For anybody else it is not edited for every move, nor while they play on
the same page in the channel: it rests, says how old it is, and shows no clock. A person who accepts no direct messages
is asked again for that seat only when they choose how they are notified.
"""

import contextlib
import logging
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from typing import NamedTuple, Self

import discord

from cogs.core.ops import discord_errors
from cogs.core.pages.custom_ids import ComponentPress, dump_press, load_press
from cogs.core.pages.player_page import PageKind, PlayerPage
from cogs.core.publishing.bot_message import BotMessage
from cogs.core.publishing.ephemeral_pages import CALM_MS
from cogs.core.publishing.interaction_message import InteractionMessage
from cogs.core.publishing.message_sync import Plan, Show, Wait
from cogs.core.publishing.player_page_host import PlayerPageHost, PrivateContext, PrivateMessage
from cogs.core.publishing.responder import Responder
from cogs.core.tables import changes
from cogs.core.tables.seat_rules import with_change
from data.store import SeatChange, SeatRow, StoreError
from engine.contract import Moment, Seat

log = logging.getLogger(__name__)

FOLLOWED_MS = 300_000
"""How long after their last press on it a person counts as playing on it."""

ANSWERED_WITHIN_MS = 3_000
"""How long another process may take to answer a press on it; then this one edits it again."""

READS, RESTS = "=", "~"
"""How the stored state begins of a message whose reader reads, and of one that rests."""


class Told(NamedTuple):
    """What a direct message has told its reader, which is stored with their seat: the key of what they must be told.

    `rests`: it shows an earlier state since then. `reads`: its reader reads a page that does not change with the game;
    nothing follows until it is known what they must be told.
    """

    key: str = ""
    rests: bool = False
    reads: bool = False

    @classmethod
    def load(cls, row: SeatRow) -> Self:
        """Return what is stored."""
        state = row.dm_state or ""
        rest = state.removeprefix(READS)
        return cls(rest.removeprefix(RESTS), rest.startswith(RESTS), state.startswith(READS))

    def dump(self) -> str:
        """Return it as it is stored."""
        return f"{READS if self.reads else ''}{RESTS if self.rests else ''}{self.key}"

    def tells(self, found: PlayerPage) -> bool:
        """Return True if its reader knows what a page tells them, and sees how old it is if it rests."""
        return self.key == found.key and (self.reads or self.rests == found.rests)


class DirectMessage(PrivateMessage):
    """The direct message of one person. `row` is what is stored about it with their seat, or will be."""

    RETRY_MS = (10_000, 10_000)
    told_by = "message"

    def __init__(self, context: PrivateContext, user: int) -> None:
        super().__init__(context, user, "direct-message")
        self.renewing = False  # whether the next page should come in a new message
        self.if_refused: Callable[[], None] | None = None  # called if Discord does not take it
        self._message = BotMessage(context.services, context.table, None)
        self._look_at: Moment | None = None  # when to compose it again although nothing was marked
        self._left: tuple[Moment, str | None] | None = None  # until when another process may answer, and the key then
        self._unstored: SeatChange | None = None  # what the database did not take yet

    # Storage

    @property
    def row(self) -> SeatRow | None:
        """The seat of its reader; None if they have none."""
        seat = self.table.snapshot.seat_of(self.user)
        if seat is None:
            return None
        row = self.table.snapshot.seats[seat]
        return row if self._unstored is None else with_change(row, self._unstored)

    async def store(self, change: SeatChange, old: int | None = None) -> None:
        """Store a change of its reader's seat, whose number may have changed meanwhile. Does not raise `StoreError`:
        what the database does not take is remembered, and stored with the next change. The `old` message is deleted,
        which another one replaces.
        """
        if old is not None and (row := self.row) is not None:
            await self._context.cleanup.add(old, row.dm_channel)
        before = self._unstored
        unstored = self._unstored = change if before is None else with_change(before, change)
        try:
            await self.table.act(changes.change_seat_of, self.user, unstored)
            if self._unstored is unstored:  # else more has come since, and is being stored
                self._unstored = None
        except StoreError as error:
            self._services.database_status.failed(error)
        if old is not None:
            self._context.cleanup.delete((old,))

    # Marking and failures

    def mark_unnoticed(self) -> None:
        """Bring it up to date after a change that perhaps nobody but one person may notice: what has failed or was
        refused is tried again no sooner for that. Does not block.
        """
        if self.open or self.trouble is None:
            self.marked += 1
            self.look_soon()

    def refused(self, error: Exception) -> None:
        """Notify its reader in another way, if it should do so; the next change is the next attempt."""
        self._notify_otherwise()
        super().refused(error)

    def _notify_otherwise(self) -> None:
        if self.renewing and self.if_refused is not None:
            self.if_refused()
            self.renewing = False

    # The policy

    def plan(self, now: Moment) -> Plan:
        """Return what should become of it."""
        row = self.row
        if self.table.silent or row is None or row.dm_closed or not self._is_due(row):
            return Wait()
        if not self.open and (self._look_at is None or now < self._look_at):
            return Wait(self._look_at)
        if self.table.snapshot.practice and Told.load(row).reads and not self.renewing:
            return Wait()  # nobody waits for them: they go back to the game when they have read it
        later = self._left_until(row, now) or self._plays_elsewhere_until(row)
        return Show(self.renewing) if later is None else Wait(later)

    def _is_due(self, row: SeatRow) -> bool:
        """Return True if its reader has one, or should get one."""
        table = self.table.snapshot
        secret = table.game.has_hidden_info and table.playing and not table.practice and not table.unhurried
        return row.dm_message is not None or secret or self.renewing

    def _left_until(self, row: SeatRow, now: Moment) -> Moment | None:
        """Return until when another process may still answer a press on it; None if none does, or has."""
        if self._left is None:
            return None
        until, key = self._left
        return until if until > now and row.dm_state == key else None

    def _plays_elsewhere_until(self, row: SeatRow) -> Moment | None:
        """Return until when its reader counts as looking at the same page in the channel; None if they do not, if an
        edit costs nothing, or if it would still claim that they are to move when they are not, or are absent.
        """
        table = self.table.snapshot
        if row.dm_message is None or self.renewing or not table.playing:
            return None
        if self.user not in self._context.attention.pages or self._token(row) is not None:
            return None
        told = Told.load(row)
        if (told.reads or not told.rests) and (row.caretaker or not table.awaits(Seat(row.seat))):
            return None
        return self._context.attention.lively_until(self.user)

    def _followed_until(self, row: SeatRow) -> Moment | None:
        """Return until when its reader counts as playing on it, by their last press; None if they do not."""
        token = self._token(row)
        if token is None or self.clock.now() - token.at >= FOLLOWED_MS:
            return None
        return Moment(token.at + FOLLOWED_MS)

    def _token(self, row: SeatRow) -> InteractionMessage | None:
        self._message.number = row.dm_message
        return self._message.token

    async def compose(self) -> PlayerPage | Wait:
        """Return the page if it has news that its reader must be told, or if they play on it."""
        row = self.row
        if row is None:
            return Wait()
        if (shown := self.perhaps_shown) is not None and shown.still:
            return shown  # an edit that was under way may have replaced it
        followed, told = self._followed_until(row), Told.load(row)
        kind, look = PageKind.RESTING if followed is None else PageKind.MESSAGE, load_press(row.dm_look)
        found = await self._services.player_page(
            self.table.snapshot, self.user, look, self.untold_line, form=self.form, kind=kind
        )
        now = self.clock.now()
        self._look_at = followed
        if followed is None and self.steady is not None:
            self.steady.target = None  # nobody is about to press it
        if told == Told(reads=True) and not self.renewing:
            state = Told(found.key, found.rests, reads=True).dump()
            await self.store(SeatChange(dm_state=state))  # they read until there is more to tell
        elif not told.tells(found) or self.renewing or self.crossed:
            self._certainly_shown = None  # what is stored counts, since any process may have answered its reader
            return found
        elif followed is not None and not told.reads and self._certainly_shown != self.shown_key(found):
            due = Moment((self.shown_at or 0) + CALM_MS)
            if due <= now or (self.steady is not None and self.steady.disabled):
                return found
            self._look_at = due
        return Wait(self._look_at)

    def shown_key(self, rendered: PlayerPage) -> Hashable:
        """Return what distinguishes this page from others, including what its reader must be told."""
        return rendered.key, rendered.page.digest()

    # Sending

    async def deliver(self, rendered: PlayerPage, *, new_message: bool) -> bool:
        """Edit it, or send a new one in its place."""
        row = self.row
        if row is None:
            return True
        self._message.number, calls = row.dm_message, self.calls
        try:
            fresh = replace(rendered, stamp=rendered.stamp + self.fresh)
            change = await self._send(row.dm_channel, fresh, new_message=new_message)
        except discord.HTTPException as error:
            if error.code not in discord_errors.CLOSED_TO_US:
                if error.status != 403 or discord_errors.is_transient(error):
                    raise
                log.warning("%s could not be sent: %s", self.name, error)
            self._services.rest_errors.count("closed")
            change = SeatChange(dm_closed=True)
            self._notify_otherwise()
        if self.calls == calls or change.dm_message != row.dm_message:  # else an answer has stored what it shows
            await self.store(change)
        if rendered.still:
            self.marked += 1  # what they must be told while they read is not known yet
        return True

    async def _send(self, channel_id: int | None, found: PlayerPage, *, new_message: bool) -> SeatChange:
        """Return what to store: the key only of what it certainly shows. Raises `API_ERRORS`."""
        table, seat = self.table.snapshot, self.table.snapshot.seat_of(self.user)
        due = table.earliest if seat is not None and table.playing and table.awaits(seat) else None
        if channel_id is None:
            async with self.table.unasked_call(due, self.user):
                channel_id = (await self.client.create_dm(discord.Object(self.user))).id
        channel = self.client.get_partial_messageable(channel_id)
        before = self._message.number
        if not new_message and await self._message.edit(channel, found, due):
            return _stored(channel_id, before, found)
        message, certain = await self._message.post(channel, found, due=due)
        if new_message or not certain:  # it is stored which one it is before the old one is deleted, or an edit fails
            change = SeatChange(dm_channel=channel_id, dm_message=message.id, dm_state=None)
            await self.store(change, before if new_message else None)
        if new_message:
            self.renewing = False
        if not certain:
            self._message.number = message.id
            await self._message.edit(channel, found, due)
        return _stored(channel_id, message.id, found)

    # Answers

    async def take_over(self, responder: Responder, answer: InteractionMessage, found: PlayerPage) -> None:
        """Note that an answer to its reader shows a page."""
        self._message.answer = answer
        self._look_at = Moment(answer.at + FOLLOWED_MS)
        if found.still:
            self.marked += 1  # what they must be told while they read is not known yet
        row = self.row
        old = None if row is None or row.dm_message == answer.message else row.dm_message
        await self.store(_stored(responder.interaction.channel_id, answer.message, found), old)

    def show_again(self) -> None:
        """Show the page again, unless its reader reads another one. Does not block."""
        if (row := self.row) is not None and not Told.load(row).reads:
            self.crossed = True
            self.mark()

    def leave_to_another(self) -> None:
        """Leave it to another process, which answers a press on it, for as long as that may take."""
        row = self.row
        if row is not None:
            self._left = Moment(self.clock.now() + ANSWERED_WITHIN_MS), row.dm_state


class DirectMessages(PlayerPageHost[DirectMessage]):
    """The direct messages of one table."""

    def _new_message(self, user: int) -> DirectMessage:
        return DirectMessage(self._context, user)

    def changed(self, but: int | None = None, *, visible: bool = True) -> None:
        """Bring them up to date (`but` not that of one user) after a change, `visible` or not. Does not block."""
        for row in self._table.snapshot.seats:
            if row.user not in (None, but) and not row.dm_closed:
                message = self.message_of(row.user)
                (message.mark if visible else message.mark_unnoticed)()

    def show_again(self, user: int) -> None:
        """Show a person's message again, if they have one, also if it tells them nothing new. Does not block."""
        if any(row.user == user and row.dm_message is not None for row in self._table.snapshot.seats):
            self.message_of(user).show_again()

    async def try_again(self, user: int) -> None:
        """Try to send a person their message again, who accepted none."""
        message = self.message_of(user)
        await message.store(SeatChange(dm_closed=False))
        message.mark()

    @contextlib.contextmanager
    def answering(self, user: int) -> Iterator[None]:
        """Leave a person's message to the answer while their press is served. In a game without secrets, where changes
        do not mark them, bring those of the others up to date afterwards.
        """
        with super().answering(user):
            yield
        if not self._table.game.has_hidden_info:
            self.changed(but=user)

    def leave_to_another(self, user: int) -> None:
        """Leave a person's to another process, which answers a press on it, for as long as that may take."""
        self.message_of(user).leave_to_another()

    def renew(self, user: int, if_refused: Callable[[], None] | None = None) -> None:
        """Send a person a new one, which notifies them, even if nothing is secret; if they accept none, or Discord
        refuses it for another reason, call `if_refused`. Does not block.
        """
        message = self.message_of(user)
        message.renewing, message.if_refused = True, if_refused
        message.mark()

    def look_of(self, user: int) -> ComponentPress | None:
        """Return the control that led to the page that a person sees. It is stored, since any process may answer."""
        message = self._messages.get(user)
        row = None if message is None else message.row
        return None if row is None else load_press(row.dm_look)


def _stored(channel: int | None, message: int | None, found: PlayerPage) -> SeatChange:
    """Return what is stored about a direct message that shows a page."""
    told = Told(reads=True) if found.still else Told(found.key, found.rests)
    return SeatChange(dm_channel=channel, dm_message=message, dm_state=told.dump(), dm_look=dump_press(found.look))
