"""The lines that mention people who are wanted in a lobby: guests, the host, and the players of a rematch."""

from collections.abc import Callable, Sequence

from cogs.core.publishing.mention_lines import MentionLine, MentionLines, Words
from cogs.core.publishing.message_cleanup import MessageCleanup
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables import lobby
from cogs.core.tables.table import Table


class LobbyMentions:
    """The lines about one table's lobby. Each is deleted once nobody whom it mentions is wanted any more."""

    def __init__(
        self, services: PublishingServices, table: Table, cleanup: MessageCleanup, lines: MentionLines
    ) -> None:
        self._services = services
        self._clock = services.clock
        self._table = table
        self._cleanup = cleanup
        self._lines = lines
        self._shown: dict[int, MentionLine] = {}  # by message
        self._last_at = 0  # when the last of them was sent

    def changed(self) -> bool:
        """Delete the lines about people who are no longer wanted. Return True if nobody is: then those sent before a
        restart can go, too.
        """
        table = self._table.snapshot
        gone = [message for message, line in self._shown.items() if not line.wanted()]
        for message in gone:
            del self._shown[message]
        self._cleanup.delete(gone)
        return not lobby.expected(table) and table.row.heir is None and table.row.rematch_of is None

    async def call_guest(self, user: int, words: Words) -> None:
        """Mention somebody who is invited; the line goes when they answer, or when the lobby ends."""

        def wanted() -> bool:
            return self._table.snapshot.in_lobby and user in lobby.expected(self._table.snapshot)

        await self._call((user,), "i", words, wanted)

    async def call_host(self, words: Words) -> None:
        """Mention the host whom a player asks to replace; the line goes when that is settled."""
        host = self._table.snapshot.row.opener

        def wanted() -> bool:
            row = self._table.snapshot.row
            return row.status == "lobby" and row.opener == host and row.heir is not None

        await self._call((host,), "h", words, wanted)

    async def call_players(self, users: Sequence[int], words: Words) -> None:
        """Mention the people whom a rematch waits for, as they want it; the line goes when all are in, or it lapses."""
        called = tuple([user for user in users if await self._may_be_told(user)])

        def wanted() -> bool:
            table = self._table.snapshot
            return table.in_lobby and any(table.seat_of(user) is None for user in called)

        if called:
            await self._call(called, "r", words, wanted, quiet=await self._lines.is_quiet())

    async def tell_host(self, words: Words) -> None:
        """Mention the host of a lobby that has closed, as they want it; the line goes if the table is opened again."""
        host = self._table.snapshot.row.opener

        def wanted() -> bool:
            return self._table.snapshot.row.status == "closed"

        if await self._may_be_told(host):
            await self._call((host,), "c", words, wanted, quiet=await self._lines.is_quiet())

    async def _may_be_told(self, user: int) -> bool:
        return await self._services.preferences.of(user) != "nothing"

    async def _call(
        self, users: tuple[int, ...], kind: str, words: Words, wanted: Callable[[], bool], *, quiet: bool = False
    ) -> None:
        async with self._lines.lock:
            now = self._clock.now()
            with await self._services.server_language(self._table):
                text = f"{' '.join(f'<@{user}>' for user in users)} {words()}"
            self._last_at = max(now, self._last_at + 1)
            nonce = f"{self._table.id}.{kind}{self._last_at}"  # of its own, also for two lines of one moment

            async def sent(message: int) -> None:
                self._shown[message] = line

            line = MentionLine(nonce, text, () if quiet else users, now, wanted, sent)
            await self._lines.send(line)
