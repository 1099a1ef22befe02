"""The tables of other processes at which somebody has lately pressed something here, as in their direct messages.

They are read anew at every press. What stays from press to press is which page each presser sees. May import its
neighbours.
"""

from collections import OrderedDict

from cogs.core.session.table_session import TableSession

MOST = 128
"""So many are kept, those that were asked for last."""


class Visits:
    """Tables of others, by number."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[int, TableSession] = OrderedDict()

    def get(self, number: int) -> TableSession | None:
        """Return a table as it was when it was last asked for; None if that was too long ago."""
        session = self._sessions.get(number)
        if session is not None:
            self._sessions.move_to_end(number)
        return session

    def put(self, session: TableSession) -> None:
        """Keep a table for the next press."""
        self._sessions[session.table.id] = session
        while len(self._sessions) > MOST:
            self._sessions.popitem(last=False)

    def clear(self) -> None:
        """Let go of all."""
        self._sessions.clear()
