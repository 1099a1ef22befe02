"""The gateway: what it sends to the bot's sessions, and what tests can order it to do.

A `Session` outlives its connection: events while the bot is away are kept and replayed when it resumes. A shard may
have any number of sessions; each receives everything and none knows of the others, which Discord allows for a change of
processes without a gap. Source: "Gateway" in Discord's API documentation.
"""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import WSCloseCode, web

from sandbox.messaging.interaction import Interaction
from sandbox.world.models import Json, Message
from sandbox.world.state import State

from .connection import Closed, Connection, Session, compact
from .dispatch import Dispatcher
from .protocol import Protocol
from .sessions import Sessions


class Gateway:
    """The gateway. ``address`` returns a process's gateway URL, ``token`` the bot's current token."""

    def __init__(
        self, state: State, token: Callable[[], str], address: Callable[[str], str], reset_token: Callable[[], None]
    ) -> None:
        self._sessions = Sessions(state)
        self._dispatcher = Dispatcher(state, self._sessions.by_id)
        self._protocol = Protocol(state, self._sessions, self._dispatcher, token, address, reset_token)
        self.redelivers = 0  # how often each interaction is dispatched again at once
        self._last_interaction: tuple[Interaction, str] | None = None
        state.listeners.append(self._dispatcher.on_event)

    @property
    def online(self) -> bool:
        """True while the bot is connected with a session."""
        return self._sessions.online

    @property
    def sessions(self) -> list[Session]:
        """All sessions, connected or waiting to be resumed, oldest first."""
        self._sessions.drop_expired()
        return list(self._sessions.by_id.values())

    def start_limit(self) -> Json:
        """Return how often the bot may still identify today."""
        return self._protocol.starts.json()

    def send_interaction(self, interaction: Interaction, payload: Json) -> bool | None:
        """Dispatch INTERACTION_CREATE. Return True if a connected session got it, None if there is no session
        at all.
        """
        self._sessions.drop_expired()
        if not self._sessions.by_id:
            return None
        data = compact(payload)
        self._last_interaction = interaction, data
        for session in self._sessions.serving(interaction.channel.guild):
            for _ in range(1 + self.redelivers):
                session.dispatch("INTERACTION_CREATE", data)
            if session.connection is not None:
                interaction.receivers.append(session.connection)
        return bool(interaction.receivers)

    def redeliver(self) -> None:
        """Dispatch the last interaction once more, as Discord may after a session was resumed."""
        if self._last_interaction is not None:
            interaction, data = self._last_interaction
            for session in self._sessions.serving(interaction.channel.guild):
                session.dispatch("INTERACTION_CREATE", data)

    def message_again(self, message: Message) -> None:
        """Dispatch a message once more, as Discord may after a session was resumed."""
        self._dispatcher.message_again(message)

    async def disconnect(self, session: Session | None, code: int, *, resumable: bool) -> None:
        """Close the connection of one session or of all; unless ``resumable`` the sessions are dropped."""
        if not resumable:
            for each in list(self._sessions.by_id.values()) if session is None else [session]:
                self._sessions.drop(each)
        if session is None:
            connections = list(self._sessions.connections)
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
            self._sessions.drop(session)
        if session.connection is not None:
            session.connection.send(f'{{"op":9,"d":{"true" if resumable else "false"}}}')

    def refuse(self, code: int | None) -> None:
        """Close with this code on every identify and resume from now on; None: accept them again."""
        self._protocol.refuse_with = code

    async def close(self) -> None:
        """Close all connections."""
        for connection in list(self._sessions.connections):
            await connection.close(WSCloseCode.GOING_AWAY)

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
        self._sessions.connections.add(connection)
        session: Session | None = None
        try:
            session = await self._protocol.serve(connection, query.get("v", "10"))
        except Closed as closed:
            await connection.close(closed.code, closed.reason)
        finally:
            await connection.stop()
            self._sessions.lose(connection)
        goodbye = socket.close_code in (1000, 1001) and not connection.cut
        if session is not None and goodbye and session.connection is None:
            self._sessions.drop(session)  # a bot that closes normally does not resume
        return socket
