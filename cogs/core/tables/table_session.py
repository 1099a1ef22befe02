"""A table session: one live table, with everything that serves it. Whatever is done at a table, and whoever is answered
there, goes through it.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

import discord

from cogs.core.ops.errors import UserError
from cogs.core.pages.game_ui import Screen, Sitter
from cogs.core.pages.page import Page
from cogs.core.pages.player_page import Cockpit
from cogs.core.publishing.direct_messages import DirectMessages
from cogs.core.publishing.ephemeral_pages import Panels
from cogs.core.publishing.message_cleanup import Leftovers
from cogs.core.publishing.player_page_host import REFUSED, Cockpits
from cogs.core.publishing.responder import reply_to
from cogs.core.publishing.table_message import TableMessage
from cogs.core.publishing.thread_header import ChannelLine
from cogs.core.publishing.turn_reminder import TurnPing
from cogs.core.tables import absence
from cogs.core.tables.bots import Computers
from cogs.core.tables.draft_store import Begun
from cogs.core.tables.live import LiveTable
from cogs.core.tables.rematch import Rematch
from data.store import Status, StoreError
from data.store.cluster_notices import Pressed
from engine.contract import Action, Moment, Refusal, Seat, View
from engine.standings import PLACEMENT_GAMES
from engine.turns import Interlude

MOVES_MOST = f"Ratings move most in the first {PLACEMENT_GAMES} games; what some gain need not be what others lose."
"""Why the first ratings do not go up and down alike, see `engine.standings.SURE`."""


@dataclass(frozen=True)
class RatingChange:
    """What a game has made of somebody's rating, in the points that people see; `games` count towards it by now."""

    seat: Seat
    before: int
    after: int
    games: int

    @property
    def words(self) -> str:
        """The change, and how many games somebody has who has no place on a leaderboard yet."""
        first = f" (placement game {self.games} of {PLACEMENT_GAMES})" if self.games < PLACEMENT_GAMES else ""
        return f"{self.before} → **{self.after}**{first}"


@dataclass
class TableSession:
    """A live table with what serves it."""

    table: LiveTable
    screen: Screen
    message: TableMessage
    begun: Begun
    direct_messages: DirectMessages
    panels: Panels
    leftovers: Leftovers
    turn_ping: TurnPing
    line: ChannelLine
    computers: Computers
    follow_up: Callable[["TableSession"], None]  # sets going what follows from a move, a coming or a going
    rematch: Rematch | None = None
    ratings: tuple[RatingChange, ...] = ()  # what its end has made of them, once that is known
    aside: Interlude | None = None  # the last interlude, whose picture a slow table has posted
    booked: bool = False  # whether the records have heard of its end
    told: Status | None = None  # what direct messages of a game without secrets were last written for
    lined: tuple[Status, bool, tuple[Sitter, ...]] | None = None  # what its line in the channel was last written for

    # What is done here

    async def visit(self, user: int) -> None:
        """Take note that somebody asks for anything here: every way in to the table comes by here once."""
        table = self.table
        table.used = max(table.used, self.panels.pressed(user))
        if table.elsewhere:
            table.tell(Pressed(table.id, user))
        if user in table.lapsed:
            await absence.forgive(table, user)

    async def act(self, seat: Seat, action: Action, at: Moment, fresh: Callable[[View], bool] | None = None) -> None:
        """Let a person move, and set going what follows. Raises `UserError` with the rule that refuses it, and `Stale`
        for a control that is no longer `fresh`.
        """
        try:
            await self.table.act(seat, action, at, fresh)
        except Refusal as refusal:
            raise UserError(self.screen.refusal(refusal, self.table.info())) from refusal
        self.table.notice = None
        self.follow_up(self)

    # Who is answered here

    async def answer(self, interaction: discord.Interaction, line: str = "") -> None:
        """Answer what was done here, with a line that only the asker reads where there is one: by the table message if
        it was pressed there and tells all, else by the asker's cockpit.
        """
        reply = reply_to(interaction)
        if reply.on_table and not line:
            await self.message.answer(reply)
            return
        self.message.refresh()
        if not line or not await self._told_beside(interaction, line):
            await self.cockpits(interaction).answer(interaction, line=line)

    async def tell(self, interaction: discord.Interaction, sentence: str) -> None:
        """Tell the asker why nothing was done."""
        if not await self._told_beside(interaction, f"{REFUSED} {sentence}"):
            await self.cockpits(interaction).tell(interaction, sentence)

    async def tell_aside(self, interaction: discord.Interaction, sentence: str) -> None:
        """Tell the asker why nothing was done where the table message that they pressed tells most of it, for it shows
        how the game stands: their panel stays where it is, and has the sentence.
        """
        if self._left_beside(interaction, f"{REFUSED} {sentence}"):
            await self.message.answer(reply_to(interaction))
        else:
            await self.cockpits(interaction).tell(interaction, sentence)

    async def _told_beside(self, interaction: discord.Interaction, line: str) -> bool:
        """Tell a line on the asker's panel, if it is in sight of the table message that they pressed; that one is not
        touched, for others may not see that somebody has pressed.
        """
        told = self._left_beside(interaction, line)
        if told:
            await reply_to(interaction).hold()
        return told

    def _left_beside(self, interaction: discord.Interaction, line: str) -> bool:
        """Leave a line on the panel of whoever has pressed the table message; say whether they have one in sight."""
        pressed = reply_to(interaction).pressed
        if self.table.in_lobby or pressed is None or pressed != self.message.message:
            return False
        return self.panels.leave_line(interaction, line, below=pressed)

    async def show(self, interaction: discord.Interaction, page: Page) -> None:
        """Answer with a page that does not change with the game, in the place of the asker's cockpit."""
        stamp = self.table.view(None).stamp if self.table.state is not None else 0
        await self.cockpits(interaction).show(interaction, Cockpit(page, stamp, still=True))

    def cockpits(self, interaction: discord.Interaction) -> Cockpits:
        """Return where whoever pressed has their cockpit: in the channel, or in their direct messages with us."""
        return self.direct_messages if reply_to(interaction).with_us else self.panels

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
        with contextlib.suppress(StoreError):  # whoever stops the bot hears of it
            await self.begun.keep()
