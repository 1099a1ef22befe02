"""What the people at one table have begun to put together on their private pages, and not done yet.

There is one a person, wherever they began it: what was picked in the channel is there on the direct message, too. It is
kept with their seat, soon after it changes and not at every press, so that a restart takes nothing of it. Where several
processes play over one database, what was kept last counts: what one of them has not kept by then is past.
"""

from dataclasses import dataclass, replace

from cogs.core.pages.custom_ids import Control, kept, read_kept
from cogs.core.pages.game_ui import begun
from cogs.core.tables.house import House
from cogs.core.tables.live import LiveTable
from data.store import SeatChange, StoreError

KEPT_AFTER_MS = 1_000
"""So long after a change what was begun is kept: whoever picks one thing after the other writes once."""


@dataclass(frozen=True)
class _Unkept:
    """What somebody has begun that is not kept yet, and what was kept of them when they did."""

    look: Control | None
    before: str | None


class Begun:
    """What the people at one table have begun: of each the control that led to the page on which it stands."""

    def __init__(self, house: House, table: LiveTable) -> None:
        self._clock = house.clock
        self._scheduler = house.scheduler
        self._health = house.health
        self._screen = house.screens[table.game.key]
        self._table = table
        self._unkept: dict[int, _Unkept] = {}  # by user: what the database does not know yet

    @property
    def busy(self) -> bool:
        """Whether anything is not kept yet."""
        return bool(self._unkept)

    def of(self, user: int) -> Control | None:
        """Return the control that led to what somebody has begun; None where that is nothing."""
        return self._known(user)[0]

    async def stands(self, user: int, look: Control | None) -> None:
        """Take note that a control led to the page that somebody sees now: to what they have put together there, or
        (None) to the game itself, where that is nothing. Any other page leaves it as it is.
        """
        if look is not None and not begun(self._screen, look):
            return
        present, text = self._known(user)
        if look == present:
            return
        self._unkept[user] = _Unkept(look, text)
        if not self._table.elsewhere:
            self._scheduler.set(self._table.id, "begun", self._clock.now() + KEPT_AFTER_MS)
            return
        try:
            await self.keep()  # whoever has the table must know
        except StoreError as error:
            self._health.failed(error)

    async def keep(self) -> None:
        """Write what is not kept yet. Raises `StoreError`; then it is known here all the same."""
        table = self._table
        if self._unkept and table.store.shards.shared and await table.catch_up() and not table.elsewhere:
            self._scheduler.set(table.id, "news", self._clock.now())  # another process has acted here: it is to be seen
        for user, unkept in list(self._unkept.items()):
            text = kept(unkept.look)
            if unkept.before == self._known(user)[1] != text:
                await self._table.change_seat_of(user, SeatChange(begun=text))
            later = self._unkept.pop(user, None)
            if later is not None and later is not unkept:  # they went on while it was written
                self._unkept[user] = replace(later, before=self._known(user)[1])

    def _known(self, user: int) -> tuple[Control | None, str | None]:
        """Return the control that led to what somebody has begun, and what is kept of that."""
        text, unkept = next((row.begun for row in self._table.seats if row.user == user), None), self._unkept.get(user)
        if unkept is not None and unkept.before == text:
            return unkept.look, text
        if text is None:
            return None, None
        look = read_kept(text)
        return (look if begun(self._screen, look) else None), text
