"""A table session: one live table, with everything that serves it. May import discord, `data` and its neighbours."""

from dataclasses import dataclass

import discord

from cogs.core.messages.channel_line import ChannelLine
from cogs.core.messages.cockpits import Cockpits
from cogs.core.messages.direct_messages import DirectMessages
from cogs.core.messages.leftovers import Leftovers
from cogs.core.messages.panels import Panels
from cogs.core.messages.table_message import TableMessage
from cogs.core.messages.turn_ping import TurnPing
from cogs.core.router.reply import with_us
from cogs.core.screen import Screen
from cogs.core.session.computers import Computers
from cogs.core.session.live import LiveTable
from cogs.core.session.rematch import Rematch
from data.store import Status
from engine.contract import Seat
from engine.turns import Interlude


@dataclass(frozen=True)
class RatingChange:
    """What a game has made of somebody's rating, in the points that people see."""

    seat: Seat
    before: int
    after: int


@dataclass
class TableSession:
    """A live table with what serves it."""

    table: LiveTable
    screen: Screen
    message: TableMessage
    direct_messages: DirectMessages
    panels: Panels
    leftovers: Leftovers
    turn_ping: TurnPing
    line: ChannelLine
    computers: Computers
    rematch: Rematch | None = None
    ratings: tuple[RatingChange, ...] = ()  # what its end has made of them, once that is known
    aside: Interlude | None = None  # the last interlude, whose picture a slow table has posted
    booked: bool = False  # whether the records have heard of its end
    told: Status | None = None  # what direct messages of a game without secrets were last written for

    def cockpits(self, interaction: discord.Interaction) -> Cockpits:
        """Return where whoever pressed has their cockpit: in the channel, or in their direct messages with us."""
        return self.direct_messages if with_us(interaction) else self.panels

    def interlude(self) -> Interlude | None:
        """Return the pause in which the game is, if it is in one."""
        return getattr(self.table.view(None), "interlude", None) if self.table.playing else None

    async def settle(self) -> None:
        """Return when all its messages that are wanted have been sent."""
        await self.message.settle()
        await self.direct_messages.settle()
        await self.panels.settle()
        await self.leftovers.settle()
        await self.line.settle()

    async def close(self) -> None:
        """Stop everything that serves it."""
        await self.computers.close()
        await self.message.close()
        await self.direct_messages.close()
        await self.panels.close()
        await self.leftovers.close()
        await self.line.close()
