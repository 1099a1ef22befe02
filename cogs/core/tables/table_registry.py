"""The tables in memory: found, read when they are needed, opened, and put to sleep."""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import discord

from cogs.core.app.session_factory import Furnishing
from cogs.core.ops.errors import UserError
from cogs.core.ops.recent import Recent
from cogs.core.publishing.page_builder import Composer
from cogs.core.tables import absence
from cogs.core.tables.bot_workers import Thinkers
from cogs.core.tables.follow_up import FollowUp
from cogs.core.tables.guild_settings import LISTED, limit_words
from cogs.core.tables.house import House
from cogs.core.tables.live import LiveTable
from cogs.core.tables.rematch import rematch_of, where_found
from cogs.core.tables.table_session import RatingChange, TableSession
from data.store import NO_SERVER, LimitReached, Limits, NewTable, NotShardOwner, TableRow
from data.store.cluster_notices import TableChanged
from engine.contract import BrokenRecord

log = logging.getLogger(__name__)


VISITS = 128
"""So many tables of other processes are kept at which somebody has lately pressed something here, as in their direct
messages. They are read anew at every press; what stays from press to press is which page each presser sees.
"""

RATED = 1_000
"""So many tables that sleep are remembered whose games have changed ratings: their ends go on telling it."""

ENDLESS = 10**9
"""A limit that nobody reaches."""

PRACTISED = (
    "You have {} practice games that are not over yet, and nobody may have more at once. `/play` in a direct message "
    "to me lists them: finish one, or end one with *More …*."
)


class Present(dict[int, TableSession]):
    """The tables in memory, by number, and by their channel, which a table never changes."""

    def __init__(self) -> None:
        super().__init__()
        self._channels: dict[int, dict[int, TableSession]] = {}

    def in_channel(self, channel: int) -> Collection[TableSession]:
        """Return those of a channel, at no greater cost however many there are elsewhere."""
        return tuple(self._channels.get(channel, {}).values())

    def put(self, session: TableSession) -> TableSession:
        """Take a table in, and return it; or the one that is here already, for no table is in memory twice."""
        here = self.setdefault(session.table.id, session)
        self._channels.setdefault(here.table.row.channel, {})[here.table.id] = here
        return here

    def take(self, number: int) -> TableSession | None:
        """Let go of a table, and return it; None if it was not here."""
        session = self.pop(number, None)
        if session is not None:
            channel = session.table.row.channel
            del self._channels[channel][number]
            if not self._channels[channel]:
                del self._channels[channel]
        return session

    def clear(self) -> None:
        """Let go of all."""
        super().clear()
        self._channels.clear()


class Sessions:
    """All tables in memory, and the way to the others. `place_gone` hears of a channel that does not exist any more."""

    def __init__(
        self, house: House, thinkers: Thinkers, follow_up: FollowUp, place_gone: Callable[[int], None]
    ) -> None:
        self.present = Present()
        self.visits = Recent[int, TableSession](VISITS)
        self._rated = Recent[int, tuple[RatingChange, ...]](RATED)
        self.channels: set[int] = set()  # where tables are open, or have been since the start
        self.out_of_reach: set[int] = set()  # servers of open tables that we are not on: there the clocks stand still
        self.composer = Composer(house.client, house.screens, self.present, house.covers, house.clock)
        self._house = house
        self._thinkers = thinkers
        self._follow_up = follow_up
        self._furnishing = Furnishing(house, self.composer, thinkers, follow_up, self.present, place_gone)
        self._loading: dict[int, asyncio.Task[TableSession | None]] = {}

    # Finding

    async def find(self, table: int) -> TableSession | None:
        """Return the table with this number, reading it if it sleeps; None if there is none."""
        present = self.present.get(table)
        if present is not None and self._house.store.shards.holds(present.table.row.guild):
            return present
        loading = self._loading.get(table)
        if loading is None:
            loading = asyncio.create_task(self._load(table), name=f"load-{table}")
            self._loading[table] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    async def readable(self, rows: Iterable[TableRow]) -> tuple[list[TableSession], list[int]]:
        """Return those of these tables that are there, and the numbers of those whose record cannot be read."""
        found: dict[int, TableSession] = {}
        broken: list[int] = []
        for number in dict.fromkeys(row.id for row in rows):
            try:
                session = await self.find(number)
            except BrokenRecord as error:
                log.warning("table %s cannot be read: %s", number, error)
                broken.append(number)
            else:
                if session is not None:
                    found[number] = session
        return list(found.values()), broken

    async def meant(self, interaction: discord.Interaction, game: str, number: int | None, guess: bool) -> TableSession:
        """Return the table that a command means, for `Tables.of_user`. Raises `UserError`."""
        if number is not None:
            session = await self.find(number)
            if session is None or session.table.row.guild != interaction.guild_id or session.table.game.key != game:
                raise UserError(f"There is no table {number} of this game on this server. /tables lists yours.")
            return session
        rows = [
            row
            for row in await self._house.store.tables.of(
                interaction.user.id, guild=interaction.guild_id, channel=interaction.channel_id
            )
            if row.game == game and row.status == "playing"
        ]
        if not rows:
            command = self._house.screens[game].command
            raise UserError(
                "You are not playing this game in this channel. Open a table with "
                f"`/{command} start`, or see `/tables`."
            )
        if len(rows) > 1:
            sessions, _ = await self.readable(rows)
            mine = [
                session
                for session in sessions
                if session.table.playing
                and session.table.seat_of(interaction.user.id) in session.table.view(None).waiting
            ]
            if guess and len(mine) == 1:
                return mine[0]
            names = ", ".join(str(row.id) for row in rows)
            raise UserError(f"You play at several tables here ({names}). Say which one with the option `table`.")
        session = await self.find(rows[0].id)
        assert session is not None
        return session

    def awake(self) -> Sequence[TableSession]:
        """Return the tables in memory."""
        return tuple(self.present.values())

    # Reading and opening

    async def _load(self, number: int) -> TableSession | None:
        row = await self._house.store.tables.get(number)
        if row is None or row.game not in self._house.screens:
            return None
        if not self._house.store.shards.holds(row.guild):
            return await self._visited(row)
        session = await self._read(row)
        table = session.table
        await session.leftovers.read()
        await self.go_on(table)
        session.aside = session.interlude()
        here = self.present.put(session)
        if here is not session:
            return here  # whoever opened it was there first
        if table.notice is not None or session.message.behind:
            session.message.changed()
        self._follow_up(session)
        return session

    async def _read(self, row: TableRow) -> TableSession:
        table = await LiveTable.load(self._house.store, self._house.screens[row.game].game, row)
        session = self._furnishing.furnish(table)
        if row.status == "over":
            session.rematch = await rematch_of(self._house.store, row.id, table.seats)
            session.booked = True
            session.ratings = await self._still_told(table)
        return session

    async def _still_told(self, table: LiveTable) -> tuple[RatingChange, ...]:
        """Return how a game that was over when its table slept has changed ratings, but for people who hide by now."""
        rated = self._rated.get(table.id) or ()
        hidden = await self._house.store.records.hidden() if rated else frozenset()
        return tuple(one for one in rated if table.seats[one.seat].user not in hidden)

    async def _visited(self, row: TableRow) -> TableSession:
        """Return the table of another process as it stands now, for a press that came in here: it is neither shown from
        here, nor are its clocks kept, nor do its computers play.
        """
        session = self.visits.get(row.id)
        if session is not None:
            await session.table.catch_up()
        else:
            session = await self._read(row)
            session.table.is_elsewhere()
            self.visits.put(row.id, session)
        if row.paused_at is None:
            await self.go_on(session.table)
        return session

    async def loaded(self, number: int | None = None) -> None:
        """Return when what is being read (or only the table with this number) has been, well or badly."""
        loading = [task for table, task in self._loading.items() if number in (None, table)]
        await asyncio.gather(*loading, return_exceptions=True)

    async def go_on(self, table: LiveTable) -> None:
        """Let the clocks of a table run again that stood still while the bot, or its server, was away."""
        row, now = table.row, self._house.clock.now()
        if row.paused_at is None:
            if table.playing:
                await table.make_up_for(self._house.store.downtime(row.run, row.guild), now)
                await absence.doze(table, now)
        elif row.guild not in self.out_of_reach:
            await table.resume(now)

    async def open(self, new: NewTable, seats: Sequence[Any]) -> TableSession:
        """Open a table with these people, numbered in this order. Raises `UserError` where as many are open as the
        server's settings allow.
        """
        try:
            row = await self._created(new, seats, await self._limits(new.guild))
        except LimitReached as reached:
            raise await self._refusal(new.guild, reached) from reached
        table = LiveTable(self._house.store, self._house.screens[row.game].game, row, seats)
        session = self._furnishing.furnish(table)
        if self._house.store.shards.holds(row.guild):
            session = self.present.put(session)  # somebody may have asked for it since it was committed
            self.channels.add(row.channel)
            self._house.scheduler.set(row.id, "deadline", row.due)
        else:  # its server went to another process while this was asked for
            table.is_elsewhere()
            table.tell(TableChanged(row.id))
            self.visits.put(row.id, session)
        return session

    async def check_limits(self, new: NewTable, seats: Sequence[Any]) -> None:
        """Raise `UserError` where as many tables are open by now as the server's settings allow."""
        try:
            await self._house.store.tables.check_limits(new, seats, await self._limits(new.guild))
        except LimitReached as reached:
            raise await self._refusal(new.guild, reached) from reached

    async def _limits(self, guild: int) -> Limits:
        limits = (await self._house.settings.of(guild)).limits
        if guild == NO_SERVER:
            return Limits(limits.person, channel=ENDLESS, server=ENDLESS)  # nobody's practice is in anybody's way
        return limits

    async def _refusal(self, guild: int, reached: LimitReached) -> UserError:
        """Return what is told to somebody who may open no more tables."""
        if guild == NO_SERVER:
            return UserError(PRACTISED.format(reached.most))
        return UserError(limit_words(reached, await self._named(reached.tables[:LISTED])))

    async def _created(self, new: NewTable, seats: Sequence[Any], limits: Limits) -> TableRow:
        """Keep a new table, also where another process serves its server by now. Raises what `Tables.create` does."""
        try:
            return await self._house.store.tables.create(new, seats, limits)
        except NotShardOwner:
            await self._house.store.shards.refresh()
            return await self._house.store.tables.create(new, seats, limits)

    async def _named(self, tables: Iterable[int]) -> list[str]:
        """Return these tables by number and game, as links to where they are found."""
        rows = [await self._house.store.tables.get(number) for number in tables]
        return [
            f"{await where_found(self._house.store, row)} ({self._house.screens[row.game].game.title})"
            for row in rows
            if row is not None and row.game in self._house.screens
        ]

    async def tell_of_rematch(self, number: int | None) -> None:
        """Let the end of a game tell how its rematch stands. None is the end of no game."""
        session = None if number is None else await self.find(number)
        if session is not None:
            session.rematch = await rematch_of(self._house.store, session.table.id, session.table.seats)
            session.message.changed()

    # Letting go

    async def put_to_sleep(self, number: int) -> None:
        """Let a table leave the memory that nobody has touched for long and that has nothing to do. Where the game has
        ended, those who have a panel open are shown nothing new: its buttons wake the table.
        """
        session = self.present.get(number)
        if session is None:
            return
        await session.settle()
        await self._house.shown.write()
        # Asked last, and let go of in the same breath: somebody may have come while the rest was shown.
        table, now = session.table, self._house.clock.now()
        after = table.sleeps_after_ms
        unrest = session.computers.busy or session.message.busy or session.direct_messages.busy or session.begun.busy
        if unrest or table.busy or (session.panels.open and not table.ended) or now - table.used < after:
            self._house.scheduler.set(number, "sleep", now + after)
            return
        session.panels.take_asides_away()
        self.present.take(number)
        if session.ratings:
            self._rated.put(number, session.ratings)
        self._house.shown.forget(number)
        self._house.scheduler.set(number, "panels", None)

    async def settle(self) -> None:
        """Return when every message that is wanted has been sent, and nobody is thinking."""
        for session in self.awake():
            await session.computers.settle()
            await session.settle()

    async def close(self) -> None:
        """Stop everything that serves a table."""
        for session in self.awake():
            await session.close()
        self.present.clear()
        await self._thinkers.close()
        self.composer.close()
