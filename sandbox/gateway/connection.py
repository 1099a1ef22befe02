"""One WebSocket of the bot, and the session that outlives it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import zlib
from collections import deque

from aiohttp import web

from sandbox.world.models import Guild

_KEPT_FRAMES = 20_000


def compact(body: object) -> str:
    """Return JSON without spaces."""
    return json.dumps(body, separators=(",", ":"))


class Closed(Exception):
    """The gateway closes the connection with one of Discord's codes."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason


class Connection:
    """One WebSocket: frames are sent in order by one writer, compressed if the bot asked for it."""

    def __init__(self, socket: web.WebSocketResponse, *, compress: bool, by: str = "") -> None:
        self.socket = socket
        self.by = by
        self.cut = False
        self._deflate = zlib.compressobj() if compress else None
        self._frames: asyncio.Queue[str] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

    @property
    def is_open(self) -> bool:
        """True until either side closes it."""
        return not self.cut and not self.socket.closed

    def send(self, frame: str) -> None:
        """Queue a frame."""
        self._frames.put_nowait(frame)

    async def _write(self) -> None:
        with contextlib.suppress(ConnectionError, RuntimeError):
            while True:
                frame = await self._frames.get()
                if self._deflate is None:
                    await self.socket.send_str(frame)
                else:
                    packed = self._deflate.compress(frame.encode()) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
                    await self.socket.send_bytes(packed)
                self._frames.task_done()

    async def close(self, code: int, reason: str = "") -> None:
        """Send queued frames, then close from this side."""
        self.cut = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                await self._drained()
        await self.stop()
        await self.socket.close(code=code, message=reason.encode())

    async def _drained(self) -> None:
        drained = asyncio.ensure_future(self._frames.join())
        try:
            await asyncio.wait((drained, self._writer), return_when=asyncio.FIRST_COMPLETED)
        finally:
            drained.cancel()

    async def stop(self) -> None:
        """Stop the writer."""
        self._writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._writer


class Session:
    """What the bot identified with (intents and shard) and the frames that it may ask for again; ``by`` is
    its process.
    """

    def __init__(self, intents: int, shard: tuple[int, int], by: str = "") -> None:
        self.id = secrets.token_hex(16)
        self.by = by
        self.intents = intents
        self.shard = shard
        self.sequence = 0
        self.frames: deque[tuple[int, str]] = deque(maxlen=_KEPT_FRAMES)
        self.connection: Connection | None = None
        self.lost_at = 0.0

    def lose(self, now: float) -> None:
        """Detach the connection, at a time of the event loop's clock, until a resume."""
        self.connection = None
        self.lost_at = now

    def dispatch(self, name: str, data: str) -> None:
        """Send an event, and keep it for a resume. ``data`` is JSON."""
        self.sequence += 1
        frame = f'{{"t":"{name}","s":{self.sequence},"op":0,"d":{data}}}'
        self.frames.append((self.sequence, frame))
        if self.connection is not None:
            self.connection.send(frame)

    def acknowledge(self, sequence: object) -> None:
        """Drop the frames that the bot has received."""
        if isinstance(sequence, int):
            while self.frames and self.frames[0][0] <= sequence:
                self.frames.popleft()

    def serves(self, guild: Guild | None) -> bool:
        """Return True if this session's shard gets the events of a server; direct messages belong to shard 0."""
        number, shards = self.shard
        return number == (0 if guild is None else guild.shard(shards))
