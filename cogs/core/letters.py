"""Letters: what one person alone receives. One direct message a table and seat, edited in place, and the line that
says whose turn it is.

A closed DM is noted and never tried again for that seat; the *My hand* button is always there instead. Nothing here
holds a table's lock or is awaited before a click is acknowledged. May import discord, `data`, `engine` and its
neighbours.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

import discord
import msgspec

from cogs.core import codes, wire
from cogs.core.health import Health
from cogs.core.leftovers import Leftovers
from cogs.core.live import LiveTable
from cogs.core.page import Page
from cogs.core.settings import ServerSettings
from cogs.core.timers import Clock, Scheduler
from cogs.core.traffic import Traffic
from data.store import SeatChange, SeatRow, StoreError
from engine.contract import Seat

log = logging.getLogger(__name__)

MENTION_AFTER_MS = 8_000
"""Whoever answers sooner needs no mention; a quick exchange of moves stays free of clutter."""


class Letters:
    """The direct messages of one table: a worker writes what has changed, the newest state only."""

    def __init__(
        self,
        client: discord.Client,
        table: LiveTable,
        compose: Callable[[LiveTable, Seat], Awaitable[Page | None]],
        traffic: Traffic,
        health: Health,
    ) -> None:
        self._client = client
        self._table = table
        self._compose = compose
        self._traffic = traffic
        self._health = health
        self._unkept: dict[int, SeatChange] = {}  # by user: what the database did not take yet
        self._tried: dict[int, str] = {}  # by user: the nonce of the last letter
        self._wanted = 0
        self._worker: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()  # one letter at a time: a closed DM is tried once, and none is sent twice

    def changed(self) -> None:
        """Say that letters may have changed. Returns at once."""
        self._wanted += 1
        if self._table.row.paused_at is None and (self._worker is None or self._worker.done()):
            self._worker = asyncio.create_task(self._work(), name=f"letters-{self._table.id}")

    async def introduce(self, user: int) -> bool:
        """Send this user's first letter now. Return False if their direct messages are closed."""
        seat = self._table.seat_of(user)
        if seat is None:
            return True
        await self._write(seat)
        seat = self._table.seat_of(user)
        return seat is None or not self._table.seats[seat].dm_closed

    async def settle(self) -> None:
        """Return when every letter is written."""
        while self._worker is not None and not self._worker.done():
            await asyncio.wait({self._worker})

    async def close(self) -> None:
        """Stop writing."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def _work(self) -> None:
        done = 0
        while done < self._wanted:
            done = self._wanted
            for row in self._table.seats:
                if row.user is not None and not row.dm_closed and self._table.row.paused_at is None:
                    await self._write(Seat(row.seat))

    async def _write(self, seat: Seat) -> None:
        async with self._lock:
            try:
                await self._write_alone(seat)
            except StoreError as error:
                self._health.failed(error)  # what was sent is remembered here, and kept on disk with the next letter

    async def _write_alone(self, seat: Seat) -> None:
        row = self._row(seat)
        if row is None or row.user is None or row.dm_closed:
            return
        page = await self._compose(self._table, seat)
        if page is None or page.digest() == row.dm_state:
            return
        try:
            change = await self._deliver(row, page)
        except discord.Forbidden as error:
            if error.code not in codes.CLOSED_TO_US:
                log.warning("table %s: the letter of seat %s could not be sent: %s", self._table.id, seat, error)
            self._traffic.note("closed")
            change = SeatChange(dm_closed=True)
        except codes.FAILED_CALL as error:
            # The next change of the game writes again; the letter keeps its old digest, so nothing is lost.
            log.warning("table %s: the letter of seat %s could not be sent: %s", self._table.id, seat, error)
            return
        # The seats may have been numbered anew in the lobby meanwhile: the letter belongs to the user.
        self._unkept[row.user] = change
        await self._table.change_seat_of(row.user, change)
        del self._unkept[row.user]

    def _row(self, seat: Seat) -> SeatRow | None:
        """Return what is known of a seat, also where the database did not take it."""
        if seat >= len(self._table.seats):
            return None
        row = self._table.seats[seat]
        change = self._unkept.get(row.user or 0)
        return row if change is None else changed(row, change)

    async def _deliver(self, row: SeatRow, page: Page) -> SeatChange:
        """Send or edit a letter. The digest is kept only of what it certainly shows."""
        assert row.user is not None
        channel_id = row.dm_channel
        if channel_id is None:
            channel_id = (await self._client.create_dm(discord.Object(row.user))).id
        channel = self._client.get_partial_messageable(channel_id)
        view = wire.layout(page.without_controls(), self._table.id, 0)
        if row.dm_message is not None:
            try:
                await channel.get_partial_message(row.dm_message).edit(view=view, attachments=wire.files(page))
            except discord.NotFound as error:
                if error.code not in (codes.UNKNOWN_MESSAGE, codes.UNKNOWN_CHANNEL):
                    raise
            else:
                return SeatChange(dm_channel=channel_id, dm_message=row.dm_message, dm_state=page.digest())
            view = wire.layout(page.without_controls(), self._table.id, 0)
        # As with table messages: one letter is meant to follow the one before it, however often it is tried.
        table = self._table.row
        nonce = f"{table.id}.{table.created_at}" if row.dm_message is None else str(row.dm_message)
        again = self._tried.get(row.user) == nonce
        self._tried[row.user] = nonce
        message = await channel.send(view=view, files=wire.files(page), nonce=nonce)
        if again or wire.words(discord.ui.LayoutView.from_message(message)) != wire.words(view):
            await message.edit(view=wire.layout(page.without_controls(), table.id, 0), attachments=wire.files(page))
        return SeatChange(dm_channel=channel_id, dm_message=message.id, dm_state=page.digest())


def changed(row: SeatRow, change: SeatChange) -> SeatRow:
    """Return a seat as a change leaves it."""
    values = {name: value for name, value in msgspec.structs.asdict(change).items() if value is not msgspec.UNSET}
    return msgspec.structs.replace(row, **values)


class TurnLine:
    """The short line that mentions who is to move.

    Edits do not notify, so this is a message of its own; it goes when the turn passes.
    """

    def __init__(
        self,
        client: discord.Client,
        table: LiveTable,
        leftovers: Leftovers,
        clock: Clock,
        scheduler: Scheduler,
        settings: ServerSettings,
    ) -> None:
        self._client = client
        self._table = table
        self._leftovers = leftovers
        self._clock = clock
        self._scheduler = scheduler
        self._settings = settings
        self._for: tuple[tuple[int, ...], int] | None = None
        self._lock = asyncio.Lock()

    def awaited(self) -> tuple[int, ...]:
        """Return the users whom the game waits for; caretakers and computers need no mention."""
        table = self._table
        if not table.playing:
            return ()
        return tuple(
            row.user
            for seat in table.view(None).waiting
            if (row := table.seats[seat]).user is not None and not row.caretaker
        )

    def turn_passed(self, mention: bool = True) -> bool:
        """See whether somebody else is awaited now. Return whether lines in the channel should be deleted."""
        users = self.awaited()
        stamp = self._table.view(None).stamp if self._table.playing else -1
        if self._for == (users, stamp):
            return False
        gathering = self._for is None and self._table.in_lobby  # an invitation stands from before a restart
        self._for = (users, stamp)
        due = self._clock.now() + MENTION_AFTER_MS if users and mention else None
        self._scheduler.set(self._table.id, "mention", due)
        return not gathering

    async def invite(self, user: int, words: str) -> None:
        """Mention somebody who is wanted in the lobby; the line goes when they come, or when nobody gathers any more.

        Raises what a call raises that fails.
        """
        async with self._lock:
            await self._say(f"<@{user}> {words}", [user], quiet=False)
            if not self._table.in_lobby:
                await self._leftovers.sweep()

    async def post(self, link: str | None, words: str) -> None:
        """Mention those who are awaited; a line that stands already is replaced. On a quiet server no phone tells."""
        users = self.awaited()
        if not users or link is None or self._table.row.paused_at is not None:
            return
        async with self._lock:
            await self._leftovers.sweep()
            names = " ".join(f"<@{user}>" for user in users)
            quiet = (await self._settings.of(self._table.row.guild)).mentions == "quiet"
            try:
                await self._say(f"{names} {words} · [table {self._table.id}]({link})", users, quiet)
            except codes.FAILED_CALL as error:
                log.warning("table %s: nobody could be mentioned: %s", self._table.id, error)
                return
            if set(self.awaited()) != set(users):
                await self._leftovers.sweep()

    async def _say(self, line: str, users: Sequence[int], quiet: bool) -> None:
        channel = self._client.get_partial_messageable(self._table.row.channel, guild_id=self._table.row.guild)
        told = [] if quiet else [discord.Object(user) for user in users]
        message = await channel.send(line, allowed_mentions=discord.AllowedMentions(users=told), silent=quiet)
        await self._leftovers.add(message.id)
