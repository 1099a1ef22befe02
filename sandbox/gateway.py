"""The gateway: sessions of the bot, identify, heartbeat, resume, and what is dispatched to whom.

Imports aiohttp and the world. A `Session` outlives its connection: what happens while the bot is away is kept and
replayed when it resumes. Source: "Gateway" in Discord's API documentation.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from .events import (
    BotJoined,
    BotLeft,
    ChannelChanged,
    ChannelGone,
    ChannelMade,
    Edited,
    Event,
    Gone,
    Joined,
    Left,
    Posted,
    Presence,
    Reacted,
)
from .interactions import Interaction
from .records import Channel, Guild, Json, Message
from .rendering import emoji_json, for_gateway, without_content
from .world import World

_GUILDS, _MEMBERS, _PRESENCES = 1 << 0, 1 << 1, 1 << 8
_GUILD_MESSAGES, _GUILD_REACTIONS = 1 << 9, 1 << 10
_DIRECT_MESSAGES, _DIRECT_REACTIONS, _CONTENT = 1 << 12, 1 << 13, 1 << 15
_PRIVILEGED = {"members": _MEMBERS, "presences": _PRESENCES, "message_content": _CONTENT}
_ALL_INTENTS = (1 << 26) - 1

HEARTBEAT_MS = 41_250
_JOURNEY_S = 0.25
"""How long a heartbeat's answer is on its way. discord.py notes from another thread that it has sent one; an answer
that overtakes this note is measured from the heartbeat before, and the library complains of being 41 s behind.
"""
_FRAMES_PER_MINUTE = 120
_KEPT_FRAMES = 20_000
_DAILY_IDENTIFIES = 1_000


def _compact(body: object) -> str:
    return json.dumps(body, separators=(",", ":"))


class _Closed(Exception):
    """The gateway closes the connection with a code of Discord's."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason


class Connection:
    """One WebSocket: frames go out in order through one writer, compressed as the bot asked."""

    def __init__(self, socket: web.WebSocketResponse, *, compress: bool) -> None:
        self.socket = socket
        self.cut = False
        self._deflate = zlib.compressobj() if compress else None
        self._frames: asyncio.Queue[str] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

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
        """Send what is queued, then close from this side."""
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
        """End the writer."""
        self._writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._writer


class Session:
    """What the bot identified as: intents, a shard, and the frames it may ask for again."""

    def __init__(self, intents: int, shard: tuple[int, int]) -> None:
        self.id = secrets.token_hex(16)
        self.intents = intents
        self.shard = shard
        self.sequence = 0
        self.frames: deque[tuple[int, str]] = deque(maxlen=_KEPT_FRAMES)
        self.connection: Connection | None = None

    def dispatch(self, name: str, data: str) -> None:
        """Send an event, or keep it for a resume. ``data`` is JSON."""
        self.sequence += 1
        frame = f'{{"t":"{name}","s":{self.sequence},"op":0,"d":{data}}}'
        self.frames.append((self.sequence, frame))
        if self.connection is not None:
            self.connection.send(frame)

    def heard(self, sequence: object) -> None:
        """The bot has everything up to here; it need not be kept."""
        if isinstance(sequence, int):
            while self.frames and self.frames[0][0] <= sequence:
                self.frames.popleft()

    def serves(self, guild: Guild | None) -> bool:
        """Whether this session's shard hears of a server; direct messages belong to shard 0."""
        number, shards = self.shard
        return number == (0 if guild is None else guild.shard(shards))


class Gateway:
    """All sessions of the bot. ``address`` is where it connects; ``token`` what it must show."""

    def __init__(self, world: World, token: Callable[[], str], address: Callable[[], str]) -> None:
        self._world = world
        self._token = token
        self._address = address
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        self._identifies = 0
        world.listeners.append(self._hear)

    # ---------------------------------------------------------------- for others

    @property
    def online(self) -> bool:
        """Whether the bot is connected with a session."""
        return any(session.connection is not None for session in self._sessions.values())

    def start_limit(self) -> Json:
        """How often the bot may still identify today."""
        left = max(0, _DAILY_IDENTIFIES - self._identifies)
        return {"total": _DAILY_IDENTIFIES, "remaining": left, "reset_after": 86_400_000, "max_concurrency": 1}

    def send_interaction(self, interaction: Interaction, payload: Json) -> bool | None:
        """Dispatch INTERACTION_CREATE; whether a connected session got it, None when there is no session at all."""
        if not self._sessions:
            return None
        data = _compact(payload)
        reached = False
        for session in self._sessions.values():
            if session.serves(interaction.channel.guild):
                session.dispatch("INTERACTION_CREATE", data)
                reached = reached or session.connection is not None
        return reached

    async def disconnect(self, *, resumable: bool = True) -> None:
        """Cut every connection; without ``resumable`` the sessions are forgotten too."""
        if not resumable:
            self._sessions.clear()
        for connection in list(self._connections):
            await connection.close(4000, "Unknown error")

    async def close(self) -> None:
        """The sandbox ends."""
        for connection in list(self._connections):
            await connection.close(WSCloseCode.GOING_AWAY)

    # ---------------------------------------------------------------- the connection

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one WebSocket of the bot."""
        if request.headers.get("Origin") is not None:
            raise web.HTTPForbidden(text="The gateway is for bots, not for web pages.")
        query = request.query
        compress = query.get("compress", "")
        if query.get("encoding", "json") != "json" or compress not in ("", "zlib-stream"):
            raise web.HTTPBadRequest(text="The sandbox speaks JSON, plain or as zlib-stream.")
        socket = web.WebSocketResponse(max_msg_size=4096, compress=False)
        await socket.prepare(request)
        connection = Connection(socket, compress=bool(compress))
        self._connections.add(connection)
        session: Session | None = None
        try:
            connection.send(_compact({"op": 10, "d": {"heartbeat_interval": HEARTBEAT_MS, "_trace": ["sandbox"]}}))
            if query.get("v", "10") not in ("9", "10"):
                raise _Closed(4012, "Invalid API version")
            session = await self._serve(connection)
        except _Closed as closed:
            await connection.close(closed.code, closed.reason)
        finally:
            await connection.stop()
            self._connections.discard(connection)
            self._lost(connection)
        goodbye = socket.close_code in (1000, 1001) and not connection.cut
        if session is not None and goodbye and session.connection is None:
            self._sessions.pop(session.id, None)  # a bot that says goodbye does not resume
        return socket

    def _lost(self, connection: Connection) -> None:
        was_online = self.online
        for session in self._sessions.values():
            if session.connection is connection:
                session.connection = None
        if was_online and not self.online:
            self._world.publish(Presence(online=False))

    async def _serve(self, connection: Connection) -> Session | None:
        session: Session | None = None
        loop = asyncio.get_running_loop()
        window_end, frames = loop.time() + 60, 0
        while True:
            try:
                message = await connection.socket.receive(timeout=HEARTBEAT_MS / 1000 * 2)
            except TimeoutError:
                raise _Closed(4009, "Session timed out") from None
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return session
            if loop.time() > window_end:
                window_end, frames = loop.time() + 60, 0
            frames += 1
            if frames > _FRAMES_PER_MINUTE:
                self._world.breach("the gateway", f"more than {_FRAMES_PER_MINUTE} frames in a minute")
                raise _Closed(4008, "You are being rate limited.")
            try:
                frame = json.loads(message.data)
                operation, data = frame["op"], frame.get("d")
            except (ValueError, KeyError, TypeError):
                self._world.breach("the gateway", "a frame that is no JSON object with an op")
                raise _Closed(4002, "Error while decoding payload") from None
            session = self._frame(connection, session, operation, data)

    def _frame(self, connection: Connection, session: Session | None, operation: int, data: Any) -> Session | None:
        match operation:
            case 1:
                if session is not None:
                    session.heard(data)
                asyncio.get_running_loop().call_later(_JOURNEY_S, connection.send, '{"op":11,"d":null}')
            case 2:
                if session is not None:
                    raise _Closed(4005, "Already authenticated")
                session = self._identify(connection, data)
            case 6:
                session = self._resume(connection, data)
            case 3 | 4 | 8 if session is None:
                raise _Closed(4003, "Not authenticated")
            case 3 | 4:
                pass
            case 8:
                if session is not None:
                    self._members(session, data)
            case _:
                self._world.breach("the gateway", f"unknown opcode {operation}")
                raise _Closed(4001, "Unknown opcode")
        return session

    def _identify(self, connection: Connection, data: Json) -> Session:
        if data.get("token") != self._token():
            raise _Closed(4004, "Authentication failed.")
        number, shards = data.get("shard") or (0, 1)
        if not 0 <= number < shards:
            raise _Closed(4010, "Invalid shard.")
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~_ALL_INTENTS:
            raise _Closed(4013, "Invalid intent(s).")
        for name, bit in _PRIVILEGED.items():
            if intents & bit and name not in self._world.settings.privileged_intents:
                self._world.breach("the gateway", f"identified with the intent {name}, which was not granted")
                raise _Closed(4014, "Disallowed intent(s).")
        self._identifies += 1
        for old in [old for old in self._sessions.values() if old.connection is None and old.shard == (number, shards)]:
            del self._sessions[old.id]
        session = Session(intents, (number, shards))
        self._sessions[session.id] = session
        session.connection = connection
        guilds = [guild for guild in self._world.guilds.values() if guild.bot_present and session.serves(guild)]
        ready = {
            "v": 10,
            "user": {**self._world.bot.json, "verified": True, "mfa_enabled": True, "email": None},
            "user_settings": {},
            "guilds": [{"id": guild.id, "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self._address(),
            "session_type": "normal",
            "private_channels": [],
            "relationships": [],
            "presences": [],
            "shard": [number, shards],
            "application": {"id": self._world.bot.id, "flags": self._world.application_flags()},
        }
        session.dispatch("READY", _compact(ready))
        if intents & _GUILDS:
            for guild in guilds:
                session.dispatch("GUILD_CREATE", _compact(self._guild(session, guild)))
        self._world.publish(Presence(online=True))
        return session

    def _guild(self, session: Session, guild: Guild) -> Json:
        """A server for GUILD_CREATE: without the members intent only the bot itself is listed."""
        members = guild.members.values()
        listed = [member.json() for member in members if session.intents & _MEMBERS or member.user is self._world.bot]
        return guild.gateway_json(listed)

    def _resume(self, connection: Connection, data: Json) -> Session | None:
        if data.get("token") != self._token():
            raise _Closed(4004, "Authentication failed.")
        session = self._sessions.get(str(data.get("session_id")))
        sequence = data.get("seq")
        if session is None or not isinstance(sequence, int):
            connection.send('{"op":9,"d":false}')
            return None
        if sequence > session.sequence:
            raise _Closed(4007, "Invalid seq")
        session.heard(sequence)
        if session.connection is not None and session.connection is not connection:
            session.connection = None
        for _, frame in session.frames:
            connection.send(frame)
        session.connection = connection
        session.dispatch("RESUMED", '{"_trace":["sandbox"]}')
        self._world.publish(Presence(online=True))
        return session

    def _members(self, session: Session, data: Json) -> None:
        """Answer a request for members by name or id."""
        guild = self._world.guilds.get(str(data.get("guild_id")))
        if guild is None:
            return
        wanted = data.get("user_ids")
        query = str(data.get("query") or "").lower()
        if wanted is None and not query and not session.intents & _MEMBERS:
            self._world.breach("the gateway", "asked for all members without the members intent")
            raise _Closed(4014, "Disallowed intent(s).")
        ids = [str(user) for user in (wanted if isinstance(wanted, list) else [wanted])] if wanted is not None else []
        if wanted is not None:
            found = [guild.members[user] for user in ids if user in guild.members]
        else:
            found = [member for member in guild.members.values() if member.user.name.lower().startswith(query)]
            found = found[: int(data.get("limit") or 0) or None]
        body: Json = {
            "guild_id": guild.id,
            "members": [member.json() for member in found],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [user for user in ids if user not in guild.members],
        }
        if data.get("nonce") is not None:
            body["nonce"] = data["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", _compact(body))

    # ---------------------------------------------------------------- dispatch

    def _hearing(self, guild: Guild | None, intent: int) -> Iterator[Session]:
        for session in self._sessions.values():
            if session.intents & intent and session.serves(guild):
                yield session

    def _tell(self, guild: Guild | None, intent: int, name: str, body: Json) -> None:
        data = _compact(body)
        for session in self._hearing(guild, intent):
            session.dispatch(name, data)

    def _hear(self, event: Event) -> None:
        if not self._sessions:
            return
        match event:
            case Posted(message):
                self._message("MESSAGE_CREATE", message)
            case Edited(message):
                self._message("MESSAGE_UPDATE", message)
            case Gone(message):
                if message.reader is None and self._sees(message.channel):
                    body = _placed(message.channel, id=message.id, channel_id=message.channel.id)
                    self._tell(message.channel.guild, _message_intent(message.channel), "MESSAGE_DELETE", body)
            case Reacted(message, user, emoji, added):
                self._reaction(message, user.id, emoji, added)
            case Joined(guild, member):
                self._tell(guild, _MEMBERS, "GUILD_MEMBER_ADD", {**member.json(), "guild_id": guild.id})
            case Left(guild, user):
                self._tell(guild, _MEMBERS, "GUILD_MEMBER_REMOVE", {"guild_id": guild.id, "user": user.json})
            case BotJoined(guild):
                for session in self._hearing(guild, _GUILDS):
                    body = self._guild(session, guild)
                    del body["unavailable"]  # discord.py takes a server without it for a new one
                    session.dispatch("GUILD_CREATE", _compact(body))
            case BotLeft(guild):
                self._tell(guild, _GUILDS, "GUILD_DELETE", {"id": guild.id})
            case ChannelMade(channel):
                self._tell(channel.guild, _GUILDS, _kind(channel) + "_CREATE", channel.json())
            case ChannelChanged(channel):
                self._tell(channel.guild, _GUILDS, _kind(channel) + "_UPDATE", channel.json())
            case ChannelGone(channel):
                self._tell(channel.guild, _GUILDS, _kind(channel) + "_DELETE", channel.json())
            case _:
                pass

    def _sees(self, channel: Channel) -> bool:
        return channel.guild is None or bool(channel.permissions(self._world.bot.id))

    def _message(self, name: str, message: Message) -> None:
        """New and edited messages: their content only where the bot may read it."""
        channel = message.channel
        if message.reader is not None or not self._sees(channel):
            return
        open_to_bot = channel.guild is None or message.author is self._world.bot or self._world.bot in message.mentions
        full = hidden = ""
        for session in self._hearing(channel.guild, _message_intent(channel)):
            if open_to_bot or session.intents & _CONTENT:
                full = full or _compact(for_gateway(message, channel.guild))
                session.dispatch(name, full)
            else:
                hidden = hidden or _compact(without_content(for_gateway(message, channel.guild)))
                session.dispatch(name, hidden)

    def _reaction(self, message: Message, user_id: str, emoji: str, added: bool) -> None:
        channel = message.channel
        body = _placed(
            channel,
            user_id=user_id,
            channel_id=channel.id,
            message_id=message.id,
            emoji=emoji_json(emoji),
            burst=False,
            type=0,
        )
        if added:
            body["message_author_id"] = message.author.id
            if channel.guild is not None and user_id in channel.guild.members:
                body["member"] = channel.guild.members[user_id].json()
        intent = _DIRECT_REACTIONS if channel.guild is None else _GUILD_REACTIONS
        self._tell(channel.guild, intent, "MESSAGE_REACTION_ADD" if added else "MESSAGE_REACTION_REMOVE", body)


def _kind(channel: Channel) -> str:
    return "CHANNEL" if channel.parent is None else "THREAD"


def _message_intent(channel: Channel) -> int:
    return _DIRECT_MESSAGES if channel.guild is None else _GUILD_MESSAGES


def _placed(channel: Channel, **body: Any) -> Json:
    """A body with the server's id, where there is a server."""
    return body if channel.guild is None else {**body, "guild_id": channel.guild.id}
