"""The tables in memory, found by their number or by their channel. May import its neighbours."""

from collections.abc import Collection, Iterator, Mapping

from cogs.core.session.table_session import TableSession


class Present(Mapping[int, TableSession]):
    """The tables in memory, by number. A table never changes its channel."""

    def __init__(self) -> None:
        self._tables: dict[int, TableSession] = {}
        self._channels: dict[int, dict[int, TableSession]] = {}

    def __getitem__(self, number: int) -> TableSession:
        return self._tables[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def in_channel(self, channel: int) -> Collection[TableSession]:
        """Return those of a channel, at no greater cost however many there are elsewhere."""
        return tuple(self._channels.get(channel, {}).values())

    def put(self, session: TableSession) -> None:
        """Take a table in."""
        self._tables[session.table.id] = session
        self._channels.setdefault(session.table.row.channel, {})[session.table.id] = session

    def take(self, number: int) -> TableSession | None:
        """Let go of a table, and return it; None if it was not here."""
        session = self._tables.pop(number, None)
        if session is not None:
            channel = session.table.row.channel
            del self._channels[channel][number]
            if not self._channels[channel]:
                del self._channels[channel]
        return session

    def clear(self) -> None:
        """Let go of all."""
        self._tables.clear()
        self._channels.clear()
