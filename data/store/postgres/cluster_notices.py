"""Notices over PostgreSQL's LISTEN and NOTIFY: one channel a process, and one for all. A notice is sent after its
commit: with NOTIFY inside transactions, all commits of the server wait for each other.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec

from data.background import BackgroundTasks
from data.store.cluster_notices import Listener, Missed, Notice
from data.store.errors import StoreError
from data.store.postgres.address import Address
from data.store.postgres.database import PostgresDatabase
from data.store.postgres.errors import first_line, translate_errors
from data.store.postgres.pool import Connection, connect

log = logging.getLogger(__name__)

ALL = "cellblock"
"""The channel to which every process listens; the others end with the number of their process."""

AGAIN_FROM_S, AGAIN_AT_MOST_S = 0.5, 10.0
"""A listener that lost its connection makes another one after this long, twice as long after each failure in a row."""

ECHO_WITHIN_S = 10.0
"""A listener should receive its own notice within this time; otherwise something in between keeps all notices from it.
"""

DEAF = (
    "PostgreSQL's notices do not arrive. Let DATABASE name the server itself, or a pooler that gives a connection for "
    "the whole session."
)

OwnerOf = Callable[[int], int | None]
"""Returns the process that owns a server's tables; None if no live process does."""


class _Envelope(msgspec.Struct, frozen=True):
    """A notice with its sender, which also receives it if it is for all."""

    sender: int
    notice: Notice


_READ = msgspec.json.Decoder(_Envelope)


def channel_of(process: int) -> str:
    """Return the name of a process's own channel."""
    return f"{ALL}_{process}"


class Notices:
    """The notices between processes, of the process with this number. `complaint`: why none arrive at the moment; None
    if they do.
    """

    def __init__(self, database: PostgresDatabase, process: int, owner_of: OwnerOf) -> None:
        self._database = database
        self._process = process
        self._owner_of = owner_of
        self._listener: Listener = lambda notice: None
        self._unsent: list[tuple[str, Notice]] = []  # each with its channel
        self._sending = BackgroundTasks()
        self._listening = BackgroundTasks()
        self.complaint: str | None = None
        self._echoed = False  # whether the listener has received its own notice

    async def close(self) -> None:
        """Stop listening, and wait until everything is sent or has failed."""
        await self._listening.close()
        await self._sending.settle()

    # Sending

    def tell(self, notice: Notice) -> None:
        """Tell all others what was committed. Does not block, and never fails: what gets lost is found later."""
        self._send_soon(ALL, notice)

    def tell_owner(self, guild: int, notice: Notice) -> None:
        """Tell the process that serves a server; if that is this one, its listener is called at once. See `tell`."""
        owner = self._owner_of(guild)
        if owner == self._process:
            self._listener(notice)
        elif owner is not None:  # the next owner reads the tables anyway
            self._send_soon(channel_of(owner), notice)

    def _send_soon(self, channel: str, notice: Notice) -> None:
        if (channel, notice) not in self._unsent:
            self._unsent.append((channel, notice))
        if not self._sending.running:
            self._sending.spawn(self._send(), "the sender of notices")

    async def _send(self) -> None:
        while self._unsent:
            sending, self._unsent = self._unsent, []
            envelopes = [_Envelope(self._process, notice) for _, notice in sending]
            try:
                await self._database.read(
                    "SELECT pg_notify(channel, body) FROM unnest(:channels::text[], :bodies::text[])"
                    " WITH ORDINALITY AS envelope (channel, body, place) ORDER BY place",
                    channels=[channel for channel, _ in sending],
                    bodies=[msgspec.json.encode(envelope).decode() for envelope in envelopes],
                )
            except StoreError as error:
                log.info("%s notices were not sent: %s", len(sending), error)  # their receivers find out later

    # Listening

    def listen(self, listener: Listener) -> None:
        """Call this with every notice of the others from now on; first with `Missed`. Does not block."""
        self._listener = listener
        self._listening.spawn(self._listen(), "the listener to notices")

    async def _listen(self) -> None:
        """Receive notices; after each loss of the connection on another one, with growing waits."""
        address, failures = self._database.address, 0
        while True:
            try:
                with translate_errors(address):
                    async with self._listening_connection(address) as db:
                        failures = 0
                        await self._receive(db)
            except StoreError as error:
                if self.complaint is None:
                    log.warning("other processes are not heard until the database is back: %s", error)
                self.complaint = str(error)
            failures += 1
            await asyncio.sleep(min(AGAIN_AT_MOST_S, AGAIN_FROM_S * 2 ** min(failures - 1, 10)))

    @asynccontextmanager
    async def _listening_connection(self, address: Address) -> AsyncIterator[Connection]:
        """Yield a connection that receives our notices. Raises `StoreError` or `psycopg.Error`."""
        db = await connect(address)
        try:
            for channel in (ALL, channel_of(self._process)):
                await db.execute(f'LISTEN "{channel}"')
            yield db
        finally:
            await db.close()

    async def _receive(self, db: Connection) -> None:
        """Receive notices on this connection until it is lost, after a `Missed` for those before it."""
        if self.complaint is not None:
            log.info("other processes are heard again")
        self.complaint, self._echoed = None, False
        self._listener(Missed())
        self._send_soon(channel_of(self._process), Missed())
        waiting = asyncio.get_running_loop().call_later(ECHO_WITHIN_S, self._check_echo)
        try:
            async for heard in db.notifies():
                self._take(heard.payload)
        finally:
            waiting.cancel()

    def _take(self, payload: str) -> None:
        try:
            envelope = _READ.decode(payload)
        except msgspec.DecodeError as error:
            log.info("a notice of another process cannot be read: %s", first_line(error))  # it has a newer version
            return
        if envelope.sender != self._process:
            self._listener(envelope.notice)
        elif envelope.notice == Missed():
            self._echoed = True
            if self.complaint == DEAF:
                self.complaint = None

    def _check_echo(self) -> None:
        """Report that no notices arrive, if that is so."""
        if not self._echoed:
            self.complaint = DEAF
            log.warning("other processes are heard late: %s", DEAF)
