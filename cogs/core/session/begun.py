"""What the people at one table have begun to put together on their private pages, and not done yet.

There is one a person, wherever they began it: what was picked in the channel is there on the direct message, too. It is
kept with their seat, soon after it changes and not at every press, so that a restart takes nothing of it. May import
`data`, `engine` and its neighbours.
"""

from cogs.core.messages.controls import Control, kept, read_kept
from cogs.core.screen import begun
from cogs.core.session.house import House
from cogs.core.session.live import LiveTable
from data.store import SeatChange, StoreError

KEPT_AFTER_MS = 1_000
"""So long after a change what was begun is kept: whoever picks one thing after the other writes once."""


class Begun:
    """What the people at one table have begun: of each the control that led to the page on which it stands."""

    def __init__(self, house: House, table: LiveTable) -> None:
        self._clock = house.clock
        self._scheduler = house.scheduler
        self._health = house.health
        self._screen = house.screens[table.game.key]
        self._table = table
        self._unkept: dict[int, Control | None] = {}  # by user: what the database does not know yet

    def of(self, user: int) -> Control | None:
        """Return the control that led to what somebody has begun; None where that is nothing."""
        if user in self._unkept:
            return self._unkept[user]
        if (text := self._kept(user)) is None:
            return None
        look = read_kept(text)
        return look if begun(self._screen, look) else None

    async def stands(self, user: int, look: Control | None) -> None:
        """Take note that a control led to the page that somebody sees now: to what they have put together there, or
        (None) to the game itself, where that is nothing. Any other page leaves it as it is.
        """
        if (look is not None and not begun(self._screen, look)) or look == self.of(user):
            return
        self._unkept[user] = look
        if not self._table.elsewhere:
            self._scheduler.set(self._table.id, "begun", self._clock.now() + KEPT_AFTER_MS)
            return
        try:
            await self.keep()  # whoever has the table must know
        except StoreError as error:
            self._health.failed(error)

    async def keep(self) -> None:
        """Write what is not kept yet. Raises `StoreError`; then it is known here all the same."""
        for user, look in list(self._unkept.items()):
            if kept(look) != self._kept(user):
                await self._table.change_seat_of(user, SeatChange(begun=kept(look)))
            if self._unkept.get(user) is look:
                self._unkept.pop(user, None)

    def _kept(self, user: int) -> str | None:
        seat = self._table.seat_of(user)
        return None if seat is None else self._table.seats[seat].begun
