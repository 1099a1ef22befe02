"""Where people at one table have their cockpits, and what is the same there: the channel, where a cockpit is a panel,
and the direct messages.

A press is answered by the cockpit as it stands then, with a line for its reader where there is one; while a press is
served, nothing else edits. What led to the page that somebody sees is remembered, so that the page can be brought up to
date, and what they have begun there, so that they can go on with it in either place.
"""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Iterable, Iterator
from typing import Any, Protocol

import discord

from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.page import Page
from cogs.core.pages.player_page import PlayerPage
from cogs.core.publishing.interaction_message import Landed
from cogs.core.publishing.responder import reply_to
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables.draft_store import TableDrafts
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table

REFUSED, TAKEN = "⚠", "✓"
"""What stands before a line that tells somebody why nothing was done, and before one that something was."""


class Compose(Protocol):
    """Composes what somebody's cockpit shows; see `PageBuilder.cockpit` and `PageBuilder.direct_message`."""

    def __call__(
        self,
        table: TableSnapshot,
        user: int,
        look: ComponentPress | None = None,
        line: str = "",
        shown: Page | None = None,
    ) -> Awaitable[PlayerPage]: ...


class Cockpits(ABC):
    """The cockpits of one table in one of the two places."""

    def __init__(self, services: PublishingServices, table: Table, compose: Compose, begun: TableDrafts) -> None:
        self._client = services.client
        self._clock = services.clock
        self._scheduler = services.scheduler
        self._table = table
        self._compose = compose
        self._begun = begun
        self._presses: Counter[int] = Counter()  # by user: how many of theirs are being served
        self._changes = 0  # how often what they show may have changed

    # Answering a press

    @contextlib.contextmanager
    def serving(self, user: int) -> Iterator[None]:
        """While somebody's press is served, theirs is left to the answer."""
        self._presses[user] += 1
        try:
            yield
        finally:
            self._presses[user] -= 1
            if not self._presses[user]:
                del self._presses[user]
                self._served(user)

    async def answer(
        self,
        interaction: discord.Interaction,
        look: ComponentPress | None = None,
        line: str = "",
        shown: Page | None = None,
    ) -> None:
        """Answer a press or a command with the asker's cockpit as it stands now."""
        seen = self._changes
        found = await self._compose(self._table.snapshot, interaction.user.id, look, line, shown)
        await self.show(interaction, found, seen)

    async def resume(self, interaction: discord.Interaction, *, anew: bool = False) -> None:
        """Answer with the asker's cockpit and what they have begun there, unless they begin `anew`."""
        await self.answer(interaction, None if anew else self._begun.of(interaction.user.id))

    async def tell(self, interaction: discord.Interaction, sentence: str) -> None:
        """Tell the asker on their cockpit why nothing was done; what they have begun there stays."""
        user = interaction.user.id
        await self.answer(interaction, self.look_of(user) or self._begun.of(user), f"{REFUSED} {sentence}")

    async def show(
        self, interaction: discord.Interaction, found: PlayerPage, seen: int | None = None, *, anew: bool = False
    ) -> None:
        """Answer with a page in the place of the asker's cockpit, or `anew`. `seen`: how often things had changed
        before it was composed, if that was not just now.
        """
        seen = self._changes if seen is None else seen
        await self._make_way(interaction.user.id)
        place, reply = found.lesson or self._table.id, reply_to(interaction)
        landed = await reply.show(found.page, place, found.stamp, anew=anew, marked=not found.still)
        if landed is not None:
            if not found.still:
                await self._begun.stands(interaction.user.id, found.look)
            await self._stands(interaction, landed, found, seen)

    # What differs

    @abstractmethod
    def look_of(self, user: int) -> ComponentPress | None:
        """Return the control that led to what somebody's shows; None where it is the game itself."""

    @abstractmethod
    def changed(self) -> None:
        """Say that what they show may have changed. Returns at once."""

    @abstractmethod
    def _served(self, user: int) -> None:
        """Hear that the last press of somebody's has been served."""

    async def _make_way(self, user: int) -> None:
        """Return when nothing older can come after an answer to somebody."""
        return

    @abstractmethod
    async def _stands(self, interaction: discord.Interaction, landed: Landed, found: PlayerPage, seen: int) -> None:
        """Take over what an answer has shown. `seen`: how often things had changed before it was composed."""

    # The work that goes on by itself

    @abstractmethod
    def _working(self) -> Iterable["asyncio.Task[Any]"]:
        """Return what is going on."""

    async def settle(self) -> None:
        """Return when every edit that is due has been made."""
        while working := [task for task in self._working() if not task.done()]:
            await asyncio.wait(working)

    async def close(self) -> None:
        """Stop editing."""
        working = list(self._working())
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)
