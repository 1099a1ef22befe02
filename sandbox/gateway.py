"""The gateway: connections and sessions of the bot, identify, heartbeat, resume.

Imports aiohttp, the world and the dispatcher. A `Session` outlives its connection: what happens while the bot is away
is kept and replayed when it resumes. Source: "Gateway" in Discord's API documentation.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from .connection import Closed, Connection, Session, compact
from .dispatch import CONTENT, GUILDS, MEMBERS, Dispatcher
from .events import Presence
from .interaction import Interaction
from .records import Json
from .world import World

_PRESENCES = 1 << 8
_PRIVILEGED = {"members": MEMBERS, "presences": _PRESENCES, "message_content": CONTENT}
_ALL_INTENTS = (1 << 26) - 1

HEARTBEAT_MS = 41_250
_JOURNEY_S = 0.25
"""How long a heartbeat's answer is on its way. discord.py notes from another thread that it has sent one; an answer
that overtakes this note is measured from the heartbeat before, and the library complains of being 41 s behind.
"""
_FRAMES_PER_MINUTE = 120
_DAILY_IDENTIFIES = 1_000


class Gateway:
    """All sessions of the bot. ``address`` is where it connects; ``token`` what it must show."""

    def __init__(self, world: World, token: Callable[[], str], address: Callable[[], str]) -> None:
        self._world = world
        self._token = token
        self._address = address
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        self._identifies = 0
        self._dispatcher = Dispatcher(world, self._sessions)
        world.listeners.append(self._dispatcher.hear)

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
        data = compact(payload)
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
        """Serve one WebSocket of the bot.

        Raises `HTTPForbidden` for one of a web page, and `HTTPBadRequest` for an encoding that is not spoken here.
        """
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
            connection.send(compact({"op": 10, "d": {"heartbeat_interval": HEARTBEAT_MS, "_trace": ["sandbox"]}}))
            if query.get("v", "10") not in ("9", "10"):
                raise Closed(4012, "Invalid API version")
            session = await self._serve(connection)
        except Closed as closed:
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
                raise Closed(4009, "Session timed out") from None
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return session
            if loop.time() > window_end:
                window_end, frames = loop.time() + 60, 0
            frames += 1
            if frames > _FRAMES_PER_MINUTE:
                self._world.breach("the gateway", f"more than {_FRAMES_PER_MINUTE} frames in a minute")
                raise Closed(4008, "You are being rate limited.")
            try:
                frame = json.loads(message.data)
                operation, data = frame["op"], frame.get("d")
            except (ValueError, KeyError, TypeError):
                self._world.breach("the gateway", "a frame that is no JSON object with an op")
                raise Closed(4002, "Error while decoding payload") from None
            session = self._frame(connection, session, operation, data)

    def _frame(self, connection: Connection, session: Session | None, operation: int, data: Any) -> Session | None:
        match operation:
            case 1:
                if session is not None:
                    session.heard(data)
                asyncio.get_running_loop().call_later(_JOURNEY_S, connection.send, '{"op":11,"d":null}')
            case 2:
                if session is not None:
                    raise Closed(4005, "Already authenticated")
                session = self._identify(connection, data)
            case 6:
                session = self._resume(connection, data)
            case 3 | 4 | 8 if session is None:
                raise Closed(4003, "Not authenticated")
            case 3 | 4:
                pass
            case 8:
                if session is not None:
                    self._members(session, data)
            case _:
                self._world.breach("the gateway", f"unknown opcode {operation}")
                raise Closed(4001, "Unknown opcode")
        return session

    def _identify(self, connection: Connection, data: Json) -> Session:
        if data.get("token") != self._token():
            raise Closed(4004, "Authentication failed.")
        number, shards = data.get("shard") or (0, 1)
        if not 0 <= number < shards:
            raise Closed(4010, "Invalid shard.")
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~_ALL_INTENTS:
            raise Closed(4013, "Invalid intent(s).")
        for name, bit in _PRIVILEGED.items():
            if intents & bit and name not in self._world.settings.privileged_intents:
                self._world.breach("the gateway", f"identified with the intent {name}, which was not granted")
                raise Closed(4014, "Disallowed intent(s).")
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
        session.dispatch("READY", compact(ready))
        if intents & GUILDS:
            for guild in guilds:
                session.dispatch("GUILD_CREATE", compact(self._dispatcher.guild(session, guild)))
        self._world.publish(Presence(online=True))
        return session

    def _resume(self, connection: Connection, data: Json) -> Session | None:
        if data.get("token") != self._token():
            raise Closed(4004, "Authentication failed.")
        session = self._sessions.get(str(data.get("session_id")))
        sequence = data.get("seq")
        if session is None or not isinstance(sequence, int):
            connection.send('{"op":9,"d":false}')
            return None
        if sequence > session.sequence:
            raise Closed(4007, "Invalid seq")
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
        if wanted is None and not query and not session.intents & MEMBERS:
            self._world.breach("the gateway", "asked for all members without the members intent")
            raise Closed(4014, "Disallowed intent(s).")
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
        session.dispatch("GUILD_MEMBERS_CHUNK", compact(body))
