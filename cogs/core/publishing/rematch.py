"""The rematch of a finished game: who has joined, who is missing, and where it is played.

It is a table of its own from the first press, and has no message before it begins or is opened to others; until then,
the end of the finished game shows it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cogs.core.i18n.translation import _
from cogs.core.pages.game_ui import marked
from cogs.core.publishing import message_links
from data.store import SeatRow, Store, TableRow


@dataclass(frozen=True)
class Rematch:
    """A rematch as the finished game shows it: the names of players who have pressed, and of those who have not. It has
    a `link` once it has a message, and `gathers` until it begins.
    """

    table: int
    gathers: bool
    ready: tuple[str, ...]
    missing: tuple[str, ...]
    link: str | None

    @property
    def hidden(self) -> bool:
        """Whether only the previous players can see it."""
        return self.gathers and self.link is None

    def line(self) -> str:
        """Return what the end of the game before says of it."""
        if not self.gathers:
            return f"-# {_('The rematch is {table}.', table=self._where())}"
        joined, missing = ", ".join(self.ready), ", ".join(self.missing)
        if self.link is not None:
            words = _(
                "Rematch: {names} joined. Anyone can join {table}; no seats are reserved.",
                names=joined,
                table=self._where(),
            )
            return f"-# {words}"
        if self.missing:
            words = _("Rematch: {names} joined; waiting for {missing}.", names=joined, missing=missing)
        else:
            words = _("Rematch: {names} joined.", names=joined)
        return f"-# {words} {_('*Let others join* opens it to everyone; then no seats are reserved.')}"

    def _where(self) -> str:
        name = _("table {table}", table=self.table)
        return name if self.link is None else f"[{name}]({self.link})"


async def where_found(store: Store, row: TableRow) -> str:
    """Return where people find a table: its number with a link to its message. A rematch without a message is found
    through the game before.
    """
    hidden = row.rematch_of is not None and row.message is None and row.status == "lobby"
    before = await store.tables.get(row.rematch_of) if hidden and row.rematch_of is not None else None
    if before is None:
        return message_links.link(row)
    return _("the rematch of {table}", table=message_links.link(before))


async def rematch_of(store: Store, table: int, before: Sequence[SeatRow]) -> Rematch | None:
    """Return the newest rematch of a table, by those who played there; None if there is none, or it has lapsed."""
    row = await store.tables.rematch_of(table)
    if row is None or row.status == "closed":
        return None
    users = {seat.user for seat in await store.seats.of(row.id)}
    people = [seat for seat in before if seat.user is not None]
    return Rematch(
        row.id,
        row.status == "lobby",
        tuple(marked(seat.seat, seat.name) for seat in people if seat.user in users),
        tuple(marked(seat.seat, seat.name) for seat in people if seat.user not in users),
        message_links.address(row, row.message),
    )
