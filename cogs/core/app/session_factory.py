"""Of what a table in memory consists: its game, its screen, and the rooms that show it and play at it, put together."""

from collections.abc import Callable, Mapping
from functools import partial

from cogs.core.publishing.direct_messages import DirectMessages
from cogs.core.publishing.ephemeral_pages import Panels
from cogs.core.publishing.message_cleanup import Leftovers
from cogs.core.publishing.page_builder import Composer
from cogs.core.publishing.table_message import Shared, TableMessage
from cogs.core.publishing.thread_header import ChannelLine
from cogs.core.publishing.turn_reminder import TurnPing
from cogs.core.tables.bot_workers import Thinkers
from cogs.core.tables.bots import Computers
from cogs.core.tables.draft_store import Begun
from cogs.core.tables.follow_up import FollowUp
from cogs.core.tables.house import House
from cogs.core.tables.live import LiveTable
from cogs.core.tables.table_session import TableSession


class Furnishing:
    """Puts tables together. `present`: those in memory, by number; `place_gone` hears of a channel that does not exist
    any more.
    """

    def __init__(
        self,
        house: House,
        composer: Composer,
        thinkers: Thinkers,
        follow_up: FollowUp,
        present: Mapping[int, TableSession],
        place_gone: Callable[[int], None],
    ) -> None:
        self._house = house
        self._composer = composer
        self._thinkers = thinkers
        self._follow_up = follow_up
        self._present = present
        self._shared = Shared(
            house.client,
            composer.table_page,
            house.clock,
            house.scheduler,
            house.shown,
            house.health,
            place_gone,
            self._quiet,
            house.answers,
        )

    async def _quiet(self, guild: int) -> bool:
        return (await self._house.settings.of(guild)).mentions == "quiet"

    def furnish(self, table: LiveTable) -> TableSession:
        """Return a table with all that belongs to it."""
        house, key = self._house, table.game.key
        screen = house.screens[key]
        leftovers = Leftovers(house.client, house.store, table, house.health)
        message = TableMessage(self._shared, table, leftovers)
        composer = self._composer
        begun = Begun(house, table)
        panels = Panels(house, table, composer.cockpit, begun)
        direct_messages = DirectMessages(house, table, composer.direct_message, composer.resting_message, begun, panels)
        turn_ping = TurnPing(house, table, leftovers, panels, direct_messages)

        line = ChannelLine(house, screen, table)
        players, explain = house.players[key], house.reasons.get(key)
        moved = partial(self._moved, table.id)
        computers = Computers(table, players, self._thinkers, house.clock, house.scheduler, moved, explain)
        return TableSession(
            table,
            screen,
            message,
            begun,
            direct_messages,
            panels,
            leftovers,
            turn_ping,
            line,
            computers,
            self._follow_up,
        )

    def _moved(self, table: int) -> None:
        """Hear that a computer has moved. The table is looked up by its number: nothing of a table may lead back to its
        session, or both would stay after it has left the memory, until the collector comes by.
        """
        session = self._present.get(table)
        if session is not None:
            self._follow_up(session)
            session.message.refresh()
