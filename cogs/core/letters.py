"""Letters: what one person alone receives. One direct message a table and seat, edited in place, and the line that
says whose turn it is.

A closed DM is noted and never tried again for that seat; the *My hand* button is always there instead. Nothing here
holds a table's lock or is awaited before a click is acknowledged. May import discord, `data`, `engine` and its
neighbours.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from cogs.core import wire
from cogs.core.live import LiveTable
from cogs.core.page import Page
from cogs.core.settings import ServerSettings
from cogs.core.timers import Clock, Scheduler
from cogs.core.traffic import Traffic
from data.store import SeatChange, SeatRow, Store
from engine.contract import Seat

log = logging.getLogger(__name__)

CLOSED = frozenset({50007, 50278})
"""Discord's codes for somebody who takes no direct messages from us, and for no common server."""

UNKNOWN_CHANNEL = 10003
UNKNOWN_MESSAGE = 10008

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
    ) -> None:
        self._client = client
        self._table = table
        self._compose = compose
        self._traffic = traffic
        self._wanted = 0
        self._worker: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()  # one letter at a time: a closed DM is tried once, and none is sent twice

    def changed(self) -> None:
        """Say that letters may have changed. Returns at once."""
        self._wanted += 1
        if self._worker is None or self._worker.done():
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
                if row.user is not None and not row.dm_closed:
                    await self._write(Seat(row.seat))

    async def _write(self, seat: Seat) -> None:
        async with self._lock:
            await self._write_alone(seat)

    async def _write_alone(self, seat: Seat) -> None:
        if seat >= len(self._table.seats) or self._table.seats[seat].dm_closed:
            return
        row = self._table.seats[seat]
        page = await self._compose(self._table, seat)
        if page is None or row.user is None or page.digest() == row.dm_state:
            return
        try:
            change = await self._deliver(row, page)
        except discord.Forbidden as error:
            if error.code not in CLOSED:
                log.warning("table %s: the letter of seat %s could not be sent: %s", self._table.id, seat, error)
            self._traffic.note("closed")
            change = SeatChange(dm_closed=True)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            # The next change of the game writes again; the letter keeps its old digest, so nothing is lost.
            log.warning("table %s: the letter of seat %s could not be sent: %s", self._table.id, seat, error)
            return
        # The seats may have been numbered anew in the lobby meanwhile: the letter belongs to the user.
        now = self._table.seat_of(row.user)
        if now is not None:
            await self._table.change_seat(now, change)

    async def _deliver(self, row: SeatRow, page: Page) -> SeatChange:
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
                if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL):
                    raise
            else:
                return SeatChange(dm_state=page.digest())
            view = wire.layout(page.without_controls(), self._table.id, 0)
        message = await channel.send(
            view=view,
            files=wire.files(page),
            nonce=f"{self._table.id}.{row.user % 10**9}.{self._table.version}",
        )
        return SeatChange(dm_channel=channel_id, dm_message=message.id, dm_state=page.digest())


class TurnLine:
    """The short line that mentions who is to move.

    Edits do not notify, so this is a message of its own; it goes when the turn passes.
    """

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        table: LiveTable,
        clock: Clock,
        scheduler: Scheduler,
        settings: ServerSettings,
    ) -> None:
        self._client = client
        self._store = store
        self._table = table
        self._clock = clock
        self._scheduler = scheduler
        self._settings = settings
        self._for: tuple[tuple[int, ...], int] | None = None
        self._posted: list[int] = []
        self._lock = asyncio.Lock()

    async def read(self) -> None:
        """Take over the lines that stand in the channel from before a restart."""
        self._posted = await self._store.mentions(self._table.id)

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
        self._for = (users, stamp)
        due = self._clock.now() + MENTION_AFTER_MS if users and mention else None
        self._scheduler.set(self._table.id, "mention", due)
        return bool(self._posted)

    async def post(self, link: str | None, words: str) -> None:
        """Mention those who are awaited; a line that stands already is replaced. On a quiet server no phone tells."""
        users = self.awaited()
        if not users or link is None:
            return
        async with self._lock:
            await self._erase()
            names = " ".join(f"<@{user}>" for user in users)
            channel = self._client.get_partial_messageable(self._table.row.channel, guild_id=self._table.row.guild)
            quiet = (await self._settings.of(self._table.row.guild)).mentions == "quiet"
            told = [] if quiet else [discord.Object(user) for user in users]
            try:
                message = await channel.send(
                    f"{names} {words} · [table {self._table.id}]({link})",
                    allowed_mentions=discord.AllowedMentions(users=told),
                    silent=quiet,
                )
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                log.warning("table %s: nobody could be mentioned: %s", self._table.id, error)
                return
            self._posted.append(message.id)
            await self._store.add_mention(self._table.id, self._table.row.channel, message.id)
            if set(self.awaited()) != set(users):
                await self._erase()

    async def erase(self) -> None:
        """Delete the lines that stand in the channel."""
        async with self._lock:
            await self._erase()

    async def _erase(self) -> None:
        channel = self._client.get_partial_messageable(self._table.row.channel, guild_id=self._table.row.guild)
        while self._posted:
            message = self._posted[0]
            try:
                await channel.get_partial_message(message).delete()
            except discord.HTTPException as error:
                if error.status >= 500 or error.status == 429:
                    return  # tried again when the turn passes next
                if error.code != UNKNOWN_MESSAGE:
                    log.warning("table %s: a mention could not be deleted: %s", self._table.id, error)
            except (aiohttp.ClientError, OSError):
                return
            self._posted.remove(message)
            await self._store.forget_mention(message)
