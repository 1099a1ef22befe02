"""What the bot sends over its connections: heartbeat, identify, resume and requests for members.

Source: "Gateway" in Discord's API documentation.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from aiohttp import WSMsgType

from sandbox.world.models import Json
from sandbox.world.state import State

from .connection import Closed, Connection, Session, compact
from .dispatch import CONTENT, MEMBERS, Dispatcher
from .sessions import Sessions
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


class Protocol:
    """Answers the bot's frames. ``address`` returns a process's gateway URL, ``token`` the bot's current token.

    While ``refuse_with`` is a close code, every identify and resume is refused with it.
    """

    def __init__(
        self,
        state: State,
        sessions: Sessions,
        dispatcher: Dispatcher,
        token: Callable[[], str],
        address: Callable[[str], str],
        reset_token: Callable[[], None],
    ) -> None:
        self._state = state
        self._sessions = sessions
        self._dispatcher = dispatcher
        self._token = token
        self._address = address
        self._reset_token = reset_token
        self._closing: set[asyncio.Task[None]] = set()
        self.starts = Starts(state.settings, state.clock.now_ms)
        self.refuse_with: int | None = None

    async def serve(self, connection: Connection, version: str) -> Session | None:
        """Say hello, and answer frames until the bot closes the connection; return its session.

        Raises `Closed` if the bot breaks a rule of the gateway, or asks for an unsupported version.
        """
        connection.send(compact({"op": 10, "d": {"heartbeat_interval": HEARTBEAT_MS, "_trace": ["sandbox"]}}))
        if version not in ("9", "10"):
            raise Closed(4012, "Invalid API version")
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
            case 2 | 6 if self.refuse_with is not None:
                raise Closed(self.refuse_with, "Unknown error")
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
        self._sessions.drop_expired()
        self._sessions.add(session, connection)
        self._dispatcher.send_ready(session, guilds, self._address(connection.by))
        self._sessions.publish_presence()
        return session

    def _count_start(self, shard: int) -> bool:
        """Count an identify and return True if it is allowed. One too many a day resets the token and ends every
        session.
        """
        try:
            return self.starts.take(shard)
        except StartsExhausted:
            self._state.record_violation("the gateway", "identified more often than a day allows: the token is reset")
            self._reset_token()
            self._sessions.by_id.clear()
            for connection in self._sessions.connections:
                closing = asyncio.create_task(connection.close(4004, "Authentication failed."))
                self._closing.add(closing)
                closing.add_done_callback(self._closing.discard)
            raise Closed(4004, "Authentication failed.") from None

    def _resume(self, connection: Connection, data: Json) -> Session | None:
        if data.get("token") != self._token():
            raise Closed(4004, "Authentication failed.")
        self._sessions.drop_expired()
        session = self._sessions.by_id.get(str(data.get("session_id")))
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
        self._sessions.publish_presence()
        return session


def _shard(given: Any) -> tuple[int, int]:
    """Return the shard of an identify and the number of shards; raises `Closed` for invalid values."""
    if given is None:
        return 0, 1
    match given:
        case [int(number), int(shards)] if 0 <= number < shards:
            return number, shards
    raise Closed(4010, "Invalid shard.")
