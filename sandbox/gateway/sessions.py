"""The connections of the bot and its sessions, which may be waiting to be resumed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from sandbox.world.events import Presence
from sandbox.world.models import Guild
from sandbox.world.state import State

from .connection import Connection, Session


class Sessions:
    """All open connections, and all sessions by id, oldest first. Publishes the bot's presence."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.connections: set[Connection] = set()
        self.by_id: dict[str, Session] = {}
        self._seen_online = False

    @property
    def online(self) -> bool:
        """True while the bot is connected with a session."""
        return any(session.connection is not None for session in self.by_id.values())

    def serving(self, guild: Guild | None) -> Iterator[Session]:
        """Yield the sessions that get the events of a server, or of direct messages."""
        return (session for session in self.by_id.values() if session.serves(guild))

    def add(self, session: Session, connection: Connection) -> None:
        """Add a new session with its connection; `publish_presence` follows when it has got READY."""
        self.by_id[session.id] = session
        session.connection = connection

    def drop(self, session: Session) -> None:
        """Remove a session, which can no longer be resumed."""
        self.by_id.pop(session.id, None)

    def drop_expired(self) -> None:
        """Remove sessions that waited too long for a resume."""
        oldest = asyncio.get_running_loop().time() - self._state.settings.session_life_ms / 1000
        for session in list(self.by_id.values()):
            if session.connection is None and session.lost_at < oldest:
                del self.by_id[session.id]

    def lose(self, connection: Connection) -> None:
        """Remove a connection that has ended. Its session waits for a resume."""
        self.connections.discard(connection)
        for session in self.by_id.values():
            if session.connection is connection:
                session.lose(asyncio.get_running_loop().time())
        self.publish_presence()

    def publish_presence(self) -> None:
        """Publish the bot's presence when its first session connects or its last one disconnects."""
        if self._seen_online != self.online:
            self._seen_online = self.online
            self._state.publish(Presence(online=self.online))
