"""The gateway: connections and sessions of the bot, identify, heartbeat and resume.

A `Session` outlives its connection: events while the bot is away are kept and replayed when it resumes. A shard may
have any number of sessions; each receives everything and none knows of the others, which Discord allows for a change of
processes without a gap. Source: "Gateway" in Discord's API documentation.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from sandbox.messaging.interaction import Interaction
from sandbox.world.events import Presence
from sandbox.world.models import Json
from sandbox.world.state import State

from .connection import Closed, Connection, Session, compact
from .dispatch import CONTENT, MEMBERS, Dispatcher
from .starts import Starts, StartsExhausted

_PRESENCES = 1 << 8
_PRIVILEGED = {"members": MEMBERS, "presences": _PRESENCES, "message_content": CONTENT}
_ALL_INTENTS = (1 << 26) - 1

HEARTBEAT_MS = 41_250
_JOURNEY_S = 0.25
"""Delay of a heartbeat's acknowledgement. discord.py notes from another thread that it has sent a heartbeat; an
acknowledgement that arrives before this note is measured from the previous one, and the library warns of being 41 s
behind.
"""
_FRAMES_PER_MINUTE = 120


class Gateway:
    """All sessions of the bot. ``address`` returns a process's gateway URL, ``token`` the bot's current token."""

    def __init__(
        self, state: State, token: Callable[[], str], address: Callable[[str], str], reset_token: Callable[[], None]
    ) -> None:
        self._state = state
        self._token = token
        self._address = address
        self._reset_token = reset_token
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        self._starts = Starts(state.settings, state.clock.now_ms)
        self._goodbyes: set[asyncio.Task[None]] = set()
        self._seen_online = False
        self._refused_with: int | None = None
        self.redelivers = 0  # how often each interaction is dispatched again at once
        self._last_interaction: tuple[Interaction, str] | None = None
        self._dispatcher = Dispatcher(state, self._sessions)
        state.listeners.append(self._dispatcher.on_event)

    # ---------------------------------------------------------------- public

    @property
    def online(self) -> bool:
        """True while the bot is connected with a session."""
        return any(session.connection is not None for session in self._sessions.values())

    @property
    def sessions(self) -> list[Session]:
        """All sessions, connected or waiting to be resumed, oldest first."""
        self._forget_old()
        return list(self._sessions.values())

    def start_limit(self) -> Json:
        """Return how often the bot may still identify today."""
        return self._starts.json()

    def send_interaction(self, interaction: Interaction, payload: Json) -> bool | None:
        """Dispatch INTERACTION_CREATE. Return True if a connected session got it, None if there is no session
        at all.
        """
        self._forget_old()
        if not self._sessions:
            return None
        data = compact(payload)
        self._last_interaction = interaction, data
        for session in self._sessions.values():
            if session.serves(interaction.channel.guild):
                for _ in range(1 + self.redelivers):
                    session.dispatch("INTERACTION_CREATE", data)
                if session.connection is not None:
                    interaction.receivers.append(session.connection)
        return bool(interaction.receivers)

    def redeliver(self) -> None:
        """Dispatch the last interaction once more, as Discord may after a session was resumed."""
        if self._last_interaction is not None:
            interaction, data = self._last_interaction
            for session in self._sessions.values():
                if session.serves(interaction.channel.guild):
                    session.dispatch("INTERACTION_CREATE", data)

    async def disconnect(self, session: Session | None, code: int, *, resumable: bool) -> None:
        """Close the connection of one session or of all; unless ``resumable`` the sessions are dropped."""
        if not resumable:
            for each in list(self._sessions.values()) if session is None else [session]:
                self._sessions.pop(each.id, None)
        if session is None:
            connections = list(self._connections)
        else:
            connections = [] if session.connection is None else [session.connection]
        for connection in connections:
            await connection.close(code, "Unknown error")

    def ask_to_reconnect(self, session: Session) -> None:
        """Send "reconnect", so that the bot comes back and resumes."""
        if session.connection is not None:
            session.connection.send('{"op":7,"d":null}')

    def invalidate(self, session: Session, *, resumable: bool) -> None:
        """Send "invalid session"; unless ``resumable`` the session is dropped."""
        if not resumable:
            self._sessions.pop(session.id, None)
        if session.connection is not None:
            session.connection.send(f'{{"op":9,"d":{"true" if resumable else "false"}}}')

    def refuse(self, code: int | None) -> None:
        """Close with this code on every identify and resume from now on; None: accept them again."""
        self._refused_with = code

    async def close(self) -> None:
        """Close all connections."""
        for connection in list(self._connections):
            await connection.close(WSCloseCode.GOING_AWAY)

    # ---------------------------------------------------------------- the connection

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one WebSocket of the bot.

        Raises `HTTPForbidden` for a connection from a web page, and `HTTPBadRequest` for an unsupported encoding.
        """
        if request.headers.get("Origin") is not None:
            raise web.HTTPForbidden(text="The gateway is for bots, not for web pages.")
        query = request.query
        compress = query.get("compress", "")
        if query.get("encoding", "json") != "json" or compress not in ("", "zlib-stream"):
            raise web.HTTPBadRequest(text="The sandbox speaks JSON, plain or as zlib-stream.")
        socket = web.WebSocketResponse(max_msg_size=4096, compress=False)
        await socket.prepare(request)
        connection = Connection(socket, compress=bool(compress), by=request.match_info.get("who", ""))
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
            self._sessions.pop(session.id, None)  # a bot that closes normally does not resume
        return socket

    def _lost(self, connection: Connection) -> None:
        for session in self._sessions.values():
            if session.connection is connection:
                session.lose(asyncio.get_running_loop().time())
        self._publish_presence()

    def _publish_presence(self) -> None:
        """Publish the bot's presence when its first session connects or its last one disconnects."""
        if self._seen_online != self.online:
            self._seen_online = self.online
            self._state.publish(Presence(online=self.online))

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
                self._state.record_violation("the gateway", f"more than {_FRAMES_PER_MINUTE} frames in a minute")
                raise Closed(4008, "You are being rate limited.")
            try:
                frame = json.loads(message.data)
                operation, data = frame["op"], frame.get("d")
            except (ValueError, KeyError, TypeError):
                self._state.record_violation("the gateway", "a frame that is no JSON object with an op")
                raise Closed(4002, "Error while decoding payload") from None
            session = self._frame(connection, session, operation, data)

    def _frame(self, connection: Connection, session: Session | None, operation: int, data: Any) -> Session | None:
        match operation:
            case 1:
                if session is not None:
                    session.acknowledge(data)
                asyncio.get_running_loop().call_later(_JOURNEY_S, connection.send, '{"op":11,"d":null}')
            case 2 | 6 if self._refused_with is not None:
                raise Closed(self._refused_with, "Unknown error")
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
                    self._dispatcher.members(session, data)
            case _:
                self._state.record_violation("the gateway", f"unknown opcode {operation}")
                raise Closed(4001, "Unknown opcode")
        return session

    def _identify(self, connection: Connection, data: Json) -> Session | None:
        if data.get("token") != self._token():
            raise Closed(4004, "Authentication failed.")
        number, shards = _shard(data.get("shard"))
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~_ALL_INTENTS:
            raise Closed(4013, "Invalid intent(s).")
        for name, bit in _PRIVILEGED.items():
            if intents & bit and name not in self._state.settings.privileged_intents:
                self._state.record_violation("the gateway", f"identified with the intent {name}, which was not granted")
                raise Closed(4014, "Disallowed intent(s).")
        session = Session(intents, (number, shards), connection.by)
        guilds = [guild for guild in self._state.guilds.values() if guild.bot_present and session.serves(guild)]
        if not self._count_start(number):
            connection.send('{"op":9,"d":false}')
            return None
        if len(guilds) > self._state.settings.guilds_a_shard:
            raise Closed(4011, "Sharding required.")
        self._forget_old()
        self._sessions[session.id] = session
        session.connection = connection
        self._dispatcher.send_ready(session, guilds, self._address(connection.by))
        self._publish_presence()
        return session

    def _count_start(self, shard: int) -> bool:
        """Count an identify and return True if it is allowed. One too many a day resets the token and ends every
        session.
        """
        try:
            return self._starts.take(shard)
        except StartsExhausted:
            self._state.record_violation("the gateway", "identified more often than a day allows: the token is reset")
            self._reset_token()
            self._sessions.clear()
            for connection in self._connections:
                goodbye = asyncio.create_task(connection.close(4004, "Authentication failed."))
                self._goodbyes.add(goodbye)
                goodbye.add_done_callback(self._goodbyes.discard)
            raise Closed(4004, "Authentication failed.") from None

    def _forget_old(self) -> None:
        """Drop sessions that waited too long for a resume."""
        long_ago = asyncio.get_running_loop().time() - self._state.settings.session_life_ms / 1000
        for session in list(self._sessions.values()):
            if session.connection is None and session.lost_at < long_ago:
                del self._sessions[session.id]

    def _resume(self, connection: Connection, data: Json) -> Session | None:
        if data.get("token") != self._token():
            raise Closed(4004, "Authentication failed.")
        self._forget_old()
        session = self._sessions.get(str(data.get("session_id")))
        sequence = data.get("seq")
        if session is None or not isinstance(sequence, int):
            connection.send('{"op":9,"d":false}')
            return None
        if sequence > session.sequence:
            raise Closed(4007, "Invalid seq")
        session.acknowledge(sequence)
        if session.connection is not None and session.connection is not connection:
            session.connection = None
        for _, frame in session.frames:
            connection.send(frame)
        session.connection = connection
        session.dispatch("RESUMED", '{"_trace":["sandbox"]}')
        self._publish_presence()
        return session


def _shard(given: Any) -> tuple[int, int]:
    """Return the shard of an identify and the number of shards; raises `Closed` for invalid values."""
    if given is None:
        return 0, 1
    match given:
        case [int(number), int(shards)] if 0 <= number < shards:
            return number, shards
    raise Closed(4010, "Invalid shard.")
